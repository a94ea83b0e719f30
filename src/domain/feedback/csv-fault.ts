// What is wrong with a CSV file, where. The parser's own messages quote the cell, which is somebody's name or address, so none
// of them leaves it (D-870).

/** What the parser says of a fault. */
interface CsvFailure {
  readonly code: string;
  /** Of the file, and the cell of the record, both as far as it has read. */
  readonly lines?: unknown;
  readonly column?: unknown;
}

interface CsvFault {
  /** Null where it is not known. */
  readonly line: number | null;
  readonly column: number | null;
  /** A sentence without its full stop, which names the column. */
  readonly message: string;
}

const sentences: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'Invalid Opening Quote: a quote stands within a cell that does not begin with one',
  CSV_INVALID_CLOSING_QUOTE:
    'Invalid Closing Quote: text stands behind the quote that ends a cell; a quote within a cell is written twice',
  CSV_QUOTE_NOT_CLOSED: 'Quote Not Closed: a cell begins with a quote that nothing ends',
  CSV_MAX_RECORD_SIZE: 'Max Record Size: a record is longer than is taken; is a quote not closed?',
  CSV_RECORD_INCONSISTENT_FIELDS_LENGTH:
    'Invalid Record Length: the line has more or fewer cells than the header',
};

export function csvFault({ code, lines, column }: CsvFailure): CsvFault {
  const line = typeof lines === 'number' ? lines : null;
  const cell = typeof column === 'number' ? column + 1 : null;
  const sentence = sentences[code] ?? 'a record cannot be read';
  return { line, column: cell, message: cell === null ? sentence : `${sentence} (column ${cell})` };
}
