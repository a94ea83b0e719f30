// The proof of work that the page of a survey asks for while it runs hot. A challenge is a text that the server signed; to
// answer it, the browser looks for a number for each of several small puzzles, such that the SHA-256 of challenge, place and
// number begins with so many zero bits. Several small puzzles instead of a large one: how long they take together varies
// far less, and to check them takes one hash each.
//
// The same words are used by the server, which checks, and by the browser, which looks: nothing of Node is needed here.

export const puzzleCount = 8;

/** The longest text that is looked at: a challenge of at most 160 characters and its numbers. */
const workCharactersMax = 300;
const challengeMax = 160;
const numbersPattern = /^(?:[0-9a-z]{1,9},){7}[0-9a-z]{1,9}$/;

/** What the sender brings: the challenge alone where it has waited, with numbers where it has worked. */
export interface BroughtWork {
  readonly challenge: string;
  readonly numbers: readonly string[] | null;
}

/** Null where the text is nothing of the kind. */
export function readWork(text: string): BroughtWork | null {
  if (text === '' || text.length > workCharactersMax) return null;
  const [challenge = '', numbers, ...rest] = text.split('~');
  if (rest.length > 0 || challenge.length > challengeMax) return null;
  if (numbers === undefined) return { challenge, numbers: null };
  return numbersPattern.test(numbers) ? { challenge, numbers: numbers.split(',') } : null;
}

export function writeWork(challenge: string, numbers: readonly string[]): string {
  return `${challenge}~${numbers.join(',')}`;
}

/** The text whose hash is looked at. */
export function puzzleText(challenge: string, place: number, number: string): string {
  return `${challenge}~${place}~${number}`;
}

/** Whether a hash begins with so many zero bits, at most 32. */
export function beginsWithZeros(hash: Uint8Array, bits: number): boolean {
  const first = ((hash[0]! << 24) | (hash[1]! << 16) | (hash[2]! << 8) | hash[3]!) >>> 0;
  return bits === 0 || first >>> (32 - bits) === 0;
}
