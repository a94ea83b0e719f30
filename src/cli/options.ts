// What verbs are given: the options that all of them take, and how the values of shared options are read.

import type { Command } from 'commander';
import { readAccountId } from '../domain/access/account.ts';
import type { SourceName } from '../domain/feedback/catalogue-change.ts';
import type { Flags } from './open-context.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** Adds a verb, below another one where that is given. */
export type AddVerb = (name: string, description: string, parent?: Command) => Command;

export interface Common {
  readonly config?: string;
  readonly json?: boolean;
  readonly create?: boolean;
}

/** Of verbs that work on one account. */
export interface OfAccount extends Common {
  readonly account: string;
}

export function flagsOf(options: Common): Flags {
  const { config, create } = options;
  return { ...(config !== undefined && { config }), ...(create === true && { isCreating: true }) };
}

export function accountIdOf(text: string, option = '--account'): number {
  const id = readAccountId(text);
  if (id !== null) return id;
  throw new CommandError(`${option} must be the number of an account, not "${text}".`);
}

/** The one sentence for an account that is not there, whichever verb was given it. */
export function noSuchAccountText(accountId: number): string {
  return `There is no account ${accountId}. See "soundings account list".`;
}

export function noSuchAccount(accountId: number): CommandError {
  return new CommandError(noSuchAccountText(accountId));
}

/** JSON where it is asked for and where a program reads; sentences and tables for somebody at a terminal (D-890). */
export function printsJson({ isInteractive }: Terminal, { json }: Common): boolean {
  return json === true || !isInteractive;
}

/** Of verbs that work on a measure or project, or on all of an account. */
export interface OfSource extends OfAccount {
  readonly measure?: string;
  readonly project?: string;
}

/** The measure or project that is named; null where none is. */
export function namedSource({ account, measure, project }: OfSource): SourceName | null {
  if (measure !== undefined && project !== undefined)
    throw new CommandError('Name --measure or --project, not both.');
  const text = measure ?? project;
  if (text === undefined) return null;
  const kind = measure === undefined ? 'project' : 'measure';
  const key = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(key))
    throw new CommandError(`--${kind} must be the number of a ${kind}, not "${text}".`);
  return { accountId: accountIdOf(account), kind, key };
}

const nameLengthMax = 255;

/** Refuses a --name that is empty or too long. */
export function checkName(name: string): void {
  if (name.trim() !== '' && name.length <= nameLengthMax) return;
  throw new CommandError(`--name must have 1 to ${nameLengthMax} characters.`);
}
