// What `npm test` promises to whoever runs it: what is broken fails it, and nothing is left behind, however it ends.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { postgresUrl } from './support/engines.ts';
import { runFolderParent } from './support/run-folder.ts';
import { endingWithUs, environment, until } from './support/service.ts';
import { temporaryFolder } from './support/temporary-file.ts';

const support = fileURLToPath(new URL('support/', import.meta.url));
const runner = fileURLToPath(new URL('run.ts', import.meta.url));

interface Run {
  readonly code: number | null;
  readonly output: string;
  /** What is in the system's temporary folder after the run. */
  readonly left: readonly string[];
}

/**
 * Runs test files of these texts in a temporary folder of their own, in which `PLACE/` names a folder that outlives a file;
 * SIGINT comes once a file has said READY.
 */
async function runFile(...texts: readonly string[]): Promise<Run> {
  const place = temporaryFolder('runner');
  const system = join(place, 'system');
  mkdirSync(system);
  const files = texts.map((text, at) => {
    const file = join(place, `some-${at}.test.ts`);
    writeFileSync(file, text.replaceAll('SUPPORT/', support).replaceAll('PLACE/', `${place}/`));
    return file;
  });
  const child = endingWithUs(
    spawn(process.execPath, [runner, ...files], {
      env: withoutPacked(environment({ TMPDIR: system, DATABASE_URL_TEST: postgresUrl() })),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      output += piece;
      // Twice, as behind npm, which hands on what the terminal has said to everybody.
      if (piece.includes('READY') || piece.includes('Stopped by')) child.kill('SIGINT');
    });
  }
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, output, left: readdirSync(system) };
}

/** The run that this test belongs to may have packed the program: the runs in here decide by themselves. */
function withoutPacked({ TEST_PROGRAM: _packed, ...env }: Record<string, string>): Record<string, string> {
  return env;
}

const service = `
import { it } from 'node:test';
import { sqlite } from 'SUPPORT/engines.ts';
import { addRoute, startMounted } from 'SUPPORT/mounted.ts';
import { startProcess } from 'SUPPORT/service.ts';
const store = await sqlite.newStore();
`;

it('a run of tests that pass ends with 0 and leaves no file behind', async () => {
  const { code, output, left } = await runFile(`${service} it('stands', () => store.dispose());`);
  assert.equal(code, 0, output);
  assert.deepEqual(left, []);
});

it('a run has its files in memory where there is room, and where TMPDIR says if it does [D-786]', () => {
  const kindOfMemory = 0x01021994;
  const place = runFolderParent({});
  assert.ok(place === tmpdir() || statfsSync(place).type === kindOfMemory, place);
  assert.equal(runFolderParent({ TMPDIR: '/somewhere' }), tmpdir());
});

it('a run of tests that fail ends with 1 and leaves no file behind', async () => {
  const { code, output, left } = await runFile(`${service} it('falls', () => { throw new Error('no'); });`);
  assert.equal(code, 1, output);
  assert.match(output, /0 passed, 1 failed/);
  assert.deepEqual(left, []);
});

it('a run that is broken off by Ctrl-C ends its services and leaves no file behind', async () => {
  const { code, output, left } = await runFile(`${service}
    it('never ends', async () => {
      const { baseUrl } = await startProcess({ DATABASE_URL: store.databaseUrl });
      console.log('READY', baseUrl);
      await new Promise(() => setInterval(() => {}, 1000));
    });`);
  assert.equal(code, 1, output);
  assert.deepEqual(left, []);
  const baseUrl = output.match(/READY (\S+)/)?.[1] ?? '';
  const isServing = () =>
    fetch(`${baseUrl}/livez`).then(
      () => true,
      () => false,
    );
  assert.equal(await until(isServing, (serves) => !serves), false);
});

it('a run in which a test leaves a file behind says so and fails', async () => {
  const { code, output, left } = await runFile(`
    import { mkdtempSync } from 'node:fs';
    import { tmpdir } from 'node:os';
    import { it } from 'node:test';
    it('stands', () => mkdtempSync(tmpdir() + '/forgotten-'));`);
  assert.equal(code, 1, output);
  assert.match(output, /left behind: .*forgotten-/);
  assert.deepEqual(left, []);
});

it('a test in which the service logs an error that nobody asked for fails and shows the line', async () => {
  const failing = (ask: string): string => `${service}
    it('stands', async () => {
      const broken = { path: '/broken', method: 'GET', area: 'service', access: 'anyone' };
      const handle = () => { throw new Error('a fault of ours'); };
      const mount = (app) => addRoute(app, { ...broken, handle });
      const mounted = await startMounted({ databaseUrl: store.databaseUrl, mount });
      ${ask}
      await fetch(mounted.baseUrl + '/broken');
      await mounted.stop();
    });`;
  const unasked = await runFile(failing(''));
  assert.equal(unasked.code, 1, unasked.output);
  assert.match(unasked.output, /errors that no test asked for:[\s\S]*a fault of ours/);
  const asked = await runFile(failing(`mounted.expectErrors('INTERNAL_ERROR');`));
  assert.equal(asked.code, 0, asked.output);
});

it('an error that nobody catches fails its file, is told, and stops no other file', async () => {
  const uncaught = (what: string): string => `
    import { it } from 'node:test';
    it('stands', async () => { ${what}; await new Promise((resume) => setTimeout(resume, 60_000)); });`;
  const { code, output } = await runFile(
    uncaught(`setTimeout(() => { throw new Error('thrown late'); })`),
    uncaught(`void Promise.reject(new Error('rejected late'))`),
    steady,
  );
  assert.equal(code, 1, output);
  assert.match(output, /thrown late/);
  assert.match(output, /rejected late/);
  assert.match(output, /1 passed, 2 failed, 0 skipped\s*$/);
});

const steady = `import { it } from 'node:test'; it('stands', () => {});`;

it('a file that failed is not run again, counts once, and the end says why and how to run it alone [D-404]', async () => {
  // What passes the second time is a fault all the same.
  const shaky = `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { describe, it } from 'node:test';
    appendFileSync('PLACE/runs', '.');
    it('stands', () => {});
    describe('shaky', () => {
      it('falls', () => { if (readFileSync('PLACE/runs', 'utf8') === '.') throw new Error('no'); });
      it('stands as well', () => {});
    });`;
  const { code, output } = await runFile(shaky, steady);
  assert.equal(code, 1, output);
  const end = output.slice(output.lastIndexOf('\nFailed:'));
  assert.match(end, /^✖ .*some-0\.test\.ts: shaky: falls\n {4}no\n {2}npm test -- .*some-0\.test\.ts$/m);
  assert.equal(output.trimEnd().split('\n').at(-1), '3 passed, 1 failed, 0 skipped');
});

it('files share a process, and what one of them leaves open fails it and harms no other [D-881]', async () => {
  const noting = (more: string): string => `
    import { it } from 'node:test';
    it('stands', () => { console.log('PROCESS', process.pid); ${more} });`;
  const shared = await runFile(...Array<string>(6).fill(noting('')));
  assert.equal(shared.code, 0, shared.output);
  const pids = new Set([...shared.output.matchAll(/PROCESS (\d+)/g)].map(([, pid]) => pid));
  assert.ok(pids.size < 6, shared.output);
  const open = `const server = (await import('node:net')).createServer(); server.listen(0);`;
  const leaving = await runFile(
    noting('').replace("'stands', () =>", "'stands', async () =>").replace('});', `${open} });`),
    noting(''),
  );
  assert.equal(leaving.code, 1, leaving.output);
  assert.match(leaving.output, /keeps the process alive with TCPServerWrap/);
  assert.equal(leaving.output.trimEnd().split('\n').at(-1), '2 passed, 1 failed, 0 skipped');
});

it('what fails after the last test of a suite or a file fails the run', async () => {
  const failingAfter = (where: string): string => `
    import { after, describe, it } from 'node:test';
    ${where === 'file' ? `after(() => { throw new Error('late'); });` : ''}
    describe('some', () => {
      ${where === 'suite' ? `after(() => { throw new Error('late'); });` : ''}
      it('stands', () => {});
    });`;
  for (const where of ['file', 'suite']) {
    const { code, output } = await runFile(failingAfter(where));
    assert.equal(code, 1, output);
    assert.match(output, /late/);
    assert.equal(output.trimEnd().split('\n').at(-1), '1 passed, 1 failed, 0 skipped');
  }
});

it('a file that cannot be read, and one that ends its process, fail and say so', async () => {
  const { code, output } = await runFile(`throw new Error('unreadable');`, `process.exit(0);`, steady);
  assert.equal(code, 1, output);
  assert.match(output, /✖ the file is read[\s\S]*unreadable/);
  assert.match(output, /some-1\.test\.ts: the file ends/);
  assert.equal(output.trimEnd().split('\n').at(-1), '1 passed, 2 failed, 0 skipped');
});

it('a run of many files packs the program once and starts services from that, a run of few starts it as it stands [D-405]', async () => {
  const showing = `${service}
    it('stands', async () => {
      const started = await startProcess({ DATABASE_URL: store.databaseUrl });
      const { status } = await fetch(started.baseUrl + '/openapi.json');
      console.log('SERVED', status, process.env.TEST_PROGRAM ?? 'as it stands');
      await started.stop();
      await store.dispose();
    });`;
  const many = await runFile(showing, ...Array<string>(9).fill(steady));
  assert.equal(many.code, 0, many.output);
  assert.match(many.output, /SERVED 200 .*program.main\.mjs/);
  assert.deepEqual(many.left, []);
  const few = await runFile(showing);
  assert.equal(few.code, 0, few.output);
  assert.match(few.output, /SERVED 200 as it stands/);
});
