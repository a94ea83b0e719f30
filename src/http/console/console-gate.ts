// Who may call an endpoint of the console: people, by their cookie. Tokens of API clients open nothing here, and the
// cookie opens nothing elsewhere.

import type { FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Ability } from '../../domain/access/role.ts';
import type { Visitor } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import type { SessionKey } from '../../store/access/sessions.ts';
import type { ConsoleAccess } from '../server/route.ts';
import type { ConsoleAddress } from './console-address.ts';
import { demandFresh } from './fresh-sign-in.ts';
import type { Visitors } from './visitors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whoever has signed in, on routes of the console. */
    visitor: Visitor | null;
    sessionKey: SessionKey | null;
  }
}

export class ConsoleGate {
  readonly #context: Context;
  readonly #address: ConsoleAddress;
  readonly #visitors: Visitors;

  constructor(context: Context, address: ConsoleAddress, visitors: Visitors) {
    this.#context = context;
    this.#address = address;
    this.#visitors = visitors;
  }

  /** What holds for everybody, signed in or not. */
  judgeSender(request: FastifyRequest, { isExemptFromOrigin = false }: ConsoleAccess): void {
    this.#address.demandSafety();
    const isReading = request.method === 'GET' || request.method === 'HEAD';
    if (!isReading && !isExemptFromOrigin) this.#address.demandOwnPage(request.headers);
  }

  async judgeVisitor(request: FastifyRequest, access: ConsoleAccess): Promise<Visitor> {
    const { visitor, key } = await this.#visitors.demand(request);
    request.visitor = visitor;
    request.sessionKey = key;
    const { ability, isFresh = false } = access;
    if (ability !== undefined) demandAbility(visitor, ability);
    if (isFresh) demandFresh(visitor, this.#context.now());
    return visitor;
  }
}

function demandAbility(visitor: Visitor, ability: NonNullable<ConsoleAccess['ability']>): void {
  const wanted = typeof ability === 'string' ? ([ability] as const) : ability;
  if (!wanted.some((one) => visitor.abilities.has(one))) throw abilityMissing(visitor, wanted[0]);
}

function abilityMissing({ person, accountId }: Visitor, ability: Ability): Problem {
  if (person.kind === 'operator' && accountId === null)
    return new Problem('ABILITY_MISSING', 'Enter an account first: this is done within one.');
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
