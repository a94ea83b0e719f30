// soundings report: the figures of a range of days, for the terminal, as a page, or as a table.

import { isEmpty } from '../../domain/insight/report.ts';
import { reportLines } from '../../domain/insight/report-text.ts';
import { needed, ofAccount, option, toggle, usual } from '../frame/takes.ts';
import { verb } from '../frame/verb.ts';

export const report = verb({
  about: 'show the figures of a measure or project over a range of days',
  takes: {
    account: ofAccount(),
    measure: option('<key>', 'the measure'),
    project: option('<id>', 'or the project'),
    from: needed('<day>', 'the first day, YYYY-MM-DD, UTC'),
    to: needed('<day>', 'the last day, inclusive'),
    unit: option('<unit>', 'one point per day, week or month (default: what suits the range)'),
    compare: option(
      '<range>',
      'previous: with the same number of days before; year: with the same days a year before',
    ),
    filter: option('<conditions>', 'only matching responses, such as is,device,Phone (docs/insight.md)'),
    comments: option('<count>', 'how many of the newest comments to show, up to 200; 0 for none'),
    format: usual(
      '<format>',
      'text: for the terminal; html: a self-contained page with charts; csv: one row per figure',
      'text',
    ),
    out: option('<file>', 'output file (default: standard output)'),
    force: toggle('overwrite an existing file'),
    spreadsheet: toggle('csv for spreadsheets: no text is interpreted as a formula'),
  },
  help: `
The figures are those of /v1/measures/{key}/trend, distribution and drivers, of /v1/projects/{id}/topics, and the newest
comments. Colours are omitted if the output is not a terminal or NO_COLOR is set. --json prints the figures as JSON or,
with --out, what was written.

Examples:
  soundings report --account 4001 --measure 8840868 --from 2026-10-01 --to 2026-10-31 --compare previous
  soundings report --account 4001 --project 3223 --from 2026-07-01 --to 2026-09-30 --format html --out badge.html
  soundings report --account 4001 --measure 8840868 --from 2026-10-01 --to 2026-10-31 --filter 'is,cpp:segment,new'
`,
  load: () => import('./report-file.ts'),
  async act(call, { makeReport, plainText, readReport }) {
    const { terminal, isJson, input } = call;
    const answer = await makeReport(call, readReport(input));
    if (input.out === undefined && !isJson && answer.format === 'text')
      for (const line of reportLines(answer.made)) {
        if (terminal.printStyled === undefined) terminal.print(plainText(line));
        else terminal.printStyled(line);
      }
    return answer;
  },
  json({ made, format }, { out }) {
    const { isComplete, ...figures } = made;
    if (out === undefined) return { ...figures, complete: isComplete };
    return { file: out, format, responses: made.distribution.count + made.distribution.erased };
  },
  hint: ({ made }, { out }) =>
    out === undefined
      ? null
      : `${isEmpty(made) ? 'A report without responses' : 'The report'} was written to ${out}.`,
});
