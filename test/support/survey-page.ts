// The page of a survey over HTTP, as a browser without scripts uses it.

import assert from 'node:assert/strict';
import { applyFile, readCatalogueFile } from '../../src/cli/surveys/catalogue-file.ts';
import { writeCatalogue } from './catalogue.ts';
import { type Answer, exchange } from './exchange.ts';
import type { Mounted } from './mounted.ts';
import type { MovingClock } from './moving-clock.ts';

export type Fields = Readonly<Record<string, string | readonly string[]>>;

const form = 'application/x-www-form-urlencoded';

export class SurveyPageClient {
  readonly #mounted: Mounted;
  readonly #clock: MovingClock;

  constructor(mounted: Mounted, clock: MovingClock) {
    this.#mounted = mounted;
    this.#clock = clock;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return exchange(`${this.#mounted.baseUrl}${path}`, { headers });
  }

  /** The token of a page that is opened now. */
  async token(name: string, query = ''): Promise<string> {
    const { status, text } = await this.get(`/s/${encodeURIComponent(name)}${query}`);
    assert.equal(status, 200, text);
    return tokenIn(text);
  }

  send(name: string, fields: Fields, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.sendText(name, formText(fields), { 'content-type': form, ...headers });
  }

  sendJson(name: string, fields: Fields): Promise<Answer> {
    const lists = Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, [value].flat()]));
    return this.sendText(name, JSON.stringify({ fields: lists }), { 'content-type': 'application/json' });
  }

  sendText(
    name: string,
    body: string | Uint8Array,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer> {
    return exchange(`${this.#mounted.baseUrl}/s/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers,
      body,
    });
  }

  /** Applies a catalogue and lets the time pass that replicas may take to see it. */
  async apply(catalogue: object): Promise<void> {
    const { context } = this.#mounted;
    await applyFile(context, await readCatalogueFile(writeCatalogue(catalogue), 'test'), false);
    this.#clock.pass(5_000);
  }

  /** An invitation to a survey of an account. */
  async invite(
    accountId: number,
    surveyId: string,
    { days = 1, parameters = {} }: { days?: number; parameters?: Readonly<Record<string, string>> } = {},
  ): Promise<{ readonly token: string; readonly invitationId: string }> {
    const seal = this.#mounted.services.pageTokens.invitations;
    const nowMs = this.#clock.now();
    const endsAtMs = nowMs + days * 86_400_000;
    const invitationId = this.#mounted.context.newId();
    const key = await seal.keyUntil(endsAtMs);
    const invitation = { invitationId, issuedAtMs: nowMs, endsAtMs, parameters };
    const [token] = await seal.seal(key, { accountId, surveyId }, [invitation]);
    return { token: token!, invitationId };
  }
}

export function tokenIn(page: string): string {
  const [, token] = /name="token" value="([^"]+)"/.exec(page) ?? [];
  assert.ok(token, 'The page has no token.');
  return token;
}

export function formText(fields: Fields): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((text): [string, string] => [name, text]),
  );
  return new URLSearchParams(pairs).toString();
}
