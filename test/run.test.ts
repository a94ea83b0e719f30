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
    const folder = join(place, text.includes('ALONE') ? 'alone' : 'ordinary');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `some-${at}.test.ts`);
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
import { engines } from 'SUPPORT/engines.ts';
import { addRoute, startMounted } from 'SUPPORT/mounted.ts';
import { startService } from 'SUPPORT/service.ts';
const store = await engines[0].newStore();
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
      const { baseUrl } = await startService({ DATABASE_URL: store.databaseUrl });
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

/** Notes that it ran, and fails as often as is said; a test beside it and one in a suite pass. */
const failing = (name: string, times: number): string => `
import { appendFileSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
appendFileSync('PLACE/${name}', '.');
const runs = readFileSync('PLACE/${name}', 'utf8').length;
it('stands', () => {});
describe('${name}', () => {
  it('falls', () => { if (runs <= ${times}) throw new Error('no, for the time ' + runs); });
  it('stands as well', () => {});
});`;
const steady = `import { it } from 'node:test'; it('stands', () => {});`;
const endOf = (output: string): string => output.slice(output.indexOf('Files that failed'));

it('a file that failed beside others is run once more, alone, and the end names what was unsteady [D-404]', async () => {
  const alone = `// ALONE ${failing('pressed', 1)}`;
  const { code, output, left } = await runFile(failing('shaky', 1), steady, alone);
  assert.equal(code, 0, output);
  assert.match(output, /no, for the time 1/);
  assert.match(
    endOf(output),
    /^unsteady: failed beside others, passed alone: .*some-0\.test\.ts: shaky: falls$/m,
  );
  assert.match(
    endOf(output),
    /^unsteady: failed once, passed the second time: .*some-2\.test\.ts: pressed: falls$/m,
  );
  assert.equal(output.trimEnd().split('\n').at(-1), '7 passed, 0 failed, 0 skipped');
  assert.deepEqual(left, []);
});

it('a file that fails both times fails the run, and its tests count once [D-404]', async () => {
  const { code, output } = await runFile(failing('broken', 9), steady, failing('shaky', 1));
  assert.equal(code, 1, output);
  assert.match(output, /no, for the time 1[\s\S]*no, for the time 2/);
  assert.match(endOf(output), /^failed both times: .*some-0\.test\.ts: broken: falls$/m);
  assert.match(endOf(output), /^unsteady: .*some-2\.test\.ts: shaky: falls$/m);
  assert.equal(output.trimEnd().split('\n').at(-1), '6 passed, 1 failed, 0 skipped');
});

it('when more than six files fail none is run again, nor is one that was run alone [D-404]', async () => {
  const many = await runFile(...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => failing(name, 1)));
  assert.equal(many.code, 1, many.output);
  assert.match(many.output, /^7 files failed, and none was run again/m);
  assert.equal(many.output.trimEnd().split('\n').at(-1), '14 passed, 7 failed, 0 skipped');
  const one = await runFile(failing('one', 1));
  assert.equal(one.code, 1, one.output);
  assert.equal(one.output.trimEnd().split('\n').at(-1), '2 passed, 1 failed, 0 skipped');
});

it('a run of many files packs the program once and starts services from that, a run of few starts it as it stands [D-405]', async () => {
  const showing = `${service}
    it('stands', async () => {
      const started = await startService({ DATABASE_URL: store.databaseUrl });
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
