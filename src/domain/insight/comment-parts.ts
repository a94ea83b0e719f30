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

/** So many hashes are packed at once. */
const hashesAtOnce = 1 << 14;

/** Takes the comments of one segment, in the order of their rows, and makes the rows of its index. */
export class SegmentBuilder {
  readonly #segment: number;
  /** By hash, its last entry, counted from 1; each entry says which one of the same hash came before it. So nothing is sorted. */
  readonly #lastEntry = new Int32Array(1 << hashBits);
  #places = new Uint16Array(1 << 16);
  #entryBefore = new Int32Array(1 << 16);
  #entries = 0;
  #textLength = 0;

  constructor(segment: number) {
    this.#segment = segment;
  }

  add(seq: number, folded: string): void {
    this.#textLength += folded.length;
    if (this.#textLength > textLengthMax) return;
    this.#makeRoom(folded.length);
    const place = seq - firstSeqOf(this.#segment);
    const lastEntry = this.#lastEntry;
    const places = this.#places;
    const entryBefore = this.#entryBefore;
    let entries = this.#entries;
    let one = folded.charCodeAt(0);
    let two = folded.charCodeAt(1);
    for (let at = 2; at < folded.length; at += 1) {
      const three = folded.charCodeAt(at);
      const hash = hashOf(one, two, three);
      one = two;
      two = three;
      const before = lastEntry[hash]!;
      // A row has each once, whether in one comment or in two.
      if (before > 0 && places[before] === place) continue;
      entries += 1;
      places[entries] = place;
      entryBefore[entries] = before;
      lastEntry[hash] = entries;
    }
    this.#entries = entries;
  }

  #makeRoom(count: number): void {
    const needed = this.#entries + count + 1;
    if (needed <= this.#places.length) return;
    const length = 2 ** Math.ceil(Math.log2(needed));
    const places = new Uint16Array(length);
    const entryBefore = new Int32Array(length);
    places.set(this.#places);
    entryBefore.set(this.#entryBefore);
    this.#places = places;
    this.#entryBefore = entryBefore;
  }

  /** Yields between pieces of work that take a millisecond or so. */
  *pack(): Generator<void, PackedSegment> {
    if (this.#textLength < textLengthMin || this.#textLength > textLengthMax)
      return { groupBits: null, groups: [] };
    const wanted = Math.round(Math.log2(this.#entries / groupLength));
    const groupBits = Math.min(groupBitsMax, Math.max(1, wanted));
    const groups: (readonly [number, string])[] = [];
    const packer = new GroupPacker();
    for (let group = 0; group < 1 << groupBits; group += 1) {
      const first = group << (hashBits - groupBits);
      const end = (group + 1) << (hashBits - groupBits);
      for (let hash = first; hash < end; hash += 1) {
        if (this.#lastEntry[hash]! > 0) this.#packList(packer, hash);
        if ((hash + 1) % hashesAtOnce === 0) yield;
      }
      if (!packer.isEmpty) groups.push([group, packer.take()]);
    }
    return { groupBits, groups };
  }

  #packList(packer: GroupPacker, hash: number): void {
    const places: number[] = [];
    for (let entry = this.#lastEntry[hash]!; entry > 0; entry = this.#entryBefore[entry]!)
      places.push(this.#places[entry]!);
    packer.begin(hash, places.length);
    for (let at = places.length - 1; at >= 0; at -= 1) packer.add(places[at]!);
  }
}

const asciiDecoder = new TextDecoder();

/** Writes the lists of one row of the index. */
class GroupPacker {
  #codes = new Uint8Array(4096);
  #end = 0;
  #lastHash = 0;
  #lastPlace = -1;

  get isEmpty(): boolean {
    return this.#end === 0;
  }

  /** A list of so many places, which are added next, in their order. */
  begin(hash: number, places: number): void {
    this.#number(hash - this.#lastHash);
    this.#number(places - 1);
    this.#lastHash = hash;
    this.#lastPlace = -1;
  }

  add(place: number): void {
    this.#number(place - this.#lastPlace - 1);
    this.#lastPlace = place;
  }

  take(): string {
    const text = asciiDecoder.decode(this.#codes.subarray(0, this.#end));
    this.#end = 0;
    this.#lastHash = 0;
    return text;
  }

  #number(number: number): void {
    if (this.#end + numberCodesMax > this.#codes.length) {
      const larger = new Uint8Array(this.#codes.length * 2);
      larger.set(this.#codes);
      this.#codes = larger;
    }
    this.#end = writeNumber(this.#codes, this.#end, number);
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
    packer.begin(hash, left.length);
    for (const place of left) packer.add(place);
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
