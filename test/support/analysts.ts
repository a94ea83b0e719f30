// Analysts of one account who look through a long log in every way that no index leads: groups, filters, letters in comments. Others are to
// be served meanwhile (noisy-analysts.ts), and the memory of the service is to stay within its bound (bench/meter/loads.ts).

import assert from 'node:assert/strict';
import {
  firstDay,
  insightBenchCatalogue,
  insightBody,
  insightMeasure,
  lastDay,
} from '../../bench/insight-data.ts';
import { writeCatalogue } from './catalogue.ts';
import type { Engine, TestStore } from './engines.ts';
import { exchange } from './exchange.ts';
import { fillMeasure } from './long-log.ts';
import { createClient, type ServiceProcess, setUp, startProcess, tokenFor } from './service.ts';

const loud = insightBenchCatalogue.accounts[0]!.id;
const quiet = loud + 1;
const year = `from=${firstDay}&to=${lastDay}`;
export const analystsMeasure = `/v1/measures/${insightMeasure}`;

const catalogue = {
  accounts: [
    ...insightBenchCatalogue.accounts,
    {
      id: quiet,
      name: 'Quiet',
      measures: Array.from({ length: 20 }, (_, index) => ({ key: 100 + index, name: `Measure ${index}` })),
      projects: [
        {
          id: 200,
          name: 'Project',
          status: 'ACTIVE',
          surveys: [
            {
              id: 'quiet-badge',
              modelInstanceId: 'model-quiet-badge',
              current: true,
              questions: [{ id: 'Q-TEXT', name: 'Why?', responseType: 'TEXT_AREA' }],
            },
          ],
        },
      ],
    },
  ],
};

export interface LongLog {
  readonly responses: number;
  /** Characters of each comment; null for those of people. */
  readonly commentLength: number | null;
  /** How often each kind of noise is made, and for how long each answer may be worked on. */
  readonly times: number;
  readonly withinMs: number;
}

/** A store with such a log, and a service on it that has added up nothing yet. */
export async function prepareAnalysts(engine: Engine, log: LongLog): Promise<Analysts> {
  const store = await engine.readyStore();
  const env = {
    DATABASE_URL: store.databaseUrl,
    SOUNDINGS_THROTTLE: 'off',
    SOUNDINGS_STORE_TIMEOUT_MS: '15000',
  };
  await setUp(['apply', writeCatalogue(catalogue)], env);
  const [loudClient, quietClient] = [await createClient(env, loud), await createClient(env, quiet)];
  await fillMeasure(store.databaseUrl, log.responses, bodyWith(log.commentLength));
  const service = await startProcess(env);
  const loudToken = await tokenFor(service.baseUrl, loudClient);
  const quietToken = await tokenFor(service.baseUrl, quietClient);
  return new Analysts({ log, store, env, service, loudToken, quietToken });
}

interface AnalystsParts {
  readonly log: LongLog;
  readonly store: TestStore;
  readonly env: Readonly<Record<string, string>>;
  readonly service: ServiceProcess;
  readonly loudToken: string;
  readonly quietToken: string;
}

export class Analysts {
  readonly store: TestStore;
  readonly service: ServiceProcess;
  readonly loudToken: string;
  /** Of another account. */
  readonly quietToken: string;
  readonly #parts: AnalystsParts;
  readonly #within: string;
  #filters = 0;

  constructor(parts: AnalystsParts) {
    this.#parts = parts;
    this.#within = `within=${parts.log.withinMs}`;
    ({
      store: this.store,
      service: this.service,
      loudToken: this.loudToken,
      quietToken: this.quietToken,
    } = parts);
  }

  /** The same on a service that has just started; the one before is stopped. */
  async startedAnew(): Promise<Analysts> {
    await this.service.stop();
    return new Analysts({ ...this.#parts, service: await startProcess(this.#parts.env) });
  }

  /** Asks for so many at once, over and over; what is told to retry is one of those that were answered. */
  async ask(atOnce: number, paths: readonly string[]): Promise<void> {
    const statuses = new Map<number, number>();
    let next = 0;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (next < this.#parts.log.times * paths.length) {
          const path = paths[next++ % paths.length]!;
          const { status, text } = await exchange(`${this.service.baseUrl}${path}`, {
            headers: { authorization: `Bearer ${this.loudToken}`, accept: 'application/json' },
          });
          assert.ok([200, 429, 503].includes(status), `${path} answered ${status}: ${text.slice(0, 300)}`);
          if (status === 503) assert.match(text, /are being added up/);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    assert.ok((statuses.get(200) ?? 0) > 0, JSON.stringify([...statuses]));
  }

  groups(): string[] {
    return ['page', 'weekday', 'device', 'question:Q-TEXT', 'cpp:basket'].map(
      (by) => `${analystsMeasure}/breakdown?${year}&by=${by}&filter=${this.#filter()}&${this.#within}`,
    );
  }

  views(): string[] {
    return ['trend', 'distribution', 'drivers'].map(
      (view) => `${analystsMeasure}/${view}?${year}&filter=${this.#filter()}&${this.#within}`,
    );
  }

  /** Nobody wrote them, so that everything has to be looked through. */
  letters(): string[] {
    const comments = `${analystsMeasure}/comments`;
    return [
      ...['\u9ce5', '@', '\u017e'].map(
        (letter) => `${comments}?q=${encodeURIComponent(letter)}&${this.#within}`,
      ),
      `${comments}?${year}&filter=${this.#filter()}&q=${encodeURIComponent('§')}&${this.#within}`,
      `${comments}?limit=200&${this.#within}`,
    ];
  }

  /** As slow as a filter can be. Another one each time, because groups that were found are remembered (D-632). */
  #filter(): string {
    const nots = [1, 2, 3].map((one) => `not,question:Q-TEXT,${one} of ${this.#filters++}`);
    return encodeURIComponent([...nots, 'contains,question:Q-TEXT,n', 'contains,page,departments'].join(';'));
  }

  async close(): Promise<void> {
    await this.service.stop();
    await this.store.dispose();
  }
}

/** Comments of so many characters, half of which have to be folded one by one. */
function bodyWith(commentLength: number | null): typeof insightBody {
  if (commentLength === null) return insightBody;
  return (kind, number, count) => {
    const body = insightBody(kind, number, count) as { responses: Record<string, string[]> };
    const words = `${number} Stra\u00dfe gesperrt, \ufb01nde nichts \u6f22\u5b57 ${number * 7} `;
    const comment = words.repeat(Math.ceil(commentLength / words.length)).slice(0, commentLength);
    return { ...body, responses: { ...body.responses, 'Q-TEXT': [comment] } };
  };
}
