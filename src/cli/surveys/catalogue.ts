// soundings apply and catalogue: the catalogue from a file, and as one.

import { demandFile } from '../frame/given-file.ts';
import { numberText } from '../frame/progress.ts';
import { accountIfNamed, argument, option, toggle, usual } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

export const apply = verb({
  about: 'make the store match a catalogue file (YAML, JSON or NDJSON)',
  takes: {
    file: argument('the catalogue file; - for standard input'),
    account: accountIfNamed('apply only this account'),
    dryRun: toggle('show what would change without changing anything'),
  },
  help: `
Anything the file does not mention is left as it is. The whole file is compared with the store first; if it has any
fault, nothing is changed. Changes are then made in groups of up to 1,000 measures and projects, each all or nothing. If
the command stops halfway, it says how far it got; run it again to continue.
A file may contain many documents, separated by lines of three dashes, with one account in each, or one account per line
as JSON. A document may be up to 8 MB; an account may continue in the next one, under the same id and name.

Examples:
  soundings apply examples/demo.yaml --dry-run
  soundings apply all-accounts.yaml --account 4001
  soundings catalogue dump | DATABASE_URL=postgres://me@db/soundings soundings apply -
`,
  validate: ({ file }) => demandFile(file),
  load: () => import('./catalogue-file.ts'),
  act: (call, { applyCatalogue }) => applyCatalogue(call),
  json: ({ changes }, { dryRun }) => ({ applied: !dryRun, changes }),
  says: ({ made }, { dryRun }) => {
    if (made === 0) return 'The store agrees with the file already: nothing to change.';
    return dryRun ? `${made} to change; nothing was changed.` : `${made} changed.`;
  },
});

const dump = verb({
  about: 'write the catalogue as a file that "soundings apply" accepts',
  takes: {
    account: accountIfNamed('only this account'),
    format: usual('<format>', 'yaml: one document per account; ndjson: one line per account', 'yaml'),
    out: option('<file>', 'output file (default: standard output)'),
    force: toggle('overwrite an existing file'),
  },
  help: `
Applied to the same store, the file changes nothing; applied to another, it creates the same catalogue there. A large
account is split into several documents. Responses, users and API clients are not included. An output file only appears
once it is complete.

Examples:
  soundings catalogue dump --out catalogue.yaml
  soundings catalogue dump --account 4001
`,
  validate: ({ format }) => formatCalled(format),
  load: () => import('./catalogue-dump.ts'),
  act: (call, { dumpCatalogue }) => dumpCatalogue(call),
  json: (facts) => facts,
  isOutputTaken: ({ out }) => out === undefined,
  hint: ({ accounts }, { out }) =>
    `${numberText(accounts)} accounts were written${out === undefined ? '' : ` to ${out}`}.`,
});

async function formatCalled(format: string): Promise<(account: object) => string> {
  if (format === 'ndjson') return (account) => `${JSON.stringify(account)}\n`;
  if (format !== 'yaml') throw new CommandError(`--format is yaml or ndjson, not "${format}".`);
  const { yamlText } = await import('../../domain/feedback/catalogue-yaml.ts');
  return (account) => `---\n${yamlText(account)}`;
}

export const catalogueFamily = family('catalogue', 'export the catalogue', { dump });
