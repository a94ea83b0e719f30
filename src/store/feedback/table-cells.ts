import type { Cell } from '../../domain/feedback/table.ts';

/** A list of empty cells for each column. */
export function emptyCells(columns: number, rows: number): Cell[][] {
  return Array.from({ length: columns }, () => new Array<Cell>(rows).fill(null));
}
