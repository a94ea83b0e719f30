// /console/api/sign-in/password, /console/api/me and /console/api/me/password: people sign in by a password, and look
// after their own.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { accountIdMax } from '../../domain/access/account.ts';
import { passwordFaults, passwordLengthMax, passwordLengthMin } from '../../domain/access/password-rules.ts';
import { type Person, personIdOf, type Visitor } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import {
  isOnlyByProvider,
  ownCredentials,
  removePassword,
  setPassword,
} from '../../store/access/passwords.ts';
import { invalidRequest } from '../server/input.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { visitorOf } from './console-gate.ts';
import type { ConsoleServices } from './console-services.ts';
import { personSchema, shownPerson } from './shown-person.ts';
import { stampOf } from './visitor-stamp.ts';
import { waysInOf } from './ways-in-of.ts';

// The longest name and the longest password fit, with every character escaped.
const bodyMaxBytes = 16 * 1024;

const meSchema = Type.Object(
  {
    person: personSchema,
    account: Type.Union([Type.Object({ id: Type.Integer(), name: Type.String() }), Type.Null()], {
      description: 'Where they act; null for an operator who has entered none.',
    }),
    hasPassword: Type.Boolean(),
    passwordChangedAt: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    passkeys: Type.Integer({ description: 'How many they have.' }),
  },
  { $id: 'Me' },
);

export function passwordRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, signingIn, passwords } = services;
  const { db, config } = context;
  const bodyLimitBytes = Math.min(bodyMaxBytes, config.bodyLimitBytes);

  addRoute(app, {
    method: 'POST',
    path: '/console/api/sign-in/password',
    area: 'console',
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    bodyLimitBytes,
    body: Type.Object({
      account: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: accountIdMax,
          description: 'Of a user. Left out by operators, and where the store has one account.',
        }),
      ),
      name: Type.String({ description: 'The userName of a user, the name of an operator.' }),
      password: Type.String(),
    }),
    document: consoleDocument({
      operationId: 'signInByPassword',
      summary: 'Sign in by a password',
      description:
        'Whoever has a session of their own already goes on with it, and it is fresh from then on. Names that are not known, people who may not sign in and wrong passwords get the same answer after the same time.',
      tag: 'Sign-in',
      success: { status: 204, schema: null, description: 'Signed in; the cookie holds the session.' },
    }),
    handle: async ({ body }, request, reply) => {
      passwords.demandOn();
      const proof = await passwords.prove(body, request, reply);
      await signingIn.begin(request, reply, proof);
      reply.code(204);
      return null;
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/me',
    area: 'console',
    access: { people: 'signedIn' },
    document: consoleDocument({
      operationId: 'getMe',
      summary: 'What I sign in with',
      description: 'The person who signed in, and what they have to come back with.',
      tag: 'Me',
      success: { status: 200, schema: meSchema, description: 'The person of the session.' },
    }),
    handle: async (_input, request) => {
      const { person, account } = visitorOf(request);
      const { passkeys, passwordChangedAtMs } = await ownCredentials(db, personIdOf(person));
      return {
        person: shownPerson(person),
        account,
        hasPassword: passwordChangedAtMs !== null,
        passwordChangedAt: passwordChangedAtMs === null ? null : new Date(passwordChangedAtMs).toISOString(),
        passkeys,
      };
    },
  });

  addRoute(app, {
    method: 'PUT',
    path: '/console/api/me/password',
    area: 'console',
    access: { people: 'signedIn' },
    consumes: ['application/json'],
    bodyLimitBytes,
    body: Type.Object({
      password: Type.String({
        description: `${passwordLengthMin} to ${passwordLengthMax} characters of any kind, and none of those that are tried first.`,
      }),
      current: Type.Optional(
        Type.String({
          description:
            'The password of now. Asked for where there is one, unless the session began by a one-time link or a provider; where it is given, it must be right.',
        }),
      ),
    }),
    document: consoleDocument({
      operationId: 'setPassword',
      summary: 'Set or change my password',
      description: 'All other sessions of the person end. Asks for a sign-in of the last 15 minutes.',
      tag: 'Me',
      success: { status: 204, schema: null, description: 'Set.' },
      conditions: [409],
    }),
    handle: async ({ body: { password, current } }, request, reply) => {
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
  });

  addRoute(app, {
    method: 'DELETE',
    path: '/console/api/me/password',
    area: 'console',
    access: { people: 'signedIn' },
    document: consoleDocument({
      operationId: 'removePassword',
      summary: 'Remove my password',
      description:
        'Only where a passkey, or a connection to an identity provider, remains to come back with. All other sessions of the person end.',
      tag: 'Me',
      success: { status: 204, schema: null, description: 'Removed.' },
      conditions: [409],
    }),
    handle: async (_input, request, reply) => {
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
    },
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
