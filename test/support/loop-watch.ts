// Loaded before a service (node --import): how long its event loop is held, in processor time of its main thread, and by which function.
// A turn goes from one setImmediate to the next; nobody else is served within it. Asked through a socket of its own (watched-loop.ts).

import { rmSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { createServer } from 'node:net';
import { PerformanceObserver } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** The environment has the path of the socket under this name. */
export const socketVariable = 'LOOP_WATCH_SOCKET';

/** What was seen between two commands. */
export interface LoopReport {
  /** Of the longest turn, in milliseconds of processor time. */
  readonly longestMs: number;
  /** How much of the longest turn the garbage collector took. */
  readonly collectorMs: number;
  /** Of all turns together that had something to do. */
  readonly allMs: number;
  /** The function that most of the longest turn was spent in; only where it was asked for. */
  readonly culprit: string | null;
}

export type LoopCommand = 'watch' | 'name' | 'report';

interface LoopTurn {
  readonly ms: number;
  readonly beganAtUs: number;
  readonly endedAtUs: number;
}

const samplingUs = 200;
/** A turn in which nothing came but the next look at the clock is shorter. */
const idleMs = 0.25;

/** Counted up to this moment: without the first call the kernel says what it knew at its last tick, some milliseconds ago. */
function processorMs(): number {
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** By the clock of the profiler. */
function nowUs(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

class LoopWatch {
  #isWatching = false;
  #longest: LoopTurn = { ms: 0, beganAtUs: 0, endedAtUs: 0 };
  #allMs = 0;
  #session: Session | null = null;
  readonly #collections: { readonly beganAtUs: number; readonly endedAtUs: number }[] = [];

  constructor() {
    const originUs = nowUs() - performance.now() * 1000;
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) {
        const beganAtUs = originUs + startTime * 1000;
        this.#collections.push({ beganAtUs, endedAtUs: beganAtUs + duration * 1000 });
      }
    }).observe({ entryTypes: ['gc'] });
  }

  async begin(isNaming: boolean): Promise<void> {
    if (isNaming) {
      this.#session = new Session();
      this.#session.connect();
      await this.#session.post('Profiler.enable');
      await this.#session.post('Profiler.setSamplingInterval', { interval: samplingUs });
      await this.#session.post('Profiler.start');
    }
    this.#collections.length = 0;
    this.#longest = { ms: 0, beganAtUs: 0, endedAtUs: 0 };
    this.#isWatching = true;
    this.#allMs = 0;
    this.#tick(processorMs(), nowUs());
  }

  #tick(beganMs: number, beganAtUs: number): void {
    setImmediate(() => {
      if (!this.#isWatching) return;
      const endedMs = processorMs();
      const endedAtUs = nowUs();
      if (endedMs - beganMs > idleMs) this.#allMs += endedMs - beganMs;
      if (endedMs - beganMs > this.#longest.ms)
        this.#longest = { ms: endedMs - beganMs, beganAtUs, endedAtUs };
      this.#tick(endedMs, endedAtUs);
    });
  }

  async report(): Promise<LoopReport> {
    this.#isWatching = false;
    const allMs = this.#allMs;
    // What the collector did is told some turns later.
    for (let turns = 0; turns < 3; turns += 1) await new Promise((resume) => setImmediate(resume));
    const { ms, beganAtUs, endedAtUs } = this.#longest;
    const collectorUs = this.#collections
      .map((one) => Math.min(one.endedAtUs, endedAtUs) - Math.max(one.beganAtUs, beganAtUs))
      .reduce((sum, overlap) => sum + Math.max(0, overlap), 0);
    return {
      longestMs: ms,
      collectorMs: collectorUs / 1000,
      allMs,
      culprit: await this.#culprit(),
    };
  }

  async #culprit(): Promise<string | null> {
    const session = this.#session;
    if (session === null) return null;
    this.#session = null;
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    return culpritIn(profile, this.#longest);
  }
}

/** Of each sample the innermost function that is the program's own, or else of a package; the one that is there most often. */
function culpritIn(profile: Profiler.Profile, { beganAtUs, endedAtUs }: LoopTurn): string {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child): [number, number] => [child, id])),
  );
  const counts = new Map<string, number>();
  let atUs = profile.startTime;
  for (const [index, sample] of (profile.samples ?? []).entries()) {
    atUs += profile.timeDeltas?.[index] ?? 0;
    if (atUs < beganAtUs || atUs > endedAtUs) continue;
    const frames: Profiler.ProfileNode[] = [];
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id))
      frames.push(nodes.get(id)!);
    const isOwn = (folder: string) => (frame: Profiler.ProfileNode) => frame.callFrame.url.includes(folder);
    const frame = frames.find(isOwn('/src/')) ?? frames.find(isOwn('/node_modules/')) ?? frames[0]!;
    const name = nameOf(frame.callFrame);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted(([, one], [, other]) => other - one);
  return ranked[0]?.[0] ?? 'too short to be seen';
}

function nameOf({
  functionName,
  url,
  lineNumber,
}: {
  functionName: string;
  url: string;
  lineNumber: number;
}) {
  const [, file] = /.*\/(?:src|node_modules)\/(.*)$/.exec(url) ?? [];
  return `${functionName || 'a function'}${file === undefined ? '' : ` (${file}:${lineNumber + 1})`}`;
}

const socket = process.env[socketVariable];
if (isMainThread && socket !== undefined) {
  const watch = new LoopWatch();
  const commands: Readonly<Record<LoopCommand, () => Promise<unknown>>> = {
    watch: () => watch.begin(false),
    name: () => watch.begin(true),
    report: () => watch.report(),
  };
  // A service begins once more as the same process (D-910), and finds what it was before.
  rmSync(socket, { force: true });
  createServer((connection) => {
    // A service that is told to stop ends when nothing holds it.
    connection
      .unref()
      .setEncoding('utf8')
      .on('data', async (text: string) => {
        const answer = await commands[text.trim() as LoopCommand]();
        connection.write(`${JSON.stringify(answer ?? null)}\n`);
      });
  })
    .listen(socket)
    .unref();
}
