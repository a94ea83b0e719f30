// docs/first-steps.md, typed at a terminal of 80 columns: what it shows is what is seen.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, before, it } from 'node:test';
import { promisify } from 'node:util';
import { sqlite, type TestStore } from '../support/engines.ts';
import { until } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { atTerminal, describeAtTerminal, type TerminalSession } from '../support/terminal-session.ts';

const page = readFileSync(new URL('../../docs/first-steps.md', import.meta.url), 'utf8');

interface Step {
  readonly command: string;
  readonly shows: string;
}

const steps: readonly Step[] = [...page.matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap(([, block = '']) =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map((text) => {
      const [command = '', ...shows] = text.trimEnd().split('\n');
      return { command, shows: shows.join('\n') };
    }),
);

/** The text of the page as a pattern: what differs each time is anything without a blank. */
function patternOf(shows: string, port: string): RegExp {
  const text = shows.replaceAll('localhost:8080', `localhost:${port}`);
  return new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('…', '\\S+')}`);
}

describeAtTerminal('the first five minutes of docs/first-steps.md', () => {
  let store: TestStore;
  let service: TerminalSession;
  let port = '';
  const env = (): Record<string, string> => ({ DATABASE_URL: store.databaseUrl });

  before(async () => {
    store = await sqlite.newStore();
    service = atTerminal(['serve', '--demo', '--port', '0'], env());
    port = /localhost:(\d+)/.exec(await service.sees(/^Stop .*\n/m))?.[1] ?? '';
    await until(
      () => storeRows(store.databaseUrl, 'select facts from heartbeat'),
      (rows) => rows.some(({ facts }) => /"addresses":\{"api"/.test(String(facts))),
    );
  });
  after(async () => {
    service?.type('\u0003');
    await service?.exited;
    await store?.dispose();
  });

  it('begins with six lines', () => {
    const [start] = steps;
    assert.equal(start?.command, 'npm start');
    // What was drawn over while the responses were loaded, and where the data is, belongs to the machine.
    const seen = service
      .shown()
      .replace(/\r\x1b\[K[^\n]*\r\x1b\[K/g, '')
      .replace(store.databaseUrl.slice('sqlite:'.length), '/home/ada/soundings/data/soundings.db');
    assert.match(seen, patternOf(start.shows, port));
    assert.equal(start.shows.split('\n\n')[1]?.split('\n').length, 6);
  });

  for (const { command, shows } of steps.slice(1))
    it(`$ ${command.slice(0, 70)}`, async () => {
      if (command.startsWith('curl ')) {
        const { stdout } = await promisify(execFile)('sh', [
          '-c',
          command.replace('localhost:8080', `localhost:${port}`),
        ]);
        assert.match(stdout, patternOf(shows, port));
        return;
      }
      const words = command.replace('npx soundings ', '').split(' ');
      const session = atTerminal(words, env());
      const question = / to go on: (\w+)$/m.exec(shows);
      if (question !== null) {
        await session.sees(/ to go on: $/);
        session.type(`${question[1]}\r`);
      }
      assert.equal(await session.exited, 0, session.shown());
      // What is typed is shown by the program itself.
      assert.match(
        session
          .shown()
          .replaceAll('\r', '')
          .replace(/\x1b\[\d*[A-Z]/g, ''),
        patternOf(shows, port),
      );
    });

  it('has no line that is wider than the terminal, but for what is clicked or pasted', () => {
    for (const { shows } of steps)
      for (const line of shows.split('\n'))
        assert.ok(
          line.length <= 80 ||
            /^(API|Console|http|\{)/.test(line) ||
            / Type yes to go on|signs in once/.test(line),
          line,
        );
  });
});
