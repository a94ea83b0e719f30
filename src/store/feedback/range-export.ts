// The responses of a range as a file in one of three formats: what `soundings export` and the export endpoints share. The
// rows are those that were there when it began (D-123). They are read some hundreds at a time, and the next ones when
// whoever takes the file has room for them.

import { ByteWriter } from '../../domain/byte-writer.ts';
import { type DateRange, dayOf } from '../../domain/dates.ts';
import type { ExportFormat } from '../../domain/feedback/export-format.ts';
import { type RespondentToggles, RowCursor, valuesText } from '../../domain/feedback/respondent.ts';
import { type Filter, filterOf } from '../../domain/insight/filter.ts';
import { RowText } from '../../domain/insight/row-text.ts';
import type { LogReader, LogRow } from './log-reader.ts';
import type { LogScan, ScanBounds } from './log-scan.ts';
import { charactersOf, packRows } from './row-batch.ts';
import type { PreparedSource, Sources } from './sources.ts';
import type { TableThread } from './table-thread.ts';

export interface ExportRequest extends ScanBounds {
  readonly found: PreparedSource;
  readonly range: DateRange;
  readonly format: ExportFormat;
  readonly toggles: RespondentToggles;
  /** CSV for people who open it: a byte order mark, and no text that a spreadsheet takes for a formula. */
  readonly isForSpreadsheet: boolean;
  /** Whether CSV begins with the names of its columns. */
  readonly hasHeader: boolean;
  /** Rows that meet it alone; all rows where there is none. */
  readonly filter?: Filter;
}

interface ExportTools {
  readonly reader: LogReader;
  readonly sources: Sources;
  readonly tables: TableThread;
  /** Waits until others had their turn of the event loop. */
  readonly pause: () => Promise<void>;
}

const pageRows = 1024;
/** A piece of the file that is handed over at once; a single row may make it longer. */
const pieceBytes = 256 * 1024;
/**
 * What is with the thread at once, so that it and the store work side by side: so many rows, and fewer where rows are large,
 * because each is in memory several times on its way.
 */
const rowsAhead = 2048;
const charactersAhead = 1024 * 1024;

export class RangeExport {
  /** How many rows the file has. */
  readonly rowCount: number;
  /** The last position of the log when it began: whoever reads on later begins behind it. */
  readonly endPosition: number;
  readonly #scan: LogScan;
  readonly #ready: PreparedSource;
  readonly #request: ExportRequest;
  readonly #tools: ExportTools;
  readonly #isMeant: (row: LogRow) => boolean;
  #rowsRead = 0;

  static async begin(tools: ExportTools, request: ExportRequest): Promise<RangeExport> {
    const scan = await tools.reader.scan(request.found.source, request.range, request);
    // Rows may have come in by a definition that is newer than the one that is remembered.
    const ready = await tools.sources.atLeast(request.found, scan.facts.revision);
    return new RangeExport(tools, request, scan, ready);
  }

  private constructor(tools: ExportTools, request: ExportRequest, scan: LogScan, ready: PreparedSource) {
    this.#tools = tools;
    this.#request = request;
    this.#scan = scan;
    this.#ready = ready;
    this.rowCount = scan.total;
    this.endPosition = scan.endSeq;
    this.#isMeant = request.filter === undefined ? () => true : meets(request.filter, ready);
  }

  /** The last position of the log, where `until` asks for fewer rows. */
  get lastPosition(): number {
    return this.#scan.lastSeq;
  }

  /** How many rows were read from the store so far. */
  get rowsRead(): number {
    return this.#rowsRead;
  }

  pieces(): AsyncGenerator<Buffer> {
    return this.#request.format === 'ndjson' ? this.#ndjson() : this.#table();
  }

  /** Slices of rows. What is bytes in them must not be looked at after the next one was asked for. */
  async *#slices(): AsyncGenerator<Slice> {
    for (let skip = 0; skip < this.rowCount; skip += pageRows) {
      const take = Math.min(pageRows, this.rowCount - skip);
      using page = await this.#scan.page(skip, take);
      while (await page.next()) {
        this.#rowsRead += page.rows.length;
        const { rows } = page;
        const digests = await page.digests(this.#tools.pause);
        const isMeant = rows.map(this.#isMeant);
        if (isMeant.every(Boolean)) yield { rows, digests };
        else
          yield {
            rows: rows.filter((_, at) => isMeant[at]),
            digests: digests.filter((_, at) => isMeant[at]),
          };
        await this.#tools.pause();
      }
    }
  }

  /** Items exactly as the data endpoints show them, with what is said of the row in front (D-264). */
  async *#ndjson(): AsyncGenerator<Buffer> {
    const writer = new ByteWriter(pieceBytes);
    const cursor = new RowCursor();
    const isProject = this.#ready.source.kind === 'project';
    const versions = new Map(
      this.#ready.source.surveys.map(({ number, definition }) => [number, definition.version]),
    );
    for await (const { rows, digests } of this.#slices()) {
      for (const [index, row] of rows.entries()) {
        const version = versions.get(row.surveyNumber);
        writer.text(`{"position":${row.seq},"surveyVersion":${version},"digest":"${digests[index]}"`);
        const begin = writer.end;
        const texts = this.#ready.texts(row.surveyNumber);
        let isWhole = isProject
          ? cursor.writeProjectEntry(writer, texts, row, begin + pieceBytes)
          : cursor.writeRespondent(writer, texts, row, this.#request.toggles, begin + pieceBytes);
        // The brace that begins the item becomes the comma behind what stands in front of it.
        writer.target[begin] = comma;
        while (!isWhole) {
          yield writer.take(pieceBytes);
          isWhole = cursor.goOn(writer, pieceBytes);
        }
        writer.byte(lineFeed);
        if (writer.end >= pieceBytes) yield writer.take(pieceBytes);
      }
      if (writer.end > 0) yield writer.take(pieceBytes);
    }
  }

  /** CSV and Parquet are made by a thread, because making them takes longer than an event loop may be held. */
  async *#table(): AsyncGenerator<Buffer> {
    const { format, toggles, isForSpreadsheet, hasHeader } = this.#request;
    const { kind, surveys } = this.#ready.source;
    using file = this.#tools.tables.begin({
      format: format === 'csv' ? 'csv' : 'parquet',
      table: {
        kind,
        surveys: surveys.map(({ number, definition }) => ({ number, definition })),
        toggles,
      },
      isForSpreadsheet,
      hasHeader,
    });
    const underWay: UnderWay[] = [];
    let rowsUnderWay = 0;
    let charactersUnderWay = 0;
    for await (const { rows, digests } of this.#slices()) {
      const batch = packRows(rows, digests);
      const made = file.add(batch);
      // Whoever waits for it is told; until then a failure has nobody to go to.
      made.catch(() => {});
      const characters = charactersOf(batch);
      underWay.push({ rows: rows.length, characters, made });
      rowsUnderWay += rows.length;
      charactersUnderWay += characters;
      while (rowsUnderWay > rowsAhead || charactersUnderWay > charactersAhead) {
        const first = underWay.shift()!;
        rowsUnderWay -= first.rows;
        charactersUnderWay -= first.characters;
        yield* inPieces(await first.made);
      }
    }
    for (const { made } of underWay) yield* inPieces(await made);
    yield* inPieces(await file.end());
  }
}

function meets(filter: Filter, ready: PreparedSource): (row: LogRow) => boolean {
  const versions = new Map<number, (row: LogRow) => boolean>();
  const text = new RowText();
  const ofVersion = (surveyNumber: number): ((row: LogRow) => boolean) => {
    const survey = ready.version(surveyNumber);
    const holds = filterOf(filter, survey);
    return ({ submittedAtMs, values, external }) => {
      text.take(survey, dayOf(submittedAtMs), valuesText(values), external);
      return holds(text);
    };
  };
  return (row) => {
    let isMeant = versions.get(row.surveyNumber);
    if (isMeant === undefined) {
      isMeant = ofVersion(row.surveyNumber);
      versions.set(row.surveyNumber, isMeant);
    }
    return isMeant(row);
  };
}

interface Slice {
  readonly rows: readonly LogRow[];
  readonly digests: readonly string[];
}

/** Rows that the thread has and has not given back yet. */
interface UnderWay {
  readonly rows: number;
  readonly characters: number;
  readonly made: Promise<readonly Uint8Array[]>;
}

const comma = 44;
const lineFeed = 10;

function* inPieces(parts: readonly Uint8Array[]): Generator<Buffer> {
  for (const part of parts)
    for (let at = 0; at < part.length; at += pieceBytes)
      yield Buffer.from(part.buffer, part.byteOffset + at, Math.min(pieceBytes, part.length - at));
}
