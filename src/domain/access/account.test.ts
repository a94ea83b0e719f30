import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ApiClient,
  accountIdLength,
  accountIdMax,
  accountIdPattern,
  basicScope,
  callerOf,
  type Grant,
  grants,
  isGrant,
  readAccountId,
  scopeNames,
  scopes,
  scopesNotGranted,
  unknownScopes,
} from './account.ts';

function client(granted: readonly Grant[]): ApiClient {
  return {
    id: 'sc_1',
    accountId: 4001,
    name: 'Export',
    grants: granted,
    disabled: false,
    mayChangeAdmins: false,
    accountLimits: null,
  };
}

describe('grants and scopes', () => {
  it('there are five grants, and one scope more that opens them all [D-11]', () => {
    assert.deepEqual(grants, [
      'r_cx_measures',
      'r_cx_projects',
      'r_cx_users',
      'w_cx_users',
      'w_cx_responses',
    ]);
    assert.deepEqual(scopes, ['r_cx_basic', ...grants]);
    assert.equal(isGrant(basicScope), false);
    assert.ok(grants.every(isGrant));
  });

  it('a scope text is its names, each once, in the order asked for [D-11]', () => {
    assert.deepEqual(scopeNames('r_cx_users r_cx_basic r_cx_users'), ['r_cx_users', 'r_cx_basic']);
    assert.deepEqual(scopeNames('  r_cx_users  '), ['r_cx_users']);
    assert.deepEqual(scopeNames(''), []);
    assert.deepEqual(scopeNames(' '), []);
  });

  it('a name counts only to the letter: another case, another blank or a known property of objects is unknown [D-11]', () => {
    const wrong = [
      'R_CX_BASIC',
      'r_cx_basic\t',
      'r_cx',
      '*',
      'constructor',
      '__proto__',
      'r_cx_basic,r_cx_users',
    ];
    assert.deepEqual(unknownScopes([...wrong, ...scopes]), wrong);
  });

  it('what a client was not granted is named; the basic scope asks for nothing of its own [D-11]', () => {
    const export1 = client(['r_cx_measures']);
    assert.deepEqual(scopesNotGranted(['r_cx_basic', 'r_cx_measures', 'w_cx_users', 'r_cx_users'], export1), [
      'w_cx_users',
      'r_cx_users',
    ]);
    assert.deepEqual(scopesNotGranted(['r_cx_basic'], client([])), []);
  });
});

describe('the caller', () => {
  const cases: { title: string; granted: Grant[]; token: string[]; opened: Grant[] }[] = [
    {
      title: 'the basic scope opens whatever was granted',
      granted: ['r_cx_users', 'w_cx_users'],
      token: ['r_cx_basic'],
      opened: ['r_cx_users', 'w_cx_users'],
    },
    {
      title: 'a narrow scope opens itself alone',
      granted: ['r_cx_users', 'w_cx_users'],
      token: ['r_cx_users'],
      opened: ['r_cx_users'],
    },
    {
      title: 'a narrow scope beside the basic one takes nothing away',
      granted: ['r_cx_users', 'w_cx_users'],
      token: ['r_cx_users', 'r_cx_basic'],
      opened: ['r_cx_users', 'w_cx_users'],
    },
    {
      title: 'a grant taken away after the token was issued is gone',
      granted: ['r_cx_users'],
      token: ['r_cx_users', 'w_cx_users'],
      opened: ['r_cx_users'],
    },
    { title: 'no scope opens nothing', granted: ['r_cx_users'], token: [], opened: [] },
    { title: 'a client without grants may do nothing', granted: [], token: ['r_cx_basic'], opened: [] },
  ];
  for (const { title, granted, token, opened } of cases) {
    it(`${title} [D-11]`, () => {
      assert.deepEqual([...callerOf(client(granted), token).grants], opened);
    });
  }

  it('calls for the account of its client, whatever the token asks for [D-10]', () => {
    const { accountId, apiClientId } = callerOf(client([]), ['r_cx_basic', 'account:5']);
    assert.deepEqual([accountId, apiClientId], [4001, 'sc_1']);
  });
});

describe('the number of an account [D-868]', () => {
  it('is a whole number that JSON keeps, written without anything else', () => {
    for (const id of [1, 9, 1_234_567_890, accountIdMax]) {
      assert.equal(readAccountId(String(id)), id);
      assert.match(String(id), new RegExp(`^${accountIdPattern}$`));
      assert.ok(String(id).length <= accountIdLength);
    }
    for (const text of [
      '',
      '0',
      '01',
      '-1',
      '1.5',
      '1e3',
      ' 1',
      '1 ',
      '٣',
      '9007199254740992',
      '9'.repeat(17),
    ])
      assert.equal(readAccountId(text), null, text);
  });
});
