// What docs/client.md and the README show of the client, as a reader puts it together: checked by a strict compiler and run against the
// service of the demo. The README's calls by curl are sent as they stand, too.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect } from '../../client/index.ts';
import { sqlite, type TestStore } from '../support/engines.ts';
import { findTool } from '../support/find-tool.ts';
import { type ApiClientCredentials, type ServiceProcess, startProcess } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);
const outputMax = 16 * 1024 * 1024;
const range = { from: '2025-01-01', to: '2035-12-31' };
const measure = 8840868;
const project = 3223;

/** What the examples leave to their reader: where rows and bytes go. */
const ofTheReader = `
const kept = { rows: 0, bytes: 0 };
async function keep(rows: readonly unknown[]): Promise<void> {
  kept.rows += rows.length;
}
async function write(bytes: Uint8Array): Promise<void> {
  kept.bytes += bytes.length;
}
`;

const blocksOf = (page: string, language: string): readonly string[] =>
  [...page.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .filter(([, found]) => found === language)
    .map(([, , text]) => text!);

/** The blocks of a page one behind the other; what one names is its own, but for the client that the first makes. */
function programOf(blocks: readonly string[]): string {
  const isImport = (line: string): boolean => line.startsWith('import ');
  const lines = blocks.map((block) => block.split('\n'));
  const bodies = lines.map((block) => block.filter((line) => !isImport(line)).join('\n'));
  const [first = '', ...others] = bodies;
  return [
    ...lines.flat().filter(isImport),
    ofTheReader,
    first,
    ...others.map((body) => `{\n${body}}`),
    'console.log(JSON.stringify(kept));\n',
  ].join('\n');
}

describe('the examples of the client', () => {
  let folder: string;
  let store: TestStore;
  let service: ServiceProcess;
  let client: ApiClientCredentials;

  before(async () => {
    folder = temporaryFolder('reader');
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(root, join(folder, 'node_modules', 'soundings'));
    symlinkSync(join(root, 'node_modules', '@types'), join(folder, 'node_modules', '@types'));
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    store = await sqlite.readyStore();
    service = await startProcess({ DATABASE_URL: store.databaseUrl }, ['--demo']);
    client = service.announcement.demoClient as ApiClientCredentials;
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  const here = (text: string): string =>
    text
      .replaceAll('https://feedback.example', service.baseUrl)
      .replaceAll('http://localhost:8080', service.baseUrl)
      .replaceAll(/\bCLIENT_ID\b/g, client.clientId)
      .replaceAll(/\bCLIENT_SECRET\b/g, client.clientSecret);

  async function runProgram(name: string, text: string): Promise<readonly string[]> {
    const file = join(folder, name);
    writeFileSync(file, text);
    const env = {
      ...process.env,
      SOUNDINGS_CLIENT_ID: client.clientId,
      SOUNDINGS_CLIENT_SECRET: client.clientSecret,
    };
    const { stdout } = await run(process.execPath, [file], { cwd: folder, env, maxBuffer: outputMax });
    return stdout.trimEnd().split('\n');
  }

  async function rowsOf(): Promise<{ ofMeasure: number; ofProject: number }> {
    const soundings = connect({ url: service.baseUrl, ...client });
    const [ofMeasure, ofProject] = await Promise.all([
      soundings.measure(measure).data(range).all(),
      soundings.project(project).data(range).all(),
    ]);
    return { ofMeasure: ofMeasure.length, ofProject: ofProject.length };
  }

  it('docs/client.md: its blocks are accepted by a strict compiler, run, and do what they say', async () => {
    const blocks = blocksOf(readFileSync(join(root, 'docs', 'client.md'), 'utf8'), 'ts');
    assert.ok(blocks.length >= 7, `${blocks.length} blocks`);
    const earlier = await rowsOf();
    const lines = await runProgram('client.ts', here(programOf(blocks)));
    const compilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      target: 'es2022',
      module: 'nodenext',
      lib: ['es2022', 'dom', 'dom.asynciterable'],
      types: ['node'],
      skipLibCheck: true,
    };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['client.ts'] }));
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const { stdout } = await run(process.execPath, [compiler, '--project', folder], { cwd: folder }).catch(
      (error: unknown) => error as { stdout: string },
    );
    assert.equal(stdout, '');

    const rows = await rowsOf();
    // One was sent with the token, one as a page does.
    assert.equal(rows.ofProject, earlier.ofProject + 2);
    const kept = JSON.parse(lines.at(-1)!) as { rows: number; bytes: number };
    // Once by pages, and at least once more by the feed, which has every change.
    assert.ok(kept.rows >= 2 * rows.ofMeasure, `${kept.rows} of ${rows.ofMeasure}`);
    assert.ok(kept.bytes > 10 * rows.ofMeasure, `${kept.bytes} bytes`);
    assert.ok(lines.includes('cleo@acme.example'));
    assert.ok(lines.some((line) => /^404 [A-Z_]+ \S/.test(line)));
    // The user is gone again.
    const soundings = connect({ url: service.baseUrl, ...client });
    const filter = 'userName eq "cleo@acme.example"';
    assert.deepEqual(await soundings.users.list({ filter }).all(), []);
  });

  it('the README: its program sends a response and reads a measure', async () => {
    const blocks = blocksOf(readFileSync(join(root, 'README.md'), 'utf8'), 'js');
    assert.equal(blocks.length, 1);
    const earlier = await rowsOf();
    const lines = await runProgram('readme.js', here(blocks[0]!));
    assert.equal((await rowsOf()).ofProject, earlier.ofProject + 1);
    assert.ok(lines.length > 10);
  });

  it('the README: its calls by curl get a token, send a response, read it back and make a user', async (test) => {
    if (findTool('curl') === null || findTool('sh') === null)
      return test.diagnostic('not tried: there is no curl');
    const [calls = ''] = blocksOf(readFileSync(join(root, 'README.md'), 'utf8'), 'sh').filter((block) =>
      block.includes('curl'),
    );
    const { stdout } = await run('sh', ['-eu', '-c', here(calls)], { cwd: folder, maxBuffer: outputMax });
    assert.match(stdout, /"responseId":/);
    assert.match(stdout, /My first response/);
    assert.match(stdout, /"externalId":"hr-1815"/);
  });
});
