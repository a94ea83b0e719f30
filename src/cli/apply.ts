// soundings apply: one file, all or nothing.

import { readFile } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { faultText, type LineOf, readCatalogue } from '../domain/feedback/catalogue.ts';
import { type CatalogueChange, compareCatalogue } from '../domain/feedback/catalogue-change.ts';
import type { Catalogue } from '../domain/feedback/definition.ts';
import { applyCatalogue, readKept } from '../store/feedback/catalogue.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, reasonOf, withContext } from './open-context.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

interface ApplyOptions {
  readonly file: string;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

export interface CatalogueFile {
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly lineOf: LineOf;
}

// Somebody else's apply between our look and our change; the comparison is then made again.
const attemptsMax = 10;

export async function apply(
  terminal: Terminal,
  flags: Flags,
  { file, isDryRun, isJson }: ApplyOptions,
): Promise<void> {
  const catalogueFile = await readCatalogueFile(file, file);
  await withContext(terminal, flags, async (context) => {
    const changes = (await applyFile(context, catalogueFile, isDryRun)).filter(
      ({ action }) => action !== 'unchanged',
    );
    const words = changes.map((change) => change.words);
    if (isJson) return terminal.print(JSON.stringify({ applied: !isDryRun, changes: words }));
    for (const line of words) terminal.print(visible(line));
    if (words.length === 0) terminal.print('The store agrees with the file already: nothing to change.');
    else
      terminal.print(
        isDryRun ? `${words.length} to change; nothing was changed.` : `${words.length} changed.`,
      );
  });
}

export async function readCatalogueFile(place: string | URL, name: string): Promise<CatalogueFile> {
  let text: string;
  try {
    text = await readFile(place, 'utf8');
  } catch (error) {
    throw new CommandError(
      `The catalogue ${name} cannot be read: ${reasonOf(error)}. Name a file that exists.`,
      { cause: error },
    );
  }
  const reading = readCatalogue(text);
  if (reading.catalogue === null) throw faulty(name, reading.faults);
  return { name, catalogue: reading.catalogue, lineOf: reading.lineOf };
}

export async function applyFile(
  context: Context,
  { name, catalogue, lineOf }: CatalogueFile,
  isDryRun: boolean,
): Promise<readonly CatalogueChange[]> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const kept = await readKept(context.db, catalogue);
    const { changes, faults } = compareCatalogue(kept, catalogue, lineOf);
    if (faults.length > 0) throw faulty(name, faults);
    const wanted = changes.filter(({ action }) => action !== 'unchanged');
    if (isDryRun || wanted.length === 0) return changes;
    const isApplied = await context.db.write(applyCatalogue, {
      ...changeStamp(context),
      generation: kept.generation,
      changes: wanted,
      mustBeUnused: wanted.flatMap((change) =>
        change.kind === 'survey' &&
        change.action === 'update' &&
        !kept.surveysWithResponses.has(change.value.id)
          ? [change.value.id]
          : [],
      ),
    });
    if (isApplied) return changes;
  }
  throw new CommandError('Other catalogues keep being applied at the same time. Please try again.');
}

function faulty(
  name: string,
  faults: readonly { line: number; path: string; message: string }[],
): CommandError {
  const list = faults.map((fault) => `  ${visible(faultText(name, fault))}`).join('\n');
  return new CommandError(`The catalogue has faults, and nothing was changed:\n${list}`);
}
