// /console/api/audit: who changed what in the account, when and from where. Whoever may see no more sees what they did
// themselves.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { auditLogOperations, columns, rowsMax } from '../../../contract/access/audit-log.ts';
import { actorOf } from '../../../domain/access/visitor.ts';
import { rangeBegin, rangeEnd } from '../../../domain/dates.ts';
import { type Fault, invalidRequest } from '../../../domain/problem.ts';
import type { AuditEntry, AuditFilter } from '../../../store/engine/audit-log.ts';
import { type WorkBudget, WorkQueue } from '../../../store/engine/work/work-budget.ts';
import { type AuditPage, auditPage, shownEntry } from '../../../store/people/audit-reader.ts';
import { searchWork } from '../../server/request-budget.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf, visitorOf } from '../console-gate.ts';
import { takeOf } from '../console-page.ts';
import type { ConsoleServices } from '../console-services.ts';

export function auditRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const queue = new WorkQueue();

  addOperation(
    app,
    auditLogOperations,
    'GET /audit',
    async ({ query: { after = null, limit, ...asked } }, request) => {
      const filter = filterOf(asked, request);
      if (filter === null) return { items: [], next: null };
      const { entries, next } = await auditPage(context.db, filter, { after, take: takeOf(limit) }, () =>
        queue.nextSlice(),
      );
      return { items: entries.map(shownEntry), next };
    },
  );

  addOperation(app, auditLogOperations, 'GET /audit.csv', async ({ query }, request, reply) => {
    const filter = filterOf(query, request);
    const work = searchWork(services, request, reply);
    // A file may go through much of the log, so that an account has so many under way and no more.
    const rows =
      filter === null
        ? ''
        : await services.scans.run(filter.accountId, work.budget, () => rowsOf(filter, work.budget));
    const { stringify } = await import('csv-stringify/sync');
    reply.type('text/csv; charset=utf-8');
    reply.header('content-disposition', 'attachment; filename="audit.csv"');
    return stringify([[...columns]], { bom: true, escape_formulas: true }) + rows;
  });

  /** The lines of the file, written as they are read: all of them at once take a tenth of a second. */
  const rowsOf = async (filter: OfAccount, budget: WorkBudget): Promise<string> => {
    const { stringify } = await import('csv-stringify/sync');
    let text = '';
    let count = 0;
    let after: string | null = null;
    for (;;) {
      const take = Math.min(rowsAtOnce, rowsMax - count);
      const page: AuditPage = await auditPage(context.db, filter, { after, take }, () => budget.nextSlice());
      for (let begin = 0; begin < page.entries.length; begin += linesAtOnce) {
        const lines = page.entries.slice(begin, begin + linesAtOnce).map(cellsOf);
        text += stringify(lines, { escape_formulas: true });
        await budget.pause();
      }
      count += page.entries.length;
      if (page.next === null || count >= rowsMax) return text;
      after = page.next;
      await budget.nextSlice();
    }
  };
}

type OfAccount = AuditFilter & { readonly accountId: number };

interface AskedAudit {
  readonly from?: string;
  readonly to?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
}

/** Null where somebody asks for entries that are not there for them: those of others. */
function filterOf(
  { from, to, actor, action, subject }: AskedAudit,
  request: FastifyRequest,
): OfAccount | null {
  const visitor = visitorOf(request);
  const accountId = accountOf(request);
  const own = actorOf(visitor);
  const maySeeAll = visitor.abilities.has('see audit');
  if (!maySeeAll && actor !== undefined && actor !== own) return null;
  const { fromMs, toMs } = rangeOf(from, to);
  const who = maySeeAll ? actor : own;
  return {
    accountId,
    ...(who === undefined ? {} : { actor: who }),
    ...(action === undefined ? {} : { action: action.replace(/\.+$/, '') }),
    ...(subject === undefined ? {} : { subject }),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
  };
}
const rowsAtOnce = 1_000;
const linesAtOnce = 100;

function cellsOf(entry: AuditEntry): readonly string[] {
  const { at, actor, action, subject, subjectName, attributes, joined, left, note, ...rest } =
    shownEntry(entry);
  return [
    at,
    actor.kind,
    actor.id,
    actor.name ?? '',
    action,
    subject,
    subjectName ?? '',
    attributes.join(' '),
    joined === undefined ? '' : String(joined.count),
    left === undefined ? '' : String(left.count),
    note ?? '',
    rest.from ?? '',
    rest.requestId ?? '',
    rest.changeId,
  ];
}

export function rangeOf(
  from: string | undefined,
  to: string | undefined,
): { fromMs?: number; toMs?: number } {
  const faults: Fault[] = [];
  const momentOf = (field: string, text: string, read: (text: string) => number | null): number => {
    const moment = read(text);
    if (moment === null)
      faults.push({
        field,
        code: 'INVALID',
        message: 'must be a day (2026-11-15) or a moment (2026-11-15T08:00:00Z).',
      });
    return moment ?? 0;
  };
  const range = {
    ...(from === undefined ? {} : { fromMs: momentOf('from', from, rangeBegin) }),
    ...(to === undefined ? {} : { toMs: momentOf('to', to, rangeEnd) }),
  };
  if (faults.length > 0) throw invalidRequest(faults);
  return range;
}
