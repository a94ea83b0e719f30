// The demo's catalogue of now, applied to a store that has the one of before its surveys had pages, and responses to it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { demoAccountId, demoResponses } from '../../src/cli/demo/demo-responses.ts';
import { readCatalogueFile } from '../../src/cli/surveys/catalogue-file.ts';
import { dayOf } from '../../src/domain/dates.ts';
import { surveyTexts } from '../../src/domain/pages/survey-texts.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { type Mounted, startMounted } from '../support/mounted.ts';
import { commandHere, setUp, tokenFor } from '../support/service.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const file = (name: string): string => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const before_ = file('test/fixtures/demo-before-pages.yaml');
const now = file('examples/demo.yaml');
const surveys = ['acme-web-browse-3', 'acme-stores-1', 'acme-badge-1', 'acme-app-1'];

for (const engine of engines) {
  describe(`the demo's catalogue on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let env: Readonly<Record<string, string>>;
    let service: Mounted;
    let token: string;

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
      service = await startMounted({
        databaseUrl: store.databaseUrl,
        account: { id: demoAccountId, name: 'Acme Retail' },
      });
      await setUp(['apply', before_], env);
      token = await tokenFor(service.baseUrl, await service.newClient());
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const send = async (seed: number): Promise<ReadonlySet<string>> => {
      const { catalogue } = await readCatalogueFile(before_, 'demo');
      const used = new Set<string>();
      const wish = { seed, days: 3, count: 60, today: dayOf(Date.now()) };
      for (const { body } of demoResponses(catalogue, wish)) {
        const { status, text } = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        assert.equal(status, 200, text);
        used.add(String(body.surveyDefinitionId));
      }
      return used;
    };

    it('that of now applies to a store that has the old one with responses, and only once [D-422]', async () => {
      assert.deepEqual([...(await send(7))].sort(), [...surveys].sort());
      const { code, stdout, stderr } = await commandHere(['apply', now], env);
      assert.equal(code, 0, stderr);
      for (const id of surveys) assert.match(stdout, new RegExp(`update survey ${id}: `));
      assert.match((await commandHere(['apply', now], env)).stdout, /nothing to change/);
      assert.match(
        (await commandHere(['apply', before_], env)).stderr,
        /has responses, and its title cannot change/,
      );
      // And it goes on taking what the same people send.
      await send(8);
    });

    it('soundings demo brings it to a store that has the old one, unless somebody changed what has responses [D-508]', async () => {
      const older = await engine.newStore();
      const theirs = await engine.newStore();
      try {
        const ofOlder = { DATABASE_URL: older.databaseUrl };
        await setUp(['apply', before_], ofOlder);
        const brought = await commandHere(['demo', '--json', '--responses', '40'], ofOlder);
        assert.equal(brought.code, 0, brought.stderr);
        assert.match(brought.stderr, /catalogue is that of this release now: \d+ changed\./);
        assert.equal(JSON.parse(brought.stdout).total, 40);
        assert.match((await commandHere(['apply', now], ofOlder)).stdout, /nothing to change/);
        const again = await commandHere(['demo', '--json', '--responses', '10'], ofOlder);
        assert.doesNotMatch(again.stderr, /catalogue/);
        assert.equal(JSON.parse(again.stdout).total, 50);

        // What people have answered keeps its title, so the file of now cannot be applied, and the demo goes on without it.
        const ofTheirs = { DATABASE_URL: theirs.databaseUrl };
        const badge = '- id: acme-badge-1\n';
        const own = readFileSync(before_, 'utf8').replace(badge, `${badge}            title: Ours\n`);
        await setUp(['apply', temporaryFile('own.yaml', own)], ofTheirs);
        const account = { id: demoAccountId, name: 'Acme Retail' };
        const another = await startMounted({ databaseUrl: theirs.databaseUrl, account });
        const { status, text } = await exchange(`${another.baseUrl}/v1/surveys/ingestion`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ surveyDefinitionId: 'acme-badge-1', responses: { 'Q-STARS': ['4'] } }),
        });
        await another.stop();
        assert.equal(status, 200, text);
        const kept = await commandHere(['demo', '--json', '--responses', '60'], ofTheirs);
        assert.equal(kept.code, 0, kept.stderr);
        assert.match(kept.stderr, /catalogue of this release was not applied\./);
        assert.equal(JSON.parse(kept.stdout).total, 61);
      } finally {
        await older.dispose();
        await theirs.dispose();
      }
    });

    it('a survey of it is whole in German and Arabic: no text of its page is left in English [D-410]', async () => {
      const found = await service.services.sources.freshOfPage('acme-web-browse-3');
      for (const language of ['de', 'ar'] as const) {
        const texts = surveyTexts(found!.survey.definition, language, 'Acme web browse');
        const shown = [texts.title, texts.intro, texts.thanks, ...texts.sections.map(({ title }) => title)];
        for (const { phrase, help, labels, dontKnow, answers } of texts.questions.values())
          shown.push(phrase, help, labels?.min ?? null, labels?.max ?? null, dontKnow, ...answers.values());
        assert.ok(shown.length > 100);
        assert.deepEqual(
          shown.filter((one) => one !== null && one.language !== language),
          [],
        );
      }
    });
  });
}
