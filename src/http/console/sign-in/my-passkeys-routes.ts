// /console/api/me/passkeys: the passkeys of whoever has signed in.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { checkedRegistration, creationOptions } from '../../../acts/access/passkey-checks.ts';
import { passkeyBodyBytesMax } from '../../../acts/access/passkey-schemas.ts';
import { ownPasskeyOperations } from '../../../contract/access/own-passkeys.ts';
import type { AnswerOf } from '../../../contract/operation.ts';
import { passkeysMax } from '../../../domain/access/credential-bounds.ts';
import {
  actorOf,
  operatorsAccount,
  type PersonId,
  personIdOf,
  type Visitor,
} from '../../../domain/access/visitor.ts';
import { type Fault, invalidRequest, Problem } from '../../../domain/problem.ts';
import {
  addPasskey,
  type ListedPasskey,
  listPasskeys,
  type PasskeyChange,
  removePasskey,
  renamePasskey,
} from '../../../store/people/passkeys.ts';
import { isOnlyByProvider } from '../../../store/people/passwords.ts';
import { addOperation } from '../../server/route.ts';
import { visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { waysInOf } from './ways-in-of.ts';

type CreationOptions = AnswerOf<(typeof ownPasskeyOperations)['all']['POST /me/passkeys/options']>;

export function myPasskeysRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, passkeyChallenges } = services;

  addOperation(app, ownPasskeyOperations, 'GET /me/passkeys', async (_input, request) => {
    const passkeys = await listPasskeys(context.db, personIdOf(visitorOf(request).person));
    return { passkeys: passkeys.map(shown) };
  });

  addOperation(app, ownPasskeyOperations, 'POST /me/passkeys/options', async (_input, request, reply) => {
    const visitor = visitorOf(request);
    const owner = personIdOf(visitor.person);
    await demandRoomForPasskeys(owner);
    const known = await listPasskeys(context.db, owner);
    if (known.length >= passkeysMax) throw tooMany();
    const challenge = await passkeyChallenges.make(reply, visitor);
    const options = await creationOptions(address, challenge, { ...owner, name: nameOf(visitor) }, known);
    const { rp, user, pubKeyCredParams, timeout, attestation, excludeCredentials, authenticatorSelection } =
      options;
    // The types of the library leave open what it leaves out; all that was asked for is there.
    return {
      rp,
      user,
      challenge,
      pubKeyCredParams,
      timeout,
      attestation,
      excludeCredentials,
      authenticatorSelection,
    } as CreationOptions;
  });

  addOperation(
    app,
    ownPasskeyOperations,
    'POST /me/passkeys',
    async ({ body: { name, response } }, request, reply) => {
      const visitor = visitorOf(request);
      demandVisible(name);
      await demandRoomForPasskeys(personIdOf(visitor.person));
      const taken = await passkeyChallenges.take(request, visitor);
      if (taken === null)
        throw wrong(
          'the question to the authenticator was answered before, is older than five minutes, or was for something else. Ask for new options.',
        );
      const passkey = await checkedRegistration(address, taken.challenge, response);
      if (passkey === null)
        throw wrong(
          `is not what was asked for: a passkey of ${address.origin} for which its owner was verified.`,
        );
      const change = { ...changeOf(request, passkey.id), ...passkey, name };
      const outcome = await context.db.write(addPasskey, change);
      if (outcome === 'personGone')
        throw new Problem('SIGN_IN_REQUIRED', 'This session has ended. Sign in again.');
      if (outcome === 'tooMany') throw tooMany();
      if (outcome === 'known') throw new Problem('CONFLICT', 'This passkey is known already.');
      passkeyChallenges.drop(reply);
      reply.code(201);
      return shown({ ...passkey, name, createdAtMs: change.nowMs, usedAtMs: null });
    },
    { bodyLimitBytes: passkeyBodyBytesMax },
  );

  addOperation(
    app,
    ownPasskeyOperations,
    'PATCH /me/passkeys/:id',
    async ({ params: { id }, body: { name } }, request, reply) => {
      demandVisible(name);
      if (!(await context.db.write(renamePasskey, { ...changeOf(request, id), name }))) throw unknown();
      reply.code(204);
      return null;
    },
  );

  addOperation(
    app,
    ownPasskeyOperations,
    'DELETE /me/passkeys/:id',
    async ({ params: { id } }, request, reply) => {
      const outcome = await context.db.write(removePasskey, {
        ...changeOf(request, id),
        ...waysInOf(context, visitorOf(request).person),
      });
      if (outcome === 'unknown') throw unknown();
      if (outcome === 'lastWay')
        throw new Problem(
          'CONFLICT',
          'This passkey is the only way in that you have. Add another one or a password first.',
        );
      reply.code(204);
      return null;
    },
  );

  function changeOf(request: FastifyRequest, id: string): PasskeyChange & Pick<Visitor, 'admitsAdmin'> {
    const visitor = visitorOf(request);
    const { person, admitsAdmin } = visitor;
    const subject = actorOf(visitor);
    return { ...stampOf(context, request), ...personIdOf(person), subject, admitsAdmin, id };
  }

  async function demandRoomForPasskeys({ accountId }: PersonId): Promise<void> {
    if (accountId !== operatorsAccount && (await isOnlyByProvider(context.db, accountId)))
      throw new Problem(
        'CONFLICT',
        'People of this account sign in through its identity provider alone; a passkey would open nothing.',
      );
  }
}

function nameOf({ person }: Visitor): string {
  return person.kind === 'user' ? person.user.profile.userName : person.name;
}

function shown({
  id,
  name,
  createdAtMs,
  usedAtMs,
}: Pick<ListedPasskey, 'id' | 'name' | 'createdAtMs' | 'usedAtMs'>) {
  return {
    id,
    name,
    createdAt: new Date(createdAtMs).toISOString(),
    usedAt: usedAtMs === null ? null : new Date(usedAtMs).toISOString(),
  };
}

/** Names are shown in lists: each is one line of what can be seen, as names of users are (D-162). */
function demandVisible(name: string): void {
  const faults: Fault[] = [];
  const note = (code: Fault['code'], message: string): void => {
    faults.push({ field: 'name', code, message: `name must ${message}.` });
  };
  if (/^\p{White_Space}|\p{White_Space}$/u.test(name))
    note('WHITE_SPACE', 'not begin or end with white space');
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) note('INVALID_TEXT', 'be one line of text');
  if (/\p{Cf}/u.test(name))
    note('INVISIBLE', 'not hold characters that cannot be seen (Unicode category Cf)');
  if (faults.length > 0) throw invalidRequest(faults);
}

function wrong(message: string): Problem {
  return invalidRequest([{ field: 'response', code: 'INVALID', message: `response: ${message}` }]);
}

function tooMany(): Problem {
  return new Problem('CONFLICT', `You have ${passkeysMax} passkeys, which is the most. Remove one first.`);
}

function unknown(): Problem {
  return new Problem('PASSKEY_NOT_FOUND', 'You have no passkey with this id.');
}
