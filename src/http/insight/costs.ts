// What it will take to read the data of a range, page by page, before anybody begins to.

import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Static } from 'typebox';
import { costOperations, type PullCost } from '../../contract/insight/costs.ts';
import { ByteWriter } from '../../domain/byte-writer.ts';
import { type DateRange, dayText } from '../../domain/dates.ts';
import { RowCursor } from '../../domain/feedback/respondent.ts';
import { pullCost, type Sample, sampledBytesMax, sampleWindows } from '../../domain/insight/pull-cost.ts';
import { measureDataLimits, projectDataLimits } from '../../domain/window.ts';
import type { LogPage, RangeFacts } from '../../store/feedback/log-reader.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import { type PageServices, pageBegin, type WriteItem } from '../feedback/data-page.ts';
import { measureMembers } from '../feedback/measures.ts';
import { projectMembers } from '../feedback/projects.ts';
import { daysOf, respondentToggles, sourceOfRequest } from '../feedback/source-requests.ts';
import { addOperation } from '../server/route.ts';

export function costRoutes(app: FastifyInstance, services: PageServices): void {
  const { sources } = services;
  addOperation(
    app,
    costOperations,
    'GET /v1/measures/:measurementKey/cost',
    async ({ params: { measurementKey }, query }, request, reply) => {
      // Faults of the days are said before it is looked whether the measure is there.
      daysOf(query);
      const found = await sourceOfRequest(sources, request, 'measure', measurementKey);
      return answerMeasureCost(services, reply, found, query);
    },
  );

  addOperation(
    app,
    costOperations,
    'GET /v1/projects/:projectId/cost',
    async ({ params: { projectId }, query }, request, reply) => {
      daysOf(query);
      const found = await sourceOfRequest(sources, request, 'project', projectId);
      return answerProjectCost(services, reply, found, query);
    },
  );
}

interface CostQuery {
  readonly from: string;
  readonly to: string;
  readonly limit?: number;
}

export function answerMeasureCost(
  services: PageServices,
  reply: FastifyReply,
  found: PreparedSource,
  query: CostQuery & Parameters<typeof respondentToggles>[0],
): Promise<Static<typeof PullCost>> {
  const toggles = respondentToggles(query);
  return answerCost(services, reply, {
    found,
    range: daysOf(query),
    pageSize: query.limit ?? measureDataLimits.defaultTake,
    writeItem: (ready) => (cursor, writer, row, stopAt) =>
      cursor.writeRespondent(writer, ready.texts(row.surveyNumber), row, toggles, stopAt),
    members: (ready, facts) => measureMembers(ready, facts, toggles),
  });
}

export function answerProjectCost(
  services: PageServices,
  reply: FastifyReply,
  found: PreparedSource,
  query: CostQuery,
): Promise<Static<typeof PullCost>> {
  return answerCost(services, reply, {
    found,
    range: daysOf(query),
    pageSize: query.limit ?? projectDataLimits.defaultTake,
    writeItem: (ready) => (cursor, writer, row, stopAt) =>
      cursor.writeProjectEntry(writer, ready.texts(row.surveyNumber), row, stopAt),
    members: (_ready, facts) => projectMembers(facts),
  });
}

interface CostAsked {
  readonly found: PreparedSource;
  readonly range: DateRange;
  readonly pageSize: number;
  readonly writeItem: (ready: PreparedSource) => WriteItem;
  readonly members: (ready: PreparedSource, facts: RangeFacts) => string;
}

async function answerCost(
  services: PageServices,
  reply: FastifyReply,
  asked: CostAsked,
): Promise<Static<typeof PullCost>> {
  const { found, range, pageSize } = asked;
  const leave = await services.pageMemory.enter(found.source.accountId, reply.raw);
  try {
    const facts = await services.reader.read(
      found.source,
      range,
      { skip: 0, take: 0 },
      async (page) => page.facts,
    );
    const ready = await services.sources.atLeast(found, facts.revision);
    const sample = await takeSample(services, reply, asked, facts.total);
    const end = Buffer.byteLength(`],${asked.members(ready, facts)}}`);
    const { rows, pages, requests, bytes } = pullCost(facts.total, pageSize, sample, {
      withMore: pageBegin(true).length + end,
      last: pageBegin(false).length + end,
    });
    return {
      from: dayText(range.firstDay),
      to: dayText(range.lastDay),
      rows,
      pages,
      requests,
      bytes: { estimate: bytes, of: 'uncompressed JSON', sampled: sample.rows },
    };
  } finally {
    leave();
  }
}

/** Rows are written as data writes them, and only counted. */
async function takeSample(
  { reader, sources, workQueue }: PageServices,
  reply: FastifyReply,
  { found, range, writeItem }: CostAsked,
  total: number,
): Promise<Sample> {
  let sample: Sample = { rows: 0, bytes: 0 };
  for (const window of sampleWindows(total)) {
    if (sample.bytes >= sampledBytesMax || reply.raw.destroyed) break;
    const { rows, bytes } = await reader.read(found.source, range, window, async (page) => {
      using read = page;
      const ready = await sources.atLeast(found, read.facts.revision);
      let bytes = 0;
      while (await read.next()) bytes += await workQueue.runShort(() => bytesOf(read, writeItem(ready)));
      return { rows: read.rowCount, bytes };
    });
    sample = { rows: sample.rows + rows, bytes: sample.bytes + bytes };
  }
  return sample;
}

const chunkBytes = 256 * 1024;

function bytesOf({ rows }: LogPage, write: WriteItem): number {
  const writer = new ByteWriter();
  const cursor = new RowCursor();
  let bytes = 0;
  for (const row of rows) {
    let isWhole = write(cursor, writer, row, chunkBytes);
    while (!isWhole) {
      bytes += writer.end;
      writer.clear();
      isWhole = cursor.goOn(writer, chunkBytes);
    }
    bytes += writer.end;
    writer.clear();
  }
  return bytes;
}
