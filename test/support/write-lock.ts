// Another process that holds the write lock of an embedded store, as a backup tool or a stuck command would.

import { spawn } from 'node:child_process';

export interface HeldLock {
  release(): Promise<void>;
}

const holder = `
  const { DatabaseSync } = require('node:sqlite');
  const db = new DatabaseSync(process.argv[1], { timeout: 5000 });
  db.exec('begin immediate');
  process.stdout.write('held');
  process.stdin.on('end', () => process.exit(0)).resume();
`;

export async function holdWriteLock(databaseUrl: string): Promise<HeldLock> {
  const child = spawn(process.execPath, ['-e', holder, databaseUrl.slice('sqlite:'.length)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('exit', (code) => reject(new Error(`The holder of the lock ended with ${code}.`)));
  });
  return {
    async release() {
      child.stdin.end();
      await exited;
    },
  };
}
