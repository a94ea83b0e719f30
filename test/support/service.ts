// The program as an operator runs it: a process of its own, commands with exit status, and HTTP.

import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Terminal } from '../../src/cli/frame/terminal.ts';
import { atExit } from './at-exit.ts';
import { watchErrorLines } from './error-lines.ts';
import { type Answer, basic, exchange } from './exchange.ts';
import { heardHere } from './heard-here.ts';
import { patience } from './patience.ts';
import { processorSeconds } from './processor-time.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const program = fileURLToPath(new URL('../../bin/soundings.js', import.meta.url));
// In a run of many files the runner has packed it, which halves what a start costs (D-405).
export const startedProgram = process.env.TEST_PROGRAM ?? program;

/** How the program is started, and in which folder. */
export interface Program {
  readonly command: readonly [string, ...string[]];
  readonly folder: string;
}

/** As it stands in a clone. */
export const sourceProgram: Program = { command: [process.execPath, program], folder: root };

const ownProgram: Program = { command: [process.execPath, startedProgram], folder: root };

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. The environment is the machine's, less what would set the service. */
export function soundings(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  stdin = '',
  { command: [file, ...words], folder }: Program = ownProgram,
): Promise<CommandResult> {
  const child = endingWithUs(
    spawn(file, [...words, ...args], { cwd: folder, env: environment(env), stdio: 'pipe' }),
  );
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      watchErrorLines().note(stderr);
      resolve({ code, stdout, stderr });
    });
  });
}

/** The same, where anything but success is the test's own failure. */
export async function soundingsOk(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await soundings(args, env);
  if (code !== 0) throw new Error(`soundings ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/**
 * Brings about what a test needs, by the command that an operator would type, within this process: to start the program
 * for it takes a third of a second, and there are thousands of them.
 */
export { commandHereOk as setUp };

/** One command within this process, where anything but success is the test's own failure. */
export async function commandHereOk(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await commandHere(args, env);
  if (code !== 0) throw new Error(`soundings ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/**
 * One command within this process, to see how it ends and what it says: the same program on the same words, without the
 * third of a second that a process takes to start. Each family of verbs has a test that starts it as well (`soundings`), and
 * so has whatever depends on the process: signals, what is piped in or out, memory, a death half-way.
 */
export function commandHere(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return commandOn({ isInteractive: false, isWatched: false }, args, env);
}

/** The same as somebody at a terminal of 80 columns sees it. What asks a question needs a real one (terminal-session.ts). */
export function commandAtTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  return commandOn({ isInteractive: true, isWatched: false, columns: 80 }, args, env);
}

async function commandOn(
  kind: Pick<Terminal, 'isInteractive' | 'isWatched' | 'columns'>,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const [{ runOn }, { withoutControls }] = await Promise.all([
    import('../../src/cli/program.ts'),
    import('../../src/cli/frame/terminal.ts'),
  ]);
  const said = { stdout: '', stderr: '' };
  const terminal = {
    ...kind,
    env: environment(env),
    print: (line: string): void => {
      said.stdout += `${withoutControls(line)}\n`;
    },
    tell: (line: string): void => {
      said.stderr += `${withoutControls(line)}\n`;
    },
  };
  const onLog = (text: string): void => {
    said.stderr += text;
  };
  const code = await heardHere(onLog, () => runOn(terminal, args));
  watchErrorLines().note(said.stderr);
  return { code, ...said };
}

export interface Service {
  readonly baseUrl: string;
  readonly managementUrl: string | null;
  /** Of the process that it runs in. */
  readonly pid: number;
  /** Everything that it has said so far, with its log. */
  output(): string;
  /** From here on its log may hold errors with these codes; any other fails the test. */
  expectErrors(...codes: readonly string[]): void;
  stop(): Promise<unknown>;
}

/** One in a process of its own. */
export interface ServiceProcess extends Service {
  /** What it printed on standard output when it was ready. */
  readonly announcement: Readonly<Record<string, unknown>>;
  /** Ends it as an operator does, and gives the exit status. */
  stop(): Promise<number | null>;
  /** Ends it as a power cut does. */
  kill(): Promise<void>;
  readonly exited: Promise<number | null>;
}

/** A start is given up that says nothing and uses next to nothing of a processor from one look to the next. */
const startLook = { everyMs: 60_000, seconds: 0.1 };

export async function startProcess(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  { command: [file, ...words], folder }: Program = ownProgram,
): Promise<ServiceProcess> {
  const child = endingWithUs(
    spawn(file, [...words, 'serve', '--port', '0', '--json', ...args], {
      cwd: folder,
      env: environment(env),
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );
  const errorLines = watchErrorLines();
  let output = '';
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const note = (text: string): void => {
    output += text;
  };
  child.stderr
    .setEncoding('utf8')
    .on('data', note)
    .on('data', (text: string) => errorLines.note(text));
  const announcement = await firstLine(child, note, exited, () => output);
  return {
    baseUrl: String(announcement.baseUrl),
    managementUrl: announcement.managementUrl === null ? null : String(announcement.managementUrl),
    pid: child.pid ?? 0,
    announcement,
    output: () => output,
    expectErrors: errorLines.expect,
    exited,
    async stop() {
      child.kill('SIGTERM');
      return exited;
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function firstLine(
  child: ChildProcess,
  note: (text: string) => void,
  exited: Promise<number | null>,
  output: () => string,
): Promise<Record<string, unknown>> {
  const lines = createInterface({ input: child.stdout! });
  const line = new Promise<string>((resolve) => {
    lines.on('line', (text) => {
      note(`${text}\n`);
      resolve(text);
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    let before = { said: output(), seconds: processorSeconds(child.pid) ?? 0 };
    timer = setInterval(() => {
      const now = { said: output(), seconds: processorSeconds(child.pid) ?? 0 };
      if (now.said === before.said && now.seconds - before.seconds < startLook.seconds)
        reject(new Error(`The start of the service stands still: ${output()}`));
      before = now;
    }, startLook.everyMs);
  });
  const ended = exited.then((code) => {
    throw new Error(`The service ended with ${code} before it answered: ${output()}`);
  });
  try {
    return JSON.parse(await Promise.race([line, ended, tooLate])) as Record<string, unknown>;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    clearInterval(timer);
    ended.catch(() => {});
  }
}

/** A child process that does not outlive this one: nobody would stop it, and it would go on writing. */
export function endingWithUs<T extends ChildProcess>(child: T): T {
  atExit(() => child.kill('SIGKILL'));
  return child;
}

/**
 * The machine's environment, less what would set the service, and what is asked for instead. A machine busy with other
 * tests must not look like a slow store, so the store has time unless a test is about just that.
 */
export function environment(env: Readonly<Record<string, string>>): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined &&
      !/^(SOUNDINGS_|DATABASE_URL|HOST$|PORT$|NODE_TEST_CONTEXT|NODE_OPTIONS|TEST_WORKER)/.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...recording(), ...patience, ...env };
}

/** Where the runner wants to see what is said to PostgreSQL (account-statements.ts). */
function recording(): Record<string, string> {
  if (process.env.TEST_STATEMENTS_FOLDER === undefined) return {};
  return { NODE_OPTIONS: `--import ${new URL('./record-statements.js', import.meta.url).href}` };
}

export interface ApiClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: readonly string[];
}

/** An API client of an account, made by the command line. */
export async function createClient(
  env: Readonly<Record<string, string>>,
  accountId: number,
  grants: readonly string[] = [],
): Promise<ApiClientCredentials> {
  const flags = grants.flatMap((grant) => ['--grant', grant]);
  const stdout = await commandHereOk(
    ['client', 'create', '--account', String(accountId), '--name', 'test', '--json', ...flags],
    env,
  );
  return JSON.parse(stdout) as ApiClientCredentials;
}

/** A token by the interface's own call. */
export async function tokenFor(
  baseUrl: string,
  client: ApiClientCredentials,
  scope = 'r_cx_basic',
): Promise<string> {
  const answer = await requestToken(baseUrl, client, scope);
  const { access_token: token } = answer.body;
  if (typeof token !== 'string') throw new Error(`No token: ${answer.text}`);
  return token;
}

export function requestToken(
  baseUrl: string,
  { clientId, clientSecret }: ApiClientCredentials,
  scope: string,
): Promise<Answer> {
  const query = new URLSearchParams({ grant_type: 'client_credentials', scope });
  return exchange(`${baseUrl}/v1/token?${query}`, {
    method: 'POST',
    headers: {
      accept: '*/*',
      authorization: basic(clientId, clientSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
}

const askEveryMs = 50;

/**
 * Asks until the answer is the one that is waited for: tests wait for the thing itself, never for a time. Patience ends after so many
 * asks, each of which takes longer on a busy machine; where there is nothing else to do, that is the time which is given.
 */
export async function until<T>(
  ask: () => Promise<T>,
  isIt: (answer: T) => boolean,
  patienceMs = 15_000,
): Promise<T> {
  for (let asked = 0; ; asked += 1) {
    const answer = await ask();
    if (isIt(answer)) return answer;
    if (asked * askEveryMs > patienceMs)
      throw new Error(`Waited in vain; the last answer was ${JSON.stringify(answer)}.`);
    await new Promise((resume) => setTimeout(resume, askEveryMs));
  }
}
