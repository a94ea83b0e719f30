// soundings apply: makes the store agree with a catalogue file.

import type { Context } from '../context.ts';
import type { LineOf } from '../domain/feedback/catalogue.ts';
import type { Catalogue, CatalogueAccount } from '../domain/feedback/definition.ts';
import { applyParts } from './catalogue-apply.ts';
import { CatalogueFile, type CataloguePart, FaultList } from './catalogue-reading.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf } from './options.ts';
import { LateProgress, numberText } from './progress.ts';
import { StopSignals } from './stop-signal.ts';
import { type Terminal, visible } from './terminal.ts';

interface ApplyOptions {
  readonly file: string;
  readonly account: string | undefined;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

export async function apply(
  terminal: Terminal,
  flags: Flags,
  { file: place, account, isDryRun, isJson }: ApplyOptions,
): Promise<void> {
  const accountId = account === undefined ? null : accountIdOf(account);
  await using file = await CatalogueFile.open(place, place);
  await withContext(terminal, flags, async (context) => {
    const progress = new LateProgress(terminal);
    using signals = new StopSignals(terminal);
    const listed: string[] = [];
    let total = 0;
    let made = 0;
    await applyParts(
      context,
      { name: file.name, parts: file.parts(accountId), accountId, isDryRun },
      {
        onCompared: () => progress.say(() => `Comparing ${file.name} with the store: ${file.progress}`),
        onJudged: (changes) => {
          total = changes;
        },
        onChanged: (words) => {
          made += words.length;
          progress.say(() => `Applying ${file.name}: ${numberText(made)} of ${numberText(total)} changes`);
          for (const line of words)
            if (isJson) listed.push(line);
            else terminal.print(visible(line));
        },
        stopCode: () => signals.exitCode,
      },
    );
    if (isJson) return terminal.print(JSON.stringify({ applied: !isDryRun, changes: listed }));
    if (made === 0) terminal.print('The store agrees with the file already: nothing to change.');
    else terminal.print(isDryRun ? `${made} to change; nothing was changed.` : `${made} changed.`);
  });
}

/** A catalogue that is in memory as a whole. */
export interface LoadedCatalogue {
  readonly name: string;
  readonly catalogue: Catalogue;
  readonly lineOf: LineOf;
}

export async function readCatalogueFile(place: string | Buffer, name: string): Promise<LoadedCatalogue> {
  const faults = new FaultList(name);
  const accounts: CatalogueAccount[] = [];
  const lines: LineOf[] = [];
  await using file = await CatalogueFile.open(place, name);
  for await (const part of file.parts()) {
    faults.add(part.faults);
    if (part.catalogue === null) continue;
    accounts.push(...part.catalogue.accounts);
    lines.push(part.lineOf);
  }
  if (!faults.isEmpty) throw faults.error();
  const lineOf: LineOf = (entry) => lines.reduce((line, next) => line || next(entry), 0);
  return { name, catalogue: { accounts }, lineOf };
}

export async function applyFile(context: Context, loaded: LoadedCatalogue, isDryRun: boolean): Promise<void> {
  const { name, catalogue, lineOf } = loaded;
  const parts = async function* parts(): AsyncGenerator<CataloguePart> {
    yield { catalogue, lineOf, faults: [] };
  };
  await applyParts(context, { name, parts: parts(), isDryRun });
}
