// The processes of a bench that are no service: the floor, the load generator, and programs up to their first answer.

import { type ChildProcess, fork, spawn } from 'node:child_process';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endingWithUs, environment } from '../test/support/service.ts';
import type { LoadOrder, LoadReport, LoadResult } from './load.ts';
import { processorSecondsOf } from './meter/processor-time.ts';

function forkFile(name: string): ChildProcess {
  return endingWithUs(fork(fileURLToPath(new URL(name, import.meta.url)), { stdio: 'inherit' }));
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void =>
      reject(new Error(`A process of the bench ended with ${code}.`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message as T);
    });
  });
}

export interface Floor {
  readonly pid: number;
  readonly port: number;
  stop(): Promise<void>;
}

/** A bare server that answers everything with this body, and may parse what it was sent. */
export async function startFloor(body: Buffer, parses = false): Promise<Floor> {
  const child = forkFile('./floor.js');
  child.send({ body: body.toString('latin1'), parses });
  const { port } = await nextMessage<{ port: number }>(child);
  return { pid: child.pid ?? 0, port, stop: () => end(child, 'SIGKILL') };
}

export interface Generator {
  ask(order: LoadOrder): Promise<LoadResult>;
  stop(): Promise<void>;
}

export function startGenerator(): Generator {
  const child = forkFile('./load.ts');
  return {
    async ask(order) {
      child.send(order);
      const report = await nextMessage<LoadReport>(child);
      if ('failure' in report) throw new Error(`The load failed: ${report.failure}`);
      return report.result;
    },
    stop: () => end(child, 'SIGKILL'),
  };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await exited;
}

export interface StartedProgram {
  readonly pid: number;
  /** Processor time up to the first answer, of all threads. */
  readonly processorSeconds: number;
  stop(): Promise<void>;
}

/** Runs a program that prints {"baseUrl"} on a line once it listens, and asks it at once. */
export async function startAndAsk(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
  folder: string = fileURLToPath(new URL('../', import.meta.url)),
): Promise<StartedProgram> {
  const child = endingWithUs(
    spawn(program, args, { cwd: folder, env: environment(env), stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`${program} ${args.join(' ')} ended with ${code}.`)));
  });
  const { baseUrl } = JSON.parse(line) as { baseUrl: string };
  await firstAnswer(`${baseUrl}/livez`);
  const pid = child.pid ?? 0;
  return { pid, processorSeconds: processorSecondsOf(pid), stop: () => end(child, 'SIGTERM') };
}

function firstAnswer(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asking = get(url, { agent: false }, (answer) => {
      answer.resume();
      answer.once('end', () =>
        answer.statusCode === 200
          ? resolve()
          : reject(new Error(`The first answer of ${url} was ${answer.statusCode}.`)),
      );
    });
    asking.once('error', reject);
  });
}
