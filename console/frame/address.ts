// The address of the page is what it shows: whoever copies it shares it, and Back leads to what was there before. Links are plain
// links; those that lead to another page of the console change the page without loading it anew.

import { findPage } from '../../src/domain/console/page-paths.ts';
import { computed, signal } from './signal.ts';

const current = signal(here());

function here(): URL {
  return new URL(location.href);
}

export const path = computed(() => current.value.pathname);
export const query = computed(() => current.value.searchParams);

/** Whether days and filters are those of a shared view, which stay. */
export const isFixed = signal(false);

/** One parameter of the address. */
export function parameter(name: string): string | null {
  return query.value.get(name);
}

/** Of the address as a link carries it on: range, comparison and filters, and nothing else. */
export function carriedQuery(): string {
  const carried = new URLSearchParams();
  for (const name of ['period', 'from', 'to', 'compare', 'f'])
    for (const value of query.value.getAll(name)) carried.append(name, value);
  return carried.size === 0 ? '' : `?${carried.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')}`;
}

/** Leads to another page, or another state of this one. */
export function go(to: string, { isReplacing = false } = {}): void {
  const url = new URL(to, location.href);
  if (url.href === location.href) return;
  const isSamePage = url.pathname === location.pathname;
  if (isReplacing) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  current.value = url;
  if (!isSamePage) scrollTo(0, 0);
}

/** Changes parameters of the address; null takes one away. */
export function changeQuery(
  changes: Readonly<Record<string, string | readonly string[] | null>>,
  options?: { readonly isReplacing?: boolean },
): void {
  const changed = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    changed.delete(name);
    for (const one of value === null ? [] : [value].flat()) changed.append(name, one);
  }
  // Both may stand in a query as they are, and people read them.
  const text = changed.toString().replaceAll('%2C', ',').replaceAll('%3A', ':');
  go(`${location.pathname}${text === '' ? '' : `?${text}`}`, options);
}

/** From now on links and Back change the page. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    current.value = here();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest?.('a[href]');
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || url.hash !== '' || findPage(url.pathname) === null) return;
    event.preventDefault();
    go(url.href);
  });
}
