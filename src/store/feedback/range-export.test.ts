import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { LogReader } from './log-reader.ts';
import { type ExportRequest, RangeExport } from './range-export.ts';
import type { PreparedSource, Sources } from './sources.ts';
import type { TableThread } from './table-thread.ts';

const rowCount = 2_000;
const mebibyte = 1024 * 1024;

/** How many characters a thread that gives nothing back is handed, where every row has so many. */
async function charactersHandedOver(charactersOfRow: number): Promise<number> {
  const source = { accountId: 4001, sourceId: 1, kind: 'project', surveys: [] };
  const found = { source } as unknown as PreparedSource;
  let handedOver = 0;
  let readRows = 0;
  const page = {
    rows: [{ seq: 1, surveyNumber: 1, responseId: 'r', submittedAtMs: 0, values: '', external: null }],
    next() {
      readRows += 1;
      page.rows[0]!.values = 'v'.repeat(charactersOfRow);
      return readRows <= rowCount;
    },
    digests: () => [''],
    [Symbol.dispose]() {},
  };
  const scan = { total: rowCount, endSeq: rowCount, lastSeq: rowCount, facts: {}, page: () => page };
  const tables = {
    begin: () => ({
      add({ values }: { values: readonly string[] }) {
        for (const text of values) handedOver += text.length;
        return new Promise(() => {});
      },
      [Symbol.dispose]() {},
    }),
  };
  const begun = await RangeExport.begin(
    {
      reader: { scan: async () => scan } as unknown as LogReader,
      sources: { atLeast: async () => found } as unknown as Sources,
      tables: tables as unknown as TableThread,
      pause: async () => {},
    },
    { found, format: 'csv' } as ExportRequest,
  );
  void begun.pieces().next();
  let before = -1;
  while (before !== handedOver) {
    before = handedOver;
    await turn();
  }
  return handedOver;
}

it('an export of large rows holds a few of them, however many there are [D-268]', async () => {
  const large = await charactersHandedOver(250_000);
  assert.ok(large > mebibyte && large < 2 * mebibyte, String(large));
  assert.equal(await charactersHandedOver(100), rowCount * 100);
});
