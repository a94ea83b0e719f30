// A response that release 0.1.0 erases on the newer schema, as after a roll-back, and what becomes of it when the newer release is back.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../../src/config.ts';
import { findTask } from '../../../src/store/engine/work/background-task.ts';
import { mendingName, mendSome, unmendedSources } from '../../../src/store/erasure/erasure-mending.ts';
import { openDb } from '../../../src/store/open-db.ts';
import { type Engine, engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { prepareFeedback, projectId, surveyId } from '../../support/feedback.ts';
import { assertDigests } from '../../support/kept-digests.ts';
import { eraseAsBefore } from '../../support/older-erasure.ts';
import { patient } from '../../support/open-db.ts';
import {
  type ApiClientCredentials,
  commandHere,
  commandHereOk,
  tokenFor,
  until,
} from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

const accountId = 4001;
const days = ['2026-01-15', '2026-01-16', '2026-01-17'];
/** Two full blocks, and some rows behind them. */
const responses = 600;
/** In the first block, in the second, and behind them. */
const erasedIds = ['r-10', 'r-300', 'r-590'];

const reading = readConfig({ flags: {}, env: {}, file: {}, readFile: () => '' });
assert.ok('config' in reading);
const { config } = reading;

interface Ready {
  readonly store: TestStore;
  readonly env: Readonly<Record<string, string>>;
  readonly client: ApiClientCredentials;
}

/** A store with its figures and comments added up, and three responses that 0.1.0 has erased. */
async function prepare(engine: Engine): Promise<Ready> {
  const store = await engine.readyStore();
  const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
  const client = await prepareFeedback(env);
  const service = await startService(env);
  const token = await tokenFor(service.baseUrl, client);
  for (let first = 0; first < responses; first += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(service.baseUrl, token, first + index + 1)),
    );
  await until(
    () => storeRows(store.databaseUrl, `select count(*) as count from comment`),
    ([row]) => Number(row?.count) === responses,
  );
  await service.stop();
  for (const id of erasedIds) await eraseAsBefore(store.databaseUrl, accountId, id);
  return { store, env, client };
}

async function send(baseUrl: string, token: string, number: number): Promise<void> {
  const { status, text } = await exchange(`${baseUrl}/v1/surveys/ingestion`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      surveyDefinitionId: surveyId,
      responseId: `r-${number}`,
      submissionTimestamp: `${days[number % 3]}T12:00:00Z`,
      responses: { 'Q-STARS': ['5'], 'Q-TEXT': [`secret number ${number}`] },
    }),
  });
  assert.equal(status, 200, text);
}

const seqsOf = async ({ store }: Ready): Promise<readonly number[]> =>
  (await storeRows(store.databaseUrl, `select seq from response where hash is not null order by seq`)).map(
    ({ seq }) => Number(seq),
  );

async function doctorSays({ env }: Ready): Promise<string | undefined> {
  const { stdout } = await commandHere(['doctor', '--json'], env);
  return (JSON.parse(stdout) as { check: string; code: string }[]).find(({ check }) => check === 'erasures')
    ?.code;
}

/** Of a response that is erased with its digest. Returns how many comments of erased responses there are. */
async function leaveComment(ready: Ready): Promise<() => Promise<number>> {
  const { databaseUrl } = ready.store;
  const seqs = await seqsOf(ready);
  // Whoever still adds up anew would take it out as well, and tell nobody.
  const service = await startService(ready.env);
  await until(
    () =>
      storeRows(
        databaseUrl,
        `select form, (select count(*) from comment where comment.form = insight_cursor.form) as comments
        from insight_cursor
        where change_no = (select max(change_no) from log_change) and rolled_seq = (select max(seq) from response)`,
      ),
    (forms) => forms.length === 1 && Number(forms[0]?.comments) === responses - seqs.length,
    60_000,
  );
  await service.stop();
  await storeRows(
    databaseUrl,
    `insert into comment (account_id, source_id, form, seq, question_id, day, folded_text)
    select account_id, source_id, form, ${seqs[0]}, question_id, day, 'left' from comment where seq = 20`,
  );
  return async () => {
    const [row] = await storeRows(
      databaseUrl,
      `select count(*) as count from comment where seq in (${seqs.join(', ')})`,
    );
    return Number(row?.count);
  };
}

/** Everything that must be so of erased responses, however they were mended. */
async function assertMended(ready: Ready): Promise<void> {
  const { store, env, client } = ready;
  const { databaseUrl } = store;
  const seqs = await seqsOf(ready);
  assert.equal(seqs.length, erasedIds.length);
  assert.equal(await doctorSays(ready), 'erasuresWhole');
  const left = await storeRows(databaseUrl, `select seq from comment where seq in (${seqs.join(', ')})`);
  assert.deepEqual(left, [], 'a comment is left');
  const changes = await storeRows(
    databaseUrl,
    `select first_seq, last_seq from log_change where kind = 'erased' order by first_seq`,
  );
  assert.deepEqual(
    changes.map(({ first_seq: first, last_seq: last }) => [Number(first), Number(last)]),
    seqs.map((seq) => [seq, seq]),
  );
  await assertDigests(databaseUrl);
  // Figures and comments are those of the rows: the service has added up anew what it could not take out.
  const service = await startService(env);
  try {
    const headers = { authorization: `Bearer ${await tokenFor(service.baseUrl, client)}` };
    const found = await exchange(
      `${service.baseUrl}/v1/projects/${projectId}/data?from=${days[0]}&to=${days[2]}&limit=1000`,
      { headers },
    );
    assert.ok(!found.text.includes('"secret number 10"'), 'what was erased is shown');
    await until(
      () => commandHere(['insight', 'verify', '--json'], env),
      ({ code }) => code === 0,
      60_000,
    );
  } finally {
    await service.stop();
  }
  if (databaseUrl.startsWith('sqlite:')) {
    const file = join(temporaryFolder('backup'), 'mended.db');
    await commandHereOk(['backup', file], env);
    await commandHereOk(['verify', file], env);
    await commandHereOk(['verify', '--against', file], env);
  }
}

for (const engine of engines)
  describe(`responses that 0.1.0 erased on the newer schema, on ${engine.name}`, () => {
    it('leave a comment, no change in the feed and wrong digests; a start mends it all, and the audit log names the days [D-858]', async () => {
      const ready = await prepare(engine);
      const { store, env } = ready;
      try {
        assert.equal(await doctorSays(ready), 'erasuresUnmended');
        if (engine.name === 'sqlite') {
          const { code, stderr } = await commandHere(
            ['backup', join(temporaryFolder('backup'), 'refused.db')],
            env,
          );
          assert.equal(code, 1);
          assert.match(stderr, /the digest of .* is not that of its rows/);
        }
        const unmended = `select seq from response where hash is not null and digest is null`;
        // Two replicas at once share the work.
        const services = await Promise.all([startService(env), startService(env)]);
        await until(
          () => storeRows(store.databaseUrl, unmended),
          (rows) => rows.length === 0,
        );
        for (const service of services) await service.stop();
        await assertMended(ready);
        const audit = await storeRows(
          store.databaseUrl,
          `select subject, details from audit where action = 'responses.mend' order by subject`,
        );
        // Row 590 lies behind the digests: its day has one that goes over other rows.
        const changed = audit.flatMap(({ details }) => {
          const { noteCode, noteValues } = JSON.parse(String(details));
          return noteCode === 'digestChanged' ? [noteValues.day] : [];
        });
        const expected = await storeRows(
          store.databaseUrl,
          `select distinct day from response where hash is not null and seq <= (select digested_seq from log_counter where last_seq > 0)`,
        );
        assert.deepEqual(
          [...new Set(changed)].sort(),
          expected.map(({ day }) => new Date(Number(day) * 86_400_000).toISOString().slice(0, 10)).sort(),
        );
      } finally {
        await store.dispose();
      }
    });

    it('whoever is killed after any of its steps leaves nothing undone [D-858]', async () => {
      const ready = await prepare(engine);
      const { store } = ready;
      const unmended = `select count(*) as count from response where hash is not null and digest is null`;
      try {
        // Each time somebody else makes one step, and is gone.
        for (let steps = 1; ; steps += 1) {
          const db = await openDb(store.databaseUrl, patient);
          const [source] = await unmendedSources(db);
          if (source !== undefined) {
            const scope = { accountId, scope: String(source.sourceId) };
            const context = { config, db, now: Date.now, newId: randomUUIDv7 };
            assert.equal(
              (await mendSome(context, await findTask(db, mendingName, scope))).outcome,
              'moved',
              `step ${steps}`,
            );
          }
          await db.close();
          const [left] = await storeRows(store.databaseUrl, unmended);
          assert.equal(
            await doctorSays(ready),
            Number(left?.count) > 0 ? 'erasuresUnmended' : 'erasuresWhole',
          );
          if (source === undefined) break;
          assert.ok(steps < 100);
        }
        await assertMended(ready);
      } finally {
        await store.dispose();
      }
    });

    describe('by hand', () => {
      let ready: Ready;
      before(async () => {
        ready = await prepare(engine);
      });
      after(() => ready?.store.dispose());

      it('"soundings repair" mends them and says what it did; done again, it finds nothing [D-858]', async () => {
        const stdout = await commandHereOk(['repair', '--json'], ready.env);
        const { mended } = JSON.parse(stdout) as {
          mended: { name: string; responses: number; comments: number; daysWithNewDigest: string[] }[];
        };
        assert.deepEqual(
          mended.map(({ name, responses: count, comments }) => [name, count, comments]),
          [[`project ${projectId}`, 3, 3]],
        );
        assert.ok(mended[0]!.daysWithNewDigest.length > 0);
        await assertMended(ready);
        assert.equal(await commandHereOk(['repair'], ready.env), 'There is nothing to repair.\n');
      });

      it('each start looks for a comment that is left of an erased response, and tells those who follow [D-858]', async () => {
        const commentsOfErased = await leaveComment(ready);
        const changes = `select count(*) as count from log_change where kind = 'erased'`;
        const [told] = await storeRows(ready.store.databaseUrl, changes);
        const service = await startService(ready.env);
        await until(commentsOfErased, (count) => count === 0);
        await service.stop();
        assert.equal(await doctorSays(ready), 'erasuresWhole');
        const [toldNow] = await storeRows(ready.store.databaseUrl, changes);
        assert.equal(Number(toldNow?.count), Number(told?.count) + 1);
      });

      it('and so does the command [D-858]', async () => {
        const commentsOfErased = await leaveComment(ready);
        assert.equal(await doctorSays(ready), 'erasuresUnmended');
        assert.match(await commandHereOk(['repair'], ready.env), /1 comments taken out/);
        assert.equal(await commentsOfErased(), 0);
        assert.equal(await doctorSays(ready), 'erasuresWhole');
      });
    });

    it('what finds them reads an index that has nothing else [D-858]', async () => {
      const store = await engine.readyStore();
      const query = `select min(account_id) as next from response where account_id > 0 and hash is not null and digest is null`;
      const plan =
        engine.name === 'sqlite'
          ? await storeRows(store.databaseUrl, `explain query plan ${query}`)
          : await storeRows(store.databaseUrl, `explain ${query}`);
      assert.match(JSON.stringify(plan), /response_erased_without_digest/);
      await store.dispose();
    });
  });
