// The index of comments: which rows of a segment of the log have which groups of three characters (UTF-16 units) in their
// comments. Whatever it finds is compared with the text itself, so it may say too much and never too little: a group is kept as
// a hash of 20 bits.
//
// The lists of a segment are cut into rows by the first bits of the hash, so that a search reads the few rows of its own groups.
// How many bits that are depends on how much the segment has. A row is a text of printable characters:
//
//   for each hash, in their order: its distance from the one before, how many rows of the log follow, and their places in the
//   segment, each as its distance from the one before
//
// All are whole numbers of one to five characters (`pushNumber`), and nearly all of one.

/** Rows of the log that are indexed together. Those behind the last full segment are looked through. */
export const segmentSeqs = 4096;
const placeBits = 12;
const hashBits = 20;
/** A character of a text has 16 bits. */
export const partLength = 3;
/** A row of the index should have about so many characters. */
const groupLength = 640;
const groupBitsMax = 12;
/** A segment with less text is looked through as quickly, and its index would be large beside it. */
const textLengthMin = 16_384;
/** One with more is looked through in slices: its index would have to be made in memory. */
const textLengthMax = 4 * 1024 * 1024;

export function segmentOf(seq: number): number {
  return Math.floor((seq - 1) / segmentSeqs);
}

export function firstSeqOf(segment: number): number {
  return segment * segmentSeqs + 1;
}

/** The hashes of all groups of three characters, each once. */
export function partHashes(folded: string): ReadonlySet<number> {
  const hashes = new Set<number>();
  let one = folded.charCodeAt(0);
  let two = folded.charCodeAt(1);
  for (let at = 2; at < folded.length; at += 1) {
    const three = folded.charCodeAt(at);
    hashes.add(hashOf(one, two, three));
    one = two;
    two = three;
  }
  return hashes;
}

function hashOf(one: number, two: number, three: number): number {
  let hash = Math.imul(one, 0x9e3779b1) ^ Math.imul(two, 0x85ebca77) ^ Math.imul(three, 0xc2b2ae3d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 13), 0x297a2d39);
  return (hash ^ (hash >>> 16)) >>> (32 - hashBits);
}

/** The row of the index that has the list of a group of characters. */
export function groupOf(hash: number, groupBits: number): number {
  return hash >>> (hashBits - groupBits);
}

export interface PackedSegment {
  /** How many bits of a hash lead to its row; null where the segment has no lists and is looked through. */
  readonly groupBits: number | null;
  readonly groups: readonly (readonly [group: number, parts: string])[];
}

const bucketBits = 6;

/** Takes the comments of one segment, in any order, and makes the rows of its index. */
export class SegmentBuilder {
  readonly #segment: number;
  /** Hash and place in one number, apart by the first bits of the hash, so that each can be put in order in a short time. */
  readonly #buckets: number[][] = Array.from({ length: 1 << bucketBits }, () => []);
  #textLength = 0;
  #entries = 0;

  constructor(segment: number) {
    this.#segment = segment;
  }

  add(seq: number, folded: string): void {
    this.#textLength += folded.length;
    if (this.#textLength > textLengthMax) return;
    const place = seq - firstSeqOf(this.#segment);
    for (const hash of partHashes(folded)) {
      this.#buckets[hash >>> (hashBits - bucketBits)]!.push(hash * segmentSeqs + place);
      this.#entries += 1;
    }
  }

  /** Yields between pieces of work that take a millisecond or so. */
  *pack(): Generator<void, PackedSegment> {
    if (this.#textLength < textLengthMin || this.#textLength > textLengthMax)
      return { groupBits: null, groups: [] };
    const wanted = Math.round(Math.log2(this.#entries / groupLength));
    const groupBits = Math.min(groupBitsMax, Math.max(1, wanted));
    const groups: (readonly [number, string])[] = [];
    const packer = new GroupPacker();
    let group = -1;
    const finish = (): void => {
      if (!packer.isEmpty) groups.push([group, packer.take()]);
    };
    for (const bucket of this.#buckets) {
      const entries = Uint32Array.from(bucket).sort();
      for (let at = 0; at < entries.length; ) {
        const hash = entries[at]! >>> placeBits;
        const ofHash = groupOf(hash, groupBits);
        if (ofHash !== group) {
          finish();
          group = ofHash;
        }
        const places: number[] = [];
        for (; at < entries.length && entries[at]! >>> placeBits === hash; at += 1) {
          const place = entries[at]! % segmentSeqs;
          // A response may have the same group of characters in two comments.
          if (place !== places.at(-1)) places.push(place);
        }
        packer.add(hash, places);
      }
      yield;
    }
    finish();
    return { groupBits, groups };
  }
}

class GroupPacker {
  #codes: number[] = [];
  #lastHash = 0;

  get isEmpty(): boolean {
    return this.#codes.length === 0;
  }

  add(hash: number, places: readonly number[]): void {
    pushNumber(this.#codes, hash - this.#lastHash);
    this.#lastHash = hash;
    pushNumber(this.#codes, places.length - 1);
    let last = -1;
    for (const place of places) {
      pushNumber(this.#codes, place - last - 1);
      last = place;
    }
  }

  take(): string {
    let text = '';
    for (let at = 0; at < this.#codes.length; at += 8192)
      text += String.fromCharCode(...this.#codes.slice(at, at + 8192));
    this.#codes = [];
    this.#lastHash = 0;
    return text;
  }
}

/** The lists of a row of the index. */
function* listsOf(parts: string): Generator<readonly [hash: number, places: number[]]> {
  const reader = new NumberReader(parts);
  let hash = 0;
  while (!reader.isAtEnd) {
    hash += reader.next();
    const places = new Array<number>(reader.next() + 1);
    let last = -1;
    for (let at = 0; at < places.length; at += 1) {
      last += reader.next() + 1;
      places[at] = last;
    }
    yield [hash, places];
  }
}

/** The places of the rows that have a group of characters, in their order. */
export function placesOf(parts: string, hash: number): readonly number[] {
  for (const [ofList, places] of listsOf(parts)) {
    if (ofList === hash) return places;
    if (ofList > hash) break;
  }
  return [];
}

/** A row of the index without some rows of the log; empty when nothing is left of it. */
export function withoutPlaces(parts: string, gone: ReadonlySet<number>): string {
  const packer = new GroupPacker();
  for (const [hash, places] of listsOf(parts)) {
    const left = places.filter((place) => !gone.has(place));
    if (left.length > 0) packer.add(hash, left);
  }
  return packer.take();
}

// ---- numbers as printable characters of ASCII

const firstCode = 35;
const digits = 90;
/** Up to here one character; then so many first characters for two; then one each for three and for five. */
const singles = 60;
const doubles = 28;
const doublesEnd = singles + doubles * digits;
const triplesEnd = doublesEnd + digits * digits;

function pushNumber(codes: number[], number: number): void {
  if (number < singles) codes.push(firstCode + number);
  else if (number < doublesEnd) {
    const rest = number - singles;
    codes.push(firstCode + singles + Math.floor(rest / digits), firstCode + (rest % digits));
  } else if (number < triplesEnd) pushDigits(codes, singles + doubles, number - doublesEnd, 2);
  else pushDigits(codes, singles + doubles + 1, number - triplesEnd, 4);
}

function pushDigits(codes: number[], lead: number, rest: number, count: number): void {
  codes.push(firstCode + lead);
  for (let power = count - 1; power >= 0; power -= 1)
    codes.push(firstCode + (Math.floor(rest / digits ** power) % digits));
}

class NumberReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  next(): number {
    const lead = this.#digit();
    if (lead < singles) return lead;
    if (lead < singles + doubles) return singles + (lead - singles) * digits + this.#digit();
    if (lead === singles + doubles) return doublesEnd + this.#digits(2);
    return triplesEnd + this.#digits(4);
  }

  #digits(count: number): number {
    let number = 0;
    for (let at = 0; at < count; at += 1) number = number * digits + this.#digit();
    return number;
  }

  #digit(): number {
    const digit = this.#text.charCodeAt(this.#at) - firstCode;
    this.#at += 1;
    return digit;
  }
}
