// soundings source: measures and projects that go with all of their responses (D-273).

import { namedSource } from '../frame/account-and-source.ts';
import { numberText } from '../frame/progress.ts';
import { ofAccount, option, toggle } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

const remove = verb({
  about: 'delete a measure or project with all of its responses',
  takes: {
    account: ofAccount(),
    measure: option('<key>', 'the measure'),
    project: option('<id>', 'or the project'),
    dryRun: toggle('show what there is without deleting anything'),
    yes: toggle('do not ask for confirmation'),
  },
  help: `
Its addresses answer "not found" at once on the replica that is asked next, and within 5 seconds on all; its feed
answers 410. Its rows are then deleted in batches of 1,000. If the command stops halfway, run it again to continue. A
new measure or project may have the same number; the ids of its surveys are never reused.

Examples:
  soundings source remove --account 4001 --measure 8840868 --dry-run
  soundings source remove --account 4001 --project 3223 --yes
`,
  validate(input) {
    const name = namedSource(input);
    if (name === null) throw new CommandError('Name one of --measure and --project.');
    return name;
  },
  load: () => import('./removal.ts'),
  act: (call, { removeSource }) => removeSource(call),
  says: ({ accountId, kind, key, responses, removed }) =>
    removed
      ? `The ${kind} ${key} of account ${accountId} is removed, with all of its responses.`
      : `The ${kind} ${key} of account ${accountId} would be removed, with ${numberText(responses)} responses. Nothing was changed.`,
});

export const sourceFamily = family('source', 'remove measures and projects', { remove });
