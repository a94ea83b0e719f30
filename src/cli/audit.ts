// soundings audit: who changed what, when and from where.

import type { Context } from '../context.ts';
import { rangeBegin, rangeEnd } from '../domain/dates.ts';
import { type ChangedMembers, commandLine } from '../store/engine/audit.ts';
import type { AuditEntry, AuditFilter, AuditPlace } from '../store/engine/audit-log.ts';
import { noteOf, readAudit, shownEntry } from '../store/people/audit-reader.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common } from './options.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

export interface AuditOptions extends Common {
  readonly account?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly subject?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit: string;
  readonly all?: boolean;
}

const limitMax = 10_000;
const pageSize = 1_000;
/** What --actor takes for the command line, which is two words in the log. */
const operatorWord = 'operator';

export async function showAudit(terminal: Terminal, flags: Flags, options: AuditOptions): Promise<void> {
  const filter = filterOf(options);
  const limit = limitOf(options.limit);
  await withContext(terminal, flags, async (context) => {
    let shown = 0;
    const pages = options.all === true ? everyPage(context, filter) : newestPage(context, filter, limit);
    for await (const entries of pages) {
      if (entries.length === 0) break;
      terminal.print(
        options.json === true
          ? linesOf(entries)
          : table([...(shown === 0 ? [titles] : []), ...rowsOf(entries)]),
      );
      shown += entries.length;
    }
    if (options.json === true) return;
    if (shown === 0) terminal.print(nothing(filter));
    else if (shown === limit && options.all !== true)
      terminal.tell(`The newest ${limit}; --all shows every entry, --limit up to ${limitMax} of them.`);
  });
}

/** The newest entries, the oldest of them first. */
async function* newestPage(context: Context, filter: AuditFilter, limit: number) {
  const newest = await readAudit(context.db, filter, { after: null, isNewestFirst: true, take: limit });
  yield newest.toReversed();
}

/** All of them in the order of time, some at a time: the log may be larger than the memory. */
async function* everyPage(context: Context, filter: AuditFilter) {
  let after: AuditPlace | null = null;
  for (;;) {
    const page: readonly AuditEntry[] = await readAudit(context.db, filter, {
      after,
      isNewestFirst: false,
      take: pageSize,
    });
    yield page;
    after = page.at(-1) ?? null;
    if (page.length < pageSize) return;
  }
}

function linesOf(entries: readonly AuditEntry[]): string {
  return entries.map((entry) => JSON.stringify(shownEntry(entry))).join('\n');
}

const titles = ['TIME', 'ACCOUNT', 'WHO', 'ACTION', 'SUBJECT', 'CHANGED', 'FROM', 'REQUEST'];

function rowsOf(entries: readonly AuditEntry[]): string[][] {
  return entries.map((entry) => [
    timeOf(entry),
    entry.accountId === null ? 'store' : String(entry.accountId),
    whoInWords(entry),
    entry.action,
    entry.subject,
    changedInWords(entry),
    entry.origin ?? '',
    entry.requestId ?? '',
  ]);
}

/** Operators are called by their names already. */
function whoInWords({ actor, actorName }: AuditEntry): string {
  return actorName === null || actor === `operator ${actorName}` ? actor : `${actorName} (${actor})`;
}

function changedInWords({ details }: AuditEntry): string {
  const { attributes = [], joined, left } = details;
  const parts = [
    attributes.join(', '),
    membersInWords('joined', joined),
    membersInWords('left', left),
    noteOf(details) ?? '',
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function membersInWords(verb: string, members: ChangedMembers | undefined): string {
  if (members === undefined) return '';
  const more = members.count > members.ids.length ? ` and ${members.count - members.ids.length} more` : '';
  return `${members.ids.join(' ')}${more} ${verb}`;
}

function timeOf({ nowMs }: AuditEntry): string {
  return new Date(nowMs).toISOString();
}

function filterOf({ account, actor, action, subject, from, to }: AuditOptions): AuditFilter {
  const fromMs = from === undefined ? undefined : momentOf('--from', from, rangeBegin);
  const toMs = to === undefined ? undefined : momentOf('--to', to, rangeEnd);
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs)
    throw new CommandError(`--to ${to} lies before --from ${from}.`);
  return {
    ...(account === undefined ? {} : { accountId: account === 'store' ? null : accountIdOf(account) }),
    ...(actor === undefined ? {} : { actor: actor === operatorWord ? commandLine : actor }),
    ...(action === undefined ? {} : { action: action.replace(/\.+$/, '') }),
    ...(subject === undefined ? {} : { subject }),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
  };
}

function momentOf(option: string, text: string, read: (text: string) => number | null): number {
  const moment = read(text);
  if (moment !== null) return moment;
  throw new CommandError(
    `${option} must be a day (2026-11-15) or a time (2026-11-15T08:00:00Z), not "${text}".`,
  );
}

function limitOf(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= limitMax) return limit;
  throw new CommandError(`--limit must be a whole number from 1 to ${limitMax}, not "${text}".`);
}

function nothing(filter: AuditFilter): string {
  return Object.keys(filter).length === 0
    ? 'Nothing has been changed yet.'
    : 'No entry is as you asked; "soundings audit" without filters shows the newest.';
}
