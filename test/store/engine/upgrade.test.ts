// Stores that earlier releases left behind open with today's code: nothing in them is lost, and they can be worked with.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { contentHash } from '../../../src/domain/feedback/content-hash.ts';
import { backgroundTasks } from '../../../src/store/background-tasks.ts';
import { steps } from '../../../src/store/engine/migrations/steps.ts';
import { dayText, digestsOfDays } from '../../support/digest-model.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { acme } from '../../support/feedback-catalogue.ts';
import {
  type KeptView,
  keptFiles,
  keptResponses,
  keptUsers,
  measureResponse,
  post,
  restoreStore,
  type StoreView,
  standardOf,
  viewOf,
} from '../../support/kept-store.ts';
import { patchOf, standardUser } from '../../support/scim.ts';
import { commandHereOk, type Service, tokenFor, until } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { storeRows } from '../../support/store-rows.ts';

interface Expected {
  readonly clients: Readonly<Record<string, KeptView['client']>>;
  readonly seen: StoreView;
}

interface SeenStatus {
  readonly current: number;
  readonly wanted: number;
  readonly pending: readonly string[];
  readonly tasks: readonly { readonly name: string; readonly state: string }[];
}

// As a release without digests has erased: a hash in the place of the body.
const digestsStep = 14;
const erasedBefore = [7, 30, 200];
async function eraseAsBefore({ databaseUrl }: TestStore, index: number): Promise<void> {
  const [row] = await storeRows(
    databaseUrl,
    `select source_id, seq from response where account_id = ${acme} and response_id = 'm-${index}'`,
  );
  const place = `account_id = ${acme} and source_id = ${row!.source_id} and seq = ${row!.seq}`;
  const hash = contentHash(measureResponse(index) as Record<string, unknown>);
  await storeRows(databaseUrl, `update response set hash = '${hash}' where ${place}`);
  await storeRows(databaseUrl, `delete from response_body where ${place}`);
}

const folder = fileURLToPath(new URL('../../fixtures/stores/', import.meta.url));
const keptSteps = globSync('schema-*.json', { cwd: folder }).map((file) => Number(/\d+/.exec(file)?.[0]));

for (const engine of engines) {
  for (const step of keptSteps) {
    describe(`a store of schema ${step} on ${engine.name}`, () => {
      const expected = JSON.parse(readFileSync(keptFiles(step).expected, 'utf8')) as Expected;
      let store: TestStore;
      let env: Record<string, string>;
      let service: Service;
      let token: string;
      before(async () => {
        store = await restoreStore(engine, step);
        // Stores that knew of digests kept that of a response when they erased it.
        if (step < digestsStep) for (const index of erasedBefore) await eraseAsBefore(store, index);
        env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
        service = await startService(env);
        token = await tokenFor(service.baseUrl, expected.clients[engine.name]!);
      });
      after(async () => {
        await service?.stop();
        await store?.dispose();
      });

      it('is brought up to date, and its API clients sign in as before', async () => {
        const status = async (): Promise<SeenStatus> =>
          JSON.parse(await commandHereOk(['migrate', '--status', '--json'], env));
        // What rows of before need is done in the background, while the service answers.
        const { tasks, ...schema } = await until(status, (seen) =>
          seen.tasks.every(({ state }) => state === 'done' || state === 'follows'),
        );
        assert.deepEqual(schema, {
          current: steps.at(-1)!.number,
          wanted: steps.at(-1)!.number,
          pending: [],
        });
        assert.deepEqual(
          tasks.map(({ name }) => name),
          backgroundTasks().map(({ name }) => name),
        );
        assert.equal(typeof token, 'string');
      });

      it('its responses are added up for figures, and the figures are those of its rows [D-475]', async () => {
        await until(
          async () =>
            JSON.parse(await commandHereOk(['insight', 'status', '--json'], env)) as { behind: number }[],
          (accounts) => accounts.length > 0 && accounts.every(({ behind }) => behind === 0),
        );
        assert.match(await commandHereOk(['insight', 'verify'], env), /those of their \d{3,} responses/);
      });

      it('shows every response with its scores, every entry, user and group as before', async () => {
        const seen = await viewOf(service, token);
        assert.deepEqual(seen, expected.seen);
        assert.deepEqual([seen.respondents.length, seen.users.length], [keptResponses, keptUsers - 3]);
      });

      it('has the digests of its days: of bodies as they were sent, and of hashes where they were erased [D-251] [D-252]', async () => {
        const rows = await storeRows(
          store.databaseUrl,
          `select response.source_id, response.day, response.digest, response.hash, response_body.body
           from response
           left join response_body using (account_id, source_id, seq)
           where account_id = ${acme}
           order by source_id, seq`,
        );
        const [measure, project] = [...Map.groupBy(rows, ({ source_id: id }) => Number(id)).values()].sort(
          (one, other) => other.length - one.length,
        );
        for (const [path, ofSource] of [
          ['/v1/measures/700', measure!],
          ['/v1/projects/300', project!],
        ] as const) {
          const { status, body } = await exchange(
            `${service.baseUrl}${path}/digest?from=2025-05-01&to=2025-05-31`,
            { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
          );
          // Those that were erased before there were digests have theirs from the mending of a start, or do not have it yet (D-858).
          const arrived = ofSource.map(({ day, digest, hash, body: text }) => ({
            day: Number(day),
            body:
              typeof digest === 'string'
                ? Buffer.from(digest, 'hex')
                : typeof hash === 'string'
                  ? Buffer.from(hash, 'base64url')
                  : String(text),
          }));
          const digests = digestsOfDays(arrived).map(([day, count, digest]) => ({
            day: dayText(day),
            count,
            digest,
          }));
          assert.deepEqual([status, body.items, body.position], [200, digests, ofSource.length]);
        }
        // The task has gone over the first block, in which some are erased.
        const [reached] = await storeRows(
          store.databaseUrl,
          'select max(digested_seq) as seq, count(*) as sources from log_counter',
        );
        assert.equal(Number(reached!.seq), 256);
      });

      it('takes new responses behind the old ones, and a repeat of an old one only once', async () => {
        await post(service, token, measureResponse(0));
        for (let index = 0; index < 20; index += 1)
          await post(service, token, measureResponse(keptResponses + index));
        const { respondents } = await viewOf(service, token);
        assert.deepEqual(respondents.slice(0, keptResponses), expected.seen.respondents);
        assert.equal(respondents.length, keptResponses + 20);
      });

      it('lets its groups have one externalId, and finds all of them by it [D-96]', async () => {
        const call = standardOf(service, token);
        const groups: { id: string }[] = (await call('GET', '/Groups')).body.Resources;
        assert.ok(groups.length >= 2);
        const shared = patchOf({ op: 'add', path: 'externalId', value: 'shared' });
        for (const { id } of groups) {
          assert.equal((await call('PATCH', `/Groups/${id}`, { body: shared })).status, 204);
        }
        const found = await call('GET', `/Groups?filter=${encodeURIComponent('externalId eq "shared"')}`);
        assert.equal(found.body.totalResults, groups.length);
      });

      it('lets its users be found by parts of their names, renamed, deleted and created again', async () => {
        const call = standardOf(service, token);
        const find = async (part: string): Promise<string[]> => {
          const filter = encodeURIComponent(`name.familyName co "${part}"`);
          const answer = await call('GET', `/Users?count=200&filter=${filter}`);
          assert.equal(answer.status, 200, answer.text);
          return answer.body.Resources.map(({ id }: { id: string }) => id);
        };
        const named = (part: string): number =>
          expected.seen.users.filter(([, , name]) => name.includes(part)).length;
        const [renamed, family] = [await find('enamed'), await find('amily')];
        assert.deepEqual([renamed.length, family.length], [named('enamed'), named('amily')]);
        for (const [at, id] of family.entries()) {
          const rename = patchOf({ op: 'replace', path: 'name.familyName', value: `Another ${at}` });
          const answer = await call('PATCH', `/Users/${id}`, { body: rename });
          assert.equal(answer.status, 200, answer.text);
        }
        assert.deepEqual([(await find('amily')).length, (await find('nother')).length], [0, family.length]);
        for (const id of family) assert.equal((await call('DELETE', `/Users/${id}`)).status, 204);
        assert.deepEqual([(await find('nother')).length, (await find('enamed')).length], [0, renamed.length]);
        const again = await call('POST', '/Users', {
          body: standardUser('kept-0', { name: { familyName: 'Returned' } }),
        });
        assert.equal(again.status, 201, again.text);
        assert.deepEqual(await find('eturne'), [again.body.id]);
        assert.doesNotMatch(service.output(), /"level":(50|60)/);
      });
    });
  }
}
