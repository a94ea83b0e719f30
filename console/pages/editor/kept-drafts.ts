// Drafts that are not published yet, in this browser: they outlive a closed tab. One for each measure or project of an account, so
// many in all, and of bounded size.

import type { SourceKind } from '../../../src/domain/feedback/source-kind.ts';

const draftsMax = 20;
const lengthMax = 1_000_000;
const prefix = 'soundings.draft:';

export interface DraftName {
  readonly accountId: number;
  readonly kind: SourceKind;
  readonly key: number;
}

export interface KeptDraft {
  /** What it was begun from; null for a measure or project that is new. */
  readonly base: string | null;
  readonly document: unknown;
  readonly text: string | null;
  readonly savedAt: string;
}

/** Where the browser lets nothing be kept, a new survey still gets from one page to the next. */
const inMemory = new Map<string, string>();

export function draftKey({ accountId, kind, key }: DraftName): string {
  return `${prefix}${accountId}:${kind}:${key}`;
}

export function readDraft(name: DraftName): KeptDraft | null {
  const key = draftKey(name);
  let text: string | null = null;
  try {
    text = localStorage.getItem(key);
  } catch {}
  return parsed(text ?? inMemory.get(key) ?? null);
}

/** Whether it is kept for the next time. */
export function keepDraft(name: DraftName, draft: Omit<KeptDraft, 'savedAt'>): boolean {
  const key = draftKey(name);
  const text = JSON.stringify({ ...draft, savedAt: new Date().toISOString() });
  inMemory.set(key, text);
  if (text.length > lengthMax) return false;
  try {
    localStorage.setItem(key, text);
    for (const old of allKeys().slice(draftsMax)) localStorage.removeItem(old);
    return true;
  } catch {
    return false;
  }
}

export function forgetDraft(name: DraftName): void {
  const key = draftKey(name);
  inMemory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {}
}

/** Of an account, the newest first. */
export function keptDrafts(accountId: number): readonly (DraftName & { readonly draft: KeptDraft })[] {
  const found: (DraftName & { readonly draft: KeptDraft })[] = [];
  for (const key of allKeys()) {
    const [account, kind, number] = key.slice(prefix.length).split(':');
    if (Number(account) !== accountId || (kind !== 'measure' && kind !== 'project')) continue;
    const name = { accountId, kind, key: Number(number) } as const;
    const draft = readDraft(name);
    if (draft !== null) found.push({ ...name, draft });
  }
  return found;
}

function allKeys(): readonly string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(prefix))
      .toSorted((one, other) => savedAtOf(other).localeCompare(savedAtOf(one)));
  } catch {
    return [];
  }
}

function savedAtOf(key: string): string {
  return parsed(localStorage.getItem(key))?.savedAt ?? '';
}

function parsed(text: string | null): KeptDraft | null {
  try {
    const draft = JSON.parse(text ?? 'null') as Partial<KeptDraft> | null;
    if (draft === null || typeof draft.savedAt !== 'string' || typeof draft.document !== 'object')
      return null;
    return draft as KeptDraft;
  } catch {
    return null;
  }
}
