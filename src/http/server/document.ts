// The API document (OpenAPI 3.1), made from the declarations of the routes: what is declared is what is served and
// what is written down.

import type { TObject, TSchema } from 'typebox';
import { basicScope, type Grant } from '../../domain/access/account.ts';
import { type Interruptible, inOneGo } from '../../domain/interruptible.ts';
import { answersOf } from './document-answers.ts';
import { Components, type Json } from './document-components.ts';
import type { DeclaredEndpoint, RouteDocument } from './route.ts';

/** One call of an operation that works against the demo account, and what it is answered with. */
interface OperationExample {
  /** Of the path, the query and the headers, by their names. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly answer?: unknown;
}

export type OperationExamples = Readonly<Record<string, OperationExample>>;

/** In the order in which a reader meets them: the first of it can be tried as soon as the reference is authorized. */
const tagMeanings: Readonly<Record<string, string>> = {
  Measures: 'What an account measures, and the respondents behind it.',
  Projects: 'Feedback projects and their entries.',
  Ingestion: 'Survey responses on their way in.',
  Token: 'An access token for the id and secret of an API client, which come as Basic credentials.',
  'Users at /v1/scim': 'Provisioning of users in the style of SCIM.',
  'Users at /scim/v2': 'Provisioning of the same users by RFC 7643 and RFC 7644, for identity providers.',
  'Groups at /scim/v2': 'Groups of users, by the same RFCs.',
  'Bulk at /scim/v2': 'Many changes in one request, by the same RFCs.',
  'Survey pages': 'What the pages on which people answer ask for.',
};

const scopeMeanings: Readonly<Record<Grant | typeof basicScope, string>> = {
  [basicScope]: 'Everything that the API client was granted',
  r_cx_measures: 'Read measures and their respondents',
  r_cx_projects: 'Read projects and their entries',
  r_cx_users: 'Read users and groups',
  w_cx_users: 'Change users and groups',
  w_cx_responses: 'Submit survey responses',
};

const ingestionGrant: Grant = 'w_cx_responses';

export function openApiDocument(
  endpoints: readonly DeclaredEndpoint[],
  version: string,
  examples: OperationExamples = {},
): Json {
  const work = documentOf(endpoints, examples, {
    title: 'Soundings',
    version,
    description:
      'Customer feedback: token issuance, measures, projects, ingestion of survey responses, and user provisioning. Within /v1 changes only add; ignore members you do not know. The examples are of the demo account: `soundings serve --demo` on an empty store answers each of them.',
  });
  return inOneGo(work);
}

/** What the pages of the console call. It changes with them and is no part of the interface. */
export function consoleDocument(
  endpoints: readonly DeclaredEndpoint[],
  version: string,
): Interruptible<Json> {
  return documentOf(
    endpoints,
    {},
    {
      title: 'Soundings console',
      version,
      description:
        'What the pages of the console call, with the cookie of a session. It changes with those pages; programs use the interface.',
    },
  );
}

function* documentOf(
  endpoints: readonly DeclaredEndpoint[],
  examples: OperationExamples,
  info: Json,
): Interruptible<Json> {
  const components = new Components();
  const paths: Record<string, Json> = {};
  const tags = new Set<string>();
  for (const endpoint of endpoints) {
    const { document } = endpoint;
    if (document === undefined) continue;
    tags.add(document.tag);
    const path = endpoint.path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
    const example = examples[document.operationId] ?? { parameters: {} };
    paths[path] = {
      ...paths[path],
      [endpoint.method.toLowerCase()]: operation(endpoint, document, components, example),
    };
    yield;
  }
  return {
    openapi: '3.1.0',
    info: { ...info, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: '/', description: 'This service' }],
    tags: inReadingOrder([...tags]).map((name) => ({ name, description: tagMeanings[name] ?? name })),
    paths,
    components: { ...(yield* components.written()), securitySchemes: schemesOf(endpoints) },
  };
}

function inReadingOrder(tags: readonly string[]): readonly string[] {
  const known = Object.keys(tagMeanings).filter((name) => tags.includes(name));
  return [...known, ...tags.filter((name) => !known.includes(name))];
}

const securitySchemes = {
  oauth2: {
    type: 'oauth2',
    description: 'The id and secret of an API client are exchanged for a token.',
    flows: { clientCredentials: { tokenUrl: '/v1/token', scopes: scopeMeanings } },
  },
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token from POST /v1/token or, for user provisioning, one made by the operator.',
  },
  clientCredentials: {
    type: 'http',
    scheme: 'basic',
    description: 'The id and secret of an API client.',
  },
};

/** Those of the console are people, those of the interface programs. */
function schemesOf(endpoints: readonly DeclaredEndpoint[]): Json {
  const isOfConsole = endpoints.every(({ area }) => area === 'console');
  return isOfConsole
    ? {
        session: { type: 'apiKey', in: 'cookie', name: '__Host-soundings' },
        sharedView: {
          type: 'apiKey',
          in: 'header',
          name: 'Soundings-View',
          description: 'What stands behind the # of the link of a shared view.',
        },
      }
    : securitySchemes;
}

function operation(
  endpoint: DeclaredEndpoint,
  document: RouteDocument,
  components: Components,
  example: OperationExample,
): Json {
  const body = document.body ?? endpoint.body;
  const parameters = [
    ...parametersOf(endpoint.params, 'path', components, example),
    ...parametersOf(endpoint.query ?? document.query, 'query', components, example),
    ...parametersOf(document.headers, 'header', components, example),
  ];
  return {
    operationId: document.operationId,
    summary: document.summary,
    description: withScope(document.description, endpoint),
    tags: [document.tag],
    security: securityOf(endpoint),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: bodyOf(endpoint, document, components, body, example) }),
    responses: answersOf(endpoint, document, components, example.answer),
  };
}

function withScope(description: string, { access, accept }: DeclaredEndpoint): string {
  const scope =
    typeof access === 'object' && 'grant' in access ? ` Needs the grant \`${access.grant}\`.` : '';
  const header = accept === 'required' ? ' The header Accept is required.' : '';
  return description + scope + header;
}

function securityOf({ access }: DeclaredEndpoint): Json[] {
  if (access === 'anyone') return [];
  if (access === 'apiClient') return [{ clientCredentials: [] }];
  if (access === 'sharedView') return [{ sharedView: [] }];
  if (access === 'survey') return [{ oauth2: [ingestionGrant] }, { accessToken: [] }, {}];
  if ('people' in access) return access.people === 'signedIn' ? [{ session: [] }] : [];
  return [{ oauth2: [access.grant] }, { accessToken: [] }];
}

function bodyOf(
  { consumes }: DeclaredEndpoint,
  { operationId, bodyExamples = {} }: RouteDocument,
  components: Components,
  schema: TSchema,
  { body }: OperationExample,
): Json {
  // An endpoint that reads its body by itself reads a form.
  const types = consumes ?? ['application/x-www-form-urlencoded'];
  const examples =
    body === undefined
      ? {}
      : { examples: { demo: components.refer('examples', `${operationId}Body`, () => ({ value: body })) } };
  const mediaOf = (type: string): Json => ({
    schema: components.schema(schema),
    ...(type in bodyExamples ? { example: bodyExamples[type] } : examples),
  });
  return {
    required: consumes !== undefined,
    content: Object.fromEntries(types.map((type) => [type, mediaOf(type)])),
  };
}

function parametersOf(
  schema: TObject | undefined,
  place: string,
  components: Components,
  { parameters }: OperationExample,
): Json[] {
  if (schema === undefined) return [];
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties as Record<string, TSchema>).map(([name, property]) => {
    // Beside a reference as well: whoever reads of the parameter is not sent elsewhere.
    const { description } = property as { readonly description?: string };
    const { description: _said, ...rest } = components.schema(property);
    return {
      name,
      in: place,
      required: place === 'path' || required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
      ...(name in parameters ? { example: parameters[name] } : {}),
    };
  });
}
