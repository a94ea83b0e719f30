// The program: a line of words becomes a verb, and whatever happens an exit status.

import { type Command, CommanderError } from 'commander';
import { Problem } from '../domain/problem.ts';
import { groups } from './families.ts';
import { commandOf } from './frame/command-line.ts';
import { CommandError, processTerminal, type Terminal, visible } from './frame/terminal.ts';

export function run(args: readonly string[], env: Terminal['env']): Promise<number> {
  return runOn(processTerminal(env), args);
}

/** The same with whatever stands for a terminal. */
export async function runOn(terminal: Terminal, args: readonly string[]): Promise<number> {
  const root = commandOf(groups, terminal);
  try {
    await root.parseAsync(withKeyIdLast(args), { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return explainUsage(error, verbOf(root, args), terminal);
    return explain(error, terminal);
  }
}

/** The id of a key of the settings is a hash in 43 characters, and may begin with a dash: behind "--" it is no option. */
function withKeyIdLast(args: readonly string[]): string[] {
  const [family, verb] = args;
  const id =
    family === 'keys' && verb === 'revoke' ? args.find((arg) => /^-[\w-]{42}$/.test(arg)) : undefined;
  return id === undefined ? [...args] : [...args.filter((arg) => arg !== id && arg !== '--'), '--', id];
}

function explainUsage({ code, exitCode, message }: CommanderError, verb: string, terminal: Terminal): number {
  // Help and version have said what they had to say; help that nobody asked for came because a verb is missing.
  if (exitCode === 0 || code === 'commander.help') return exitCode;
  const [what = '', hint] = message.replace(/^error: /, '').split('\n');
  const sentence = hint === undefined ? what : `${what} ${hint.toLowerCase()}`;
  terminal.tell(`soundings: ${sentence.replace(/\.$/, '')}. See "${verb} --help".`);
  return exitCode;
}

/** The verb that was meant, as far as the arguments tell. */
function verbOf(root: Command, args: readonly string[]): string {
  let command = root;
  const words = [root.name()];
  for (const arg of args) {
    const next = command.commands.find((child) => child.name() === arg);
    if (next === undefined) break;
    words.push(arg);
    command = next;
  }
  return words.join(' ');
}

/** One sentence, and the next step; the exit status says that it failed. */
async function explain(error: unknown, terminal: Terminal): Promise<number> {
  if (error instanceof CommandError) {
    terminal.tell(`soundings: ${error.message}`);
    return error.exitCode;
  }
  const sentence = await asSentence(error);
  if (sentence !== null) {
    terminal.tell(`soundings: ${visible(sentence.message)}${causeOf(sentence)}`);
    return 1;
  }
  const { describeError } = await import('./frame/log.ts');
  terminal.tell('soundings: this should not have happened; please report it with the lines below.');
  terminal.tell(JSON.stringify(describeError(error), null, 2));
  return 70;
}

/** A failure that says in a sentence what is wrong. Those of the store are loaded here, so that help needs no store. */
async function asSentence(error: unknown): Promise<Error | null> {
  if (error instanceof Problem) return error;
  const [{ StoreFault }, { UnholdableText }] = await Promise.all([
    import('../store/engine/store-fault.ts'),
    import('../store/engine/postgres/text-encoding.ts'),
  ]);
  return error instanceof StoreFault || error instanceof UnholdableText ? error : null;
}

/** What the database said of itself, or of a machine behind it: callers of the service are not told, whoever runs it has to know. */
function causeOf({ cause }: Error): string {
  return cause instanceof Error && cause.message !== ''
    ? ` (${visible(cause.message.replaceAll(/\s+/g, ' '))})`
    : '';
}

/** The help of every verb, for the docs. */
export function commandReference(): readonly { name: string; help: string }[] {
  const silent: Terminal = {
    env: {},
    isInteractive: false,
    isWatched: false,
    print: () => {},
    tell: () => {},
  };
  const visit = (command: Command, name: string): { name: string; help: string }[] =>
    command.commands.length > 0
      ? command.commands.flatMap((child) => visit(child, `${name} ${child.name()}`))
      : [{ name, help: fullHelp(command) }];
  return visit(commandOf(groups, silent), 'soundings');
}

/** helpInformation alone leaves the examples out, which come by an event. */
function fullHelp(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text;
}
