import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../domain/problem.ts';
import { createGroup } from '../domain/provisioning/group.ts';
import { createUser } from '../domain/provisioning/user.ts';
import { grow, line } from './attributes.ts';
import { standardFace } from './faces.ts';
import { membersAttribute } from './group-attributes.ts';
import { showGroup } from './groups.ts';
import { project, readProjection, shows, wholeResource } from './projection.ts';
import { groupSchemaView, type SchemaView, standardFaceSchemaView } from './schema-view.ts';
import { enterpriseSchema, userSchema } from './urns.ts';

const ada = standardFace.show(
  createUser(
    {
      userName: 'ada',
      title: 'x',
      name: { givenName: 'A', familyName: 'L' },
      emails: [{ value: 'a@x', type: 'work', primary: true }, { value: 'b@x' }],
      [enterpriseSchema]: { department: 'D', manager: { value: 'm', displayName: 'M' } },
    },
    { accountId: 7, id: 1_000_000_001, nowMs: 0 },
  ),
  'https://x',
);
const always = { schemas: ada.schemas, id: ada.id };
const pick = (request: object) => project(ada, readProjection(request, standardFaceSchemaView));

describe('attributes', () => {
  const cases: readonly (readonly [string, object])[] = [
    ['userName', { userName: 'ada' }],
    ['USERNAME', { userName: 'ada' }],
    [`${userSchema}:userName`, { userName: 'ada' }],
    [' userName , title ', { userName: 'ada', title: 'x' }],
    ['id', {}],
    ['name', { name: ada.name }],
    ['name.familyName', { name: { familyName: 'L' } }],
    ['name.familyName,name', { name: ada.name }],
    ['emails.value', { emails: [{ value: 'a@x' }, { value: 'b@x' }] }],
    ['emails.type', { emails: [{ type: 'work' }] }],
    ['photos', {}],
    [enterpriseSchema, { [enterpriseSchema]: ada[enterpriseSchema] }],
    [`${enterpriseSchema}:department`, { [enterpriseSchema]: { department: 'D' } }],
    [`${enterpriseSchema}:manager.value`, { [enterpriseSchema]: { manager: { value: 'm' } } }],
    [`${enterpriseSchema}.department`, { [enterpriseSchema]: { department: 'D' } }],
    ['meta.version', { meta: { version: 'W/"1"' } }],
    ['password', {}],
    ['shoeSize', {}],
    ['shoeSize,title', { title: 'x' }],
    ['__proto__,constructor', {}],
  ];
  for (const [names, rest] of cases) {
    it(`${names} shows these and what is always shown`, () => {
      assert.deepEqual(pick({ attributes: names }), { ...always, ...rest });
      assert.deepEqual(pick({ attributes: names.split(',') }), { ...always, ...rest });
    });
  }
  it('the URN of the schema stands for all that it defines', () => {
    const shown = pick({ attributes: userSchema });
    assert.equal(shown.userName, 'ada');
    assert.equal(shown.meta, undefined);
    assert.equal(shown[enterpriseSchema], undefined);
  });
  it('empty ones ask for nothing in particular', () => {
    for (const attributes of ['', ',', [], undefined]) assert.deepEqual(pick({ attributes }), ada);
  });
});

describe('excludedAttributes', () => {
  const without = (...names: readonly string[]) =>
    Object.fromEntries(Object.entries(ada).filter(([name]) => !names.includes(name)));
  const cases: readonly (readonly [string, object])[] = [
    ['emails', without('emails')],
    ['EMAILS,name', without('emails', 'name')],
    ['emails.type,emails.primary', { ...ada, emails: [{ value: 'a@x' }, { value: 'b@x' }] }],
    ['emails.type,emails.primary,emails.value', without('emails')],
    ['id,schemas', ada],
    ['meta', without('meta')],
    [enterpriseSchema, without(enterpriseSchema)],
    ['shoeSize', ada],
  ];
  for (const [names, expected] of cases) {
    it(`${names} leaves the rest`, () => assert.deepEqual(pick({ excludedAttributes: names }), expected));
  }
  it('of members lets a group be shown without reading them', () => {
    const projection = readProjection({ excludedAttributes: 'members' }, groupSchemaView);
    assert.equal(shows(projection, membersAttribute), false);
    const group = createGroup({ displayName: 'Staff' }, { accountId: 7, id: 9, nowMs: 0 });
    const shown = showGroup(group, [{ id: 1, type: 'User', display: null }], 'https://x');
    assert.equal(project(shown, projection).members, undefined);
    assert.equal(
      shows(readProjection({ attributes: 'members.value' }, groupSchemaView), membersAttribute),
      true,
    );
    assert.equal(
      shows(readProjection({ attributes: 'displayName' }, groupSchemaView), membersAttribute),
      false,
    );
    assert.equal(shows(wholeResource(groupSchemaView), membersAttribute), true);
    assert.deepEqual(project(showGroup(group, [], 'https://x'), wholeResource(groupSchemaView)).members, []);
  });
});

describe('what a request may not ask', () => {
  const refused: readonly object[] = [
    { attributes: 'userName', excludedAttributes: 'title' },
    { attributes: 5 },
    { attributes: ['userName', 5] },
    { excludedAttributes: { userName: true } },
    { attributes: Array(1001).fill('title') },
  ];
  for (const request of refused) {
    it(`${JSON.stringify(request).slice(0, 60)} is refused`, () => {
      assert.throws(
        () => pick(request),
        (error) => error instanceof Problem && error.code === 'INVALID_REQUEST',
      );
    });
  }
});

it('what is returned on request is shown only when it is asked for', () => {
  const secret = grow(line('secret', 'On request.', { returned: 'request' }), null, null);
  const box = grow(
    line('box', 'Holds one.', {
      type: 'complex',
      of: [line('inner', 'On request.', { returned: 'request' })],
    }),
    null,
    null,
  );
  const byName = new Map([
    ['secret', secret],
    ['box', box],
    ['box.inner', box.subAttributes[0]],
  ]);
  const schemaView: SchemaView = {
    schema: 'urn:test',
    roots: [secret, box],
    knows: () => true,
    partsOf: (attribute) => attribute.subAttributes,
    resolve: (path) => byName.get(path) ?? null,
    member: () => null,
  };
  const resource = { secret: 's', box: { inner: 'i' } };
  assert.deepEqual(project(resource, wholeResource(schemaView)), {});
  assert.deepEqual(project(resource, readProjection({ attributes: 'secret' }, schemaView)), { secret: 's' });
  assert.deepEqual(project(resource, readProjection({ attributes: 'box' }, schemaView)), {
    box: { inner: 'i' },
  });
  assert.deepEqual(project(resource, readProjection({ attributes: 'box.inner' }, schemaView)), {
    box: { inner: 'i' },
  });
});

it('random names never show what is never shown, nor hide what is always shown', () => {
  const name = fc.oneof(
    fc.constantFrom(
      'id',
      'schemas',
      'password',
      'name',
      'name.givenName',
      'emails.value',
      'meta',
      enterpriseSchema,
    ),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(name, { maxLength: 6 }), fc.boolean(), (names, excludes) => {
      const shown = pick(excludes ? { excludedAttributes: names } : { attributes: names });
      assert.equal(shown.id, ada.id);
      assert.deepEqual(shown.schemas, ada.schemas);
      assert.equal('password' in shown, false);
      for (const member of Object.keys(shown)) assert.ok(member in ada);
    }),
    { numRuns: 500 },
  );
});
