import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createUser, type UserDraft } from '../domain/provisioning/user.ts';
import { compareSortKeys, matches, sortKeyOf } from './evaluate.ts';
import { parseFilter } from './filter.ts';
import { resourceOf } from './resource.ts';
import { standardFaceSchemaView } from './schema-view.ts';
import { enterpriseSchema, serviceSchema } from './urns.ts';

const draft: UserDraft = {
  userName: 'Bjørn.Straße@example.com',
  externalId: 'Ext-1',
  name: { givenName: 'Bjørn', familyName: 'Straße' },
  title: 'Tour Guide',
  emails: [
    { value: 'bjorn@work.example', type: 'work' },
    { value: 'bjorn@home.example', type: 'home', primary: true },
  ],
  addresses: [{ country: 'DE', locality: 'Berlin' }],
  [enterpriseSchema]: { department: 'Sales', manager: { value: 'Boss-1' } },
};
const user = createUser(draft, { accountId: 7, id: 1_000_000_001, nowMs: Date.UTC(2026, 0, 31, 12) });
const resource = resourceOf(user, 'http://x/Users/Ext-1');

describe('what filters mean', () => {
  const cases: readonly (readonly [string, boolean])[] = [
    ['userName eq "bjørn.strasse@EXAMPLE.com"', true],
    ['userName eq "bjorn.strasse@example.com"', false],
    ['name.familyName sw "STRASS"', true],
    ['name.familyName ew "SSE"', true],
    ['name.familyName co "ß"', true],
    ['externalId eq "Ext-1"', true],
    ['externalId eq "ext-1"', false],
    ['externalId eq null', false],
    ['externalId ne null', true],
    ['nickName eq null', true],
    ['nickName ne "x"', true],
    ['not (nickName eq "x")', true],
    ['nickName pr', false],
    ['nickName gt ""', false],
    ['title pr', true],
    ['title gt "s"', true],
    ['title lt "s"', false],
    ['title ge "TOUR GUIDE"', true],
    ['title le "tour guide"', true],
    ['active eq true', true],
    ['active ne true', false],
    ['active eq false', false],
    ['emails pr', true],
    ['photos pr', false],
    ['emails co "HOME"', true],
    ['emails.type eq "work"', true],
    ['emails.type ne "work"', false],
    ['emails.type ne "other"', true],
    ['emails[type eq "work" and value co "home"]', false],
    ['emails.type eq "work" and emails.value co "home"', true],
    ['emails[type eq "home"].value eq "bjorn@home.example"', true],
    ['emails[type eq "work"].value eq "bjorn@home.example"', false],
    ['emails[not (type eq "work")]', true],
    ['not (emails[type eq "work"])', false],
    ['emails[primary eq true].type eq "home"', true],
    ['emails[primary ne true]', true],
    ['addresses[country eq "de"].locality sw "ber"', true],
    [`${enterpriseSchema}:department eq "sales"`, true],
    [`${enterpriseSchema}:manager eq "Boss-1"`, true],
    [`${enterpriseSchema}:manager eq "boss-1"`, false],
    [`${enterpriseSchema}:costCenter pr`, false],
    [`${enterpriseSchema} pr`, true],
    [`${serviceSchema}:clientId eq 7`, true],
    [`${serviceSchema}:clientId gt 7`, false],
    [`${serviceSchema}:clientId ge 7 and ${serviceSchema}:clientId le 7`, true],
    ['meta.created eq "2026-01-31T13:00:00+01:00"', true],
    ['meta.lastModified gt "2026-01-31T11:59:59.999Z"', true],
    ['meta.lastModified lt "2026-01-31T12:00:00Z"', false],
    ['meta.resourceType eq "User"', true],
    ['meta.location ew "/Ext-1"', true],
    ['id eq "1000000001"', true],
    ['schemas eq "urn:ietf:params:scim:schemas:core:2.0:User"', true],
    [`schemas eq "${enterpriseSchema}"`, true],
    ['title eq "x" or title pr and userName pr', true],
    ['(title eq "x" or title pr) and nickName pr', false],
    ['password pr', false],
    ['groups pr', false],
  ];
  for (const [text, expected] of cases) {
    it(`${text} is ${expected} [D-53]`, () => {
      assert.equal(matches(parseFilter(text, standardFaceSchemaView), resource), expected);
    });
  }
});

describe('sorting', () => {
  const keyOf = (path: string) => {
    const attribute = standardFaceSchemaView.resolve(path);
    assert.ok(attribute !== null);
    return sortKeyOf(resource, attribute);
  };
  it('takes the folded value, of lists the primary one, of objects their value [D-54]', () => {
    assert.equal(keyOf('name.familyName'), 'strasse');
    assert.equal(keyOf('emails'), 'bjorn@home.example');
    assert.equal(keyOf('emails.type'), 'home');
    assert.equal(keyOf('addresses.locality'), 'berlin');
    assert.equal(keyOf(`${enterpriseSchema}:manager`), 'Boss-1');
    assert.equal(keyOf('meta.created'), Date.UTC(2026, 0, 31, 12));
    assert.equal(keyOf('active'), 1);
    assert.equal(keyOf('nickName'), null);
    assert.equal(keyOf('photos'), null);
  });
  it('puts users without the value last [D-54]', () => {
    assert.deepEqual([null, 'b', 'a'].sort(compareSortKeys), ['a', 'b', null]);
    assert.deepEqual([3, null, 1].sort(compareSortKeys), [1, 3, null]);
  });
});
