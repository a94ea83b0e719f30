// A terminal, which script(1) makes: what a start says there and nowhere else.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { consoleCall } from '../support/console.ts';
import { engines, sqlite } from '../support/engines.ts';
import { setUp, until } from '../support/service.ts';
import { startTool } from '../support/tools.ts';

const program = fileURLToPath(new URL('../../bin/soundings.js', import.meta.url));

for (const engine of engines) {
  it(`a start at a terminal prints a link that signs an operator in, on ${engine.name} [D-323]`, async () => {
    const store = await engine.newStore();
    const command = `DATABASE_URL='${store.databaseUrl}' '${process.execPath}' '${program}' serve --port 0`;
    // Where standard input is no terminal, script gives its child one that is.
    const terminal = startTool('script', ['-qec', command, '/dev/null']);
    try {
      const said = await until(
        async () => terminal.output().replaceAll('\r', ''),
        (text) => /^Console .*\n/m.test(text),
        60_000,
      );
      const [, baseUrl = '', code = ''] =
        /^Console +http:\/\/localhost(:\d+)\/console#(0\.[\w-]{43})$/m.exec(said) ?? [];
      const { status, body } = await consoleCall(`http://127.0.0.1${baseUrl}`, 'POST', '/sign-in/link', {
        body: { code },
      });
      assert.deepEqual([status, body.person], [200, { kind: 'operator', id: '1', name: 'operator' }], said);
    } finally {
      await terminal.stop();
      await store.dispose();
    }
  });
}

it('a secret is asked for at a terminal and not shown; Ctrl+D and Ctrl+C give it up, and a removal too [D-681]', async () => {
  const store = await sqlite.newStore();
  const at = async (args: string, question: RegExp, typed: string, end: RegExp): Promise<string> => {
    const command = `DATABASE_URL='${store.databaseUrl}' '${process.execPath}' '${program}' ${args}; echo "status $?"`;
    const terminal = startTool('script', ['-qec', command, '/dev/null']);
    try {
      await until(
        async () => terminal.output(),
        (text) => question.test(text),
        60_000,
      );
      terminal.type(typed);
      return await until(
        async () => terminal.output(),
        (text) => end.test(text),
        60_000,
      );
    } finally {
      await terminal.stop();
    }
  };
  try {
    await setUp(['demo'], { DATABASE_URL: store.databaseUrl });
    const token = 'token --client sc_nobody';
    const said = await at(token, /Secret of sc_nobody: /, 'a-secret-word\r', /status \d/);
    assert.match(said, /credentials are not valid[\s\S]*status 1/);
    assert.doesNotMatch(said, /a-secret-word/);
    for (const key of ['\x03', '\x04']) {
      assert.match(
        await at(token, /Secret of sc_nobody: /, key, /status \d/),
        /No secret was given\.[\s\S]*status 1/,
      );
      const kept = await at('account remove 4001', /Type 4001 to go on: /, key, /status \d/);
      assert.match(kept, /Nothing was changed\.[\s\S]*status 1/);
    }
    const removed = await at('account remove 4001', /Type 4001 to go on: /, '4001\r', /status \d/);
    assert.match(removed, /Account 4001 is removed[\s\S]*status 0/);
  } finally {
    await store.dispose();
  }
});
