// Responses in groups: by an answer, a passed parameter or another property, what the responses of each group add up to.
//
// Rows come newest day first, and a scan may have to end before it has seen all. What it says then must go over whole days. So rows
// are added up apart for each day that is not whole yet, and a day joins the others when it is (`settle`).
//
// However many different values there are, memory is bounded: so many groups are kept, of which the newest rows are the first, and
// all others are one (D-491). A value is cut to so many characters.

import type { PreparedSurvey } from '../feedback/survey.ts';
import { compareText } from '../fold.ts';
import { readScores } from './figures.ts';
import { addMoments } from './moments.ts';
import {
  answerReader,
  isKnown,
  questionOf,
  type RowProperty,
  ratingReader,
  textReader,
} from './row-property.ts';
import { type RowText, textsOfPiece } from './row-text.ts';
import { withheldCells } from './withheld-cells.ts';

export const breakdownLimits = {
  groups: 10_000,
  valueCharacters: 200,
  /** Groups of days that are not whole yet, each day for itself. */
  pending: 20_000,
};

/** What a group takes beside its figures, in numbers of eight bytes. */
const numbersOfGroup = 24;

/** Sums of one score: as many places as moments.ts needs. */
const momentPlaces = 5;

/** What responses are put in groups by, and which groups are handed over: so many of the largest. */
export interface GroupBy {
  readonly property: RowProperty;
  readonly limit: number;
  /** Groups of fewer responses are withheld, and with them the smallest others where one could be worked out (D-484). */
  readonly minimum: number;
  /** The most responses first, or the lowest mean first; only ratings have one. */
  readonly order: 'count' | 'mean';
}

/** What the responses of a group and version add up to: how many there are, then moments for each latent, or of the rating. */
export interface GroupPart {
  readonly surveyNumber: number;
  readonly figures: Float64Array;
}

export interface Group {
  /** The id of an answer, or a text; null for responses that have none. */
  readonly value: string | null;
  readonly count: number;
  readonly parts: readonly GroupPart[];
}

export interface RankedGroups {
  readonly groups: readonly Group[];
  /** All further ones as one. How many they are is not known, null, where there were more values than are kept. */
  readonly other: (Omit<Group, 'value'> & { readonly groups: number | null }) | null;
  readonly withheld: { readonly groups: number; readonly count: number } | null;
}

/** The groups of a row, in the rows of a version; none for a row that belongs to none. */
type KeysOf = (row: RowText) => readonly (string | null)[];

const noKeys: readonly (string | null)[] = [];
const withoutValue: readonly (string | null)[] = [null];

/**
 * An erased response has a day and a version, and is in no group by anything else (D-490). A response that has several values is
 * in the group of each.
 */
function keysOf(survey: PreparedSurvey, property: RowProperty): KeysOf {
  if (property.kind === 'weekday' || property.kind === 'version') return textReader(survey, property);
  if (!isKnown(survey, property)) return ({ isErased }) => (isErased ? noKeys : withoutValue);
  const values = valuesOf(survey, property);
  return (row) => {
    if (row.isErased) return noKeys;
    const found = values(row);
    return found.length === 0 ? withoutValue : found;
  };
}

function valuesOf(survey: PreparedSurvey, property: RowProperty): (row: RowText) => readonly string[] {
  const question = questionOf(survey, property);
  if (question === null) {
    const texts = textReader(survey, property);
    return (row) => distinct(texts(row));
  }
  if (question.form === 'open') {
    return (row) => {
      const piece = row.answerPiece(question);
      return piece === null ? [] : distinct(textsOfPiece(piece));
    };
  }
  const ids = question.answers.map(({ id }) => id);
  if (question.form === 'single') {
    const lists = ids.map((id) => [id]);
    return (row) => lists[row.chosen(question)] ?? [];
  }
  const answers = answerReader(question);
  return (row) => answers(row).map((answer) => ids[answer]!);
}

function distinct(texts: readonly string[]): readonly string[] {
  if (texts.length === 1 && texts[0]!.length <= breakdownLimits.valueCharacters) return texts;
  return [
    ...new Set(
      texts.map((text) =>
        [...text.slice(0, 2 * breakdownLimits.valueCharacters)]
          .slice(0, breakdownLimits.valueCharacters)
          .join(''),
      ),
    ),
  ];
}

export interface GroupedVersion {
  readonly number: number;
  /** Among the versions that have been met. */
  readonly place: number;
  readonly keysOf: KeysOf;
  readonly length: number;
  readonly addTo: (figures: Float64Array, row: RowText) => void;
}

/** By the place of the version. */
type Cell = (Float64Array | undefined)[];

/** So many groups, and all others as one. */
class Cells {
  readonly kept = new Map<string | null, Cell>();
  beyond: Cell | null = null;

  cell(key: string | null): Cell {
    let cell = this.kept.get(key);
    if (cell !== undefined) return cell;
    if (this.kept.size >= breakdownLimits.groups) {
      this.beyond ??= [];
      return this.beyond;
    }
    cell = [];
    this.kept.set(key, cell);
    return cell;
  }

  add({ kept, beyond }: Cells): void {
    for (const [key, cell] of kept) addCell(this.cell(key), cell);
    if (beyond === null) return;
    this.beyond ??= [];
    addCell(this.beyond, beyond);
  }
}

export class GroupFold {
  readonly #by: GroupBy;
  readonly #versions: GroupedVersion[] = [];
  /** Of days that are whole. */
  readonly #settled = new Cells();
  readonly #pending = new Map<number, Cells>();
  /** Groups of days that are not whole yet. */
  #pendingCount = 0;
  /** Of all other days, once there are too many groups to keep days apart. */
  #rest: Cells | null = null;
  #lastDay = Number.NaN;
  #lastCells = new Cells();

  constructor(by: GroupBy) {
    this.#by = by;
  }

  /** A version that rows will be of. */
  version(number: number, survey: PreparedSurvey): GroupedVersion {
    const isMeasure = survey.source.kind === 'measure';
    const scores = isMeasure ? survey.latents.length : 1;
    const version = {
      number,
      place: this.#versions.length,
      keysOf: keysOf(survey, this.#by.property),
      length: momentsPlace(scores),
      addTo: isMeasure ? scoreAdder(scores) : ratingAdder(survey),
    };
    this.#versions.push(version);
    return version;
  }

  add(version: GroupedVersion, row: RowText): void {
    const keys = version.keysOf(row);
    if (keys.length === 0) return;
    if (row.day !== this.#lastDay) this.#startDay(row.day);
    for (const key of keys) {
      const cell = this.#cell(key);
      cell[version.place] ??= new Float64Array(version.length);
      version.addTo(cell[version.place]!, row);
    }
  }

  /** All rows of the days behind this one have been added; false where days are no longer kept apart. */
  settle(lastOpenDay: number): boolean {
    if (this.#rest !== null) return false;
    for (const [day, cells] of this.#pending) {
      if (day <= lastOpenDay) continue;
      this.#pending.delete(day);
      this.#pendingCount -= cells.kept.size;
      this.#settled.add(cells);
      if (day === this.#lastDay) this.#lastDay = Number.NaN;
    }
    return true;
  }

  /** Of the days that are whole; at the end of the scan these are all. */
  ranked(isComplete: boolean): RankedGroups {
    if (isComplete) {
      this.settle(Number.NEGATIVE_INFINITY);
      if (this.#rest !== null) this.#settled.add(this.#rest);
    }
    const { kept, beyond } = this.#settled;
    const groups: Group[] = [...kept].map(([value, cell]) => this.#group(value, cell));
    const isFew = withheldCells(
      groups.map(({ count }) => count),
      this.#by.minimum,
    );
    const shown = groups.filter((_, place) => !isFew[place]);
    const few = groups.filter((_, place) => isFew[place]);
    shown.sort(this.#by.order === 'mean' ? byMean : byCount);
    const further = shown.slice(this.#by.limit);
    return {
      groups: shown.slice(0, this.#by.limit),
      other: further.length === 0 && beyond === null ? null : this.#other(further, beyond),
      withheld:
        few.length === 0
          ? null
          : { groups: few.length, count: few.reduce((sum, { count }) => sum + count, 0) },
    };
  }

  /**
   * How many numbers it holds, each group for itself counted as some. Null where there were more values than are kept: which of them
   * are, hangs on the order of the rows.
   */
  get size(): number | null {
    if (this.#settled.beyond !== null || this.#rest !== null) return null;
    let size = 0;
    for (const [key, cell] of this.#settled.kept) {
      size += numbersOfGroup + (key?.length ?? 0) / 4;
      for (const figures of cell) size += figures?.length ?? 0;
    }
    return size;
  }

  #other(further: readonly Group[], beyond: Cell | null): RankedGroups['other'] {
    const cell: Cell = [];
    for (const { value } of further) addCell(cell, this.#settled.cell(value));
    if (beyond !== null) addCell(cell, beyond);
    const { count, parts } = this.#group(null, cell);
    return { groups: beyond === null ? further.length : null, count, parts };
  }

  #group(value: string | null, cell: Cell): Group {
    const parts = cell.flatMap((figures, place) =>
      figures === undefined ? [] : [{ surveyNumber: this.#versions[place]!.number, figures }],
    );
    parts.sort((one, other) => one.surveyNumber - other.surveyNumber);
    return { value, count: parts.reduce((sum, { figures }) => sum + figures[0]!, 0), parts };
  }

  #startDay(day: number): void {
    this.#lastDay = day;
    if (this.#rest !== null) return;
    let cells = this.#pending.get(day);
    if (cells === undefined) {
      cells = new Cells();
      this.#pending.set(day, cells);
    }
    this.#lastCells = cells;
  }

  #cell(key: string | null): Cell {
    const { kept } = this.#lastCells;
    const before = kept.size;
    const cell = this.#lastCells.cell(key);
    if (kept.size === before || this.#rest !== null) return cell;
    this.#pendingCount += 1;
    if (this.#pendingCount < breakdownLimits.pending) return cell;
    this.#rest = new Cells();
    for (const cells of this.#pending.values()) this.#rest.add(cells);
    this.#pending.clear();
    this.#lastCells = this.#rest;
    return this.#rest.cell(key);
  }
}

function addCell(target: Cell, added: Cell): void {
  added.forEach((figures, place) => {
    if (figures === undefined) return;
    target[place] ??= new Float64Array(figures.length);
    const sums = target[place];
    for (let at = 0; at < figures.length; at += 1) sums[at]! += figures[at]!;
  });
}

function scoreAdder(count: number): GroupedVersion['addTo'] {
  return (figures, row) => {
    figures[0]! += 1;
    const { values, headEnd } = row;
    const scores = readScores(values, count, headEnd < 0 ? values.length : headEnd);
    for (let index = 0; index < count; index += 1) {
      const micros = scores[index]!;
      if (micros !== null) addMoments(figures, 1 + index * momentPlaces, micros);
    }
  };
}

function ratingAdder(survey: PreparedSurvey): GroupedVersion['addTo'] {
  const rating = ratingReader(survey);
  return (figures, row) => {
    figures[0]! += 1;
    const micros = row.isErased ? null : rating(row);
    if (micros !== null) addMoments(figures, 1, micros);
  };
}

/** Where the moments of a latent, or of the rating, stand among the figures of a part. */
export function momentsPlace(index: number): number {
  return 1 + index * momentPlaces;
}

function byCount(one: Group, other: Group): number {
  return other.count - one.count || byValue(one, other);
}

/** Groups without a rating come last. */
function byMean(one: Group, other: Group): number {
  const [left, right] = [meanRating(one), meanRating(other)];
  return (left === right ? 0 : left - right) || byCount(one, other);
}

function meanRating({ parts }: Group): number {
  const count = parts.reduce((sum, { figures }) => sum + figures[1]!, 0);
  return count === 0
    ? Number.POSITIVE_INFINITY
    : parts.reduce((sum, { figures }) => sum + figures[2]!, 0) / count;
}

function byValue({ value: one }: Group, { value: other }: Group): number {
  if (one === null || other === null) return (one === null ? 1 : 0) - (other === null ? 1 : 0);
  return compareText(one, other);
}
