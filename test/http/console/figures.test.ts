// Figures for people: what the console shows of measures and projects is what the interface tells, and a viewer is told less.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import {
  canary,
  cargo,
  cargoAccount,
  firstDay,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  sendInsight,
} from '../../support/insight-population.ts';
import { until } from '../../support/service.ts';

const sources = insightPopulation();

/** As a name and a value of a parameter. */
const formula = '=HYPERLINK(1)';
const catalogue = { accounts: [...insightCatalogue.accounts, cargoAccount] };

type Json = Record<string, unknown>;

for (const engine of engines) describe(`figures for people on ${engine.name}`, () => figures(engine));

function figures(engine: Engine): void {
  let service: FeedbackService;
  const tokens = new Map<number, string>();
  const people = new Map<number, Readonly<Record<VisitorKind, VisitorAside>>>();
  const cookies = new Map<string, string>();

  before(async () => {
    service = await startFeedback(engine, { catalogue, nowMs: insightNowMs });
    for (const account of [insightAcme, insightBolt, cargo]) {
      tokens.set(account, await service.token(account));
      people.set(account, await visitorsAside(service.databaseUrl, account, `p${account}`));
    }
    await sendInsight(service, sources);
    for (let index = 0; index < 40; index += 1) {
      const { status, text } = await service.post(
        {
          surveyDefinitionId: 'cargo-words',
          responseId: `cargo-${index}`,
          submissionTimestamp: '2026-03-10T12:00:00Z',
          responses: { 'Q-STARS': [`${1 + (index % 5)}`], 'Q-ABOUT': ['my own words'] },
        },
        tokens.get(cargo)!,
      );
      assert.equal(status, 200, text);
    }
  });
  after(() => service?.stop());

  async function ask(account: number, kind: VisitorKind, path: string): Promise<Answer> {
    const name = `${account} ${kind}`;
    const cookie = cookies.get(name) ?? (await people.get(account)![kind].newCookie());
    cookies.set(name, cookie);
    return consoleCall(service.baseUrl, 'GET', path, { cookie });
  }
  const days = `from=${firstDay}&to=${lastDay}`;
  const bodyOf = ({ status, body, text }: Answer): Json => {
    assert.equal(status, 200, text);
    return body;
  };
  // A busy machine takes longer to look through responses.
  const patient = '&within=10000';
  const views = [
    `measures/700/trend?${days}&unit=week`,
    `measures/700/trend?from=2026-02-15&to=${lastDay}&compare=previous&filter=is,device,phone${patient}`,
    `measures/700/distribution?${days}`,
    `measures/700/drivers?${days}`,
    `measures/700/breakdown?${days}&by=cpp:plan${patient}`,
    `measures/700/breakdown?${days}&by=question:Q-FOUND&minimum=7${patient}`,
    `projects/300/trend?${days}&unit=month`,
    `projects/300/distribution?${days}`,
    `projects/300/topics?from=2026-02-15&to=${lastDay}&compare=previous&pages=10${patient}`,
    `projects/300/breakdown?${days}&by=weekday${patient}`,
  ];

  it('whoever may see responses gets the bytes of the interface; a viewer gets those of a minimum of five [D-540]', async () => {
    for (const path of views) {
      const ofInterface = await service.get(`/v1/${path}`, tokens.get(insightAcme)!);
      bodyOf(ofInterface);
      for (const kind of ['analyst', 'editor', 'admin', 'operator inside'] as const)
        assert.equal(
          (await ask(insightAcme, kind, `/${path}`)).text,
          ofInterface.text,
          `${path} for ${kind}`,
        );
      const raised = path.includes('minimum') ? path : `${path}&minimum=5`;
      const ofFive = await service.get(`/v1/${raised}`, tokens.get(insightAcme)!);
      const ofViewer = await ask(insightAcme, 'viewer', `/${path}`);
      assert.equal(ofViewer.text, ofFive.text, `${path} for a viewer`);
      assert.equal(
        (await ask(insightAcme, 'viewer', `/${raised.replace('minimum=5', 'minimum=1')}`)).text,
        ofFive.text,
      );
      assert.doesNotMatch(ofViewer.text, new RegExp(canary));
    }
  });

  it('open text reaches no viewer: not as a topic, not as a group, not through a filter [D-540]', async () => {
    const inWords = bodyOf(await ask(cargo, 'analyst', `/projects/310/topics?${days}`));
    assert.match(JSON.stringify(inWords), /my own words/);
    const ofViewer = await ask(cargo, 'viewer', `/projects/310/topics?${days}`);
    bodyOf(ofViewer);
    assert.doesNotMatch(ofViewer.text, /my own words/);
    for (const path of [
      `/projects/310/breakdown?${days}&by=question:Q-ABOUT`,
      `/projects/310/trend?${days}&filter=contains,question:Q-ABOUT,words`,
      `/projects/310/trend?${days}&filter=is,topic,my%2520own%2520words`,
    ]) {
      const { status, text } = await ask(cargo, 'viewer', path);
      assert.equal(status, 400, `${path}: ${text}`);
    }
  });

  it('the lists and facts of an account are its own; what another account has is not found', async () => {
    for (const kind of ['viewer', 'analyst', 'operator inside'] as const) {
      const { measures, projects, more } = bodyOf(await ask(insightAcme, kind, '/sources'));
      assert.deepEqual(measures, [
        { key: 700, name: 'Acme web', active: true, version: 3, versions: [1, 2, 3], hasTexts: true },
        { key: 701, name: 'Acme empty', active: true, version: 3, versions: [3], hasTexts: true },
        {
          key: 702,
          name: 'Acme without a survey',
          active: true,
          version: null,
          versions: [],
          hasTexts: false,
        },
      ]);
      assert.deepEqual(
        (projects as readonly Json[]).map(({ key, name }) => [key, name]),
        [
          [300, 'Acme badge'],
          [301, 'Acme empty badge'],
        ],
      );
      assert.equal(more, false);
    }
    const facts = bodyOf(await ask(insightAcme, 'viewer', '/measures/700'));
    const found = (facts.questions as readonly Json[]).find(({ id }) => id === 'Q-FOUND');
    assert.deepEqual(found?.answers, [
      { id: 'A-YES', text: 'Yes' },
      { id: 'A-NO', text: 'No' },
      { id: 'A-PARTLY', text: 'Partly' },
    ]);
    assert.deepEqual(facts.parameters, { custom: ['cart_value', 'plan'], external: ['loyalty_tier'] });
    assert.deepEqual(
      (facts.latents as readonly Json[]).map(({ id }) => id),
      ['L-SAT', 'L-LOOK', 'L-PRICE', 'L-RETURN'],
    );
    assert.deepEqual(
      (facts.latents as readonly Json[]).map(({ joined }) => joined),
      [[[1, 2], [3]], [[1], [2, 3]], [[2, 3]], [[1, 2]]],
    );
    for (const [path, code] of [
      ['/measures/800', 'MEASURE_NOT_FOUND'],
      [`/measures/800/trend?${days}`, 'MEASURE_NOT_FOUND'],
      ['/projects/900', 'PROJECT_NOT_FOUND'],
      [`/projects/900/topics?${days}`, 'PROJECT_NOT_FOUND'],
    ] as const) {
      const { status, body } = await ask(insightAcme, 'admin', path);
      assert.deepEqual([status, body.code], [404, code], path);
      assert.notEqual((await ask(insightBolt, 'admin', path)).status, 404, path);
    }
  });

  it('the overview has a row each, with the figures of the trend, in pages that lose and repeat none [D-541]', async () => {
    const range = `from=2026-02-15&to=${lastDay}&compare=previous`;
    const rows: Json[] = [];
    for (let next: unknown = null; ; ) {
      const page = bodyOf(
        await ask(
          insightAcme,
          'analyst',
          `/overview?${range}&limit=2${next === null ? '' : `&after=${next}`}`,
        ),
      );
      assert.deepEqual(
        [page.from, page.to, page.unit, page.compared],
        ['2026-02-15', lastDay, 'day', { from: '2026-01-01', to: '2026-02-14' }],
      );
      rows.push(...(page.items as readonly Json[]));
      next = page.next;
      if (next === null) break;
      assert.equal((page.items as readonly Json[]).length, 2);
    }
    assert.deepEqual(
      rows.map(({ kind, key, name, version }) => [kind, key, name, version]),
      [
        ['measure', 700, 'Acme web', 3],
        ['measure', 701, 'Acme empty', 3],
        ['measure', 702, 'Acme without a survey', null],
        ['project', 300, 'Acme badge', 2],
        ['project', 301, 'Acme empty badge', 2],
      ],
    );
    const whole = bodyOf(await ask(insightAcme, 'analyst', `/overview?${range}`));
    assert.deepEqual(whole.items, rows);
    const of = (path: string) => service.get(`/v1/${path}/trend?${range}`, tokens.get(insightAcme)!);
    const measure = bodyOf(await of('measures/700'));
    const [satisfaction] = measure.latents as readonly Json[];
    const { id, name, type: _type, ...trend } = satisfaction!;
    const { breaks: ofSatisfaction, ...shown } = rows[0]!.trend as Json;
    assert.deepEqual(shown, trend);
    assert.deepEqual(rows[0]!.figure, {
      ...{ id, name, scale: { min: 0, max: 100 } },
      joined: [[1, 2], [3]],
    });
    const isOfSatisfaction = ({ latents }: Json): boolean => (latents as readonly unknown[]).includes(id);
    const placeOf = ({ day, version }: Json) => [day, version];
    assert.deepEqual(
      (ofSatisfaction as readonly Json[]).map(placeOf),
      (measure.breaks as readonly Json[]).filter(isOfSatisfaction).map(placeOf),
    );
    assert.match(String((ofSatisfaction as readonly Json[])[0]!.reason), /^Satisfaction: Q-SAT-3 was added/);
    const project = bodyOf(await of('projects/300'));
    assert.deepEqual(rows[3]!.trend, { ...(project.rating as Json), breaks: project.breaks });
    assert.equal((rows[3]!.figure as Json).id, 'rating');
    for (const [row, path] of [
      [rows[0]!, 'measures/700'],
      [rows[3]!, 'projects/300'],
    ] as const) {
      const { responses } = sources.find((one) => one.accountId === insightAcme && one.path === path)!;
      const within = responses.filter(({ submittedAtMs }) => submittedAtMs >= Date.parse('2026-02-15'));
      assert.equal(row.responses, within.length);
      assert.equal(Date.parse(String(row.lastResponse)), responses.at(-1)!.submittedAtMs);
    }
    assert.deepEqual(
      [rows[2]!.figure, rows[2]!.trend, rows[2]!.lastResponse, rows[2]!.responses],
      [null, null, null, 0],
    );
  });

  it('a viewer gets an overview under a minimum of five, and nobody but editors is told what was refused [D-540]', async () => {
    const range = `from=${lastDay}&to=${lastDay}`;
    const ofViewer = bodyOf(await ask(insightAcme, 'viewer', `/overview?${range}`));
    const [web] = ofViewer.items as readonly Json[];
    assert.equal(ofViewer.minimum, 5);
    const sent = sources[0]!.responses.filter(({ submittedAtMs }) => submittedAtMs >= Date.parse(lastDay));
    assert.ok(sent.length > 0 && sent.length < 5);
    assert.deepEqual(web!.trend, {
      points: [{ from: lastDay, to: lastDay, versions: [3], withheld: 'TOO_FEW' }],
      total: { withheld: 'TOO_FEW', versions: [3], comparable: true },
      breaks: [],
    });
    const body = { surveyDefinitionId: 'acme-web-3', responses: { 'Q-FOUND': ['A-UNHEARD-OF'] } };
    assert.equal((await service.post(body, tokens.get(insightAcme)!)).status, 400);
    const refusedFor = async (kind: VisitorKind) =>
      (bodyOf(await ask(insightAcme, kind, `/overview?${range}`)).items as readonly Json[]).map(
        ({ refusedToday }) => refusedToday,
      );
    await until(
      () => refusedFor('editor'),
      ([ofWeb]) => ofWeb === 1,
    );
    assert.deepEqual(await refusedFor('editor'), [1, 0, 0, 0, 0]);
    assert.deepEqual(await refusedFor('viewer'), [null, null, null, null, null]);
    assert.deepEqual(await refusedFor('analyst'), [null, null, null, null, null]);
  });

  it('faults of a range are named at once; long ranges have smaller pages [D-541]', async () => {
    const { status, body } = await ask(
      insightAcme,
      'viewer',
      '/overview?from=2026-03-01&to=2026-02-01&limit=101&q=x',
    );
    assert.equal(status, 400);
    assert.deepEqual((body.faults as readonly Json[]).map(({ field }) => field).toSorted(), ['limit', 'q']);
    const long = bodyOf(await ask(insightAcme, 'viewer', '/overview?from=2017-01-01&to=2026-12-31'));
    assert.equal((long.items as readonly Json[]).length, 3);
    assert.notEqual(long.next, null);
    assert.equal(long.unit, 'month');
  });

  it('what is seen comes as a file for spreadsheets: the same figures a row each, and no cell is a formula [D-542]', async () => {
    for (const path of views) {
      const file = await ask(insightAcme, 'viewer', `/${path.replace('?', '.csv?')}`);
      assert.equal(file.status, 200, file.text);
      assert.match(String(file.headers['content-type']), /^text\/csv/);
      assert.match(
        String(file.headers['content-disposition']),
        /^attachment; filename="(measure|project)-\d+-[a-z]+\.csv"$/,
      );
      const rows: Record<string, string>[] = parse(file.text, { bom: true, columns: true });
      assert.ok(rows.length > 0, path);
      for (const cell of rows.flatMap((row) => Object.values(row)))
        assert.doesNotMatch(cell, /^(?:[=+@\t\r]|-(?!\d))/, path);
    }
    const range = `from=2026-02-15&to=${lastDay}&compare=previous`;
    const { text } = await ask(insightAcme, 'analyst', `/measures/700/trend.csv?${range}`);
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
    const trend = bodyOf(await ask(insightAcme, 'analyst', `/measures/700/trend?${range}`));
    for (const { id, points, total, difference } of trend.latents as readonly Json[]) {
      const ofLatent = (section: string) => rows.filter((row) => row.section === section && row.id === id);
      assert.deepEqual(
        ofLatent('trend').map(({ from, count, value }) => [from, Number(count), Number(value)]),
        (points as readonly Json[]).map(({ from, count, mean }) => [from, count, mean]),
      );
      assert.equal(Number(ofLatent('total')[0]!.value), (total as Json).mean);
      assert.equal(ofLatent('difference')[0]?.change, (difference as Json | null)?.change);
    }
    const odd = {
      surveyDefinitionId: 'acme-web-3',
      responseId: 'odd',
      submissionTimestamp: `${firstDay}T12:00:00Z`,
      responses: { 'Q-FOUND': ['A-YES'] },
      cpps: { data: { [formula]: formula } },
    };
    assert.equal((await service.post(odd, tokens.get(insightAcme)!)).status, 200);
    const groups = await ask(
      insightAcme,
      'analyst',
      `/measures/700/breakdown.csv?${days}&by=cpp:${encodeURIComponent(formula)}`,
    );
    assert.equal(groups.status, 200, groups.text);
    assert.match(groups.text, /'=HYPERLINK/);
  });
}
