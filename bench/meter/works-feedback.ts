// Responses that are taken in, and given out again: by pages, as changes, and as files.

import { feedbackCatalogue, measureKey, responseBody, surveyId } from '../feedback-data.ts';
import type { Side, StoreContent } from './sides.ts';
import { askAll, askJson, wire } from './wire.ts';
import { rowsOr, type Work } from './works.ts';

const rows = rowsOr(20_000);
const rowsText = rows.toLocaleString('en');
const dayMs = 86_400_000;
const response = JSON.stringify(responseBody(4711, null));

function ingestionOf(side: Side, body: string): string {
  return wire(side, 'POST', '/v1/surveys/ingestion', { body });
}

// ---- In

export const ingestion: Work = {
  name: 'ingestion',
  about: `a response of ${response.length} bytes: authenticated, judged, scored and durable`,
  count: 4_000,
  connections: 32,
  content: { catalogue: feedbackCatalogue },
  isParsed: true,
  requests: (side) => [ingestionOf(side, response)],
};

const ingestionLong: Work = {
  ...ingestion,
  name: 'ingestion-long',
  about: `a response to a survey that has ${rowsText} already`,
  content: { catalogue: feedbackCatalogue, fill: (side) => fillLog(side, inOrder) },
};

const spreadIds = Array.from({ length: 1_000 }, (_, index) => `spread-${index}`);

const ingestionSpread: Work = {
  ...ingestion,
  name: 'ingestion-spread',
  about: `a response to another of ${spreadIds.length.toLocaleString('en')} surveys each time`,
  content: { catalogue: catalogueOf(spreadIds) },
  requests: (side) => spreadIds.map((id) => ingestionOf(side, response.replace(surveyId, id))),
};

/** A measure for each survey, all of them the one that responses are made for. */
function catalogueOf(surveyIds: readonly string[]): object {
  const [account] = feedbackCatalogue.accounts;
  const [measure] = account!.measures;
  const [survey] = measure!.surveys;
  const measures = surveyIds.map((id, index) => ({
    ...measure,
    key: index + 1,
    name: `Measure ${id}`,
    surveys: [{ ...survey, id }],
  }));
  return { accounts: [{ ...account, measures }] };
}

// ---- Logs

interface Days {
  readonly first: string;
  readonly last: string;
  dayOf(number: number): number;
}

/** A hundred days, each after the other. */
const inOrder: Days = {
  first: '2025-01-01',
  last: '2025-04-10',
  dayOf: (number) => Math.floor((number * 100) / rows),
};

/** A backfill of ten years in no order at all: a stride that shares no factor with their days visits all of them, far apart. */
const shuffled: Days = {
  first: '2016-01-01',
  last: '2025-12-29',
  dayOf: (number) => (number * 1_597) % 3_651,
};

async function fillLog(side: Side, { first, dayOf }: Days): Promise<void> {
  const firstMs = Date.parse(first);
  await askAll(side, rows, (number) => {
    const atMs = firstMs + dayOf(number) * dayMs + (number % 86_400) * 1_000;
    return ingestionOf(side, JSON.stringify(responseBody(number, new Date(atMs).toISOString())));
  });
}

export const log: StoreContent = {
  catalogue: feedbackCatalogue,
  fill: (side) => fillLog(side, inOrder),
};

// ---- Pages

const pageSize = 100;

function pagesOf(days: Days, encoding?: string): (side: Side) => readonly string[] {
  const pages = Math.floor(rows / pageSize);
  return (side) =>
    // Another one at each request, far from the one before: to repeat one would flatter any cache.
    Array.from({ length: Math.min(pages, 400) }, (_, index) =>
      pageRequest(side, days.first, days.last, (index * 613) % pages, encoding),
    );
}

function pageRequest(side: Side, from: string, to: string, page: number, encoding?: string): string {
  const query = `from=${from}&to=${to}&limit=${pageSize}&offset=${page}`;
  return wire(side, 'GET', `/v1/measures/${measureKey}/data?${query}`, {
    headers: {
      authorization: `Bearer ${side.token}`,
      accept: 'application/json',
      ...(encoding === undefined ? {} : { 'accept-encoding': encoding }),
    },
  });
}

const page: Work = {
  name: 'page',
  about: `a page of ${pageSize} respondents out of ${rowsText}, another at each request`,
  count: 400,
  connections: 8,
  content: log,
  requests: pagesOf(inOrder),
};

const pageZstd: Work = {
  ...page,
  name: 'page-zstd',
  about: 'the same, compressed with zstd',
  requests: pagesOf(inOrder, 'zstd'),
};

const pageGzip: Work = {
  ...page,
  name: 'page-gzip',
  about: 'the same, compressed with gzip',
  requests: pagesOf(inOrder, 'gzip'),
};

const ranges = 100;

const pageRanges: Work = {
  ...page,
  name: 'page-ranges',
  about: `pages of ${ranges} different ranges of days`,
  requests: (side) =>
    Array.from({ length: ranges }, (_, index) => {
      const from = new Date(Date.parse('2024-01-01') + index * dayMs).toISOString().slice(0, 10);
      return pageRequest(side, from, inOrder.last, (index * 37) % Math.floor(rows / pageSize));
    }),
};

const pageShuffled: Work = {
  ...page,
  name: 'page-shuffled',
  about: `a page out of ${rowsText} responses that came in no order of their days`,
  content: { catalogue: feedbackCatalogue, fill: (side) => fillLog(side, shuffled) },
  requests: pagesOf(shuffled),
};

// ---- Changes and files

const changesSize = 1_000;

const changes: Work = {
  name: 'changes',
  about: `${changesSize.toLocaleString('en')} responses of the change feed, from another place each time`,
  count: 30,
  connections: 2,
  content: log,
  async requests(side) {
    const requests: string[] = [];
    let after = '';
    for (let read = 0; read < Math.min(rows, 20 * changesSize); read += changesSize) {
      const path = `/v1/measures/${measureKey}/changes?limit=${changesSize}${after}`;
      requests.push(wire(side, 'GET', path));
      const { next } = await askJson<{ readonly next: string }>(side, requests.at(-1)!);
      after = `&after=${encodeURIComponent(next)}`;
    }
    return requests;
  },
};

const exporting = ['ndjson', 'csv', 'parquet'].map(
  (format): Work => ({
    name: `export-${format}`,
    about: `ten days of the log, a tenth of it, as ${format}`,
    count: 8,
    connections: 2,
    content: log,
    requests: (side) => {
      const query = `from=2025-01-11&to=2025-01-20&format=${format}`;
      const headers = { authorization: `Bearer ${side.token}`, accept: '*/*' };
      return [wire(side, 'GET', `/v1/measures/${measureKey}/export?${query}`, { headers })];
    },
  }),
);

export const feedbackWorks: readonly Work[] = [
  ingestion,
  ingestionLong,
  ingestionSpread,
  page,
  pageZstd,
  pageGzip,
  pageRanges,
  changes,
  ...exporting,
  pageShuffled,
];
