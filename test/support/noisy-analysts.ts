// Analysts look through a long log (analysts.ts). Another account is served meanwhile, and its responses are taken in; and whoever hangs
// up leaves no work behind. With fewer responses and long comments in every run, and with a million in test/long (D-702).

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { lastDay } from '../../bench/insight-data.ts';
import { type Analysts, analystsMeasure, type LongLog, prepareAnalysts } from './analysts.ts';
import type { Engine } from './engines.ts';
import { exchange } from './exchange.ts';
import { untilRolledUp } from './long-log.ts';
import { neighbourIsServedWhile } from './neighbour.ts';
import { until } from './service.ts';

// A test of being held up must not be held up itself.
const patience = { timeout: 1_800_000 };

/** What neighbours are promised on one engine, as the tests of a suite. */
export function neighboursOfAnalystsAreServed(engine: Engine, log: LongLog): void {
  describe(`a log of ${log.responses} responses`, patience, () => {
    let analysts: Analysts;

    before(async () => {
      analysts = await prepareAnalysts(engine, log);
    }, patience);

    after(() => analysts?.close());

    const served = (work: () => Promise<void>): Promise<void> =>
      neighbourIsServedWhile(analysts.service, analysts.quietToken, work);

    it('others are served while all of it is asked for and nothing of it is added up yet [D-740]', () =>
      served(() => analysts.ask(12, [...analysts.groups(), ...analysts.views(), ...analysts.letters()])));

    it('others are served while the responses are looked through for groups, twelve at once [D-740]', async () => {
      await untilRolledUp(analysts.store.databaseUrl);
      await served(() =>
        analysts.ask(12, [...analysts.groups(), ...analysts.groups(), ...analysts.groups()]),
      );
    });

    it('others are served while filtered trends and counts are asked for, twelve at once [D-740]', () =>
      served(() => analysts.ask(12, [...analysts.views(), ...analysts.views(), ...analysts.views()])));

    it('others are served while comments are searched for single letters, twelve at once [D-740]', () =>
      served(() => analysts.ask(12, [...analysts.letters(), ...analysts.letters(), ...analysts.letters()])));

    it('others are served, and their responses taken in, while all of it is asked for [D-740]', () =>
      served(async () => {
        let isOver = false;
        let accepted = 0;
        const send = async (): Promise<void> => {
          while (!isOver) {
            const { status, text } = await exchange(`${analysts.service.baseUrl}/v1/surveys/ingestion`, {
              method: 'POST',
              headers: { authorization: `Bearer ${analysts.quietToken}`, 'content-type': 'application/json' },
              body: JSON.stringify({
                surveyDefinitionId: 'quiet-badge',
                responses: { 'Q-TEXT': [`word ${accepted}`] },
              }),
            });
            assert.equal(status, 200, text);
            accepted += 1;
          }
        };
        const asking = analysts
          .ask(16, [...analysts.groups(), ...analysts.views(), ...analysts.letters()])
          .finally(() => {
            isOver = true;
          });
        await Promise.all([asking, send()]);
        assert.ok(accepted >= 20, `Only ${accepted} responses were taken in.`);
      }));

    it('whoever hangs up leaves no work behind [D-740]', async () => {
      const metric = async (name: string): Promise<number> => {
        const { text } = await exchange(`${analysts.service.baseUrl}/metrics`);
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
        [...analysts.groups(), ...analysts.views()].map(
          (path) =>
            new Promise<() => void>((resolve) => {
              const outgoing = request(`${analysts.service.baseUrl}${path}`, {
                agent: false,
                headers: { accept: 'application/json', authorization: `Bearer ${analysts.loudToken}` },
              });
              outgoing.on('error', () => {});
              outgoing.on('finish', () => resolve(() => outgoing.destroy()));
              outgoing.end();
            }),
        ),
      );
      await exchange(`${analysts.service.baseUrl}/livez`);
      for (const hangUp of left) hangUp();
      const last = await exchange(
        `${analysts.service.baseUrl}${analystsMeasure}/breakdown?from=${lastDay}&to=${lastDay}&by=weekday`,
        { headers: { authorization: `Bearer ${analysts.loudToken}`, accept: 'application/json' } },
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
