// Traces by OpenTelemetry. This file and its packages are loaded only where the standard variables name a receiver, so
// that everybody else starts as fast and takes as little memory as before. Spans are gathered and sent beside the
// requests; a receiver that hangs or fails costs spans and nothing else: what does not fit into the queue is dropped.

import { AsyncLocalStorage } from 'node:async_hooks';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import {
  type Context as ApiContext,
  createTraceState,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { programVersion } from '../../domain/version.ts';
import type { RequestTrace, Tracing } from '../../store/engine/work/tracing.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const stopPatienceMs = 2_000;
const warnEveryMs = 60_000;
const reasonMax = 200;
const attributeLengthMax = 1_000;

export function openTracing(env: Environment, log: Logger): Tracing {
  warnSeldom(log);
  const agents: Agent[] = [];
  const exporter = new OTLPTraceExporter({
    httpAgentOptions: (protocol) => {
      const agent =
        protocol === 'https:' ? new TlsAgent({ keepAlive: true }) : new Agent({ keepAlive: true });
      agents.push(agent);
      return agent;
    },
  });
  const provider = new TracerProvider({
    sampler: samplerOf(env, log),
    spanLimits: { attributeValueLengthLimit: attributeLengthMax },
    // What the operator says in OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES beats this.
    resource: resourceFromAttributes({
      'service.name': 'soundings',
      'service.version': programVersion,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batchOf(env, log) })],
  });
  const tracer = provider.getTracer('soundings', programVersion);
  const underWay = new AsyncLocalStorage<Span>();
  let isStuck = false;
  const contextOf = (span: Span): ApiContext => trace.setSpan(ROOT_CONTEXT, span);

  return {
    begin({ method, route }, headers) {
      const attributes = { 'http.request.method': method, 'http.route': route };
      const options = { kind: SpanKind.SERVER, attributes };
      return followed(tracer.startSpan(`${method} ${route}`, options, remoteContext(headers)), underWay);
    },
    get isRecording() {
      return underWay.getStore()?.isRecording() === true;
    },
    within(name, attributes, work) {
      const parent = underWay.getStore();
      if (parent === undefined) return work();
      return spanned(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, contextOf(parent)), work);
    },
    async stop() {
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise<boolean>((resume) => {
        timer = setTimeout(() => resume(false), stopPatienceMs);
      });
      const sent = provider.shutdown().then(
        () => true,
        () => false,
      );
      isStuck = !(await Promise.race([sent, patience]));
      clearTimeout(timer);
      for (const agent of agents) agent.destroy();
    },
    get isStuck() {
      return isStuck;
    },
  };
}

function followed(span: Span, underWay: AsyncLocalStorage<Span>): RequestTrace {
  return {
    run: (work) => underWay.run(span, work),
    end(status, errorCode, facts) {
      if (!span.isRecording()) return;
      span.setAttributes({ 'http.response.status_code': status, ...facts });
      if (errorCode !== null) span.setAttribute('error.type', errorCode);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** Ends the span with the work, whether that is done at once or later, and whether or not it fails. */
function spanned<T>(span: Span, work: () => T): T {
  const fail = (error: unknown): void => {
    const code = (error as { code?: unknown } | null)?.code;
    span.setStatus({ code: SpanStatusCode.ERROR });
    if (typeof code === 'string') span.setAttribute('error.type', code);
    span.end();
  };
  try {
    const result = work();
    if (result instanceof Promise) result.then(() => span.end(), fail);
    else span.end();
    return result;
  } catch (error) {
    fail(error);
    throw error;
  }
}

const parentPattern = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const stateLengthMax = 512;

/** The trace that the caller is part of, by the headers of W3C Trace Context; what cannot be read is no trace. */
function remoteContext({
  traceparent,
  tracestate,
}: {
  readonly traceparent?: unknown;
  readonly tracestate?: unknown;
}): ApiContext {
  const [, traceId = '', spanId = '', flags = '0'] =
    typeof traceparent === 'string' ? (parentPattern.exec(traceparent) ?? []) : [];
  const isStateKept = typeof tracestate === 'string' && tracestate.length <= stateLengthMax;
  const spanContext = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(isStateKept ? { traceState: createTraceState(tracestate) } : {}),
  };
  return isSpanContextValid(spanContext) ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}

const samplers: Readonly<Record<string, (ratio: number) => Sampler>> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};
const samplerDefault = 'parentbased_always_on';

/** The packages read the variables of the receiver by themselves; those of the sampler and the queue are left to us. */
function samplerOf(env: Environment, log: Logger): Sampler {
  const name = env.OTEL_TRACES_SAMPLER || samplerDefault;
  const ratio = numberOf(env, 'OTEL_TRACES_SAMPLER_ARG', 1, 1, log);
  const known = samplers[name];
  if (known === undefined)
    log.warn({ name }, `OTEL_TRACES_SAMPLER is none of ${Object.keys(samplers).join(', ')}.`);
  return (known ?? samplers[samplerDefault]!)(ratio);
}

function batchOf(env: Environment, log: Logger) {
  const maxQueueSize = Math.max(1, numberOf(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 2_048, 100_000, log));
  const batchSize = Math.max(1, numberOf(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 10_000, log));
  return {
    maxQueueSize,
    maxExportBatchSize: Math.min(batchSize, maxQueueSize),
    scheduledDelayMillis: numberOf(env, 'OTEL_BSP_SCHEDULE_DELAY', 5_000, 600_000, log),
    exportTimeoutMillis: numberOf(env, 'OTEL_BSP_EXPORT_TIMEOUT', 30_000, 600_000, log),
  };
}

function numberOf(env: Environment, name: string, fallback: number, max: number, log: Logger): number {
  const text = env[name] ?? '';
  if (text === '') return fallback;
  const value = Number(text);
  if (value >= 0 && value <= max) return value;
  log.warn({ name }, `${name} must be a number from 0 to ${max}; it is taken as ${fallback}.`);
  return fallback;
}

/** A receiver that is away fails every few seconds, and is told of once a minute. */
function warnSeldom(log: Logger): void {
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  const warn = (message: string): void => {
    if (performance.now() - warnedAtMs < warnEveryMs) return;
    warnedAtMs = performance.now();
    log.warn({ reason: reasonOf(message) }, 'Traces could not be sent. Requests do not wait for them.');
  };
  const ignore = (): void => {};
  const logger = { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Failures come as JSON with a stack, or as plain words. */
function reasonOf(message: string): string {
  try {
    const { message: reason } = JSON.parse(message) as { message?: unknown };
    return String(reason).slice(0, reasonMax);
  } catch {
    return message.slice(0, reasonMax);
  }
}
