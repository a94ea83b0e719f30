// Loaded in front of each test file by the runner: threads that the program starts within a process of tests are those of the
// packed program, where there is one (D-405). A thread finds and loads some hundred modules of its own, a quarter of a second for
// each command within the process that changes an embedded store, and there are thousands of them.

import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import threads from 'node:worker_threads';

const packed = process.env.TEST_PROGRAM;

if (packed !== undefined && threads.isMainThread) {
  const { Worker } = threads;
  threads.Worker = class extends Worker {
    constructor(program, options) {
      super(options?.eval === true ? withPacked(program) : program, options);
    }
  };
  syncBuiltinESMExports();
}

/** The program of a thread imports a file of src by its address. */
function withPacked(program) {
  return program.replace(/"file:[^"]*\/src\/[^"]*\/([a-z-]+)\.ts"/, (address, name) => {
    const file = join(dirname(packed), `${name}.mjs`);
    return existsSync(file) ? JSON.stringify(pathToFileURL(file).href) : address;
  });
}
