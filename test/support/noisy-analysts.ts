// One account looks through a long log in every way that no index leads: groups, filters, letters in comments, many at once. Another
// account is served meanwhile, and its responses are taken in; and whoever hangs up leaves no work behind. With fewer responses and
// long comments in every run, and with a million in test/long (D-702).

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
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
import { fillMeasure, untilRolledUp } from './long-log.ts';
import { neighbourIsServedWhile } from './neighbour.ts';
import { createClient, type Service, setUp, startProcess, tokenFor, until } from './service.ts';

const loud = insightBenchCatalogue.accounts[0]!.id;
const quiet = loud + 1;
// A test of being held up must not be held up itself.
const patience = { timeout: 1_800_000 };
const year = `from=${firstDay}&to=${lastDay}`;
const measure = `/v1/measures/${insightMeasure}`;

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

/** What neighbours are promised on one engine, as the tests of a suite. */
export function neighboursOfAnalystsAreServed(
  engine: Engine,
  { responses, commentLength, times, withinMs }: LongLog,
): void {
  describe(`a log of ${responses} responses`, patience, () => {
    let store: TestStore;
    let service: Service;
    let loudToken: string;
    let quietToken: string;

    before(async () => {
      store = await engine.readyStore();
      const env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_STORE_TIMEOUT_MS: '15000',
      };
      await setUp(['apply', writeCatalogue(catalogue)], env);
      const [loudClient, quietClient] = [await createClient(env, loud), await createClient(env, quiet)];
      await fillMeasure(store.databaseUrl, responses, bodyWith(commentLength));
      service = await startProcess(env);
      loudToken = await tokenFor(service.baseUrl, loudClient);
      quietToken = await tokenFor(service.baseUrl, quietClient);
    }, patience);

    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const served = (work: () => Promise<void>): Promise<void> =>
      neighbourIsServedWhile(service, quietToken, work);

    /** Asks for so many at once, over and over; what is told to retry is one of those that were answered. */
    const analysts = async (atOnce: number, paths: readonly string[]): Promise<void> => {
      const statuses = new Map<number, number>();
      let next = 0;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (next < times * paths.length) {
            const path = paths[next++ % paths.length]!;
            const { status, text } = await exchange(`${service.baseUrl}${path}`, {
              headers: { authorization: `Bearer ${loudToken}`, accept: 'application/json' },
            });
            assert.ok([200, 429, 503].includes(status), `${path} answered ${status}: ${text.slice(0, 300)}`);
            if (status === 503) assert.match(text, /are being added up/);
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        }),
      );
      assert.ok((statuses.get(200) ?? 0) > 0, JSON.stringify([...statuses]));
    };

    let filters = 0;
    /** As slow as a filter can be. Another one each time, because groups that were found are remembered (D-632). */
    const filter = (): string => {
      const nots = [1, 2, 3].map((one) => `not,question:Q-TEXT,${one} of ${filters++}`);
      return encodeURIComponent(
        [...nots, 'contains,question:Q-TEXT,n', 'contains,page,departments'].join(';'),
      );
    };
    const groups = (): string[] =>
      ['page', 'weekday', 'device', 'question:Q-TEXT', 'cpp:basket'].map(
        (by) => `${measure}/breakdown?${year}&by=${by}&filter=${filter()}&within=${withinMs}`,
      );
    const views = (): string[] =>
      ['trend', 'distribution', 'drivers'].map(
        (view) => `${measure}/${view}?${year}&filter=${filter()}&within=${withinMs}`,
      );
    /** Nobody wrote them, so that everything has to be looked through. */
    const letters = (): string[] => [
      ...['\u9ce5', '@', '\u017e'].map(
        (letter) => `${measure}/comments?q=${encodeURIComponent(letter)}&within=${withinMs}`,
      ),
      `${measure}/comments?${year}&filter=${filter()}&q=${encodeURIComponent('§')}&within=${withinMs}`,
      `${measure}/comments?limit=200&within=${withinMs}`,
    ];

    it('others are served while all of it is asked for and nothing of it is added up yet [D-740]', () =>
      served(() => analysts(12, [...groups(), ...views(), ...letters()])));

    it('others are served while the responses are looked through for groups, twelve at once [D-740]', async () => {
      await untilRolledUp(store.databaseUrl);
      await served(() => analysts(12, [...groups(), ...groups(), ...groups()]));
    });

    it('others are served while filtered trends and counts are asked for, twelve at once [D-740]', () =>
      served(() => analysts(12, [...views(), ...views(), ...views()])));

    it('others are served while comments are searched for single letters, twelve at once [D-740]', () =>
      served(() => analysts(12, [...letters(), ...letters(), ...letters()])));

    it('others are served, and their responses taken in, while all of it is asked for [D-740]', () =>
      served(async () => {
        let isOver = false;
        let accepted = 0;
        const send = async (): Promise<void> => {
          while (!isOver) {
            const { status, text } = await exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
              method: 'POST',
              headers: { authorization: `Bearer ${quietToken}`, 'content-type': 'application/json' },
              body: JSON.stringify({
                surveyDefinitionId: 'quiet-badge',
                responses: { 'Q-TEXT': [`word ${accepted}`] },
              }),
            });
            assert.equal(status, 200, text);
            accepted += 1;
          }
        };
        const asking = analysts(16, [...groups(), ...views(), ...letters()]).finally(() => {
          isOver = true;
        });
        await Promise.all([asking, send()]);
        assert.ok(accepted >= 20, `Only ${accepted} responses were taken in.`);
      }));

    it('whoever hangs up leaves no work behind [D-740]', async () => {
      const metric = async (name: string): Promise<number> => {
        const { text } = await exchange(`${service.baseUrl}/metrics`);
        return Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`${name} `))
            ?.split(' ')[1] ?? 0,
        );
      };
      const scans = (outcome: string): Promise<number> =>
        metric(`soundings_scans_total{outcome="${outcome}"}`);
      const answered = async (): Promise<number> => (await scans('complete')) + (await scans('partial'));
      const [abandonedBefore, answeredBefore] = [await scans('abandoned'), await answered()];
      // The first are under way, and the others wait for their turn.
      const left = await Promise.all(
        [...groups(), ...views()].map(
          (path) =>
            new Promise<() => void>((resolve) => {
              const outgoing = request(`${service.baseUrl}${path}`, {
                agent: false,
                headers: { accept: 'application/json', authorization: `Bearer ${loudToken}` },
              });
              outgoing.on('error', () => {});
              outgoing.on('finish', () => resolve(() => outgoing.destroy()));
              outgoing.end();
            }),
        ),
      );
      await exchange(`${service.baseUrl}/livez`);
      for (const hangUp of left) hangUp();
      const last = await exchange(
        `${service.baseUrl}${measure}/breakdown?from=${lastDay}&to=${lastDay}&by=weekday`,
        { headers: { authorization: `Bearer ${loudToken}`, accept: 'application/json' } },
      );
      assert.equal(last.status, 200, last.text);
      await until(
        () => scans('abandoned'),
        (count) => count === abandonedBefore + left.length,
        60_000,
      );
      assert.equal(await answered(), answeredBefore + 1);
      assert.equal(await metric('soundings_scans_total{outcome="failed"}'), 0);
    });
  });
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
