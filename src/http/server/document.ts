// The API document (OpenAPI 3.1), made from the declarations of the routes: what is declared is what is served and
// what is written down.

import type { TObject, TSchema } from 'typebox';
import { Fault } from '../feedback/feedback-schemas.ts';
import type { Area } from './errors.ts';
import type { DeclaredEndpoint, RouteDocument } from './route.ts';
import { Type } from './schema.ts';

type Json = Record<string, unknown>;

const timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC, with milliseconds.' });
const errorCode = Type.String({ description: 'A stable word of the catalogue in docs/errors.md.' });

const serviceError = {
  timestamp,
  status: Type.Integer({ description: 'The HTTP status of the answer.' }),
  message: Type.String(),
  errorCode,
  detailedErrors: Type.Array(Fault, { description: 'Every fault, where there is something to add.' }),
};

const errorSchemas: Readonly<Record<Area, TObject>> = {
  service: Type.Object(serviceError, { $id: 'Error' }),
  token: Type.Object(
    { ...serviceError, error: Type.String(), error_description: Type.String() },
    { $id: 'TokenError' },
  ),
  ingestion: Type.Object(
    {
      detailedErrors: Type.Array(Fault),
      errorCode,
      message: Type.String(),
      responseCode: Type.Integer(),
      responseType: Type.Literal('ERROR'),
      timestamp,
    },
    { $id: 'IngestionError' },
  ),
  project: Type.Object(
    { errorCode: Type.Integer({ description: 'The number of the code.' }), message: Type.String() },
    { $id: 'ProjectError' },
  ),
  projectData: Type.Object(
    { timestamp, status: Type.Integer(), message: Type.String() },
    { $id: 'ProjectDataError' },
  ),
  scim: Type.Object(
    {
      schemas: Type.Array(Type.String()),
      status: Type.String(),
      scimType: Type.Optional(Type.String()),
      detail: Type.String(),
    },
    { $id: 'ScimError' },
  ),
};

const tagMeanings: Readonly<Record<string, string>> = {
  Token: 'Client credentials for an access token.',
  Measures: 'What an account measures, and the respondents behind it.',
  Projects: 'Feedback projects and their entries.',
  Ingestion: 'Survey responses on their way in.',
  Users: 'Provisioning of users.',
};

const meanings: Readonly<Record<number, string>> = {
  304: 'Not modified: the version in If-None-Match is the current one',
  400: 'Bad request: every fault is named',
  401: 'Unauthenticated: credentials are missing, wrong, invalid or expired',
  403: 'Forbidden: the token does not open this endpoint',
  404: 'Not found',
  406: 'Not acceptable: none of the content types in Accept can be produced',
  409: 'Conflict with what is kept',
  412: 'Precondition failed: If-Match names another version',
  413: 'The body is larger than the limit',
  415: 'Unsupported media type',
  429: 'Throttled: Retry-After says when to come back',
  500: 'Server error: please retry',
  501: 'Not implemented',
  502: 'Downstream error: the store cannot be reached; please retry',
  503: 'Service unavailable: maintenance, draining, or no room; Retry-After says when to come back',
};

export function openApiDocument(endpoints: readonly DeclaredEndpoint[], version: string): Json {
  const schemas = new Map<string, TSchema>();
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const endpoint of endpoints) {
    const { document } = endpoint;
    if (document === undefined) continue;
    tags.add(document.tag);
    const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, document, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Soundings',
      version,
      description:
        'Customer feedback: token issuance, measures, projects, ingestion of survey responses, and user provisioning. Within /v1 changes only add; ignore members you do not know.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags: [...tags].map((name) => ({ name, description: tagMeanings[name] ?? name })),
    paths,
    components: {
      schemas: componentsOf(schemas),
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'A token from POST /v1/token.',
        },
        clientCredentials: {
          type: 'http',
          scheme: 'basic',
          description: 'The id and secret of an API client.',
        },
      },
    },
  };
}

/** Writing one down may name further ones, which then stand behind it and get their turn. */
function componentsOf(schemas: Map<string, TSchema>): Json {
  const written: [string, Json][] = [];
  for (const [id, schema] of schemas) written.push([id, inlined(schema, schemas)]);
  return Object.fromEntries(written.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function operation(endpoint: DeclaredEndpoint, document: RouteDocument, schemas: Map<string, TSchema>): Json {
  const ref = (schema: TSchema): Json => reference(schema, schemas);
  const [type = 'application/json'] = endpoint.produces ?? [];
  const errorType = endpoint.area === 'scim' ? 'application/scim+json' : 'application/json';
  const failures = document.conditions.map((status) => {
    const content =
      status < 400 ? {} : { content: { [errorType]: { schema: ref(errorSchemas[endpoint.area]) } } };
    return [String(status), { description: meanings[status] ?? 'Failure', ...content }];
  });
  const success = {
    description: document.success.description,
    ...(document.success.schema === null
      ? {}
      : { content: { [type]: { schema: ref(document.success.schema) } } }),
  };
  const body = endpoint.body ?? document.body;
  const parameters = [
    ...parametersOf(endpoint.params, 'path', ref),
    ...parametersOf(endpoint.query ?? document.query, 'query', ref),
    ...parametersOf(document.headers, 'header', ref),
  ];
  return {
    operationId: document.operationId,
    summary: document.summary,
    description: withScope(document.description, endpoint),
    tags: [document.tag],
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(endpoint, ref(body)) }),
    responses: {
      [document.success.status]: success,
      ...(document.emptySuccess === undefined ? {} : { 204: { description: document.emptySuccess } }),
      ...Object.fromEntries(failures),
    },
  };
}

function withScope(description: string, { access, accept }: DeclaredEndpoint): string {
  const scope = typeof access === 'string' ? '' : ` Needs the grant \`${access.grant}\`.`;
  const header = accept === 'required' ? ' The header Accept is required.' : '';
  return description + scope + header;
}

function securityOf({ access }: DeclaredEndpoint): Json[] {
  if (access === 'anyone') return [];
  if (access === 'survey') return [{ accessToken: [] }, {}];
  return [access === 'apiClient' ? { clientCredentials: [] } : { accessToken: [] }];
}

function bodyOf({ consumes = ['application/json'] }: DeclaredEndpoint, schema: Json): Json {
  return { required: true, content: Object.fromEntries(consumes.map((type) => [type, { schema }])) };
}

function parametersOf(schema: TObject | undefined, place: string, ref: (schema: TSchema) => Json): Json[] {
  if (schema === undefined) return [];
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) => {
    const { description, ...rest } = ref(property) as Json & { description?: string };
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

/** A schema with a name stands once among the components and is referred to. */
function reference(schema: TSchema, schemas: Map<string, TSchema>): Json {
  const { $id } = schema as { $id?: string };
  if ($id === undefined) return inlined(schema, schemas);
  schemas.set($id, schema);
  return { $ref: `#/components/schemas/${$id}` };
}

function inlined(schema: TSchema, schemas: Map<string, TSchema>): Json {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (value === null || typeof value !== 'object') return value;
    if ('$id' in value) return reference(value as TSchema, schemas);
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, copy(member)]));
  };
  const { $id: _name, ...rest } = schema as unknown as Json;
  return copy(rest) as Json;
}
