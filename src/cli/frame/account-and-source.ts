// Sentences and readings that verbs share: accounts, and measures or projects.

import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import { CommandError } from './terminal.ts';

/** The one sentence for an account that is not there, whichever verb was given it. */
export function noSuchAccountText(accountId: number): string {
  return `There is no account ${accountId}. See "soundings account list".`;
}

export function noSuchAccount(accountId: number): CommandError {
  return new CommandError(noSuchAccountText(accountId));
}

/** What a verb was given that works on a measure or project, or on all of an account. */
interface OfSource {
  readonly account: number;
  readonly measure?: string | undefined;
  readonly project?: string | undefined;
}

/** The measure or project that is named; null where none is. */
export function namedSource({ account: accountId, measure, project }: OfSource): SourceName | null {
  if (measure !== undefined && project !== undefined)
    throw new CommandError('Name --measure or --project, not both.');
  const text = measure ?? project;
  if (text === undefined) return null;
  const kind = measure === undefined ? 'project' : 'measure';
  const key = Number(text);
  if (!/^[1-9]\d*$/.test(text) || !Number.isSafeInteger(key))
    throw new CommandError(`--${kind} must be the number of a ${kind}, not "${text}".`);
  return { accountId, kind, key };
}
