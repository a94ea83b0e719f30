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
 * What places have which hashes, noted one behind the other, in the order of places for each hash, and sorted by counting: each pass
 * goes through memory from its beginning to its end. Lists that were linked as they came took four times as long, all of it waiting
 * for memory (D-520).
 */
class NotedParts {
  readonly known = new Uint32Array(1 << hashBits);
  /** One bit for each hash that any place has: most have none, and nobody goes through them. */
  readonly isThere = new Uint32Array(1 << (hashBits - 5));
  /** A place and a hash each. */
  entries = new Uint32Array(1 << 16);
  length = 0;

  makeRoom(count: number): void {
    const needed = this.length + count;
    if (needed <= this.entries.length) return;
    const entries = new Uint32Array(2 ** Math.ceil(Math.log2(needed)));
    entries.set(this.entries.subarray(0, this.length));
    this.entries = entries;
  }

  addText(place: number, folded: string): void {
    this.makeRoom(folded.length);
    const placeOfEntry = place << hashBits;
    const { known, isThere, entries } = this;
    let { length } = this;
    let one = folded.charCodeAt(0);
    let two = folded.charCodeAt(1);
    for (let at = 2; at < folded.length; at += 1) {
      const three = folded.charCodeAt(at);
      const hash = hashOf(one, two, three);
      one = two;
      two = three;
      const of = known[hash]!;
      // A place has each once, whether in one comment or in two.
      if ((of & lastMask) === place + 1) continue;
      if (of === 0) isThere[hash >>> 5]! |= 1 << (hash & 31);
      known[hash] = (((of >>> lastBits) + 1) << lastBits) | (place + 1);
      entries[length] = placeOfEntry | hash;
      length += 1;
    }
    this.length = length;
  }

  add(place: number, hash: number): void {
    const of = this.known[hash]!;
    if ((of & lastMask) === place + 1) return;
    if (of === 0) this.isThere[hash >>> 5]! |= 1 << (hash & 31);
    this.known[hash] = (((of >>> lastBits) + 1) << lastBits) | (place + 1);
    this.entries[this.length] = (place << hashBits) | hash;
    this.length += 1;
  }

  /** Once, when everything is noted. Yields between pieces of work that take a millisecond or so. */
  *pack(groupBits: number): Generator<void, PackedSegment> {
    const places = yield* this.#placesByHash();
    const groups: (readonly [number, string])[] = [];
    const packer = new GroupPacker();
    // Where the places of each hash end, once they are sorted.
    const ends = this.known;
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
    const ends = this.known;
    let sum = 0;
    for (const hash of this.#hashes()) {
      const count = ends[hash]! >>> lastBits;
      ends[hash] = sum;
      sum += count;
    }
    const { entries } = this;
    const places = new Uint16Array(this.length);
    for (let at = 0; at < this.length; ) {
      yield;
      const until = Math.min(this.length, at + entriesAtOnce);
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
    const { isThere } = this;
    for (let word = 0; word < isThere.length; word += 1)
      for (let bits = isThere[word]!; bits !== 0; bits &= bits - 1)
        yield word * 32 + 31 - Math.clz32(bits & -bits);
  }
}

/** How many bits of a hash lead to its row, for rows of about the length that is wanted. */
function groupBitsFor(entries: number): number {
  return Math.min(groupBitsMax, Math.max(1, Math.round(Math.log2(entries / groupLength))));
}

/** Takes the comments of one segment, in the order of their rows, and makes the rows of its index. */
export class SegmentBuilder {
  readonly #firstSeq: number;
  readonly #noted = new NotedParts();
  #textLength = 0;

  constructor(segment: number) {
    this.#firstSeq = firstSeqOf(segment);
  }

  /** Whether it will have no lists, whatever comes. */
  get isTooMuch(): boolean {
    return this.#textLength > textLengthMax;
  }

  add(seq: number, folded: string): void {
    this.#textLength += folded.length;
    if (!this.isTooMuch) this.#noted.addText(seq - this.#firstSeq, folded);
  }

  /** In rows of so many bits, or of as many as fit what there is. */
  *pack(groupBits?: number): Generator<void, PackedSegment> {
    const isLittle = groupBits === undefined && this.#textLength < textLengthMin;
    if (isLittle || this.isTooMuch) return { groupBits: null, groups: [] };
    return yield* this.#noted.pack(groupBits ?? groupBitsFor(this.#noted.length));
  }
}

// ---- spans

/**
 * Several segments, once more and less closely: which blocks of 16 rows have which groups of characters. A rare word is looked for in
 * the lists of a span first, and so in few rows of the index however long the log is (D-522). A span is kept like a segment, under a
 * number below 0 that says which segments it has.
 */
export interface Span {
  /** It has 2 to the power of this many segments. */
  readonly level: number;
  /** Among those of its level, from 0. */
  readonly index: number;
}

/** With 16 segments each, places of a span are as many as those of a segment. */
export const spanLevel = 4;
const levelBits = 3;
export const spanLevelMax = 7;
export const blockSeqs = 16;
const blockBits = 4;
/** A span with more entries has no lists, so that making them is bounded; its segments are asked. */
const spanEntriesMax = 3 * 1024 * 1024;

export function numberOfSpan({ level, index }: Span): number {
  return -1 - (index * 2 ** levelBits + level);
}

export function spanOfNumber(number: number): Span {
  const packed = -1 - number;
  return { level: packed % 2 ** levelBits, index: Math.floor(packed / 2 ** levelBits) };
}

/** The first segment of a span, and the first behind it. */
export function segmentsOfSpan({ level, index }: Span): readonly [number, number] {
  return [index * 2 ** level, (index + 1) * 2 ** level];
}

export function firstSeqOfSpan(span: Span): number {
  return firstSeqOf(segmentsOfSpan(span)[0]);
}

/** The place of a row of the log in a span. */
export function blockOf(span: Span, seq: number): number {
  return Math.floor((seq - firstSeqOfSpan(span)) / blockSeqs);
}

/** Takes what the segments of a span have, in their order, and makes the rows of its index. */
export class SpanBuilder {
  readonly #span: Span;
  readonly #noted = new NotedParts();
  #lookedThrough = 0;
  #isTooMuch = false;

  constructor(span: Span) {
    this.#span = span;
  }

  /** Whether it will have no lists, whatever comes. */
  get isTooMuch(): boolean {
    return this.#isTooMuch || this.#noted.length > spanEntriesMax;
  }

  /** A row of the index of a segment. */
  addParts(segment: number, parts: string): void {
    if (this.isTooMuch) return;
    const noted = this.#noted;
    noted.makeRoom(parts.length);
    const first = blockOf(this.#span, firstSeqOf(segment));
    const reader = new NumberReader(parts);
    let hash = 0;
    while (!reader.isAtEnd) {
      hash += reader.next();
      let place = -1;
      for (let left = reader.next(); left >= 0; left -= 1) {
        place += reader.next() + 1;
        noted.add(first + (place >>> blockBits), hash);
      }
    }
  }

  /** A comment of a segment that has no lists. */
  addComment(seq: number, folded: string): void {
    this.#lookedThrough += folded.length;
    // Such a segment has little text, or far too much.
    if (this.#lookedThrough > textLengthMin * 2 ** this.#span.level) this.#isTooMuch = true;
    if (!this.isTooMuch) this.#noted.addText(blockOf(this.#span, seq), folded);
  }

  *pack(groupBits?: number): Generator<void, PackedSegment> {
    if (this.isTooMuch || this.#noted.length === 0) return { groupBits: null, groups: [] };
    return yield* this.#noted.pack(groupBits ?? groupBitsFor(this.#noted.length));
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

/** The places that have a group of characters, in their order. */
export function placesOf(parts: string, hash: number): readonly number[] {
  const reader = new NumberReader(parts);
  let ofList = 0;
  while (!reader.isAtEnd) {
    ofList += reader.next();
    if (ofList > hash) break;
    const count = reader.next() + 1;
    if (ofList < hash) {
      reader.skip(count);
      continue;
    }
    const places = new Array<number>(count);
    let last = -1;
    for (let at = 0; at < count; at += 1) {
      last += reader.next() + 1;
      places[at] = last;
    }
    return places;
  }
  return [];
}

/** A row of the index without some places of some lists; empty when nothing is left of it. */
export function withoutPlaces(parts: string, isGone: (place: number, hash: number) => boolean): string {
  const packer = new GroupPacker();
  for (const [hash, places] of listsOf(parts)) {
    const left = places.filter((place) => !isGone(place, hash));
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

  /** Past so many numbers. */
  skip(count: number): void {
    for (let left = count; left > 0; left -= 1) {
      const lead = this.#text.charCodeAt(this.#at) - firstCode;
      this.#at += lead < singles ? 1 : lead < singles + doubles ? 2 : lead === singles + doubles ? 3 : 5;
    }
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
