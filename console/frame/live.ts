// Keeps the page up to date: while it is seen it asks every few seconds whether anything moved in the account, which costs the
// service next to nothing when nothing did.

import { moved } from './moved.ts';
import { preloadedTag } from './page-preload.ts';
import { signal } from './signal.ts';

const everyMs = 4_000;
const mostMs = 60_000;

type Connection = 'good' | 'lost' | 'busy' | 'maintenance' | 'signedOut';
export const connection = signal<Connection>('good');

let tag = preloadedTag;
let timer: ReturnType<typeof setTimeout> | undefined;
let waitMs = everyMs;

export function stayLive(): void {
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void ask();
    else clearTimeout(timer);
  });
  addEventListener('online', () => void ask());
  later();
}

/** After an action of one's own, whose effect should be seen at once. */
export function askNow(): Promise<void> {
  return ask();
}

function later(): void {
  clearTimeout(timer);
  if (connection.value !== 'signedOut') timer = setTimeout(ask, waitMs);
}

async function ask(): Promise<void> {
  clearTimeout(timer);
  const result = await look();
  connection.value = result;
  waitMs = result === 'good' ? everyMs : Math.min(waitMs * 2, mostMs);
  if (document.visibilityState === 'visible') later();
}

async function look(): Promise<Connection> {
  let answer: Response;
  try {
    answer = await fetch('/console/api/live', { headers: tag === null ? {} : { 'if-none-match': tag } });
  } catch {
    return 'lost';
  }
  if (answer.status === 304) return 'good';
  if (answer.ok) {
    const isFirst = tag === null;
    tag = answer.headers.get('etag');
    // What is shown was asked for before the first tag was known.
    if (!isFirst || connection.value !== 'good') moved.value += 1;
    return 'good';
  }
  if (answer.status === 401) return 'signedOut';
  if (answer.status === 429) return 'busy';
  return (await answer.text()).includes('MAINTENANCE') ? 'maintenance' : 'lost';
}
