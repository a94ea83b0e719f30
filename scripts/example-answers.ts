// The answers in the API document are what the service really says: the demo account is loaded into a store in memory,
// by a clock that stands still and with ids that count on, and every example call is sent to it.

import type { FastifyInstance } from 'fastify';
import type { OperationExamples } from '../src/http/server/document.ts';
import type { DeclaredEndpoint } from '../src/http/server/route.ts';
import { type ExampleCall, exampleCalls } from './example-calls.ts';

/** A page of an example need not be long. */
const shownMax = 2;

export async function recordExamples(
  app: FastifyInstance,
  endpoints: readonly DeclaredEndpoint[],
  { clientId, clientSecret }: { clientId: string; clientSecret: string },
): Promise<OperationExamples> {
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  const { access_token: token } = await answerTo(app, 'issueToken', basic);
  const examples: Record<string, OperationExamples[string]> = {};
  for (const { document } of endpoints) {
    if (document === undefined) continue;
    const { operationId } = document;
    const call = exampleCalls[operationId];
    if (call === undefined) throw new Error(`scripts/example-calls.ts has no call of ${operationId}.`);
    const isToken = operationId === 'issueToken';
    const answer = await wholeAnswerTo(app, operationId, isToken ? basic : `Bearer ${token}`);
    examples[operationId] = {
      parameters: call.parameters ?? {},
      ...(call.body === undefined ? {} : { body: call.body }),
      // A token is made of random bits.
      ...(answer === null
        ? {}
        : { answer: isToken ? { ...answer, access_token: 'eyJhbGciOiJFZERTQSJ9...' } : shortened(answer) }),
    };
  }
  return examples;
}

const asksMax = 20;

/** A busy machine does not look through all responses in the time that an example gives: it is asked for again. */
async function wholeAnswerTo(
  app: FastifyInstance,
  operationId: string,
  authorization: string,
): ReturnType<typeof answerTo> {
  for (let ask = 1; ; ask += 1) {
    const answer = await answerTo(app, operationId, authorization);
    if (answer?.complete !== false || ask === asksMax) return answer;
  }
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of any operation.
async function answerTo(app: FastifyInstance, operationId: string, authorization: string): Promise<any> {
  const endpoint = app.endpoints.find(({ document }) => document?.operationId === operationId)!;
  const call = exampleCalls[operationId]!;
  const { url, headers } = addressOf(endpoint, call);
  const [type = 'application/x-www-form-urlencoded'] = endpoint.consumes ?? [];
  const {
    statusCode,
    payload,
    headers: answered,
  } = await app.inject({
    method: endpoint.method,
    url,
    headers: {
      authorization,
      accept: endpoint.produces?.[0] ?? 'application/json',
      ...(call.body === undefined ? {} : { 'content-type': type }),
      ...headers,
    },
    ...(call.body === undefined || endpoint.consumes === undefined
      ? {}
      : { payload: typeof call.body === 'string' ? call.body : JSON.stringify(call.body) }),
  });
  if (statusCode >= 300)
    throw new Error(`The example of ${operationId} is answered with ${statusCode}: ${payload}`);
  if (payload === '') return null;
  return /json(;|$)/.test(String(answered['content-type'])) &&
    !/ndjson/.test(String(answered['content-type']))
    ? JSON.parse(payload)
    : payload;
}

function addressOf(
  { path, params, document }: DeclaredEndpoint,
  { parameters = {} }: ExampleCall,
): { url: string; headers: Record<string, string> } {
  const query = new URLSearchParams();
  const headers: Record<string, string> = {};
  let url = path;
  for (const [name, value] of Object.entries(parameters)) {
    if (name in (params?.properties ?? {})) url = url.replace(`:${name}`, encodeURIComponent(value));
    else if (name in (document?.headers?.properties ?? {})) headers[name] = String(value);
    else query.set(name, String(value));
  }
  return { url: query.size === 0 ? url : `${url}?${query}`, headers };
}

/** The same with few elements of each list; lists of texts are whole. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value))
    return (typeof value[0] === 'object' ? value.slice(0, shownMax) : value).map(shortened);
  // An invitation is made of random bits.
  if (typeof value === 'string') return value.replace(/\?i=[\w.-]+$/, '?i=eyJhbGciOiJkaXIi...');
  if (value === null || typeof value !== 'object') return value;
  // Tools take a member `$ref` for a reference of the document, wherever it stands. A mark is made of random bits.
  const members = Object.entries(value).filter(([name]) => name !== '$ref');
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === 'mark' ? 'q5WcUEg_TTmA' : shortened(member)]),
  );
}
