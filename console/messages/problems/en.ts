// What went wrong, for every page; loaded behind its first look.

/** By the code of an error. */
const problems = {
  SIGN_IN_REFUSED: 'That did not match. Check what you typed and try again.',
  PASSKEY_REFUSED: 'This passkey does not work here. Choose another one, or another way to sign in.',
  PASSKEY_QUESTION_ENDED: 'That took too long, or was answered already. Please try again.',
  PASSKEY_COUNTED_BACK:
    'Your passkey’s counter went backwards, as that of a copy would. Sign in another way, remove the passkey and add it again.',
  SIGN_IN_REQUIRED: 'Your session has ended. Please sign in again.',
  THROTTLED: 'Too many attempts. Wait a moment and try again.',
  UNREACHABLE: 'The service cannot be reached. Check your connection and try again.',
  MAINTENANCE: 'The service is under maintenance. Please come back later.',
  USER_NAME_TAKEN: 'Another user of the account has this name. Choose another one.',
  GROUP_NAME_TAKEN: 'Another group of the account has this name. Choose another one.',
  INTERNAL_ERROR:
    'Something failed in the service. Try again, and quote the request below if it keeps happening.',
};

/** By the code of an error about which the service says more, in English. */
const general = {
  ABILITY_MISSING: 'None of your roles allows this. Ask an admin of the account for one that does.',
  CONFLICT: 'This conflicts with the current state.',
  NO_ANSWER:
    'The service does not answer at the moment. Try again, and quote the request below if it keeps happening.',
};

/** By the code of a fault in what was typed. */
const faults = {
  INVALID_LENGTH: 'A password has 15 to 256 characters.',
  INVALID_TEXT: 'A password has no tabs and no line breaks.',
  TOO_COMMON: 'This password is too common or too easy to guess. A few unrelated words are safer.',
};

export const texts = {
  problems,
  general,
  faults,
  conflictToDo: 'Look at the current state, and try again. What you typed is still here.',
  failed: 'That did not work.',
  request: 'Request',
};

/** A language that lacks one of these does not compile. */
export type ProblemTexts = typeof texts;
