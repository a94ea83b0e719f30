// The editor of surveys as its page calls it: what a draft would change, what is wrong with it, publishing, and others who
// publish at the same time.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { storeRows } from '../../support/store-rows.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape.
type Json = any;

// Measures and projects of two accounts beside those that are edited.
const many = Array.from({ length: 150 }, (_, index) => ({
  key: 10_000 + index,
  name: `Other ${index}`,
  surveys: [{ id: `other-${index}`, questions: [{ id: 'Q', name: 'Words?', responseType: 'TEXT' }] }],
}));
const catalogue = {
  accounts: feedbackCatalogue.accounts.map((account) =>
    account.id === acme ? { ...account, measures: [...account.measures, ...many] } : account,
  ),
};

for (const engine of engines) describe(`the editor of surveys on ${engine.name}`, () => editing(engine));

function editing(engine: Engine): void {
  let service: FeedbackService;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const cookies = new Map<string, string>();

  before(async () => {
    service = await startFeedback(engine, { catalogue });
    people = await visitorsAside(service.databaseUrl, acme, 'own');
    const others = await visitorsAside(service.databaseUrl, bolt, 'foreign');
    for (const kind of ['editor', 'admin', 'analyst'] as const)
      cookies.set(kind, await people[kind].newCookie());
    cookies.set('second editor', await people['operator inside'].newCookie());
    cookies.set('foreign', await others.editor.newCookie());
    const token = await service.token(acme);
    const sent = await service.post(
      {
        surveyDefinitionId: 'acme-web',
        responseId: 'first',
        responses: { 'Q-SAT-1': ['7'], 'Q-FOUND': ['A-YES'] },
      },
      token,
    );
    assert.ok(sent.status < 300, sent.text);
  });
  after(() => service?.stop());

  const as = (who: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    consoleCall(service.baseUrl, method, `/surveys/${path}`, {
      cookie: cookies.get(who)!,
      ...(body === undefined ? {} : { body }),
    });
  const read = async (path: string, who = 'editor'): Promise<Json> => {
    const { status, body, text } = await as(who, 'GET', `${path}/document`);
    assert.equal(status, 200, text);
    return body;
  };
  const plan = async (
    path: string,
    document: unknown,
    base: string | null,
    who = 'editor',
  ): Promise<Json> => {
    const { status, body, text } = await as(who, 'POST', `${path}/plan`, { document, base });
    assert.equal(status, 200, text);
    return body;
  };
  const publish = (path: string, document: unknown, base: string | null, who = 'editor') =>
    as(who, 'POST', `${path}/publish`, { document, base });
  const messages = ({ faults }: Json): string =>
    faults.map((fault: Json) => `${fault.path}: ${fault.message}`).join('\n');

  it('a measure is read as a catalogue has it, with one version; published as it is, it changes nothing', async () => {
    const { document, base, versions, nextVersion } = await read('measures/700');
    assert.equal(document.surveys.length, 1);
    assert.deepEqual([document.key, document.surveys[0].id], [700, 'acme-web']);
    assert.deepEqual(
      versions.map((one: Json) => [one.id, one.version, one.current, one.hasResponses]).toSorted(),
      [
        ['acme-web', 3, true, true],
        ['acme-web-closed', 1, false, false],
        ['acme-web-older', 2, false, false],
      ],
    );
    assert.deepEqual(nextVersion, { id: 'acme-web-4', version: 4 });
    assert.deepEqual(await plan('measures/700', document, base), {
      base,
      isStale: false,
      lastChange: null,
      changes: [],
      faults: [],
    });
    const published = await publish('measures/700', document, base);
    assert.deepEqual([published.status, published.body], [200, { base, changes: [] }]);
  });

  it('a new measure and a new project are planned, published and answered; the audit log names who', async () => {
    for (const [kind, path] of [
      ['measure', 'measures'],
      ['project', 'projects'],
    ] as const) {
      const { key } = (await as('editor', 'GET', `free-key?kind=${kind}`)).body as { key: number };
      const id = `new-${kind}`;
      const source = `${path}/${key}`;
      const document = {
        [kind === 'measure' ? 'key' : 'id']: key,
        name: 'Brand new',
        surveys: [
          {
            id,
            public: true,
            questions: [
              { id: 'Q1', name: 'Good?', responseType: 'RADIO', answers: [{ id: 'Y' }, { id: 'N' }] },
              {
                id: 'Q2',
                name: 'Why not?',
                responseType: 'TEXT',
                rules: [{ question: 'Q1', operator: 'equals', answer: 'N' }],
              },
            ],
          },
        ],
      };
      const planned = await plan(source, document, null);
      assert.deepEqual(
        planned.changes.map((one: Json) => [one.kind, one.action, one.name]),
        [
          [kind, 'create', 'Brand new'],
          ['survey', 'create', id],
        ],
      );
      assert.equal((await as('editor', 'GET', `${source}/document`)).status, 404);
      const published = await publish(source, document, null);
      assert.equal(published.status, 200, published.text);
      service.pass(5_000);
      const answered = await service.post({ surveyDefinitionId: id, responses: { Q1: ['Y'] } }, null);
      assert.ok(answered.status < 300, answered.text);
      const [entry] = await storeRows(
        service.databaseUrl,
        `select actor, action, request_id, details from audit where account_id = ${acme} and subject = '${kind} ${key}'`,
      );
      assert.deepEqual(
        [entry!.actor, entry!.action, entry!.request_id],
        [people.editor.actor, 'catalogue.apply', published.headers['x-request-id']],
      );
      assert.match(String(entry!.details), new RegExp(id));
      // An answer that was lost: the same once more.
      const again = await publish(source, document, null);
      assert.deepEqual([again.status, again.body], [200, { base: published.body.base, changes: [] }]);
      const entries = await storeRows(
        service.databaseUrl,
        `select id from audit where account_id = ${acme} and subject = '${kind} ${key}'`,
      );
      assert.equal(entries.length, 1);
    }
  });

  it('what was asked stays; the same change as a new version is published, and takes the place of the current one', async () => {
    const { document, base, nextVersion } = await read('measures/700');
    const changed = structuredClone(document);
    changed.surveys[0].latents[0].questions[0].name = 'How very clear is it?';
    const planned = await plan('measures/700', changed, base);
    assert.match(
      messages(planned),
      /surveys\[0\]: acme-web has responses, and name of Q-LOOK-1 cannot change/,
    );
    assert.deepEqual(planned.changes, []);
    const refused = await publish('measures/700', changed, base);
    assert.deepEqual([refused.status, refused.body.code], [400, 'INVALID_REQUEST']);
    Object.assign(changed.surveys[0], nextVersion);
    const published = await publish('measures/700', changed, base);
    assert.equal(published.status, 200, published.text);
    assert.deepEqual(
      (published.body.changes as Json[]).map(({ action, name, changed: members }) => [action, name, members]),
      [
        ['update', 'acme-web', ['current']],
        ['create', 'acme-web-4', []],
      ],
    );
    const now = await read('measures/700');
    assert.equal(now.base, published.body.base);
    assert.equal(now.document.surveys[0].id, 'acme-web-4');
    const older = await as('editor', 'GET', 'measures/700/document?version=acme-web-older');
    assert.deepEqual((older.body as Json).document.surveys[0].current, true);
    const unknown = await as('editor', 'GET', 'measures/700/document?version=bolt-web');
    assert.deepEqual([unknown.status, unknown.body.code], [404, 'SURVEY_NOT_FOUND']);
  });

  it('of two who edit at once the second is told who was first and when, and nothing is lost [D-572]', async () => {
    const first = await read('projects/301');
    const second = await read('projects/301', 'second editor');
    assert.equal(first.base, second.base);
    const published = await publish('projects/301', { ...first.document, name: 'First' }, first.base);
    assert.equal(published.status, 200, published.text);
    const late = await publish(
      'projects/301',
      { ...second.document, name: 'Second' },
      second.base,
      'second editor',
    );
    assert.deepEqual([late.status, late.body.code], [409, 'SURVEY_CHANGED']);
    assert.match(String(late.body.detail), /own-editor at \d{4}-/);
    const planned = await plan(
      'projects/301',
      { ...second.document, name: 'Second' },
      second.base,
      'second editor',
    );
    assert.deepEqual([planned.isStale, planned.lastChange.by], [true, 'own-editor']);
    assert.equal((await read('projects/301')).document.name, 'First');
    // Whoever has seen it goes on from there.
    const informed = await publish(
      'projects/301',
      { ...second.document, name: 'Second' },
      planned.base,
      'second editor',
    );
    assert.equal(informed.status, 200, informed.text);
    // Put back as it was, it is not what the first had seen: her draft does not come through by that.
    await publish('projects/301', second.document, String(informed.body.base));
    const stale = await publish('projects/301', { ...first.document, name: 'Third' }, first.base);
    assert.equal(stale.body.code, 'SURVEY_CHANGED');
    const changedByFile = await read('projects/302');
    await service.apply({
      accounts: [{ id: acme, name: 'Acme', projects: [{ id: 302, name: 'By a file', status: 'INACTIVE' }] }],
    });
    const afterFile = await publish(
      'projects/302',
      { ...changedByFile.document, name: 'X' },
      changedByFile.base,
    );
    assert.match(`${afterFile.body.code} ${afterFile.body.detail}`, /SURVEY_CHANGED .*command line/);
  });

  it('twenty publish at the same time: one wins, nineteen are told, and what is kept is the one that won', async () => {
    const { document, base } = await read('projects/300');
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
    const answers = await Promise.all(
      names.map((name) => publish('projects/300', { ...document, name }, base)),
    );
    const won = answers.flatMap(({ status }, index) => (status === 200 ? [names[index]] : []));
    assert.equal(won.length, 1, answers.map(({ text }) => text).join('\n'));
    assert.ok(answers.every(({ status, body }) => status === 200 || body.code === 'SURVEY_CHANGED'));
    assert.equal((await read('projects/300')).document.name, won[0]);
  });

  it("another account's surveys are not found, its ids are taken without a word whose they are, and its editor changes nothing here", async () => {
    for (const path of ['measures/703', 'projects/303'])
      assert.equal((await as('foreign', 'GET', `${path}/document`)).status, 404);
    const { document, base } = await read('measures/704');
    const taken = structuredClone(document);
    taken.surveys[0].id = 'bolt-web';
    const planned = await plan('measures/704', taken, base);
    assert.match(messages(planned), /^surveys\[0\]: The survey id bolt-web is taken already/);
    assert.doesNotMatch(JSON.stringify(planned), /Bolt|4002/);
    const before = await read('measures/704');
    const foreign = await publish('measures/704', document, null, 'foreign');
    assert.equal(foreign.status, 400, foreign.text);
    assert.deepEqual(await read('measures/704'), before);
    for (const method of ['plan', 'publish']) {
      const refused = await as('analyst', 'POST', `measures/704/${method}`, { document, base });
      assert.equal(refused.body.code, 'ABILITY_MISSING');
    }
  });

  it('how long responses are kept is changed by whoever may erase them [D-573]', async () => {
    const { document, base } = await read('measures/703');
    const planned = await plan('measures/703', { ...document, retainDays: 1 }, base);
    assert.match(messages(planned), /^retainDays: .*erase/);
    assert.equal((await publish('measures/703', { ...document, retainDays: 1 }, base)).status, 400);
    const { key } = (await as('editor', 'GET', 'free-key?kind=measure')).body as { key: number };
    const fresh = {
      ...document,
      key,
      retainDays: 1,
      surveys: [{ id: 'short-lived', latents: document.surveys[0].latents }],
    };
    assert.match(messages(await plan(`measures/${key}`, fresh, null)), /^retainDays/);
    const byAdmin = await publish('measures/703', { ...document, retainDays: 400 }, base, 'admin');
    assert.equal(byAdmin.status, 200, byAdmin.text);
    const now = await read('measures/703');
    assert.equal(now.document.retainDays, 400);
    // What is as it was is no change.
    const renamed = await publish('measures/703', { ...now.document, name: 'Renamed' }, now.base);
    assert.equal(renamed.status, 200, renamed.text);
  });

  it('every fault of a draft is named at once, each at its place; nothing is kept of it [D-570]', async () => {
    const { document, base } = await read('measures/703');
    const question = (id: string, wants: string): object => ({
      id,
      name: '<script>alert(1)</script>',
      responseType: 'TEXT',
      rules: [{ question: wants, operator: 'contains', answer: 'x' }],
    });
    const broken = {
      ...document,
      key: 704,
      surveys: [
        {
          ...document.surveys[0],
          questions: [question('A', 'B'), question('B', 'A'), { id: 'C', name: 'C', responseType: 'RADIO' }],
          page: { theme: { accent: '#ffffff' }, sections: [{ questions: ['NOBODY'] }] },
          unknown: 1,
        },
      ],
    };
    const { faults, changes } = await plan('measures/703', broken, base);
    assert.deepEqual(changes, []);
    const paths = faults.map(({ path }: Json) => path);
    for (const path of [
      'key',
      'surveys[0].questions[0].rules',
      'surveys[0].questions[1].rules',
      'surveys[0].questions[2]',
      'surveys[0].page.theme.accent',
      'surveys[0].page.sections[0].questions[0]',
      'surveys[0].unknown',
    ])
      assert.ok(paths.includes(path), `${path} is not among ${paths.join(', ')}`);
    assert.deepEqual((await read('measures/703')).base, base);
  });

  it('the page of the preview is the same for everybody, in a sandbox without an origin, and only our pages may frame it [D-571]', async () => {
    const answers = await Promise.all(
      [{}, { cookie: cookies.get('editor')! }].map((headers) =>
        exchange(`${service.baseUrl}/console/preview`, { headers }),
      ),
    );
    const [answer, signedIn] = answers;
    assert.deepEqual([answer!.status, answer!.text], [200, signedIn!.text]);
    const policy = String(answer!.headers['content-security-policy']).split('; ');
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts allow-forms',
    ])
      assert.ok(policy.includes(part), part);
    assert.ok(!policy.some((part) => /connect-src|unsafe/.test(part)));
  });

  it('drafts beyond every bound are refused in no time: bytes, questions, texts, depth, names, versions', async () => {
    const { document, base } = await read('measures/703');
    const withQuestions = (questions: unknown): object => ({
      ...document,
      surveys: [{ ...document.surveys[0], questions }],
    });
    const text = (id: string, name = 'Words?'): object => ({ id, name, responseType: 'TEXT' });
    const crowd = await plan(
      'measures/703',
      withQuestions(Array.from({ length: 10_000 }, (_, index) => text(`Q${index}`))),
      base,
    );
    assert.match(messages(crowd), /^surveys\[0\]: These are 10003 latents and questions/);
    const long = await plan('measures/703', withQuestions([text('Q', 'x'.repeat(900_000))]), base);
    assert.match(messages(long), /name must be a text of 1 to 4000 characters/);
    const huge = await as('editor', 'POST', 'measures/703/plan', {
      document: withQuestions([text('Q', 'x'.repeat(1_100_000))]),
      base,
    });
    assert.deepEqual([huge.status, huge.body.code], [413, 'BODY_TOO_LARGE']);
    const answers = Array.from({ length: 1_001 }, (_, index) => ({ id: `A${index}` }));
    const wide = await plan(
      'measures/703',
      withQuestions([{ ...text('Q'), responseType: 'RADIO', answers }]),
      base,
    );
    assert.match(messages(wide), /These are 1001 answers, and the editor takes 1000 in a list/);
    let deep: unknown = 1;
    for (let level = 0; level < 1_000; level += 1) deep = [deep];
    const nested = await as('editor', 'POST', 'measures/703/plan', { document: withQuestions(deep), base });
    assert.deepEqual([nested.status, nested.body.code], [400, 'MALFORMED_JSON']);
    const chain = await plan(
      'measures/703',
      withQuestions(
        Array.from({ length: 490 }, (_, index) => ({
          ...text(`Q${index}`),
          rules: [{ question: `Q${(index + 1) % 490}`, operator: 'contains', answer: 'x' }],
        })),
      ),
      base,
    );
    assert.equal(chain.faults.length, 100);
    for (const [draft, words] of [
      [{ ...document, surveys: [] }, /here are 0/],
      [{ ...document, surveys: [...document.surveys, { ...document.surveys[0], id: 'x' }] }, /here are 2/],
      [{ ...document, surveys: 'none' }, /must be a list/],
      [{ ...document, surveys: [null] }, /must be an object/],
      [{}, /here are 0/],
    ] as const)
      assert.match(messages(await plan('measures/703', draft, base)), words);
    for (const body of [{}, { document, base: 1 }, { document: [], base }])
      assert.equal((await as('editor', 'POST', 'measures/703/publish', body)).status, 400);
    for (const key of ['0', '-1', 'x', '9999999999999999999', '1.5'])
      assert.equal((await as('editor', 'POST', `measures/${key}/plan`, { document, base })).status, 400);
    assert.deepEqual((await read('measures/703')).base, base);
  });
}
