// How many people were invited at a time is a column of the audit log (D-1042). A release of before has written it into the note of
// the entry alone: a task goes from account to account and brings it into the column, some thousand entries at a time, and ends.
// Until then, and for what such a release writes beside this one, the reader takes it from the note.

import sql from 'sql-template-tag';
import type { KeptAuditDetails } from '../engine/audit.ts';
import type { AuditEntry } from '../engine/audit-log.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import { type BackgroundTask, moveOf, moveTask, type TaskMove } from '../engine/work/background-task.ts';

interface MadeInvitations {
  readonly invited: number;
  /** In its ISO form. */
  readonly expires: string;
}

/** Null for an entry that says nothing of it. */
export function madeInvitations({
  details,
  invited = null,
}: Pick<AuditEntry, 'details' | 'invited'>): MadeInvitations | null {
  const noted = notedInvitations(details);
  return noted === null ? null : { ...noted, invited: invited ?? noted.invited };
}

const notedBefore = /^(\d{1,9}) invitations until (\S+)$/;

function notedInvitations({ note, noteCode, noteValues = {} }: KeptAuditDetails): MadeInvitations | null {
  const { count, until } = noteValues;
  if (noteCode === 'invitations') return { invited: Number(count), expires: String(until) };
  const [, invited, expires] = note?.match(notedBefore) ?? [];
  return invited === undefined || expires === undefined ? null : { invited: Number(invited), expires };
}

const sliceEntries = 2_000;

/** Where the task stands: in which account, and behind which entry of it. */
interface Place {
  readonly account: number;
  readonly last: string;
}

export const invitedCounts: BackgroundTask = {
  name: 'invited-counts',
  about: 'counts whom old entries of the audit log say were invited',
  ends: true,
  async step({ db, now }, at) {
    if (at.isDone) return 'done';
    const place = at.cursor === '' ? { account: 0, last: '' } : (JSON.parse(at.cursor) as Place);
    const next = await nextSlice(db, place);
    const move = moveOf(at, JSON.stringify(next?.place ?? place), now(), next === null);
    const written = await db.write(keepInvitedCounts, {
      ...move,
      of: next?.place.account ?? 0,
      counts: next?.counts ?? [],
    });
    if (!written) return 'lost';
    return next === null ? 'done' : 'moved';
  },
};

interface InvitedCount {
  readonly id: string;
  readonly invited: number;
}

/** The next entries of an account, or the beginning of the next account; null behind the last. */
async function nextSlice(
  db: Db,
  { account, last }: Place,
): Promise<{ readonly place: Place; readonly counts: readonly InvitedCount[] } | null> {
  const [end] = await db.read<{ last: string | null }>(sql`
    select max(slice.id) as last
    from (
      select id
      from audit
      where account_id = ${account} and id > ${last}
      order by id
      limit ${limitOf(sliceEntries)}) as slice`);
  if (typeof end?.last !== 'string') {
    const [row] = await db.read<{ next: number | null }>(sql`
      select min(account_id) as next
      from audit
      where account_id > ${account}`);
    return typeof row?.next === 'number' ? { place: { account: row.next, last: '' }, counts: [] } : null;
  }
  const rows = await db.read<{ readonly id: string; readonly details: string | null }>(sql`
    select id, details
    from audit
    where account_id = ${account} and id > ${last} and id <= ${end.last}
      and action = 'invitation.create' and invited is null
    order by id
    limit ${limitOf(sliceEntries)}`);
  const counts = rows.flatMap(({ id, details }) => {
    const made = details === null ? null : notedInvitations(JSON.parse(details) as KeptAuditDetails);
    return made === null ? [] : [{ id, invited: made.invited }];
  });
  return { place: { account, last: end.last }, counts };
}

interface KeepInvitedCounts extends TaskMove {
  /** The account of the entries. */
  readonly of: number;
  readonly counts: readonly InvitedCount[];
}

/** False when another replica was first. */
export function* keepInvitedCounts(input: KeepInvitedCounts): Steps<boolean> {
  if (!(yield* moveTask(input))) return false;
  for (const { id, invited } of input.counts)
    yield sql`
      update audit
      set invited = ${invited}
      where account_id = ${input.of} and id = ${id} and invited is null`;
  return true;
}
