// Whether the log of a store agrees with itself: everything that is counted beside the rows is counted once more, from
// the bodies as they were sent, and held against what is kept.

import type { SurveyDefinition } from '../../src/domain/feedback/definition.ts';
import { digestsOfDays } from './digest-model.ts';
import { latentScoresOf, type ResponseBody } from './feedback-model.ts';
import { type StoreRow, storeRows } from './store-rows.ts';

const blockSize = 256;
const dayMs = 86_400_000;

interface LogEntry {
  readonly seq: number;
  readonly day: number;
  readonly responseId: string;
  readonly submittedAtMs: number;
  readonly body: ResponseBody;
  readonly bodyText: string;
}

/** What does not agree, in sentences; an empty list when all is well. */
export async function disagreements(
  databaseUrl: string,
  { mayLackDigests = false }: { readonly mayLackDigests?: boolean } = {},
): Promise<string[]> {
  const read = (query: string): Promise<readonly StoreRow[]> => storeRows(databaseUrl, query);
  const found: string[] = [];
  if (databaseUrl.startsWith('sqlite:')) {
    const [check] = await read('pragma integrity_check');
    if (check?.integrity_check !== 'ok') found.push(`The file is damaged: ${check?.integrity_check}`);
  }
  const surveys = new Map(
    (await read('select survey_id, document from survey')).map(({ survey_id: id, document }) => [
      String(id),
      JSON.parse(String(document)) as SurveyDefinition,
    ]),
  );
  const entries = Map.groupBy(
    await read(`
      select r.account_id, r.source_id, r.seq, r.day, r.response_id, r.submitted_at, b.body
      from response r
      left join response_body b on b.account_id = r.account_id and b.source_id = r.source_id and b.seq = r.seq
      order by r.account_id, r.source_id, r.seq`),
    sourceOf,
  );
  const days = Map.groupBy(await read('select * from log_day'), sourceOf);
  const latents = Map.groupBy(await read('select * from log_day_latent'), sourceOf);
  const blocks = Map.groupBy(await read('select * from log_block order by block'), sourceOf);
  const counters = new Map((await read('select * from log_counter')).map((row) => [sourceOf(row), row]));
  for (const source of entries.keys())
    if (!counters.has(source)) found.push(`The source ${source} has rows and no counter.`);
  for (const [source, counter] of counters) {
    const log = (entries.get(source) ?? []).map(entryOf);
    const say = (what: string, kept: unknown, counted: unknown): void => {
      const [is, should] = [JSON.stringify(kept), JSON.stringify(counted)];
      if (is !== should) found.push(`Source ${source}, ${what}: ${is} is kept, ${should} is counted.`);
    };
    say('last_seq', Number(counter.last_seq), log.length);
    const hole = log.findIndex(({ seq }, index) => seq !== index + 1);
    if (hole >= 0) found.push(`Source ${source}: after ${hole} comes ${log[hole]?.seq}.`);
    say(
      'days of rows',
      log.map(({ day }) => day),
      log.map(({ submittedAtMs }) => Math.floor(submittedAtMs / dayMs)),
    );
    // What lies behind the last full block is in no sum yet.
    const [summed, open] = [Number(counter.summed_seq), Number(counter.open_seq)];
    const closed = log.filter(({ seq }) => seq <= summed || seq > open);
    if (log.length - closed.length >= blockSize) found.push(`Source ${source}: a full block is not summed.`);
    say('log_day', keptDays(days.get(source) ?? []), countedDays(closed));
    say('log_day_latent', keptLatents(latents.get(source) ?? []), countedLatents(closed, surveys));
    const digested = Number(counter.digested_seq);
    const unfolded = log.length - digested;
    if (!mayLackDigests && unfolded >= blockSize)
      found.push(`Source ${source}: a full block is in no digest.`);
    say(
      'digests of days',
      keptDigests(days.get(source) ?? []),
      digestsOfDays(log.slice(0, digested).map(({ day, bodyText: body }) => ({ day, body }))),
    );
    say('log_block', (blocks.get(source) ?? []).map(keptBlock), countedBlocks(log));
    for (const { responseId, body } of log)
      if (body.responseId !== undefined && body.responseId !== responseId)
        found.push(`Source ${source}: ${responseId} has the body of ${body.responseId}.`);
  }
  const ids = await read('select account_id, response_id from response group by 1, 2 having count(*) > 1');
  for (const { response_id: id } of ids) found.push(`${id} is there twice.`);
  return found;
}

function sourceOf({ account_id: accountId, source_id: sourceId }: StoreRow): string {
  return `${accountId}/${sourceId}`;
}

function entryOf(row: StoreRow): LogEntry {
  return {
    seq: Number(row.seq),
    day: Number(row.day),
    responseId: String(row.response_id),
    submittedAtMs: Number(row.submitted_at),
    body: JSON.parse(String(row.body)) as ResponseBody,
    bodyText: String(row.body),
  };
}

function sorted(counts: ReadonlyMap<string, readonly number[]>): [string, ...number[]][] {
  return [...counts]
    .map(([key, numbers]): [string, ...number[]] => [key, ...numbers])
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function keptDays(rows: readonly StoreRow[]): unknown {
  return sorted(new Map(rows.map(({ day, responses }) => [`${day}`, [Number(responses)]])));
}

function countedDays(log: readonly LogEntry[]): unknown {
  const counts = new Map<string, number[]>();
  for (const { day } of log) counts.set(`${day}`, [(counts.get(`${day}`)?.[0] ?? 0) + 1]);
  return sorted(counts);
}

function keptDigests(rows: readonly StoreRow[]): unknown {
  return rows
    .filter(({ digested }) => Number(digested) > 0)
    .map(({ day, digested, digest }) => [Number(day), Number(digested), digest])
    .sort(([one], [other]) => Number(one) - Number(other));
}

function keptLatents(rows: readonly StoreRow[]): unknown {
  return sorted(
    new Map(rows.map((row) => [`${row.day} ${row.latent_id}`, [Number(row.micros), Number(row.scored)]])),
  );
}

function countedLatents(log: readonly LogEntry[], surveys: ReadonlyMap<string, SurveyDefinition>): unknown {
  const sums = new Map<string, number[]>();
  for (const { day, body } of log) {
    for (const { id, score } of latentScoresOf(surveys.get(body.surveyDefinitionId)!, body)) {
      if (score === null) continue;
      const [micros = 0, count = 0] = sums.get(`${day} ${id}`) ?? [];
      sums.set(`${day} ${id}`, [micros + Math.round(score * 1e6), count + 1]);
    }
  }
  return sorted(sums);
}

/** A block by its number and the days of its rows, told from the smallest and the characters. */
function keptBlock({ block, day_min: dayMin, day_max: dayMax, days }: StoreRow): unknown {
  const distances =
    days === '' ? Array<number>(blockSize).fill(0) : [...String(days)].map((one) => one.charCodeAt(0) - 48);
  return [
    Number(block),
    Number(dayMin),
    Number(dayMax),
    distances.map((distance) => Number(dayMin) + distance),
  ];
}

function countedBlocks(log: readonly LogEntry[]): unknown {
  return Array.from({ length: Math.floor(log.length / blockSize) }, (_, block) => {
    const days = log.slice(block * blockSize, (block + 1) * blockSize).map(({ day }) => day);
    return [block, Math.min(...days), Math.max(...days), days];
  });
}
