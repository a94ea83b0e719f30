// Two services that differ in nothing but the engine below them: one clock, one public address, the same catalogue. What
// one is asked, the other is asked, and their answers must be the same bytes.

import assert from 'node:assert/strict';
import { addApiClient } from '../../src/cli/keys/new-client.ts';
import { applyFile, readCatalogueFile } from '../../src/cli/surveys/catalogue-file.ts';
import { grants } from '../../src/domain/access/account.ts';
import { writeCatalogue } from './catalogue.ts';
import { engines, type TestStore } from './engines.ts';
import { type Answer, basic, exchange } from './exchange.ts';
import { acme, bolt, feedbackCatalogue } from './feedback-catalogue.ts';
import { type Mounted, startMounted } from './mounted.ts';
import type { RandomRequest } from './random-requests.ts';
import { tokenFor } from './service.ts';

// Ahead of every machine's clock: the keys of a new store are made by that, and sign from then on.
const firstMs = Date.UTC(2100, 0, 16, 9);
// Longer than a replica may remember a definition.
const rememberedMs = 5_000;

interface Twin {
  readonly name: string;
  readonly store: TestStore;
  readonly service: Mounted;
  readonly authorization: Readonly<Record<RandomRequest['as'], string | null>>;
  readonly seen: Map<string, string>;
}

export class Twins {
  nowMs = firstMs;
  #twins: readonly Twin[] = [];

  async start(): Promise<void> {
    this.#twins = await Promise.all(engines.map((engine) => this.#startOne(engine)));
    this.nowMs += rememberedMs;
  }

  /** Asks both, and gives the one answer. */
  async ask(request: RandomRequest): Promise<Answer> {
    this.nowMs += 13;
    const answers = await Promise.all(
      this.#twins.map(async ({ service, authorization, seen }) => {
        const credentials = authorization[request.as];
        const answer = await exchange(`${service.baseUrl}${request.path}`, {
          method: request.method,
          headers: {
            ...request.headers,
            ...(credentials === null ? {} : { authorization: credentials }),
            ...(request.body === undefined
              ? {}
              : { 'content-length': String(Buffer.byteLength(request.body)) }),
          },
          ...(request.body === undefined ? {} : { body: request.body }),
        });
        return { answer, comparable: comparable(answer, seen) };
      }),
    );
    const [one, other] = answers;
    assertSame(one!.comparable, other!.comparable);
    assert.ok(one!.answer.status < 500 || one!.answer.status === 501, one!.answer.text);
    return one!.answer;
  }

  async stop(): Promise<void> {
    for (const { service, store } of this.#twins) {
      await service.stop();
      await store.dispose();
    }
  }

  async #startOne(engine: (typeof engines)[number]): Promise<Twin> {
    const store = await engine.readyStore();
    const service = await startMounted({
      databaseUrl: store.databaseUrl,
      env: { SOUNDINGS_PUBLIC_URL: 'https://soundings.example' },
      account: feedbackCatalogue.accounts[0]!,
      now: () => this.nowMs,
    });
    await applyFile(
      service.context,
      await readCatalogueFile(writeCatalogue(feedbackCatalogue), 'test'),
      false,
    );
    const client = await addApiClient(service.context, acme, 'test', grants);
    const foreign = await addApiClient(service.context, bolt, 'test', grants);
    return {
      name: engine.name,
      store,
      service,
      seen: new Map(),
      authorization: {
        own: `Bearer ${await tokenFor(service.baseUrl, client)}`,
        foreign: `Bearer ${await tokenFor(service.baseUrl, foreign)}`,
        client: basic(client.clientId, client.clientSecret),
        nobody: null,
      },
    };
  }
}

/** Pages can be megabytes, of which a difference in full would be more than a text can hold: where it begins will do. */
function assertSame(one: string, other: string): void {
  if (one === other) return;
  let at = 0;
  while (one[at] === other[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 200);
  assert.fail(`The answers differ at ${at}:\n${around(one)}\n${around(other)}`);
}

/** All that a caller sees but the time of day, the connection, and what is drawn by lot: those are named by their order. */
function comparable({ status, headers, text }: Answer, seen: Map<string, string>): string {
  const {
    date: _date,
    'x-request-id': _id,
    'keep-alive': _alive,
    connection: _connection,
    ...kept
  } = headers;
  const named = text
    .replaceAll(/"access_token":"[^"]+"/g, '"access_token":"..."')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      const name = seen.get(id) ?? `id ${seen.size + 1}`;
      seen.set(id, name);
      return name;
    });
  return `${status} ${JSON.stringify(kept)}\n${named}`;
}
