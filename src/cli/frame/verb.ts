// A verb is data: what it is for, what it takes, what does it (loaded when it runs), and how its answer is shown. What all verbs do
// alike is done here once: the store opened and closed, --json, tables and sentences, what is told beside them, exit statuses (D-1020).

import type { SettingKey } from '../../config.ts';
import type { Context } from '../../context.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import type { Flags } from './open-context.ts';
import type { InputOf, Takes } from './takes.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

/** A run of a verb. */
export interface Call<Input, Valid = unknown> {
  readonly terminal: Terminal;
  readonly flags: Flags;
  readonly input: Input;
  /** What `validate` made of the input. */
  readonly valid: Valid;
  /** Whether --json was said; who shows an answer by `says` need not ask. */
  readonly isJson: boolean;
}

/** A run of a verb with the store open. */
export interface StoreCall<Input, Valid = unknown> extends Call<Input, Valid> {
  readonly context: Context;
  /** A new change, made now, by whoever sits at the terminal. */
  readonly stamp: () => ChangeStamp;
}

/** Lines of facts; none where there is nothing to say. */
type Said = string | readonly string[] | null | undefined;

/** How an answer is shown. */
interface Shown<T extends Takes, Loaded, Answer> {
  /** What --json prints; the answer itself where left out. */
  readonly json?: (answer: Answer, input: InputOf<T>, loaded: Loaded) => unknown;
  /** Whether standard output is a file of data, so that what --json says goes to standard error. */
  readonly isOutputTaken?: (input: InputOf<T>) => boolean;
  /** JSON where a program reads as well (D-890): of verbs whose answer, or this one, is worth keeping. */
  readonly piped?: 'json' | 'indented json' | ((answer: Answer) => boolean);
  /** What is printed for people. A verb that leaves it out has printed by itself. */
  readonly says?: (answer: Answer, input: InputOf<T>, loaded: Loaded) => Said;
  /** What is told beside the answer, on standard error; not with --json. */
  readonly hint?: (answer: Answer, input: InputOf<T>, loaded: Loaded) => Said;
  /** What is told in any case. */
  readonly notice?: (answer: Answer, input: InputOf<T>, loaded: Loaded) => Said;
  /** Why the verb fails although it has an answer: a sentence, or an error with its own exit status. */
  readonly failure?: (answer: Answer, input: InputOf<T>, loaded: Loaded) => CommandError | string | null;
}

interface Declaration<T extends Takes, Valid, Loaded, Called, Answer> extends Shown<T, Loaded, Answer> {
  /** What it does, in the list of verbs. */
  readonly about: string;
  readonly takes?: T;
  /** What the help says below the flags: what is good to know, and an example. */
  readonly help: string;
  /** Settings that the flags of this verb say. */
  readonly settings?: (input: InputOf<T>) => Partial<Record<SettingKey, string>>;
  /** What is refused before the store is opened, and what of the input is read for the act. */
  readonly validate?: (input: InputOf<T>, terminal: Terminal) => Valid | Promise<Valid>;
  /** What acts, from `acts/`, `store/` or a file beside: loaded when the verb runs, so that others start without it. */
  readonly load: () => Promise<Loaded>;
  readonly act: (call: Called, loaded: Loaded) => Answer | Promise<Answer>;
}

/** A verb without its types, as the program holds it. */
export interface Verb {
  readonly about: string;
  readonly takes: Takes;
  readonly help: string;
  run(terminal: Terminal, flags: Flags, given: Given): Promise<void>;
}

/** What was typed, by the names of what the verb takes. */
interface Given {
  readonly isJson: boolean;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A verb that works on the store. */
export function verb<const T extends Takes, Valid, Loaded, Answer>(
  declaration: Declaration<T, Valid, Loaded, StoreCall<InputOf<T>, Valid>, Answer>,
): Verb {
  return verbOf(declaration, async (call, act) => {
    const [{ withContext }, { changeStamp }] = await Promise.all([
      import('./open-context.ts'),
      import('./change-stamp.ts'),
    ]);
    await withContext(call.terminal, call.flags, (context) =>
      act({ ...call, context, stamp: () => changeStamp(context) }),
    );
  });
}

/** A verb that opens no store, or opens it in a way of its own. */
export function plainVerb<const T extends Takes, Valid, Loaded, Answer>(
  declaration: Declaration<T, Valid, Loaded, Call<InputOf<T>, Valid>, Answer>,
): Verb {
  return verbOf(declaration, (call, act) => act(call));
}

function verbOf<T extends Takes, Valid, Loaded, Called, Answer>(
  declaration: Declaration<T, Valid, Loaded, Called, Answer>,
  begin: (call: Call<InputOf<T>, Valid>, act: (call: Called) => Promise<void>) => Promise<void>,
): Verb {
  const { about, help, takes = {} as T, settings, validate } = declaration;
  return {
    ...{ about, help, takes },
    async run(terminal, flags, given) {
      const { isJson } = given;
      let say = terminal.print;
      try {
        const input = readInput(takes, await withAccount(takes, terminal, flags, given.values));
        if (declaration.isOutputTaken?.(input) === true) say = terminal.tell;
        const valid = (await validate?.(input, terminal)) as Valid;
        const said = settings === undefined ? flags : { ...flags, settings: settings(input) };
        const loaded = await declaration.load();
        await begin({ terminal, flags: said, input, valid, isJson }, async (call) =>
          show(terminal, declaration, isJson, await declaration.act(call, loaded), input, loaded),
        );
      } catch (error) {
        if (isJson && error instanceof CommandError && error.facts !== undefined)
          say(JSON.stringify(error.facts));
        throw error;
      }
    },
  };
}

function show<T extends Takes, Loaded, Answer>(
  terminal: Terminal,
  { json, isOutputTaken, piped, says, hint, notice, failure }: Shown<T, Loaded, Answer>,
  isJson: boolean,
  given: Answer,
  input: InputOf<T>,
  loaded: Loaded,
): void {
  const isKept = typeof piped === 'function' ? piped(given) : piped !== undefined;
  const isProgram = isKept && !terminal.isInteractive;
  if (isJson || isProgram) {
    const facts = json === undefined ? given : json(given, input, loaded);
    const indent = piped === 'indented json' && !isJson ? 2 : 0;
    const say = isOutputTaken?.(input) === true ? terminal.tell : terminal.print;
    if (says !== undefined || json !== undefined) say(JSON.stringify(facts, null, indent));
  } else for (const line of linesOf(says?.(given, input, loaded))) terminal.print(line);
  if (!isJson) for (const line of linesOf(hint?.(given, input, loaded))) terminal.tell(line);
  for (const line of linesOf(notice?.(given, input, loaded))) terminal.tell(line);
  const fault = failure?.(given, input, loaded) ?? null;
  if (fault !== null) throw typeof fault === 'string' ? new CommandError(fault) : fault;
}

function linesOf(said: Said): readonly string[] {
  return typeof said === 'string' ? [said] : (said ?? []);
}

function readInput<T extends Takes>(takes: T, values: Given['values']): InputOf<T> {
  const read = Object.entries(takes).map(([name, one]) => [
    name,
    one.read(values[name] as never, one.kind === 'flag' ? `--${flagName(name)}` : `The ${name}`),
  ]);
  return Object.fromEntries(read) as InputOf<T>;
}

/** Where a verb needs an account and none is named, the only one of the store is meant (D-892). */
async function withAccount(
  takes: Takes,
  terminal: Terminal,
  flags: Flags,
  values: Given['values'],
): Promise<Given['values']> {
  const isLeftOut = takes.account?.isOnlyAccount === true && values.account === undefined;
  if (!isLeftOut) return values;
  const { onlyAccount } = await import('./account-check.ts');
  return { ...values, account: String(await onlyAccount(terminal, flags)) };
}

/** `secretFile` as it is typed: `secret-file`. */
export function flagName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** A table with its head, or the sentence for when there is nothing in it. */
export function listing(none: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  return rows.length === 0 ? none : table([head, ...rows]);
}

/** Verbs that are about the same thing, such as those of `soundings webhook`. */
export interface Family {
  readonly name: string;
  readonly about: string;
  readonly verbs: Readonly<Record<string, Verb>>;
}

export function family(name: string, about: string, verbs: Family['verbs']): Family {
  return { name, about, verbs };
}
