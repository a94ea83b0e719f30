// What a verb takes, as data: arguments and flags, in the order in which its help lists them. The name of a member is the name on the
// command line (`secretFile` is --secret-file), and its type follows from how it is declared.

import { readAccountId } from '../../domain/access/account.ts';
import { CommandError } from './terminal.ts';

export interface Taken<Value> {
  readonly kind: 'argument' | 'flag';
  readonly about: string;
  /** What stands behind the flag, such as `<id>`; left out where the flag says all. Of an argument, what follows its name. */
  readonly term?: string;
  readonly isNeeded?: boolean;
  readonly isRepeated?: boolean;
  /** What is taken where nothing is said, and how the help calls it. */
  readonly usual?: { readonly value: unknown; readonly text?: string };
  readonly choices?: readonly string[];
  /** An account that may be left out where there is only one (D-892). */
  readonly isOnlyAccount?: boolean;
  readonly read: (given: never, name: string) => Value;
}

export type Takes = Readonly<Record<string, Taken<unknown>>>;

/** What a verb with these arguments and flags was given. */
export type InputOf<T extends Takes> = {
  readonly [Name in keyof T]: T[Name] extends Taken<infer Value> ? Value : never;
};

/** Reads what was typed; the name is that of the flag or argument, for the refusal. */
type ReadText<Value> = (text: string, name: string) => Value;

const asTyped = (text: string): string => text;

function ifGiven<Value>(
  read: ReadText<Value>,
): (text: string | undefined, name: string) => Value | undefined {
  return (text, name) => (text === undefined ? undefined : read(text, name));
}

export function option(term: string, about: string): Taken<string | undefined>;
export function option<Value>(term: string, about: string, read: ReadText<Value>): Taken<Value | undefined>;
export function option<Value>(
  term: string,
  about: string,
  read?: ReadText<Value>,
): Taken<string | Value | undefined> {
  return { kind: 'flag', term, about, read: ifGiven<string | Value>(read ?? asTyped) };
}

/** A flag that must be there. */
export function needed(term: string, about: string): Taken<string>;
export function needed<Value>(term: string, about: string, read: ReadText<Value>): Taken<Value>;
export function needed<Value>(term: string, about: string, read?: ReadText<Value>): Taken<string | Value> {
  return { kind: 'flag', term, about, isNeeded: true, read: read ?? asTyped };
}

/** A flag that stands for itself. */
export function toggle(about: string): Taken<boolean> {
  return { kind: 'flag', about, read: (given: boolean | undefined) => given === true };
}

/** One that has a value where nothing is said. */
export function usual(term: string, about: string, value: string): Taken<string>;
export function usual<Value>(term: string, about: string, value: string, read: ReadText<Value>): Taken<Value>;
export function usual<Value>(
  term: string,
  about: string,
  value: string,
  read?: ReadText<Value>,
): Taken<string | Value> {
  return { kind: 'flag', term, about, usual: { value }, read: read ?? asTyped };
}

/** One with several values behind it, such as `<types...>`. */
export function several(term: string, about: string): Taken<readonly string[] | undefined> {
  return { kind: 'flag', term, about, read: (given: readonly string[] | undefined) => given };
}

/** One that may be said several times. */
export function repeated<Value>(
  term: string,
  about: string,
  read: ReadText<Value>,
  { choices, usually }: { readonly choices?: readonly string[]; readonly usually?: string } = {},
): Taken<readonly Value[]> {
  return {
    ...{ kind: 'flag', term, about, isRepeated: true },
    ...(choices !== undefined && { choices }),
    usual: { value: [], ...(usually !== undefined && { text: usually }) },
    read: (given: readonly string[], name: string) => given.map((text) => read(text, name)),
  };
}

/** One of a few words. */
export function oneOf<Word extends string>(
  term: string,
  about: string,
  choices: readonly Word[],
): Taken<Word | undefined> {
  return { kind: 'flag', term, about, choices, read: (given: Word | undefined) => given };
}

export function argument(about: string): Taken<string>;
export function argument<Value>(about: string, read: ReadText<Value>): Taken<Value>;
export function argument<Value>(about: string, read?: ReadText<Value>): Taken<string | Value> {
  return { kind: 'argument', about, isNeeded: true, read: read ?? asTyped };
}

export function optionalArgument(about: string): Taken<string | undefined> {
  return { kind: 'argument', about, read: (given: string | undefined) => given };
}

/** The last one of a verb, with everything that follows. */
export function argumentList(about: string, isNeeded: boolean): Taken<readonly string[]> {
  return { kind: 'argument', about, term: '...', isNeeded, read: (given: readonly string[]) => given };
}

/** The account that a verb works on. */
export function ofAccount(about?: string): Taken<number>;
export function ofAccount<Value>(about: string, read: ReadText<Value>): Taken<Value>;
export function ofAccount<Value>(about = 'the account', read?: ReadText<Value>): Taken<number | Value> {
  return { ...needed<number | Value>('<id>', about, read ?? accountIdOf), isOnlyAccount: true };
}

/** One that narrows what a verb works on. */
export function accountIfNamed(about: string): Taken<number | undefined> {
  return option('<id>', about, accountIdOf);
}

/** The name of what a verb makes. */
export function newName(about: string): Taken<string> {
  return needed('<name>', about, (text) => {
    const name = text.trim();
    checkName(name);
    return name;
  });
}

export function accountIdOf(text: string, name = '--account'): number {
  const id = readAccountId(text);
  if (id !== null) return id;
  throw new CommandError(`${name} must be the number of an account, not "${text}".`);
}

/** A whole number within bounds. */
export function countOf(min: number, max: number): ReadText<number> {
  return (text, name) => {
    const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (count >= min && count <= max) return count;
    throw new CommandError(`${name} must be a whole number from ${min} to ${max}, not "${text}".`);
  };
}

const nameLengthMax = 255;

/** Refuses a --name that is empty or too long. */
export function checkName(name: string): void {
  if (name.trim() !== '' && name.length <= nameLengthMax) return;
  throw new CommandError(`--name must have 1 to ${nameLengthMax} characters.`);
}
