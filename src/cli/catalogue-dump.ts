// soundings catalogue dump: the catalogue as a file that apply takes back without a change.

import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { documentBytesMax } from '../domain/feedback/catalogue-documents.ts';
import { writtenAccount } from '../domain/feedback/written-account.ts';
import { catalogueGeneration } from '../store/feedback/catalogue.ts';
import { keptAccounts } from '../store/feedback/whole-catalogue.ts';
import { fileOutput, standardOutput } from './export-output.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, noSuchAccount } from './options.ts';
import { LateProgress, numberText } from './progress.ts';
import { CommandError, type Terminal } from './terminal.ts';

interface DumpOptions {
  readonly account?: string;
  readonly format: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

export async function dumpCatalogue(terminal: Terminal, flags: Flags, options: DumpOptions): Promise<void> {
  const accountId = options.account === undefined ? null : accountIdOf(options.account);
  const textOf = await formatCalled(options.format);
  await withContext(terminal, flags, async (context) => {
    const generation = await catalogueGeneration(context.db);
    const output =
      options.out === undefined ? standardOutput() : await fileOutput(options.out, options.force === true);
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
    const facts = options.json === true ? JSON.stringify({ ...written, file: options.out ?? null }) : null;
    if (facts === null || options.out === undefined)
      terminal.tell(facts ?? sentenceOf(written.accounts, options.out));
    else terminal.print(facts);
  });
}

type TextOf = (account: object) => string;

async function formatCalled(format: string): Promise<TextOf> {
  if (format === 'ndjson') return (account) => `${JSON.stringify(account)}\n`;
  if (format !== 'yaml') throw new CommandError(`--format is yaml or ndjson, not "${format}".`);
  const { yamlText } = await import('../domain/feedback/catalogue-yaml.ts');
  return (account) => `---\n${yamlText(account)}`;
}

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

function sentenceOf(accounts: number, out: string | undefined): string {
  return `${numberText(accounts)} accounts were written${out === undefined ? '' : ` to ${out}`}.`;
}
