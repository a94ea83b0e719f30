// The standard face as an identity provider sees it: calls below /scim/v2, with what RFC 7644 sends.

import assert from 'node:assert/strict';
import { holdToDocument } from './documented-answers.ts';
import { errorSchema, groupSchema, patchSchema, userSchema } from './schema-urns.ts';
import type { Answer, Call, CallOptions, ProvisioningService } from './users.ts';

/** Calls the standard face with the service's own token, unless another is given. */
export function standardCall(context: ProvisioningService): Call {
  return (method, path, options = {}) =>
    callStandard(context.service.baseUrl, context.token, method, path, options);
}

export async function callStandard(
  baseUrl: string,
  token: string,
  method: string,
  path: string,
  { body, headers = {}, ...options }: CallOptions,
): Promise<Answer> {
  const url = `${options.baseUrl ?? baseUrl}/scim/v2${path}`;
  const answer = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${options.token ?? token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const { status } = answer;
  const text = await answer.text();
  holdToDocument({ method, url, status, text, header: (name) => answer.headers.get(name) });
  const isJson = (answer.headers.get('content-type') ?? '').includes('json') && text !== '';
  return { status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : null };
}

export const standardUser = (userName: string, rest: object = {}): object => ({
  schemas: [userSchema],
  userName,
  ...rest,
});

export const patchOf = (...Operations: readonly object[]): object => ({ schemas: [patchSchema], Operations });

// biome-ignore lint/suspicious/noExplicitAny: a resource as JSON.
export async function make(call: Call, path: '/Users' | '/Groups', body: object): Promise<any> {
  const answer = await call('POST', path, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

export const group = (displayName: string, members: readonly string[] = [], rest: object = {}): object => ({
  schemas: [groupSchema],
  displayName,
  members: members.map((value) => ({ value })),
  ...rest,
});

/** That an answer is a refusal in the words of RFC 7644 section 3.12. */
export function assertRefusal(answer: Answer, status: number, scimType?: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/scim+json');
  assert.deepEqual(answer.body.schemas, [errorSchema]);
  assert.equal(answer.body.status, String(status));
  assert.equal(answer.body.scimType, scimType);
  assert.ok(answer.body.detail.length > 0);
}
