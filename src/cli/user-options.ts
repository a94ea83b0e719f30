// How verbs are given a user (D-892). Separate from the finding itself, which loads the store.

import { type Command, Option } from 'commander';

export const userHelp = '\nUSER is the id, externalId or userName of the user.\n';
export const userToShowHelp = '\nUSER is the id, externalId, userName or mail address of the user.\n';

/** The user of a verb that changes something; one that only shows finds mail addresses too. */
export function namesUser(command: Command, kind: 'shows' | 'changes' = 'changes'): Command {
  const keys = kind === 'shows' ? ['id', 'externalId', 'userName', 'mail'] : ['id', 'externalId', 'userName'];
  return command
    .argument(
      '<user>',
      `${keys.slice(0, -1).join(', ')} or ${keys.at(-1)}${kind === 'shows' ? ' address' : ''}`,
    )
    .addOption(new Option('--by <key>', 'what USER is, if it may mean several').choices(keys));
}

/** The same where somebody is granted something, let in or deleted: the person is named first, and asked about at a terminal. */
export function namesPerson(command: Command): Command {
  return namesUser(command).option('--yes', 'do not ask whether it is this person');
}
