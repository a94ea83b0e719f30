// What a service costs that nobody asks: its start up to the first answer, its rest, and its memory after some use. Each is held against an
// empty Fastify program, in turn, as requests are held against a bare server.

import { fileURLToPath } from 'node:url';
import { type EngineName, median } from '../figures.ts';
import { startAndAsk } from '../processes.ts';
import { type MeterFigure, spreadOf } from './meter.ts';
import { comeToRest, processorSecondsOf, proportionalBytesOf } from './processor-time.ts';
import { prepareStoreOf, type Side, startSide } from './sides.ts';
import type { Tree } from './trees.ts';

const emptyProgram = fileURLToPath(new URL('../empty-fastify.ts', import.meta.url));
const starts = 9;
const restMs = 10_000;
const rests = 5;
const mixedRequests = 1_000;
const mixedAtOnce = 8;
const memories = 3;
const mebibyte = 2 ** 20;

/** In milliseconds of processor time up to the first answer. */
export async function meterStart(
  trees: readonly Tree[],
  engine: EngineName,
  catalogue: object,
): Promise<readonly MeterFigure[]> {
  const stores = await Promise.all(trees.map((tree) => prepareStoreOf(tree, engine, catalogue)));
  try {
    const floors: number[] = [];
    const ours = trees.map((): number[] => []);
    for (let round = 0; round < starts; round += 1) {
      floors.push(await startOnce([process.execPath, emptyProgram], process.cwd(), {}));
      for (const [index, { program }] of trees.entries())
        ours[index]!.push(
          await startOnce(
            [...program.command, 'serve', '--port', '0', '--json'],
            program.folder,
            stores[index]!.env,
          ),
        );
    }
    return trees.map(({ name }, index) => figureOf('start', engine, name, ours[index]!, floors));
  } finally {
    for (const store of stores) await store.dispose();
  }
}

async function startOnce(
  command: readonly string[],
  folder: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const started = await startAndAsk(command, env, '/livez', {}, folder);
  await started.stop();
  return (started.cpuMs ?? Number.NaN) * 1_000;
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
  return sides.map(({ name }, index) =>
    figureOf(
      'rest',
      engine,
      name,
      ours[index]!,
      ours[index]!.map(() => 1_000),
    ),
  );
}

/** MiB above an empty Fastify program, after some mixed requests. */
export async function meterMemory(
  trees: readonly Tree[],
  engine: EngineName,
  catalogue: object,
  requests: readonly ((side: Side) => Promise<unknown>)[],
): Promise<readonly MeterFigure[]> {
  const ours = trees.map((): number[] => []);
  const floors: number[] = [];
  for (let round = 0; round < memories; round += 1) {
    const empty = await startAndAsk([process.execPath, emptyProgram], {}, '/livez');
    floors.push(proportionalBytesOf(empty.pid) / mebibyte);
    for (const [index, tree] of trees.entries()) {
      const side = await startSide(tree, engine, catalogue);
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
  return trees.map(({ name }, index) => figureOf('memory', engine, name, ours[index]!, floors));
}

function figureOf(
  work: string,
  engine: EngineName,
  side: string,
  ours: readonly number[],
  floors: readonly number[],
): MeterFigure {
  const ratios = ours.map((value, round) => floors[round]! / value);
  return {
    ...{ work, engine, side, reading: 'service' },
    ours: median(ours),
    floor: median(floors),
    ratio: median(ratios),
    spread: spreadOf(ratios),
    rounds: ratios,
    requests: ours.length,
    bytes: 0,
  };
}
