import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { coreSchema, enterpriseSchema, serviceSchema } from './attributes.ts';
import { resourceTypes, schemaDocuments, schemas, serviceProviderConfig } from './discovery.ts';
import { dialect, faces, standard } from './faces.ts';

const baseUrl = 'http://127.0.0.1:8080';

describe('discovery', () => {
  const facts = { baseUrl, documentationUri: `${baseUrl}/docs`, maxResults: 200, bulk: null };
  it('the configuration has every member of the interface [D-52b]', () => {
    const config = serviceProviderConfig(dialect, facts);
    const { authenticationSchemes, meta, schemas: urns, ...rest } = config;
    assert.deepEqual(rest, {
      documentationUri: `${baseUrl}/docs`,
      patch: { supported: true },
      changePassword: { supported: false },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
    });
    assert.match(JSON.stringify(authenticationSchemes), /oauthbearertoken/);
    assert.match(JSON.stringify([meta, urns]), /v1\/scim\/ServiceProviderConfig/);
  });
  it('resource types of the dialect are one object that is also a list [D-52b]', () => {
    const document = resourceTypes(dialect, baseUrl);
    assert.equal(document.id, 'User');
    assert.equal(document.endpoint, '/Users');
    assert.deepEqual(document.schemaExtensions, [serviceSchema]);
    assert.equal(document.totalResults, 1);
    assert.equal((document.resources as readonly { id: string }[])[0]?.id, 'User');
  });
  it('resource types of the standard are a list of the RFC', () => {
    const document = resourceTypes(standard, baseUrl);
    assert.equal(document.id, undefined);
    assert.deepEqual((document.Resources as readonly { schemaExtensions: unknown }[])[0]?.schemaExtensions, [
      { schema: enterpriseSchema, required: false },
      { schema: serviceSchema, required: false },
    ]);
  });
  it('schemas say what the face knows and requires [D-52b]', () => {
    const [core, ...extensions] = schemaDocuments(dialect, baseUrl);
    const attributes = core?.attributes as readonly { name: string; type: string; required: boolean }[];
    assert.deepEqual(
      attributes.filter((one) => one.required).map((one) => one.name),
      ['schemas', 'meta', 'userName', 'name', 'emails'],
    );
    assert.equal(attributes.find((one) => one.name === 'id')?.type, 'integer');
    assert.deepEqual(
      extensions.map((one) => one.id),
      [serviceSchema],
    );
    assert.equal(schemas(standard, baseUrl).totalResults, 3);
    const [user] = schemaDocuments(standard, baseUrl);
    assert.ok(user !== undefined);
    const named = (user.attributes as readonly { name: string }[]).map((one) => one.name);
    assert.ok(named.includes('addresses') && !named.includes('id'));
  });
  it('what is promised can be read: every attribute of a schema document resolves', () => {
    for (const face of faces) {
      for (const document of schemaDocuments(face, baseUrl)) {
        for (const { name } of document.attributes as readonly { name: string }[]) {
          assert.ok(
            face.directory.resolve(`${document.id === coreSchema ? '' : `${document.id}:`}${name}`),
            name,
          );
        }
      }
    }
  });
});
