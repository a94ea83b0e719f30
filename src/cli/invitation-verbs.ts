// The verbs by which people are asked to answer, and what they say of themselves.

import type { Command } from 'commander';
import { invitationDaysDefault, invitationDaysMax } from '../domain/pages/invitation.ts';
import type { RevokeOptions } from './invitation.ts';
import type { InviteOptions } from './invite.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { ShareOptions } from './share.ts';
import type { Terminal } from './terminal.ts';

export function invitationVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  addVerb('share', 'the link to a public survey, as a QR code too, and the line that embeds it in a page')
    .argument('<survey>', 'the id of a survey, or the site key of a project for its current version')
    .option('--url <url>', 'the address at which people reach the service; SOUNDINGS_PUBLIC_URL unless given')
    .option('--svg <file>', 'the QR code as a picture, to be printed')
    .option('--force', 'overwrite the file')
    .addHelpText('after', '\nExample:\n  soundings share acme-web --svg poster.svg\n')
    .action(async (name: string, options: ShareOptions) => {
      const { share } = await import('./share.ts');
      await share(terminal, flagsOf(options), name, options);
    });

  addVerb('invite', 'a link to a survey for each line of a list; each is answered once')
    .argument('<survey>', 'the id of the survey')
    .argument('<list>', 'a CSV file with a column for each parameter to pass; - for standard input')
    .option(
      '--days <number>',
      `how long they are good; ${invitationDaysDefault} unless given, at most ${invitationDaysMax}`,
    )
    .option('--copy <columns...>', 'columns that come to the links and are not passed, such as an address')
    .option('--url <url>', 'the address at which people reach the service; SOUNDINGS_PUBLIC_URL unless given')
    .option('--out <file>', 'the file of links; standard output otherwise')
    .option('--force', 'overwrite the file')
    .option('--spreadsheet', 'a byte order mark, and no cell that would be taken for a formula')
    .addHelpText(
      'after',
      `
The columns are names (or ids) of custom parameters that the survey declares, and what --copy names. What they say is sealed in the link: nobody
who has it can read or change it. The links are written with the columns of the list, and invitationId, link and expires
behind them. One fault in the list, and nobody is invited; every fault is listed with its line.
A file of links can be the list of reminders: a line that has an invitationId keeps it, so its person still answers once.
The invitationId is the responseId of the answer.

Examples:
  soundings invite acme-stores-1 customers.csv > links.csv
  soundings invite acme-stores-1 customers.csv --copy email first_name > links.csv
  soundings invite acme-stores-1 customers.csv --days 30 --out links.csv --json
`,
    )
    .action(async (surveyId: string, list: string, options: InviteOptions) => {
      const { invite } = await import('./invite.ts');
      await invite(terminal, flagsOf(options), { surveyId, list }, options);
    });

  const invitation = root
    .command('invitation')
    .description('invitations to surveys that were made')
    .exitOverride();
  addVerb('revoke', 'their links open nothing any more; what was answered stays', invitation)
    .argument('<survey>', 'the id of the survey')
    .argument('[ids...]', 'ids of invitations, as the file of links has them')
    .option('--file <file>', 'a CSV file with a column invitationId, such as a file of links')
    .addHelpText(
      'after',
      '\nExamples:\n  soundings invitation revoke acme-stores-1 0199c8f4-7d3a-7c11-9a52-000000000001\n  soundings invitation revoke acme-stores-1 --file links.csv\n',
    )
    .action(async (surveyId: string, ids: string[], options: RevokeOptions) => {
      const { revoke } = await import('./invitation.ts');
      await revoke(terminal, flagsOf(options), { surveyId, ids }, options);
    });
  addVerb('revoked', 'the invitations of an account that were revoked and could still be good', invitation)
    .requiredOption('--account <id>', 'the account')
    .addHelpText('after', '\nExample:\n  soundings invitation revoked --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listRevoked } = await import('./invitation.ts');
      await listRevoked(terminal, flagsOf(options), options);
    });
}
