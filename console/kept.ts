// What a browser remembers of this page: never more than a choice. What is typed and not sent is in frame/drafts.ts.

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

const linkFlag = 'soundings.cameByLink';

/** Whether whoever is here came by a link that works once and has no other way in; for this tab alone. */
export function cameByLink(): boolean {
  return sessionStorage.getItem(linkFlag) !== null;
}

export function noteCameByLink(isSo: boolean): void {
  if (isSo) sessionStorage.setItem(linkFlag, '1');
  else sessionStorage.removeItem(linkFlag);
}
