// The figures of days and versions, as rows are added up one after the other.

import type { PreparedSurvey } from '../feedback/survey.ts';
import { addRow, newFigures } from './figures.ts';
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

  /** The function is asked once for each version. */
  constructor(surveyOf: (surveyNumber: number) => PreparedSurvey) {
    this.#surveyOf = surveyOf;
  }

  /** Adds a row as it is kept, and hands it back as it was read, for as long as no other is added. */
  add(day: number, surveyNumber: number, values: string): GivenRow {
    const version = this.#last?.number === surveyNumber ? this.#last : this.#versionOf(surveyNumber);
    if (this.#last !== version || this.#lastDay !== day) {
      this.#last = version;
      this.#lastDay = day;
      this.#lastFigures = figuresOf(version, day);
    }
    version.row.read(values);
    addRow(version.layout, this.#lastFigures!, version.row);
    return version.row;
  }

  /** The figures of a day, to which others may be added. */
  figuresOf(day: number, surveyNumber: number): Float64Array {
    return figuresOf(this.#versionOf(surveyNumber), day);
  }

  /** All of them, by day and then by version. */
  days(): readonly DayFigures[] {
    const days: DayFigures[] = [];
    for (const { number, figuresByDay } of this.#versions.values())
      for (const [day, figures] of figuresByDay) days.push({ day, surveyNumber: number, figures });
    return days.sort((one, other) => one.day - other.day || one.surveyNumber - other.surveyNumber);
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

function figuresOf({ layout, figuresByDay }: FoldedVersion, day: number): Float64Array {
  let figures = figuresByDay.get(day);
  if (figures === undefined) {
    figures = newFigures(layout);
    figuresByDay.set(day, figures);
  }
  return figures;
}
