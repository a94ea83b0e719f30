import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOneGo } from '../domain/interruptible.ts';
import { brief, bulkInWords, changesInWords, draftInWords, filterInWords, patchInWords } from './explain.ts';
import { parseFilter } from './filter.ts';
import { readPatch } from './operations.ts';
import { groupSchemaView, standardFaceSchemaView } from './schema-view.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('a filter in words', () => {
  const cases: readonly [string, string][] = [
    ['USERNAME eq "ada"', 'userName eq "…"'],
    ['externalId eq "e-1" or id eq "1000000001"', 'externalId eq "e-1" or id eq "1000000001"'],
    ['active eq true and title pr', 'active eq true and title pr'],
    ['emails[type eq "work" and value co "@x"]', 'emails[type eq "work" and value co "…"]'],
    ['emails[type eq "ada@x"]', 'emails[type eq "…"]'],
    ['not (name.familyName sw "L")', 'not (name.familyName sw "…")'],
    ['meta.created gt "2026-01-01T00:00:00Z"', 'meta.created gt "2026-01-01T00:00:00Z"'],
  ];
  for (const [written, words] of cases)
    it(`${written} is told as ${words}`, () =>
      assert.equal(filterInWords(parseFilter(written, standardFaceSchemaView)), words));
});

describe('a patch in words', () => {
  const told = (operations: readonly object[], schemaView = standardFaceSchemaView): string =>
    patchInWords(inOneGo(readPatch({ Operations: operations }, schemaView)));

  it('names operations and attributes, states and kinds, and no other value', () => {
    const words = told([
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'ada@x' },
      { op: 'remove', path: 'emails[value eq "ada@x"]' },
      { op: 'replace', value: { displayName: 'Ada', [`${enterprise}:department`]: 'Engines' } },
    ]);
    assert.equal(
      words,
      `replace active (false); add emails[type eq "work"].value; remove emails[value eq "…"]; replace displayName; replace ${enterprise}:department`,
    );
  });

  it('counts members, and names the first by their ids', () => {
    const value = Array.from({ length: 7 }, (_, at) => ({ value: String(1_000_000_001 + at) }));
    assert.equal(
      told([{ op: 'add', path: 'members', value }], groupSchemaView),
      'add members (1000000001, 1000000002, 1000000003, 1000000004, 1000000005, 2 more)',
    );
    const odd = [{ op: 'add', path: 'members', value: [{ value: 'ada@x' }] }];
    assert.equal(told(odd, groupSchemaView), 'add members (1 more)');
  });
});

describe('other requests in words', () => {
  it('a body is the list of the attributes it speaks of, with those that nobody knows', () => {
    const body = {
      schemas: ['x'],
      USERNAME: 'ada',
      name: { givenName: 'Ada' },
      emails: [{ value: 'ada@x' }],
      [enterprise]: { department: 'Engines' },
      shoeSize: 38,
    };
    assert.equal(
      draftInWords(body, standardFaceSchemaView),
      `userName, name.givenName, emails, ${enterprise}:department; ignored: shoeSize`,
    );
    assert.equal(draftInWords([], standardFaceSchemaView), null);
  });

  it('a change is the list of the attributes that differ; none is null', () => {
    const before = { userName: 'ada', active: true, name: { givenName: 'Ada', familyName: 'L' } };
    const after = { userName: 'ada', active: false, name: { givenName: 'A', familyName: 'L' }, title: 'x' };
    assert.equal(changesInWords(before, after), 'active (false), name.givenName, title');
    assert.equal(changesInWords(before, { ...before }), null);
    assert.equal(changesInWords({}, { [enterprise]: { department: 'Engines' } }), `${enterprise}:department`);
  });

  it('a bulk request is counted by kind', () => {
    const operations = [
      { method: 'POST', path: '/Users' },
      { method: 'post', path: '/Users' },
      { method: 'PATCH', path: '/Groups/7' },
      { method: 'ada', path: '/ada' },
    ];
    const types = [{ endpoint: 'Users' }, { endpoint: 'Groups' }];
    assert.equal(
      bulkInWords({ Operations: operations }, types),
      '2 POST of users, 1 PATCH of groups, 1 unreadable',
    );
    assert.equal(bulkInWords({}, types), null);
  });

  it('whatever is told has an end', () => assert.equal(brief('x'.repeat(10_000)).length, 500));
});
