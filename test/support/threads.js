// Loaded in front of a worker (run.ts): threads that the program starts within a process of tests are those of the packed program,
// where there is one (D-405), and the writer of an embedded store runs on a thread that has written another before. A thread of its
// own is 60 ms of processor time for each service and each command that changes a store, and there are thousands of them.

import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import threads from 'node:worker_threads';

const { MessageChannel, Worker } = threads;
const packed = process.env.TEST_PROGRAM;
/** Threads whose writer has closed its store. */
const idle = [];

if (packed !== undefined && threads.isMainThread) {
  threads.Worker = function startThread(program, options) {
    const address = options?.eval === true ? packedAddress(program) : null;
    if (address === null) return new Worker(program, options);
    return address.endsWith('/sqlite-writer.mjs')
      ? new Writer(address, options)
      : new Worker(threadOf(`import(${JSON.stringify(address)});`), options);
  };
  syncBuiltinESMExports();
}

/** The program of a thread imports a file of src by its address. */
function packedAddress(program) {
  const name = /"file:[^"]*\/src\/[^"]*\/([a-z-]+)\.ts"/.exec(program)?.[1];
  const file = join(dirname(packed), `${name}.mjs`);
  return existsSync(file) ? pathToFileURL(file).href : null;
}

function threadOf(program) {
  return `require('node:module').enableCompileCache(); ${program}`;
}

/** The module of a writer has its store for itself: it is read anew for each, with a port of its own. */
const writerThread = threadOf(`
  const threads = require('node:worker_threads');
  const thread = threads.parentPort;
  thread.on('message', ({ address, workerData, port }) => {
    Object.assign(threads, { workerData, parentPort: port });
    require('node:module').syncBuiltinESMExports();
    port.once('close', () => thread.postMessage('idle'));
    import(address);
  });`);

/** A thread that writers share, one after the other. */
class WriterThread {
  #writer = null;
  #thread;

  constructor(options) {
    this.#thread = new Worker(writerThread, options)
      .on('message', () => {
        idle.push(this);
        this.#writer.end();
      })
      .on('error', (error) => this.#writer.emit('error', error))
      .on('exit', () => this.#writer.end());
  }

  begin(writer, job) {
    this.#writer = writer;
    this.#thread.postMessage(job, [job.port]);
  }

  ref() {
    this.#thread.ref();
  }

  unref() {
    this.#thread.unref();
  }
}

let writers = 0;

/** What the program knows of a thread: what is posted, and how it ends. */
class Writer extends EventEmitter {
  #thread;
  #port;
  #ends = 0;

  constructor(address, { workerData, ...options }) {
    super();
    writers += 1;
    this.#thread = idle.pop() ?? new WriterThread(options);
    const { port1, port2 } = new MessageChannel();
    this.#port = port1
      .on('message', (message) => this.emit('message', message))
      .on('close', () => this.end());
    this.#thread.begin(this, { address: `${address}?${writers}`, workerData, port: port2 });
  }

  /** Called by the thread, and by the port when everything that was posted has come. */
  end() {
    this.#ends += 1;
    if (this.#ends !== 2) return;
    this.#thread.unref();
    this.emit('exit');
  }

  postMessage(message) {
    this.#port.postMessage(message);
  }

  ref() {
    this.#port.ref();
    this.#thread.ref();
  }

  unref() {
    this.#port.unref();
    this.#thread.unref();
  }
}
