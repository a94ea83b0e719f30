// Requests for figures as an attacker would write them: every parameter that the API document names, at every odd value; filters,
// cursors and ids that are cut, nested, repeated, too long or of somebody else. None is a failure of the service, each fault is named.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type ApiDocument, documentedOperations } from '../../support/api-document.ts';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import {
  firstDay,
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  lastDay,
  sendInsight,
} from '../../support/insight-population.ts';
import { setUp } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { untilComplete } from '../../support/until-complete.ts';

const document = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
) as ApiDocument;
const insightPath =
  /\/(trend|distribution|drivers|topics|breakdown|comments|cost|trace)$|\/responses\/\{responseId\}$/;
const operations = documentedOperations(document).filter(
  ({ path, method }) => method === 'GET' && insightPath.test(path),
);

/** A little of everything: a response in ten. */
const sources = insightPopulation().map((source) => ({
  ...source,
  responses: source.responses.slice(0, Math.ceil(source.responses.length / 10)),
}));

/** As they stand in the address: those of odd signs are encoded, those that begin with a percent sign may be no encoding at all. */
const oddValues = [
  '',
  '%20',
  '%00',
  'a%00b',
  '%',
  '%zz',
  '%C3%28',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '%2525',
  '-1',
  '0',
  '1.5',
  '1e3',
  '0x10',
  'NaN',
  '9007199254740993',
  '9'.repeat(400),
  '%D9%A3',
  'null',
  'true',
  '[]',
  '__proto__',
  'constructor',
  "'%20or%201=1--",
  '..%2F..',
  '2026-02-30',
  '2026-13-01',
  '0000-01-01',
  '9999-12-31',
  '10000-01-01',
  '2026-1-1',
  '2026-01-01T00:00:00Z',
  '%202026-01-01',
  'a'.repeat(7_900),
  '%E6%BC%A2'.repeat(300),
];

const sharedNames = /^(from|to|minimum|within|exclude.*)$/;

for (const engine of engines) {
  describe(`hostile requests for figures on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: insightCatalogue, nowMs: insightNowMs });
      token = await service.token(insightAcme);
      await sendInsight(service, sources);
    });
    after(() => service?.stop());

    const ask = (path: string): Promise<Answer> => service.get(path, token);

    /** A request that is refused says which parameter is wrong; in the area of projects in its sentence. */
    function assertRefused(path: string, { status, body, text }: Answer, fields: readonly string[]): void {
      assert.ok(
        [400, 404].includes(status),
        `${path.slice(0, 300)} is answered ${status}: ${text.slice(0, 300)}`,
      );
      if (status === 404) return;
      const { detailedErrors } = body as { detailedErrors?: { field: string }[] };
      for (const field of fields) {
        const isNamed = detailedErrors?.some((fault) => fault.field === field) || text.includes(field);
        // What is no address at all is refused before anybody looks at its parameters.
        const isNoAddress = /%(?![0-9A-Fa-f]{2})|%00|%C3%28|%ED%A0/.test(path);
        assert.ok(
          isNamed || isNoAddress,
          `${path.slice(0, 300)}: ${field} is not named in ${text.slice(0, 600)}`,
        );
      }
    }

    const plainQuery: Readonly<Record<string, string>> = {
      from: firstDay,
      to: lastDay,
      by: 'device',
    };

    function pathOf(template: string, id = 'am700-1'): string {
      return template
        .replace('{measurementKey}', '700')
        .replace('{projectId}', '300')
        .replace('{responseId}', template.includes('/projects/') ? id.replace('am700', 'ap300') : id);
    }

    for (const { path: template, parameters } of operations) {
      const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
      const usual = Object.entries(plainQuery).filter(([name]) => names.includes(name));
      const queryWith = (name: string, value: string): string =>
        [...usual.filter(([other]) => other !== name), [name, value]]
          .map(([one, text]) => `${one}=${text}`)
          .join('&');
      it(`${template} names what is wrong, whatever is sent`, async () => {
        const path = pathOf(template);
        const plain = await ask(`${path}?${usual.map((pair) => pair.join('=')).join('&')}`);
        assert.equal(plain.status, 200, plain.text);
        // Endpoints and engines share the values; what every endpoint reads by the same code needs fewer of each.
        const turn = operations.findIndex(({ path: other }) => other === template) + engines.indexOf(engine);
        for (const name of names)
          for (const value of oddValues.filter(
            (_, index) => (index + turn) % (sharedNames.test(name) ? 5 : 2) === 0,
          )) {
            const asked = `${path}?${queryWith(name, value)}`;
            const answer = await ask(asked);
            // Of a range that ends before it begins, the end is named.
            const isLate = name === 'from' && answer.text.includes('lies before');
            if (answer.status !== 200) assertRefused(asked, answer, isLate ? ['to'] : [name]);
          }
        for (const name of [...names, 'unknown', '__proto__', 'from[]', 'FROM']) {
          const twice = `${path}?${queryWith(name, '1')}&${name}=2`;
          assertRefused(twice, await ask(twice), [name.split('[')[0]!]);
        }
        const wrong = Object.fromEntries(names.map((name) => [name, '%20wrong']));
        const allWrong = `${path}?${Object.entries({ ...wrong, nobody: 'x' })
          .map((pair) => pair.join('='))
          .join('&')}`;
        const answer = await ask(allWrong);
        // Texts may be any text; of all else every fault is named at once.
        const texts = ['q', 'question', 'cursor', 'by', 'filter'];
        assertRefused(allWrong, answer, [...names.filter((name) => !texts.includes(name)), 'nobody']);
        assert.equal(answer.status, 400);
      });
    }

    const filters: readonly [filter: string, status: 200 | 400][] = [
      ['is,device,phone;not,device,x;is,version,1;not,weekday,1;contains,page,s', 200],
      ['is,device,a;is,device,b;is,device,c;is,device,d;is,device,e;is,device,f', 400],
      [`is,device,${'x'.repeat(1_000)}`, 200],
      [`is,device,${'x'.repeat(1_001)}`, 400],
      [`is,cpp:${'n'.repeat(296)},x`, 200],
      [`is,cpp:${'n'.repeat(297)},x`, 400],
      [`is,device,${'x'.repeat(7_970)}`, 400],
      [';'.repeat(2_500), 400],
      [','.repeat(2_500), 400],
      ['', 400],
      [';', 400],
      ['is', 400],
      ['is,device', 400],
      ['is,device,', 200],
      ['is,,x', 400],
      ['is,device,x;', 400],
      [';is,device,x', 400],
      ['IS,device,x', 400],
      ['__proto__,device,x', 400],
      ['toString,device,x', 400],
      ['is,Device,x', 400],
      ['is,constructor,x', 400],
      ['is,__proto__,x', 400],
      ['is,question:,x', 400],
      ['is,question:__proto__,x', 400],
      ['is,question:constructor,x', 400],
      ['is,question:Q-NOBODY,x', 400],
      ['is,cpp:,x', 400],
      ['is,cpp:__proto__,x', 200],
      ['is,cpp:constructor,x', 200],
      ['is,cpp:a:b:c,x', 200],
      ['is,epp:nobody,x', 400],
      ['contains,device,', 400],
      ['is,weekday,8', 400],
      ['is,weekday,Montag', 400],
      ['gt,version,1e999', 400],
      ['gt,version,0x1', 400],
      ['gt,version,-1e3', 200],
      ['lt,cpp:cart_value,', 400],
      ['lt,cpp:cart_value,12 34', 400],
      ['is,device,%', 400],
      ['is,device,%zz', 400],
      ['is,device,%C3%28', 400],
      ['is,device,%25', 200],
      ['is,device,%2570', 200],
      ['is,device,\u{1f600}', 200],
      ['contains,page,\u202e', 200],
      ['is,device,a%00b', 200],
      ['is,cpp:%00,x', 200],
    ];
    it('a filter of any form is carried out or named, its conditions by their number [D-490]', async () => {
      const filtered = operations.filter(({ parameters }) =>
        parameters.some(({ name }) => name === 'filter'),
      );
      assert.ok(filtered.length >= 10);
      for (const { path: template, parameters } of filtered) {
        const isRequired = (wanted: string): boolean => parameters.some(({ name }) => name === wanted);
        const usual = Object.entries(plainQuery)
          .filter(([name]) => isRequired(name))
          .map((pair) => pair.join('='));
        const isProject = template.includes('/projects/');
        const own: readonly [string, 200 | 400][] = isProject
          ? [
              ['gt,latent:L-SAT,5', 400],
              ['is,rating,3', 200],
              ['is,rating,three', 400],
              ['contains,rating,3', 400],
              ['is,topic,T-NOBODY', 400],
            ]
          : [
              ['is,latent:L-SAT,5', 400],
              ['gt,latent:L-NOBODY,5', 400],
              ['gt,latent:__proto__,5', 400],
              ['gt,latent:L-SAT,five', 400],
              ['gt,latent:L-SAT,-5', 200],
              ['gt,rating,3', 400],
              ['is,topic,T-TECH', 400],
              ['is,question:Q-FOUND,A-NOBODY', 400],
              ['lt,question:Q-WHERE,5', 400],
            ];
        for (const [filter, wanted] of [...filters, ...own]) {
          const asked = `${pathOf(template)}?${usual.join('&')}&filter=${encodeURIComponent(filter)}`;
          const { status, text } = await ask(asked);
          assert.equal(status, wanted, `${template} ${filter.slice(0, 100)}: ${text.slice(0, 300)}`);
          if (status === 400) assert.match(text, /filter|Condition|condition/, filter.slice(0, 100));
        }
        const several = 'is,nobody,x;is,device,phone;lt,version,x;gone';
        const { text } = await ask(
          `${pathOf(template)}?${usual.join('&')}&filter=${encodeURIComponent(several)}`,
        );
        for (const number of [1, 3, 4]) assert.match(text, new RegExp(`Condition ${number}`), text);
        assert.doesNotMatch(text, /Condition 2/);
      }
    });

    it('a cursor that is cut, made up or of somebody else is refused, and tells nothing', async () => {
      const other = await service.token(insightBolt);
      for (const path of ['/v1/measures/700/comments', '/v1/projects/300/comments']) {
        const cursorOf = async (asked: string, who = token): Promise<string> => {
          const { status, body, text } = await service.get(asked, who);
          assert.equal(status, 200, text);
          return String(body.next);
        };
        const cursor = await cursorOf(`${path}?limit=1`);
        const theirs = await cursorOf(`${path}?limit=1`, other);
        const next = await ask(`${path}?limit=1&cursor=${encodeURIComponent(cursor)}`);
        assert.equal(next.status, 200);
        for (const bad of [
          cursor.slice(1),
          cursor.slice(0, -1),
          `${cursor}${cursor}`,
          cursor.toUpperCase() === cursor ? cursor.toLowerCase() : cursor.toUpperCase(),
          'null',
          'undefined',
          '9'.repeat(20),
          '-1',
          Buffer.from('{"seq":1}').toString('base64url'),
          'x'.repeat(5_000),
        ]) {
          const asked = `${path}?limit=1&cursor=${encodeURIComponent(bad)}`;
          const answer = await ask(asked);
          if (answer.status !== 200) assertRefused(asked, answer, ['cursor']);
        }
        // A place in a log is no secret, but what stands there is that of the own account.
        const { status, text } = await ask(`${path}?limit=200&cursor=${encodeURIComponent(theirs)}`);
        assert.ok(status === 400 || status === 200);
        assert.ok(!text.includes('KANARIENVOGEL'));
      }
    });

    it('ids of responses may be any text, and none reaches another response', async () => {
      for (const id of [
        'nobody',
        '%20am700-1',
        'AM700-1',
        'am700-1%00',
        '%2e%2e%2f',
        '..;',
        'am700-1%2ftrace',
        "am700-1'--",
        '%25',
        '%E6%BC%A2'.repeat(100),
        'x'.repeat(500),
        'bm700-1',
      ])
        for (const path of ['/v1/measures/700/responses/', '/v1/projects/300/responses/']) {
          const { status, text } = await ask(`${path}${id}`);
          assert.ok([400, 404].includes(status), `${path}${id}: ${status} ${text}`);
        }
      for (const key of [
        '0',
        '-5',
        '1e2',
        '0x2bc',
        '700.0',
        '%37%30%30x',
        '99999999999999999999',
        'NaN',
        '%00',
      ])
        for (const view of ['trend', 'distribution']) {
          const asked = `/v1/measures/${key}/${view}?from=${firstDay}&to=${lastDay}`;
          const { status, text } = await ask(asked);
          assert.ok([400, 404].includes(status), `${asked}: ${status} ${text}`);
        }
    });

    it('comments as long as a response may be, of letters that take long to compare, hold nobody up [D-741, D-742]', async () => {
      const texts = {
        marks: `Zebra ${'\u0301\u0323'.repeat(55_000)}`,
        'a script': `Zebra ${'\u6f22\u5b57\u691c\u7d22'.repeat(20_000)}`,
        'what grows': `Zebra ${'\ufdfa'.repeat(80_000)}`,
      };
      const before = process.cpuUsage();
      for (const [name, text] of Object.entries(texts)) {
        const { status, text: said } = await service.post(
          {
            surveyDefinitionId: 'acme-badge-2',
            responseId: `long ${name}`,
            submissionTimestamp: `${lastDay}T12:00:00Z`,
            responses: { 'Q-STARS': ['5'], 'Q-SAY': [text] },
          },
          token,
        );
        assert.equal(status, 200, said);
      }
      const project = '/v1/projects/300';
      const days = `from=${firstDay}&to=${lastDay}`;
      const filter = encodeURIComponent('contains,question:Q-SAY,zebra');
      // Before they are added up and behind it.
      for (const isRolledUp of [false, true]) {
        if (isRolledUp) {
          const args = ['--account', String(insightAcme), '--project', '300'];
          await setUp(['insight', 'rebuild', ...args], { DATABASE_URL: service.databaseUrl });
          const long = await storeRows(
            service.databaseUrl,
            'select seq from comment where length(folded_text) > 50000',
          );
          assert.equal(long.length, 3);
        }
        for (const [q, count] of [
          ['zebra', 3],
          ['Z', 3],
          ['zebra \u6f22', 1],
          ['\u7d22\u6f22\u5b57', 1],
        ] as const) {
          const found: string[] = [];
          let next: string | null = '';
          while (next !== null) {
            const cursor: string = next === '' ? '' : `&cursor=${encodeURIComponent(next)}`;
            const { status, body, text } = await ask(
              `${project}/comments?q=${encodeURIComponent(q)}&within=10000${cursor}`,
            );
            assert.equal(status, 200, text.slice(0, 300));
            for (const item of body.items as { id: string; hits: [number, number][] }[]) {
              if (!item.id.startsWith('long ')) continue;
              found.push(item.id);
              assert.ok(item.hits.length > 0 && item.hits.length <= 100);
            }
            next = body.next as string | null;
          }
          assert.equal(found.length, count, q);
        }
        const { status, body, text } = await untilComplete(() =>
          ask(`${project}/breakdown?${days}&by=question:Q-SAY&filter=${filter}&within=10000`),
        );
        assert.equal(status, 200, text.slice(0, 300));
        assert.deepEqual([body.complete, (body.groups as object[]).length], [true, 3]);
      }
      const { user, system } = process.cpuUsage(before);
      // To bring the marks of the first one into their order at once takes half a minute, each time.
      assert.ok((user + system) / 1_000_000 < 20, `${user + system} us`);
    });

    it('ranges of any length are answered at once or refused by their length', async () => {
      for (const { path: template, parameters } of operations) {
        if (!parameters.some(({ name }) => name === 'from')) continue;
        const by = template.endsWith('breakdown') ? '&by=weekday' : '';
        for (const [from, to] of [
          ['2016-02-13', '2026-04-01'],
          ['0001-01-01', '9999-12-31'],
          ['2026-04-01', '2026-03-31'],
          ['9999-12-31', '9999-12-31'],
          ['0001-01-01', '0001-01-01'],
        ]) {
          const asked = `${pathOf(template)}?from=${from}&to=${to}${by}`;
          const { status, text } = await ask(asked);
          assert.ok([200, 400].includes(status), `${asked}: ${status} ${text.slice(0, 300)}`);
          if (from! > to!) assert.equal(status, 400, asked);
          if (from === to) assert.equal(status, 200, asked);
        }
      }
    });
  });
}
