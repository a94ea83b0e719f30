// npm run bench -- slices: how long one request holds the event loop at most, in processor time of the main thread, asked of every
// operation of both API documents and of the pages, with the largest that it takes and the dearest that it refuses.

import { documentedOperations, type Operation } from '../../test/support/api-document.ts';
import { consoleDocumentDeclared, interfaceDocument } from '../../test/support/declared-operations.ts';
import { type EngineName, engines } from '../../test/support/engines.ts';
import {
  addressOf,
  aloneOnes,
  doneStatuses,
  type MeantRequest,
  MeantRequests,
  nameOf,
  neverDone,
  weightOf,
} from '../../test/support/meant-requests.ts';
import { seeded } from '../../test/support/seeded.ts';
import { startWatched, type WatchedService } from '../../test/support/watched-loop.ts';
import { median } from '../meter/meter.ts';
import { enlarged, hostileBodies, largestBodies, publishedDocument } from './large-requests.ts';
import { type LargeWorld, makeLarge } from './large-world.ts';
import { pageRequests } from './page-requests.ts';
import { type SentRequest, send } from './sending.ts';

/** How long one request may have the event loop for itself, in milliseconds of processor time. */
export const sliceMaxMs = 8;
const warmUps = 3;
const rounds = 5;
/** What is dangerous asks for a sign-in that is not old. */
const freshMs = 5 * 60_000;
/** What is nearer to the bound than this is named. */
const namedFromMs = 4;

export interface SliceFigure {
  readonly operation: string;
  readonly engine: EngineName;
  readonly status: number;
  /** The median of the longest slices of several calls. */
  readonly ms: number;
  /** Of the very first call, with code that never ran before. */
  readonly firstMs: number;
  /** What the garbage collector took of that slice, by the clock: more than the slice itself where the machine has other work. */
  readonly collectorMs: number;
  readonly culprit: string;
}

/** Something that can be asked again and again. */
export interface Subject {
  readonly name: string;
  readonly isHostile: boolean;
  /** Statuses that are right where they are not 2xx. What is hostile may be answered with any but 5xx. */
  readonly statuses?: readonly number[];
  /** Of each call, which has a number of its own. */
  request(number: number): Promise<SentRequest>;
  /** Behind each call. */
  after?(): Promise<void>;
}

export interface SlicesOrder {
  readonly engine: EngineName;
  /** Only operations whose name fits this regular expression. */
  readonly only?: string;
  readonly say: (line: string) => void;
}

export async function measureSlices({
  engine,
  only = '',
  say,
}: SlicesOrder): Promise<readonly SliceFigure[]> {
  const store = await engines.find(({ name }) => name === engine)!.readyStore();
  const service = await startWatched(
    { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', SOUNDINGS_WORK_LIMIT_MS: '60000' },
    ['--demo'],
  );
  try {
    const meant = new MeantRequests(service, store.databaseUrl, seeded(7));
    await meant.signIn();
    await meant.prepare();
    say(`slices on ${engine}: a large store is made ...`);
    const world = await makeLarge(meant, { databaseUrl: store.databaseUrl, baseUrl: service.baseUrl });
    const figures: SliceFigure[] = [];
    let signedInAtMs = performance.now();
    for (const subject of [...operationSubjects(meant, world), ...pageRequests(service)]) {
      if (!new RegExp(only).test(subject.name)) continue;
      if (performance.now() - signedInAtMs > freshMs) {
        await meant.signIn();
        signedInAtMs = performance.now();
      }
      const figure = await measureSubject(service, subject, engine);
      figures.push(figure);
      if (figure.ms > sliceMaxMs) say(`  ${lineOf(figure)}`);
    }
    return figures;
  } finally {
    await service.stop();
    await store.dispose();
  }
}

let calls = 0;

async function measureSubject(
  service: WatchedService,
  subject: Subject,
  engine: EngineName,
): Promise<SliceFigure> {
  let status = 0;
  const call = async (held: (ask: () => Promise<void>) => Promise<unknown>): Promise<void> => {
    calls += 1;
    const request = await subject.request(calls);
    await held(async () => {
      const answer = await send(service.baseUrl, request);
      status = answer.status;
      const { statuses = doneStatuses } = subject;
      const isRight = subject.isHostile ? status < 500 : statuses.includes(status);
      if (!isRight)
        throw new Error(`${subject.name} was answered with ${status}: ${answer.text.slice(0, 500)}`);
    });
    await subject.after?.();
  };
  const longest: { readonly ms: number; readonly collectorMs: number }[] = [];
  for (let round = 0; round <= warmUps + rounds; round += 1)
    await call(async (ask) => {
      const { longestMs, collectorMs } = await service.held(ask);
      longest.push({ ms: longestMs, collectorMs });
    });
  const measured = longest.slice(-rounds);
  const ms = median(measured.map((one) => one.ms));
  let culprit = '';
  if (ms > namedFromMs)
    await call(async (ask) => {
      culprit = await service.heldBy(ask);
    });
  return {
    operation: subject.name,
    engine,
    status,
    ms,
    firstMs: longest[0]!.ms,
    collectorMs: measured.find((one) => one.ms === ms)?.collectorMs ?? 0,
    culprit,
  };
}

function operationSubjects(meant: MeantRequests, world: LargeWorld): readonly Subject[] {
  const operations = [
    ...documentedOperations(interfaceDocument).map((operation) => ({ operation, isConsole: false })),
    ...documentedOperations(consoleDocumentDeclared).map((operation) => ({ operation, isConsole: true })),
  ].toSorted((one, other) => weightOf(one.operation) - weightOf(other.operation));
  return operations.flatMap(({ operation, isConsole }) => subjectsOf(operation, isConsole, meant, world));
}

function subjectsOf(
  operation: Operation,
  isConsole: boolean,
  meant: MeantRequests,
  world: LargeWorld,
): readonly Subject[] {
  const { operationId } = operation;
  const name = nameOf(operation);
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const usual = async (): Promise<MeantRequest> => {
    if (
      /^(?:finishSetup|endSetupLink|removeAccount|removeWebhook|remove|revoke|delete|end|drop|take)/.test(
        operationId,
      ) ||
      operationId.endsWith('Erase')
    )
      await meant.makeWorld();
    await meant.makeFor(operationId, operation.path);
    return enlarged(meant.request(operation, isConsole, false), operation, world);
  };
  const asked = (isHostile: boolean, label: string, body?: (number: number) => string): Subject => ({
    name: label === '' ? name : `${name}: ${label}`,
    isHostile,
    ...(operationId in neverDone ? { statuses: neverDone[operationId]! } : {}),
    async request(number) {
      const request = await usual();
      const published = body === undefined ? publishedDocument(operationId, number) : null;
      const params = published === null ? request.params : { ...request.params, key: published.key };
      return {
        method: request.method,
        path: addressOf({ ...request, params }),
        headers: {
          ...(await meant.credentials(operation, isConsole)),
          ...request.headers,
          ...(type === undefined ? {} : { 'content-type': type }),
        },
        ...bodyIn(published?.body ?? body?.(number) ?? request.body),
      };
    },
    ...(aloneOnes.has(operationId) ? { after: () => meant.setRight() } : {}),
  });
  const largest = Object.entries(largestBodies(operationId, world));
  const hostile = Object.entries(hostileBodies(operation));
  return [
    ...(largest.length === 0
      ? [asked(false, '')]
      : largest.map(([label, body]) => asked(false, label, body))),
    ...hostile.map(([label, body]) => asked(true, label, body)),
  ];
}

function bodyIn(body: unknown): { body?: string } {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? body : JSON.stringify(body) };
}

// ---- what is said of it

export function slicesTable(figures: readonly SliceFigure[]): string {
  const sorted = figures.toSorted((one, other) => other.ms - one.ms);
  const over = sorted.filter(({ ms }) => ms > sliceMaxMs);
  const slowFirst = figures.filter(({ firstMs }) => firstMs > sliceMaxMs).length;
  return [
    ...sorted.filter(({ ms }) => ms > namedFromMs).map(lineOf),
    `${figures.length} requests; ${over.length} hold the event loop for more than ${sliceMaxMs} ms, the others for ${(sorted.find(({ ms }) => ms <= sliceMaxMs)?.ms ?? 0).toFixed(1)} ms at most. The first call of ${slowFirst} did, with code that had never run.`,
  ].join('\n');
}

function lineOf({ operation, engine, status, ms, firstMs, collectorMs, culprit }: SliceFigure): string {
  return `${ms.toFixed(1).padStart(7)} ms  (first ${firstMs.toFixed(1)}, collector ${collectorMs.toFixed(1)})  ${engine} ${status}  ${operation}  ${culprit}`;
}
