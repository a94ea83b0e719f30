// What somebody at a terminal sees of a start, and programs do not.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { programVersion } from '../../src/domain/version.ts';
import { postgres, sqlite, type TestStore } from '../support/engines.ts';
import { soundings } from '../support/service.ts';
import { atTerminal, describeAtTerminal, type TerminalSession } from '../support/terminal-session.ts';

const blockOf = (text: string): string[] => {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.startsWith(`Soundings ${programVersion}`));
  return lines.slice(from, lines.findIndex((line) => line.startsWith('Stop ')) + 1);
};

describeAtTerminal('a first start at a terminal', () => {
  let store: TestStore;
  let session: TerminalSession;
  const lineOf = (label: string): string =>
    blockOf(session.shown())
      .find((line) => line.startsWith(label))
      ?.slice(9) ?? '';

  before(async () => {
    store = await sqlite.newStore();
    session = atTerminal(['serve', '--demo', '--port', '0'], { DATABASE_URL: store.databaseUrl });
    await session.sees(/^Stop .*\n/m);
  });
  after(async () => {
    session?.type('\u0003');
    await session?.exited;
    await store?.dispose();
  });

  it('is six lines: what it is, console, survey, API, data, how to stop, with one spelling of the address [D-890]', () => {
    const lines = blockOf(session.shown());
    assert.deepEqual(
      lines.map((line) => line.split(/ +/)[0]),
      ['Soundings', 'Console', 'Survey', 'API', 'Data', 'Stop'],
    );
    assert.match(lineOf('Console'), /^http:\/\/localhost:\d+\/console#0\.[\w-]{43}@4001$/);
    assert.equal(lineOf('Data'), store.databaseUrl.slice('sqlite:'.length));
    assert.equal(lineOf('Stop'), 'Ctrl-C');
    assert.doesNotMatch(session.shown(), /127\.0\.0\.1/);
    assert.equal(new Set(session.shown().match(/http:\/\/[^/\s]+/g)).size, 1);
  });

  it('shows the secret of the demo’s API client once, above the six lines [D-15]', () => {
    assert.match(session.shown(), /client id {6}sc_\S+\n {2}client secret {2}sdgs_\S+\n\nSoundings /);
  });

  it('is no wall: nothing but the console’s link and the curl is wider than the terminal, and there is no JSON', () => {
    const lines = session
      .shown()
      .replaceAll('\x1b[K', '')
      .split(/[\n\r]/)
      .filter((line) => !/^(Console|API) /.test(line));
    for (const line of lines) assert.ok(line.length <= 80, line);
    assert.doesNotMatch(session.shown(), /^\{/m);
    assert.match(session.shown(), /Bringing the schema of the store up to date: \d+ steps/);
  });

  it('has one curl that is pasted into a shell and sends an answer, and a survey that opens', async () => {
    const { stdout } = await promisify(execFile)('sh', ['-c', lineOf('API')]);
    assert.equal(JSON.parse(stdout).responseType, 'SUCCESS', stdout);
    assert.equal((await fetch(lineOf('Survey'))).status, 200);
  });

  it('writes the log as lines with time, level, what and the id of the request [D-890]', async () => {
    const answer = await fetch(new URL('/v1/measures', lineOf('Survey')));
    const requestId = answer.headers.get('x-request-id') ?? '';
    const shown = await session.sees(new RegExp(`\\[${requestId}\\]`));
    assert.match(
      shown,
      new RegExp(
        `^\\d\\d:\\d\\d:\\d\\d info  answered method=GET route=/v1/measures status=401 .*\\[${requestId}\\]$`,
        'm',
      ),
    );
  });

  it('stops by Ctrl-C; the next start has six lines again and shows no secret', async () => {
    session.type('\u0003');
    assert.equal(await session.exited, 0);
    session = atTerminal(['serve', '--demo', '--port', '0'], {
      DATABASE_URL: store.databaseUrl,
      SOUNDINGS_LOG_FORMAT: 'json',
    });
    await session.sees(/^Stop .*\n/m);
    assert.equal(blockOf(session.shown()).length, 6);
    assert.doesNotMatch(session.shown(), /sdgs_/);
    await fetch(new URL('/v1/measures', lineOf('Survey')));
    await session.sees(/^\{"level":30,.*"msg":"answered"\}$/m);
  });
});

describeAtTerminal('a start at a terminal without the demo', () => {
  for (const engine of [sqlite, postgres])
    it(`names no survey, and where the data is on ${engine.name} without a password`, async () => {
      const store = await engine.readyStore();
      const session = atTerminal(['serve', '--port', '0'], { DATABASE_URL: store.databaseUrl });
      try {
        const lines = blockOf(await session.sees(/^Stop .*\n/m));
        assert.deepEqual(
          lines.map((line) => line.split(/ +/)[0]),
          ['Soundings', 'Console', 'API', 'Data', 'Stop'],
        );
        const api = lines.find((line) => line.startsWith('API'))?.slice(9) ?? '';
        await promisify(execFile)('sh', ['-c', `${api} --fail`]);
        const data = lines.find((line) => line.startsWith('Data'))?.slice(9) ?? '';
        const url = new URL(store.databaseUrl);
        if (engine.name === 'sqlite') assert.equal(data, store.databaseUrl.slice('sqlite:'.length));
        else assert.equal(data, `PostgreSQL, database ${url.pathname.slice(1)} on ${url.host}`);
      } finally {
        session.type('\u0003');
        await session.exited;
        await store.dispose();
      }
    });
});

it('where no terminal is, the steps of the schema are named one by one, and the format of the log is one of three [D-890]', async () => {
  const store = await sqlite.newStore();
  try {
    const env = { DATABASE_URL: store.databaseUrl };
    const { stderr } = await soundings(['account', 'list'], env);
    assert.match(stderr, /^Bringing the schema of the store up to date: 1 accounts, .*, 2 sources, /);
    const { code, stderr: refused } = await soundings(['config'], { ...env, SOUNDINGS_LOG_FORMAT: 'loud' });
    assert.equal(code, 1);
    assert.match(refused, /SOUNDINGS_LOG_FORMAT/);
  } finally {
    await store.dispose();
  }
});
