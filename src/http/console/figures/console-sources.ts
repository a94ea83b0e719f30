// Which measure or project a page of the console is about, and how much its visitor may be told of it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../../domain/access/visitor.ts';
import type { SourceKind } from '../../../domain/feedback/source-kind.ts';
import type { WorkBudget } from '../../../store/engine/work/work-budget.ts';
import type { PreparedSource, Sources } from '../../../store/feedback/sources.ts';
import { sourceNotFound } from '../../feedback/source-requests.ts';
import { textOfPath } from '../../server/input.ts';
import { type BudgetServices, budgetOf } from '../../server/request-budget.ts';
import { accountOf, visitorOf } from '../console-gate.ts';

export interface SourceOf {
  readonly kind: SourceKind;
  readonly key: number;
  /** The key as it was asked for, where that was in a path. */
  readonly keyText?: string;
}

/** What a path with `:key` is about. */
export function sourceOfPath(request: FastifyRequest, kind: SourceKind, key: number): SourceOf {
  return { kind, key, keyText: textOfPath(request, 'key') };
}

/** The measure or project of a path in the account that the visitor is in; one of another account is not there. */
export function sourceOfVisitor(
  services: { readonly sources: Sources },
  request: FastifyRequest,
  kind: SourceKind,
  key: number,
  judge?: () => void,
): Promise<PreparedSource> {
  return sourceOfAccount(services, accountOf(request), sourceOfPath(request, kind, key), judge);
}

/** Wrong parameters are told before that there is none: those that are judged beside it are named by `judge` (D-888). */
export async function sourceOfAccount(
  { sources }: { readonly sources: Sources },
  accountId: number,
  { kind, key, keyText = `${key}` }: SourceOf,
  judge?: () => void,
): Promise<PreparedSource> {
  // No catalogue has a larger key (D-800).
  const found = Number.isSafeInteger(key) ? await sources.byName({ accountId, kind, key }) : null;
  if (found !== null) return found;
  judge?.();
  throw sourceNotFound(kind, keyText);
}

/** Whoever asks for figures, and the work that may be done for them. */
export interface Asker {
  readonly visitor: Visitor;
  readonly accountId: number;
  readonly work: WorkBudget;
}

export function askerOf(services: BudgetServices, request: FastifyRequest, reply: FastifyReply): Asker {
  return {
    visitor: visitorOf(request),
    accountId: accountOf(request),
    work: budgetOf(services, request, reply),
  };
}

/** Whoever may not see single responses is told nothing of fewer than so many (D-540). */
const minimumOfViewers = 5;

interface Sight {
  readonly mayReadComments: boolean;
  readonly minimum: number;
}

export function sightOf({ abilities }: Pick<Visitor, 'abilities'>, asked = 1): Sight {
  const mayReadComments = abilities.has('see responses');
  return { mayReadComments, minimum: mayReadComments ? asked : Math.max(minimumOfViewers, asked) };
}
