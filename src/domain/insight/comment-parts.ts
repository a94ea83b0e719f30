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
// All are whole numbers of one to five characters (`writeNumber`), and nearly all of one.

/** Rows of the log that are indexed together. Those behind the last full segment are looked through. */
export const segmentSeqs = 4096;
const hashBits = 20;
const hashMask = (1 << hashBits) - 1;
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

/** So many entries are worked on at once. */
const entriesAtOnce = 1 << 16;
const placeBits = 12;
/** What is known of a hash: how many rows have it, and behind that the last of them, counted from 1. */
const lastBits = placeBits + 1;
const lastMask = (1 << lastBits) - 1;

/**
 * Takes the comments of one segment, in the order of their rows, and makes the rows of its index. What the rows have is noted one
 * behind the other and sorted by counting: each pass goes through memory from its beginning to its end. Lists that were linked as
 * they came took four times as long, all of it waiting for memory (D-520).
 */
export class SegmentBuilder {
  readonly #firstSeq: number;
  readonly #known = new Uint32Array(1 << hashBits);
  /** One bit for each hash that any row has: most have none, and nobody goes through them. */
  readonly #isThere = new Uint32Array(1 << (hashBits - 5));
  /** A place and a hash each. */
  #entries = new Uint32Array(1 << 16);
  #length = 0;
  #textLength = 0;

  constructor(segment: number) {
    this.#firstSeq = firstSeqOf(segment);
  }

  add(seq: number, folded: string): void {
    this.#textLength += folded.length;
    if (this.#textLength > textLengthMax) return;
    this.#makeRoom(folded.length);
    const place = seq - this.#firstSeq;
    const placeOfEntry = place << hashBits;
    const known = this.#known;
    const isThere = this.#isThere;
    const entries = this.#entries;
    let length = this.#length;
    let one = folded.charCodeAt(0);
    let two = folded.charCodeAt(1);
    for (let at = 2; at < folded.length; at += 1) {
      const three = folded.charCodeAt(at);
      const hash = hashOf(one, two, three);
      one = two;
      two = three;
      const of = known[hash]!;
      // A row has each once, whether in one comment or in two.
      if ((of & lastMask) === place + 1) continue;
      if (of === 0) isThere[hash >>> 5]! |= 1 << (hash & 31);
      known[hash] = (((of >>> lastBits) + 1) << lastBits) | (place + 1);
      entries[length] = placeOfEntry | hash;
      length += 1;
    }
    this.#length = length;
  }

  #makeRoom(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#entries.length) return;
    const entries = new Uint32Array(2 ** Math.ceil(Math.log2(needed)));
    entries.set(this.#entries.subarray(0, this.#length));
    this.#entries = entries;
  }

  /** Yields between pieces of work that take a millisecond or so. */
  *pack(): Generator<void, PackedSegment> {
    if (this.#textLength < textLengthMin || this.#textLength > textLengthMax)
      return { groupBits: null, groups: [] };
    const wanted = Math.round(Math.log2(this.#length / groupLength));
    const groupBits = Math.min(groupBitsMax, Math.max(1, wanted));
    const places = yield* this.#placesByHash();
    const groups: (readonly [number, string])[] = [];
    const packer = new GroupPacker();
    // Where the places of each hash end, once they are sorted.
    const ends = this.#known;
    let begin = 0;
    let packed = 0;
    let group = 0;
    for (const hash of this.#hashes()) {
      const ofHash = groupOf(hash, groupBits);
      if (ofHash !== group && !packer.isEmpty) groups.push([group, packer.take()]);
      group = ofHash;
      const end = ends[hash]!;
      packer.list(hash, places, begin, end);
      packed += end - begin + 1;
      begin = end;
      if (packed < entriesAtOnce) continue;
      packed = 0;
      yield;
    }
    if (!packer.isEmpty) groups.push([group, packer.take()]);
    return { groupBits, groups };
  }

  /** The places of all lists, one list behind the other; what was known of a hash becomes the place where its list ends. */
  *#placesByHash(): Generator<void, Uint16Array> {
    const ends = this.#known;
    let sum = 0;
    for (const hash of this.#hashes()) {
      const count = ends[hash]! >>> lastBits;
      ends[hash] = sum;
      sum += count;
    }
    const entries = this.#entries;
    const places = new Uint16Array(this.#length);
    for (let at = 0; at < this.#length; ) {
      yield;
      const until = Math.min(this.#length, at + entriesAtOnce);
      for (; at < until; at += 1) {
        const entry = entries[at]!;
        const hash = entry & hashMask;
        const end = ends[hash]!;
        places[end] = entry >>> hashBits;
        ends[hash] = end + 1;
      }
    }
    return places;
  }

  /** Those that are there, in their order. */
  *#hashes(): Generator<number> {
    const isThere = this.#isThere;
    for (let word = 0; word < isThere.length; word += 1)
      for (let bits = isThere[word]!; bits !== 0; bits &= bits - 1)
        yield word * 32 + 31 - Math.clz32(bits & -bits);
  }
}

const asciiDecoder = new TextDecoder();

/** Writes the lists of one row of the index. */
class GroupPacker {
  #codes = new Uint8Array(4096);
  #end = 0;
  #lastHash = 0;

  get isEmpty(): boolean {
    return this.#end === 0;
  }

  /** The list of a hash: places in their order, from `begin` to before `end`. */
  list(hash: number, places: ArrayLike<number>, begin: number, end: number): void {
    this.#makeRoom((end - begin + 2) * numberCodesMax);
    const codes = this.#codes;
    let at = writeNumber(codes, this.#end, hash - this.#lastHash);
    at = writeNumber(codes, at, end - begin - 1);
    let last = -1;
    for (let index = begin; index < end; index += 1) {
      const place = places[index]!;
      const distance = place - last - 1;
      last = place;
      if (distance < singles) {
        codes[at] = firstCode + distance;
        at += 1;
      } else at = writeNumber(codes, at, distance);
    }
    this.#lastHash = hash;
    this.#end = at;
  }

  take(): string {
    const text = asciiDecoder.decode(this.#codes.subarray(0, this.#end));
    this.#end = 0;
    this.#lastHash = 0;
    return text;
  }

  #makeRoom(count: number): void {
    const needed = this.#end + count;
    if (needed <= this.#codes.length) return;
    const larger = new Uint8Array(2 ** Math.ceil(Math.log2(needed)));
    larger.set(this.#codes.subarray(0, this.#end));
    this.#codes = larger;
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
    if (left.length === 0) continue;
    packer.list(hash, left, 0, left.length);
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
const numberCodesMax = 5;

/** Returns where the next one is written. */
function writeNumber(codes: Uint8Array, end: number, number: number): number {
  if (number < singles) {
    codes[end] = firstCode + number;
    return end + 1;
  }
  if (number < doublesEnd) {
    const rest = number - singles;
    codes[end] = firstCode + singles + Math.floor(rest / digits);
    codes[end + 1] = firstCode + (rest % digits);
    return end + 2;
  }
  return number < triplesEnd
    ? writeDigits(codes, end, singles + doubles, number - doublesEnd, 2)
    : writeDigits(codes, end, singles + doubles + 1, number - triplesEnd, 4);
}

function writeDigits(codes: Uint8Array, end: number, lead: number, rest: number, count: number): number {
  codes[end] = firstCode + lead;
  let left = rest;
  for (let at = count; at > 0; at -= 1) {
    codes[end + at] = firstCode + (left % digits);
    left = Math.floor(left / digits);
  }
  return end + 1 + count;
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
