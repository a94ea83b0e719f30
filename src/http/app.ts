// The server: the rooms it needs, and every endpoint in the order of the interface.

import type { FastifyInstance } from 'fastify';
import type { House } from '../house.ts';
import { faces } from '../scim/faces.ts';
import { LogAppender } from '../store/appender.ts';
import { LogReader } from '../store/log-reader.ts';
import { ScanSlots } from '../store/scan-slots.ts';
import { UserCreation } from '../store/user-creation.ts';
import { WorkQueue } from '../store/work-budget.ts';
import { AccessTokens } from './access-token.ts';
import { BodiesUnderWay } from './bodies-under-way.ts';
import { SignIn } from './credentials.ts';
import { Directory } from './directory.ts';
import { documentRoutes } from './docs.ts';
import { FailedBatches } from './failed-batches.ts';
import { bareApp } from './framework.ts';
import { Gate } from './gate.ts';
import { healthRoutes } from './health.ts';
import { ingestionRoutes } from './ingestion.ts';
import { Listings } from './listings.ts';
import { measureRoutes } from './measures.ts';
import { metadataRoutes } from './metadata.ts';
import { Metrics } from './metrics.ts';
import { PageMemory } from './page-memory.ts';
import { projectRoutes } from './projects.ts';
import { ProvisioningLog } from './provisioning-log.ts';
import { PublicUrl } from './public-url.ts';
import { Pulse } from './pulse.ts';
import { scanLimits } from './request-budget.ts';
import { Sources } from './sources.ts';
import { tokenRoutes } from './token.ts';
import { userRoutes } from './users.ts';
import { WrongCredentials } from './wrong-credentials.ts';

/** What lives as long as the process and is shared by its endpoints. */
export interface Rooms {
  readonly house: House;
  readonly publicUrl: PublicUrl;
  readonly pulse: Pulse;
  readonly tokens: AccessTokens;
  readonly gate: Gate;
  readonly signIn: SignIn;
  readonly sources: Sources;
  readonly listings: Listings;
  readonly appender: LogAppender;
  readonly reader: LogReader;
  readonly pageMemory: PageMemory;
  readonly metrics: Metrics;
  readonly userCreation: UserCreation;
  readonly provisioningLog: ProvisioningLog;
  readonly bodies: BodiesUnderWay;
  /** Whoever does work that grows with what is stored takes turns here: see budgetOf. */
  readonly workQueue: WorkQueue;
  readonly scans: ScanSlots;
  /** The text of /metrics; with several workers it speaks for all of them. */
  readonly metricsText: () => Promise<string>;
}

export function openRooms(house: House, metricsText?: () => Promise<string>): Rooms {
  const pulse = new Pulse(house);
  const directory = new Directory(house);
  const wrong = new WrongCredentials(house, pulse);
  const tokens = new AccessTokens(house, directory, wrong);
  const sources = new Sources(house);
  const workQueue = new WorkQueue();
  const bodies = new BodiesUnderWay({
    bytesMax: house.config.bodiesLimitBytes,
    largestBodyBytes: Math.max(house.config.bodyLimitBytes, house.config.ingestionBodyLimitBytes),
  });
  const failedBatches = new FailedBatches(house);
  const provisioningLog = new ProvisioningLog(house);
  const metrics = new Metrics(house, pulse, { sources, bodies, provisioningLog }, failedBatches);
  return {
    house,
    publicUrl: new PublicUrl(house.config.publicUrl),
    pulse,
    tokens,
    gate: new Gate(house, directory, tokens, pulse, wrong),
    signIn: new SignIn(directory, wrong),
    sources,
    bodies,
    listings: new Listings(house),
    appender: new LogAppender(house.db, failedBatches.note),
    reader: new LogReader(house.db),
    pageMemory: new PageMemory(house.config.answerMemoryBytes, () => workQueue.nextSlice()),
    metrics,
    userCreation: new UserCreation(house.db, failedBatches.note),
    provisioningLog,
    workQueue,
    scans: new ScanSlots(scanLimits(house.config)),
    metricsText: metricsText ?? (() => metrics.text()),
  };
}

export function buildApp(rooms: Rooms): FastifyInstance {
  const { house, publicUrl } = rooms;
  const app = bareApp(rooms);
  tokenRoutes(app, rooms);
  measureRoutes(app, rooms);
  ingestionRoutes(app, rooms);
  projectRoutes(app, rooms);
  for (const face of faces) userRoutes(app, rooms, face);
  metadataRoutes(app, publicUrl);
  documentRoutes(app, publicUrl);
  if (house.config.managementPort === null) healthRoutes(app, rooms);
  return app;
}

/** The operators' endpoints on a port of their own. */
export function buildManagementApp(rooms: Rooms): FastifyInstance {
  const app = bareApp(rooms);
  healthRoutes(app, rooms);
  return app;
}
