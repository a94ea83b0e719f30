// Whether provisioning tokens that a release of before made may change admins: those of the command line, of operators and of
// set-up links may, and those of users whom the audit log shows as admin at that moment (D-813). What is found is kept, because
// the audit log has an end. A task looks for such tokens, and whoever uses one before is judged on the spot.

import sql from 'sql-template-tag';
import { commandLine, type KeptAuditDetails } from '../engine/audit.ts';
import { auditEntries } from '../engine/audit-log.ts';
import { type Db, limitOf, type Steps } from '../engine/db.ts';
import type { BackgroundTask } from '../engine/work/background-task.ts';
import type { ProvisioningToken } from './provisioning-tokens.ts';

interface UnmarkedToken {
  readonly id: string;
  readonly accountId: number;
  readonly createdAtMs: number;
}

const tokensAtOnce = 20;

export const tokenMarks: BackgroundTask = {
  name: 'token-marks',
  about: 'finds out which provisioning tokens of before may change admins',
  ends: false,
  hasOwnCursors: true,
  lookMs: 60_000,
  async step({ db }) {
    const tokens = await db.read<UnmarkedToken>(sql`
      select id, account_id as "accountId", created_at as "createdAtMs"
      from provisioning_token
      where may_change_admins is null
      order by id
      limit ${limitOf(tokensAtOnce)}`);
    for (const token of tokens) await settleTokenMark(db, token);
    return tokens.length < tokensAtOnce ? 'idle' : 'moved';
  },
};

/** Finds the mark and keeps it. */
export async function settleTokenMark(db: Db, token: UnmarkedToken): Promise<boolean> {
  const mayChangeAdmins = await wasMadeByAdmin(db, token);
  await db.write(keepTokenMark, { id: token.id, mayChangeAdmins });
  return mayChangeAdmins;
}

/** Tokens for a list, each with its mark. */
export function settledTokens<T extends ProvisioningToken>(
  db: Db,
  tokens: readonly T[],
): Promise<readonly T[]> {
  return Promise.all(
    tokens.map(async (token) =>
      token.mayChangeAdmins === null
        ? { ...token, mayChangeAdmins: await settleTokenMark(db, token) }
        : token,
    ),
  );
}

/** Running it twice does no harm: a mark that is there stays. */
export function* keepTokenMark(input: {
  readonly id: string;
  readonly mayChangeAdmins: boolean;
}): Steps<void> {
  yield sql`
    update provisioning_token
    set may_change_admins = ${input.mayChangeAdmins ? 1 : 0}
    where id = ${input.id} and may_change_admins is null`;
}

async function wasMadeByAdmin(db: Db, { id, accountId, createdAtMs }: UnmarkedToken): Promise<boolean> {
  const [made] = await auditEntries(
    db,
    {
      accountId,
      action: 'provisioning-token.create',
      subject: id,
      fromMs: createdAtMs,
      toMs: createdAtMs + 1,
    },
    { after: null, isNewestFirst: false, take: 1 },
  );
  if (made === undefined) return false;
  const { actor } = made;
  if (actor === commandLine || actor.startsWith('operator ') || actor.startsWith('set-up link ')) return true;
  const [, user] = /^user (\d{1,15})$/.exec(actor) ?? [];
  return user !== undefined && wasAdmin(db, accountId, Number(user), made.changeId, createdAtMs);
}

async function wasAdmin(
  db: Db,
  accountId: number,
  userId: number,
  changeId: string,
  atMs: number,
): Promise<boolean> {
  // A grant that is there today and is older was there then: whoever takes one and grants it again makes it anew.
  const direct = await db.read(sql`
    select role
    from role_grant
    where account_id = ${accountId} and holder_kind = 'user' and holder_id = ${userId} and role = 'admin'
      and granted_at <= ${atMs}`);
  if (direct.length > 0) return true;
  const history = new AdminHistory(userId);
  let isPast = true;
  for await (const entry of roleEntries(db, accountId)) {
    if (isPast && entry.id >= changeId) {
      history.reach();
      isPast = false;
    }
    history.add(entry);
  }
  if (isPast) history.reach();
  if (history.isShown) return true;
  const doubtful = history.doubtfulGroups;
  if (doubtful.length === 0) return false;
  const member = await db.read(sql`
    select group_id
    from group_member
    where account_id = ${accountId} and member_id = ${userId}
      and ${db.dialect.isAmong(sql`group_id`, doubtful, 'integer')}
    limit 1`);
  return member.length > 0;
}

interface RoleEntry {
  readonly id: string;
  readonly action: string;
  readonly subject: string;
  readonly details: string | null;
}

const groupPrefix = 'group ';

/** The roles and groups of a user as the audit log tells them, up to a moment, and what came after it. */
class AdminHistory {
  readonly #userId: number;
  #isAdmin = false;
  readonly #adminGroups = new Set<string>();
  readonly #ownGroups = new Set<string>();
  #groupsThen: readonly string[] | null = null;
  readonly #joinedSince = new Set<string>();
  isShown = false;

  constructor(userId: number) {
    this.#userId = userId;
  }

  /** The moment in question. */
  reach(): void {
    this.#groupsThen = [...this.#adminGroups];
    this.isShown = this.#isAdmin || this.#groupsThen.some((group) => this.#ownGroups.has(group));
  }

  add({ action, subject, details }: RoleEntry): void {
    const kept: KeptAuditDetails = details === null ? {} : (JSON.parse(details) as KeptAuditDetails);
    const { joined, left } = kept;
    if (action.startsWith('role.')) {
      if ((kept.noteCode === 'role' ? kept.noteValues?.role : kept.note) !== 'admin') return;
      const isGranted = action === 'role.grant';
      if (subject === `user ${this.#userId}`) this.#isAdmin = isGranted;
      if (!subject.startsWith(groupPrefix)) return;
      if (isGranted) this.#adminGroups.add(subject);
      else this.#adminGroups.delete(subject);
      return;
    }
    // Of many members at once the first are named: somebody else may have left, and nobody else is known to have joined.
    if (left !== undefined && (left.ids.includes(this.#userId) || left.count > left.ids.length))
      this.#ownGroups.delete(subject);
    if (joined?.ids.includes(this.#userId)) this.#ownGroups.add(subject);
    const mayHaveJoined =
      joined !== undefined && (joined.ids.includes(this.#userId) || joined.count > joined.ids.length);
    if (mayHaveJoined && this.#groupsThen !== null) this.#joinedSince.add(subject);
    if (action === 'group.delete') {
      this.#ownGroups.delete(subject);
      this.#adminGroups.delete(subject);
    }
  }

  /** Groups that carried admin then and that nobody can have joined since: whoever is in them today was. */
  get doubtfulGroups(): readonly number[] {
    const groups = (this.#groupsThen ?? []).filter((group) => !this.#joinedSince.has(group));
    return groups.map((group) => Number(group.slice(groupPrefix.length)));
  }
}

const sliceEntries = 5_000;
// An account with more entries has nobody shown by them as admin: its tokens are made anew.
const slicesMax = 2_000;

/** What the log of an account says of roles and groups, some thousand entries at a time. */
async function* roleEntries(db: Db, accountId: number): AsyncGenerator<RoleEntry> {
  let last = '';
  for (let slice = 0; slice < slicesMax; slice += 1) {
    const [end] = await db.read<{ last: string | null }>(sql`
      select max(slice.id) as last
      from (
        select id
        from audit
        where account_id = ${accountId} and id > ${last}
        order by id
        limit ${limitOf(sliceEntries)}) as slice`);
    if (typeof end?.last !== 'string') return;
    yield* await db.read<RoleEntry>(sql`
      select id, action, subject, details
      from audit
      where account_id = ${accountId} and id > ${last} and id <= ${end.last}
        and action in ('role.grant', 'role.take', 'group.create', 'group.change', 'group.delete')
      order by id
      limit ${limitOf(sliceEntries)}`);
    last = end.last;
  }
}
