// What no page needs for its first look: keys and what they open, whether the service is there and whether anything has moved, lines
// above the page. Loaded when the first page is drawn.

import type { JSX } from 'preact';
import { ComeBackLine, ConnectionLine } from './connection-line.tsx';
import { followKeys } from './keys.ts';
import { laterTexts } from './later-texts.ts';
import { stayLive } from './live.ts';
import { Overlays } from './overlays.tsx';
import { loadProblems } from './problem.tsx';

export async function startLater(): Promise<void> {
  await Promise.all([laterTexts.load(), loadProblems()]);
  followKeys();
  stayLive();
}

export function LinesAbove(): JSX.Element {
  return (
    <>
      <ConnectionLine />
      <ComeBackLine />
    </>
  );
}

export { Overlays };
