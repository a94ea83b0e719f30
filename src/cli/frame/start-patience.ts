// A start asks its store in steps. A server of PostgreSQL that is away or slow is waited for, whichever step asks it (D-174).

import type { Config } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';
import type { StopRequest } from './stop-signal.ts';
import { CommandError } from './terminal.ts';

const lookAgainMs = 500;
const tellEveryMs = 10_000;

/** Does what it is given, again if need be. */
export type Step = <T>(work: () => Promise<T>) => Promise<T>;

/** For commands, which say at once what is wrong. */
export const once: Step = (work) => work();

interface Waiting {
  readonly stop: StopRequest;
  readonly tell: (line: string) => void;
  /** Begins to listen, where the process does not listen yet; gives the address. */
  readonly listen: () => Promise<string>;
}

export class StartPatience {
  readonly #config: Config;
  readonly #waiting: Waiting;
  #lastStepMs = performance.now();
  #tellAtMs: number | null = null;

  constructor(config: Config, waiting: Waiting) {
    this.#config = config;
    this.#waiting = waiting;
  }

  /** Stands between two steps; a step of many parts says so after each. */
  readonly stepped = (): void => {
    this.#lastStepMs = performance.now();
    this.#waiting.stop.throwIfAsked();
  };

  readonly step: Step = async (work) => {
    for (;;) {
      try {
        const done = await work();
        this.stepped();
        return done;
      } catch (error) {
        await this.#wait(error);
      }
    }
  };

  /** Throws where waiting cannot help, or has been long enough. */
  async #wait(error: unknown): Promise<void> {
    const { stop, tell, listen } = this.#waiting;
    const { startPatienceSeconds } = this.#config;
    stop.throwIfAsked();
    if (startPatienceSeconds === 0 || !mayPass(error, this.#config)) throw error;
    const patience = `${startPatienceSeconds} s (SOUNDINGS_START_PATIENCE_SECONDS)`;
    const waitedMs = performance.now() - this.#lastStepMs;
    if (waitedMs > startPatienceSeconds * 1_000)
      throw new CommandError(`${messageOf(error)} It was waited for ${patience}.`, { cause: error });
    if (this.#tellAtMs === null) {
      tell(messageOf(error));
      tell(`Waiting for it, at most ${patience}. ${await listen()} is alive and not ready meanwhile.`);
      this.#tellAtMs = performance.now() + tellEveryMs;
    } else if (performance.now() > this.#tellAtMs) {
      tell(`Still waiting after ${Math.round(waitedMs / 1_000)} s: ${messageOf(error)}`);
      this.#tellAtMs += tellEveryMs;
    }
    await Promise.race([stop.asked, new Promise((resume) => setTimeout(resume, lookAgainMs))]);
    stop.throwIfAsked();
  }
}

/** Whether to wait may help: not where the server answers and does not let us in. */
function mayPass(error: unknown, { databaseUrl }: Config): boolean {
  const problem = error instanceof CommandError ? error.cause : error;
  if (databaseUrl.startsWith('sqlite:') || !(problem instanceof Problem)) return false;
  const state = (problem.cause as { code?: unknown } | undefined)?.code;
  const isRefused = typeof state === 'string' && /^(28|3D|42501)/.test(state);
  return (problem.code === 'STORE_UNREACHABLE' || problem.code === 'STORE_TIMEOUT') && !isRefused;
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
