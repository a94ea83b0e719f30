// Against what one would write otherwise, on the same disk and in the same run.

import type { Bench } from '../bench.ts';
import { feedbackCatalogue, fillLog, pagePath, responseBody } from '../feedback-data.ts';
import type { Figure } from '../figures.ts';
import { prepareStore, startGenerator, startOn, type Target } from '../processes.ts';
import { type Turns, takeTurns } from '../turns.ts';
import { shownBy, startUsual, usualPageRequest } from '../usual-program.ts';
import { requestOf as ingestionRequest } from './ingestion.ts';
import { pageRequest } from './pages.ts';

const rowsInLog = 20_000;
const body = JSON.stringify(responseBody(4711, null));

export const usual: Bench = {
  name: 'usual',
  about: 'ingestion and a page against Fastify, an insert a transaction, and limit with offset',
  engines: ['sqlite', 'postgres'],
  async run(engine, effort) {
    const store = await prepareStore(engine, feedbackCatalogue);
    await fillLog(store.env.DATABASE_URL!, rowsInLog, 'in order');
    const service = await startOn(store);
    const peer = await startUsual(engine, rowsInLog, await shownBy(service, 'full'));
    const generator = startGenerator();
    const ask = (target: Target, request: string, connections: number) => (measuredMs: number) =>
      generator.ask({
        port: target.port,
        serverPid: target.pid,
        request,
        connections,
        leadInMs: 300,
        measuredMs,
      });
    const compare = (
      what: string,
      atLeast: number,
      ours: Turns['ours'],
      floor: Turns['floor'],
    ): Promise<Figure> =>
      takeTurns(
        { figure: { bench: 'usual', engine, what, goal: { atLeast } }, ours, floor, by: 'rate' },
        effort,
      );
    const theirPost = `POST /responses HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const own = pageRequest(service, pagePath('full', 'in order', 0));
    try {
      return [
        await compare('first page', 2.5, ask(service, own, 8), ask(peer, usualPageRequest(0), 8)),
        await compare('ingestion', 2, ask(service, ingestionRequest(service), 32), ask(peer, theirPost, 32)),
      ];
    } finally {
      await generator.stop();
      await service.stop();
      await peer.stop();
    }
  },
};
