// The figures of days that another service tells by its interface, for the account of an API client.

import { setTimeout } from 'node:timers/promises';
import { dayOf, dayText, parseDay } from '../../domain/dates.ts';
import type { SourceFigures } from '../../domain/feedback/day-figures.ts';
import type { DayDigest } from '../../domain/feedback/digest.ts';
import { reasonOf } from '../../domain/reason.ts';
import { CommandError } from '../frame/terminal.ts';

interface ServiceClient {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Its sources are shown under the account that this store has them in. */
  readonly accountId: number;
}

/** As many as the endpoint takes. */
const daysAtOnce = 1_000;
const firstDayEver = parseDay('1990-01-01')!;
const listAtOnce = 100;
const requestTimeoutMs = 60_000;
const waitsMax = 200;
const attemptsMax = 3;

/** In the order of kinds and keys. */
export async function* figuresOfService(
  client: ServiceClient,
  nowMs: number,
  onWait: (sentence: string) => void,
): AsyncGenerator<SourceFigures> {
  const { accountId } = client;
  const caller = new ServiceCaller(client, onWait);
  for (let page = 0, hasMore = true; hasMore; page += 1) {
    const list = await caller.get<{ hasMore: boolean; items: { id: number }[] }>(
      `/v1/measures?offset=${page}&limit=${listAtOnce}`,
    );
    for (const { id } of list.items)
      yield {
        accountId,
        kind: 'measure',
        key: id,
        ...(await figuresAt(caller, `/v1/measures/${id}`, nowMs)),
      };
    hasMore = list.hasMore;
  }
  for (const { id } of await caller.get<{ id: number }[]>('/v1/projects'))
    yield { accountId, kind: 'project', key: id, ...(await figuresAt(caller, `/v1/projects/${id}`, nowMs)) };
}

/** From the last days backwards, until every response is accounted for. */
async function figuresAt(
  caller: ServiceCaller,
  path: string,
  nowMs: number,
): Promise<Pick<SourceFigures, 'position' | 'days'>> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const days: [number, DayDigest][] = [];
    let counted = 0;
    // A response may be of a day that has begun elsewhere.
    let last = dayOf(nowMs) + 1;
    for (let at: number | null = null; last >= firstDayEver; last -= daysAtOnce) {
      const first = Math.max(firstDayEver, last - daysAtOnce + 1);
      const { items, position } = await caller.get<{
        items: { day: string; count: number; digest: string }[];
        position: number;
      }>(`${path}/digest?from=${dayText(first)}&to=${dayText(last)}`);
      at ??= position;
      // Something came in between two requests: what they say does not belong together.
      if (position !== at) break;
      days.unshift(
        ...items.map(({ day, count, digest }): [number, DayDigest] => [parseDay(day)!, { count, digest }]),
      );
      for (const { count } of items) counted += count;
      if (counted === position) return { position, days };
    }
  }
  throw new CommandError(
    `The figures of ${path} cannot be read as of one moment, because responses keep coming in. Try again when there are fewer.`,
  );
}

class ServiceCaller {
  readonly #client: ServiceClient;
  readonly #onWait: (sentence: string) => void;
  #token: string | null = null;

  constructor(client: ServiceClient, onWait: (sentence: string) => void) {
    this.#client = client;
    this.#onWait = onWait;
  }

  async get<T>(path: string): Promise<T> {
    for (let wait = 0; ; wait += 1) {
      this.#token ??= await this.#newToken();
      const answer = await this.#send(path, { headers: { authorization: `Bearer ${this.#token}` } });
      if (answer.status === 200) return JSON.parse(answer.text) as T;
      const isExpired = answer.status === 401 && wait === 0;
      if (isExpired) this.#token = null;
      else if ((answer.status === 503 || answer.status === 429) && wait < waitsMax) {
        this.#onWait(`${this.#client.url} asks to wait: ${messageOf(answer)}`);
        await setTimeout(Math.min(60, answer.retryAfterSeconds ?? 1) * 1_000);
      } else throw this.#refusal(path, answer);
    }
  }

  async #newToken(): Promise<string> {
    const { clientId, clientSecret } = this.#client;
    const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const answer = await this.#send('/v1/token', {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(pair).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: 'grant_type=client_credentials&scope=r_cx_measures%20r_cx_projects',
    });
    if (answer.status !== 200) throw this.#refusal('/v1/token', answer);
    return (JSON.parse(answer.text) as { access_token: string }).access_token;
  }

  async #send(path: string, init: RequestInit): Promise<ServiceAnswer> {
    try {
      // A redirect would hand the token to somebody else.
      const answer = await fetch(`${this.#client.url}${path}`, {
        ...init,
        headers: { accept: 'application/json', ...init.headers },
        redirect: 'error',
        signal: AbortSignal.timeout(requestTimeoutMs),
      });
      const retryAfter = Number(answer.headers.get('retry-after'));
      return {
        status: answer.status,
        text: await answer.text(),
        retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
      };
    } catch (error) {
      const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
      throw new CommandError(
        `${this.#client.url} cannot be asked: ${reasonOf(cause)}. Look at the address, and whether the service runs.`,
        { cause: error },
      );
    }
  }

  #refusal(path: string, answer: ServiceAnswer): CommandError {
    return new CommandError(
      `${this.#client.url}${path} answered ${answer.status}: ${messageOf(answer)} The client needs the grants r_cx_measures and r_cx_projects.`,
    );
  }
}

interface ServiceAnswer {
  readonly status: number;
  readonly text: string;
  readonly retryAfterSeconds: number | null;
}

function messageOf({ text }: ServiceAnswer): string {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const message = body.message ?? body.error_description ?? body.errorMessage ?? body.detail;
    if (typeof message === 'string') return message.slice(0, 300);
  } catch {
    // Not from a service of this kind.
  }
  return 'it is no answer of a Soundings service with digests.';
}
