// Hundreds of responses of two accounts and several sources, in mixed order of days, some of them late, for tests of what
// is emptied, kept or removed; and everything that a caller can see of them, to be compared before and after.

import assert from 'node:assert/strict';
import { acme, bolt } from './feedback-catalogue.ts';
import type { FeedbackService } from './feedback-service.ts';
import { storeRows } from './store-rows.ts';

export interface Sent {
  readonly accountId: number;
  readonly source: 'measures/700' | 'projects/300';
  readonly responseId: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly customer: string;
  readonly body: object;
}

const startMs = Date.parse('2025-05-01T00:00:00Z');
const dayMs = 86_400_000;
export const populationRange = 'from=2025-05-01&to=2025-06-09';
export const populationDays = 40;

/** Response `number` of an account: two in three go to the measure, one to the project. */
function responseOf(accountId: number, number: number): Sent {
  const isEntry = number % 3 === 0;
  // Days rise with the numbers, but every seventh response is late by up to a month.
  const late = number % 7 === 0 ? (number * 5) % 30 : 0;
  const dayNumber = Math.max(0, Math.floor((number / 520) * populationDays) - late) % populationDays;
  const atMs = startMs + dayNumber * dayMs + (number % 1_000) * 60_000;
  const responseId = `${accountId === acme ? 'a' : 'b'}-${number}`;
  const customer = `customer ${number % 10} "ä"`;
  const submissionTimestamp = new Date(atMs).toISOString();
  const survey = `${accountId === acme ? 'acme' : 'bolt'}-${isEntry ? 'badge' : 'web'}`;
  const answers = isEntry
    ? { 'Q-STARS': [`${1 + (number % 5)}`], 'Q-WORDS': [`words of ${responseId}`] }
    : { 'Q-SAT-1': [`${1 + (number % 10)}`], ...(accountId === acme && { 'Q-FOUND': ['A-YES'] }) };
  return {
    accountId,
    source: isEntry ? 'projects/300' : 'measures/700',
    responseId,
    day: submissionTimestamp.slice(0, 10),
    customer,
    body: {
      surveyDefinitionId: survey,
      responseId,
      submissionTimestamp,
      responses: answers,
      cpps: { data: { customer_id: customer } },
    },
  };
}

/** Sends `count` responses of each account, both accounts at once, and returns them in the order of their numbers. */
export async function sendPopulation(
  service: FeedbackService,
  count: number,
  first = 1,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  for (const accountId of [acme, bolt]) {
    const token = await service.token(accountId);
    for (let number = first; number < first + count; number += 40) {
      const batch = Array.from({ length: Math.min(40, first + count - number) }, (_, index) =>
        responseOf(accountId, number + index),
      );
      const answers = await Promise.all(batch.map(({ body }) => service.post(body, token)));
      for (const { status, text } of answers) assert.equal(status, 200, text);
      sent.push(...batch);
    }
  }
  return sent;
}

export interface Item {
  readonly id: string;
  readonly erased?: boolean;
  readonly responses: readonly object[];
  readonly [member: string]: unknown;
}

/** Everything that callers of an account see of a source: the summary and every item, page by page. */
export interface SeenSource {
  readonly items: readonly Item[];
  readonly facts: object;
}

export async function seeSource(
  service: Pick<FeedbackService, 'get'>,
  token: string,
  source: Sent['source'],
): Promise<SeenSource> {
  const items: Item[] = [];
  let facts: object = {};
  const isProject = source.startsWith('projects');
  for (let page = 0; ; page += 1) {
    const offset = isProject ? page * 100 : page;
    const { status, body, text } = await service.get(
      `/v1/${source}/data?${populationRange}&limit=100&offset=${offset}`,
      token,
    );
    assert.equal(status, 200, text);
    const { items: some, hasMore, ...rest } = body as { items: Item[]; hasMore: boolean };
    items.push(...some);
    if (page === 0) facts = { ...rest, offset: null };
    if (!hasMore) return { items, facts };
  }
}

/** What an item looks like when it is emptied (D-48). */
export function emptiedItem(item: Item, source: Sent['source']): Item {
  const entry = source.startsWith('projects') ? { url: null, locale: null, rating: null, topic: null } : {};
  return { ...item, ...entry, responses: [], erased: true };
}

/** The responses that the feed tells of as erased or retained, each as often as it is told. */
export async function toldChanges(databaseUrl: string, accountId: number): Promise<readonly string[]> {
  const rows = await storeRows(
    databaseUrl,
    `select response_id, log_change.kind
     from log_change
     join response on response.account_id = log_change.account_id and response.source_id = log_change.source_id
       and response.seq between log_change.first_seq and log_change.last_seq
     where log_change.account_id = ${accountId}
     order by response_id`,
  );
  return rows.map(({ response_id: id, kind }) => `${kind} ${id}`);
}

/** The digests of all days of an account, as they are kept. */
export function keptDigests(databaseUrl: string, accountId: number): Promise<readonly object[]> {
  return storeRows(
    databaseUrl,
    `select source_id, day, responses, digested, digest
     from log_day
     where account_id = ${accountId}
     order by source_id, day`,
  );
}
