// What a browser remembers of this page: choices, and whose the drafts are that are kept beside them.

type Name = 'theme' | 'language' | 'account';

export function kept(name: Name): string | undefined {
  try {
    return localStorage.getItem(`soundings.${name}`) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(name: Name, value: string): void {
  try {
    localStorage.setItem(`soundings.${name}`, value);
  } catch {
    // A browser that keeps nothing asks again next time.
  }
}

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
export function dropDraftsOfOthers(person: string, account: number | null): void {
  let isOther = false;
  for (const storage of storages) {
    try {
      const place = storage();
      const before = place.getItem(ownerAccountName);
      // Where another tab has signed out or changed the account, what this tab holds ends too.
      isOther ||=
        place.getItem(ownerName) !== person ||
        (account !== null && before !== null && before !== String(account));
      if (isOther) dropFrom(place);
      place.setItem(ownerName, person);
      if (account !== null) place.setItem(ownerAccountName, String(account));
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

const linkFlag = 'soundings.cameByLink';

/** Whether whoever is here came by a link that works once and has no other way in; for this tab alone. */
export function cameByLink(): boolean {
  return sessionStorage.getItem(linkFlag) !== null;
}

export function noteCameByLink(isSo: boolean): void {
  if (isSo) sessionStorage.setItem(linkFlag, '1');
  else sessionStorage.removeItem(linkFlag);
}
