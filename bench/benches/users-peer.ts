// Against scimmy-routers, which keeps a thousand users in memory while ours are durable on SQLite: a read, a filter
// and a patch, 32 connections, turn by turn. The peer is installed by nobody else's need, so it may be missing.

import type { Bench } from '../bench.ts';
import { type Figure, median } from '../figures.ts';
import type { LoadResult } from '../load.ts';
import { populate } from '../population.ts';
import { accountId, prepareStore, startGenerator, startOn, startPeer } from '../processes.ts';

const connections = 32;
const userId = (lane: number): number => 1_000_000_001 + lane * 7;

interface Case {
  readonly what: string;
  readonly ours: (lane: number) => string;
  readonly peer: (lane: number) => string;
}

export const usersPeer: Bench = {
  name: 'users-peer',
  about: 'get, filter by userName and patch, against scimmy-routers with 1,000 users in memory',
  engines: ['sqlite'],
  async run(engine, effort) {
    const peer = await startPeer('./peers/scimmy.ts');
    if (peer === null) {
      const hint =
        'users-peer: scimmy, scimmy-routers and express are not installed (BENCH_PEERS names their folder).';
      process.stdout.write(`${hint}\n`);
      return [];
    }
    const store = await prepareStore(engine);
    await populate(store.env.DATABASE_URL!, accountId, 1_000);
    const service = await startOn(store);
    const generator = startGenerator();
    const cases: readonly Case[] = [
      {
        what: 'get',
        ours: (lane) => requestOf('GET', `/v1/scim/Users/${userId(lane)}`, service.token),
        peer: (lane) => requestOf('GET', `/scim/Users/${lane * 7}`, 'x'),
      },
      {
        what: 'filter by userName',
        ours: (lane) => requestOf('GET', `/v1/scim/Users?filter=${filterOf(lane)}`, service.token),
        peer: (lane) => requestOf('GET', `/scim/Users?filter=${filterOf(lane)}`, 'x'),
      },
      {
        what: 'patch',
        ours: (lane) =>
          requestOf('PATCH', `/v1/scim/Users/${userId(lane)}`, service.token, patch('operations')),
        peer: (lane) => requestOf('PATCH', `/scim/Users/${lane * 7}`, 'x', patch('Operations')),
      },
    ];
    try {
      const figures: Figure[] = [];
      for (const { what, ours, peer: theirs } of cases) {
        const ask = (target: { port: number; pid: number }, of: Case['ours'], measuredMs: number) =>
          generator.ask({
            port: target.port,
            serverPid: target.pid,
            request: '',
            requests: Array.from({ length: connections }, (_, lane) => of(lane)),
            connections,
            leadInMs: 300,
            measuredMs,
          });
        await ask(peer, theirs, effort.warmUpMs);
        await ask(service, ours, effort.warmUpMs);
        const rounds: { ours: LoadResult; peer: LoadResult }[] = [];
        for (let number = 0; number < effort.rounds; number += 1) {
          const peerResult = await ask(peer, theirs, effort.measuredMs);
          rounds.push({ peer: peerResult, ours: await ask(service, ours, effort.measuredMs) });
        }
        const rate = ({ requests, seconds }: LoadResult): number => requests / seconds;
        const ratios = rounds.map((round) => rate(round.ours) / rate(round.peer));
        figures.push({
          bench: 'users-peer',
          engine,
          what: `${what}, requests a second : scimmy-routers`,
          ours: `${Math.round(median(rounds.map((round) => rate(round.ours))))}/s`,
          floor: `${Math.round(median(rounds.map((round) => rate(round.peer))))}/s`,
          value: median(ratios),
          unit: 'times',
          rounds: ratios,
          goal: { atLeast: 1 },
          facts: { rounds },
        });
      }
      return figures;
    } finally {
      await generator.stop();
      await service.stop();
      await peer.stop();
    }
  },
};

const filterOf = (lane: number): string => encodeURIComponent(`userName eq "user.${lane * 7}@example.com"`);

/** Nine zeros become another number in every request, so that every patch changes something. */
function patch(operations: string): string {
  return JSON.stringify({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    [operations]: [{ op: 'replace', path: 'emails[type eq "work"].value', value: '000000000@example.com' }],
  });
}

function requestOf(method: string, path: string, token: string, body?: string): string {
  const length =
    body === undefined ? [] : ['content-type: application/scim+json', `content-length: ${body.length}`];
  const head = [
    `${method} ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${token}`,
    'accept: application/scim+json',
  ];
  return [...head, ...length, '', body ?? ''].join('\r\n');
}
