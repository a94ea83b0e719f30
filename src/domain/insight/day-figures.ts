// The figures of days and versions, as rows are added up one after the other.

import type { PreparedSurvey } from '../feedback/survey.ts';
import { addPacked, addRow, newFigures, takeAnswers } from './figures.ts';
import { GivenRow } from './given-answers.ts';
import { type FigureLayout, layoutOf } from './layout.ts';

/** What the responses of one day and version add up to; the layout is that of the version (`layoutFor`). */
export interface DayFigures {
  readonly day: number;
  readonly surveyNumber: number;
  readonly figures: Float64Array;
}

const layouts = new WeakMap<PreparedSurvey, FigureLayout>();

/** The layout of a version, worked out once. */
export function layoutFor(survey: PreparedSurvey): FigureLayout {
  let layout = layouts.get(survey);
  if (layout === undefined) {
    layout = layoutOf(survey);
    layouts.set(survey, layout);
  }
  return layout;
}

/** A version with what reading its rows needs. */
interface FoldedVersion {
  readonly number: number;
  readonly layout: FigureLayout;
  readonly row: GivenRow;
  readonly figuresByDay: Map<number, Float64Array>;
}

/** Adds rows up by day and version. */
export class DayFold {
  readonly #versions = new Map<number, FoldedVersion>();
  readonly #surveyOf: (surveyNumber: number) => PreparedSurvey;
  // Rows that follow each other are mostly of one version and day.
  #last: FoldedVersion | null = null;
  #lastDay = -1;
  #lastFigures: Float64Array | null = null;
  #size = 0;

  /** The function is asked once for each version. */
  constructor(surveyOf: (surveyNumber: number) => PreparedSurvey) {
    this.#surveyOf = surveyOf;
  }

  /** How many figures there are in all, of eight bytes each. */
  get size(): number {
    return this.#size;
  }

  /** Adds a row as it is kept, and hands it back as it was read, for as long as no other is added. */
  add(day: number, surveyNumber: number, values: string): GivenRow {
    const version = this.#enter(day, surveyNumber);
    version.row.read(values);
    addRow(version.layout, this.#lastFigures!, version.row);
    return version.row;
  }

  /** Takes away what a row answered, as it was before it was erased. */
  takeAnswers(day: number, surveyNumber: number, values: string): void {
    const version = this.#enter(day, surveyNumber);
    version.row.read(values);
    takeAnswers(version.layout, this.#lastFigures!, version.row);
  }

  /** Adds figures that were packed. */
  addPacked(day: number, surveyNumber: number, packed: string): void {
    this.#enter(day, surveyNumber);
    addPacked(this.#lastFigures!, packed);
  }

  has(day: number, surveyNumber: number): boolean {
    return this.#versions.get(surveyNumber)?.figuresByDay.has(day) === true;
  }

  /** All of them, by day and then by version. */
  days(): readonly DayFigures[] {
    const days: DayFigures[] = [];
    for (const { number, figuresByDay } of this.#versions.values())
      for (const [day, figures] of figuresByDay) days.push({ day, surveyNumber: number, figures });
    return days.sort((one, other) => one.day - other.day || one.surveyNumber - other.surveyNumber);
  }

  /** The version whose figures of the day are now at hand. */
  #enter(day: number, surveyNumber: number): FoldedVersion {
    if (this.#last?.number === surveyNumber && this.#lastDay === day) return this.#last;
    const version = this.#versionOf(surveyNumber);
    let figures = version.figuresByDay.get(day);
    if (figures === undefined) {
      figures = newFigures(version.layout);
      version.figuresByDay.set(day, figures);
      this.#size += figures.length;
    }
    this.#last = version;
    this.#lastDay = day;
    this.#lastFigures = figures;
    return version;
  }

  #versionOf(surveyNumber: number): FoldedVersion {
    let version = this.#versions.get(surveyNumber);
    if (version === undefined) {
      const survey = this.#surveyOf(surveyNumber);
      version = {
        number: surveyNumber,
        layout: layoutFor(survey),
        row: new GivenRow(survey),
        figuresByDay: new Map(),
      };
      this.#versions.set(surveyNumber, version);
    }
    return version;
  }
}
