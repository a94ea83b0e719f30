// POST /v1/token: client credentials for an access token. There are two kinds of call (D-14): the interface's own,
// with everything in the query and expires_in as a text, and the form that OAuth libraries send, with a number.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessTokens } from '../../acts/access/access-token.ts';
import {
  basicCredentials,
  type Credentials,
  invalidClient,
  type SignIn,
} from '../../acts/access/credentials.ts';
import type { Context } from '../../context.ts';
import { grantType, tokenOperations } from '../../contract/access/token.ts';
import { basicScope, scopeNames, scopes, unknownScopes } from '../../domain/access/account.ts';
import { type Fault, invalidRequest, Problem } from '../../domain/problem.ts';
import type { RawTexts } from '../server/input.ts';
import { addOperation } from '../server/route.ts';
import { type Gate, judgeContentEncoding } from './gate.ts';

/** Others are passed over, as RFC 6749 has it. */
const parameterNames = ['grant_type', 'scope', 'client_id', 'client_secret'] as const;
const formLimitBytes = 16 * 1024;

interface TokenServices {
  readonly context: Context;
  readonly tokens: AccessTokens;
  readonly signIn: SignIn;
  readonly gate: Gate;
}

export function tokenRoutes(app: FastifyInstance, { context, tokens, signIn, gate }: TokenServices): void {
  addOperation(
    app,
    tokenOperations,
    'POST /v1/token',
    async (_input, request, reply) => {
      const call = readCall(request);
      const client = await signIn.authenticate(call.credentials, request.ip);
      gate.admitClient(client, request, reply);
      const scope = judgeParameters(call);
      const notGranted = await signIn.notGranted(client, scopeNames(scope));
      if (notGranted.length > 0) {
        throw new Problem('SCOPE_NOT_GRANTED', `This API client was not granted ${notGranted.join(', ')}.`);
      }
      const accessToken = await tokens.issue(client, scope);
      const lifetimeSeconds = context.config.tokenLifetimeSeconds;
      reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' });
      return {
        access_token: accessToken,
        token_type: 'Bearer' as const,
        expires_in: call.isForm ? lifetimeSeconds : String(lifetimeSeconds),
        scope,
      };
    },
    {
      // A form of four short fields, which anybody may send.
      bodyLimitBytes: Math.min(formLimitBytes, context.config.bodyLimitBytes),
    },
  );
}

interface TokenCall {
  readonly isForm: boolean;
  readonly credentials: readonly Credentials[];
  readonly grantType: string | undefined;
  readonly scope: string | undefined;
  readonly faults: readonly Fault[];
}

/**
 * Finds out which call it is and who makes it. What leaves that in doubt (a body that is no form, two ways of
 * authenticating, a name given twice) is refused here; what is merely wrong is judged after the credentials.
 */
function readCall(request: FastifyRequest): TokenCall {
  const query = request.query as RawTexts;
  const form = readForm(request);
  const given = (name: string): readonly string[] => {
    const inQuery = query[name];
    const asked = typeof inQuery === 'string' ? [inQuery] : (inQuery ?? []);
    return form === null ? asked : [...(form.get(name) ?? []), ...asked];
  };
  const doubts: Fault[] = [];
  for (const name of parameterNames)
    if (given(name).length > 1)
      doubts.push({ field: name, code: 'REPEATED', message: 'is given more than once.' });
  if (query.client_secret !== undefined) {
    doubts.push({
      field: 'client_secret',
      code: 'INVALID',
      message: 'must never stand in the address: it ends up in logs. Change this secret.',
    });
  }
  const authorization = request.headers.authorization || undefined;
  // RFC 6749 3.2: what is sent without a value was not sent.
  const postedSecret = form?.get('client_secret')?.find((value) => value !== '');
  if (authorization !== undefined && postedSecret !== undefined) {
    doubts.push({
      field: 'client_secret',
      code: 'INVALID',
      message: 'came beside the header Authorization: use one way of authenticating.',
    });
  }
  if (doubts.length > 0) throw invalidRequest(doubts);
  const faults: Fault[] = [];
  if (form === null && request.sentContentType === null) {
    faults.push({
      field: 'Content-Type',
      code: 'MISSING',
      message: 'is required, even though the query call has no body.',
    });
  }
  return {
    // A body that says nothing of all this leaves it the query call that it is.
    isForm: form !== null && parameterNames.some((name) => form.has(name)),
    credentials: credentialsOf(authorization, given('client_id')[0], postedSecret),
    grantType: given('grant_type')[0],
    scope: given('scope')[0],
    faults,
  };
}

/** The form of a form call, or null when there is no body and so it is a query call. */
function readForm(request: FastifyRequest): ReadonlyMap<string, readonly string[]> | null {
  const body = request.body as Buffer | undefined;
  if (body === undefined || body.length === 0) return null;
  judgeContentEncoding(request);
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new Problem(
      'INVALID_REQUEST',
      'A body of this endpoint must be a form: application/x-www-form-urlencoded.',
      {
        details: [
          {
            field: 'Content-Type',
            code: 'INVALID',
            message: 'must be application/x-www-form-urlencoded when there is a body.',
          },
        ],
      },
    );
  }
  const form = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) {
    const values = form.get(name);
    if (values === undefined) form.set(name, [value]);
    else values.push(value);
  }
  return form;
}

function credentialsOf(
  authorization: string | undefined,
  clientId: string | undefined,
  clientSecret: string | undefined,
): readonly Credentials[] {
  if (authorization !== undefined) return basicCredentials(authorization);
  if (clientId !== undefined && clientSecret !== undefined) return [{ clientId, clientSecret }];
  throw new Problem(
    'CREDENTIALS_REQUIRED',
    'This endpoint needs client credentials: Authorization: Basic ...',
    {
      headers: invalidClient().headers,
    },
  );
}

/** The scope to answer with. Every fault of form comes at once; then the grant type, then unknown scopes (D-11). */
function judgeParameters(call: TokenCall): string {
  const faults = [...call.faults];
  if (call.grantType === undefined || call.grantType === '') faults.push(missing('grant_type'));
  const scope = call.isForm ? call.scope || basicScope : (call.scope ?? '');
  const names = scopeNames(scope);
  if (names.length === 0) faults.push(missing('scope'));
  if (faults.length > 0) throw invalidRequest(faults);
  if (call.grantType !== grantType) {
    throw new Problem('UNSUPPORTED_GRANT_TYPE', `The grant_type must be ${grantType}.`, {
      details: [{ field: 'grant_type', code: 'INVALID', message: `must be ${grantType}.` }],
    });
  }
  if (unknownScopes(names).length > 0) {
    throw new Problem('INVALID_SCOPE', `There is no such scope; there are ${scopes.join(', ')}.`, {
      details: [{ field: 'scope', code: 'INVALID', message: `must be one or more of ${scopes.join(', ')}.` }],
    });
  }
  return names.join(' ');
}

function missing(field: string): Fault {
  return { field, code: 'MISSING', message: 'is required.' };
}
