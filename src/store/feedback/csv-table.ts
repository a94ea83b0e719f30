// Rows as CSV: for tools that think in columns, and for people who open files (D-124).

import { stringify } from 'csv-stringify/sync';
import { dayText } from '../../domain/dates.ts';
import { answersApart, RowCells } from '../../domain/feedback/row-cells.ts';
import { type Cell, type ColumnType, Table } from '../../domain/feedback/table.ts';
import { type RowBatch, rowOfBatch } from './row-batch.ts';
import { emptyCells } from './table-cells.ts';
import type { TableFileRequest } from './table-thread.ts';
import type { TableEncoder } from './table-worker.ts';

export class CsvTable implements TableEncoder {
  readonly #table: Table;
  readonly #cells: RowCells;
  readonly #isForSpreadsheet: boolean;
  readonly #hasHeader: boolean;

  constructor({ table, isForSpreadsheet, hasHeader }: TableFileRequest) {
    this.#table = new Table(table);
    this.#cells = new RowCells(this.#table);
    this.#isForSpreadsheet = isForSpreadsheet;
    this.#hasHeader = hasHeader;
  }

  begin(): readonly Uint8Array[] {
    if (!this.#hasHeader) return [];
    const header = this.#table.columns.map(({ name }) => name);
    const isSafe = this.#isForSpreadsheet;
    return [bytesOf(stringify([header], { bom: isSafe, escape_formulas: isSafe }))];
  }

  add(batch: RowBatch): readonly Uint8Array[] {
    const { columns } = this.#table;
    const count = batch.seqs.length;
    const cells = emptyCells(columns.length, count);
    for (let row = 0; row < count; row += 1) this.#cells.write(rowOfBatch(batch, row), cells, row);
    const rows = Array.from({ length: count }, (_, row) =>
      columns.map(({ type }, column) => textOf(type, cells[column]![row]!)),
    );
    return [bytesOf(stringify(rows, { escape_formulas: this.#isForSpreadsheet }))];
  }

  end(): readonly Uint8Array[] {
    return [];
  }
}

function textOf(type: ColumnType, cell: Cell): string | number {
  if (cell === null || cell === false) return '';
  if (type === 'moment') return new Date(cell as number).toISOString();
  if (type === 'day') return dayText(cell as number);
  if (typeof cell === 'object') return cell.join(answersApart);
  return typeof cell === 'boolean' ? 'true' : cell;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
