// soundings insight: figures of measures and projects that are added up ahead.

import type { StatusLine } from './insight-figures.ts';
import { numberText } from '../frame/progress.ts';
import { accountIfNamed, option } from '../frame/takes.ts';
import { visible } from '../frame/terminal.ts';
import { family, listing, verb } from '../frame/verb.ts';

const figures = () => import('./insight-figures.ts');
const sources = {
  account: accountIfNamed('only this account'),
  measure: option('<key>', 'only this measure'),
  project: option('<id>', 'only this project'),
} as const;

const status = verb({
  about: 'show how many responses are included in the figures, and how many are pending',
  takes: { account: accountIfNamed('show each measure and project of this account') },
  help: `
A running service includes new responses within a second or two. Pending ones are added whenever figures are requested,
so figures are always exact.

Examples:
  soundings insight status
  soundings insight status --account 4001 --json
`,
  load: figures,
  act: (call, { statusLines }) => statusLines(call),
  says: (lines, { account }) => statusTable(lines, account !== undefined),
});

function statusTable(lines: readonly StatusLine[], isOfAccount: boolean): string {
  const isAnew = lines.some(({ anew }) => anew !== null);
  const source = isOfAccount ? ['SOURCE'] : [];
  const anewHead = isAnew ? ['ANEW'] : [];
  return listing(
    'There is no measure or project.',
    ['ACCOUNT', ...source, 'RESPONSES', 'ADDED UP', 'BEHIND', ...anewHead, 'LAST CHANGE'],
    lines.map((line) => [
      String(line.accountId),
      ...(isOfAccount ? [`${line.kind} ${line.key}`] : []),
      numberText(line.responses),
      numberText(line.addedUp),
      numberText(line.behind),
      ...(isAnew ? [line.anew === null ? '' : numberText(line.anew)] : []),
      line.updatedAt ?? '',
    ]),
  );
}

const rebuild = verb({
  about: 'recompute all figures from the responses',
  takes: sources,
  help: `
Only needed if "soundings insight verify" has found a difference. The existing figures are used until the new ones are
ready. A running service shares the work, and continues it if this command is stopped.

Examples:
  soundings insight rebuild --account 4001 --measure 8840868
  soundings insight rebuild
`,
  load: figures,
  act: (call, { rebuild: rebuildAll }) => rebuildAll(call),
  says: ({ responses, sources: count }) =>
    `${numberText(responses)} responses of ${numberText(count)} measures and projects were added up anew.`,
});

const verify = verb({
  about: 'recount the responses and list every figure that differs',
  takes: sources,
  help: `
Reads every response that the figures include, with or without a running service, and changes nothing. Exit status 1 if
a figure or a comment does not match the responses.

Examples:
  soundings insight verify
  soundings insight verify --account 4001
`,
  load: figures,
  act: (call, { verify: verifyAll }) => verifyAll(call),
  says: ({ sources: count, responses, faults }) =>
    faults.length === 0
      ? `The figures of ${numberText(count)} measures and projects are those of their ${numberText(responses)} responses.`
      : faults.flatMap(({ accountId, kind, key, named, differences }) => {
          const source = `${kind} ${key} of account ${accountId}`;
          const more = differences - named.length;
          return [
            ...named.map((text) => `${source}: ${visible(text)}.`),
            ...(more > 0 ? [`${source}: ${numberText(more)} more.`] : []),
          ];
        }),
  failure: ({ differences, faults }) => {
    if (faults.length === 0) return null;
    if (differences === 0) return 'Not everything could be counted.';
    return `${numberText(differences)} differences: run "soundings insight rebuild" with the account and the measure or project.`;
  },
});

export const insightFamily = family('insight', 'precomputed figures of measures and projects', {
  status,
  rebuild,
  verify,
});
