// soundings audit: who changed what, when and from where.

import type { Context } from '../../context.ts';
import { rangeBegin, rangeEnd } from '../../domain/dates.ts';
import type { ChangedMembers } from '../../store/engine/audit.ts';
import type { AuditEntry, AuditFilter, AuditPlace } from '../../store/engine/audit-log.ts';
import { accountIdOf, countOf, option, toggle, usual } from '../frame/takes.ts';
import { CommandError, table } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';

const audits = async () => ({
  ...(await import('../../store/engine/audit.ts')),
  ...(await import('../../store/people/audit-reader.ts')),
});

const limitMax = 10_000;
const pageSize = 1_000;
/** What --actor takes for the command line, which is two words in the log. */
const operatorWord = 'operator';

type Audit = Awaited<ReturnType<typeof audits>>;

export const audit = verb({
  about: 'show who changed what, when and from where: the newest entries, oldest first',
  takes: {
    account: option('<id>', 'only this account; "store" for what concerns all of them', (text) =>
      text === 'store' ? null : accountIdOf(text),
    ),
    actor: option('<id>', 'only this API client or provisioning token; "operator" for the command line'),
    action: option('<action>', 'only this action, such as user.suspend, or user for all actions on users'),
    subject: option('<subject>', 'only what was done to this, such as "user 1000000001"'),
    from: option('<time>', 'from this day or time on, UTC'),
    to: option('<time>', 'up to this day or time, inclusive'),
    limit: usual('<count>', 'how many entries: 1 to 10000', '100', countOf(1, limitMax)),
    all: toggle('every entry, starting with the oldest'),
  },
  help: `
Attribute names and member ids are shown; values are not kept. Only the first 20 members are named. With --json, each
entry is one line, for log collectors. Entries are kept for SOUNDINGS_AUDIT_KEEP_DAYS, 400 days by default.

Examples:
  soundings audit --account 4001 --action user.suspend --from 2026-11-01
  soundings audit --all --json > audit.ndjson
`,
  validate: ({ from, to }) => spanOf(from, to),
  load: audits,
  async act({ terminal, context, isJson, input, valid: span }, loaded) {
    const filter = { ...span, ...filterOf(input, loaded) };
    const pages = input.all
      ? everyPage(context, filter, loaded)
      : newestPage(context, filter, input.limit, loaded);
    let shown = 0;
    // Printed as they are read: the log may be larger than the memory.
    for await (const entries of pages) {
      if (entries.length === 0) break;
      const rows = (): string[][] => [...(shown === 0 ? [titles] : []), ...rowsOf(entries, loaded)];
      terminal.print(isJson ? linesOf(entries, loaded) : table(rows()));
      shown += entries.length;
    }
    if (shown === 0 && !isJson) terminal.print(nothing(Object.keys(filter).length > 0));
    return shown;
  },
  hint: (shown, { limit, all }) =>
    shown === limit && !all
      ? `The newest ${limit}; --all shows every entry, --limit up to ${limitMax} of them.`
      : null,
});

/** The newest entries, the oldest of them first. */
async function* newestPage(context: Context, filter: AuditFilter, limit: number, { readAudit }: Audit) {
  const newest = await readAudit(context.db, filter, { after: null, isNewestFirst: true, take: limit });
  yield newest.toReversed();
}

/** All of them in the order of time, some at a time: the log may be larger than the memory. */
async function* everyPage(context: Context, filter: AuditFilter, { readAudit }: Audit) {
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

function linesOf(entries: readonly AuditEntry[], { shownEntry }: Audit): string {
  return entries.map((entry) => JSON.stringify(shownEntry(entry))).join('\n');
}

const titles = ['TIME', 'ACCOUNT', 'WHO', 'ACTION', 'SUBJECT', 'CHANGED', 'FROM', 'REQUEST'];

function rowsOf(entries: readonly AuditEntry[], { noteOf }: Audit): string[][] {
  return entries.map((entry) => [
    timeOf(entry),
    entry.accountId === null ? 'store' : String(entry.accountId),
    whoInWords(entry),
    entry.action,
    entry.subject,
    changedInWords(entry, noteOf),
    entry.origin ?? '',
    entry.requestId ?? '',
  ]);
}

/** Operators are called by their names already. */
function whoInWords({ actor, actorName }: AuditEntry): string {
  return actorName === null || actor === `operator ${actorName}` ? actor : `${actorName} (${actor})`;
}

function changedInWords({ details }: AuditEntry, noteOf: Audit['noteOf']): string {
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

interface Wanted {
  readonly account: number | null | undefined;
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly subject: string | undefined;
}

function filterOf({ account, actor, action, subject }: Wanted, { commandLine }: Audit): AuditFilter {
  return {
    ...(account === undefined ? {} : { accountId: account }),
    ...(actor === undefined ? {} : { actor: actor === operatorWord ? commandLine : actor }),
    ...(action === undefined ? {} : { action: action.replace(/\.+$/, '') }),
    ...(subject === undefined ? {} : { subject }),
  };
}

function spanOf(from: string | undefined, to: string | undefined): Pick<AuditFilter, 'fromMs' | 'toMs'> {
  const fromMs = from === undefined ? undefined : momentOf('--from', from, rangeBegin);
  const toMs = to === undefined ? undefined : momentOf('--to', to, rangeEnd);
  if (fromMs !== undefined && toMs !== undefined && toMs <= fromMs)
    throw new CommandError(`--to ${to} lies before --from ${from}.`);
  return { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) };
}

function momentOf(option: string, text: string, read: (text: string) => number | null): number {
  const moment = read(text);
  if (moment !== null) return moment;
  throw new CommandError(
    `${option} must be a day (2026-11-15) or a time (2026-11-15T08:00:00Z), not "${text}".`,
  );
}

function nothing(isFiltered: boolean): string {
  return isFiltered
    ? 'No entry is as you asked; "soundings audit" without filters shows the newest.'
    : 'Nothing has been changed yet.';
}
