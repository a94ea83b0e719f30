// Which measure or project a page of the console is about, and how much its visitor may be told of it.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Visitor } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import type { WorkBudget } from '../../store/engine/work-budget.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { type BudgetServices, budgetOf } from '../server/request-budget.ts';
import { Type } from '../server/schema.ts';
import { accountOf, visitorOf } from './console-gate.ts';

export type SourceKind = 'measure' | 'project';
export const sourceKinds = ['measure', 'project'] as const;

/** The first part of the paths of a kind. */
export const pathOfKind = { measure: 'measures', project: 'projects' } as const;

export const sourceKey = Type.Object({
  key: Type.Integer({
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The key of the measure, or the id of the project.',
  }),
});

export interface SourceOf {
  readonly kind: SourceKind;
  readonly key: number;
}

/** The measure or project of the account that the visitor is in; one of another account is not there. */
export function sourceOfVisitor(
  services: { readonly sources: Sources },
  request: FastifyRequest,
  kind: SourceKind,
  key: number,
): Promise<PreparedSource> {
  return sourceOfAccount(services, accountOf(request), { kind, key });
}

export async function sourceOfAccount(
  { sources }: { readonly sources: Sources },
  accountId: number,
  { kind, key }: SourceOf,
): Promise<PreparedSource> {
  const found = await sources.byName({ accountId, kind, key });
  if (found === null) throw sourceNotFound({ kind, key });
  return found;
}

/** Another one than is meant is not told of, not even that it is there. */
export function sourceNotFound({ kind, key }: SourceOf): Problem {
  return kind === 'measure'
    ? new Problem('MEASURE_NOT_FOUND', `No measure has the key ${key}.`)
    : new Problem('PROJECT_NOT_FOUND', `No project has the id ${key}.`);
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

export interface Sight {
  readonly mayReadComments: boolean;
  readonly minimum: number;
}

export function sightOf({ abilities }: Pick<Visitor, 'abilities'>, asked = 1): Sight {
  const mayReadComments = abilities.has('see responses');
  return { mayReadComments, minimum: mayReadComments ? asked : Math.max(minimumOfViewers, asked) };
}
