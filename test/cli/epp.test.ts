// soundings epp: external parameters that come after the fact, from a CSV file.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { type CommandResult, commandHere, soundings } from '../support/service.ts';
import { type StoreRow, storeRows } from '../support/store-rows.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const latents = [
  {
    id: 'L-SAT',
    name: 'Satisfaction',
    type: 'SATISFACTION',
    questions: [{ id: 'Q-SAT', name: 'How satisfied are you?', scale: { min: 1, max: 10 } }],
  },
];
const tier = { id: 'EPP-TIER', name: 'tier' };
const catalogue = {
  accounts: [
    {
      id: 4001,
      name: 'Acme',
      measures: [
        {
          key: 10,
          name: 'Web',
          surveys: [
            {
              id: 'web-2',
              version: 2,
              current: true,
              latents,
              parameters: {
                external: [
                  tier,
                  { id: 'EPP-SPENT', name: 'spent', valueType: 'NUMBER' },
                  { id: 'EPP-MEMBER', name: 'member', valueType: 'BOOLEAN' },
                  { id: 'EPP-SINCE', name: 'since', valueType: 'DATE' },
                ],
              },
            },
            { id: 'web-1', version: 1, latents, parameters: { external: [tier] } },
          ],
        },
      ],
      projects: [
        {
          id: 20,
          name: 'Badge',
          surveys: [
            {
              id: 'badge-1',
              questions: [{ id: 'Q-TEXT', name: 'Tell us', responseType: 'TEXT' }],
              parameters: { external: [{ id: 'EPP-TICKET', name: 'ticket' }] },
            },
          ],
        },
      ],
    },
    { id: 4002, name: 'Bolt', measures: [{ key: 10, name: 'Bolt', surveys: [{ id: 'bolt-1', latents }] }] },
  ],
};

interface Row {
  readonly id: string;
  readonly type: string;
  readonly answers: readonly string[];
}

for (const engine of engines) {
  describe(`soundings epp on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let nextId = 1;

    before(async () => {
      service = await startFeedback(engine, { catalogue });
      token = await service.token(4001);
    });
    after(() => service?.stop());

    /** A response that is in the log, and its id. */
    const kept = async (surveyDefinitionId = 'web-2', account = token): Promise<string> => {
      const responseId = `r-${nextId++}`;
      const { status, text } = await service.post({ surveyDefinitionId, responseId }, account);
      assert.equal(status, 200, text);
      return responseId;
    };
    const run = (text: string | Uint8Array, ...flags: string[]): Promise<CommandResult> =>
      commandHere(['epp', temporaryFile('crm.csv', text), '--account', '4001', ...flags], {
        DATABASE_URL: service.databaseUrl,
      });
    const stored = (): Promise<readonly StoreRow[]> =>
      storeRows(
        service.databaseUrl,
        `select 'x' as kind, source_id, seq, external as text from response_external
         union all select 'a', 0, 0, id from audit where action = 'external.append' order by 1, 2, 3, 4`,
      );
    /** The external rows of a response, as callers see them. */
    const shown = async (id: string, source = 'measures/10'): Promise<readonly [string, string][]> => {
      const range = 'from=1990-01-01&to=2100-01-01&limit=100';
      const { body } = await service.get(`/v1/${source}/data?${range}`, token);
      const { responses } = (body.items as { id: string; responses: Row[] }[]).find(
        (item) => item.id === id,
      )!;
      const external = responses.filter(({ type }) => type === 'EPP');
      // They stand behind everything else.
      assert.deepEqual(responses.slice(responses.length - external.length), external);
      return external.map((row) => [row.id, row.answers.join('|')]);
    };

    it('values appear in the data of measures and projects, under every version that declares them [D-37]', async () => {
      const ids = [await kept('web-2'), await kept('web-1'), await kept('badge-1')];
      const { code, stderr } = await run(
        `tier,responseId,spent,EPP-MEMBER,since,ticket\n` +
          `gold,${ids[0]},12.50,true,2020-02-29,\n` +
          `basic,${ids[1]},,,,\n` +
          `,${ids[2]},,,,HD-7\n`,
      );
      assert.equal(code, 0, stderr);
      assert.deepEqual(await shown(ids[0]!), [
        ['EPP-TIER', 'gold'],
        ['EPP-SPENT', '12.50'],
        ['EPP-MEMBER', 'true'],
        ['EPP-SINCE', '2020-02-29'],
      ]);
      assert.deepEqual(await shown(ids[1]!), [['EPP-TIER', 'basic']]);
      assert.deepEqual(await shown(ids[2]!, 'projects/20'), [['EPP-TICKET', 'HD-7']]);
      assert.match(stderr, /3 responses got new values, 0 had them already, 0 lines were skipped/);
    });

    it('a second run changes nothing; a later file adds what is missing and nothing else [D-37]', async () => {
      const id = await kept();
      const file = `responseId,tier\n${id},gold\n`;
      assert.equal((await run(file)).code, 0);
      const before = await stored();
      const again = await run(file);
      assert.deepEqual([again.code, await stored()], [0, before]);
      assert.match(again.stderr, /0 responses got new values, 1 had them already/);
      assert.equal((await run(`responseId,tier,spent\n${id},gold,7\n`)).code, 0);
      assert.deepEqual(await shown(id), [
        ['EPP-TIER', 'gold'],
        ['EPP-SPENT', '7'],
      ]);
    });

    it('an unknown id is listed with its line and skipped, the others are taken: exit status 2 [D-37]', async () => {
      const id = await kept();
      const { code, stderr } = await run(`responseId,tier\nnobody,gold\n${id},gold\nr-0,basic\n`);
      assert.equal(code, 2);
      assert.match(stderr, /crm\.csv:2: no response has the id "nobody"\n.*crm\.csv:4: .*"r-0"\n$/);
      assert.deepEqual(await shown(id), [['EPP-TIER', 'gold']]);
    });

    it('a response of another account is unknown, and gets nothing [D-10]', async () => {
      const foreign = await kept('bolt-1', await service.token(4002));
      const before = await stored();
      const { code, stderr } = await run(`responseId,tier\n${foreign},gold\n`);
      assert.deepEqual([code, await stored()], [2, before]);
      assert.match(stderr, /:2: no response has the id/);
    });

    it('every fault is listed with its line, those of the file and those of the store, and nothing is changed [D-37] [D-120]', async () => {
      const [first, second, old] = [await kept(), await kept(), await kept('web-1')];
      assert.equal((await run(`responseId,tier\n${first},gold\n`)).code, 0);
      const before = await stored();
      const { code, stdout, stderr } = await run(
        [
          'responseId,tier,spent,member,since,colour',
          `${second},silver,1,true,2026-01-01,`,
          `${first},basic,,,,`,
          `${second},,much,,,`,
          `${second},,,yes,2026-02-30,`,
          `${old},,5,,,`,
          `,gold,,,,`,
          `${second},gold`,
          `${second},"gold\n\0",,,,`,
          `nobody,gold,,,,`,
          `${second},${'x'.repeat(4_001)},,,,`,
          '',
        ].join('\n'),
      );
      assert.deepEqual([code, stdout, await stored()], [1, '', before]);
      const faults = stderr.match(/(?<=crm\.csv:)\d+: .*/g);
      assert.deepEqual(faults, [
        '1: "colour" is not an external parameter that a survey of the account declares.',
        '3: tier is "gold" already, not "basic"',
        '4: "much" is not a NUMBER for spent',
        '5: "yes" is not a BOOLEAN for member',
        '5: "2026-02-30" is not a DATE for since',
        '6: spent is not an external parameter of web-1',
        '7: responseId is empty.',
        '8: The line has 2 values, and the header has 6.',
        '9: The value of tier holds the character NUL.',
        '12: The value of tier is longer than 4000 characters.',
      ]);
      assert.deepEqual(await shown(second), []);
    });

    it('a response that the file names twice may say the same twice, and not two things', async () => {
      const id = await kept();
      const before = await stored();
      const { code, stderr } = await run(`responseId,tier\n${id},gold\n${id},basic\n`);
      assert.deepEqual([code, await stored()], [1, before]);
      assert.match(stderr, /:3: tier is "gold" already, not "basic"/);
      assert.equal((await run(`responseId,tier\n${id},gold\n${id},gold\n`)).code, 0);
      assert.deepEqual(await shown(id), [['EPP-TIER', 'gold']]);
    });

    it('quotes, line breaks, a byte order mark, CRLF and every script are read as they are written', async () => {
      const [first, second] = [await kept(), await kept()];
      const text = `\ufeffresponseId,tier\r\n${first},"a ""b"", c\nd"\r\n\r\n${second},Größe 漢😀\r\n`;
      const { code, stderr } = await run(text);
      assert.equal(code, 0, stderr);
      assert.deepEqual(await shown(first), [['EPP-TIER', 'a "b", c\nd']]);
      assert.deepEqual(await shown(second), [['EPP-TIER', 'Größe 漢😀']]);
    });

    const unreadable = [
      {
        title: 'no UTF-8',
        text: Buffer.from([...Buffer.from('responseId,tier\nr-1,'), 0xff, 0x0a]),
        says: /not UTF-8/,
      },
      { title: 'an open quote', text: 'responseId,tier\nr-1,"gold\n', says: /crm\.csv:\d: Quote Not Closed/ },
      { title: 'an empty file', text: '', says: /crm\.csv:1: The file is empty/ },
      {
        title: 'no column responseId',
        text: 'id,tier\nr-1,gold\n',
        says: /crm\.csv:1: There is no column responseId\./,
      },
      { title: 'semicolons', text: 'responseId;tier\nr-1;gold\n', says: /Columns are separated by commas/ },
      {
        title: 'no parameter',
        text: 'responseId\nr-1\n',
        says: /crm\.csv:1: There is no column of a parameter/,
      },
      {
        title: 'a column twice',
        text: 'responseId,tier,tier\nr-1,a,b\n',
        says: /crm\.csv:1: The column "tier" stands there twice/,
      },
    ];
    // No store is asked about these, so one engine will do.
    for (const { title, text, says } of engine.name === 'sqlite' ? unreadable : []) {
      it(`a file with ${title} says so, and changes nothing`, async () => {
        const before = await stored();
        const { code, stdout, stderr } = await run(text);
        assert.deepEqual([code, stdout, await stored()], [1, '', before]);
        assert.match(stderr, says);
        assert.doesNotMatch(stderr, /at .*\.ts:\d/);
      });
    }

    it('--dry-run says what would change and changes nothing; --json says it for scripts', async () => {
      const id = await kept();
      const before = await stored();
      const file = `responseId,tier\n${id},gold\nnobody,gold\n`;
      const dry = await run(file, '--dry-run', '--json');
      const facts = {
        changed: 1,
        unchanged: 0,
        skipped: [{ line: 3, responseId: 'nobody', reason: 'unknown' }],
        faults: [],
      };
      assert.deepEqual([dry.code, JSON.parse(dry.stdout)], [2, { applied: false, ...facts }]);
      assert.deepEqual(await stored(), before);
      const wet = await run(file, '--json');
      assert.deepEqual([wet.code, JSON.parse(wet.stdout)], [2, { applied: true, ...facts }]);
      const faulty = await run(`responseId,tier\n${id},basic\n`, '--json');
      const { applied, changed, faults } = JSON.parse(faulty.stdout);
      assert.deepEqual(
        [faulty.code, applied, changed, faults],
        [1, false, 0, [{ line: 2, message: 'tier is "gold" already, not "basic"' }]],
      );
    });

    it('several files at once lose nothing of each other [D-120]', async () => {
      const ids = [await kept(), await kept(), await kept()];
      const columns = { tier: 'gold', spent: '5', member: 'false', since: '2026-01-31' };
      const results = await Promise.all(
        Object.entries(columns).map(([column, value]) =>
          soundings(
            [
              'epp',
              temporaryFile(
                'crm.csv',
                `responseId,${column}\n${ids.map((id) => `${id},${value}\n`).join('')}`,
              ),
              '--account',
              '4001',
            ],
            { DATABASE_URL: service.databaseUrl },
          ),
        ),
      );
      assert.deepEqual(
        results.map(({ code }) => code),
        [0, 0, 0, 0],
      );
      for (const id of ids) assert.equal((await shown(id)).length, 4);
    });

    it('an account or a file that is not there is one sentence', async () => {
      const env = { DATABASE_URL: service.databaseUrl };
      const file = temporaryFile('crm.csv', 'responseId,tier\n');
      const [account, number, missing] = await Promise.all([
        commandHere(['epp', file, '--account', '99'], env),
        commandHere(['epp', file, '--account', 'acme'], env),
        commandHere(['epp', `${file}.gone`, '--account', '4001'], env),
      ]);
      assert.deepEqual([account.code, number.code, missing.code], [1, 1, 1]);
      assert.match(account.stderr, /^soundings: There is no account 99\. See "soundings account list"\.\n$/);
      assert.match(number.stderr, /^soundings: --account must be the number of an account/);
      assert.match(missing.stderr, /soundings: There is no file .*\.gone\. Name a file that exists\./);
    });
  });
}
