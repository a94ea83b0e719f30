import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { engines } from '../../support/engines.ts';
import {
  type Call,
  create,
  type ProvisioningService,
  startProvisioning,
  userBody,
} from '../../support/users.ts';

interface Person {
  readonly userName: string;
  readonly given?: string;
  readonly family?: string;
}

// Names that fold beyond ASCII, combining marks, right-to-left text, emoji, and the characters LIKE would mind.
const people: readonly Person[] = [
  { userName: 'hoffmann', given: 'Ernst', family: 'Hoffmann' },
  { userName: 'hofmann', given: 'ERNA', family: 'HOFMANN' },
  { userName: 'strasse', given: 'Änne', family: 'Großmann' },
  { userName: 'combining', given: 'A\u0308nne', family: 'Gru\u0308n' },
  { userName: 'composed', given: 'Zoë', family: 'Grün' },
  { userName: 'ΣΊΣΥΦΟΣ', given: 'Σίσυφος', family: 'Παπαδόπουλος' },
  { userName: 'ivan', given: 'Иван', family: 'Иванов' },
  { userName: 'rtl', given: 'יוסף', family: 'כהן' },
  { userName: 'arabic', given: 'محمد', family: 'الحسن' },
  { userName: '🦊', given: '🦊fox', family: 'de 🦊 Fox' },
  { userName: 'ideograph', given: '太郎', family: '山田' },
  { userName: 'hundred%', given: '100%', family: 'a_b' },
  { userName: 'back\\slash', given: 'C:\\x', family: 'a"b' },
  { userName: 'axb', given: '100x', family: 'axb' },
  { userName: 'half', given: 'ﬁnn', family: '１２３' },
  { userName: 'private', given: '\ue000x', family: '\ue000z' },
  { userName: 'edge', given: '\ud7ffx', family: '\u{10ffff}z' },
  { userName: 'only-given', given: 'Cher' },
  { userName: 'only-family', family: 'Madonna' },
  { userName: 'neither' },
];

for (const engine of engines) {
  describe(`searching users on ${engine.name}`, () => {
    let context: ProvisioningService;
    let call: Call;
    before(async () => {
      context = await startProvisioning(engine);
      call = context.call;
      for (const { userName, given, family } of people) {
        const name = { ...(given && { givenName: given }), ...(family && { familyName: family }) };
        await create(call, userName, { name });
      }
    });
    after(() => context?.close());

    const ask = (filter: string, rest = '') =>
      call('GET', `/Users?filter=${encodeURIComponent(filter)}${rest}`);
    const names = async (filter: string): Promise<string[]> => {
      const { status, body, text } = await ask(filter);
      assert.equal(status, 200, text);
      assert.equal(body.totalResults, body.resources.length);
      return body.resources.map((user: { userName: string }) => user.userName);
    };

    describe('filters', () => {
      const cases: readonly (readonly [string, readonly string[]])[] = [
        ['userName eq "HOFFMANN"', ['hoffmann']],
        ['USERNAME EQ "hoffmann"', ['hoffmann']],
        ['userName eq "nobody"', []],
        ['userName eq "σίσυφος"', ['ΣΊΣΥΦΟΣ']],
        ['userName eq "🦊"', ['🦊']],
        ['userName eq "hoffmann" and name.givenName sw "ern"', ['hoffmann']],
        ['userName eq "hoffmann" and name.givenName sw "x"', []],
        ['name.familyName sw "hof"', ['hoffmann', 'hofmann']],
        ['NAME.FAMILYNAME SW "HOF"', ['hoffmann', 'hofmann']],
        ['name.familyName ew "mann"', ['hoffmann', 'hofmann', 'strasse']],
        ['name.familyName co "FMA"', ['hoffmann', 'hofmann']],
        ['name.familyName co "ffma"', ['hoffmann']],
        ['name.familyName co "ossm"', ['strasse']],
        ['name.familyName co "oßm"', ['strasse']],
        ['name.familyName co "f"', ['hoffmann', 'hofmann', '🦊']],
        ['name.familyName co "ff"', ['hoffmann']],
        ['name.familyName sw "grü"', ['combining', 'composed']],
        ['name.familyName ew "u\u0308n"', ['combining', 'composed']],
        ['name.givenName sw "ä"', ['strasse', 'combining']],
        ['name.givenName sw "A\u0308N"', ['strasse', 'combining']],
        ['name.familyName co "παπ"', ['ΣΊΣΥΦΟΣ']],
        ['name.givenName ew "ΦΟΣ"', ['ΣΊΣΥΦΟΣ']],
        ['name.familyName co "ВАН"', ['ivan']],
        ['name.familyName sw "כ"', ['rtl']],
        ['name.familyName ew "ן"', ['rtl']],
        ['name.givenName co "حم"', ['arabic']],
        ['name.familyName co "🦊"', ['🦊']],
        ['name.familyName co "e 🦊 f"', ['🦊']],
        ['name.givenName sw "🦊"', ['🦊']],
        ['name.givenName ew "郎"', ['ideograph']],
        ['name.givenName co "%"', ['hundred%']],
        ['name.givenName co "00%"', ['hundred%']],
        ['name.givenName sw "100"', ['hundred%', 'axb']],
        ['name.familyName co "_"', ['hundred%']],
        ['name.familyName co "a_b"', ['hundred%']],
        ['name.familyName sw "a_"', ['hundred%']],
        ['name.givenName co "\\\\"', ['back\\slash']],
        ['name.familyName co "a\\"b"', ['back\\slash']],
        ['name.givenName sw "fi"', ['half']],
        ['name.familyName co "123"', ['half']],
        ['name.givenName sw "\ue000"', ['private']],
        ['name.givenName sw "\ud7ff"', ['edge']],
        ['name.familyName sw "\u{10ffff}"', ['edge']],
        ['name.familyName sw "hof" and name.givenName ew "a"', ['hofmann']],
        [
          'name.familyName co "man" and name.familyName co "f" and name.givenName co "r"',
          ['hoffmann', 'hofmann'],
        ],
        ['name.familyName co "nn" and name.givenName co "n"', ['hoffmann', 'hofmann', 'strasse']],
      ];
      for (const [filter, expected] of cases) {
        it(`${filter} finds ${expected.length} [D-53]`, async () => {
          assert.deepEqual(await names(filter), expected);
        });
      }

      it('an empty needle is in every name that is there, and in none that is not', async () => {
        const having = people.filter(({ family }) => family !== undefined).map(({ userName }) => userName);
        for (const operator of ['sw', 'ew', 'co'])
          assert.deepEqual(await names(`name.familyName ${operator} ""`), having);
      });

      const refused = [
        'userName ne "a"',
        'userName sw "a"',
        'userName pr',
        'name.familyName eq "a"',
        'name.familyName pr',
        'name.formatted co "a"',
        'emails.value eq "a"',
        'emails[type eq "work"]',
        'active eq true',
        'userName eq "a" or userName eq "b"',
        'not (userName eq "a")',
        '(userName eq "a")',
        'userName eq 3',
        'userName eq null',
        'nosuch eq "a"',
        '__proto__ eq "a"',
        'constructor.prototype co "a"',
        'userName eq "a',
        'userName',
        'userName eq',
        '',
        ' ',
        'and',
        'userName eq "a" and',
      ];
      for (const filter of refused) {
        it(`${JSON.stringify(filter)} is a bad request that says what is supported [D-53]`, async () => {
          const { status, body } = await ask(filter);
          assert.deepEqual([status, body.errorCode], [400, 'INVALID_FILTER']);
          assert.match(body.message, /Supported are userName with eq/);
          assert.equal(body.detailedErrors[0].field, 'filter');
          const searched = await call('POST', '/Users/.search', { body: { filter } });
          assert.deepEqual([searched.status, searched.body.message], [400, body.message]);
        });
      }

      const monsters: readonly (readonly [string, string])[] = [
        ['10,000 parentheses', '('.repeat(10_000)],
        ['10,000 parentheses around a filter', `${'('.repeat(5_000)}userName eq "a"${')'.repeat(5_000)}`],
        ['40 open escapes', `userName eq "${'\\'.repeat(81)}`],
        ['64 KiB', `userName eq "${'a'.repeat(65_536)}"`],
        ['65 terms', Array.from({ length: 65 }, () => 'userName eq "a"').join(' and ')],
        ['not a hundred times', `${'not ('.repeat(100)}userName pr${')'.repeat(100)}`],
      ];
      for (const [title, filter] of monsters) {
        it(`${title}: a quick 400 [D-27]`, async () => {
          const before = process.cpuUsage();
          const { status, body } = await call('POST', '/Users/.search', { body: { filter } });
          assert.deepEqual([status, body.errorCode], [400, 'INVALID_FILTER']);
          // The service is in this process.
          assert.ok(process.cpuUsage(before).user < 1_000_000);
        });
      }

      it('64 terms are still read [D-27]', async () => {
        const filter = Array.from({ length: 64 }, () => 'name.familyName co "off"').join(' and ');
        assert.deepEqual(await names(filter), ['hoffmann']);
      });

      it('random texts and random filters never give a failure of ours', async () => {
        const word = fc.constantFrom(
          'userName',
          'name.familyName',
          'eq',
          'co',
          'sw',
          'and',
          'or',
          'not',
          '(',
          ')',
          '"a"',
          '"',
          '[',
          ']',
          '\\',
          '%',
          '_',
          'null',
          '🦊',
          '\u0301',
        );
        const filters = fc.oneof(
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
          fc
            .string({ unit: 'grapheme', maxLength: 12 })
            .map((text) => `name.familyName co ${JSON.stringify(text)}`),
        );
        await fc.assert(
          fc.asyncProperty(filters, async (filter) => {
            const { status } = await call('POST', '/Users/.search', { body: { filter } });
            assert.ok(status === 200 || status === 400, `${status} for ${JSON.stringify(filter)}`);
          }),
          { numRuns: 400 },
        );
      });
    });

    describe('paging', () => {
      const total = people.length;
      const edges: readonly (readonly [string, number, number])[] = [
        ['', 1, total],
        ['?count=3', 1, 3],
        ['?startIndex=1&count=3', 1, 3],
        ['?startIndex=0&count=3', 1, 3],
        ['?startIndex=-5&count=3', 1, 3],
        [`?startIndex=${total}`, total, 1],
        [`?startIndex=${total + 1}`, total + 1, 0],
        ['?startIndex=9007199254740991', 9007199254740991, 0],
        ['?count=0', 1, 0],
        ['?count=-1', 1, 0],
        ['?count=-9007199254740991', 1, 0],
        ['?count=1000000', 1, total],
        [`?startIndex=${total - 1}&count=5`, total - 1, 2],
      ];
      for (const [query, startIndex, shown] of edges) {
        it(`GET /Users${query} starts at ${startIndex} with ${shown}, and the true total [D-54]`, async () => {
          const { status, body } = await call('GET', `/Users${query}`);
          assert.equal(status, 200);
          assert.deepEqual(
            [body.totalResults, body.startIndex, body.itemsPerPage, body.resources.length],
            [total, startIndex, shown, shown],
          );
        });
      }

      it('filtered pages have the same edges, whatever finds them', async () => {
        const all = await names('name.familyName co "a"');
        for (const filter of [
          'name.familyName co "a"',
          'name.familyName sw "h"',
          'name.familyName co "man"',
        ]) {
          const whole = await names(filter);
          const pieces: string[] = [];
          for (let start = 1; start <= whole.length + 1; start += 2) {
            const { body } = await ask(filter, `&startIndex=${start}&count=2`);
            assert.equal(body.totalResults, whole.length);
            pieces.push(...body.resources.map((user: { userName: string }) => user.userName));
          }
          assert.deepEqual(pieces, whole);
          const none = await ask(filter, '&count=0');
          assert.deepEqual([none.body.totalResults, none.body.itemsPerPage], [whole.length, 0]);
        }
        assert.ok(all.length > 3);
      });

      it('what is not a whole number, unknown or repeated is refused by name [D-24]', async () => {
        for (const [query, field] of [
          ['count=1.5', 'count'],
          ['count=1e3', 'count'],
          ['count=', 'count'],
          ['startIndex=x', 'startIndex'],
          ['startIndex=99999999999999999999', 'startIndex'],
          ['count=1&count=2', 'count'],
          ['sortBy=userName', 'sortBy'],
          ['Filter=x', 'Filter'],
        ] as const) {
          const { status, body } = await call('GET', `/Users?${query}`);
          assert.deepEqual([status, body.detailedErrors[0].field], [400, field], query);
        }
      });

      it('the search body is judged without coercion, and a misspelt member is no empty filter [D-24] [D-26]', async () => {
        const { status, body } = await call('POST', '/Users/.search', {
          body: { count: '3', startIndex: 1.5, filtr: 'userName eq "a"', schemas: 'x', sortOrder: 'up' },
        });
        assert.equal(status, 400);
        assert.deepEqual(body.detailedErrors.map((fault: { field: string }) => fault.field).sort(), [
          'count',
          'filtr',
          'schemas',
          'sortOrder',
          'startIndex',
        ]);
        const any = await call('POST', '/Users/.search', { body: { schemas: [{ a: 1 }, 'x'], count: 1 } });
        assert.deepEqual([any.status, any.body.itemsPerPage], [200, 1]);
        assert.equal((await call('POST', '/Users/.search')).status, 400);
      });
    });

    describe('sorting', () => {
      const sorted = async (body: object): Promise<string[]> => {
        const answer = await call('POST', '/Users/.search', { body });
        assert.equal(answer.status, 200, answer.text);
        assert.equal(answer.body.totalResults, answer.body.totalResults);
        return answer.body.resources.map((user: { userName: string }) => user.userName);
      };

      it('orders names by what they fold to, in the order of characters, those without last [D-54]', async () => {
        assert.deepEqual(await sorted({ sortBy: 'name.familyName' }), [
          'half',
          'back\\slash',
          'hundred%',
          'axb',
          '🦊',
          'strasse',
          'combining',
          'composed',
          'hoffmann',
          'hofmann',
          'only-family',
          'ΣΊΣΥΦΟΣ',
          'ivan',
          'rtl',
          'arabic',
          'ideograph',
          'private',
          'edge',
          'only-given',
          'neither',
        ]);
      });

      it('descending turns the order round, and those without a value stay last [D-54]', async () => {
        const up = await sorted({ sortBy: 'NAME.familyname', sortOrder: 'ascending' });
        const down = await sorted({ sortBy: 'name.familyName', sortOrder: 'descending' });
        assert.deepEqual(down.slice(0, -2), up.slice(0, -2).reverse());
        assert.deepEqual(down.slice(-2).sort(), up.slice(-2).sort());
      });

      for (const sortBy of [
        'userName',
        'name.givenName',
        'id',
        'emails',
        'emails.value',
        'active',
        'meta.created',
        'externalId',
        'name.familyName',
      ]) {
        it(`by ${sortBy}: the pages are the pieces of the whole, with a filter too [D-54]`, async () => {
          for (const filter of [undefined, 'name.givenName co "n"', 'name.familyName ew "mann"']) {
            const rest = { sortBy, ...(filter && { filter }) };
            const whole = await sorted(rest);
            const pieces: string[] = [];
            for (let start = 1; start <= whole.length; start += 7)
              pieces.push(...(await sorted({ ...rest, startIndex: start, count: 7 })));
            assert.deepEqual(pieces, whole);
            if (filter === undefined) assert.equal(whole.length, people.length);
            else assert.deepEqual(whole.toSorted(), (await names(filter)).toSorted());
          }
        });
      }

      it('sortBy of nothing that has an order is refused', async () => {
        for (const sortBy of ['nosuch', 'name', '__proto__', '', 'emails[type eq "work"]']) {
          const { status, body } = await call('POST', '/Users/.search', { body: { sortBy } });
          assert.deepEqual([status, body.detailedErrors[0].field], [400, 'sortBy'], sortBy);
        }
      });
    });

    it('texts come back as they were sent [D-51]', async () => {
      const { body } = await call('GET', '/Users');
      assert.deepEqual(
        body.resources.map(
          (user: { userName: string; name: { givenName?: string; familyName?: string } }) => ({
            userName: user.userName,
            ...(user.name.givenName && { given: user.name.givenName }),
            ...(user.name.familyName && { family: user.name.familyName }),
          }),
        ),
        people,
      );
    });

    it('a walk through the pages sees the list that was there at the start, while users are being added [D-54]', async () => {
      const atStart = await call('GET', '/Users?count=200');
      const expected = atStart.body.resources.map((user: { id: number }) => user.id);
      let isWalking = true;
      const adding = [1, 2, 3].map(async (writer) => {
        for (let at = 0; isWalking; at += 1) await create(call, `added-${writer}-${at}`);
      });
      const seen: number[] = [];
      for (let start = 1; start <= expected.length; start += 3) {
        const { body } = await call('GET', `/Users?startIndex=${start}&count=3`);
        seen.push(...body.resources.map((user: { id: number }) => user.id));
      }
      isWalking = false;
      await Promise.all(adding);
      assert.deepEqual(seen.slice(0, expected.length), expected);
      const { body } = await call('GET', '/Users?count=0');
      assert.ok(body.totalResults > expected.length);
    });
  });

  it(`the limits of filters and patches are settings on ${engine.name} [D-27]`, async () => {
    const context = await startProvisioning(engine, {
      SOUNDINGS_FILTER_LIMIT_BYTES: '64',
      SOUNDINGS_FILTER_LIMIT_TERMS: '2',
      SOUNDINGS_PATCH_LIMIT_OPERATIONS: '2',
    });
    try {
      const filter = (text: string) => context.call('POST', '/Users/.search', { body: { filter: text } });
      assert.equal((await filter(`userName eq "${'a'.repeat(40)}"`)).status, 200);
      assert.equal((await filter(`userName eq "${'a'.repeat(60)}"`)).status, 400);
      assert.equal((await filter('userName eq "a" and userName eq "b"')).status, 200);
      assert.equal((await filter('userName eq "a" and userName eq "b" and userName eq "c"')).status, 400);
      const answer = await context.call('POST', '/Users', { body: userBody('limited') });
      const operation = { op: 'replace', path: 'active', value: true };
      const patch = (count: number) =>
        context.call('PATCH', `/Users/${answer.body.id}`, {
          body: { schemas: [], operations: Array.from({ length: count }, () => operation) },
        });
      assert.equal((await patch(2)).status, 200);
      const refused = await patch(3);
      assert.deepEqual([refused.status, refused.body.errorCode], [400, 'TOO_MANY_OPERATIONS']);
    } finally {
      await context.close();
    }
  });
}
