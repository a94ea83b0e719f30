// What is built of the client: it stands alone, is small where pages load it, and a stranger's strict compiler accepts it.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../support/temporary-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, 'dist', 'client');
const ingestBytesMax = 3_000;

const settings = (options: object): string =>
  JSON.stringify({
    compilerOptions: {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      target: 'es2022',
      types: [],
      ...options,
    },
    include: ['.'],
  });

const calls = `
import { connect, SoundingsError, type Respondent, type User } from 'soundings/client';
import { send, type IngestionResult } from 'soundings/client/ingest';

const soundings = connect({ url: 'https://feedback.example', clientId: 'a', clientSecret: 'b', scope: 'r_cx_measures' });

export async function all(signal: AbortSignal): Promise<readonly unknown[]> {
  const rows: Respondent[] = await soundings.measure(1).data({ from: '2026-01-01', to: '2026-01-31' }, { signal }).all();
  const trend = await soundings.measure(1).trend({ from: '2026-01-01', to: '2026-01-31', unit: 'week' });
  for await (const change of soundings.project(2).changes({ follow: true }))
    if (change.type === 'response') console.log(change.item.rating, change.position);
    else if (change.type === 'erased') console.log(change.from, change.to);
  for await (const { position, rating } of soundings.project(2).export({ from: '2026-01-01', to: '2026-01-31' }))
    console.log(position + 1, rating);
  const user: User = await soundings.users.create({ userName: 'ana', active: true });
  const sent: IngestionResult = await send('https://feedback.example', { surveyDefinitionId: 's', responses: { Q: ['1'] } });
  return [rows[0]?.latentScores, trend.from, user.id, sent.responseId];
}

export const codeOf = (error: unknown): string => (error instanceof SoundingsError ? error.code : '');
`;

const wrongCalls = `
import { connect } from 'soundings/client';

const soundings = connect({ url: 'https://feedback.example' });
export const wrongKey = soundings.measure('web');
export const noRange = soundings.measure(1).data({ from: '2026-01-01' });
export const noSurvey = soundings.send({ responses: {} });
export const wrongUnit = soundings.measure(1).trend({ from: '2026-01-01', to: '2026-01-31', unit: 'decade' });
export const wrongFormat = soundings.measure(1).exportFile({ from: '', to: '', format: 'xml' });
`;

describe('the built client', () => {
  let folder: string;

  before(() => {
    folder = temporaryFolder('stranger');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'soundings'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('stands alone, and what pages load has at most 3 kB compressed', () => {
    for (const name of ['index.js', 'ingest.js'])
      assert.doesNotMatch(readFileSync(join(built, name), 'utf8'), /\bimport\b|\brequire\(|\bprocess\./);
    const bytes = gzipSync(readFileSync(join(built, 'ingest.js')), { level: 9 }).length;
    assert.ok(bytes <= ingestBytesMax, `${bytes} bytes`);
    const types = readdirSync(built).filter((name) => name.endsWith('.d.ts'));
    for (const name of types)
      assert.doesNotMatch(readFileSync(join(built, name), 'utf8'), /from '[^']*\.ts'/);
  });

  async function complaints(name: string, text: string, options: object): Promise<string> {
    const place = join(folder, name);
    mkdirSync(place);
    writeFileSync(join(place, 'tsconfig.json'), settings(options));
    writeFileSync(join(place, 'calls.ts'), text);
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    try {
      await promisify(execFile)(process.execPath, [compiler, '--project', place], { cwd: place });
      return '';
    } catch (error) {
      return String((error as { stdout?: string }).stdout);
    }
  }

  const browser = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] };
  const node = { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2022', 'dom'] };

  it("its types are accepted by a stranger's strict compiler, for bundlers and for Node", async () => {
    const told = await Promise.all([complaints('browser', calls, browser), complaints('node', calls, node)]);
    assert.deepEqual(told, ['', '']);
  });

  it('a call that the interface does not take does not compile', async () => {
    const text = await complaints('wrong', wrongCalls, browser);
    assert.deepEqual(
      [...text.matchAll(/calls\.ts\((\d+),/g)].map(([, line]) => Number(line)),
      [5, 6, 7, 8, 9],
    );
  });
});
