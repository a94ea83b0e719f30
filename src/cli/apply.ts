// soundings apply: one file, all or nothing.

import { readFile } from 'node:fs/promises';
import { type CatalogueAccount, describeChanges, readCatalogue } from '../domain/catalogue.ts';
import type { House } from '../house.ts';
import { applyCatalogue, readAccounts } from '../store/catalogue.ts';
import { type Flags, reasonOf, withHouse } from './open-house.ts';
import { CommandError, type Terminal } from './terminal.ts';

interface ApplyOptions {
  readonly file: string;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

export async function apply(
  terminal: Terminal,
  flags: Flags,
  { file, isDryRun, isJson }: ApplyOptions,
): Promise<void> {
  const accounts = await readCatalogueFile(file);
  await withHouse(terminal, flags, async (house) => {
    const changes = await applyAccounts(house, accounts, isDryRun);
    if (isJson) return terminal.print(JSON.stringify({ applied: !isDryRun, changes }));
    for (const change of changes) terminal.print(change);
    if (changes.length === 0) terminal.print('The store agrees with the file already: nothing to change.');
    else
      terminal.print(
        isDryRun ? `${changes.length} to change; nothing was changed.` : `${changes.length} changed.`,
      );
  });
}

export async function readCatalogueFile(file: string | URL): Promise<readonly CatalogueAccount[]> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new CommandError(
      `The catalogue ${String(file)} cannot be read: ${reasonOf(error)}. Name a file that exists.`,
      { cause: error },
    );
  }
  const reading = readCatalogue(text);
  if ('accounts' in reading) return reading.accounts;
  const list = reading.faults.map(({ line, message }) => `  ${String(file)}:${line}: ${message}`).join('\n');
  throw new CommandError(`The catalogue has faults, and nothing was changed:\n${list}`);
}

export async function applyAccounts(
  house: House,
  accounts: readonly CatalogueAccount[],
  isDryRun: boolean,
): Promise<readonly string[]> {
  const existing = await readAccounts(
    house.db,
    accounts.map(({ id }) => id),
  );
  const changes = describeChanges(existing, accounts);
  if (changes.length > 0 && !isDryRun) {
    await house.db.write(applyCatalogue, {
      changeId: house.newId(),
      nowMs: house.now(),
      actor: 'command line',
      accounts,
    });
  }
  return changes;
}
