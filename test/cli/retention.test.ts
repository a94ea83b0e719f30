// How long what people said is kept: what a catalogue says of it, and that it holds, by the command and by the service.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines } from '../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import {
  emptiedItem,
  keptDigests,
  type SeenSource,
  type Sent,
  seeSource,
  sendPopulation,
  toldChanges,
} from '../support/response-population.ts';
import {
  type CommandResult,
  commandHere,
  commandHereOk,
  soundings,
  soundingsOk,
  startProcess,
  until,
} from '../support/service.ts';
import { storeRows, wholeStore } from '../support/store-rows.ts';

const sources = ['measures/700', 'projects/300'] as const;
const dayMs = 86_400_000;

/** So many days that the response of this day is the oldest one that is kept. */
function daysSince(day: string): number {
  return Math.floor(Date.now() / dayMs) - Date.parse(day) / dayMs;
}

/** The catalogue of both accounts with retainDays of an account and of its sources. */
function keeping(accountId: number, ofAccount: unknown, ofSources: Record<string, unknown> = {}): object {
  const with_ = (name: string, source: object) =>
    name in ofSources ? { ...source, retainDays: ofSources[name] } : source;
  return {
    accounts: feedbackCatalogue.accounts
      .filter(({ id }) => id === accountId)
      .map((account) => ({
        ...account,
        ...(ofAccount !== undefined && { retainDays: ofAccount }),
        measures: account.measures.map((one) => with_(`measures/${one.key}`, one)),
        projects: account.projects.map((one) => with_(`projects/${one.id}`, one)),
      })),
  };
}

for (const engine of engines) {
  describe(`retention on ${engine.name}`, () => {
    let service: FeedbackService;
    let sent: readonly Sent[];
    const tokens = new Map<number, string>();
    const first = new Map<string, SeenSource>();
    let digests: readonly (readonly object[])[];

    const run = (...args: string[]): Promise<CommandResult> =>
      commandHere(args, { DATABASE_URL: service.databaseUrl });
    const apply = async (catalogue: object, ...flags: string[]): Promise<string> =>
      commandHereOk(['apply', writeCatalogue(catalogue), ...flags], { DATABASE_URL: service.databaseUrl });
    const see = async (): Promise<void> => {
      for (const accountId of [acme, bolt])
        for (const source of sources)
          first.set(`${accountId} ${source}`, await seeSource(service, tokens.get(accountId)!, source));
      digests = await Promise.all([acme, bolt].map((id) => keptDigests(service.databaseUrl, id)));
    };

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      for (const accountId of [acme, bolt]) tokens.set(accountId, await service.token(accountId));
      sent = await sendPopulation(service, 540);
      await see();
    });
    after(() => service?.stop());

    /** The responses that are older than their source keeps them. */
    const tooOld = (keptFrom: Readonly<Record<string, string>>): ReadonlySet<string> =>
      new Set(
        sent
          .filter(({ accountId, source, day }) => day < (keptFrom[`${accountId} ${source}`] ?? ''))
          .map(({ responseId }) => responseId),
      );

    /** Everything that can be seen is as it was, but for the responses that are gone; the feed tells of each once. */
    const assertModel = async (gone: ReadonlySet<string>): Promise<void> => {
      for (const accountId of [acme, bolt]) {
        for (const source of sources) {
          const was = first.get(`${accountId} ${source}`)!;
          const is = await seeSource(service, tokens.get(accountId)!, source);
          assert.deepEqual(is.facts, was.facts);
          assert.deepEqual(
            is.items,
            was.items.map((item) => (gone.has(item.id) ? emptiedItem(item, source) : item)),
          );
        }
        const told = await toldChanges(service.databaseUrl, accountId);
        const mine = sent.filter((one) => one.accountId === accountId && gone.has(one.responseId));
        assert.deepEqual(told, mine.map(({ responseId }) => `retained ${responseId}`).sort());
      }
      assert.deepEqual(
        await Promise.all([acme, bolt].map((id) => keptDigests(service.databaseUrl, id))),
        digests,
      );
    };

    it('a catalogue says retainDays of an account, a measure and a project; the plan shows it and a dump writes it back [D-271]', async () => {
      const wanted = keeping(acme, 400, { 'measures/700': 'forever', 'projects/300': 90 });
      const plan = await apply(wanted, '--dry-run');
      for (const line of [
        'update account 4001 (Acme): retainDays from none to 400',
        'update measure 700 (Acme web): retainDays from none to forever',
        'update project 300 (Badge): retainDays from none to 90',
        '3 to change; nothing was changed.',
      ])
        assert.ok(plan.split('\n').includes(line), plan);
      await apply(wanted);
      const dump = async (): Promise<string> =>
        soundingsOk(['catalogue', 'dump', '--account', String(acme), '--format', 'ndjson'], {
          DATABASE_URL: service.databaseUrl,
        });
      const { retainDays, measures, projects } = JSON.parse(await dump());
      assert.deepEqual([retainDays, measures[0].retainDays, projects[0].retainDays], [400, 'forever', 90]);
      assert.equal('retainDays' in measures[1], false);
      // A file that says nothing of it leaves it alone, and null takes it away.
      assert.match(await apply(keeping(acme, undefined)), /agrees with the file already/);
      await apply(keeping(acme, null, { 'measures/700': null, 'projects/300': null }));
      assert.equal((await dump()).includes('retainDays'), false);
    });

    it('retainDays that make no sense are refused with their lines, and nothing is changed [D-271]', async () => {
      const wrong = keeping(acme, 'forever', {
        'measures/700': 0,
        'measures/701': 'soon',
        'measures/702': true,
        'projects/300': -3,
        'projects/301': 1.5,
        'projects/302': 40_000,
      });
      const { code, stderr } = await run('apply', writeCatalogue(wrong));
      assert.deepEqual(
        [code, stderr.match(/retainDays must be a whole number from 1 to 36500/g)?.length],
        [1, 7],
      );
      const rows = await storeRows(
        service.databaseUrl,
        'select id from account where retain_days is not null',
      );
      assert.equal(rows.length, 0);
    });

    it('without retainDays nothing is ever emptied [D-271]', async () => {
      const { code, stdout } = await soundings(['retention', 'run', '--json'], {
        DATABASE_URL: service.databaseUrl,
      });
      assert.deepEqual([code, JSON.parse(stdout)], [0, { applied: true, emptied: 0, sources: [] }]);
      await assertModel(new Set());
    });

    it('a dry run counts, a run empties what is too old and nothing else; a source beats its account, and another account is left alone [D-271] [D-272]', async () => {
      // Account 4001 keeps little, but its measure keeps everything and its project somewhat more.
      await apply(keeping(acme, 30, { 'measures/700': 'forever', 'projects/300': daysSince('2025-05-12') }));
      const gone = tooOld({ [`${acme} projects/300`]: '2025-05-12' });
      const { heartbeat: _then, ...before } = await wholeStore(service.databaseUrl);
      const dry = JSON.parse((await run('retention', 'run', '--dry-run', '--json')).stdout);
      assert.deepEqual([dry.applied, dry.emptied], [false, gone.size]);
      const { heartbeat: _now, ...now } = await wholeStore(service.databaseUrl);
      assert.deepEqual(now, before);
      const { code, stdout } = await run('retention', 'run', '--json');
      const figures = JSON.parse(stdout);
      assert.deepEqual([code, figures.emptied], [0, gone.size]);
      const ofProject = figures.sources.find(
        (one: { kind: string; key: number }) => one.kind === 'project' && one.key === 300,
      );
      assert.equal(ofProject.keptFrom, '2025-05-12');
      assert.ok(gone.size > 40 && gone.size < sent.length / 4);
      await assertModel(gone);
      const again = JSON.parse((await run('retention', 'run', '--json')).stdout);
      assert.equal(again.emptied, 0);
      const audit = await storeRows(
        service.databaseUrl,
        `select actor, subject from audit where action = 'responses.retain'`,
      );
      assert.deepEqual(
        audit.map(({ actor, subject }) => [actor, subject]),
        [['retention', `${gone.size} responses of project 300 from before 2025-05-12`]],
      );
    });

    it('a response that is too old when it comes in is taken, counted and scored, and emptied by the next run; its repeat stays a repeat [D-41] [D-271]', async () => {
      const token = tokens.get(acme)!;
      const body = {
        surveyDefinitionId: 'acme-badge',
        responseId: 'late',
        submissionTimestamp: '2025-05-02T10:00:00Z',
        responses: { 'Q-STARS': ['4'], 'Q-WORDS': ['late words'] },
      };
      assert.equal((await service.post(body, token)).status, 200);
      const before = await seeSource(service, token, 'projects/300');
      assert.deepEqual([before.items.at(-1)?.id, before.items.at(-1)?.rating], ['late', 4]);
      assert.equal(JSON.parse((await run('retention', 'run', '--json')).stdout).emptied, 1);
      const after = await seeSource(service, token, 'projects/300');
      assert.deepEqual(after.facts, before.facts);
      assert.deepEqual(after.items.at(-1), emptiedItem(before.items.at(-1)!, 'projects/300'));
      assert.equal((await service.post(body, token)).status, 200);
      assert.equal((await service.post({ ...body, locale: 'de' }, token)).status, 409);
      assert.deepEqual(await seeSource(service, token, 'projects/300'), after);
    });

    it('two replicas share the work while responses come in, and one that is killed leaves nothing undone [D-272]', async () => {
      // Enough for several slices of the other account, which nobody has touched.
      sent = [...sent, ...(await sendPopulation(service, 1_100, 20_001))];
      await see();
      await apply(keeping(bolt, daysSince('2025-06-01')));
      const env = { DATABASE_URL: service.databaseUrl };
      const replicas = await Promise.all([startProcess(env), startProcess(env)]);
      const slices = async (): Promise<number> =>
        (
          await storeRows(
            service.databaseUrl,
            `select id from audit where account_id = ${bolt} and action = 'responses.retain'`,
          )
        ).length;
      try {
        await until(slices, (count) => count > 0);
        await replicas[0].kill();
        const during = await sendPopulation(service, 40, 30_001);
        const gone = new Set(
          [...sent, ...during]
            .filter(({ accountId, day }) => accountId === bolt && day < '2025-06-01')
            .map(({ responseId }) => responseId),
        );
        const leftOver = async (): Promise<number> => {
          const rows = await storeRows(
            service.databaseUrl,
            `select response_id from response where account_id = ${bolt} and hash is null`,
          );
          return rows.filter(({ response_id: id }) => gone.has(String(id))).length;
        };
        // What comes in late is found by the look of the next minute, or by a run.
        await until(leftOver, (count) => count <= during.length);
        assert.equal((await run('retention', 'run', '--account', String(bolt))).code, 0);
        assert.equal(await leftOver(), 0);
        const told = await toldChanges(service.databaseUrl, bolt);
        assert.deepEqual(told, [...gone].map((id) => `retained ${id}`).sort());
        for (const source of sources) {
          const { items } = await seeSource(service, tokens.get(bolt)!, source);
          for (const { id, erased } of items) assert.equal(erased === true, gone.has(id), id);
        }
      } finally {
        await replicas[1].stop();
      }
    });
  });
}
