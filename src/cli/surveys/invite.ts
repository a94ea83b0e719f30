// soundings invite: a link for each line of a list, with the parameters of that line sealed in it.

import { invitationDaysDefault, invitationDaysMax } from '../../domain/pages/invitation.ts';
import { argument, option, several, toggle } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';

export const invite = verb({
  about: 'create a survey link for each line of a list; each link can be answered once',
  takes: {
    survey: argument('id of the survey'),
    list: argument('a CSV file with a column for each parameter to pass; - for standard input'),
    days: option(
      '<number>',
      `how many days the links are valid (default: ${invitationDaysDefault}, at most ${invitationDaysMax})`,
      daysOf,
    ),
    copy: several(
      '<columns...>',
      'columns to copy to the output without passing them, such as an email address',
    ),
    url: option('<url>', 'the address at which people reach the service (default: SOUNDINGS_PUBLIC_URL)'),
    out: option('<file>', 'output file for the links (default: standard output)'),
    force: toggle('overwrite an existing file'),
    spreadsheet: toggle('add a byte order mark, and no cell that would be interpreted as a formula'),
  },
  help: `
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
  settings: ({ url }) => (url === undefined ? {} : { publicUrl: url }),
  load: () => import('./invitation-list.ts'),
  act: (call, { inviteAll }) => inviteAll(call, call.input.days ?? invitationDaysDefault),
  json: (facts) => facts,
  isOutputTaken: ({ out }) => out === undefined,
});

function daysOf(text: string): number {
  const days = Number(text);
  if (/^\d{1,3}$/.test(text) && days >= 1 && days <= invitationDaysMax) return days;
  throw new CommandError(`--days is a number from 1 to ${invitationDaysMax}, not "${text}".`);
}
