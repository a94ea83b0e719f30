// What the server put into the page, so that it need not be asked for: who is signed in, and the first answers.

import type { Session } from './session.ts';

interface PagePreload {
  readonly session: Session;
  /** Of `/console/api/live`, as it was before the answers were made. */
  readonly tag: string | null;
  /** By the path behind `/console/api`. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const element = document.querySelector('#page-preload');
const data = (element === null ? null : JSON.parse(element.textContent)) as PagePreload | null;
const answers = new Map(Object.entries(data?.answers ?? {}));

export const preloadedSession = data?.session ?? null;
export const preloadedTag = data?.tag ?? null;

/** Once: whoever asks again asks the server. */
export function takePreloaded(path: string): unknown {
  const answer = answers.get(path);
  answers.delete(path);
  return answer;
}
