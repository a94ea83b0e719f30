// What keys do. A page adds its own while it is shown; `?` lists them all. Nothing happens while somebody types.

import { useLayoutEffect, useRef } from 'preact/hooks';
import { signal } from './signal.ts';

interface Key {
  /** One key, or `g` and a second one: `g o`. */
  readonly keys: string;
  readonly label: string;
  readonly run: () => void;
}

/** Those that count now: those of the frame first, then the newest last. The last of several for one key counts. */
export const keys = signal<readonly Key[]>([]);

/** While the component is shown. Keys of the frame, which is loaded behind the page, give way to those of the page. */
export function useKeys(own: readonly Key[], of: 'page' | 'frame' = 'page'): void {
  const newest = useRef(own);
  newest.current = own;
  const names = own.map(({ keys: name, label }) => `${name}\t${label}`).join('\n');
  // As it is drawn, and not a moment later: a key that is pressed in between would be nobody's.
  useLayoutEffect(() => {
    const mine = names.split('\n').map((line, index) => {
      const [name = '', label = ''] = line.split('\t');
      // Looked up when it is pressed: what it does may be another thing each time the page is drawn.
      return { keys: name, label, run: () => newest.current[index]?.run() };
    });
    keys.value = of === 'frame' ? [...mine, ...keys.value] : [...keys.value, ...mine];
    return () => {
      keys.value = keys.value.filter((key) => !mine.includes(key));
    };
  }, [names, of]);
}

const secondMs = 1_500;
let first: { readonly key: string; readonly untilMs: number } | null = null;

export function followKeys(): void {
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
      return;
    const pressed =
      first !== null && performance.now() < first.untilMs ? `${first.key} ${event.key}` : event.key;
    first = null;
    const found = keys.value.findLast((key) => key.keys === pressed);
    if (found !== undefined) {
      event.preventDefault();
      return found.run();
    }
    if (keys.value.some((key) => key.keys.startsWith(`${pressed} `)))
      first = { key: pressed, untilMs: performance.now() + secondMs };
  });
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || document.querySelector('dialog[open]') !== null) return true;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
