// Who may call an endpoint of the console: people, by their cookie. Tokens of API clients open nothing here, and the
// cookie opens nothing elsewhere.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleAddress } from '../../acts/access/console-address.ts';
import type { Context } from '../../context.ts';
import type { ConsoleAccess } from '../../contract/operation.ts';
import { passkeyRoutes } from '../../domain/access/passkey-demand.ts';
import type { Ability } from '../../domain/access/role.ts';
import type { Visitor } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import type { FoundSharedView } from '../../store/access/shared-views.ts';
import type { SessionKey } from '../../store/people/sessions.ts';
import { factsOf } from '../server/route.ts';
import type { SharedViewVisits } from './figures/shared-view-visits.ts';
import { freshRoutes } from './sign-in/fresh-routes.ts';
import { demandFresh } from './sign-in/fresh-sign-in.ts';
import type { SignedIn, Visitors } from './sign-in/visitors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whoever has signed in, on routes of the console. */
    visitor: Visitor | null;
    sessionKey: SessionKey | null;
  }
}

/** Gives whoever has gained roles a session under a new secret. */
interface SessionRaising {
  raise(request: FastifyRequest, reply: FastifyReply, found: SignedIn): Promise<Visitor>;
}

interface ConsoleGateServices {
  readonly context: Context;
  readonly address: ConsoleAddress;
  readonly visitors: Visitors;
  readonly signingIn: SessionRaising;
  readonly sharedViewVisits: SharedViewVisits;
}

export class ConsoleGate {
  readonly #context: Context;
  readonly #address: ConsoleAddress;
  readonly #visitors: Visitors;
  readonly #signingIn: SessionRaising;
  readonly #sharedViewVisits: SharedViewVisits;

  constructor({ context, address, visitors, signingIn, sharedViewVisits }: ConsoleGateServices) {
    this.#context = context;
    this.#address = address;
    this.#visitors = visitors;
    this.#signingIn = signingIn;
    this.#sharedViewVisits = sharedViewVisits;
  }

  /** What holds for everybody, signed in or not. */
  judgeSender(request: FastifyRequest, { isExemptFromOrigin = false }: ConsoleAccess): void {
    this.#address.demandSafety(request.raw.socket.remoteAddress);
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (!isReading && !isExemptFromOrigin) this.#address.demandOwnPage(request.headers);
  }

  /** Whoever has the link of a shared view. */
  async judgeSharedView(request: FastifyRequest): Promise<FoundSharedView> {
    this.#address.demandSafety(request.raw.socket.remoteAddress);
    const view = await this.#sharedViewVisits.demand(request);
    request.sharedView = view;
    return view;
  }

  async judgeVisitor(request: FastifyRequest, reply: FastifyReply, access: ConsoleAccess): Promise<Visitor> {
    const found = await this.#visitors.demand(request);
    const visitor = await this.#signingIn.raise(request, reply, found);
    request.visitor = visitor;
    request.sessionKey = found.key;
    const route = nameOfRoute(request);
    if (visitor.isPasskeyDue && !passkeyRoutes.has(route)) throw passkeyRequired();
    const { ability } = access;
    if (ability !== undefined) demandAbility(visitor, ability);
    if (Object.hasOwn(freshRoutes, route)) demandFresh(visitor, this.#context.now());
    return visitor;
  }
}

/** As the tables of routes have it. */
function nameOfRoute(request: FastifyRequest): string {
  // A look ahead by HEAD is answered as GET is.
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  return `${method} ${factsOf(request)!.path}`;
}

function passkeyRequired(): Problem {
  return new Problem(
    'PASSKEY_REQUIRED',
    'Operators and admins need a passkey here. Add one on the page of yourself (/console/me), then sign in by it.',
  );
}

function demandAbility(visitor: Visitor, ability: NonNullable<ConsoleAccess['ability']>): void {
  const wanted = typeof ability === 'string' ? ([ability] as const) : ability;
  if (!wanted.some((one) => visitor.abilities.has(one))) throw abilityMissing(visitor, wanted[0]);
}

function abilityMissing({ person, accountId, isAdminWithheld }: Visitor, ability: Ability): Problem {
  if (person.kind === 'operator' && accountId === null)
    return new Problem('ABILITY_MISSING', 'Enter an account first: this is done within one.');
  if (isAdminWithheld)
    return new Problem(
      'ABILITY_MISSING',
      'You are admin, but not by what you signed in with: it goes back to a link that somebody without admin made. Ask an admin or an operator for a new one.',
    );
  return new Problem(
    'ABILITY_MISSING',
    `None of your roles lets you ${ability}. Ask an admin of the account for one that does.`,
  );
}

/** Whoever has signed in, on a route that demands it: the gate has put it there. */
export function visitorOf(request: FastifyRequest): Visitor {
  if (request.visitor === null) throw new Error('The route has no visitor: anybody may call it.');
  return request.visitor;
}

/** The account that a route with an ability of accounts works in. */
export function accountOf(request: FastifyRequest): number {
  const { accountId } = visitorOf(request);
  if (accountId === null)
    throw new Problem('ABILITY_MISSING', 'Enter an account first: this is done within one.');
  return accountId;
}
