// How verbs are given a user (D-892). Separate from the finding itself, which loads the store.

import { argument, ofAccount, oneOf, toggle } from '../frame/takes.ts';

export const userHelp = '\nUSER is the id, externalId or userName of the user.\n';
export const userToShowHelp = '\nUSER is the id, externalId, userName or mail address of the user.\n';

export const account = ofAccount('the account they belong to');

const what = 'what USER is, if it may mean several';

/** The user of a verb that changes something. */
export const userToChange = {
  user: argument('id, externalId or userName'),
  by: oneOf('<key>', what, ['id', 'externalId', 'userName']),
} as const;

/** One that only shows finds mail addresses too. */
export const userToShow = {
  user: argument('id, externalId, userName or mail address'),
  by: oneOf('<key>', what, ['id', 'externalId', 'userName', 'mail']),
} as const;

/** The same where somebody is granted something, let in or deleted: the person is named first, and asked about at a terminal. */
export const person = { ...userToChange, yes: toggle('do not ask whether it is this person') } as const;
