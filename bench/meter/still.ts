// What a service costs that nobody asks: its start up to the first answer, its rest, and its memory after some use. Each is held against an
// empty Fastify program, in turn, as requests are held against a bare server.

import { fileURLToPath } from 'node:url';
import type { EngineName } from '../../test/support/engines.ts';
import { startAndAsk } from '../processes.ts';
import { figureOf, type MeterFigure } from './meter.ts';
import { comeToRest, processorSecondsOf, proportionalBytesOf } from './processor-time.ts';
import { type Side, startSide, type TreeStore } from './sides.ts';

const emptyProgram = fileURLToPath(new URL('../empty-fastify.ts', import.meta.url));
const starts = 9;
const restMs = 30_000;
const rests = 5;
const mixedRequests = 1_000;
const mixedAtOnce = 8;
const memories = 3;
const mebibyte = 2 ** 20;

/** Microseconds of processor time up to the first answer. */
export async function meterStart(
  stores: readonly TreeStore[],
  engine: EngineName,
): Promise<readonly MeterFigure[]> {
  const floors: number[] = [];
  const ours = stores.map((): number[] => []);
  for (let round = 0; round < starts; round += 1) {
    floors.push(await startOnce([process.execPath, emptyProgram]));
    for (const [index, { tree, env }] of stores.entries()) {
      const { command, folder } = tree.program;
      ours[index]!.push(await startOnce([...command, 'serve', '--port', '0', '--json'], env, folder));
    }
  }
  return stores.map(({ tree: { name: side } }, index) =>
    figureOf({ work: 'start', engine, side, reading: 'service' }, ours[index]!, floors),
  );
}

async function startOnce(...program: Parameters<typeof startAndAsk>): Promise<number> {
  const started = await startAndAsk(...program);
  await started.stop();
  return started.processorSeconds * 1e6;
}

/** Microseconds of processor time a second, of a service at rest. */
export async function meterRest(sides: readonly Side[], engine: EngineName): Promise<readonly MeterFigure[]> {
  const ours = sides.map((): number[] => []);
  await comeToRest(sides.map(({ pid }) => pid));
  for (let round = 0; round < rests; round += 1) {
    // All at once: whoever rests is in nobody's way.
    const before = sides.map(({ pid }) => processorSecondsOf(pid));
    await new Promise((resume) => setTimeout(resume, restMs));
    for (const [index, { pid }] of sides.entries())
      ours[index]!.push(((processorSecondsOf(pid) - before[index]!) / (restMs / 1_000)) * 1e6);
  }
  // An empty program does nothing at all at rest: the figure is the service's own.
  return sides.map(({ name: side }, index) =>
    figureOf(
      { work: 'rest', engine, side, reading: 'service' },
      ours[index]!,
      ours[index]!.map(() => 1_000),
    ),
  );
}

/** MiB above an empty Fastify program, after some mixed requests. */
export async function meterMemory(
  stores: readonly TreeStore[],
  engine: EngineName,
  requests: readonly ((side: Side) => Promise<unknown>)[],
): Promise<readonly MeterFigure[]> {
  const ours = stores.map((): number[] => []);
  const floors: number[] = [];
  for (let round = 0; round < memories; round += 1) {
    const empty = await startAndAsk([process.execPath, emptyProgram]);
    floors.push(proportionalBytesOf(empty.pid) / mebibyte);
    for (const [index, store] of stores.entries()) {
      const side = await startSide(store);
      let next = 0;
      const ask = async (): Promise<void> => {
        for (let number = next++; number < mixedRequests; number = next++)
          await requests[number % requests.length]!(side);
      };
      await Promise.all(Array.from({ length: mixedAtOnce }, ask));
      await comeToRest([side.pid]);
      ours[index]!.push(proportionalBytesOf(side.pid) / mebibyte - floors[round]!);
      await side.stop();
    }
    await empty.stop();
  }
  return stores.map(({ tree: { name: side } }, index) =>
    figureOf({ work: 'memory', engine, side, reading: 'service' }, ours[index]!, floors),
  );
}
