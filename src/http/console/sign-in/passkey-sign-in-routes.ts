// /console/api/sign-in/passkey: options for the browser, and what the authenticator has signed.

import type { FastifyInstance } from 'fastify';
import { checkedAssertion, ownerOf, requestOptions } from '../../../acts/access/passkey-checks.ts';
import { passkeyBodyBytesMax } from '../../../acts/access/passkey-schemas.ts';
import { passkeySignInOperations } from '../../../contract/access/passkey-sign-in.ts';
import { operatorsAccount } from '../../../domain/access/visitor.ts';
import { Problem } from '../../../domain/problem.ts';
import { type FoundPasskey, findPasskey, usePasskey } from '../../../store/people/passkeys.ts';
import { isOnlyByProvider } from '../../../store/people/passwords.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';

export function passkeySignInRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, signingIn, passkeyChallenges } = services;

  addOperation(
    app,
    passkeySignInOperations,
    'POST /sign-in/passkey/options',
    async (_input, _request, reply) =>
      requestOptions(address, await passkeyChallenges.make(reply, 'sign-in')),
  );

  addOperation(
    app,
    passkeySignInOperations,
    'POST /sign-in/passkey',
    async ({ body: { response } }, request, reply) => {
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
    { bodyLimitBytes: passkeyBodyBytesMax },
  );

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
