// Users whose profiles are very large: a page has as many as it can hold, and a walk finds everybody.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { patience } from '../../support/patience.ts';
import { callStandard, group } from '../../support/scim.ts';
import { addUsers, type Profile } from '../../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

const userCount = 300;
const pageMax = 200;
const pageBytesMax = 4 * 1024 * 1024;
const hugeAt = 77;

/** Every twentieth is large, and one is more than a page holds. */
const nickNameOf = (index: number): string => {
  if (index === hugeAt) return 'h'.repeat(pageBytesMax + 1_000);
  return index % 20 === 3 ? 'l'.repeat(500_000) : 'small';
};
const profileOf = (index: number): Profile => ({
  userName: `user${String((index * 31) % userCount).padStart(3, '0')}`,
  active: true,
  title: `Title ${(index * 7) % 100}`,
  name: index % 3 === 0 ? {} : { givenName: `Name ${index % 7}` },
  nickName: nickNameOf(index),
});

for (const engine of engines) {
  describe(`users with large profiles on ${engine.name}`, () => {
    let context: ProvisioningService;
    before(async () => {
      context = await startProvisioning(engine, patience);
      const profiles = Array.from({ length: userCount }, (_, index) => profileOf(index));
      await addUsers(context.store.databaseUrl, 1, profiles);
      const small = profiles.map((profile) => ({ ...profile, nickName: 'small' }));
      await addUsers(context.store.databaseUrl, 2, small);
    });
    after(() => context?.close());

    interface Walk {
      readonly names: readonly string[];
      readonly pages: number;
    }
    const walk = async (question: object, token: string): Promise<Walk> => {
      const names: string[] = [];
      let pages = 0;
      for (; names.length < userCount; pages += 1) {
        const body = { ...question, count: pageMax, startIndex: names.length + 1 };
        const answer = await callStandard(context.service.baseUrl, token, 'POST', '/Users/.search', { body });
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
        const { totalResults, itemsPerPage, Resources: users } = answer.body;
        assert.deepEqual([totalResults, itemsPerPage], [userCount, users.length]);
        assert.ok(users.length > 0, 'a page without anybody');
        const held = users.reduce((sum: number, one: Profile) => sum + String(one.nickName).length, 0);
        assert.ok(users.length === 1 || held <= pageBytesMax, `${held} bytes on one page`);
        names.push(...users.map(({ userName }: Profile) => userName));
      }
      return { names, pages };
    };

    const questions: readonly (readonly [string, object])[] = [
      ['the list', {}],
      ['the list from its end', { sortBy: 'id', sortOrder: 'descending' }],
      ['an order with an index', { sortBy: 'userName' }],
      ['an order that some lack', { sortBy: 'name.givenName', sortOrder: 'descending' }],
      ['an order without an index', { sortBy: 'title' }],
      ['a search that an index leads', { filter: 'userName sw "user"' }],
      ['a search of all by a column', { filter: 'userName co "u"' }],
      ['a search that looks at each', { filter: 'title sw "title"' }],
    ];
    for (const [title, question] of questions) {
      it(`${title}: pages hold 4 MiB or one user, say how many they are, and lose nobody [D-97]`, async () => {
        const large = await walk(question, context.token);
        // The same users with small profiles, in pages that are full.
        const small = await walk(question, context.foreignToken);
        assert.deepEqual(large.names, small.names);
        assert.equal(small.pages, Math.ceil(userCount / pageMax));
        assert.ok(large.pages > small.pages);
      });
    }

    it('a search at the root shows groups when all users have been shown, and not before [D-97] [D-141]', async () => {
      const call = (method: string, path: string, body: object) =>
        callStandard(context.service.baseUrl, context.token, method, path, { body });
      assert.equal((await call('POST', '/Groups', group('Last'))).status, 201);
      const seen: string[] = [];
      while (seen.length <= userCount) {
        const { body } = await call('POST', '/.search', {
          attributes: ['userName', 'displayName'],
          count: pageMax,
          startIndex: seen.length + 1,
        });
        assert.equal(body.totalResults, userCount + 1);
        assert.ok(body.itemsPerPage > 0);
        seen.push(...body.Resources.map((one: Profile) => one.userName ?? one.displayName));
      }
      assert.equal(seen.at(-1), 'Last');
      assert.equal(new Set(seen).size, userCount + 1);
    });
  });
}
