// The page of a survey against the same bytes from memory, and a form that is sent, judged and durable against the same
// response as JSON to ingestion.

import { randomUUIDv7 } from 'node:crypto';
import { questionPrefix, tokenField } from '../../src/domain/pages/form-fields.ts';
import { PageTokens } from '../../src/http/pages/page-tokens.ts';
import { openDb } from '../../src/store/engine/db.ts';
import type { Bench, Effort } from '../bench.ts';
import { measureExchange } from '../exchange.ts';
import { feedbackCatalogue, responseBody, surveyId } from '../feedback-data.ts';
import type { EngineName, Figure } from '../figures.ts';
import { type PreparedService, prepareStore, startGenerator, startOn } from '../processes.ts';
import { takeTurns } from '../turns.ts';
import { requestOf } from './ingestion.ts';

export const surveyPage: Bench = {
  name: 'survey-page',
  about:
    'GET /s/{surveyId} against the same bytes from memory; POST of its form against the same response as JSON',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const store = await prepareStore(engine, publicCatalogue());
    const service = await startOn(store);
    try {
      const shown = await measureExchange(
        {
          bench: 'survey-page',
          engine,
          what: 'the page of a survey : the same bytes from memory',
          goal: { atLeast: 0.5 },
          goalOf: 'processor',
          service,
          method: 'GET',
          path: `/s/${surveyId}`,
          // As browsers ask.
          headers: { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'en-GB,en;q=0.9' },
        },
        effort,
      );
      return [...shown, await sent(engine, effort, service, store.env.DATABASE_URL!)];
    } finally {
      await service.stop();
    }
  },
};

/** The catalogue of the benches with its surveys open to everybody. */
export function publicCatalogue(): object {
  const [account] = feedbackCatalogue.accounts;
  const measures = account!.measures.map((measure) => ({
    ...measure,
    surveys: measure.surveys.map((survey) => ({ ...survey, public: true })),
  }));
  return { accounts: [{ ...account, measures }] };
}

// One token is one response, so each round brings its own. Whoever sends more than these sends some twice, and the second
// is answered without being kept; a round is too short for that.
const tokensARound = 16_000;
const connections = 32;

async function sent(
  engine: EngineName,
  effort: Effort,
  service: PreparedService,
  databaseUrl: string,
): Promise<Figure> {
  const db = await openDb(databaseUrl, { timeoutMs: 120_000, poolSize: 2 });
  const tokens = new PageTokens({
    config: { sealKey: '' },
    db,
    now: Date.now,
    elapsedMs: () => performance.now(),
    newId: randomUUIDv7,
    newSecret: randomUUIDv7,
  });
  const generator = startGenerator();
  const ask = (measuredMs: number, request: string, sequence?: readonly string[]) =>
    generator.ask({
      port: service.port,
      serverPid: service.pid,
      request,
      ...(sequence === undefined ? {} : { sequence, isSpread: true }),
      connections,
      leadInMs: 300,
      measuredMs,
    });
  try {
    const figure = {
      bench: 'survey-page',
      engine,
      what: 'processor time of a form that is sent and durable : of the same response as JSON to ingestion',
      // At least 0.7 of the speed.
      goal: { atMost: 1.43 },
    } as const;
    const json = requestOf(service);
    const ours = async (measuredMs: number) => {
      const sequence: string[] = [];
      for (let index = 0; index < tokensARound; index += 1)
        sequence.push(formRequest(await tokens.newFormToken(surveyId)));
      return ask(measuredMs, sequence[0]!, sequence);
    };
    return await takeTurns(
      { figure, ours, floor: (measuredMs) => ask(measuredMs, json), by: 'processor' },
      effort,
    );
  } finally {
    await generator.stop();
    await db.close();
  }
}

const { responses } = responseBody(4711, null) as { responses: Readonly<Record<string, readonly string[]>> };
const answers = new URLSearchParams(
  Object.entries(responses).flatMap(([id, texts]) =>
    texts.map((text): [string, string] => [questionPrefix + id, text]),
  ),
).toString();

function formRequest(token: string): string {
  const body = `${answers}&lang=en&website=&${tokenField}=${token}`;
  return [
    `POST /s/${surveyId} HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/x-www-form-urlencoded',
    `content-length: ${body.length}`,
    '',
    body,
  ].join('\r\n');
}
