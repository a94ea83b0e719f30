// Challenges for the proof of work (domain/pages/work.ts), signed so that nothing of them is kept: any replica checks what
// another one has asked for. A challenge is of one survey and one response id, and a response id is one row at most, so an
// answer cannot be used for a second one.

import { createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type BroughtWork, beginsWithZeros, puzzleText } from '../../domain/pages/work.ts';

/** A key that is derived for this alone, and the short name by which a challenge says which one it is. */
export interface WorkKey {
  readonly mark: string;
  readonly workKey: KeyObject;
}

export interface WorkKeys {
  /** The key that seals now, kept until then at least. */
  until(endsAtMs: number): Promise<WorkKey>;
  /** Null where there is none, or none any more. */
  marked(mark: string): Promise<WorkKey | null>;
}

/** What is asked of a sender: to answer the challenge, or to wait and bring it back as it is. */
export interface Challenge {
  readonly text: string;
  /** How many zero bits each of the puzzles asks for. */
  readonly bits: number;
  readonly waitSeconds: number;
}

/** Who is asked. */
interface Asked {
  readonly surveyId: string;
  readonly responseId: string;
}

/** `none`: not ours, of somebody else, too old, or brought back too early and without the numbers. */
type Answered = 'worked' | 'waited' | 'none';

// Eight puzzles of 1,024 hashes each on average: what a browser needs for them is in docs/surveys.md.
const workBits = 10;
const waitSeconds = 10;
const challengeAgeMaxMs = 3_600_000;
// Replicas tell the time a little differently.
const clocksApartMs = 2_000;
const macBytes = 16;
const challengePattern = /^([0-9a-z]{1,9})\.([0-9]{1,2})\.([A-Za-z0-9_-]{8})\.([A-Za-z0-9_-]{22})$/;

export class WorkChallenges {
  readonly #keys: WorkKeys;
  readonly #now: () => number;

  constructor(keys: WorkKeys, now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  async ask(asked: Asked): Promise<Challenge> {
    const nowMs = this.#now();
    const key = await this.#keys.until(nowMs + challengeAgeMaxMs);
    const head = `${Math.floor(nowMs / 1000).toString(36)}.${workBits}`;
    const mac = macOf(key, head, asked).toString('base64url');
    return { text: `${head}.${key.mark}.${mac}`, bits: workBits, waitSeconds };
  }

  /** As many hashes as there are puzzles at most, whatever was brought. */
  async check({ challenge, numbers }: BroughtWork, asked: Asked): Promise<Answered> {
    const [, seconds = '', bits = '', mark = '', mac = ''] = challengePattern.exec(challenge) ?? [];
    if (mac === '') return 'none';
    const ageMs = this.#now() - Number.parseInt(seconds, 36) * 1000;
    if (ageMs > challengeAgeMaxMs || ageMs < -clocksApartMs) return 'none';
    const key = await this.#keys.marked(mark);
    if (key === null) return 'none';
    const given = Buffer.from(mac, 'base64url');
    if (!timingSafeEqual(given, macOf(key, `${seconds}.${bits}`, asked))) return 'none';
    if (numbers !== null && isAnswer(challenge, numbers, Number(bits))) return 'worked';
    return ageMs >= waitSeconds * 1000 - clocksApartMs ? 'waited' : 'none';
  }
}

function isAnswer(challenge: string, numbers: readonly string[], bits: number): boolean {
  return numbers.every((number, place) =>
    beginsWithZeros(hash('sha256', puzzleText(challenge, place, number), 'buffer'), bits),
  );
}

function macOf({ workKey }: WorkKey, head: string, { surveyId, responseId }: Asked): Buffer {
  // As JSON, so that no two lists of texts are one text.
  const text = JSON.stringify([head, surveyId, responseId]);
  return createHmac('sha256', workKey).update(text).digest().subarray(0, macBytes);
}
