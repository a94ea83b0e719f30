// Whether traces are wanted, by the standard variables of OpenTelemetry, and the context with them. What makes them is
// loaded only then.

import type { Context } from '../../context.ts';
import { tracedDb } from '../../store/engine/work/traced-db.ts';
import type { Terminal } from '../frame/terminal.ts';

export async function withTracing(context: Context, env: Terminal['env']): Promise<Context> {
  if (!wantsTraces(env)) return context;
  const { openTracing } = await import('../../http/server/otel-tracing.ts');
  const tracing = openTracing(env, context.log);
  return { ...context, tracing, db: tracedDb(context.db, tracing) };
}

/** A receiver that hangs would keep the process for as long as its requests may take; nothing else is left to be done. */
export function endIfStuck({ tracing }: Context): void {
  if (tracing?.isStuck) process.exit();
}

function wantsTraces(env: Terminal['env']): boolean {
  const receiver = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isOff = env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none';
  return Boolean(receiver) && !isOff;
}
