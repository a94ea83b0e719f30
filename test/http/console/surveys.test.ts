// Surveys in the console as an editor uses them: the list and the versions, sharing, invitations from a list, refused responses and
// surveys to begin with.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const acme = 4001;
const bolt = 4002;
const empty = 4003;
const stars = { id: 'Q-STARS', name: 'Rating', responseType: 'STAR_RATING', role: 'rating', required: true };
const words = { id: 'Q-WORDS', name: 'Tell us more', responseType: 'TEXT' };
const mood = (answers: readonly string[]): object => ({
  id: 'Q-MOOD',
  name: 'How was it?',
  responseType: 'RADIO',
  answers: answers.map((id) => ({ id, text: id })),
});

const custom = [
  { id: 'CPP-STORE', name: 'store_id', label: 'Store' },
  { id: 'CPP-NOTE', name: 'note', label: 'Note' },
];

const firstVersion = { id: 'web-1', version: 1, current: false, public: true, questions: [stars, words] };
const shop = {
  id: 301,
  name: 'Shop',
  siteKey: 'acme-shop',
  status: 'ACTIVE',
  surveys: [
    firstVersion,
    {
      ...{ id: 'web-2', version: 2, current: true, public: true, title: 'Your visit', quarantine: true },
      questions: [stars, { ...words, name: 'What should we do better?' }, mood(['GOOD'])],
      translations: { de: { title: 'Ihr Besuch' } },
    },
  ],
};
const stores = {
  id: 302,
  name: 'Stores',
  siteKey: 'acme-stores',
  status: 'ACTIVE',
  surveys: [{ id: 'stores-1', questions: [stars], parameters: { custom } }],
};
const catalogueWith = (surveys: readonly object[]): { accounts: { id: number; name: string }[] } => ({
  accounts: [
    {
      ...{ id: acme, name: 'Acme' },
      ...{
        measures: Array.from({ length: 230 }, (_, at) => ({
          key: 7_000 + ((at * 37) % 230),
          name: `Measure ${at}`,
          surveys: [
            {
              id: `many-${at}`,
              closed: at % 3 === 0,
              latents: [
                {
                  id: 'L',
                  name: 'L',
                  type: 'SATISFACTION',
                  questions: [{ id: 'Q', name: 'Q', scale: { min: 1, max: 10 } }],
                },
              ],
            },
          ],
        })),
        projects: [{ ...shop, surveys }, stores],
      },
    },
    {
      id: bolt,
      name: 'Bolt',
      ...{
        projects: [
          { id: 301, name: 'Theirs', surveys: [{ id: 'theirs-1', questions: [stars], quarantine: true }] },
        ],
      },
    },
    { id: empty, name: 'Empty' },
  ],
});

interface Body {
  readonly [name: string]: unknown;
}

for (const engine of engines) describe(`surveys in the console on ${engine.name}`, () => surveys(engine));

function surveys(engine: Engine): void {
  let service: FeedbackService;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const cookies = new Map<string, string>();
  let token = '';

  before(async () => {
    service = await startFeedback(engine, {
      catalogue: catalogueWith(shop.surveys),
      env: { SOUNDINGS_PUBLIC_URL: 'https://feedback.example', SOUNDINGS_THROTTLE: 'off' },
    });
    token = await service.token(acme);
    people = await visitorsAside(service.databaseUrl, acme, 'own');
    const others = await visitorsAside(service.databaseUrl, bolt, 'foreign');
    const newcomers = await visitorsAside(service.databaseUrl, empty, 'new');
    cookies.set('editor', await people.editor.newCookie());
    cookies.set('analyst', await people.analyst.newCookie());
    cookies.set('stale editor', await people.editor.newCookie(16 * 60_000));
    cookies.set('foreign editor', await others.editor.newCookie());
    cookies.set('newcomer', await newcomers.editor.newCookie());
  });
  after(() => service?.stop());

  // The public address is another one, so a page of the console says where it comes from by its origin.
  const fromPage = { 'sec-fetch-site': 'same-origin' };
  const secure = (who: string): string => cookies.get(who)!.replace(/^soundings=/, '__Host-soundings=');
  const as = (who: string, method: string, path: string, body?: unknown): Promise<Answer> =>
    consoleCall(service.baseUrl, method, path, {
      cookie: secure(who),
      ...(body === undefined ? {} : { body }),
    });
  const read = async (who: string, path: string): Promise<Body> => {
    const { status, body, text } = await as(who, 'GET', path);
    assert.equal(status, 200, text);
    return body;
  };
  const upload = (who: string, path: string, list: string | Uint8Array): Promise<Answer> =>
    exchange(`${service.baseUrl}/console/api${path}`, {
      method: 'POST',
      headers: { ...fromPage, cookie: secure(who), 'content-type': 'text/csv', accept: 'text/csv' },
      body: list,
    });
  const auditOf = (action: string) =>
    storeRows(
      service.databaseUrl,
      `select actor, subject, request_id, details from audit where account_id = ${acme} and action = '${action}' order by at, id`,
    );
  const entry = (surveyDefinitionId: string, responses: object, more: object = {}): object => ({
    surveyDefinitionId,
    responses: { 'Q-STARS': ['4'], ...responses },
    ...more,
  });

  it('hundreds of surveys come in pages, each once, with state, versions and counts, and none of another account [D-581]', async () => {
    for (let at = 0; at < 7; at += 1)
      assert.equal((await service.post(entry(at < 3 ? 'web-1' : 'web-2', {}), token)).status, 200);
    const items: Body[] = [];
    for (let after: unknown = null; ; ) {
      const page = await read('editor', `/surveys?limit=60${after === null ? '' : `&after=${after}`}`);
      items.push(...(page.items as Body[]));
      after = page.next;
      if (after === null) break;
    }
    assert.equal(items.length, 232);
    assert.equal(new Set(items.map(({ kind, key }) => `${kind} ${key}`)).size, 232);
    assert.ok(!JSON.stringify(items).includes('Theirs'));
    const { lastResponse, ...found } = items.find(({ name }) => name === 'Shop')!;
    assert.match(String(lastResponse), /^20\d\d-/);
    assert.deepEqual(found, {
      ...{ kind: 'project', key: 301, name: 'Shop', state: 'open', surveyId: 'web-2', version: 2 },
      ...{ title: 'Your visit', versions: 2, languages: ['en', 'de'], questions: 3, responses: 7 },
      refusedToday: 0,
    });
    const states = Map.groupBy(items, ({ state }) => state);
    assert.deepEqual(
      [states.get('closed')?.length, states.get('invited')?.length, states.get('open')?.length],
      [77, 154, 1],
    );
  });

  it('the versions of a survey have their responses and what they ask otherwise; the sum is that of the interface [D-581]', async () => {
    const { versions, responses } = await read('editor', '/surveys/projects/301');
    const [newer, older] = versions as Body[];
    assert.deepEqual([newer!.responses, older!.responses, responses], [4, 3, 7]);
    const range = 'from=2000-01-01&to=2100-01-01';
    const { body } = await service.get(`/v1/projects/301/data?${range}&limit=1000&offset=0`, token);
    assert.equal((body.items as unknown[]).length, responses);
    assert.deepEqual(
      (newer!.differences as Body[]).map(({ what, of, id, members }) => [what, of, id, String(members)]),
      [
        ['changed', 'survey', '', 'title,quarantine'],
        ['added', 'language', 'de', ''],
        ['changed', 'question', 'Q-WORDS', 'name,phrase,label'],
        ['added', 'question', 'Q-MOOD', ''],
      ],
    );
    for (const path of ['/surveys/projects/301', '/surveys/projects/301/share'])
      assert.notEqual((await as('foreign editor', 'GET', path)).body.surveyId, 'web-2', path);
    for (const path of [
      '/surveys/measures/301',
      '/surveys/projects/999/share',
      '/surveys/projects/999/qr.svg',
    ])
      assert.equal((await as('editor', 'GET', path)).status, 404, path);
  });

  it('a version is closed and opened through the catalogue, by name of the person, and its page says so [D-584]', async () => {
    const path = '/surveys/projects/301/versions/web-2/closed';
    const page = async () => {
      service.pass(5_000);
      return (await exchange(`${service.baseUrl}/s/acme-shop`, { headers: { accept: 'text/html' } })).status;
    };
    assert.equal(await page(), 200);
    assert.equal((await as('editor', 'PUT', path, { closed: true })).status, 204);
    assert.equal(await page(), 410);
    assert.equal((await read('editor', '/surveys/projects/301')).state, 'closed');
    // Said twice it changes nothing.
    assert.equal((await as('editor', 'PUT', path, { closed: true })).status, 204);
    assert.equal((await as('editor', 'PUT', path, { closed: false })).status, 204);
    assert.equal(await page(), 200);
    const entries = (await auditOf('catalogue.apply')).filter(({ actor }) => actor === people.editor.actor);
    assert.equal(entries.length, 2);
    assert.equal((await as('editor', 'PUT', path.replace('web-2', 'many-1'), { closed: true })).status, 404);
    assert.equal((await as('foreign editor', 'PUT', path, { closed: true })).status, 404);
    assert.equal((await as('analyst', 'PUT', path, { closed: true })).status, 403);
    // Two at once: both are made, and the version stays current.
    const both = await Promise.all([
      as('editor', 'PUT', path, { closed: true }),
      as('editor', 'PUT', path.replace('web-2', 'web-1'), { closed: true }),
    ]);
    assert.deepEqual(
      both.map(({ status }) => status),
      [204, 204],
    );
    const { versions } = await read('editor', '/surveys/projects/301');
    assert.deepEqual(
      (versions as Body[]).map(({ surveyId, current, closed }) => [surveyId, current, closed]),
      [
        ['web-2', true, true],
        ['web-1', false, true],
      ],
    );
    await as('editor', 'PUT', path, { closed: false });
    service.pass(5_000);
  });

  it('a public survey has a link, titles in its languages and a QR code; a private one has invitations alone', async () => {
    const open = await read('editor', '/surveys/projects/301/share');
    assert.deepEqual(open.page, {
      ...{
        base: 'https://feedback.example',
        name: 'acme-shop',
        link: 'https://feedback.example/s/acme-shop',
      },
    });
    assert.deepEqual(open.titles, [
      { language: 'en', title: 'Your visit', intro: null },
      { language: 'de', title: 'Ihr Besuch', intro: null },
    ]);
    assert.equal(open.isLocal, false);
    const { size, path } = open.qr as { size: number; path: string };
    const picture = await exchange(`${service.baseUrl}/console/api/surveys/projects/301/qr.svg`, {
      headers: { ...fromPage, cookie: secure('editor') },
    });
    assert.equal(picture.headers['content-type'], 'image/svg+xml');
    assert.ok(picture.text.includes(`viewBox="0 0 ${size} ${size}"`) && picture.text.includes(path));
    const closed = await read('editor', '/surveys/projects/302/share');
    assert.deepEqual([closed.state, closed.qr, (closed.page as Body).link], ['invited', null, null]);
    assert.deepEqual(closed.parameters, ['store_id', 'note']);
    assert.equal((await as('editor', 'GET', '/surveys/projects/302/qr.svg')).status, 404);
  });

  it('a list of people becomes links that open the survey and carry what was passed; formulas are made harmless [D-582]', async () => {
    const list = `email,store_id,note\r\nana@example.com,S-1,"=HYPERLINK(""http://evil"")"\r\nbob@example.com,S-2,"+1,\nsecond line"\r\n`;
    const path = '/surveys/projects/302/invitations';
    const made = await upload('editor', `${path}?copy=email&days=30&spreadsheet=true`, list);
    assert.equal(made.status, 200, made.text);
    assert.match(String(made.headers['content-type']), /^text\/csv/);
    assert.match(String(made.headers['cache-control']), /no-store/);
    assert.match(made.text, /^\uFEFF?email,store_id,note,invitationId,link,expires\n/);
    assert.ok(made.text.includes(`"'=HYPERLINK(""http://evil"")"`), made.text);
    const tokens = [...made.text.matchAll(/https:\/\/feedback\.example\/s\/stores-1\?i=([\w.-]+)/g)];
    assert.equal(tokens.length, 2);
    const sent = await exchange(`${service.baseUrl}/s/stores-1`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: tokens[0]![1]!, 'q.Q-STARS': '5' }).toString(),
    });
    assert.equal(sent.status, 303, sent.text);
    const { body } = await service.get(
      '/v1/projects/302/data?from=2000-01-01&to=2100-01-01&limit=10&offset=0',
      token,
    );
    assert.match(JSON.stringify(body.items), /S-1/);
    assert.doesNotMatch(JSON.stringify(body.items), /ana@example/);
    const counted = await read('editor', path);
    assert.deepEqual(
      [counted.invited, counted.answered, counted.isWhole, (counted.items as Body[]).length],
      [2, 1, true, 1],
    );
    const [noted] = await auditOf('invitation.create');
    assert.deepEqual(
      [noted!.actor, noted!.subject, noted!.request_id],
      [people.editor.actor, 'survey stores-1', made.headers['x-request-id']],
    );
    assert.ok(!String(noted!.details).includes('ana@'));
  });

  it('a list with faults invites nobody: every fault with its line; other encodings, bounds and old sign-ins are refused [D-582]', async () => {
    const path = '/surveys/projects/302/invitations';
    const before = (await auditOf('invitation.create')).length;
    const refused = async (list: string | Uint8Array, pattern: RegExp, query = '') => {
      const { status, text } = await upload('editor', `${path}${query}`, list);
      assert.equal(status, 400, text.slice(0, 300));
      assert.match(text, pattern);
    };
    await refused('store_id;note\nS-1;x\n', /separated by commas/);
    await refused('email,store_id\na@b,S-1\n', /"email\\?" is not a custom parameter/);
    await refused('store_id,store_id\nS-1,S-2\n', /stands there twice/);
    await refused('store_id\nS-1,S-2\nS-3\n"x', /line 2.*line 4|not CSV/s);
    await refused('store_id\nS-1\nS-2 "x"\n', /line 3.*column 1/s);
    await refused(Buffer.from('store_id\nKöln\n', 'latin1'), /not UTF-8/);
    await refused(Buffer.from('\uFEFFstore_id\nS-1\n', 'utf16le'), /not UTF-8|is not a custom parameter/);
    await refused('', /The list is empty/);
    await refused('store_id\n', /names nobody/);
    await refused(`store_id\n${'S'.repeat(5_000)}\n`, /characters/);
    await refused(`store_id\nS\u0000\n`, /NUL/);
    await refused('store_id\nS-1\n', /copy/, '?copy=%25E0%25A4%25A');
    await refused('store_id\nS-1\n', /to copy/, '?copy=email');
    for (const query of ['?days=0', '?days=401', '?days=x', '?unknown=1'])
      assert.equal((await upload('editor', `${path}${query}`, 'store_id\nS-1\n')).status, 400, query);
    const large = await upload('editor', path, Buffer.alloc(4 * 1024 * 1024 + 1, 0x61));
    assert.equal(large.status, 413);
    const long = await upload('editor', path, `store_id\n${'S\n'.repeat(50_001)}`);
    assert.equal(long.status, 413, long.text.slice(0, 200));
    const stale = await upload('stale editor', path, 'store_id\nS-1\n');
    assert.deepEqual([stale.status, stale.body.code], [403, 'FRESH_SIGN_IN_REQUIRED']);
    const asJson = await as('editor', 'POST', path, {});
    assert.equal(asJson.status, 415);
    assert.equal((await upload('analyst', path, 'store_id\nS-1\n')).status, 403);
    assert.equal((await auditOf('invitation.create')).length, before);
  });

  // What it costs is the sealing, whichever the store.
  const manyPeople = engine.name === 'sqlite' ? 50_000 : 2_000;
  it(`${manyPeople} people are invited in one answer, each with a link of their own, and others are served meanwhile [D-582]`, async () => {
    const path = '/surveys/projects/302/invitations';
    const list = `store_id\n${Array.from({ length: manyPeople }, (_, at) => `S-${at}`).join('\n')}\n`;
    const [made, refused] = (
      await Promise.all([
        upload('editor', path, list),
        upload('editor', path, list),
        as('editor', 'GET', '/surveys?limit=1'),
      ])
    ).toSorted((one, other) => other.text.length - one.text.length);
    assert.equal(made!.status, 200, made!.text.slice(0, 300));
    assert.ok([200, 429].includes(refused!.status));
    const lines = made!.text.trimEnd().split('\n');
    assert.equal(lines.length, manyPeople + 1);
    assert.equal(new Set(lines.map((line) => line.split(',')[1])).size, manyPeople + 1);
  });

  it('refused responses are counted by survey, cause and day; one is shown to whoever may see it, and judged again [D-583]', async () => {
    for (let at = 0; at < 120; at += 1)
      await service.post(entry('web-2', { 'Q-MOOD': ['BAD'], 'Q-WORDS': [`secret ${at}`] }), token);
    await service.post(entry('web-2', { 'Q-STARS': ['9'] }), token);
    await service.post(entry('nowhere', {}), token);
    await service.post(entry('theirs-1', { 'Q-STARS': ['9'] }), await service.token(bolt));
    const readGroups = async () => (await read('editor', '/refused')).groups as Body[];
    const waitingIn = (groups: readonly Body[]): number =>
      groups.reduce((sum, { waiting }) => sum + Number(waiting), 0);
    const groups = await until(
      readGroups,
      (found) => waitingIn(found) === 121 && found.some(({ surveyId }) => surveyId === null),
    );
    const bad = groups.find(({ cause }) => cause === 'UNKNOWN_ANSWER')!;
    assert.deepEqual(
      { ...bad, days: null, waitingUntil: null },
      {
        ...{ surveyId: 'web-2', cause: 'UNKNOWN_ANSWER', refused: 120, waiting: 120, days: null },
        source: { kind: 'project', key: 301, name: 'Shop', version: 2 },
        waitingUntil: null,
      },
    );
    assert.ok(!JSON.stringify(groups).includes('theirs-1'));
    assert.ok(groups.some(({ surveyId, cause }) => surveyId === null && cause === 'SURVEY_NOT_FOUND'));
    const { items } = await read('editor', '/refused/responses?surveyId=web-2&cause=UNKNOWN_ANSWER&limit=5');
    const listed = items as Body[];
    assert.equal(listed.length, 5);
    assert.ok(!JSON.stringify(listed).includes('secret'));
    const waiting = await read('editor', '/refused/bodies?surveyId=web-2&cause=UNKNOWN_ANSWER&limit=50');
    assert.equal((waiting.items as Body[]).length, 50);
    assert.ok(!JSON.stringify(waiting).includes('secret') && waiting.next !== null);
    const theirs = await read('foreign editor', '/refused/bodies?surveyId=web-2&cause=UNKNOWN_ANSWER');
    assert.deepEqual(theirs.items, []);
    const { id } = (waiting.items as Body[]).at(-1)!;
    const shown = await read('editor', `/refused/bodies/${id}`);
    assert.match(String(shown.body), /secret \d+/);
    assert.equal((await as('foreign editor', 'GET', `/refused/bodies/${id}`)).status, 404);
    assert.equal((await as('analyst', 'GET', `/refused/bodies/${id}`)).status, 403);
    assert.ok(!(await as('foreign editor', 'GET', '/refused')).text.includes('web-2'));

    const redrive = async (body: object) => {
      const { status, body: answer, text } = await as('editor', 'POST', '/refused/redrive', body);
      assert.equal(status, 200, text);
      return answer;
    };
    const still = await redrive({ surveyId: 'web-2', id });
    assert.deepEqual(
      [still.accepted, still.refused, still.next],
      [0, [{ cause: 'UNKNOWN_ANSWER', count: 1 }], null],
    );
    // A version that has responses is mended by another one.
    const third = {
      ...shop.surveys[1],
      ...{ id: 'web-3', version: 3, questions: [stars, words, mood(['GOOD', 'BAD'])] },
    };
    const mended = [firstVersion, { ...shop.surveys[1], current: false }, third];
    await service.apply(catalogueWith(mended));
    const one = await redrive({ surveyId: 'web-2', as: 'web-3', id, cause: 'UNKNOWN_ANSWER' });
    assert.equal(one.accepted, 1);
    const trial = await redrive({ surveyId: 'web-2', as: 'web-3', dryRun: true });
    assert.equal(trial.accepted, 119);
    let accepted = 0;
    for (let after: unknown = ''; after !== null; ) {
      const answer = await redrive({ surveyId: 'web-2', as: 'web-3', cause: 'UNKNOWN_ANSWER', after });
      accepted += Number(answer.accepted);
      after = answer.next;
    }
    assert.equal(accepted, 119);
    const left = (await read('editor', '/refused')).groups as Body[];
    assert.equal(waitingIn(left), 1);
    const entries = await auditOf('response.redrive');
    assert.ok(entries.length > 0 && entries.every(({ actor }) => actor === people.editor.actor));
    for (const body of [
      { surveyId: 'theirs-1' },
      { surveyId: 'nowhere' },
      { surveyId: 'web-2', as: 'stores-1' },
    ])
      assert.equal((await as('editor', 'POST', '/refused/redrive', body)).status, 404, JSON.stringify(body));
    for (const query of ['?days=0', '?days=91', '?day=1'])
      assert.equal((await as('editor', 'GET', `/refused${query}`)).status, 400, query);
  });

  it('a survey to begin with is published by one click, twice is once, and only where its key is free [D-580]', async () => {
    const listed = (await read('newcomer', '/starters')).items as Body[];
    assert.deepEqual(
      listed.map(({ name, state }) => [name, state]),
      ['satisfaction', 'badge', 'nps'].map((name) => [name, 'free']),
    );
    // A double click.
    const both = await Promise.all(
      [1, 2].map(() => as('newcomer', 'POST', '/starters/satisfaction', { language: 'de' })),
    );
    assert.deepEqual(
      both.map(({ status }) => status),
      [200, 200],
    );
    assert.deepEqual(both.map(({ body }) => body.isNew).toSorted(), [false, true]);
    assert.equal(both[0]!.body.surveyId, both[1]!.body.surveyId);
    for (const name of ['badge', 'nps'])
      assert.equal((await as('newcomer', 'POST', `/starters/${name}`, {})).status, 200, name);
    const again = await as('newcomer', 'POST', '/starters/badge', { language: 'fr' });
    assert.deepEqual([again.status, again.body.isNew], [200, false]);
    const { items } = await read('newcomer', '/surveys');
    assert.deepEqual(
      (items as Body[]).map(({ kind, key, state, versions, languages }) => [
        kind,
        key,
        state,
        versions,
        String(languages),
      ]),
      [
        ['measure', 1001, 'open', 1, 'de,en,fr'],
        ['project', 2001, 'open', 1, 'en,de,fr'],
        ['project', 2002, 'open', 1, 'en,de,fr'],
      ],
    );
    // Each can be answered at once.
    service.pass(5_000);
    for (const { kind, key } of items as Body[]) {
      const { page } = await read('newcomer', `/surveys/${kind}s/${key}/share`);
      const { name } = page as { name: string };
      const { status, text } = await exchange(`${service.baseUrl}/s/${name}`, {
        headers: { accept: 'text/html' },
      });
      assert.equal(status, 200, text.slice(0, 200));
    }
    await service.apply({
      accounts: [
        {
          id: bolt,
          name: 'Bolt',
          projects: [{ id: 2001, name: 'Own', surveys: [{ id: 'own-1', questions: [stars] }] }],
        },
      ],
    });
    const taken = await as('foreign editor', 'POST', '/starters/badge', {});
    assert.deepEqual([taken.status, taken.body.code], [409, 'CONFLICT']);
    assert.equal((await as('foreign editor', 'POST', '/starters/nps', {})).status, 200);
    for (const [name, body] of [
      ['nothing', {}],
      ['nps', { language: 'ja' }],
      ['nps', { more: 1 }],
    ] as const)
      assert.equal((await as('newcomer', 'POST', `/starters/${name}`, body)).status, 400, name);
    assert.equal((await as('analyst', 'POST', '/starters/nps', {})).status, 403);
  });
}
