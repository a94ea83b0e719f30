// POST /v1/measures/{key}/external-parameters: what another system knows of responses that are there already, as CSV or
// NDJSON. The body is read and held against the store before anything is changed; then it is written in slices, each a
// transaction of its own (D-260). Nobody is held up meanwhile: reading and judging leave turns of the event loop to others.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import {
  csv,
  externalBodyBytes,
  externalParameterOperations,
  linesMax,
  skippedMax,
} from '../../contract/feedback/external-parameters.ts';
import type { AnswerOf } from '../../contract/operation.ts';
import { addFault } from '../../domain/feedback/draft-faults.ts';
import {
  CsvLines,
  type ExternalLine,
  JsonLines,
  type LineFault,
} from '../../domain/feedback/external-lines.ts';
import { type Code, type Fault, Problem } from '../../domain/problem.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import { readCsvLines, readJsonLines, UnreadableLines } from '../../store/feedback/external-file.ts';
import {
  appendChecked,
  checkExternal,
  type ExternalOutcome,
  namesOf,
} from '../../store/feedback/external-parameters.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import type { ChargedThrottle } from '../server/request-budget.ts';
import { addOperation, callerOfRequest } from '../server/route.ts';
import { sourceOfRequest } from './source-requests.ts';

// Whatever bodies may take together, a file leaves room for others: two of them are the share of a sender (D-184).
const bodiesAtOnceMin = 8;

/** Read between two turns of the event loop: short lines cost some 25 us each (D-921). */
const pieceBytes = 1024;
// Reading ends when there are so many: nobody mends more of them at once.
const faultsMax = 1_000;

/** Bodies that are being worked on: what was read of them is in memory. */
const underWayMax = 4;
/** One token of the throttle for so many lines. */
const linesAToken = 100;

interface ExternalServices {
  readonly context: Context;
  readonly sources: Sources;
  readonly gate: ChargedThrottle;
  readonly workQueue: WorkQueue;
}

export function externalParameterRoutes(app: FastifyInstance, services: ExternalServices): void {
  const { context, sources } = services;
  /** The accounts whose bodies are being worked on: one of each. */
  const underWay = new Set<number>();
  addOperation(
    app,
    externalParameterOperations,
    'POST /v1/measures/:measurementKey/external-parameters',
    async ({ params: { measurementKey }, query }, request, reply) => {
      const found = await sourceOfRequest(sources, request, 'measure', measurementKey);
      const { accountId } = callerOfRequest(request);
      if (underWay.has(accountId) || underWay.size >= underWayMax) throw busy(underWay.has(accountId));
      underWay.add(accountId);
      try {
        return await take(services, request, reply, found, query);
      } finally {
        underWay.delete(accountId);
      }
    },
    {
      bodyLimitBytes: Math.min(
        externalBodyBytes,
        Math.floor(context.config.bodiesLimitBytes / bodiesAtOnceMin),
      ),
    },
  );
}

type ExternalResult = AnswerOf<
  (typeof externalParameterOperations)['all']['POST /v1/measures/:measurementKey/external-parameters']
>;

async function take(
  services: ExternalServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { source }: PreparedSource,
  { replace = false, dryRun = false }: { readonly replace?: boolean; readonly dryRun?: boolean },
): Promise<ExternalResult> {
  const { context, gate, workQueue } = services;
  const caller = callerOfRequest(request);
  const { accountId, sourceId } = source;
  const lines: ExternalLine[] = [];
  const declared = {
    names: namesOf(source.surveys.map(({ definition }) => definition)),
    of: 'measure',
  } as const;
  const { columns, faults: ofForm } = await read(request, declared, workQueue, (line) => {
    if (lines.length >= linesMax)
      throw new Problem('BODY_TOO_LARGE', `A body has at most ${linesMax} lines: send them in several.`);
    lines.push(line);
  });
  gate.charge(caller, lines.length / linesAToken);
  const pause = async (): Promise<void> => {
    if (reply.raw.destroyed)
      throw new Problem('REQUEST_ABANDONED', 'The caller went away before all lines were taken.');
    await workQueue.nextSlice();
  };
  const asked = { accountId, sourceId, columns, isReplacing: replace };
  const changing: ExternalLine[] = [];
  const checked = await checkExternal(context.db, asked, lines, (line) => changing.push(line), pause);
  const faults = [...ofForm, ...checked.faults];
  if (faults.length > 0)
    throw refusal('INVALID_REQUEST', 'The lines have faults, and nothing was changed.', faults);
  if (dryRun) return show(checked, false);
  const stampOf = () => ({
    changeId: context.newId(),
    nowMs: context.now(),
    actor: caller.apiClientId,
    requestId: request.id,
    origin: request.ip,
  });
  const written = await appendChecked(context.db, asked, changing, stampOf, pause);
  if (written.faults.length > 0)
    throw refusal(
      'CONFLICT',
      `Somebody else changed responses while ${written.changed} of these were changed; the lines from the first fault on were left. Mend it, and send the same again.`,
      written.faults,
    );
  return show(
    { ...written, unchanged: checked.unchanged, skipped: [...checked.skipped, ...written.skipped] },
    true,
  );
}

class EnoughFaults extends Error {}

/** Reads the lines of the body; what cannot be understood is a fault with its line. */
async function read(
  request: FastifyRequest,
  declared: ConstructorParameters<typeof CsvLines>[0],
  workQueue: WorkQueue,
  add: (line: ExternalLine) => void,
): Promise<{ readonly columns: readonly string[]; readonly faults: readonly LineFault[] }> {
  const body = (request.body ?? Buffer.alloc(0)) as Buffer;
  const isCsv = request.headers['content-type']?.trim().toLowerCase().startsWith(csv) ?? false;
  const lines = isCsv ? new CsvLines(declared, add) : new JsonLines(declared, add);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let begin = 0; begin < body.length; begin += pieceBytes) {
      if (lines.faults.length >= faultsMax) throw new EnoughFaults();
      await workQueue.nextSlice();
      yield body.subarray(begin, begin + pieceBytes);
    }
  }
  try {
    if (lines instanceof CsvLines) await readCsvLines(pieces(), lines);
    else await readJsonLines(pieces(), lines, () => workQueue.nextSlice());
  } catch (error) {
    if (error instanceof UnreadableLines) lines.faults.push(unreadable(error));
    else if (!(error instanceof EnoughFaults)) throw error;
  }
  return lines;
}

function unreadable({ reason, line, message }: UnreadableLines): LineFault {
  return {
    line: line ?? 1,
    message: reason === 'csv' ? `The body is not CSV: ${message}.` : 'The body is not UTF-8.',
  };
}

function refusal(code: Code, message: string, faults: readonly LineFault[]): Problem {
  const details: Fault[] = [];
  for (const fault of faults.toSorted((one, other) => one.line - other.line))
    addFault(details, `line ${fault.line}`, 'INVALID', fault.message);
  return new Problem(code, message, { details });
}

function show(
  { changed, unchanged, skipped }: Omit<ExternalOutcome, 'faults'>,
  applied: boolean,
): ExternalResult {
  const inOrder = skipped.toSorted((one, other) => one.line - other.line);
  return { applied, changed, unchanged, skippedCount: skipped.length, skipped: inOrder.slice(0, skippedMax) };
}

function busy(isOwn: boolean): Problem {
  return new Problem(
    'THROTTLED',
    isOwn
      ? 'External parameters of this account are being taken from another request. Please send this one after it.'
      : 'External parameters are being taken from as many requests as the service works on at once. Please retry.',
    { headers: { 'retry-after': '1' } },
  );
}
