// Rows as Parquet, for warehouses: columns have types, and a reader takes only those that it asks for (D-266). Rows are
// gathered into groups, because the columns of a group stand one behind the other in the file. A group is bounded in rows
// and in bytes; beside it only what the end of the file says of each group stays in memory, so groups grow with the file.

import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { RowCells } from '../../domain/feedback/row-cells.ts';
import { type Cell, type ColumnType, Table } from '../../domain/feedback/table.ts';
import { type RowBatch, rowOfBatch } from './row-batch.ts';
import { emptyCells } from './table-cells.ts';
import type { TableFileRequest } from './table-thread.ts';
import type { TableEncoder } from './table-worker.ts';

interface GroupLimits {
  readonly rows: number;
  readonly characters: number;
}

const groupsOfShortFile = 128;
const inShortFile: GroupLimits = { rows: 8_192, characters: 2 * 1024 * 1024 };
const inLongFile: GroupLimits = { rows: 16_384, characters: 8 * 1024 * 1024 };

/** Bytes leave it before the file is whole. */
class PartWriter extends ByteWriter {
  take(): Uint8Array {
    const bytes = this.getBytes().slice();
    this.index = 0;
    return bytes;
  }
}

export class ParquetTable implements TableEncoder {
  readonly #cells: RowCells;
  readonly #columns: readonly ParquetColumn[];
  readonly #tableColumns: number;
  readonly #bytes = new PartWriter(1024 * 1024);
  readonly #writer: ParquetWriter;
  #groups = 0;
  #limits = inShortFile;
  /** The rows of the group, by column. */
  #gathered: Cell[][];
  #rows = 0;
  #characters = 0;

  constructor({ table: request }: TableFileRequest) {
    const table = new Table(request);
    this.#cells = new RowCells(table);
    this.#columns = columnsOf(table);
    this.#tableColumns = table.columns.length;
    this.#gathered = emptyCells(this.#tableColumns, this.#limits.rows);
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: [
        { name: 'root', num_children: this.#columns.length },
        ...this.#columns.flatMap(({ schema }) => schema),
      ],
      codec: 'ZSTD',
      compressors: { ZSTD: (bytes) => zstdCompressSync(bytes) },
      kvMetadata: [{ key: 'soundings.format', value: '1' }],
    });
  }

  begin(): readonly Uint8Array[] {
    return [];
  }

  add(batch: RowBatch): readonly Uint8Array[] {
    const parts: Uint8Array[] = [];
    for (let index = 0; index < batch.seqs.length; index += 1) {
      const row = rowOfBatch(batch, index);
      this.#cells.write(row, this.#gathered, this.#rows);
      this.#rows += 1;
      this.#characters += row.values.length + (row.external?.length ?? 0);
      if (this.#rows === this.#limits.rows || this.#characters >= this.#limits.characters)
        parts.push(this.#writeGroup());
    }
    return parts;
  }

  end(): readonly Uint8Array[] {
    const last = this.#rows > 0 ? [this.#writeGroup()] : [];
    void this.#writer.finish();
    return [...last, this.#bytes.take()];
  }

  #writeGroup(): Uint8Array {
    const count = this.#rows;
    const columnData: ColumnSource[] = this.#columns.map(({ name, at, dataOf }) => ({
      name,
      data: dataOf(this.#gathered[at]!, count),
      offsetIndex: false,
    }));
    void this.#writer.write({ columnData, rowGroupSize: count });
    this.#forgetDetails();
    this.#groups += 1;
    this.#emptyCells(count);
    this.#rows = 0;
    this.#characters = 0;
    return this.#bytes.take();
  }

  /** The lists are used again: new ones for each group are so much garbage that the heap grows by several groups. */
  #emptyCells(count: number): void {
    if (this.#groups === groupsOfShortFile) {
      this.#limits = inLongFile;
      this.#gathered = emptyCells(this.#tableColumns, inLongFile.rows);
    } else for (const cells of this.#gathered) cells.fill(null, 0, count);
  }

  /**
   * What the end of the file says of each group stays in memory until then, so it says no more than readers use. The
   * smallest and the largest text of a column would keep the rows that they were cut from; they are also found by UTF-16,
   * where readers compare bytes.
   */
  #forgetDetails(): void {
    for (const { meta_data: about } of this.#writer.row_groups.at(-1)?.columns ?? []) {
      if (about === undefined) continue;
      delete about.encoding_stats;
      if (about.type !== 'BYTE_ARRAY' || about.statistics === undefined) continue;
      const { null_count: nulls } = about.statistics;
      about.statistics = nulls === undefined ? {} : { null_count: nulls };
    }
    // Of indexes, which are not written.
    this.#writer.pendingIndexes = [];
  }
}

/** A column of the file: the column of the table that it shows, and its cells in the form that its type wants. */
interface ParquetColumn {
  readonly name: string;
  readonly at: number;
  readonly schema: readonly SchemaElement[];
  readonly dataOf: (cells: readonly Cell[], count: number) => Cell[] | bigint[];
}

function columnsOf({ columns }: Table): ParquetColumn[] {
  return columns.flatMap(({ name, type, textName }, at) => {
    const isRequired = requiredColumns.has(name) && type !== 'text';
    const own = { name, at, schema: schemaOf(name, type, isRequired), dataOf: dataOf(type) };
    if (textName === null) return [own];
    return [own, { name: textName, at, schema: schemaOf(textName, 'text', false), dataOf: textsAlone }];
  });
}

// Every row has these, and no id of a catalogue can have taken their names: they are the first ones.
const requiredColumns = new Set(['responseTime', 'experienceDate']);

const types: Readonly<Record<Exclude<ColumnType, 'texts'>, Partial<SchemaElement>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  measured: { type: 'DOUBLE' },
  whole: { type: 'INT64' },
  flag: { type: 'BOOLEAN' },
  day: { type: 'INT32', converted_type: 'DATE', logical_type: { type: 'DATE' } },
  moment: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
};

function schemaOf(name: string, type: ColumnType, isRequired: boolean): SchemaElement[] {
  if (type !== 'texts')
    return [{ name, repetition_type: isRequired ? 'REQUIRED' : 'OPTIONAL', ...types[type] }];
  return [
    {
      name,
      repetition_type: 'OPTIONAL',
      num_children: 1,
      converted_type: 'LIST',
      logical_type: { type: 'LIST' },
    },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...types.text },
  ];
}

function dataOf(type: ColumnType): ParquetColumn['dataOf'] {
  if (type === 'whole' || type === 'moment')
    return (cells, count) => Array.from({ length: count }, (_, row) => BigInt(cells[row] as number));
  if (type === 'measured')
    return (cells, count) =>
      Array.from({ length: count }, (_, row) =>
        typeof cells[row] === 'number' ? (cells[row] ?? null) : null,
      );
  return (cells, count) => cells.slice(0, count);
}

function textsAlone(cells: readonly Cell[], count: number): Cell[] {
  return Array.from({ length: count }, (_, row) => (typeof cells[row] === 'string' ? cells[row] : null));
}
