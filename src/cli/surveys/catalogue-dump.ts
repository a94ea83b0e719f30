// The catalogue as a file that apply takes back without a change.

import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { documentBytesMax } from '../../domain/feedback/catalogue-documents.ts';
import { writtenAccount } from '../../domain/feedback/written-account.ts';
import { catalogueGeneration } from '../../store/feedback/catalogue.ts';
import { keptAccounts } from '../../store/feedback/whole-catalogue.ts';
import { noSuchAccount } from '../frame/account-and-source.ts';
import { fileOutput, standardOutput } from '../frame/export-output.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import type { StoreCall } from '../frame/verb.ts';

interface WantedDump {
  readonly account: number | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
}

/** How much was written. */
export async function dumpCatalogue({
  terminal,
  context,
  input,
  valid: textOf,
}: StoreCall<WantedDump, TextOf>) {
  const { account: accountId = null, out, force } = input;
  const generation = await catalogueGeneration(context.db);
  const output = out === undefined ? standardOutput() : await fileOutput(out, force);
  const progress = new LateProgress(terminal);
  const written = { accounts: 0, documents: 0 };
  const documents = documentsOf(context, accountId, textOf, (isContinued, large) => {
    written.documents += 1;
    if (!isContinued) written.accounts += 1;
    if (large !== null)
      terminal.tell(`${large} has more than 8 MB of versions: "soundings apply" will refuse its document.`);
    progress.say(() => `Writing the catalogue: ${numberText(written.accounts)} accounts`);
  });
  try {
    await pipeline(documents, output.stream, { end: output.isOurs });
    await output.keep();
  } catch (error) {
    await output.discard();
    throw output.explain(error);
  }
  if (accountId !== null && written.accounts === 0) throw noSuchAccount(accountId);
  if ((await catalogueGeneration(context.db)) !== generation)
    terminal.tell('A catalogue was applied meanwhile: each account is as it was when it was read.');
  return { ...written, file: out ?? null };
}

export type TextOf = (account: object) => string;

async function* documentsOf(
  { db }: Context,
  accountId: number | null,
  textOf: TextOf,
  onWritten: (isContinued: boolean, large: string | null) => void,
): AsyncGenerator<string> {
  let before: number | null = null;
  for await (const account of keptAccounts(db, accountId)) {
    const text = textOf(writtenAccount(account));
    yield text;
    const [source] = [...account.measures, ...account.projects];
    const isLarge = source !== undefined && Buffer.byteLength(text) > documentBytesMax;
    onWritten(account.id === before, isLarge ? `"${source.name}" of account ${account.id}` : null);
    before = account.id;
  }
}
