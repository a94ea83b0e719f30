// The names under /s/: ids of surveys and site keys, unique together in the whole store. What a name leads to is asked of two
// replicas, with a clock of the test's own.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { type Mounted, startMounted } from '../../support/mounted.ts';
import { type MovingClock, movingClock } from '../../support/moving-clock.ts';
import { commandHere, setUp } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const acme = 5001;
const other = 5002;
const population = 300;
/** Longer than a replica may go without a look at the store. */
const rememberedMs = 4_001;

const text = { id: 'Q', name: 'Why?', responseType: 'TEXT' };
const survey = (id: string, rest: object = {}) => ({ id, current: true, questions: [text], ...rest });
interface ProjectEntry {
  readonly id: number;
  readonly siteKey?: string;
  readonly surveys?: readonly object[];
}
const project = (id: number, siteKey?: string, ...surveys: readonly object[]): ProjectEntry => ({
  id,
  ...(siteKey !== undefined && { siteKey }),
  ...(surveys.length > 0 && { surveys }),
});
/** A file with an entry in each line, so that faults can name them. */
function fileOf(accountId: number, projects: readonly ProjectEntry[], name = 'Acme'): string {
  const lines = projects.map((entry) => `- ${JSON.stringify({ name: `Project ${entry.id}`, ...entry })}`);
  return writeCatalogue([`id: ${accountId}`, `name: ${name}`, 'projects:', ...lines].join('\n'));
}

for (const engine of engines) {
  describe(`names of survey pages on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let env: Readonly<Record<string, string>>;
    let clock: MovingClock;
    let one: Mounted;
    let two: Mounted;

    before(async () => {
      store = await engine.readyStore();
      env = { DATABASE_URL: store.databaseUrl };
      clock = movingClock({ isStill: true });
      const settings = { databaseUrl: store.databaseUrl, now: clock.now, elapsedMs: clock.elapsedMs };
      one = await startMounted(settings);
      two = await startMounted(settings);
      const projects = Array.from({ length: population }, (_, index) =>
        project(index + 1, `shop-${index + 1}`, survey(`shop-survey-${index + 1}`)),
      );
      await setUp(['apply', fileOf(acme, projects)], env);
      await setUp(['apply', fileOf(other, [project(1, 'elsewhere', survey('other-1'))], 'Other')], env);
    });
    after(async () => {
      await one?.stop();
      await two?.stop();
      await store?.dispose();
    });

    const apply = async (file: string) => commandHere(['apply', file], env);
    const faultsOf = async (file: string): Promise<readonly string[]> => {
      const { code, stdout, stderr } = await apply(file);
      assert.deepEqual([code, stdout], [1, ''], stderr);
      return stderr
        .trim()
        .split('\n')
        .slice(1)
        .map((line) => line.replace(/^.*catalogue\.yaml:/, ''));
    };
    const taken = (what: string, name: string, line = '') =>
      `The ${what} ${name} is taken already${line}; names under /s/, ids of surveys and site keys, are unique in the whole store.`;
    /** As a request finds it: what is remembered, held against the store where it is old, or asked for. */
    const leadsTo = async ({ services: { sources } }: Mounted, name: string): Promise<string | null> => {
      const found =
        sources.rememberedOfPage(name) ?? (await sources.ofPage(name)) ?? (await sources.freshOfPage(name));
      if (found === null) return null;
      assert.equal(found.ready.survey(found.survey.definition.id), found.survey);
      return `${found.ready.source.accountId} ${found.survey.definition.id}`;
    };
    const names = async (accountId: number) =>
      (
        await storeRows(
          store.databaseUrl,
          `select name from page_name where account_id = ${accountId} order by name`,
        )
      ).map(({ name }) => name);

    it('a survey id leads to its survey, and a site key to the current version of its project [D-420]', async () => {
      await setUp(
        [
          'apply',
          fileOf(acme, [
            project(
              7,
              'shop-7',
              survey('shop-survey-7', { current: false }),
              survey('new-7', { version: 2 }),
            ),
          ]),
        ],
        env,
      );
      clock.pass(rememberedMs);
      for (const replica of [one, two]) {
        assert.equal(await leadsTo(replica, 'shop-survey-7'), `${acme} shop-survey-7`);
        assert.equal(await leadsTo(replica, 'shop-7'), `${acme} new-7`);
        assert.equal(await leadsTo(replica, 'elsewhere'), `${other} other-1`);
        assert.equal(await leadsTo(replica, 'other-1'), `${other} other-1`);
        for (const unknown of ['', 'shop', 'SHOP-7', 'x'.repeat(129), '__proto__', "' or 1=1 --"])
          assert.equal(await leadsTo(replica, unknown), null);
        assert.equal(replica.services.sources.rememberedOfPage('shop-7')?.survey.definition.id, 'new-7');
      }
    });

    it('a name that is taken is refused in every direction, with the line and without whose it is [D-420]', async () => {
      const before = await names(acme);
      assert.deepEqual(
        await faultsOf(
          fileOf(acme, [
            project(401, 'elsewhere'),
            project(402, 'other-1'),
            project(403, 'shop-12'),
            project(404, 'shop-survey-12'),
            project(405, undefined, survey('elsewhere')),
            project(406, undefined, survey('shop-13')),
            project(407, 'twice'),
            project(408, 'twice'),
            project(409, 'both', survey('both')),
            project(410, 'later'),
            project(411, undefined, survey('later')),
            project(412, undefined, survey('sooner')),
            project(413, 'sooner'),
          ]),
        ),
        [
          `4: project 401: ${taken('site key', 'elsewhere')}`,
          `5: project 402: ${taken('site key', 'other-1')}`,
          `6: project 403: ${taken('site key', 'shop-12')}`,
          `7: project 404: ${taken('site key', 'shop-survey-12')}`,
          `8: elsewhere: ${taken('survey id', 'elsewhere')}`,
          `9: shop-13: ${taken('survey id', 'shop-13')}`,
          `11: project 408: ${taken('site key', 'twice', ', in line 10')}`,
          `12: project 409: ${taken('site key', 'both', ', in line 12')}`,
          `13: project 410: ${taken('site key', 'later', ', in line 14')}`,
          `16: project 413: ${taken('site key', 'sooner', ', in line 15')}`,
        ],
      );
      assert.deepEqual(await names(acme), before);
    });

    it('a site key that is changed, emptied or removed is free, and replicas follow within 4 seconds [D-420]', async () => {
      const before = ['shop-20', 'shop-21', 'shop-22'];
      for (const replica of [one, two])
        for (const name of before)
          assert.equal(await leadsTo(replica, name), `${acme} shop-survey-${name.slice(5)}`);
      // 20 changes its key, 21 has none any more, and 22 takes that of 20, all in one file.
      const moved = fileOf(acme, [project(20, 'shop-20-now'), project(21, ''), project(22, 'shop-20')]);
      await setUp(['apply', moved], env);
      clock.pass(rememberedMs);
      for (const replica of [one, two]) {
        assert.equal(await leadsTo(replica, 'shop-20-now'), `${acme} shop-survey-20`);
        assert.equal(await leadsTo(replica, 'shop-20'), `${acme} shop-survey-22`);
        assert.equal(await leadsTo(replica, 'shop-21'), null);
        assert.equal(await leadsTo(replica, 'shop-22'), null);
        assert.equal(await leadsTo(replica, 'shop-survey-21'), `${acme} shop-survey-21`);
      }
      await setUp(['source', 'remove', '--account', String(acme), '--project', '22', '--yes'], env);
      // A free name may become anything else, of anybody.
      await setUp(
        [
          'apply',
          fileOf(
            other,
            [project(2, 'shop-20', survey('shop-21')), project(3, 'shop-22', survey('other-3'))],
            'Other',
          ),
        ],
        env,
      );
      clock.pass(rememberedMs);
      for (const replica of [one, two]) {
        assert.equal(await leadsTo(replica, 'shop-20'), `${other} shop-21`);
        assert.equal(await leadsTo(replica, 'shop-21'), `${other} shop-21`);
        assert.equal(await leadsTo(replica, 'shop-22'), `${other} other-3`);
        assert.equal(await leadsTo(replica, 'shop-survey-22'), null);
      }
    });

    it('names that were there twice stay with the survey, else the older project, and the same file applies again [D-420]', async () => {
      const clashes = [
        project(501, 'clash-new', survey('clash-1')),
        project(502, 'clash-2', survey('clash-2')),
        project(503, 'clash-new', survey('clash-3')),
      ];
      // As a release of before could have kept it.
      await setUp(
        [
          'apply',
          fileOf(
            acme,
            clashes.map(({ siteKey: _, ...rest }) => rest),
          ),
        ],
        env,
      );
      const isSqlite = store.databaseUrl.startsWith('sqlite:');
      for (const { id, siteKey } of clashes)
        await storeRows(
          store.databaseUrl,
          `update source set document = ${
            isSqlite
              ? `json_set(document, '$.siteKey', '${siteKey}')`
              : `jsonb_set(cast(document as jsonb), '{siteKey}', '"${siteKey}"')::text`
          } where account_id = ${acme} and source_key = ${id}`,
        );
      const first = await apply(fileOf(acme, clashes));
      assert.deepEqual(
        [first.code, first.stdout],
        [0, 'update project 501 (Project 501): siteKey (its site key has a page from now on)\n1 changed.\n'],
        first.stderr,
      );
      const again = await apply(fileOf(acme, clashes));
      assert.equal(again.stdout, 'The store agrees with the file already: nothing to change.\n');
      clock.pass(rememberedMs);
      for (const replica of [one, two]) {
        assert.equal(await leadsTo(replica, 'clash-new'), `${acme} clash-1`);
        assert.equal(await leadsTo(replica, 'clash-2'), `${acme} clash-2`);
      }
      // Whoever changes it to something of their own cannot go back.
      await setUp(['apply', fileOf(acme, [project(503, 'of-its-own')])], env);
      assert.deepEqual(await faultsOf(fileOf(acme, [project(503, 'clash-new')])), [
        `4: project 503: ${taken('site key', 'clash-new')}`,
      ]);
    });

    it('what a replica of an older release left out is put right by the next apply, and leads nobody astray meanwhile [D-421]', async () => {
      await setUp(
        [
          'apply',
          fileOf(acme, [
            project(601, 'old-a', survey('old-1')),
            project(602, 'old-b', survey('old-2')),
            project(603, 'old-c', survey('old-3')),
          ]),
        ],
        env,
      );
      // It removed 602 and made another project of the key, and it knows no names.
      await storeRows(store.databaseUrl, `delete from page_name where name in ('old-a', 'old-c')`);
      await storeRows(
        store.databaseUrl,
        `insert into page_name (name, account_id, project_id) values ('old-x', ${acme}, 603), ('old-gone', ${acme}, 999)`,
      );
      clock.pass(rememberedMs);
      for (const name of ['old-a', 'old-c', 'old-x', 'old-gone'])
        assert.equal(await leadsTo(one, name), null);
      const file = fileOf(acme, [
        project(601, 'old-a'),
        project(603, 'old-c'),
        project(604, 'old-gone', survey('old-4')),
      ]);
      assert.match(
        await setUp(['apply', file], env),
        /project 601 .*\nupdate project 603 .*\ncreate project 604/,
      );
      clock.pass(rememberedMs);
      for (const replica of [one, two]) {
        assert.equal(await leadsTo(replica, 'old-a'), `${acme} old-1`);
        assert.equal(await leadsTo(replica, 'old-c'), `${acme} old-3`);
        assert.equal(await leadsTo(replica, 'old-gone'), `${acme} old-4`);
        assert.equal(await leadsTo(replica, 'old-x'), null);
      }
      assert.match((await apply(file)).stdout, /nothing to change/);
    });

    it('a site key that is longer than the id of a survey is kept, and is no name of a page [D-420]', async () => {
      const long = 'k'.repeat(3_000);
      await setUp(['apply', fileOf(acme, [project(701, long, survey('long-1'))])], env);
      assert.equal((await names(acme)).includes(long), false);
      assert.equal(await leadsTo(one, long), null);
      assert.equal(await leadsTo(one, 'long-1'), `${acme} long-1`);
    });

    it('a removed account frees the names of all its projects [D-420]', async () => {
      const gone = 5003;
      const projects = [1, 2, 3].map((id) => project(id, `gone-${id}`, survey(`gone-survey-${id}`)));
      await setUp(['apply', fileOf(gone, projects, 'Gone')], env);
      assert.equal(await leadsTo(one, 'gone-2'), `${gone} gone-survey-2`);
      await setUp(['account', 'remove', String(gone), '--yes'], env);
      assert.deepEqual(await names(gone), []);
      assert.equal((await names(acme)).length > population - 10, true);
      await setUp(['apply', fileOf(other, [project(9, 'gone-1', survey('other-9'))], 'Other')], env);
      clock.pass(rememberedMs);
      for (const replica of [one, two]) {
        assert.equal(await leadsTo(replica, 'gone-1'), `${other} other-9`);
        assert.equal(await leadsTo(replica, 'gone-2'), null);
        assert.equal(await leadsTo(replica, 'gone-survey-2'), null);
      }
    });
  });
}
