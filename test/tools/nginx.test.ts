// Behind nginx, with the lines of docs/scaling.md.

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { assertRollingRestart } from '../support/proxied-replicas.ts';
import { temporaryFolder } from '../support/temporary-file.ts';
import { documentedLines, startTool } from '../support/tools.ts';

it('each of two replicas behind nginx is restarted under load: no request fails, none is lost or doubled', async () => {
  const folder = temporaryFolder('nginx');
  try {
    await assertRollingRestart(async (port, [one, two]) => {
      const lines = documentedLines('nginx', {
        'listen 8080': `listen 127.0.0.1:${port}`,
        '10.0.0.11:8080': `127.0.0.1:${one}`,
        '10.0.0.12:8080': `127.0.0.1:${two}`,
      });
      const file = join(folder, 'nginx.conf');
      mkdirSync(join(folder, 'temp'));
      const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
        .map((name) => `${name}_temp_path ${join(folder, 'temp')};`)
        .join('\n');
      writeFileSync(
        file,
        `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${join(folder, 'pid')}; error_log stderr warn;
        events {} http { access_log off; ${temp} ${lines} }`,
      );
      return startTool('nginx', ['-p', folder, '-c', file]);
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
