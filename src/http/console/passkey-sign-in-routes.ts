// /console/api/sign-in/passkey: options for the browser, and what the authenticator has signed.

import type { FastifyInstance } from 'fastify';
import { operatorsAccount } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import { type FoundPasskey, findPasskey, usePasskey } from '../../store/access/passkeys.ts';
import { isOnlyByProvider } from '../../store/access/passwords.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import type { ConsoleServices } from './console-services.ts';
import { checkedAssertion, ownerOf, requestOptions } from './passkey-checks.ts';
import { assertionSchema, passkeyBodyBytesMax, requestOptionsSchema } from './passkey-schemas.ts';
import { stampOf } from './visitor-stamp.ts';

export function passkeySignInRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, signingIn, passkeyChallenges } = services;

  addRoute(app, {
    method: 'POST',
    path: '/console/api/sign-in/passkey/options',
    area: 'console',
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    body: Type.Object({}),
    document: consoleDocument({
      operationId: 'getPasskeySignInOptions',
      summary: 'What an authenticator has to sign',
      description:
        'Options for navigator.credentials.get, the same for everybody. Their challenge is sealed in a cookie of this browser, can be answered once, and ends after five minutes.',
      tag: 'Sign-in',
      success: { status: 200, schema: requestOptionsSchema, description: 'The options.' },
    }),
    handle: async (_input, _request, reply) =>
      requestOptions(address, await passkeyChallenges.make(reply, 'sign-in')),
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/sign-in/passkey',
    area: 'console',
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    bodyLimitBytes: passkeyBodyBytesMax,
    body: Type.Object({ response: assertionSchema }),
    document: consoleDocument({
      operationId: 'signInByPasskey',
      summary: 'Sign in by a passkey',
      description:
        'What the authenticator gave for the options. Whoever has a session and signs in again goes on with it, and it is fresh.',
      tag: 'Sign-in',
      success: { status: 204, schema: null, description: 'Signed in; the session is in the cookie.' },
    }),
    handle: async ({ body: { response } }, request, reply) => {
      const taken = await passkeyChallenges.take(request, 'sign-in');
      if (taken === null)
        throw new Problem(
          'PASSKEY_QUESTION_ENDED',
          'This question to your passkey was answered before, is older than five minutes, or was for something else. Try again.',
        );
      const owner = ownerOf(response.response.userHandle);
      const passkey = owner === null ? null : await findPasskey(context.db, owner, response.id);
      if (passkey === null) throw refused();
      const counter = await checkedAssertion(address, taken.challenge, response, passkey.publicKey);
      if (counter === null) throw refused();
      await demandOpenWay(passkey);
      const { accountId, personId, actor, admitsAdmin } = passkey;
      const use = await context.db.write(usePasskey, {
        ...stampOf(context, request, actor),
        accountId,
        personId,
        id: response.id,
        subject: actor,
        counter,
        challengedAtMs: taken.madeAtMs,
      });
      if (use === 'counterBack')
        throw new Problem(
          'PASSKEY_COUNTED_BACK',
          'Your passkey has counted backwards, as a copy of it would. Sign in another way, remove it and add it again.',
        );
      if (use === 'replayed')
        throw new Problem(
          'PASSKEY_QUESTION_ENDED',
          'This passkey was used elsewhere at the same time. Try again.',
        );
      await signingIn.begin(request, reply, { accountId, personId, actor, way: 'passkey', admitsAdmin });
      passkeyChallenges.drop(reply);
      reply.code(204);
      return null;
    },
  });

  /** Said only to whoever has proved to be a user of the account. */
  async function demandOpenWay({ accountId }: FoundPasskey): Promise<void> {
    if (accountId !== operatorsAccount && (await isOnlyByProvider(context.db, accountId)))
      throw new Problem(
        'SIGN_IN_REFUSED',
        'People of this account sign in through its identity provider alone.',
      );
  }
}

/** One sentence for every reason: nobody learns whether there is such a passkey, or such a person. */
function refused(): Problem {
  return new Problem(
    'PASSKEY_REFUSED',
    'This passkey opens nothing here. Try another one, sign in another way, or ask for a new link.',
  );
}
