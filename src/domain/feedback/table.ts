// Responses as rows of a table, for those who work with columns: one column for each latent, question and parameter,
// named by its id. What a caller of the data endpoints sees is all that goes in, so a table never knows more (D-36, D-124).

import type { SurveyDefinition } from './definition.ts';
import { standardFields } from './standard-fields.ts';

/** A Respondent or a ProjectEntry as it is shown. */
export interface ShownItem {
  readonly id: string;
  readonly responseTime: string;
  readonly experienceDate: string;
  readonly modelInstanceId: string;
  readonly latentScores?: readonly { readonly id: string; readonly score: number | null }[];
  readonly url?: string | null;
  readonly locale?: string | null;
  readonly rating?: number | null;
  readonly topic?: string | null;
  readonly responses: readonly {
    readonly id: string;
    readonly type: string;
    readonly answers: readonly string[];
  }[];
  readonly erased?: boolean;
}

type Cell = string | number;

export interface Table {
  readonly header: readonly string[];
  row(item: ShownItem): Cell[];
}

const answersApart = ';';
const itemColumns = ['id', 'responseTime', 'experienceDate', 'modelInstanceId'] as const;
const entryColumns = ['url', 'locale', 'rating', 'topic'] as const;

/** The columns that the versions of a source need: the current version's first, then those of older ones, newest first. */
export function tableOf(kind: 'measure' | 'project', versions: readonly SurveyDefinition[]): Table {
  const columns = new Columns();
  for (const name of itemColumns) columns.add('item', name);
  if (kind === 'project') for (const name of entryColumns) columns.add('item', name);
  const ordered = [...versions].sort(
    (one, other) => Number(other.current) - Number(one.current) || other.version - one.version,
  );
  for (const { latents } of ordered) for (const { id } of latents) columns.add('score', id);
  for (const { latents } of ordered)
    for (const { questions } of latents) for (const { id } of questions) columns.add('MQ', id);
  for (const { questions } of ordered) for (const { id } of questions) columns.add('CQ', id);
  for (const { parameters } of ordered) for (const { id } of parameters.custom) columns.add('CPP', id);
  for (const { parameters } of ordered) for (const { id } of parameters.external) columns.add('EPP', id);
  for (const { name } of standardFields) {
    // An entry of a project has these two as members of its own.
    if (kind === 'measure' || (name !== 'url' && name !== 'locale')) columns.add('CPP', name);
  }
  // Names that nobody declared are not known before every row is read, so they share a column.
  const others = columns.add('item', 'otherParameters');
  const erased = columns.add('item', 'erased');
  return { header: columns.header, row: (item) => rowOf(columns, kind, item, others, erased) };
}

function rowOf(
  columns: Columns,
  kind: 'measure' | 'project',
  item: ShownItem,
  others: number,
  erased: number,
): Cell[] {
  const cells: Cell[] = new Array(columns.header.length).fill('');
  const set = (type: string, id: string, value: Cell | null | undefined): void => {
    const index = columns.find(type, id);
    if (index !== undefined) cells[index] = value ?? '';
  };
  for (const name of itemColumns) set('item', name, item[name]);
  if (kind === 'project') for (const name of entryColumns) set('item', name, item[name]);
  for (const { id, score } of item.latentScores ?? []) set('score', id, score);
  const unknown = new Map<string, readonly string[]>();
  for (const { id, type, answers } of item.responses) {
    const index = columns.find(type, id);
    if (index !== undefined) {
      const text = answers.join(answersApart);
      cells[index] = cells[index] === '' ? text : `${cells[index]}${answersApart}${text}`;
    } else if (kind === 'measure' || (id !== 'url' && id !== 'locale')) unknown.set(id, answers);
  }
  // From entries, because a name may be one that an object literal would not keep.
  if (unknown.size > 0) cells[others] = JSON.stringify(Object.fromEntries(unknown));
  if (item.erased === true) cells[erased] = 'true';
  return cells;
}

/** Names of columns are ids; where two things share an id, the later one has its kind before it. */
class Columns {
  readonly header: string[] = [];
  readonly #taken = new Set<string>();
  readonly #indexes = new Map<string, number>();

  add(type: string, id: string): number {
    const known = this.find(type, id);
    if (known !== undefined) return known;
    let name = id;
    while (this.#taken.has(name)) name = `${type}:${name}`;
    this.#taken.add(name);
    this.#indexes.set(`${type} ${id}`, this.header.length);
    return this.header.push(name) - 1;
  }

  find(type: string, id: string): number | undefined {
    return this.#indexes.get(`${type} ${id}`);
  }
}
