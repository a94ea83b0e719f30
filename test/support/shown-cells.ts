// The cells of a table, read from an item as the data endpoints show it: the long way round, to be held against the cells
// that exports make from rows.

import type { Cell, ColumnKind, Table } from '../../src/domain/feedback/table.ts';

/** A Respondent or a ProjectEntry, with what an export puts in front of it. */
export interface ShownItem {
  readonly position: number;
  readonly surveyVersion: number;
  readonly digest: string;
  readonly id: string;
  readonly responseTime: string;
  readonly experienceDate: string;
  readonly modelInstanceId: string;
  readonly latentScores?: readonly { readonly id: string; readonly score: number }[];
  readonly url?: string | null;
  readonly locale?: string | null;
  readonly rating?: number | null;
  readonly topic?: string | null;
  readonly responses?: readonly {
    readonly id: string;
    readonly type: string;
    readonly answers: readonly string[];
  }[];
  readonly quality?: { readonly suspect: readonly string[] };
  readonly erased?: boolean;
}

const dayMs = 86_400_000;

/** Where a column is, in a table or in a file that was read back. */
export interface Places {
  find(kind: ColumnKind, id: string): number;
  readonly columns: Table['columns'];
}

export function cellsOfItem({ find, columns }: Places, item: ShownItem, kind: 'measure' | 'project'): Cell[] {
  const cells: Cell[] = new Array(columns.length).fill(null);
  const set = (of: ColumnKind, id: string, cell: Cell | undefined): void => {
    const place = find(of, id);
    if (place >= 0 && cell !== undefined) cells[place] = cell;
  };
  for (const name of ['id', 'modelInstanceId', 'position', 'surveyVersion', 'digest'] as const)
    set('item', name, item[name]);
  set('item', 'responseTime', Date.parse(item.responseTime));
  set('item', 'experienceDate', Date.parse(item.experienceDate) / dayMs);
  set('item', 'erased', item.erased === true);
  set('item', 'quality', item.quality?.suspect);
  if (kind === 'project')
    for (const name of ['url', 'locale', 'rating', 'topic'] as const) set('item', name, item[name]);
  for (const { id, score } of item.latentScores ?? []) set('score', id, score);
  const unknown: [string, readonly string[]][] = [];
  for (const { id, type, answers } of item.responses ?? []) {
    const place = find(type as ColumnKind, id);
    if (place < 0) {
      if (kind === 'measure' || (id !== 'url' && id !== 'locale')) unknown.push([id, answers]);
      continue;
    }
    const text = answers.join(';');
    const column = columns[place]?.type;
    const known = cells[place];
    if (column === 'texts') cells[place] = answers;
    else if (column === 'measured' || column === 'number')
      cells[place] = /^-?[\d.]+$/.test(text) ? Number(text) : text;
    else cells[place] = known === null ? text : `${known};${text}`;
  }
  if (unknown.length > 0) set('item', 'otherParameters', JSON.stringify(Object.fromEntries(unknown)));
  return cells;
}

/** The cells of a CSV file whose names are ids, which no two things share. */
export function csvOfItem(header: readonly string[], item: ShownItem, kind: 'measure' | 'project'): string[] {
  const cells = new Map<string, string>();
  const add = (name: string, text: string): void => {
    const known = cells.get(name);
    cells.set(name, known === undefined ? text : `${known};${text}`);
  };
  const { latentScores = [], responses = [], quality, ...members } = item;
  for (const [name, member] of Object.entries(members)) if (member !== null) add(name, String(member));
  if (quality !== undefined) add('quality', quality.suspect.join(';'));
  for (const { id, score } of latentScores) add(id, String(score));
  const unknown: [string, readonly string[]][] = [];
  for (const { id, answers } of responses) {
    if (kind === 'project' && (id === 'url' || id === 'locale')) continue;
    if (header.includes(id)) add(id, answers.join(';'));
    else unknown.push([id, answers]);
  }
  if (unknown.length > 0) add('otherParameters', JSON.stringify(Object.fromEntries(unknown)));
  return header.map((name) => cells.get(name) ?? '');
}
