// A service under load, one of whose files is deleted, replaced or cut, with commands beside it; then a look at what is
// left. Shared by npm test, which does each once, and by the long tests.

import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sqlite } from './engines.ts';
import { keptResponses, postResponse, prepareFeedback } from './feedback.ts';
import { type ApiClientCredentials, soundings, startProcess, tokenFor, until } from './service.ts';
import { temporaryFolder } from './temporary-file.ts';

export const parts = ['', '-wal', '-shm'] as const;
export const harms = ['deleted', 'replaced', 'cut to half', 'cut to nothing'] as const;
export type Part = (typeof parts)[number];
export type Harm = (typeof harms)[number];

const lanes = 6;
// A third of the lanes' requests is under way when the file goes, at some moment of the batch.
const acknowledgedFirst = 60;
const refusedEnough = 30;

export function harmFile(file: string, harm: Harm): void {
  if (harm === 'deleted') return rmSync(file);
  if (harm === 'cut to nothing') return truncateSync(file, 0);
  if (harm === 'cut to half') return truncateSync(file, Math.floor(statSync(file).size / 2));
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}

export interface RoundOf {
  readonly hasCommand: boolean;
  /** As by a power cut, and not as an operator stops it. */
  readonly isKilled: boolean;
}

export interface RoundOutcome {
  readonly acknowledged: number;
  /** Of those, sent after the file was harmed. */
  readonly afterwards: number;
  readonly isSaved: boolean;
  /** Whether a service started once more, without anybody having done anything. */
  readonly isServedAgain: boolean;
  /** What it said otherwise. */
  readonly says: string;
}

export class FileRounds {
  #template = '';
  #client: ApiClientCredentials | null = null;

  async prepare(): Promise<void> {
    const store = await sqlite.readyStore();
    this.#template = store.databaseUrl.slice('sqlite:'.length);
    this.#client = await prepareFeedback({ DATABASE_URL: store.databaseUrl });
  }

  async round(part: Part, harm: Harm, how: RoundOf): Promise<RoundOutcome> {
    const folder = temporaryFolder('files');
    const file = join(folder, 'store.db');
    copyFileSync(this.#template, file);
    const env = {
      DATABASE_URL: `sqlite:${file}`,
      SOUNDINGS_THROTTLE: 'off',
      SOUNDINGS_LOG_LEVEL: 'error',
      SOUNDINGS_STORE_TIMEOUT_MS: '10000',
    };
    const service = await startProcess(env);
    service.expectErrors('STORE_MOVED', 'STORE_DAMAGED', 'STORE_UNREACHABLE');
    let isGone = false;
    void service.exited.then(() => {
      isGone = true;
    });
    const token = await tokenFor(service.baseUrl, this.#client!);
    const acknowledged: string[] = [];
    const afterwards: string[] = [];
    let refused = 0;
    let isHarmed = false;
    let isOver = false;
    const lane = async (number: number): Promise<void> => {
      for (let at = 0; !isOver; at += 1) {
        const id = `r-${number}-${at}`;
        const isAfter = isHarmed;
        const status = await postResponse(service.baseUrl, token, id, 'words '.repeat(40))
          .then((answer) => answer.status)
          .catch(() => 0);
        if (status === 200) acknowledged.push(id);
        if (status === 200 && isAfter) afterwards.push(id);
        if (status !== 200) refused += 1;
      }
    };
    const load = Array.from({ length: lanes }, (_, number) => lane(number));
    const clients: string[] = [];
    const command = async (): Promise<void> => {
      // Started before the file goes, and again until nothing is acknowledged any more.
      for (let at = 0; !isOver; at += 1) {
        const args = ['client', 'create', '--account', '4001', '--name', `c-${at}`, '--json'];
        const { code, stdout, stderr } = await soundings(args, env);
        if (code === 0) clients.push(String((JSON.parse(stdout) as { clientId: string }).clientId));
        else assert.equal(code === null || /^soundings: /m.test(stderr), true, stderr);
      }
    };
    const commands = how.hasCommand ? [command()] : [];
    await until(
      async () => acknowledged.length,
      (count) => count > acknowledgedFirst,
    );
    harmFile(`${file}${part}`, harm);
    isHarmed = true;
    await until(
      async () => refused,
      (count) => count > refusedEnough,
    );
    isOver = true;
    await Promise.all([...load, ...commands]);
    if (!isGone) await (how.isKilled ? service.kill() : service.stop());
    const saved = readdirSync(folder).filter((name) => /^store\.db\.saved-\d{8}T\d{9}Z$/.test(name));
    assert.ok(saved.every((name) => (statSync(join(folder, name)).mode & 0o777) === 0o600));
    const again = await startProcess(env).catch((error: unknown) => String(error));
    const found: string[] = [];
    if (typeof again === 'string') {
      // Refused with a sentence, nothing made in its place, and what was acknowledged is in what was saved.
      assert.match(again, /store\.db/, again);
      assert.ok(part !== '' || harm !== 'deleted' || !existsSync(file));
      found.push(...saved.flatMap((name) => idsIn(join(folder, name))));
    } else {
      found.push(...(await keptResponses(again.baseUrl, token)));
      await again.stop();
      found.push(...clientsIn(file));
    }
    const all = new Set(found);
    // What is cut off is gone, whoever had acknowledged it; nothing that came later may have gone the same way.
    const promised = harm.startsWith('cut') && part !== '-shm' ? afterwards : [...acknowledged, ...clients];
    const missing = promised.filter((id) => !all.has(id));
    assert.deepEqual(missing, [], `${basename(dirname(file))} ${part} ${harm}: ${again}`);
    if (missing.length === 0) rmSync(folder, { recursive: true, force: true });
    return {
      acknowledged: acknowledged.length,
      afterwards: afterwards.length,
      isSaved: saved.length > 0,
      isServedAgain: typeof again !== 'string',
      says: typeof again === 'string' ? again : '',
    };
  }
}

function idsIn(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database.prepare('select response_id as id from response').all();
    return [...rows.map(({ id }) => String(id)), ...clientsIn(file)];
  } finally {
    database.close();
  }
}

function clientsIn(file: string): readonly string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    return database
      .prepare('select id from api_client')
      .all()
      .map(({ id }) => String(id));
  } finally {
    database.close();
  }
}
