// Behind HAProxy, with the lines of docs/scaling.md.

import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { assertRollingRestart } from '../support/proxied-replicas.ts';
import { temporaryFolder } from '../support/temporary-file.ts';
import { documentedLines, startTool } from '../support/tools.ts';

it('each of two replicas behind HAProxy is restarted under load: no request fails, none is lost or doubled', async () => {
  const folder = temporaryFolder('haproxy');
  try {
    await assertRollingRestart(async (port, [one, two]) => {
      const file = join(folder, 'haproxy.cfg');
      writeFileSync(
        file,
        documentedLines('haproxy', {
          'bind :8080': `bind 127.0.0.1:${port}`,
          '10.0.0.11:8080': `127.0.0.1:${one}`,
          '10.0.0.12:8080': `127.0.0.1:${two}`,
        }),
      );
      return startTool('haproxy', ['-db', '-f', file]);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
