import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compareText, fold } from '../fold.ts';
import { Problem } from '../problem.ts';
import {
  addressOf,
  changeUser,
  createUser,
  keysOf,
  reactivate,
  replaceUser,
  stateChange,
  suspend,
  type UserDraft,
  userNotFound,
  versionOf,
} from './user.ts';
import { sameValue, type Values } from './value.ts';

const service = 'urn:ietf:params:scim:schemas:extension:service:1.0:User';
const birth = { accountId: 7, id: 1_000_000_001, nowMs: 1_000 };
const create = (draft: Partial<UserDraft> = {}) => createUser({ userName: 'ada', ...draft }, birth);

function faultsOf(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error.details.map((fault) => `${fault.field} ${fault.code}`);
  }
  return [];
}

describe('fold', () => {
  const same: readonly (readonly [string, string])[] = [
    ['Straße', 'STRASSE'],
    ['STRAẞE', 'strasse'],
    ['ﬁnance', 'FINANCE'],
    ['Ａｄａ', 'ada'],
    ['é', 'e\u0301'],
    ['É', 'e\u0301'],
    ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
    ['σίσυφοσ', 'σίσυφος'],
    ['Дмитрий', 'дМИТРИЙ'],
    ['ŉ', 'ʼN'],
    ['\u212A', 'k'],
    ['ǆ', 'Ǆ'],
    ['ǅ', 'ǆ'],
    ['ı', 'I'],
    ['İ', 'i\u0307'],
    ['\u212B', 'å'],
    ['①', '1'],
    ['ᏸ', 'Ᏸ'],
    ['ꭰ', 'Ꭰ'],
    ['𐐀', '𐐨'],
  ];
  for (const [a, b] of same) {
    it(`${a} and ${b} are the same name [D-51]`, () => assert.equal(fold(a), fold(b)));
  }
  const different: readonly (readonly [string, string])[] = [
    ['ada', 'adá'],
    ['İ', 'i'],
    ['o', 'ø'],
    ['שלום', 'שלו'],
    ['👩', '👨'],
    ['a', 'а'],
  ];
  for (const [a, b] of different) {
    it(`${a} and ${b} are different names [D-51]`, () => assert.notEqual(fold(a), fold(b)));
  }
  it('case never matters, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 8 }), (text) => {
        assert.equal(fold(text.toUpperCase()), fold(text));
        assert.equal(fold(text.toLowerCase().normalize('NFD')), fold(text));
        assert.equal(fold(fold(text)), fold(text));
      }),
    );
  });
  it('the short way for ASCII gives what the long way gives', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii' }), (text) => {
        assert.equal(fold(text), fold(`${text}é`).slice(0, -1));
      }),
    );
  });
  it('texts are ordered as their UTF-8 bytes are', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        assert.equal(Math.sign(compareText(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
    );
    assert.ok(compareText('\u{1F600}', '\uE000') > 0);
  });
});

describe('a new user', () => {
  it('is active and belongs to the account unless said otherwise [D-55]', () => {
    const user = create();
    assert.equal(user.profile.active, true);
    assert.deepEqual(user.profile[service], { clientId: 7 });
    assert.equal(user.revision, 1);
    assert.equal(versionOf(user), 'W/"1"');
  });
  it('keeps clientId and authenticationProvider as sent [D-55]', () => {
    const user = create({ [service]: { clientId: 99, authenticationProvider: 'x' } });
    assert.deepEqual(user.profile[service], { clientId: 99, authenticationProvider: 'x' });
  });
  it('is addressed by its external id, and by its internal one only without [D-50]', () => {
    assert.equal(addressOf(create()), '1000000001');
    assert.equal(addressOf(create({ externalId: '1000000002' })), '1000000002');
  });
  it('is found by folded keys and stored as sent [D-51]', () => {
    const user = create({ userName: 'Straße', name: { givenName: 'ÉVA' } });
    assert.equal(user.profile.userName, 'Straße');
    assert.deepEqual(keysOf(user), {
      userNameKey: 'strasse',
      givenNameKey: 'éva',
      familyNameKey: null,
      externalId: null,
      address: '1000000001',
    });
  });
  const refused: readonly (readonly [string, Partial<UserDraft>, readonly string[]])[] = [
    ['an empty userName', { userName: '' }, ['userName EMPTY']],
    ['a blank userName', { userName: ' \t' }, ['userName EMPTY']],
    ['white space behind a name [D-162]', { userName: 'ada ' }, ['userName WHITE_SPACE']],
    ['white space before a name [D-162]', { userName: '\u2003ada' }, ['userName WHITE_SPACE']],
    ['a zero-width space [D-162]', { userName: 'a\u200Bda' }, ['userName INVISIBLE']],
    ['a tag of a language [D-162]', { userName: 'ada\u{E0041}' }, ['userName INVISIBLE']],
    ['both [D-162]', { userName: 'a\u200Bda\t' }, ['userName WHITE_SPACE', 'userName INVISIBLE']],
    ['.search', { userName: '.search' }, ['userName RESERVED']],
    ['.', { externalId: '.' }, ['externalId RESERVED']],
    ['..', { externalId: '..' }, ['externalId RESERVED']],
    ['.search as externalId', { externalId: '.search' }, ['externalId RESERVED']],
    ['an empty externalId', { externalId: '' }, ['externalId EMPTY']],
    ['256 characters', { userName: 'a'.repeat(256) }, ['userName TOO_LONG']],
    ['a name that folds beyond any index', { userName: '\uFDFA'.repeat(255) }, ['userName TOO_LONG']],
    [
      'two primaries [D-59]',
      {
        emails: [
          { value: 'a', primary: true },
          { value: 'b', primary: true },
        ],
      },
      ['emails SEVERAL_PRIMARIES'],
    ],
    [
      'everything at once [D-22]',
      { userName: '', externalId: '..' },
      ['userName EMPTY', 'externalId RESERVED'],
    ],
  ];
  for (const [what, draft, faults] of refused) {
    it(`is refused for ${what} [D-51]`, () =>
      assert.deepEqual(
        faultsOf(() => create(draft)),
        faults,
      ));
  }
  it('may have white space and signs of every script within its name [D-162]', () => {
    for (const userName of ['Ada Lovelace', 'd’Arc', 'Ольга', '李 明', 'ada+x@example.com', 'a\u0301da']) {
      assert.equal(create({ userName }).profile.userName, userName);
    }
  });
  it('may have 255 characters, counted as people count them [D-51]', () => {
    assert.deepEqual(
      faultsOf(() => create({ userName: '👩'.repeat(255) })),
      [],
    );
  });
});

describe('a replaced user', () => {
  const before = create({ externalId: 'e', title: 'x', active: false });
  it('loses what was omitted, but not its state and its address [D-55]', () => {
    const after = replaceUser(before, { userName: 'ada' }, 5_000);
    assert.equal(after.profile.title, undefined);
    assert.equal(after.profile.active, false);
    assert.equal(after.profile.externalId, 'e');
    assert.equal(after.createdMs, 1_000);
    assert.equal(after.lastModifiedMs, 5_000);
  });
  it('is a new revision even when nothing differs [D-58]', () => {
    assert.equal(replaceUser(before, before.profile, 5_000).revision, 2);
  });
  it('can be revived by saying so [D-57]', () => {
    const after = replaceUser(before, { userName: 'ada', active: true }, 5_000);
    assert.equal(stateChange(before, after), 'reactivated');
  });
  it('is not touched itself', () => {
    const kept = structuredClone(before);
    replaceUser(before, { userName: 'other' }, 5_000);
    assert.deepEqual(before, kept);
  });
});

describe('a change of state', () => {
  it('is told to the audit log, and silence is not [D-57]', () => {
    const user = create();
    const gone = suspend(user, 2);
    assert.equal(stateChange(user, gone), 'suspended');
    assert.equal(stateChange(gone, reactivate(gone, 3)), 'reactivated');
    assert.equal(suspend(gone, 4), gone);
    assert.equal(stateChange(gone, gone), null);
  });
  it('a change that changes nothing gives the very same user [D-56]', () => {
    const user = create({ emails: [{ value: 'a', type: 'work' }] });
    assert.equal(changeUser(user, { ...user.profile, emails: [{ type: 'work', value: 'a' }] }, 9), user);
  });
});

it('a 404 says by what the user is addressed [D-50]', () => {
  const user = create({ externalId: 'e-1' });
  assert.match(userNotFound('1000000001', user).message, /"e-1"/);
  assert.equal(userNotFound('x').code, 'USER_NOT_FOUND');
});

it('values are the same without regard to the order of members, with regard to that of lists', () => {
  assert.ok(sameValue({ a: 1, b: [1, { c: 'x' }] }, { b: [1, { c: 'x' }], a: 1, d: undefined }));
  assert.ok(!sameValue([1, 2], [2, 1]));
  assert.ok(!sameValue({ a: 1 }, { a: '1' }));
  assert.ok(!sameValue([], {}));
});

describe('the version of a user that is shown with groups [D-164]', () => {
  const user = create({});
  const of = (...groups: readonly Values[]): string => versionOf({ ...user, groups });
  const staff = { value: '5', display: 'Staff', type: 'direct' };
  it('is that of the revision without groups, and begins with it otherwise', () => {
    assert.equal(of(), 'W/"1"');
    assert.match(of(staff), /^W\/"1\.[\w-]{16}"$/);
  });
  it('differs by who is there, by their names and by their order, and by nothing else', () => {
    const all = [
      of(staff),
      of({ ...staff, value: '6' }),
      of({ ...staff, display: 'Staff 2' }),
      of(staff, { ...staff, value: '6' }),
      of({ ...staff, value: '6' }, staff),
      of({ value: '5', display: 'Staff","6","x', type: 'direct' }),
      of(staff, { value: '6', display: 'x', type: 'direct' }),
    ];
    assert.equal(new Set(all).size, all.length);
    assert.equal(of({ ...staff }), of(staff));
  });
});
