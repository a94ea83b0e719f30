// The standard face as an identity provider sees it: calls below /scim/v2, with what RFC 7644 sends.

import assert from 'node:assert/strict';
import { errorSchema, groupSchema, patchSchema, userSchema } from './schema-urns.ts';
import { type Answer, type Call, type CallOptions, callFace, type ProvisioningService } from './users.ts';

/** Calls the standard face with the service's own token, unless another is given. */
export function standardCall(context: ProvisioningService): Call {
  return (method, path, options = {}) =>
    callStandard(context.service.baseUrl, context.token, method, path, options);
}

export function callStandard(
  baseUrl: string,
  token: string,
  method: string,
  path: string,
  options: CallOptions,
): Promise<Answer> {
  const type = 'application/scim+json';
  return callFace({ baseUrl, face: '/scim/v2', type, token }, method, path, options);
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
