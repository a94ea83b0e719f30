import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../domain/problem.ts';
import type { Values } from '../domain/provisioning/value.ts';
import { bulkLimits } from './bulk-request.ts';
import {
  findResourceType,
  findSchema,
  resourceTypes,
  schemaDocuments,
  schemas,
  serviceProviderConfig,
} from './discovery.ts';
import { type Face, faces, serviceFace, standardFace } from './faces.ts';
import { describeUsers, groupDescription } from './resource-type.ts';
import { groupSchemaView } from './schema-view.ts';
import { enterpriseSchema, groupSchema, serviceSchema, userSchema } from './urns.ts';

const baseUrl = 'http://127.0.0.1:8080';
const typesOf = (face: Face) => [describeUsers(face), ...(face.hasUsersAlone ? [] : [groupDescription])];

describe('discovery', () => {
  const facts = { baseUrl, documentationUri: `${baseUrl}/docs`, maxResults: 200, bulk: null };
  it('the configuration has every member of the interface [D-52b]', () => {
    const config = serviceProviderConfig(serviceFace, facts);
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
  it('resource types of the service face are one object that is also a list [D-52b]', () => {
    const document = resourceTypes(serviceFace, typesOf(serviceFace), baseUrl);
    assert.equal(document.id, 'User');
    assert.equal(document.endpoint, '/Users');
    assert.deepEqual(document.schemaExtensions, [serviceSchema]);
    assert.equal(document.totalResults, 1);
    assert.equal((document.resources as readonly { id: string }[])[0]?.id, 'User');
  });
  it('resource types of the standard are a list of the RFC', () => {
    const document = resourceTypes(standardFace, typesOf(standardFace), baseUrl);
    assert.equal(document.id, undefined);
    assert.deepEqual((document.Resources as readonly { schemaExtensions: unknown }[])[0]?.schemaExtensions, [
      { schema: enterpriseSchema, required: false },
      { schema: serviceSchema, required: false },
    ]);
  });
  it('schemas say what the face knows and requires [D-52b]', () => {
    const [core, ...extensions] = schemaDocuments(serviceFace, typesOf(serviceFace), baseUrl);
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
    assert.equal(schemas(standardFace, typesOf(standardFace), baseUrl).totalResults, 4);
    const [user] = schemaDocuments(standardFace, typesOf(standardFace), baseUrl);
    assert.ok(user !== undefined);
    const named = (user.attributes as readonly { name: string }[]).map((one) => one.name);
    assert.ok(named.includes('addresses') && !named.includes('id'));
  });
  it('what is promised can be read: every attribute of a schema document resolves', () => {
    for (const face of faces) {
      for (const document of schemaDocuments(face, typesOf(face), baseUrl)) {
        const schemaView = document.id === groupSchema ? groupSchemaView : face.schemaView;
        for (const { name } of document.attributes as readonly { name: string }[]) {
          assert.ok(schemaView.resolve(`${document.id}:${name}`), name);
        }
      }
    }
  });
});

describe('discovery of the standard', () => {
  interface Described {
    readonly name: string;
    readonly type: string;
    readonly referenceTypes?: readonly string[];
    readonly subAttributes?: readonly Described[];
  }
  const flat = (attributes: readonly Described[]): readonly Described[] =>
    attributes.flatMap((one) => [one, ...flat(one.subAttributes ?? [])]);
  const attributesOf = (urn: string): readonly Described[] =>
    flat(
      findSchema(standardFace, typesOf(standardFace), baseUrl, urn)
        .attributes as unknown as readonly Described[],
    );
  const urns = schemaDocuments(standardFace, typesOf(standardFace), baseUrl).map((document) =>
    String(document.id),
  );

  it('has users and groups, each with its schema', () => {
    const { Resources } = resourceTypes(standardFace, typesOf(standardFace), baseUrl) as unknown as {
      Resources: { id: string; endpoint: string; schema: string }[];
    };
    assert.deepEqual(
      Resources.map(({ id, endpoint, schema }) => [id, endpoint, schema]),
      [
        ['User', '/Users', userSchema],
        ['Group', '/Groups', groupSchema],
      ],
    );
    for (const { schema } of Resources) assert.ok(urns.includes(schema));
  });
  it('gives each document under its own id, and its location leads there', () => {
    for (const urn of urns) {
      const { meta } = findSchema(standardFace, typesOf(standardFace), baseUrl, urn) as {
        meta: { location: string };
      };
      assert.equal(meta.location, `${baseUrl}/scim/v2/Schemas/${urn}`);
    }
    assert.equal(findResourceType(standardFace, typesOf(standardFace), baseUrl, 'Group').name, 'Group');
    assert.equal(
      findSchema(standardFace, typesOf(standardFace), baseUrl, groupSchema.toUpperCase()).id,
      groupSchema,
    );
  });
  it('of something else is not found', () => {
    const acts = [
      () => findSchema(standardFace, typesOf(standardFace), baseUrl, 'urn:nobody'),
      () => findResourceType(standardFace, typesOf(standardFace), baseUrl, 'Cat'),
      () => findResourceType(serviceFace, typesOf(serviceFace), baseUrl, 'Group'),
      () => findSchema(serviceFace, typesOf(serviceFace), baseUrl, groupSchema),
    ];
    for (const act of acts) {
      assert.throws(act, (error) => error instanceof Problem && error.code === 'SCHEMA_NOT_FOUND');
    }
  });
  it('every reference names what it may refer to, and nothing else does', () => {
    for (const urn of urns) {
      for (const attribute of attributesOf(urn)) {
        const isReference = attribute.type === 'reference';
        assert.equal((attribute.referenceTypes ?? []).length > 0, isReference, `${urn} ${attribute.name}`);
      }
    }
    const members = attributesOf(groupSchema).find(({ name }) => name === '$ref');
    assert.deepEqual(members?.referenceTypes, ['User', 'Group']);
  });
  it('describes a group so that a client knows what it may change', () => {
    const [displayName, members] = findSchema(standardFace, typesOf(standardFace), baseUrl, groupSchema)
      .attributes as readonly Values[];
    assert.equal(displayName?.required, true);
    assert.equal(displayName?.uniqueness, 'server');
    const parts = members?.subAttributes as readonly Values[];
    assert.deepEqual(
      parts.map((part) => `${part.name} ${part.mutability}`),
      ['value immutable', '$ref immutable', 'display readOnly', 'type immutable'],
    );
  });
  it('has no null and no empty value anywhere, as Entra ID asks', () => {
    const text = JSON.stringify([
      schemas(standardFace, typesOf(standardFace), baseUrl),
      resourceTypes(standardFace, typesOf(standardFace), baseUrl),
    ]);
    assert.doesNotMatch(text, /null|undefined|""/);
  });
  it('says truthfully what the face can do', () => {
    const { documentationUri, ...config } = serviceProviderConfig(standardFace, {
      baseUrl,
      documentationUri: `${baseUrl}/docs`,
      maxResults: 200,
      bulk: bulkLimits,
    });
    assert.equal(documentationUri, `${baseUrl}/docs`);
    assert.deepEqual(config.bulk, { supported: true, maxOperations: 1000, maxPayloadSize: 1_048_576 });
    assert.deepEqual(config.filter, { supported: true, maxResults: 200 });
    assert.deepEqual(
      [config.patch, config.sort, config.etag, config.changePassword],
      [{ supported: true }, { supported: true }, { supported: true }, { supported: false }],
    );
  });
});
