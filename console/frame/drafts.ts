// What somebody has typed and not sent is kept in the browser, by the pages themselves. Here it ends.

import type { Session } from './session.ts';

const storages: readonly (() => Storage)[] = [() => localStorage, () => sessionStorage];
const ownerName = 'soundings.owner';
const ownerAccountName = 'soundings.owner.account';
/** Names of what was typed begin so. */
const draftBeginnings = ['soundings.draft', 'soundings.provider.', ownerName];

/**
 * What was typed and not sent belongs to one person in one account: names, mail addresses and surveys. After a fresh sign-in the same
 * person finds it again; anybody else, and the same person in another account, finds nothing. An operator who is in no account has
 * not entered another one yet.
 */
export function dropDraftsOfOthers({ kind, id }: Session['person'], account: Session['account']): void {
  const person = `${kind} ${id}`;
  let isOther = false;
  for (const storage of storages) {
    try {
      const place = storage();
      const before = place.getItem(ownerAccountName);
      // Where another tab has signed out or changed the account, what this tab holds ends too.
      isOther ||=
        place.getItem(ownerName) !== person ||
        (account !== null && before !== null && before !== String(account.id));
      if (isOther) dropFrom(place);
      place.setItem(ownerName, person);
      if (account !== null) place.setItem(ownerAccountName, String(account.id));
    } catch {
      // A browser that keeps nothing has nothing of others.
    }
  }
}

/** At the sign-out nothing that was typed stays behind. */
export function dropDrafts(): void {
  for (const storage of storages) {
    try {
      dropFrom(storage());
    } catch {
      // As above.
    }
  }
}

function dropFrom(storage: Storage): void {
  for (const name of Object.keys(storage))
    if (draftBeginnings.some((beginning) => name.startsWith(beginning))) storage.removeItem(name);
}
