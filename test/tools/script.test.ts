// A terminal, which script(1) makes: what a start says there and nowhere else.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { consoleCall } from '../support/console.ts';
import { engines } from '../support/engines.ts';
import { until } from '../support/service.ts';
import { startTool } from '../support/tools.ts';

const program = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

for (const engine of engines) {
  it(`a start at a terminal prints a link that signs an operator in, on ${engine.name} [D-323]`, async () => {
    const store = await engine.newStore();
    const command = `DATABASE_URL='${store.databaseUrl}' '${process.execPath}' '${program}' serve --port 0`;
    // Where standard input is no terminal, script gives its child one that is.
    const terminal = startTool('script', ['-qec', command, '/dev/null']);
    try {
      const said = await until(
        async () => terminal.output().replaceAll('\r', ''),
        (text) => /^Console: .*\n/m.test(text),
        60_000,
      );
      const [, baseUrl = '', code = ''] =
        /^Console: http:\/\/localhost(:\d+)\/console#(0\.[\w-]{43})$/m.exec(said) ?? [];
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
