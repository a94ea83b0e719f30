// Groups of responses, with and without filters, held against a plain recount of the bodies that were sent, on both engines and
// beside another account; and how a scan ends.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import {
  type Days,
  filterText,
  groupsBy,
  keepsAll,
  latentFigures,
  type ModelCondition,
  type ModelGroup,
  ratingFigures,
  within,
} from '../../support/insight-model.ts';
import {
  canary,
  firstDay,
  type InsightSource,
  inheritedName,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  oddName,
  sendInsight,
} from '../../support/insight-population.ts';
import { assertNear } from '../../support/near.ts';
import { seeded } from '../../support/seeded.ts';

const sources = insightPopulation();
const whole: Days = { from: firstDay, to: lastDay };
const shared = [
  'device',
  'locale',
  'page',
  'weekday',
  'version',
  'cpp:plan',
  'cpp:browser',
  `cpp:${oddName}`,
];
const bySource = {
  measure: [
    ...shared,
    `cpp:${inheritedName}`,
    'cpp:cart_value',
    'epp:loyalty_tier',
    'question:Q-FOUND',
    'question:Q-WHERE',
    'question:Q-SAT-1',
    'question:Q-SAY',
  ],
  project: [
    ...shared,
    'cpp:customer',
    'epp:EPP-TIER',
    'question:Q-STARS',
    'question:Q-TOPIC',
    'question:Q-BAD',
  ],
} as const;
const conditions: Readonly<Record<'measure' | 'project', readonly ModelCondition[]>> = {
  measure: [
    { operator: 'is', name: 'question:Q-FOUND', value: 'A-NO' },
    { operator: 'not', name: 'question:Q-FOUND', value: 'Yes' },
    { operator: 'contains', name: 'question:Q-WHERE', value: 'the SEARCH' },
    { operator: 'not', name: 'question:Q-WHERE', value: 's' },
    { operator: 'gt', name: 'question:Q-SAT-1', value: '4' },
    { operator: 'lt', name: 'question:Q-PLAN', value: '2.25' },
    { operator: 'contains', name: 'question:Q-SAY', value: 'STRASSE' },
    { operator: 'gt', name: 'latent:L-SAT', value: '30.5' },
    { operator: 'lt', name: 'latent:L-PRICE', value: '80' },
  ],
  project: [
    { operator: 'gt', name: 'rating', value: '2' },
    { operator: 'not', name: 'rating', value: '5' },
    { operator: 'is', name: 'topic', value: 'T-TECH' },
    { operator: 'contains', name: 'topic', value: 'topic t-' },
    { operator: 'not', name: 'topic', value: 'Topic T-OTHER' },
  ],
};
const sharedConditions: readonly ModelCondition[] = [
  { operator: 'is', name: 'device', value: 'phone' },
  { operator: 'not', name: 'device', value: 'phone' },
  { operator: 'contains', name: 'locale', value: 'EN-g' },
  { operator: 'is', name: 'page', value: 'https://shop.example/search?q=other' },
  { operator: 'not', name: 'weekday', value: '6' },
  { operator: 'lt', name: 'weekday', value: '4' },
  { operator: 'gt', name: 'version', value: '1' },
  { operator: 'is', name: 'cpp:plan', value: 'beta' },
  { operator: 'gt', name: 'cpp:cart_value', value: '99.5' },
  { operator: 'is', name: `cpp:${oddName}`, value: 'groß; sehr, 100%' },
  { operator: 'not', name: `cpp:${inheritedName}`, value: 'built' },
  { operator: 'is', name: 'epp:loyalty_tier', value: 'Größe; 1,5 %' },
  { operator: 'not', name: 'epp:loyalty_tier', value: 'gold' },
];

interface Shown {
  readonly complete: boolean;
  readonly covered: Days | null;
  readonly position: number;
  readonly latents?: readonly { readonly id: string }[];
  readonly groups: readonly ShownGroup[];
  readonly other: (Omit<ShownGroup, 'value' | 'label'> & { readonly groups: number }) | null;
  readonly withheld: { readonly groups: number; readonly count: number } | null;
}

interface ShownGroup {
  readonly value: string | null;
  readonly label: string | null;
  readonly count: number;
  readonly versions: readonly number[];
  readonly latents?: readonly ({ readonly id: string; readonly comparable: boolean } & Record<
    string,
    unknown
  >)[];
  readonly rating?: { readonly comparable: boolean } & Record<string, unknown>;
}

for (const engine of engines)
  describe(`breakdowns on ${engine.name}`, () => {
    let service: FeedbackService;
    const tokens = new Map<number, string>();

    before(async () => {
      service = await startFeedback(engine, { catalogue: insightCatalogue, nowMs: insightNowMs });
      for (const account of [insightAcme, insightBolt]) tokens.set(account, await service.token(account));
      await sendInsight(service, sources);
    });
    after(() => service?.stop());

    const pathOf = (source: InsightSource, query: Readonly<Record<string, string | number>>): string =>
      `/v1/${source.path}/breakdown?${new URLSearchParams(Object.entries({ ...whole, within: 10_000, ...query }).map(([name, value]) => [name, `${value}`]))}`;
    const get = async (
      source: InsightSource,
      query: Readonly<Record<string, string | number>>,
    ): Promise<Shown> => {
      const { status, body, text } = await service.get(pathOf(source, query), tokens.get(source.accountId)!);
      assert.equal(status, 200, text);
      if (source.accountId === insightAcme) assert.ok(!text.includes(canary), 'nothing of the other account');
      return body as unknown as Shown;
    };
    const metric = async (outcome: string): Promise<number> => {
      const { text } = await exchange(`${service.baseUrl}/metrics`);
      return Number(
        new RegExp(`^soundings_scans_total\\{outcome="${outcome}"\\} (\\d+)`, 'm').exec(text)?.[1],
      );
    };

    function assertGroups(
      source: InsightSource,
      shown: Shown,
      expected: readonly ModelGroup[],
      minimum = 1,
    ): void {
      const told = (figures: { readonly count: number }): object =>
        figures.count > 0 && figures.count < minimum ? { withheld: 'TOO_FEW' } : figures;
      assert.deepEqual(
        shown.groups.map(({ value, count }) => [value, count]),
        expected.map(({ value, responses }) => [value, responses.length]),
      );
      for (const [index, { responses }] of expected.entries()) {
        const group = shown.groups[index]!;
        const versions = [...new Set(responses.map(({ survey }) => survey.version))].sort();
        assert.deepEqual(group.versions, versions);
        if (source.kind === 'project') {
          const { comparable, ...rating } = group.rating!;
          assertNear(rating, told(ratingFigures(responses)));
          assert.equal(comparable, true);
        } else
          for (const { id, comparable: _, ...figures } of group.latents!)
            assertNear(figures, told(latentFigures(id, responses)));
      }
    }

    it('a caller who hangs up ends the scan, and that is counted [D-492]', async () => {
      const [measure] = sources;
      // The first scans wait for their thread to start.
      for (let attempt = 0; (await metric('abandoned')) === 0; attempt += 1) {
        assert.ok(attempt < 200);
        await new Promise<void>((resolve) => {
          // Another one each time: what was asked before is known.
          const path = pathOf(measure!, { by: 'device', filter: `not,device,none-${attempt}` });
          const outgoing = request(`${service.baseUrl}${path}`, {
            headers: { accept: 'application/json', authorization: `Bearer ${tokens.get(insightAcme)}` },
          });
          outgoing.on('error', () => resolve());
          outgoing.on('response', (incoming) => incoming.resume().on('end', resolve));
          outgoing.on('socket', (socket) =>
            socket.once('connect', () => setImmediate(() => outgoing.destroy())),
          );
          outgoing.end();
        });
      }
      assert.equal(await metric('failed'), 0);
    });

    it('every group of every name is that of a recount [D-490, D-491]', async () => {
      for (const source of sources.filter(({ responses }) => responses.length > 100))
        for (const by of bySource[source.kind]) {
          const shown = await get(source, { by, limit: 200 });
          assert.deepEqual(
            [shown.complete, shown.covered, shown.position],
            [true, whole, source.responses.length],
          );
          assert.deepEqual([shown.other, shown.withheld], [null, null]);
          assertGroups(
            source,
            shown,
            groupsBy(
              by,
              within(source, whole, () => true),
            ),
          );
        }
      const weekdays = await get(sources[0]!, { by: 'weekday' });
      assert.ok(weekdays.groups.some(({ value, label }) => value === '1' && label === 'Monday'));
      const found = await get(sources[0]!, { by: 'question:Q-FOUND' });
      assert.ok(found.groups.some(({ value, label }) => value === 'A-PARTLY' && label === 'Partly'));
    });

    it('the groups of random filters and ranges are those of a recount of what they keep [D-490]', async () => {
      const random = seeded(4_907);
      const days = ['2026-01-20', '2026-02-10', '2026-02-28', lastDay];
      for (const source of sources.filter(({ responses }) => responses.length > 0))
        for (let round = 0; round < (source.accountId === insightAcme ? 25 : 8); round += 1) {
          const some = random.some([...conditions[source.kind], ...sharedConditions], 1 + random.below(3));
          const by = random.pick(bySource[source.kind]);
          const range = { from: random.pick([firstDay, '2026-01-20']), to: random.pick(days) };
          const shown = await get(source, { by, ...range, filter: filterText(some), limit: 200 });
          const kept = within(source, range, keepsAll(some));
          assertGroups(source, shown, groupsBy(by, kept));
        }
    });

    it('further groups are one, small ones are withheld without their names, and what they have is added up [D-491, D-493]', async () => {
      const source = sources.find(({ kind, responses }) => kind === 'project' && responses.length > 100)!;
      const all = groupsBy(
        'cpp:customer',
        within(source, whole, () => true),
      );
      const shown = await get(source, { by: 'cpp:customer', limit: 3 });
      assertGroups(source, { ...shown }, all.slice(0, 3));
      const others = all.slice(3);
      assert.equal(shown.other?.groups, others.length);
      assert.equal(
        shown.other?.count,
        others.reduce((sum, { responses }) => sum + responses.length, 0),
      );
      const { comparable: _, ...rating } = shown.other!.rating!;
      assertNear(rating, ratingFigures(others.flatMap(({ responses }) => responses)));

      const minimum = 2;
      const strict = await get(source, { by: 'cpp:customer', limit: 200, minimum });
      const few = all.filter(({ responses }) => responses.length < minimum);
      assert.ok(few.length >= minimum);
      assert.deepEqual(strict.withheld, { groups: few.length, count: few.length });
      assertGroups(
        source,
        strict,
        all.filter(({ responses }) => responses.length >= minimum),
        minimum,
      );
      // One alone could be worked out from the others, so the smallest of them is withheld with it.
      const [measure] = sources;
      const devices = groupsBy(
        'device',
        within(measure!, whole, () => true),
      );
      const smallest = devices.at(-1)!.responses.length;
      const both = await get(measure!, { by: 'device', minimum: smallest + 1 });
      assert.deepEqual(
        both.groups.map(({ value }) => value),
        devices.slice(0, -2).map(({ value }) => value),
      );
      assert.equal(both.withheld?.groups, 2);
    });

    it('an answer in part is a whole one of the days that it covers [D-492]', async () => {
      const [measure] = sources;
      for (const within_ of [50, 60]) {
        const filter = `not,device,none-${within_}`;
        const shown = await get(measure!, { by: 'device', filter, within: within_ });
        const covered = shown.covered;
        const kept = covered === null ? [] : within(measure!, covered, () => true);
        assertGroups(measure!, shown, groupsBy('device', kept));
        if (shown.complete) assert.deepEqual(covered, whole);
      }
    });

    it('every fault is named at once, and a source of another account is not found', async () => {
      const token = tokens.get(insightAcme)!;
      const refused = async (query: string): Promise<string> => {
        const { status, text } = await service.get(`/v1/measures/700/breakdown?${query}`, token);
        assert.equal(status, 400, text);
        return text;
      };
      const range = `from=${firstDay}&to=${lastDay}`;
      assert.match(await refused(range), /by/);
      assert.match(await refused(`${range}&by=colour`), /cpp:NAME/);
      assert.match(await refused(`${range}&by=latent:L-SAT`), /cpp:NAME/);
      assert.match(await refused(`${range}&by=question:NOPE`), /no version has question:NOPE/);
      assert.match(
        await refused(`${range}&by=device&limit=201&within=49&minimum=0`),
        /limit[\s\S]*within|within[\s\S]*limit/,
      );
      const faulty = await refused(
        `${range}&by=device&filter=${encodeURIComponent('is,colour,red;is,device,phone;gt,question:Q-SAT-1,x')}`,
      );
      assert.match(faulty, /Condition 1[\s\S]*Condition 3/);
      const { status } = await service.get(`/v1/measures/800/breakdown?${range}&by=device`, token);
      assert.equal(status, 404);
      const narrow = await service.token(insightAcme, ['r_cx_projects']);
      const forbidden = await service.get(`/v1/measures/700/breakdown?${range}&by=device`, narrow);
      assert.equal(forbidden.status, 403);
      const { body } = await service.get(`/v1/measures/702/breakdown?${range}&by=device`, token);
      assert.deepEqual([body.complete, body.groups], [true, []]);
    });
  });
