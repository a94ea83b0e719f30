// Wires the server: the services its endpoints share, and the endpoints of every area, in the order of the API document.

import type { FastifyInstance } from 'fastify';
import { AccessTokens } from '../acts/access/access-token.ts';
import { CredentialCache } from '../acts/access/credential-cache.ts';
import { SignIn } from '../acts/access/credentials.ts';
import { WrongCredentials } from '../acts/access/wrong-credentials.ts';
import { AccountRemovals } from '../acts/operations/account-removals.ts';
import { UserGuard } from '../acts/provisioning/user-guard.ts';
import type { Context } from '../context.ts';
import { PublicUrl } from '../domain/operations/public-url.ts';
import { faces } from '../scim/faces.ts';
import { backgroundTasks } from '../store/background-tasks.ts';
import { storeOfRequests } from '../store/engine/work/request-waits.ts';
import { ScanSlots, scanLimits } from '../store/engine/work/scan-slots.ts';
import { WorkQueue } from '../store/engine/work/work-budget.ts';
import { rollUpQueue } from '../store/feedback/roll-up-queue.ts';
import { CommentSearch } from '../store/insight/comment-search.ts';
import { FiguresReader } from '../store/insight/figures-reader.ts';
import { Minimums } from '../store/insight/minimum.ts';
import { ResponseSearch } from '../store/insight/response-search.ts';
import { Scanner } from '../store/insight/scanner.ts';
import { UserCreation } from '../store/provisioning/user-creation.ts';
import { Gate } from './access/gate.ts';
import { metadataRoutes } from './access/oauth-metadata.ts';
import { tokenRoutes } from './access/token.ts';
import { TokenUse } from './access/token-use.ts';
import { ConsoleGate } from './console/console-gate.ts';
import { consoleRoutes } from './console/console-routes.ts';
import { type ConsoleServices, openConsole } from './console/console-services.ts';
import { demandFreshRoutes } from './console/sign-in/fresh-routes.ts';
import { feedbackRoutes } from './feedback/feedback-routes.ts';
import { type FeedbackServices, openFeedback } from './feedback/feedback-services.ts';
import { helpRoutes } from './help/help-routes.ts';
import { insightRoutes } from './insight/insight-routes.ts';
import { DoctorRuns } from './operations/doctor-runs.ts';
import { operationsRoutes } from './operations/operations-routes.ts';
import { openPages, type PageServices } from './pages/page-services.ts';
import { surveyRoutes } from './pages/survey-routes.ts';
import { ProvisioningFigures } from './provisioning/provisioning-figures.ts';
import { ProvisioningLog } from './provisioning/provisioning-log.ts';
import { provisioningRoutes } from './provisioning/provisioning-routes.ts';
import { BackgroundLoop } from './server/background-loop.ts';
import { Backups } from './server/backups.ts';
import { BodiesUnderWay } from './server/bodies-under-way.ts';
import { documentRoutes } from './server/docs.ts';
import { FailedBatches } from './server/failed-batches.ts';
import { bareApp } from './server/framework.ts';
import { healthRoutes } from './server/health.ts';
import { Heartbeat } from './server/heartbeat.ts';
import { Metrics } from './server/metrics.ts';
import { ReplicaSelf } from './server/replica-facts.ts';
import { ResponseFigures } from './server/response-figures.ts';
import { StoreLook } from './server/store-look.ts';
import { WebhookSender } from './webhooks/webhook-sender.ts';

/** What lives as long as the process and is shared by its endpoints. */
export interface Services extends FeedbackServices, PageServices {
  readonly context: Context;
  readonly publicUrl: PublicUrl;
  readonly heartbeat: Heartbeat;
  readonly replicaSelf: ReplicaSelf;
  readonly doctorRuns: DoctorRuns;
  readonly accountRemovals: AccountRemovals;
  readonly tokens: AccessTokens;
  readonly tokenUse: TokenUse;
  readonly gate: Gate;
  readonly console: ConsoleServices;
  readonly signIn: SignIn;
  readonly commentSearch: CommentSearch;
  readonly figuresReader: FiguresReader;
  readonly minimums: Minimums;
  readonly scanner: Scanner;
  readonly metrics: Metrics;
  readonly userCreation: UserCreation;
  readonly provisioningLog: ProvisioningLog;
  readonly userGuard: UserGuard;
  readonly provisioningFigures: ProvisioningFigures;
  readonly responseFigures: ResponseFigures;
  readonly storeLook: StoreLook;
  readonly onAnswered: Parameters<typeof bareApp>[0]['onAnswered'];
  readonly background: BackgroundLoop;
  readonly webhooks: WebhookSender;
  readonly bodies: BodiesUnderWay;
  readonly backups: Backups;
  /** Work that grows with what is stored takes turns here: see budgetOf. */
  readonly workQueue: WorkQueue;
  readonly scans: ScanSlots;
  /** The text of /metrics; with several workers it is the sum over all of them. */
  readonly metricsText: () => Promise<string>;
}

export function openServices(opened: Context, metricsText?: () => Promise<string>): Services {
  // Here requests meet the store.
  const context = { ...opened, db: storeOfRequests(opened.db) };
  const heartbeat = new Heartbeat(context);
  const credentialCache = new CredentialCache(context);
  const wrong = new WrongCredentials(context, heartbeat);
  const publicUrl = new PublicUrl(context.config.publicUrl, context.config.lanHost);
  const workQueue = new WorkQueue();
  const scans = new ScanSlots(scanLimits(context.config));
  const tokenUse = new TokenUse(context);
  const bodies = new BodiesUnderWay({
    bytesMax: context.config.bodiesLimitBytes,
    largestBodyBytes: Math.max(context.config.bodyLimitBytes, context.config.ingestionBodyLimitBytes),
  });
  const failedBatches = new FailedBatches(context);
  const feedback = openFeedback(context, workQueue, failedBatches.note);
  const { sources } = feedback;
  const pages = openPages(context, sources, heartbeat);
  const provisioningLog = new ProvisioningLog(context);
  const backups = new Backups(context);
  const userGuard = new UserGuard(context);
  const provisioningFigures = new ProvisioningFigures();
  const responseFigures = new ResponseFigures();
  const storeLook = new StoreLook(context);
  const scanner = new Scanner(context, sources, scanLimits(context.config));
  const tokens = new AccessTokens(context, credentialCache, wrong);
  const sharedServices = {
    ...feedback,
    ...pages,
    publicUrl,
    commentSearch: new CommentSearch(context.db, sources),
    responseSearch: new ResponseSearch(context.db, sources),
    figuresReader: new FiguresReader(context.db, sources, workQueue, context.now),
    minimums: new Minimums(context, sources),
    scanner,
    workQueue,
    scans,
    accessTokens: tokens,
  };
  const consoleServices = openConsole(context, credentialCache, wrong, heartbeat, sharedServices);
  const consoleGate = new ConsoleGate(consoleServices);
  const watched = {
    responseFigures,
    scanner,
    pageProtection: pages.pageProtection,
    provisioningFigures,
    userGuard,
    changeWaits: feedback.changeWaits,
    storeLook,
    rollUpQueue: rollUpQueue(context.db),
  };
  const metrics = new Metrics(
    context,
    heartbeat,
    { sources, bodies, provisioningLog },
    failedBatches,
    backups,
    watched,
  );
  const webhooks = new WebhookSender(context);
  metrics.addLag({ of: 'webhooks', seconds: () => webhooks.lagSeconds });
  const { address } = consoleServices;
  const replicaSelf = new ReplicaSelf(context, metrics.requests, metrics.lags, () =>
    publicUrl.base === ''
      ? null
      : { api: publicUrl.base, pages: publicUrl.pages, console: address.isServed ? address.base : null },
  );
  heartbeat.describe = () => replicaSelf.text();
  metrics.addLag({ of: 'feed', seconds: () => feedback.feedFollowers.lagSeconds });
  metrics.addLag({ of: 'insight', seconds: () => watched.rollUpQueue.lagSeconds });
  return {
    ...sharedServices,
    context,
    heartbeat,
    tokens,
    tokenUse,
    replicaSelf,
    doctorRuns: new DoctorRuns(context),
    accountRemovals: new AccountRemovals(context),
    gate: new Gate(context, credentialCache, tokens, heartbeat, wrong, tokenUse, consoleGate),
    console: consoleServices,
    signIn: new SignIn(credentialCache, wrong),
    background: new BackgroundLoop(context, backgroundTasks()),
    webhooks,
    bodies,
    backups,
    storeLook,
    responseFigures,
    metrics,
    userGuard,
    provisioningFigures,
    userCreation: new UserCreation(context.db, failedBatches.note),
    provisioningLog,
    onAnswered: [
      (request, reply) => provisioningLog.note(request, reply),
      (request, reply) => feedback.refusedLog.note(request, reply),
      (request) => responseFigures.noteRefusal(request),
    ],
    metricsText: metricsText ?? (() => metrics.text()),
  };
}

export function buildApp(services: Services): FastifyInstance {
  const { context, publicUrl } = services;
  const app = bareApp(services);
  tokenRoutes(app, services);
  feedbackRoutes(app, services);
  insightRoutes(app, services);
  surveyRoutes(app, services);
  for (const face of faces) provisioningRoutes(app, services, face);
  consoleRoutes(app, services.console);
  operationsRoutes(app, services);
  helpRoutes(app);
  metadataRoutes(app, publicUrl);
  documentRoutes(app, services);
  if (context.config.managementPort === null) healthRoutes(app, services);
  demandFreshRoutes(app.endpoints);
  return app;
}

/** The operators' endpoints on a port of their own. */
export function buildManagementApp(services: Services): FastifyInstance {
  const app = bareApp(services);
  healthRoutes(app, services);
  return app;
}
