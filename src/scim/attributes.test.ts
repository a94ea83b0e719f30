import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Attribute, rootAttributes } from './attributes.ts';
import { serviceFaceSchemaView, standardFaceSchemaView } from './schema-view.ts';
import { enterpriseSchema, serviceSchema, userSchema } from './urns.ts';

function everyAttribute(from: readonly Attribute[] = rootAttributes): readonly Attribute[] {
  return from.flatMap((one) => [one, ...everyAttribute(one.subAttributes)]);
}

describe('the table of attributes', () => {
  it('finds every attribute by its own path, in any case', () => {
    for (const attribute of everyAttribute()) {
      assert.equal(standardFaceSchemaView.resolve(attribute.path), attribute);
      assert.equal(standardFaceSchemaView.resolve(attribute.path.toUpperCase()), attribute);
    }
  });
  it('has a path once only', () => {
    const paths = everyAttribute().map((attribute) => attribute.path.toLowerCase());
    assert.equal(new Set(paths).size, paths.length);
  });
  it('every reference names what it refers to', () => {
    for (const attribute of everyAttribute()) {
      assert.equal(attribute.type === 'reference', attribute.referenceTypes.length > 0, attribute.path);
    }
  });
  it('only complex attributes have parts', () => {
    for (const attribute of everyAttribute()) {
      assert.equal(attribute.type === 'complex', attribute.subAttributes.length > 0, attribute.path);
    }
  });
  const spellings: readonly (readonly [string, string])[] = [
    ['USERNAME', 'userName'],
    [`${userSchema}:userName`, 'userName'],
    [`${userSchema.toUpperCase()}:NAME.givenname`, 'name.givenName'],
    [`${enterpriseSchema}:department`, `${enterpriseSchema}:department`],
    [`${enterpriseSchema}:Manager.Value`, `${enterpriseSchema}:manager.value`],
    [`${serviceSchema}:clientId`, `${serviceSchema}:clientId`],
    [`${serviceSchema}.clientId`, `${serviceSchema}:clientId`],
    [serviceSchema.toLowerCase(), serviceSchema],
  ];
  for (const [written, path] of spellings) {
    it(`${written} is ${path}`, () => assert.equal(standardFaceSchemaView.resolve(written)?.path, path));
  }
  const nowhere = [
    '',
    ' ',
    'user name',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'name.__proto__',
    'name.constructor',
    'department',
    'clientId',
    'name.',
    '.name',
    'emails.value.x',
    `${userSchema}:`,
    userSchema,
    `${enterpriseSchema}:`,
    'nic\u212Aname',
    'ſchemas',
  ];
  for (const written of nowhere) {
    it(`${JSON.stringify(written)} leads nowhere`, () =>
      assert.equal(standardFaceSchemaView.resolve(written), null));
  }
  it('the service face knows the fields of the interface and no others [D-52]', () => {
    const known = everyAttribute().filter((one) => serviceFaceSchemaView.resolve(one.path) !== null);
    assert.deepEqual(known.map((one) => one.path).sort(), [
      'active',
      'emails',
      'emails.primary',
      'emails.type',
      'emails.value',
      'externalId',
      'id',
      'meta',
      'meta.created',
      'meta.lastModified',
      'meta.location',
      'meta.resourceType',
      'meta.version',
      'name',
      'name.familyName',
      'name.givenName',
      'phoneNumbers',
      'phoneNumbers.type',
      'phoneNumbers.value',
      'schemas',
      serviceSchema,
      `${serviceSchema}:authenticationProvider`,
      `${serviceSchema}:clientId`,
      'userName',
    ]);
  });
  it('members of objects are found by their own names alone', () => {
    const name = standardFaceSchemaView.resolve('name');
    assert.equal(standardFaceSchemaView.member(name, 'GIVENNAME')?.path, 'name.givenName');
    assert.equal(standardFaceSchemaView.member(null, 'name.givenName'), null);
    assert.equal(standardFaceSchemaView.member(null, '__proto__'), null);
  });
});
