// soundings apply for measures, projects and their surveys: faults with lines, what may change and what may not, and
// how soon a running service follows.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { Compile } from 'typebox/schema';
import { parse } from 'yaml';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { exchange } from '../support/exchange.ts';
import { faultyCatalogue } from '../support/faulty-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import {
  type ApiClientCredentials,
  type CommandResult,
  commandHere,
  commandHereOk,
  createClient,
  type Service,
  tokenFor,
  until,
} from '../support/service.ts';
import { startService } from '../support/service-here.ts';
import { type StoreRow, storeRows } from '../support/store-rows.ts';

const question = { id: 'Q-SAT-1', name: 'How satisfied?', weight: 2, scale: { min: 1, max: 10 } };
const found = {
  id: 'Q-FOUND',
  name: 'Did you find it?',
  responseType: 'RADIO',
  answers: [
    { id: 'A-YES', text: 'Yes', value: 1 },
    { id: 'A-NO', text: 'No', value: 2 },
  ],
};
const why = {
  id: 'Q-WHY',
  name: 'Why?',
  responseType: 'TEXT',
  rules: [{ question: 'Q-FOUND', operator: 'equals', answer: 'A-NO' }],
};
const latent = { id: 'L-SAT', name: 'Satisfaction', type: 'SATISFACTION', questions: [question] };
const tier = { id: 'EPP-TIER', name: 'tier' };
const cart = { id: 'CPP-CART', name: 'cart' };
const survey = {
  id: 'web-1',
  version: 1,
  current: true,
  latents: [latent],
  questions: [found, why],
  parameters: { custom: [cart], external: [tier] },
};
type Survey = Readonly<Record<string, unknown>>;

/** A catalogue whose one measure has these versions. */
function withSurveys(...surveys: Survey[]): object {
  return { accounts: [{ id: 4001, name: 'Acme', measures: [{ key: 10, name: 'Web', surveys }] }] };
}

// What a version that has responses cannot become, and the words that name it.
const forbidden: readonly { title: string; after: Survey; says: RegExp }[] = [
  {
    title: 'a weight',
    after: { ...survey, latents: [{ ...latent, questions: [{ ...question, weight: 3 }] }] },
    says: /weight of Q-SAT-1 cannot change/,
  },
  {
    title: 'a scale',
    after: { ...survey, latents: [{ ...latent, questions: [{ ...question, scale: { min: 1, max: 5 } }] }] },
    says: /scale of Q-SAT-1 cannot change/,
  },
  {
    title: 'a question that is added',
    after: { ...survey, questions: [found, why, { ...why, id: 'Q-MORE' }] },
    says: /no question can be added \(Q-MORE\)/,
  },
  {
    title: 'a question that is taken away',
    after: { ...survey, questions: [found] },
    says: /the question Q-WHY cannot be taken away/,
  },
  {
    title: 'an answer',
    after: { ...survey, questions: [{ ...found, answers: found.answers.slice(0, 2).reverse() }, why] },
    says: /answers of Q-FOUND cannot change/,
  },
  {
    title: 'a rule',
    after: { ...survey, questions: [found, { ...why, rules: [] }] },
    says: /rules of Q-WHY cannot change/,
  },
  {
    title: 'the name of a latent',
    after: { ...survey, latents: [{ ...latent, name: 'Joy' }] },
    says: /its latents cannot change/,
  },
  {
    title: 'parameters in another order',
    after: { ...survey, parameters: { custom: [{ id: 'CPP-NEW', name: 'new' }, cart], external: [tier] } },
    says: /its custom parameters can only be added to, at the end/,
  },
];

// What may still change, because nothing that was shown of a response changes with it.
const allowed: readonly { title: string; after: Survey[] }[] = [
  { title: 'closing it', after: [{ ...survey, closed: true }] },
  { title: 'making it public', after: [{ ...survey, public: true, origins: ['https://shop.example'] }] },
  {
    title: 'parameters at the end',
    after: [
      {
        ...survey,
        parameters: {
          custom: [cart, { id: 'CPP-NEW', name: 'new' }],
          external: [tier, { id: 'E', name: 'e' }],
        },
      },
    ],
  },
  {
    title: 'a new version that takes its place',
    after: [
      { ...survey, current: false },
      { ...survey, id: 'web-2', version: 2, latents: [{ ...latent, name: 'Joy' }] },
    ],
  },
];

for (const engine of engines) {
  describe(`soundings apply for feedback on ${engine.name}`, () => {
    let store: TestStore;
    let env: Readonly<Record<string, string>>;

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl };
    });
    after(() => store?.dispose());

    const apply = (catalogue: object | string, ...flags: string[]): Promise<CommandResult> =>
      commandHere(['apply', writeCatalogue(catalogue), ...flags], env);
    const kept = async (): Promise<readonly (readonly StoreRow[])[]> =>
      Promise.all(
        [
          'account order by id',
          'source order by 1, 2',
          'survey order by 1, 2',
          'survey_owner order by 1',
          'log_counter order by 1, 2',
        ].map((table) => storeRows(store.databaseUrl, `select * from ${table}`)),
      );

    it('every fault of a file is named with its line, in the order of the file, and nothing is changed', async () => {
      await apply({ accounts: [{ id: 1, name: 'So that there is a schema' }] });
      const before = await kept();
      const { code, stdout, stderr } = await apply(faultyCatalogue);
      assert.deepEqual([code, stdout, await kept()], [1, '', before]);
      const expected = faultyCatalogue.split('\n').flatMap((text, index) => {
        const [, says] = text.split('#! ');
        return says === undefined ? [] : [{ line: index + 1, says }];
      });
      const said = [...stderr.matchAll(/catalogue\.yaml:(\d+): (.*)/g)];
      assert.deepEqual(
        said.map(([, line]) => Number(line)),
        expected.map(({ line }) => line),
      );
      for (const [index, { says }] of expected.entries())
        assert.ok(said[index]?.[2]?.includes(says), `${said[index]?.[0]} should say: ${says}`);
    });

    it('a dry run says what would change and changes nothing; applying twice changes nothing', async () => {
      const demo = readFileSync('examples/demo.yaml', 'utf8');
      const before = await kept();
      const dry = await apply(demo, '--dry-run', '--json');
      assert.equal(dry.code, 0, dry.stderr);
      assert.deepEqual(await kept(), before);
      const first = await apply(demo, '--json');
      const { applied, changes } = JSON.parse(first.stdout);
      assert.deepEqual([applied, changes], [true, JSON.parse(dry.stdout).changes]);
      assert.ok(changes.includes('create measure 8840868 (Acme web browse)'), first.stdout);
      assert.ok(changes.includes('create survey acme-badge-1'), first.stdout);
      const after = await kept();
      const second = await apply(demo, '--json');
      assert.deepEqual([JSON.parse(second.stdout).changes, await kept()], [[], after]);
    });

    it('the id of a survey is unique in the store, and whose it is is not said [D-10] [D-47]', async () => {
      const before = await kept();
      const taken = { id: 'acme-badge-1', questions: [why].map(({ rules: _, ...rest }) => rest) };
      const { code, stderr } = await apply({
        accounts: [{ id: 4009, name: 'Thief', projects: [{ id: 1, name: 'Mine', surveys: [taken] }] }],
      });
      assert.deepEqual([code, await kept()], [1, before]);
      assert.match(stderr, /The survey id acme-badge-1 is taken already/);
      assert.doesNotMatch(stderr, /4001|Acme/);
    });

    it('the schema for editors takes the demo and what operators write, and refuses what apply refuses', async () => {
      const schema = Compile(JSON.parse(readFileSync('examples/catalogue.schema.json', 'utf8')));
      const right = [
        parse(readFileSync('examples/demo.yaml', 'utf8')),
        withSurveys(survey),
        { accounts: [] },
      ];
      const wrong = [
        parse(faultyCatalogue),
        { account: [] },
        withSurveys({ ...survey, questoins: [] }),
        withSurveys({ ...survey, latents: [{ ...latent, type: 'HAPPINESS' }] }),
        withSurveys({ ...survey, questions: [{ ...found, responseType: 'DROPDOWN' }] }),
      ];
      assert.deepEqual(
        [...right, ...wrong].map((catalogue) => schema.Check(catalogue)),
        [...right.map(() => true), ...wrong.map(() => false)],
      );
      for (const catalogue of wrong) assert.equal((await apply(catalogue, '--dry-run')).code, 1);
    });
  });

  describe(`a version that has responses on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: withSurveys(survey) as never });
      token = await service.token(4001);
      const { status } = await service.post(
        { surveyDefinitionId: 'web-1', responses: { 'Q-SAT-1': ['7'] } },
        token,
      );
      assert.equal(status, 200);
    });
    after(() => service?.stop());

    const apply = (catalogue: object, ...flags: string[]): Promise<CommandResult> =>
      commandHere(['apply', writeCatalogue(catalogue), ...flags], { DATABASE_URL: service.databaseUrl });
    const documents = (): Promise<readonly StoreRow[]> =>
      storeRows(service.databaseUrl, 'select survey_id, document from survey order by 1');

    it('cannot change what was asked; a sentence with the line asks for a new version [D-47]', async () => {
      const before = await documents();
      for (const { title, after, says } of forbidden) {
        const { code, stderr } = await apply(withSurveys(after));
        assert.equal(code, 1, title);
        assert.match(stderr, says, title);
        assert.match(
          stderr,
          /catalogue\.yaml:1: web-1: web-1 has responses, and .*; give the change a new version/,
        );
      }
      assert.deepEqual(await documents(), before);
    });

    for (const { title, after } of allowed) {
      it(`may still change otherwise: ${title} [D-47]`, async () => {
        const { code, stdout, stderr } = await apply(withSurveys(...after), '--dry-run', '--json');
        assert.equal(code, 0, stderr);
        assert.notDeepEqual(JSON.parse(stdout).changes, []);
      });
    }

    it('one that has none is rewritten in place; a latent keeps its type for ever [D-34] [D-47]', async () => {
      const second = { ...survey, id: 'web-2', version: 2, current: false };
      assert.equal((await apply(withSurveys(survey, second))).code, 0);
      const rewritten = { ...second, latents: [{ ...latent, name: 'Joy' }] };
      assert.equal((await apply(withSurveys(survey, rewritten))).code, 0);
      const retyped = { ...second, latents: [{ ...latent, type: 'ELEMENTS' }] };
      const { code, stderr } = await apply(withSurveys(survey, retyped));
      assert.equal(code, 1);
      assert.match(stderr, /The latent L-SAT is .*keeps its type for ever/);
    });

    it('a response to a version that was just applied is shown at once by those who remember the older definition [D-30] [D-119]', async () => {
      const path = '/v1/measures/10/data?from=1990-01-01&to=2100-01-01&limit=100';
      // Asked for now, so the definition is remembered for seconds to come; the clock of the service stands still.
      assert.equal((await service.get(path, token)).status, 200);
      const newest = {
        ...survey,
        id: 'web-3',
        modelInstanceId: 'model-3',
        version: 3,
        parameters: { custom: [cart, { id: 'CPP-NEW', name: 'new' }], external: [tier] },
      };
      assert.equal((await apply(withSurveys({ ...survey, current: false }, newest))).code, 0);
      const body = {
        surveyDefinitionId: 'web-3',
        responses: { 'Q-SAT-1': ['3'] },
        cpps: { data: { new: 'yes' } },
      };
      assert.equal((await service.post(body, token)).status, 200);
      const { status, body: page } = await service.get(path, token);
      assert.equal(status, 200);
      const last = (page.items as { modelInstanceId: string; responses: { id: string }[] }[]).at(-1);
      assert.deepEqual(
        [last?.modelInstanceId, last?.responses.map(({ id }) => id)],
        ['model-3', ['Q-SAT-1', 'CPP-NEW']],
      );
    });
  });

  describe(`two replicas on ${engine.name}`, () => {
    let store: TestStore;
    let env: Readonly<Record<string, string>>;
    let replicas: readonly Service[] = [];
    let client: ApiClientCredentials;

    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' };
      await commandHereOk(['apply', writeCatalogue(withSurveys(survey))], env);
      client = await createClient(env, 4001);
      replicas = await Promise.all([startService(env), startService(env)]);
    });
    after(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await store?.dispose();
    });

    it('see a change of the catalogue within 5 seconds: what is shown, and what is taken [D-13] [D-46]', async () => {
      const tokens = await Promise.all(replicas.map(({ baseUrl }) => tokenFor(baseUrl, client)));
      const name = async (index: number): Promise<unknown> => {
        const { baseUrl } = replicas[index]!;
        const headers = { accept: 'application/json', authorization: `Bearer ${tokens[index]}` };
        const { body } = await exchange(`${baseUrl}/v1/measures/10/definition`, { headers });
        return (body.MQ as { latents: { name: string }[] }).latents[0]?.name;
      };
      const post = async (index: number): Promise<unknown> => {
        const { baseUrl } = replicas[index]!;
        const { status } = await exchange(`${baseUrl}/v1/surveys/ingestion`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${tokens[index]}` },
          body: JSON.stringify({ surveyDefinitionId: 'web-1', responses: { 'Q-SAT-1': ['5'] } }),
        });
        return status;
      };
      for (const index of [0, 1])
        assert.deepEqual([await name(index), await post(index)], ['Satisfaction', 200]);
      const second = { ...survey, id: 'web-2', version: 2, latents: [{ ...latent, name: 'Joy' }] };
      await commandHereOk(
        ['apply', writeCatalogue(withSurveys({ ...survey, current: false, closed: true }, second))],
        env,
      );
      await Promise.all(
        [0, 1].flatMap((index) => [
          until(
            () => name(index),
            (shown) => shown === 'Joy',
            5_000,
          ),
          until(
            () => post(index),
            (status) => status === 400,
            5_000,
          ),
        ]),
      );
    });
  });
}
