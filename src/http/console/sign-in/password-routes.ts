// /console/api/sign-in/password, /console/api/me and /console/api/me/password: people sign in by a password, and look
// after their own.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { passwordOperations } from '../../../contract/access/password.ts';
import { passwordFaults } from '../../../domain/access/password-rules.ts';
import { type Person, personIdOf, type Visitor } from '../../../domain/access/visitor.ts';
import { invalidRequest, Problem } from '../../../domain/problem.ts';
import {
  isOnlyByProvider,
  ownCredentials,
  removePassword,
  setPassword,
} from '../../../store/people/passwords.ts';
import { addOperation } from '../../server/route.ts';
import { visitorOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { shownPerson } from '../people/shown-person.ts';
import { stampOf } from '../visitor-stamp.ts';
import { waysInOf } from './ways-in-of.ts';

// The longest name and the longest password fit, with every character escaped.
const bodyMaxBytes = 16 * 1024;

export function passwordRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, signingIn, passwords } = services;
  const { db, config } = context;
  const bodyLimitBytes = Math.min(bodyMaxBytes, config.bodyLimitBytes);

  addOperation(
    app,
    passwordOperations,
    'POST /sign-in/password',
    async ({ body }, request, reply) => {
      passwords.demandOn();
      const proof = await passwords.prove(body, request, reply);
      await signingIn.begin(request, reply, proof);
      reply.code(204);
      return null;
    },
    { bodyLimitBytes },
  );

  addOperation(app, passwordOperations, 'GET /me', async (_input, request) => {
    const { person, account } = visitorOf(request);
    const { passkeys, passwordChangedAtMs } = await ownCredentials(db, personIdOf(person));
    return {
      person: shownPerson(person),
      account,
      hasPassword: passwordChangedAtMs !== null,
      passwordChangedAt: passwordChangedAtMs === null ? null : new Date(passwordChangedAtMs).toISOString(),
      passkeys,
    };
  });

  addOperation(
    app,
    passwordOperations,
    'PUT /me/password',
    async ({ body: { password, current } }, request, reply) => {
      const visitor = visitorOf(request);
      passwords.demandOn();
      await demandOpen(visitor);
      const faults = [
        ...passwordFaults(password, namesOf(visitor)),
        ...(current === undefined ? [] : await faultsOfCurrent(current, visitor.person, request, reply)),
      ];
      if (faults.length > 0) throw invalidRequest(faults);
      if (current === undefined) await demandPresent(visitor);
      const hash = await passwords.hash(password, reply);
      const { person, sessionId, admitsAdmin } = visitor;
      const own = { ...personIdOf(person), sessionId, admitsAdmin };
      await db.write(setPassword, { ...stampOf(context, request), ...own, hash });
      reply.code(204);
      return null;
    },
    { bodyLimitBytes },
  );

  addOperation(app, passwordOperations, 'DELETE /me/password', async (_input, request, reply) => {
    const { person, sessionId, admitsAdmin } = visitorOf(request);
    await db.write(removePassword, {
      ...stampOf(context, request),
      ...personIdOf(person),
      sessionId,
      admitsAdmin,
      ...waysInOf(context, person),
    });
    reply.code(204);
    return null;
  });

  /** A password that could open nothing is not taken. */
  async function demandOpen({ person }: Visitor): Promise<void> {
    if (person.kind === 'operator' || !(await isOnlyByProvider(db, person.accountId))) return;
    throw new Problem('CONFLICT', 'This account is entered through its identity provider alone.');
  }

  /**
   * Whoever finds a browser open must not be able to keep the account by a password of theirs (D-825). A link is for people who
   * have forgotten theirs, and whoever comes through a provider may never have had one. A session by a password that is gone is
   * no way around it.
   */
  async function demandPresent({ person, way }: Visitor): Promise<void> {
    if (way === 'link' || way === 'provider') return;
    const { passwordChangedAtMs } = await ownCredentials(db, personIdOf(person));
    if (passwordChangedAtMs === null && way !== 'password') return;
    throw new Problem(
      'PRESENT_PASSWORD_REQUIRED',
      passwordChangedAtMs === null
        ? 'You signed in by a password that is removed. Sign in by a passkey to set another one.'
        : 'Give your present password too. If you have forgotten it, ask for a link that signs you in once, or remove it after a sign-in by a passkey.',
      { details: [{ field: 'current', code: 'MISSING', message: 'is your password of now.' }] },
    );
  }

  async function faultsOfCurrent(
    current: string,
    person: Person,
    request: FastifyRequest,
    reply: FastifyReply,
  ) {
    const own = { ...personIdOf(person), name: shownPerson(person).name };
    if (await passwords.isOwn(current, own, request, reply)) return [];
    return [{ field: 'current', code: 'INVALID', message: 'is not your password of now.' } as const];
  }
}

/** What somebody who knows the person would try first. */
function namesOf({ person, account }: Visitor): readonly string[] {
  if (person.kind === 'operator') return [person.name];
  const { userName, displayName, name } = person.user.profile;
  return [userName, account?.name ?? '', ...textsOf(displayName), ...textsOf(name)];
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
