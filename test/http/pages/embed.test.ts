// What pages of other sites load of a survey: /embed.js, its settings, and the definition for pages that draw their own form.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { builtFiles } from '../../support/browser-build.ts';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { acme, bolt } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const loaderBytesMax = 4_000;
const shop = 'https://shop.example';

const questions = [
  {
    id: 'Q-STARS',
    name: 'How was it?',
    responseType: 'STAR_RATING',
    role: 'rating',
    required: true,
    scale: { min: 1, max: 5, labels: { min: 'poor', max: 'great' } },
  },
  {
    id: 'Q-WHY',
    name: 'What <b>went</b> wrong?',
    help: 'A few words will do.',
    responseType: 'TEXT_AREA',
    maxLength: 500,
    rules: [{ question: 'Q-STARS', operator: 'lt', answer: 3 }],
  },
  {
    id: 'Q-WHERE',
    name: 'Where?',
    responseType: 'CHECKBOX',
    answers: [
      { id: 'W-MENU', text: 'In the menu' },
      { id: 'W-SEARCH', text: 'By the search', value: 's' },
    ],
  },
];

const latents = [
  {
    id: 'L-SAT',
    name: 'Satisfaction',
    type: 'SATISFACTION',
    questions: [
      {
        id: 'Q-SAT',
        name: 'How satisfied are you?',
        weight: 0.75,
        scale: { min: 1, max: 10 },
        dontKnow: 'No idea',
      },
    ],
  },
];

const publicSurvey = {
  id: 'shop-2',
  modelInstanceId: 'm-2',
  version: 2,
  current: true,
  public: true,
  title: 'Your visit',
  language: 'en',
  translations: {
    ar: { title: 'زيارتك' },
    de: {
      title: 'Ihr Besuch',
      questions: { 'Q-WHY': { phrase: 'Was lief schief?' }, 'Q-WHERE': { answers: { 'W-MENU': 'Im Menü' } } },
    },
  },
  page: {
    intro: 'Thank you for your time.',
    sections: [{ title: 'First', questions: ['Q-STARS', 'Q-WHY'] }],
    thanks: { text: 'Done.', url: 'https://shop.example/done' },
    privacy: 'https://shop.example/privacy',
    invite: { sample: 25, after: 10, urls: ['/shop/*'], repeatDays: 30, quietDays: 7 },
    translations: { de: { intro: 'Danke für Ihre Zeit.', sections: ['Zuerst'] } },
  },
  latents,
  questions,
};

const many = Array.from({ length: 300 }, (_, index) => ({
  key: 2_000 + index,
  name: `Measure ${index}`,
  channel: 'WEB',
  surveys: [
    {
      id: `many-${index}`,
      modelInstanceId: `many-${index}`,
      version: 1,
      current: true,
      public: index % 2 === 0,
      latents,
      questions: [{ id: 'Q-A', name: `Question ${index}`, responseType: 'TEXT' }],
    },
  ],
}));

const catalogue = {
  accounts: [
    {
      id: acme,
      name: 'Acme',
      measures: [
        {
          key: 900,
          name: 'The shop',
          channel: 'WEB',
          surveys: [
            { ...publicSurvey, id: 'shop-1', version: 1, current: false, closed: true },
            publicSurvey,
          ],
        },
        {
          key: 901,
          name: 'Named',
          channel: 'WEB',
          surveys: [{ ...publicSurvey, id: 'named-1', origins: [shop, 'https://other.example'] }],
        },
        {
          key: 902,
          name: 'Quiet',
          channel: 'WEB',
          surveys: [{ ...publicSurvey, id: 'quiet-1', public: false }],
        },
        ...many,
      ],
      projects: [
        {
          id: 910,
          name: 'Badge',
          siteKey: 'shop-badge',
          status: 'ACTIVE',
          surveys: [{ ...publicSurvey, id: 'badge-1', latents: undefined, page: {}, title: undefined }],
        },
        {
          id: 911,
          name: 'Draft',
          siteKey: 'draft-badge',
          status: 'DRAFT',
          surveys: [{ ...publicSurvey, id: 'draft-1', latents: undefined }],
        },
      ],
    },
    {
      id: bolt,
      name: 'Bolt',
      measures: [
        {
          key: 900,
          name: 'Bolt',
          channel: 'WEB',
          surveys: [{ ...publicSurvey, id: 'bolt-1', title: 'Of Bolt' }],
        },
      ],
      projects: [],
    },
  ],
};

/** What of an answer would tell one refusal from another. */
const tellingPart = ({ status, headers, body }: Answer): unknown => {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return [status, others, { ...body, timestamp: null }];
};

for (const engine of engines) {
  describe(`what other sites load of a survey on ${engine.name}`, () => {
    let service: FeedbackService;

    before(async () => {
      service = await startFeedback(engine, { catalogue });
    });
    after(() => service?.stop());

    const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      exchange(`${service.baseUrl}${path}`, { headers });
    const settingsOf = ({ text }: Answer): Record<string, unknown> => {
      const [, json = ''] = /^export default (.*);$/s.exec(text) ?? [];
      return JSON.parse(json) as Record<string, unknown>;
    };

    it('the definition has what a page needs to ask and to judge, and nothing of how it is evaluated [D-455]', async () => {
      const { status, body, headers } = await get('/s/shop-2/definition.json');
      assert.equal(status, 200);
      assert.equal(headers['content-language'], 'en');
      const { theme, ...others } = body;
      assert.deepEqual(Object.keys(theme as object), ['light', 'dark']);
      assert.deepEqual(others, {
        surveyDefinitionId: 'shop-2',
        version: 2,
        isOpen: true,
        language: 'en',
        direction: 'ltr',
        languages: ['en', 'de', 'ar'],
        title: 'Your visit',
        intro: 'Thank you for your time.',
        thanks: { text: 'Done.', url: 'https://shop.example/done' },
        privacy: 'https://shop.example/privacy',
        sections: [{ title: 'First', questions: ['Q-STARS', 'Q-WHY'] }, { questions: ['Q-SAT', 'Q-WHERE'] }],
        questions: [
          {
            id: 'Q-SAT',
            type: 'MEASURED_QUESTION',
            phrase: 'How satisfied are you?',
            required: false,
            scale: { min: 1, max: 10 },
            dontKnow: { id: 'Q-SAT-DK', text: 'No idea' },
          },
          {
            id: 'Q-STARS',
            type: 'STAR_RATING',
            phrase: 'How was it?',
            required: true,
            scale: { min: 1, max: 5, labels: { min: 'poor', max: 'great' } },
          },
          {
            id: 'Q-WHY',
            type: 'TEXT_AREA',
            phrase: 'What <b>went</b> wrong?',
            help: 'A few words will do.',
            required: false,
            maxLength: 500,
            rules: [{ question: 'Q-STARS', operator: 'lt', answer: 3 }],
          },
          {
            id: 'Q-WHERE',
            type: 'CHECKBOX',
            phrase: 'Where?',
            required: false,
            answers: [
              { id: 'W-MENU', text: 'In the menu', value: null },
              { id: 'W-SEARCH', text: 'By the search', value: 's' },
            ],
          },
        ],
      });
      assert.doesNotMatch(JSON.stringify(body), /weight|0\.75|L-SAT|m-2|invite/);
    });

    it('texts are in the language that is asked for, else in one of the reader, else in its own', async () => {
      const titles = async (path: string, headers = {}): Promise<unknown[]> => {
        const { body } = await get(path, headers);
        return [body.language, body.direction, body.title, body.intro];
      };
      const english = ['en', 'ltr', 'Your visit', 'Thank you for your time.'];
      const german = ['de', 'ltr', 'Ihr Besuch', 'Danke für Ihre Zeit.'];
      const path = '/s/shop-2/definition.json';
      assert.deepEqual(await titles(`${path}?lang=de-AT`), german);
      assert.deepEqual(await titles(path, { 'accept-language': 'fr, de;q=0.5' }), german);
      assert.deepEqual(await titles(`${path}?lang=fr`, { 'accept-language': 'ja' }), english);
      assert.deepEqual((await titles(`${path}?lang=ar`)).slice(0, 2), ['ar', 'rtl']);
      const { body } = await get(`${path}?lang=de`);
      const asked = body.questions as { id: string; phrase: string; answers?: { text: string }[] }[];
      assert.deepEqual(
        asked.slice(2).map(({ phrase, answers }) => [phrase, answers?.map(({ text }) => text)]),
        [
          ['Was lief schief?', undefined],
          ['Where?', ['Im Menü', 'By the search']],
        ],
      );
      assert.equal((await get(`${path}?lang=${'x'.repeat(101)}`)).status, 400);
      assert.equal((await get(`${path}?language=de`)).status, 400);
    });

    it('a site key leads to the current version, and a draft or a closed version says that it is not open', async () => {
      const facts = async (name: string): Promise<unknown[]> => {
        const { body } = await get(`/s/${name}/definition.json`);
        return [body.surveyDefinitionId, body.isOpen, body.title];
      };
      assert.deepEqual(await facts('shop-badge'), ['badge-1', true, 'Badge']);
      assert.deepEqual(await facts('draft-badge'), ['draft-1', false, 'Your visit']);
      assert.deepEqual(await facts('shop-1'), ['shop-1', false, 'Your visit']);
      assert.deepEqual(await facts('bolt-1'), ['bolt-1', true, 'Of Bolt']);
    });

    it('an unknown survey and a private one are one and the same 404 [D-455]', async () => {
      for (const file of ['definition.json', 'embed.js', 'token']) {
        const unknown = await get(`/s/nothing/${file}`, { origin: shop });
        assert.deepEqual([unknown.status, unknown.body.errorCode], [404, 'SURVEY_NOT_FOUND']);
        for (const name of ['quiet-1', 'many-1', 'many-299', `${'x'.repeat(200)}`, '%F0%9F%90%B3'])
          assert.deepEqual(
            tellingPart(await get(`/s/${name}/${file}`, { origin: shop })),
            tellingPart(unknown),
            name,
          );
      }
      const found = await Promise.all(many.map((_, index) => get(`/s/many-${index}/definition.json`)));
      for (const [index, { status, body }] of found.entries()) {
        assert.equal(status, index % 2 === 0 ? 200 : 404);
        if (status === 200) assert.equal(body.title, `Measure ${index}`);
      }
    });

    it('pages of the origins of a survey may read it, of any origin where it names none, and no others [D-455]', async () => {
      const own = service.baseUrl;
      for (const file of ['definition.json', 'embed.js', 'token']) {
        for (const [name, origin, isAllowed] of [
          ['shop-2', 'https://any.example', true],
          ['shop-2', 'null', true],
          ['named-1', shop, true],
          ['named-1', 'https://other.example', true],
          ['named-1', own, true],
          ['named-1', 'https://evil.example', false],
          ['named-1', 'http://shop.example', false],
          ['named-1', 'https://shop.example.evil.example', false],
          ['named-1', 'null', false],
        ] as const) {
          const answer = await get(`/s/${name}/${file}`, { origin });
          assert.equal(answer.status, isAllowed ? 200 : 403, `${name} ${origin}`);
          assert.equal(answer.headers['access-control-allow-origin'], isAllowed ? origin : undefined);
          assert.match(String(answer.headers.vary), /\bOrigin\b/);
          if (!isAllowed) assert.equal(answer.body.errorCode, 'ORIGIN_NOT_ALLOWED');
        }
        // Not from a page of a browser.
        assert.equal((await get(`/s/named-1/${file}`)).status, 200);
      }
    });

    it('what was read is asked for again by its tag, until the catalogue changes it [D-455]', async () => {
      for (const file of ['definition.json', 'embed.js']) {
        const path = `/s/shop-2/${file}`;
        const first = await get(path);
        const tag = String(first.headers.etag);
        assert.equal(first.headers['cache-control'], 'public, max-age=300');
        assert.equal(first.headers['cross-origin-resource-policy'], 'cross-origin');
        assert.match(String(first.headers.vary), /Accept-Language/);
        for (const wanted of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
          const again = await get(path, { 'if-none-match': wanted, origin: shop });
          assert.deepEqual([again.status, again.text], [304, '']);
          assert.equal(again.headers.etag, tag);
          assert.equal(again.headers['access-control-allow-origin'], shop);
        }
        assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200);
        assert.notEqual((await get(`${path}?lang=de`)).headers.etag, tag);
      }
      const tagOf = async (): Promise<unknown> => (await get('/s/bolt-1/definition.json')).headers.etag;
      const before = await tagOf();
      const text = JSON.stringify(catalogue.accounts[1]).replace('Thank you for', 'Thanks for');
      await service.apply({ accounts: [JSON.parse(text)] });
      assert.notEqual(await tagOf(), before);
    });

    it('what /embed.js must know first is small, has the rules and texts of the offer, and is a module [D-456]', async () => {
      const answer = await get('/s/shop-2/embed.js?lang=de');
      assert.match(String(answer.headers['content-type']), /^text\/javascript/);
      const { colours, content, texts, ...others } = settingsOf(answer);
      assert.deepEqual(others, {
        survey: 'shop-2',
        version: 2,
        language: 'de',
        direction: 'ltr',
        title: 'Ihr Besuch',
        isOpen: true,
        invite: { sample: 25, after: 10, urls: ['/shop/*'], repeatDays: 30, quietDays: 7 },
      });
      assert.match(String(colours), /^--accent:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\);/);
      assert.equal((texts as { decline: string }).decline, 'Nein, danke');
      const script = await get(String(content));
      assert.equal(script.status, 200);
      assert.equal(script.headers['access-control-allow-origin'], '*');
      assert.ok(gzipSync(answer.text).length < 800, `${gzipSync(answer.text).length} bytes`);
    });

    it('/embed.js is at most 4 kB, may be loaded by any page, and is asked for again after a short time [D-456]', async () => {
      const answer = await get('/embed.js?v=1');
      assert.equal(answer.status, 200);
      assert.match(String(answer.headers['content-type']), /^text\/javascript/);
      assert.equal(answer.headers['cross-origin-resource-policy'], 'cross-origin');
      assert.equal(answer.headers['cache-control'], 'public, max-age=600');
      const again = await get('/embed.js', { 'if-none-match': String(answer.headers.etag) });
      assert.equal(again.status, 304);
      const { bytes } = builtFiles('pages').get('embed.js')!;
      assert.equal(answer.text, bytes.toString());
      const size = gzipSync(bytes, { level: 9 }).length;
      assert.ok(size <= loaderBytesMax, `${size} bytes`);
      // What a policy with Trusted Types refuses, and what stores something.
      assert.doesNotMatch(
        answer.text,
        /innerHTML|outerHTML|insertAdjacentHTML|DOMParser|document\.write|eval\(/,
      );
      assert.doesNotMatch(answer.text, /cookie|https?:\/\//);
    });
  });
}
