// A catalogue file made to agree with the store, or the store with it.

import type { Context } from '../../context.ts';
import type { LineOf } from '../../domain/feedback/catalogue.ts';
import type { Catalogue, CatalogueAccount } from '../../domain/feedback/definition.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { StopSignals } from '../frame/stop-signal.ts';
import { visible } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';
import { applyParts } from './catalogue-apply.ts';
import { CatalogueFile, type CataloguePart, FaultList } from './catalogue-reading.ts';

interface WantedCatalogue {
  readonly file: string;
  readonly account: number | undefined;
  readonly dryRun: boolean;
}

/** What is changed, or would be, in words; they are printed as they are made. */
export async function applyCatalogue({
  terminal,
  context,
  isJson,
  input,
}: StoreCall<WantedCatalogue>): Promise<{ readonly made: number; readonly changes: readonly string[] }> {
  const { account: accountId = null, dryRun: isDryRun } = input;
  await using file = await CatalogueFile.open(input.file, input.file);
  const progress = new LateProgress(terminal);
  using signals = new StopSignals(terminal);
  const changes: string[] = [];
  let total = 0;
  let made = 0;
  await applyParts(
    context,
    { name: file.name, parts: file.parts(accountId), accountId, isDryRun },
    {
      onCompared: () => progress.say(() => `Comparing ${file.name} with the store: ${file.progress}`),
      onJudged: (count) => {
        total = count;
      },
      onChanged: (words) => {
        made += words.length;
        progress.say(() => `Applying ${file.name}: ${numberText(made)} of ${numberText(total)} changes`);
        for (const line of words)
          if (isJson) changes.push(line);
          else terminal.print(visible(line));
      },
      stopCode: () => signals.exitCode,
    },
  );
  return { made, changes };
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
