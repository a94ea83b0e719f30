// A worker that answers the proof of work of a survey that runs hot (src/domain/pages/work.ts). It hashes by the browser's own
// SHA-256, many numbers at a time, because each call of it is a trip to another thread and back. Where the browser has none, as
// on a page without https, it says so, and the page waits instead.

import { beginsWithZeros, puzzleCount, puzzleText, writeWork } from '../src/domain/pages/work.ts';

const numbersAtOnce = 128;
// Far more than a puzzle needs: a challenge that is harder than we are told is given up.
const triesMax = 1_000_000;

interface Challenge {
  readonly text: string;
  readonly bits: number;
}

addEventListener('message', async ({ data }: MessageEvent<Challenge>) => {
  postMessage(await answerOf(data).catch(() => null));
});

async function answerOf({ text, bits }: Challenge): Promise<string | null> {
  const numbers: string[] = [];
  for (let place = 0; place < puzzleCount; place += 1) {
    const number = await numberFor(text, place, bits);
    if (number === null) return null;
    numbers.push(number);
  }
  return writeWork(text, numbers);
}

async function numberFor(text: string, place: number, bits: number): Promise<string | null> {
  const encoder = new TextEncoder();
  for (let first = 0; first < triesMax; first += numbersAtOnce) {
    const hashes = await Promise.all(
      Array.from({ length: numbersAtOnce }, (_, index) =>
        crypto.subtle.digest(
          'SHA-256',
          encoder.encode(puzzleText(text, place, (first + index).toString(36))),
        ),
      ),
    );
    const found = hashes.findIndex((hash) => beginsWithZeros(new Uint8Array(hash), bits));
    if (found >= 0) return (first + found).toString(36);
  }
  return null;
}
