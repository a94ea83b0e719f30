// The pages of surveys over HTTP, without scripts: what is shown to whom, and what becomes of what is sent.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { type Mounted, startMounted } from '../../support/mounted.ts';
import { day, type MovingClock, movingClock } from '../../support/moving-clock.ts';
import { type ApiClientCredentials, tokenFor } from '../../support/service.ts';
import { type Fields, formText, SurveyPageClient, tokenIn } from '../../support/survey-page.ts';

const acme = 4001;
const other = 4002;
const population = 200;

const found = {
  id: 'Q-FOUND',
  name: 'Did you find it?',
  responseType: 'RADIO',
  required: true,
  answers: [
    { id: 'A-YES', text: 'Yes' },
    { id: 'A-NO', text: 'No' },
  ],
};
const questions = [
  found,
  {
    id: 'Q-WHY',
    name: 'Why not?',
    responseType: 'TEXT_AREA',
    maxLength: 20,
    rules: [{ question: 'Q-FOUND', operator: 'equals', answer: 'A-NO' }],
  },
  {
    id: 'Q-BOXES',
    name: 'Which?',
    responseType: 'CHECKBOX',
    answers: [{ id: 'B-1' }, { id: 'B-2' }, { id: 'B-3' }],
  },
  {
    id: 'Q-MORE',
    name: 'What was broken?',
    responseType: 'TEXT',
    rules: [{ question: 'Q-WHY', operator: 'contains', answer: 'broken' }],
  },
];
const survey = (id: string, rest: object = {}) => ({
  id,
  public: true,
  questions,
  parameters: { custom: [{ id: 'segment', name: 'segment' }] },
  ...rest,
});
const project = (id: number, surveyId: string, rest: object = {}, surveyRest: object = {}) => ({
  id,
  name: `Project ${id}`,
  siteKey: `site-${surveyId}`,
  status: 'ACTIVE',
  surveys: [survey(surveyId, surveyRest)],
  ...rest,
});

const acmeProjects = [
  project(1, 'open'),
  project(2, 'private', {}, { public: false }),
  project(3, 'closed', {}, { closed: true }),
  project(4, 'draft', { status: 'DRAFT' }),
  project(5, 'ended', { status: 'INACTIVE' }),
  project(6, 'listed', {}, { origins: ['https://shop.example'] }),
  project(
    7,
    'rich',
    {},
    {
      title: 'Ihre Meinung',
      language: 'de',
      translations: {
        ar: { title: 'رأيك', questions: { 'Q-FOUND': { phrase: 'هل وجدته؟', answers: { 'A-YES': 'نعم' } } } },
      },
      page: {
        intro: 'Drei Fragen & <mehr>',
        thanks: { text: 'Tausend Dank', url: 'https://shop.example/?a=1&b=2' },
        privacy: 'https://shop.example/privacy',
        theme: { accent: '#7a1fa2' },
        prefill: ['Q-FOUND', 'Q-WHY', 'segment'],
        sections: [{ title: 'Erstens', questions: ['Q-BOXES'] }],
        translations: { ar: { thanks: 'شكرا جزيلا' } },
      },
    },
  ),
  ...Array.from({ length: population }, (_, index) => project(100 + index, `many-${index}`)),
];

interface Entry {
  readonly id: string;
  readonly url: string;
  readonly locale: string;
  readonly responses: readonly {
    readonly id: string;
    readonly type: string;
    readonly answers: readonly string[];
  }[];
}

for (const engine of engines) {
  describe(`pages of surveys on ${engine.name}`, { concurrency: 1 }, () => {
    let store: TestStore;
    let clock: MovingClock;
    let mounted: Mounted;
    let pages: SurveyPageClient;
    let reader: ApiClientCredentials;

    before(async () => {
      store = await engine.readyStore();
      clock = movingClock({ isStill: true });
      mounted = await startMounted({
        databaseUrl: store.databaseUrl,
        now: clock.now,
        elapsedMs: clock.elapsedMs,
        account: { id: acme, name: 'Acme', projects: acmeProjects },
      });
      pages = new SurveyPageClient(mounted, clock);
      const foreign = [project(1, 'strange', {}, { public: false }), project(2, 'stranger')];
      await pages.apply({ accounts: [{ id: other, name: 'Other', projects: foreign }] });
      reader = await mounted.newClient();
    });
    after(async () => {
      await mounted?.stop();
      await store?.dispose();
    });

    async function entries(projectId: number): Promise<readonly Entry[]> {
      const today = new Date(clock.now()).toISOString().slice(0, 10);
      // Days pass in these tests, and with them tokens.
      const token = await tokenFor(mounted.baseUrl, reader);
      const range = `from=2020-01-01&to=${today}`;
      const { status, body, text } = await exchange(
        `${mounted.baseUrl}/v1/projects/${projectId}/data?${range}`,
        { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
      );
      assert.equal(status, 200, text);
      return body.items as readonly Entry[];
    }
    const answersOf = ({ responses }: Entry): Record<string, readonly string[]> =>
      Object.fromEntries(responses.map(({ id, answers }) => [id, answers]));

    it('a page is shown by the id of the survey and by the site key, with a policy without unsafe-* [D-433]', async () => {
      for (const name of ['open', 'site-open']) {
        const { status, headers, text } = await pages.get(`/s/${name}`);
        assert.equal(status, 200);
        assert.match(text, /<form class="survey" method="post" action="\/s\/open"/);
        const policy = headers['content-security-policy'] as string;
        assert.doesNotMatch(policy, /unsafe/);
        assert.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'sha256-[\w+/]{43}='/);
        assert.deepEqual(
          [headers['cache-control'], headers['referrer-policy'], headers['content-language'], headers.vary],
          ['no-store', 'no-referrer', 'en', 'Origin, Accept-Language, Accept-Encoding'],
        );
        assert.equal(headers['x-robots-tag'], undefined);
      }
      const head = await exchange(`${mounted.baseUrl}/s/open`, { method: 'HEAD' });
      assert.deepEqual(
        [head.status, head.text, head.headers['content-type']],
        [200, '', 'text/html; charset=utf-8'],
      );
    });

    it('every page has a token of its own, and packed it is the same page [D-433]', async () => {
      const names = acmeProjects.slice(7).map(({ surveys: [one] }) => one!.id);
      const tokens = new Set<string>();
      for (const name of names) {
        const plain = await pages.get(`/s/${name}`);
        const packed = await fetch(`${mounted.baseUrl}/s/${name}`, {
          headers: { 'accept-encoding': 'gzip, br' },
        });
        assert.equal(packed.headers.get('content-encoding'), 'gzip');
        const unpacked = await packed.text();
        tokens.add(tokenIn(plain.text)).add(tokenIn(unpacked));
        assert.equal(unpacked.replace(tokenIn(unpacked), ''), plain.text.replace(tokenIn(plain.text), ''));
      }
      assert.equal(tokens.size, 2 * population);
      const raw = await exchange(`${mounted.baseUrl}/s/open`, {
        headers: { 'accept-encoding': 'gzip;q=0, br;q=0' },
      });
      assert.equal(raw.headers['content-encoding'], undefined);
    });

    it('what a form sends is kept once like any response, without what was not asked [D-42, D-434]', async () => {
      const fields: Fields = {
        token: await pages.token('open'),
        lang: 'en',
        'q.Q-FOUND': 'A-YES',
        'q.Q-WHY': 'left behind',
        'q.Q-BOXES': ['B-1', 'B-3'],
        'p.segment': 'gold',
        'p.unknown': 'x',
        'q.nothing': 'x',
        website: '',
      };
      clock.pass(60_000);
      const sent = await pages.send('open', fields);
      assert.deepEqual([sent.status, sent.headers.location, sent.text], [303, '/s/open/thanks?lang=en', '']);
      // Twice, and then with other answers: one token is one response.
      assert.equal((await pages.send('open', fields)).status, 303);
      assert.equal((await pages.send('open', { ...fields, 'q.Q-FOUND': 'A-NO' })).status, 303);
      const [entry, ...rest] = await entries(1);
      assert.deepEqual(rest, []);
      assert.deepEqual([entry!.url, entry!.locale], [`${mounted.baseUrl}/s/open`, 'en']);
      assert.deepEqual(answersOf(entry!), {
        'Q-FOUND': ['Yes'],
        'Q-BOXES': ['B-1', 'B-3'],
        segment: ['gold'],
        completionTimeInMs: ['60000'],
        locale: ['en'],
        url: [`${mounted.baseUrl}/s/open`],
      });
      const thanks = await pages.get(sent.headers.location as string);
      assert.equal(thanks.status, 200);
      assert.match(thanks.text, /<h1>Thank you<\/h1>/);
    });

    it('JSON is kept as the form is, and is told where the thank-you page is', async () => {
      const before = (await entries(1)).length;
      const fields = { 'q.Q-FOUND': 'A-NO', 'q.Q-WHY': ' two\r\nlines ', lang: 'en' };
      const formToken = await pages.token('open');
      const jsonToken = await pages.token('open');
      clock.pass(30_000);
      assert.equal((await pages.send('open', { ...fields, token: formToken })).status, 303);
      const json = await pages.sendJson('open', { ...fields, 'q.Q-WHY': 'two\nlines', token: jsonToken });
      assert.deepEqual([json.status, json.body], [200, { thanks: '/s/open/thanks?lang=en' }]);
      const [one, two] = (await entries(1)).slice(-2);
      assert.equal((await entries(1)).length, before + 2);
      assert.notEqual(one!.id, two!.id);
      assert.deepEqual(answersOf(one!), answersOf(two!));
      assert.deepEqual(answersOf(one!)['Q-WHY'], ['two\nlines']);
    });

    it('faults are shown on top with links, the answers stay, and the title begins with the error', async () => {
      const fields: Fields = {
        token: await pages.token('open'),
        'q.Q-WHY': '"><script>alert(1)</script> far too long for it',
        'q.Q-BOXES': ['B-2', 'B-9'],
        'p.segment': '<b>',
      };
      const { status, text } = await pages.send('open', fields);
      assert.equal(status, 422);
      assert.match(text, /<title>Error: Project 1<\/title>/);
      assert.match(
        text,
        /<a href="#q-Q-FOUND"><bdi>Did you find it\?<\/bdi>: Please answer this question\.<\/a>/,
      );
      assert.match(text, /<a href="#q-Q-BOXES"><bdi>Which\?<\/bdi>: Please choose one of the answers\.<\/a>/);
      assert.match(text, /value="B-2"[^>]* checked>/);
      assert.match(
        text,
        /&quot;&gt;&lt;script&gt;alert\(1\)&lt;\/script&gt; far too long for it<\/textarea>/,
      );
      assert.match(text, /name="p\.segment" value="&lt;b&gt;"/);
      assert.doesNotMatch(text, /<script>/);
      assert.equal(tokenIn(text), fields.token);
      const json = await pages.sendJson('open', fields);
      assert.equal(json.status, 422);
      assert.deepEqual(json.body.faults, [
        { question: 'Q-FOUND', message: 'Please answer this question.' },
        { question: 'Q-BOXES', message: 'Please choose one of the answers.' },
      ]);
    });

    it('a question that hangs on what was written is shown after the first send, once [D-432]', async () => {
      const before = (await entries(1)).length;
      const fields = { token: await pages.token('open'), 'q.Q-FOUND': 'A-NO', 'q.Q-WHY': 'It is BROKEN' };
      const first = await pages.send('open', fields);
      assert.equal(first.status, 422);
      assert.match(first.text, /lead to further questions/);
      assert.match(first.text, /<div class="question" data-question="Q-MORE"><label/);
      assert.match(first.text, /name="shown" value="Q-MORE">/);
      assert.match((await pages.get('/s/open')).text, /data-question="Q-MORE" hidden/);
      // Seen and left empty: it is not required.
      assert.equal((await pages.send('open', { ...fields, shown: 'Q-MORE' })).status, 303);
      assert.equal((await entries(1)).length, before + 1);
    });

    it('a private survey is the unknown page to the byte for everybody without an invitation [D-435]', async () => {
      const { token: invitation } = await pages.invite(acme, 'private');
      const { token: foreign } = await pages.invite(other, 'strange');
      const { token: ended } = await pages.invite(acme, 'private', { days: -1 });
      const formToken = await pages.token('open');
      const unknown = await pages.get('/s/no-such-survey');
      assert.equal(unknown.status, 404);
      assert.match(unknown.text, /There is no survey here/);
      const plain = ({ status, text, headers }: typeof unknown) => {
        const { 'x-request-id': _, date: _date, ...rest } = headers;
        return { status, text, rest };
      };
      const ways = [
        '/s/private',
        '/s/site-private',
        '/s/private/thanks',
        `/s/private?i=${foreign}`,
        `/s/private?i=${ended}`,
        `/s/private?i=${formToken}`,
        `/s/private?i=${invitation.slice(0, -1)}`,
        `/s/strange?i=${invitation}`,
        '/s/private?i=',
        `/s/no-such-survey?i=${invitation}`,
      ];
      for (const way of ways) assert.deepEqual(plain(await pages.get(way)), plain(unknown), way);
      const refused = await pages.send('private', { token: formToken, 'q.Q-FOUND': 'A-YES' });
      assert.deepEqual(plain(refused), plain(await pages.send('no-such-survey', { token: formToken })));
      assert.deepEqual(await entries(2), []);
    });

    it('an invitation opens its survey, is answered once, and then says so; a GET sends nothing', async () => {
      const { token: invitation, invitationId } = await pages.invite(acme, 'private', {
        parameters: { segment: 'sealed' },
      });
      const address = `/s/private?i=${invitation}`;
      for (let opened = 0; opened < 3; opened += 1) {
        const page = await pages.get(`${address}&q.Q-FOUND=A-YES&Q-FOUND=A-YES`);
        assert.equal(page.status, 200);
        assert.equal(page.headers['x-robots-tag'], 'noindex');
        assert.equal(tokenIn(page.text), invitation);
      }
      assert.deepEqual(await entries(2), []);
      const fields = { token: invitation, 'q.Q-FOUND': 'A-YES', 'p.segment': 'forged' };
      const sent = await pages.send('private', fields);
      assert.equal(sent.headers.location, `/s/private/thanks?lang=en&i=${invitation}`);
      assert.equal((await pages.get(sent.headers.location as string)).status, 200);
      const [entry, ...rest] = await entries(2);
      assert.deepEqual([entry!.id, answersOf(entry!).segment, rest], [invitationId, ['sealed'], []]);
      assert.match((await pages.get(address)).text, /You have already answered/);
      clock.pass(2 * day);
      // It has ended meanwhile: whoever sends again is thanked all the same, and nothing more is kept.
      assert.equal((await pages.send('private', fields)).status, 303);
      assert.equal((await entries(2)).length, 1);
    });

    it('closed, not yet open and test each have their page', async () => {
      const titleOf = async (path: string) => {
        const { status, text } = await pages.get(path);
        return [status, /<title>([^<]*)<\/title>/.exec(text)?.[1]];
      };
      assert.deepEqual(await titleOf('/s/closed'), [410, 'This survey is closed']);
      assert.deepEqual(await titleOf('/s/ended'), [410, 'This survey is closed']);
      assert.deepEqual(await titleOf('/s/draft'), [403, 'This survey is not open yet']);
      assert.deepEqual(await titleOf('/s/draft?test=1'), [200, 'Project 4']);
      const fields = { token: await pages.token('draft', '?test=1'), 'q.Q-FOUND': 'A-YES' };
      assert.equal((await pages.send('draft', fields)).status, 403);
      const tested = await pages.send('draft', { ...fields, test: '1' });
      assert.equal(tested.headers.location, '/s/draft/thanks?lang=en&test=1');
      assert.match((await pages.get(tested.headers.location as string)).text, /This was a test/);
      assert.deepEqual(await entries(4), []);
    });

    it('a page that was open for too long is shown again with its answers, and is still one response', async () => {
      const before = (await entries(1)).length;
      const fields = { token: await pages.token('open'), 'q.Q-FOUND': 'A-NO', 'q.Q-WHY': 'slow' };
      clock.pass(day + 1);
      const again = await pages.send('open', fields);
      assert.equal(again.status, 422);
      assert.match(again.text, /open for a long time/);
      assert.match(again.text, /slow<\/textarea>/);
      const fresh = tokenIn(again.text);
      assert.notEqual(fresh, fields.token);
      const json = await pages.sendJson('open', fields);
      assert.deepEqual([json.status, typeof json.body.token], [422, 'string']);
      assert.equal((await pages.send('open', { ...fields, token: fresh })).status, 303);
      assert.equal((await pages.send('open', { ...fields, token: json.body.token as string })).status, 303);
      // The first one has come by now under another token of the same response.
      assert.equal((await pages.send('open', fields)).status, 303);
      assert.equal((await entries(1)).length, before + 1);
      for (const bad of ['', 'x', fresh.slice(0, -1), `${fresh}A`, await pages.token('listed')])
        assert.equal((await pages.send('open', { ...fields, token: bad })).status, 422);
      assert.equal((await entries(1)).length, before + 1);
    });

    it('hostile bodies are refused with a page, and no other endpoint reads forms', async () => {
      const form = 'application/x-www-form-urlencoded';
      const many = formText({ 'q.x': Array.from({ length: 5_001 }, () => '1') });
      const cases: readonly [string | Uint8Array, string, number][] = [
        [many, form, 400],
        ['q.Q-FOUND=%ff', form, 400],
        [new Uint8Array([0x61, 0x3d, 0xff]), form, 400],
        ['a='.padEnd(300_000, 'x'), form, 413],
        ['{"fields":[]}', 'application/json', 400],
        ['{"fields":{"a":["b"]', 'application/json', 400],
        ['{"fields":{"a":[1]}}', 'application/json', 400],
        ['a=b', 'multipart/form-data; boundary=x', 415],
        ['a=b', 'text/plain', 415],
        ['a=b', `${form}; charset=latin1`, 415],
      ];
      for (const [body, contentType, status] of cases) {
        const answer = await pages.sendText('open', body, { 'content-type': contentType });
        assert.equal(answer.status, status, `${contentType} ${String(body).slice(0, 30)}`);
        const isJson = contentType === 'application/json';
        assert.match(answer.headers['content-type'] as string, isJson ? /^application\/json/ : /^text\/html/);
      }
      const elsewhere = await exchange(`${mounted.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { 'content-type': form },
        body: 'surveyDefinitionId=open',
      });
      assert.equal(elsewhere.status, 415);
    });

    it('names of objects, NUL and unknown names do no harm', async () => {
      const fields: Fields = {
        token: await pages.token('open'),
        __proto__: 'x',
        'q.__proto__': 'x',
        'q.constructor': 'x',
        'q.Q-FOUND': 'A-NO',
        'q.Q-WHY': 'a\0b',
      };
      assert.equal((await pages.send('open', fields)).status, 303);
      assert.deepEqual(answersOf((await entries(1)).at(-1)!)['Q-WHY'], ['a\ufffdb']);
    });

    it('a survey with origins is framed, read and sent by pages of these alone, and by its own page [D-435]', async () => {
      const { headers } = await pages.get('/s/listed');
      assert.match(
        headers['content-security-policy'] as string,
        /frame-ancestors 'self' https:\/\/shop\.example;/,
      );
      const own = mounted.baseUrl;
      for (const [origin, status, isRead] of [
        ['https://shop.example', 303, true],
        [own, 303, true],
        [own.replace('127.0.0.1', 'localhost'), 403, false],
        ['null', 303, false],
        ['https://elsewhere.example', 403, false],
      ] as const) {
        const fields = { token: await pages.token('listed'), 'q.Q-FOUND': 'A-YES' };
        const sent = await pages.send('listed', fields, { origin });
        assert.equal(sent.status, status, origin);
        assert.equal(sent.headers['access-control-allow-origin'] === origin, isRead, origin);
        const shown = await pages.get('/s/listed', { origin });
        assert.equal(shown.headers['access-control-allow-origin'] === origin, isRead, origin);
      }
      assert.equal((await entries(6)).length, 3);
    });

    it('a page speaks the language that is asked for, names what is not translated, and has its colours', async () => {
      const german = await pages.get('/s/rich');
      assert.match(german.text, /<html lang="de" dir="ltr">/);
      assert.match(german.text, /<h1>Ihre Meinung<\/h1>/);
      assert.match(german.text, /<p class="intro">Drei Fragen &amp; &lt;mehr&gt;<\/p>/);
      assert.match(german.text, /<style>:root,:host\{--accent:light-dark\(#7a1fa2,#[0-9a-f]{6}\);/);
      for (const [path, language] of [
        ['/s/rich?lang=ar', undefined],
        ['/s/rich', 'ja, ar-EG;q=0.8, en;q=0.1'],
      ] as const) {
        const { text, headers } = await pages.get(
          path,
          language === undefined ? {} : { 'accept-language': language },
        );
        assert.equal(headers['content-language'], 'ar');
        assert.match(text, /<html lang="ar" dir="rtl">/);
        assert.match(text, /<bdi class="phrase">هل وجدته؟<\/bdi>/);
        assert.match(text, /<bdi class="phrase" lang="de" dir="ltr">Why not\?<\/bdi>/);
        assert.match(text, /<a href="\?lang=de" lang="de" hreflang="de">Deutsch<\/a>/);
        assert.match(text, /<a href="\?lang=ar" lang="ar" hreflang="ar" aria-current="true">/);
      }
      const thanks = await pages.get('/s/rich/thanks?lang=ar');
      assert.match(thanks.text, /شكرا جزيلا/);
      assert.match(thanks.text, /href="https:\/\/shop\.example\/\?a=1&amp;b=2" rel="noreferrer"/);
    });

    it('the address fills in what the survey lets it, and nothing is sent by that', async () => {
      const query =
        '?Q-FOUND=A-NO&Q-WHY=%3Cb%3E%22&segment=gold&Q-BOXES=B-1&lang=de&__proto__=x&Q-FOUND=A-YES';
      const { status, text } = await pages.get(`/s/rich${query}`);
      assert.equal(status, 200);
      assert.match(text, /value="A-NO"[^>]* checked>/);
      assert.match(text, /&lt;b&gt;&quot;<\/textarea>/);
      assert.match(text, /name="p\.segment" value="gold"/);
      assert.doesNotMatch(text, /value="(B-1|A-YES)"[^>]* checked>/);
      assert.doesNotMatch((await pages.get('/s/rich?Q-FOUND=nothing')).text, / checked>/);
      // Not where the survey says nothing of it.
      assert.doesNotMatch((await pages.get('/s/open?Q-FOUND=A-NO')).text, / checked>/);
      assert.deepEqual(await entries(7), []);
      assert.equal(
        (await pages.send('rich', { token: tokenIn(text), lang: 'ar', 'q.Q-FOUND': 'A-NO' })).status,
        303,
      );
      assert.equal((await entries(7))[0]!.locale, 'ar');
    });

    it('in maintenance the page says so in the reader’s language', async () => {
      await mounted.setMaintenance(true);
      try {
        const { status, text, headers } = await pages.get('/s/open', { 'accept-language': 'fr;q=0.9, de' });
        assert.equal(status, 503);
        assert.match(text, /<html lang="de" dir="ltr">/);
        assert.equal(headers['retry-after'], '60');
      } finally {
        await mounted.setMaintenance(false);
      }
    });
  });
}

describe('pages of surveys under load', () => {
  it('whoever sends too much waits with the answers kept, and pages from memory go on for all [D-436]', async () => {
    const [engine] = engines;
    const store = await engine!.readyStore();
    const clock = movingClock({ isStill: true });
    const mounted = await startMounted({
      databaseUrl: store.databaseUrl,
      now: clock.now,
      elapsedMs: clock.elapsedMs,
      env: {
        SOUNDINGS_THROTTLE: 'on',
        SOUNDINGS_THROTTLE_PUBLIC_RATE: '1',
        SOUNDINGS_THROTTLE_PUBLIC_BURST: '5',
      },
      account: { id: acme, name: 'Acme', projects: acmeProjects.slice(0, 3) },
    });
    const pages = new SurveyPageClient(mounted, clock);
    try {
      const statuses: number[] = [];
      let last = '';
      for (let round = 0; round < 8; round += 1) {
        const token = await pages.token('open');
        const { status, text } = await pages.send('open', { token, 'q.Q-FOUND': 'A-NO', 'q.Q-WHY': 'kept' });
        statuses.push(status);
        last = text;
      }
      assert.deepEqual(statuses, [303, 303, 303, 303, 303, 429, 429, 429]);
      assert.match(last, /kept<\/textarea>/);
      assert.match(last, /Please wait 1 seconds/);
      for (let round = 0; round < 100; round += 1) assert.equal((await pages.get('/s/open')).status, 200);
      const unknown = [];
      for (let round = 0; round < 8; round += 1)
        unknown.push((await pages.get(`/s/nothing-${round}`)).status);
      assert.deepEqual(new Set(unknown), new Set([404, 429]));
      assert.equal(
        gunzipSync(await packed(`${mounted.baseUrl}/s/open`))
          .toString()
          .includes('class="survey"'),
        true,
      );
    } finally {
      await mounted.stop();
      await store.dispose();
    }
  });
});

/** As it came, without unpacking. */
async function packed(url: string): Promise<Buffer> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)));
    })
      .on('error', reject)
      .end();
  });
}
