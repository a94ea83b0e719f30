// A hundred users and more changed by twelve callers at once: no request fails and no error is logged, and what is left in
// the end is what was asked for. What each single answer must be is held against a model in provisioning-lives.test.ts,
// where one request follows the other.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { group, make, patchOf, standardCall, standardUser } from '../../support/scim.ts';
import { seeded } from '../../support/seeded.ts';
import {
  type Answer,
  type Call,
  type ProvisioningService,
  patchBody,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

/** More of the same in the long run (D-702). */
const population = process.env.TEST_LONG === undefined ? 120 : 300;
const atOnce = 12;

/** What one user goes through; each part is one request, made when the others have had theirs. */
type Life = readonly ((id: string) => Promise<Answer>)[];

for (const engine of engines) {
  describe(`${population} users changed by ${atOnce} callers at once on ${engine.name}`, () => {
    let context: ProvisioningService;
    let standardFace: Call;
    let groupIds: string[] = [];
    const failures: string[] = [];
    before(async () => {
      context = await startProvisioning(engine);
      standardFace = standardCall(context);
      groupIds = await Promise.all(
        ['red', 'green', 'blue'].map(async (name) => (await make(standardFace, '/Groups', group(name))).id),
      );
    });
    after(() => context?.close());

    const watched = async (what: string, answered: Promise<Answer>): Promise<Answer> => {
      const answer = await answered;
      if (answer.status >= 400) failures.push(`${what}: ${answer.status} ${answer.text}`);
      return answer;
    };

    /** Plays all lives; which user has its turn next is mixed, and the same in each run. */
    async function play(lives: readonly Life[], ids: readonly string[]): Promise<void> {
      const next = lives.map(() => 0);
      const order = seeded(20261115).shuffle(lives.flatMap((life, user) => life.map(() => user)));
      const queues = Array.from({ length: atOnce }, (_, lane) =>
        order.filter((user) => user % atOnce === lane),
      );
      await Promise.all(
        queues.map(async (queue) => {
          for (const user of queue) {
            const part = lives[user]![next[user]!]!;
            next[user]! += 1;
            await part(ids[user]!);
          }
        }),
      );
    }

    const assertNoFailure = (): void => {
      assert.deepEqual(failures.splice(0).slice(0, 5), []);
      const errors = context.service
        .output()
        .split('\n')
        .filter((line) => /"level":(50|60)/.test(line));
      assert.deepEqual(errors.slice(0, 3), []);
    };

    it('on the standard face users are renamed, regrouped, suspended, deleted and created again without one failure', async () => {
      const name = (at: number): string => `standard-${at}`;
      const people = Array.from({ length: population }, (_, at) =>
        standardUser(name(at), { name: { givenName: `Given ${at}`, familyName: `Family ${at % 40}` } }),
      );
      const ids = await inLanes(
        people,
        async (body) => (await make(standardFace, '/Users', body)).id as string,
      );
      const patch = (path: string, ...operations: object[]) =>
        standardFace('PATCH', path, { body: patchOf(...operations) });
      const lives = people.map((body, at): Life => {
        const team = groupIds[at % groupIds.length]!;
        const said = (what: string, answered: Promise<Answer>) => watched(`${what} ${at}`, answered);
        return [
          (id) =>
            said(
              'rename',
              patch(`/Users/${id}`, {
                op: 'replace',
                value: { userName: `${name(at)}-new`, 'name.familyName': `New ${at}` },
              }),
            ),
          (id) =>
            said('join', patch(`/Groups/${team}`, { op: 'add', path: 'members', value: [{ value: id }] })),
          (id) => said('suspend', patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })),
          (id) =>
            said(
              'replace',
              standardFace('PUT', `/Users/${id}`, {
                body: { ...body, active: true, userName: `${name(at)}-put` },
              }),
            ),
          (id) => said('delete', standardFace('DELETE', `/Users/${id}`)),
          () => said('create again', standardFace('POST', '/Users', { body })),
        ];
      });
      await play(lives, ids);
      assertNoFailure();

      const listed = await standardFace('GET', '/Users?filter=userName%20sw%20%22standard-%22&count=200');
      assert.equal(listed.body.totalResults, population);
      const found = await standardFace('GET', '/Users?filter=name.familyName%20co%20%22amily%207%22');
      assert.equal(found.body.totalResults, people.filter((_, at) => at % 40 === 7).length);
      const renamed = await standardFace('GET', '/Users?filter=name.familyName%20co%20%22New%20%22');
      assert.equal(renamed.body.totalResults, 0);
      for (const id of groupIds)
        assert.deepEqual((await standardFace('GET', `/Groups/${id}`)).body.members, []);
    });

    it('on the interface face users are renamed, suspended, reactivated and replaced, and leave and return, without one failure', async () => {
      const bodies = Array.from({ length: population }, (_, at) =>
        userBody(`interface-${at}`, {
          externalId: `x-${at}`,
          name: { givenName: `G${at}`, familyName: `Interface ${at % 40}` },
        }),
      );
      const internal = await inLanes(bodies, async (body) => {
        const answer = await watched('create', context.call('POST', '/Users', { body }));
        return String(answer.body.id);
      });
      const patch = (at: number, ...operations: object[]) =>
        context.call('PATCH', `/Users/x-${at}`, { body: patchBody(...operations) });
      const lives = bodies.map((body, at): Life => {
        const said = (what: string, answered: Promise<Answer>) => watched(`${what} ${at}`, answered);
        return [
          () => said('rename', patch(at, { op: 'replace', path: 'name.familyName', value: `Renamed ${at}` })),
          () => said('suspend', patch(at, { op: 'replace', path: 'active', value: false })),
          () => said('reactivate', patch(at, { op: 'replace', path: 'active', value: true })),
          () =>
            said(
              'replace',
              context.call('PUT', `/Users/x-${at}`, { body: { ...body, userName: `interface-put-${at}` } }),
            ),
          (id) => said('delete', standardFace('DELETE', `/Users/${id}`)),
          () => said('create again', context.call('POST', '/Users', { body })),
        ];
      });
      await play(lives, internal);
      assertNoFailure();

      const found = await context.call('GET', '/Users?filter=name.familyName%20co%20%22face%207%22');
      assert.equal(found.body.totalResults, bodies.filter((_, at) => at % 40 === 7).length);
      const foreign = await context.call('GET', '/Users', { token: context.foreignToken });
      assert.equal(foreign.body.totalResults, 0);
      assert.equal((await fetch(`${context.service.baseUrl}/readyz`)).status, 200);
    });
  });
}

async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()];
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
        results[next[0]] = await work(next[1]);
    }),
  );
  return results;
}
