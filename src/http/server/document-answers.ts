// How answers look in the API document: the headers that they carry, and the body of an error in each area.

import type { TObject, TSchema } from 'typebox';
import { Fault } from '../../contract/feedback/response-row.ts';
import type { AnswerHeader, Area } from '../../contract/operation.ts';
import { Type } from '../../contract/schema.ts';
import { type Code, codes, Problem, type Fault as ProblemFault } from '../../domain/problem.ts';
import type { Components, Json } from './document-components.ts';
import { errorBody, problemTypes, statusOf } from './errors.ts';
import type { DeclaredEndpoint, RouteDocument } from './route.ts';

const timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC, with milliseconds.' });
const errorCode = Type.String({ description: 'A stable word of the catalogue in docs/errors.md.' });
const message = Type.String({ description: 'What is wrong, in a sentence for people.' });
const status = Type.Integer({ description: 'The HTTP status of the answer.' });
const detailedErrors = Type.Array(Fault, { description: 'Every fault, where there is something to add.' });

const serviceError = { timestamp, status, message, errorCode, detailedErrors };

const errorSchemas: Readonly<Record<Area, TObject>> = {
  service: Type.Object(serviceError, { $id: 'ServiceError' }),
  token: Type.Object(
    {
      ...serviceError,
      error: Type.String({ description: 'The word of RFC 6749 section 5.2.' }),
      error_description: Type.String(),
    },
    { $id: 'TokenError' },
  ),
  ingestion: Type.Object(
    {
      detailedErrors,
      errorCode,
      message,
      responseCode: status,
      responseType: Type.Literal('ERROR'),
      timestamp,
    },
    { $id: 'IngestionError' },
  ),
  project: Type.Object(
    {
      errorCode: Type.Integer({ description: 'The number of the code in docs/errors.md.' }),
      message,
    },
    { $id: 'ProjectError' },
  ),
  projectData: Type.Object({ timestamp, status, message }, { $id: 'ProjectDataError' }),
  scim: Type.Object(
    {
      schemas: Type.Array(Type.String()),
      status: Type.String({ description: 'The HTTP status of the answer, as a text.' }),
      scimType: Type.Optional(Type.String({ description: 'The word of RFC 7644 table 9.' })),
      detail: Type.String({ description: 'What is wrong, in a sentence for people.' }),
    },
    { $id: 'ScimError' },
  ),
  console: Type.Object(
    {
      type: Type.Literal('about:blank'),
      title: Type.String({ description: 'What the code means.' }),
      status,
      detail: message,
      code: errorCode,
      faults: detailedErrors,
      requestId: Type.String({ description: 'Quote it when you ask for help.' }),
    },
    { $id: 'ConsoleProblem' },
  ),
};

const meanings: Readonly<Record<number, string>> = {
  304: 'Not modified: the version in If-None-Match is the current one',
  400: 'Bad request: every fault is named',
  401: 'Unauthenticated: credentials are missing, wrong, invalid or expired',
  403: 'Forbidden: the token does not open this endpoint',
  404: 'Not found',
  406: 'Not acceptable: none of the content types in Accept can be produced',
  409: 'Conflict with what is kept',
  410: 'Gone: what was asked for is no longer there; the message says what to do',
  412: 'Precondition failed: If-Match names another version',
  413: 'The body is larger than the limit',
  415: 'Unsupported media type',
  429: 'Throttled: Retry-After says when to come back',
  500: 'Server error: please retry',
  501: 'Not implemented',
  502: 'Downstream error: the store cannot be reached; please retry',
  503: 'Service unavailable: maintenance, draining, or no room; Retry-After says when to come back',
};

type Header =
  | AnswerHeader
  | 'X-Request-Id'
  | 'RateLimit'
  | 'RateLimit-Policy'
  | 'Retry-After'
  | 'WWW-Authenticate'
  | 'Accept-Encoding';

const headers: Readonly<Record<Header, { description: string; example: string | number }>> = {
  'X-Request-Id': {
    description: 'The name of the exchange in the logs: quote it when you report a failure.',
    example: '0199c8f4-7d3a-7c11-9a52-5b1de0a4c0f7',
  },
  RateLimit: {
    description:
      'How many requests are left of the limit that is named, and in how many seconds it is full again. Missing where the operator has switched throttling off.',
    example: '"client";r=99;t=1',
  },
  'RateLimit-Policy': {
    description:
      'The limits: `q` requests within `w` seconds. With several replicas each names the share that it allows.',
    example: '"client";q=100;w=2, "account";q=300;w=2',
  },
  'Retry-After': { description: 'In how many seconds to come back.', example: 1 },
  'WWW-Authenticate': {
    description: 'The kind of credentials that is asked for and, of a token, what is wrong with it.',
    example: 'Bearer realm="soundings"',
  },
  'Accept-Encoding': {
    description: 'On the refusal of a compressed body: how bodies must come.',
    example: 'identity',
  },
  ETag: { description: 'The version, for If-Match and If-None-Match.', example: 'W/"1"' },
  Link: {
    description: 'The next page, as `<address>; rel="next"`; missing on the last one.',
    example:
      '<http://127.0.0.1:8080/v1/measures/8840868/data?from=2026-01-01&to=2026-01-31&offset=1>; rel="next"',
  },
  'Export-Rows': { description: 'How many rows the file has.', example: 2 },
  'Export-End-Position': {
    description: 'The last position of the log when the export began, or `until` where that was asked for.',
    example: 2,
  },
  Location: {
    description: 'The address of what was created.',
    example: 'http://127.0.0.1:8080/scim/v2/Users/1000000001',
  },
};

const headersOfStatus: Readonly<Record<number, readonly Header[]>> = {
  304: ['ETag'],
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  415: ['Accept-Encoding'],
  429: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  503: ['Retry-After'],
};

/** Every answer of an operation, by its status. */
export function answersOf(
  endpoint: DeclaredEndpoint,
  document: RouteDocument,
  components: Components,
  example: unknown,
): Json {
  const { success, emptySuccess, answerHeaders = [], conditions } = document;
  const counted: readonly Header[] = endpoint.access === 'anyone' ? [] : ['RateLimit', 'RateLimit-Policy'];
  const carried = headersIn(components, [...answerHeaders, ...counted]);
  const failures = conditions.map((condition) => [condition, failure(endpoint, condition, components)]);
  return {
    [success.status]: {
      description: success.description,
      headers: carried,
      ...(success.schema === null
        ? {}
        : { content: contentOf(endpoint.produces, success.schema, components, document, example) }),
    },
    ...(emptySuccess === undefined ? {} : { 204: { description: emptySuccess, headers: carried } }),
    ...Object.fromEntries(failures),
  };
}

function contentOf(
  types: readonly string[] = ['application/json'],
  schema: TSchema,
  components: Components,
  { operationId, typeExamples = {} }: RouteDocument,
  example: unknown,
): Json {
  const recorded =
    example === undefined
      ? {}
      : {
          examples: {
            demo: components.refer('examples', `${operationId}Answer`, () => ({ value: example })),
          },
        };
  const examplesOf = (type: string): Json =>
    type in typeExamples ? { example: typeExamples[type] } : recorded;
  return Object.fromEntries(
    types.map((type) => [type, { schema: components.schema(schema), ...examplesOf(type) }]),
  );
}

function headersIn(components: Components, names: readonly Header[]): Json {
  const all: readonly Header[] = ['X-Request-Id', ...names];
  return Object.fromEntries(
    all.map((name) => [name, components.refer('headers', name, () => headerObject(name))]),
  );
}

function headerObject(name: Header): Json {
  const { description, example } = headers[name];
  return { description, schema: { type: typeof example === 'number' ? 'integer' : 'string' }, example };
}

// ---- failures

const exampleFaults: Partial<Record<Code, readonly ProblemFault[]>> = {
  INVALID_REQUEST: [{ field: 'limit', code: 'INVALID', message: 'must be a whole number.' }],
  INVALID_RESPONSE: [{ field: 'responses.Q-STARS', code: 'REQUIRED', message: 'Q-STARS needs an answer.' }],
};

const exampleMs = Date.UTC(2026, 0, 15, 12);
const exampleRequestId = '0199c8f4-7d3a-7c11-9a52-3f0d8c1b2a64';

/** The same failure is the same answer wherever it occurs in an area, so it stands once. */
function failure(
  { area, path, refusals }: DeclaredEndpoint,
  condition: number,
  components: Components,
): Json {
  const code = refusals.find((one) => Math.floor(codes[one].number / 100) === condition);
  if (code === undefined && condition !== 304) throw new Error(`${path}: what is the code of ${condition}?`);
  const name =
    code === undefined ? 'NotModified' : area[0]!.toUpperCase() + area.slice(1) + pascal(code.toLowerCase());
  return components.refer('responses', name, () => ({
    description: meanings[condition] ?? 'Failure',
    headers: headersIn(components, headersOfStatus[condition] ?? []),
    ...(code === undefined ? {} : { content: errorContent(area, code, components) }),
  }));
}

function errorContent(area: Area, code: Code, components: Components): Json {
  const problem = new Problem(code, codes[code].meaning, { details: exampleFaults[code] ?? [] });
  const [type = ''] = (problemTypes[area] ?? 'application/json').split(';');
  const body = errorBody(area, problem, statusOf[problem.condition], exampleMs);
  const example = area === 'console' ? { ...body, requestId: exampleRequestId } : body;
  return { [type]: { schema: components.schema(errorSchemas[area]), example } };
}

function pascal(text: string): string {
  return text.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
