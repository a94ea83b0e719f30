// Responses as rows of a table, for those who work with columns: one column for each latent, question and parameter,
// named by its id. What a caller of the data endpoints sees is all that goes in, so a table never knows more (D-36,
// D-124); what was left out by a toggle has no column. How a row becomes cells is in row-cells.ts.

import type { CustomResponseType, SurveyDefinition } from './definition.ts';
import { excludeNothing, type RespondentToggles } from './respondent.ts';
import { standardFields } from './standard-fields.ts';

/**
 * What the cells of a column are. A cell is null where there is nothing to say.
 *
 * `measured` is the value of an answer to a measured question, or the text of an answer that has no value. `texts` are the
 * answers to a question that takes several. A `moment` is in milliseconds, a `day` in days, both since 1970.
 */
export type ColumnType = 'text' | 'texts' | 'number' | 'measured' | 'whole' | 'moment' | 'day' | 'flag';

export type Cell = string | number | boolean | readonly string[] | null;

interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** For a format whose columns have one type: the name of a column for the texts of a measured question. */
  readonly textName: string | null;
}

/** A version of a survey, and the number by which rows name it. */
interface NumberedSurvey {
  readonly number: number;
  readonly definition: SurveyDefinition;
}

export interface TableRequest {
  readonly kind: 'measure' | 'project';
  readonly surveys: readonly NumberedSurvey[];
  readonly toggles?: RespondentToggles;
}

export type ColumnKind = 'item' | 'score' | 'MQ' | 'CQ' | 'CPP' | 'EPP';

const itemColumns: readonly (readonly [string, ColumnType])[] = [
  ['id', 'text'],
  ['responseTime', 'moment'],
  ['experienceDate', 'day'],
  ['modelInstanceId', 'text'],
];
const entryColumns: readonly (readonly [string, ColumnType])[] = [
  ['url', 'text'],
  ['locale', 'text'],
  ['rating', 'number'],
  ['topic', 'text'],
];

const rowColumns: readonly (readonly [string, ColumnType])[] = [
  ['erased', 'flag'],
  ['position', 'whole'],
  ['surveyVersion', 'whole'],
  ['digest', 'text'],
  // Last of all, where there was none before it.
  ['quality', 'texts'],
];

/** Whether a passed parameter of this name stands in the columns of parameters: an entry of a project has two as members. */
export function isParameterColumn(kind: 'measure' | 'project', name: string): boolean {
  return kind === 'measure' || (name !== 'url' && name !== 'locale');
}

/**
 * The columns that the versions of a source need: the current version's first, then those of older ones, newest first.
 * Names are ids; where two things share an id, the later one has its kind before it.
 */
export class Table {
  readonly kind: 'measure' | 'project';
  readonly surveys: readonly NumberedSurvey[];
  readonly columns: readonly Column[];
  readonly #taken = new Set<string>();
  readonly #indexes = new Map<string, number>();
  readonly #columns: { name: string; type: ColumnType; textName: string | null }[] = [];

  constructor({ kind, surveys, toggles = excludeNothing }: TableRequest) {
    this.kind = kind;
    this.surveys = surveys;
    this.columns = this.#columns;
    for (const [name, type] of itemColumns) this.#add('item', name, type);
    if (kind === 'project') for (const [name, type] of entryColumns) this.#add('item', name, type);
    const versions = surveys.map(({ definition }) => definition).sort(currentFirst);
    if (kind === 'measure' && !toggles.excludeLatentScores)
      for (const { latents } of versions) for (const { id } of latents) this.#add('score', id, 'number');
    if (!toggles.excludeResponseDetails) this.#addResponses(versions, toggles);
    for (const [name, type] of rowColumns) this.#add('item', name, type);
    this.#nameTexts(versions);
  }

  /** The place of a column; -1 where the table has none such. */
  find(kind: ColumnKind, id: string): number {
    return this.#indexes.get(`${kind} ${id}`) ?? -1;
  }

  #addResponses(versions: readonly SurveyDefinition[], toggles: RespondentToggles): void {
    if (!toggles.excludeMQ)
      for (const { latents } of versions)
        for (const { questions } of latents) for (const { id } of questions) this.#add('MQ', id, 'measured');
    if (!toggles.excludeCQ)
      for (const { questions } of versions)
        for (const { id, responseType } of questions) this.#add('CQ', id, typeOfQuestion(responseType));
    if (toggles.excludePassedParams) return;
    for (const { parameters } of versions)
      for (const { id } of parameters.custom) this.#add('CPP', id, 'text');
    for (const { parameters } of versions)
      for (const { id } of parameters.external) this.#add('EPP', id, 'text');
    for (const { name } of standardFields)
      if (isParameterColumn(this.kind, name)) this.#add('CPP', name, 'text');
    // Names that nobody declared are not known before every row is read, so they share a column.
    this.#add('item', 'otherParameters', 'text');
  }

  #add(kind: ColumnKind, id: string, type: ColumnType): void {
    const known = this.#columns[this.find(kind, id)];
    if (known !== undefined) {
      if (known.type !== type) known.type = known.type === 'texts' || type === 'texts' ? 'texts' : 'text';
      return;
    }
    let name = id;
    while (this.#taken.has(name)) name = `${kind}:${name}`;
    this.#taken.add(name);
    this.#indexes.set(`${kind} ${id}`, this.#columns.length);
    this.#columns.push({ name, type, textName: null });
  }

  // Last of all, so that they take a name from nothing else.
  #nameTexts(versions: readonly SurveyDefinition[]): void {
    for (const { latents } of versions)
      for (const { questions } of latents)
        for (const { id, dontKnow } of questions) {
          const column = this.#columns[this.find('MQ', id)];
          if (!dontKnow || column === undefined || column.textName !== null) continue;
          let name = `${column.name}:text`;
          while (this.#taken.has(name)) name = `${name}:text`;
          this.#taken.add(name);
          column.textName = name;
        }
  }
}

/** Where versions ask for it in different ways, a list holds every answer, and else a text. */
function typeOfQuestion(responseType: CustomResponseType): ColumnType {
  if (responseType === 'CHECKBOX') return 'texts';
  return responseType === 'STAR_RATING' || responseType === 'NPS' ? 'number' : 'text';
}

function currentFirst(one: SurveyDefinition, other: SurveyDefinition): number {
  return Number(other.current) - Number(one.current) || other.version - one.version;
}
