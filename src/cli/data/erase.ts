// soundings erase: what people said goes, what was counted stays (D-48).

import { noSuchAccountText } from '../frame/account-and-source.ts';
import { numberText } from '../frame/progress.ts';
import { ofAccount, option, toggle } from '../frame/takes.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';

const unknownExitCode = 2;

export const erase = verb({
  about: 'erase the content of responses, and keep what was counted from them',
  takes: {
    account: ofAccount('the account that the responses belong to'),
    response: option('<id>', 'one response, by its responseId'),
    file: option('<file>', 'many, from a file with one responseId per line; - for standard input'),
    parameter: option('<name=value>', 'many, by the value of a passed or external parameter'),
    from: option('<day>', 'many, by their day: the first day, YYYY-MM-DD, UTC'),
    to: option('<day>', 'the last day, inclusive'),
    measure: option('<key>', 'only responses of this measure'),
    project: option('<id>', 'or only responses of this project'),
    dryRun: toggle('show how many there are without erasing anything'),
  },
  help: `
Answers, parameters and the body as sent are deleted for good. Position, day and scores are kept, so that pages and
totals do not change; the item shows "erased": true. Erasing twice does no harm. Cleaning up backups and exported files
is up to you.

A parameter is identified by its name or id, and its value is the full text as shown. If days are given too, both must
match. Many responses are erased in batches of 1,000, each all or nothing. If the command stops halfway, it says how
far it got; run it again to continue. Responses that arrive meanwhile may be missed: stop sending first, or repeat it.
Exit status: 0 done, 1 failed, 2 some ids in the file are unknown, 129 and more stopped by a signal.

Examples:
  soundings erase --account 4001 --response 019a1f2e-7c11-7d52-9d0c-0a1b2c3d4e5f
  soundings erase --account 4001 --parameter customer_id=C-20931 --dry-run
  soundings erase --account 4001 --measure 8840868 --from 2024-01-01 --to 2024-12-31
  soundings erase --account 4001 --file ids.txt
`,
  validate({ response, file, parameter, from, to, measure, project, dryRun }) {
    const isByContent = parameter !== undefined || from !== undefined || to !== undefined;
    const ways = [response !== undefined, file !== undefined, isByContent].filter(Boolean);
    if (ways.length !== 1)
      throw new CommandError(
        'Say which responses: by --response, by --file, or by --parameter and by --from and --to.',
      );
    if (response !== undefined && (measure !== undefined || project !== undefined || dryRun))
      throw new CommandError('With --response there is nothing to narrow or to count: leave the rest out.');
  },
  load: async () => ({
    ...(await import('./erase-many.ts')),
    ...(await import('../../store/erasure/erase.ts')),
    ...(await import('../../store/feedback/catalogue.ts')),
  }),
  async act(call, { eraseMany, eraseResponse, hasAccount }) {
    const { context, stamp, input } = call;
    const { account: accountId, response: responseId } = input;
    if (responseId === undefined) return { tally: await eraseMany(call) };
    const outcome = await context.db.write(eraseResponse, { ...stamp(), accountId, responseId });
    if (outcome === 'unknown')
      throw new CommandError(
        (await hasAccount(context.db, accountId))
          ? `Account ${accountId} has no response "${responseId}". Its id stands in the data as id.`
          : noSuchAccountText(accountId),
      );
    return { responseId, changed: outcome === 'erased' };
  },
  json(answer, { account: accountId, file, dryRun }) {
    if (answer.tally === undefined) return { accountId, ...answer };
    const { erased, erasedBefore, unknownCount: unknown } = answer.tally;
    return { accountId, applied: !dryRun, erased, ...(file !== undefined && { erasedBefore, unknown }) };
  },
  says({ tally, responseId, changed }, { file, dryRun }) {
    if (tally === undefined)
      return changed
        ? `Response ${responseId} is erased: its answers, parameters and body are gone; its place, day and scores stay.`
        : `Response ${responseId} was erased before: nothing to change.`;
    const { erased, erasedBefore } = tally;
    const before =
      file !== undefined && erasedBefore > 0 ? ` ${numberText(erasedBefore)} were erased before.` : '';
    return dryRun
      ? `${numberText(erased)} responses would be erased; nothing was changed.${before}`
      : `${numberText(erased)} responses are erased: answers, parameters and bodies are gone; places, days and scores stay.${before}`;
  },
  failure({ tally }, { account: accountId }) {
    if (tally === undefined || tally.unknownCount === 0) return null;
    const { unknown, unknownCount } = tally;
    const left = unknownCount - unknown.length;
    const more = left > 0 ? `\n  and ${numberText(left)} more` : '';
    return new CommandError(
      `Account ${accountId} has no responses with these ids:\n${unknown.map((id) => `  ${visible(id)}`).join('\n')}${more}`,
      { exitCode: unknownExitCode },
    );
  },
});
