// The verbs by which people are asked to answer, and what they say of themselves.

import type { Command } from 'commander';
import { invitationDaysDefault, invitationDaysMax } from '../domain/pages/invitation.ts';
import type { RevokeOptions } from './invitation.ts';
import type { InviteOptions } from './invite.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { ShareOptions } from './share.ts';
import type { Terminal } from './terminal.ts';

export function invitationVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  addVerb('share', 'show the link to a public survey, its QR code, and the line that embeds it in a page')
    .argument('<survey>', 'id of a survey, or site key of a project for its current version')
    .option('--url <url>', 'the address at which people reach the service (default: SOUNDINGS_PUBLIC_URL)')
    .option('--svg <file>', 'also write the QR code to an SVG file, for printing')
    .option('--force', 'overwrite an existing file')
    .addHelpText('after', '\nExample:\n  soundings share acme-web --svg poster.svg\n')
    .action(async (name: string, options: ShareOptions) => {
      const { share } = await import('./share.ts');
      await share(terminal, flagsOf(options), name, options);
    });

  addVerb('invite', 'create a survey link for each line of a list; each link can be answered once')
    .argument('<survey>', 'id of the survey')
    .argument('<list>', 'a CSV file with a column for each parameter to pass; - for standard input')
    .option(
      '--days <number>',
      `how many days the links are valid (default: ${invitationDaysDefault}, at most ${invitationDaysMax})`,
    )
    .option(
      '--copy <columns...>',
      'columns to copy to the output without passing them, such as an email address',
    )
    .option('--url <url>', 'the address at which people reach the service (default: SOUNDINGS_PUBLIC_URL)')
    .option('--out <file>', 'output file for the links (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .option('--spreadsheet', 'add a byte order mark, and no cell that would be interpreted as a formula')
    .addHelpText(
      'after',
      `
The columns of the list are the names (or ids) of custom parameters that the survey declares, plus those given with
--copy. Parameter values are sealed in the link: nobody who has it can read or change them. The output has the columns
of the list, followed by invitationId, link and expires. If the list has any fault, nobody is invited; every fault is
listed with its line number.
A file of links can be the list for reminders: a line that has an invitationId keeps it, so that person can still answer
only once. The invitationId is the responseId of the answer.

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
    .description('revoke invitations to surveys, and list revoked ones')
    .exitOverride();
  addVerb('revoke', 'revoke invitations: their links stop working, existing answers are kept', invitation)
    .argument('<survey>', 'id of the survey')
    .argument('[ids...]', 'ids of invitations, as in the file of links')
    .option('--file <file>', 'a CSV file with an invitationId column, such as a file of links')
    .addHelpText(
      'after',
      '\nExamples:\n  soundings invitation revoke acme-stores-1 0199c8f4-7d3a-7c11-9a52-000000000001\n  soundings invitation revoke acme-stores-1 --file links.csv\n',
    )
    .action(async (surveyId: string, ids: string[], options: RevokeOptions) => {
      const { revoke } = await import('./invitation.ts');
      await revoke(terminal, flagsOf(options), { surveyId, ids }, options);
    });
  addVerb(
    'revoked',
    'list the revoked invitations of an account that could otherwise still be valid',
    invitation,
  )
    .requiredOption('--account <id>', 'the account')
    .addHelpText('after', '\nExample:\n  soundings invitation revoked --account 4001\n')
    .action(async (options: OfAccount) => {
      const { listRevoked } = await import('./invitation.ts');
      await listRevoked(terminal, flagsOf(options), options);
    });
}
