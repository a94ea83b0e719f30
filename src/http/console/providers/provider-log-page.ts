// What identity providers did, a page at a time: which deed it was and whom it was about, by the name that they have now. The
// log itself keeps no names (D-605).

import type { Context } from '../../../context.ts';
import type { Group } from '../../../domain/provisioning/group.ts';
import { type DeedSubject, deedOf } from '../../../domain/provisioning/provider-deed.ts';
import { readResourceId } from '../../../domain/provisioning/resource.ts';
import type { Profile } from '../../../domain/provisioning/user.ts';
import { asValues } from '../../../domain/provisioning/value.ts';
import { findGroup } from '../../../store/provisioning/groups.ts';
import {
  type NamedRequest,
  provisioningRequestPage,
  type WantedRequests,
} from '../../../store/provisioning/provisioning-log.ts';
import { findUser, findUserById } from '../../../store/provisioning/user-lookup.ts';
import { type Page, takeOf } from '../console-page.ts';

interface LogQuestion {
  readonly show?: WantedRequests['part'] | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export async function logPage(
  { db, now }: Pick<Context, 'db' | 'now'>,
  accountId: number,
  actors: readonly string[] | null,
  { show = 'all', after, limit }: LogQuestion,
): Promise<Page<Awaited<ReturnType<typeof shownRequest>>>> {
  const take = takeOf(limit);
  const wanted = { actors, part: show, before: after ?? null, take: take + 1 };
  const rows = await provisioningRequestPage(db, accountId, wanted, now());
  const shown = rows.slice(0, take);
  const groups = new Map<string, Promise<Group | null>>();
  const groupOf = (id: string): Promise<Group | null> => {
    const found = groups.get(id) ?? findGroup(db, accountId, readResourceId(id));
    groups.set(id, found);
    return found;
  };
  // Those of one page ask the store together, and for a group once.
  const items = await Promise.all(shown.map((row) => shownRequest(db, accountId, row, groupOf)));
  return { items, next: rows.length > take ? shown.at(-1)!.id : null };
}

type GroupOf = (id: string) => Promise<Group | null>;

async function shownRequest(db: Context['db'], accountId: number, request: NamedRequest, groupOf: GroupOf) {
  const { deed, subject, ...rest } = deedOf(request);
  const { id, atMs, actor, who, method, route, status, understood, changed } = request;
  return {
    id,
    at: new Date(atMs).toISOString(),
    token: { id: actor, name: who },
    deed,
    subject: subject === null ? null : await shownSubject(db, accountId, subject, groupOf),
    ...rest,
    method,
    path: request.subject === null ? route : route.replace(':id', request.subject),
    status,
    understood,
    changed,
  };
}

async function shownSubject(
  db: Context['db'],
  accountId: number,
  { kind, by, value }: DeedSubject,
  groupOf: GroupOf,
) {
  if (kind === 'group') {
    const group = await groupOf(value);
    return {
      kind,
      id: group === null ? null : String(group.id),
      name: group?.profile.displayName ?? null,
      said: value,
    };
  }
  const id = by === 'id' ? readResourceId(value) : null;
  const user =
    by === 'address'
      ? await findUser(db, accountId, { by: 'address', address: value })
      : id === null
        ? null
        : await findUserById(db, accountId, id);
  return {
    kind,
    id: user === null ? null : String(user.id),
    name: user === null ? null : nameOf(user.profile),
    said: value,
  };
}

/** What people call them, as far as the provider has told it. */
function nameOf({ userName, displayName, name }: Profile): string {
  if (typeof displayName === 'string') return displayName;
  const { formatted, givenName, familyName } = asValues(name) ?? {};
  if (typeof formatted === 'string') return formatted;
  const parts = [givenName, familyName].filter((part) => typeof part === 'string');
  return parts.length === 0 ? userName : parts.join(' ');
}
