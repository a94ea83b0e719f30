import type { Ability, Role } from '../../src/domain/access/role.ts';
import type { SignInWay } from '../../src/domain/access/sign-in-way.ts';

const abilities: Readonly<Record<Ability, string>> = {
  'see scores': 'See scores and trends',
  'see responses': 'Read comments and single responses',
  'edit surveys': 'Edit surveys',
  'manage users': 'Manage users, groups and roles',
  'manage API clients': 'Manage API clients',
  'erase responses': 'Erase responses',
  'see audit': 'Read the audit log',
  'see own audit': 'Read your own entries in the audit log',
  operate: 'Operate this installation',
};
const roles: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  analyst: 'Analyst',
  editor: 'Editor',
  identity: 'Identity',
  admin: 'Admin',
};
const ways: Readonly<Record<SignInWay, string>> = {
  link: 'by a one-time link',
  passkey: 'by passkey',
  password: 'by password',
  provider: 'by your identity provider',
};
/** By the code of an error. */
const problems = {
  SIGN_IN_REFUSED: 'That did not match. Look at what you typed and try again.',
  PASSKEY_REFUSED: 'This passkey opens nothing here. Choose another one, or another way to sign in.',
  PASSKEY_QUESTION_ENDED: 'That took too long, or was answered already. Please try again.',
  PASSKEY_COUNTED_BACK:
    'Your passkey has counted backwards, as a copy of it would. Sign in another way, remove it and add it again.',
  SIGN_IN_REQUIRED: 'Your session has ended. Please sign in again.',
  THROTTLED: 'Too many attempts. Wait a moment and try again.',
  UNREACHABLE: 'The service cannot be reached. Check your connection and try again.',
  MAINTENANCE: 'The service is in maintenance. Please come back later.',
  USER_NAME_TAKEN: 'Another user of the account has this name. Choose another one.',
  GROUP_NAME_TAKEN: 'Another group of the account has this name. Choose another one.',
  INTERNAL_ERROR: 'The service failed. Try again, and quote the request below if it stays.',
};

/** By the code of an error about which the service says more, in English. */
const general = {
  ABILITY_MISSING: 'None of your roles allows this. Ask an admin of the account for one that does.',
  CONFLICT: 'This contradicts how it stands now.',
  NO_ANSWER: 'The service does not answer at the moment. Try again, and quote the request below if it stays.',
};

/** By the code of a fault in what was typed. */
const faults = {
  INVALID_LENGTH: 'A password has 15 to 256 characters.',
  INVALID_TEXT: 'A password has no tabs and no line breaks.',
  TOO_COMMON:
    'Others have this password, or would guess it. Some words that do not belong together are safer.',
};

export const en = {
  abilities,
  roles,
  ways,
  problems,
  general,
  conflictToDo: 'Look at how it stands now, and try again. What you typed is still here.',
  faults,
  claim: 'What your customers say, measured.',
  language: 'Language',
  theme: 'Appearance',
  themes: { system: 'System', light: 'Light', dark: 'Dark' },
  request: 'Request',
  working: 'One moment …',
  failed: 'That did not work.',
  refusedOther: 'The sign-in by your identity provider did not succeed. Please begin again.',

  signIn: 'Sign in',
  signInTitle: 'Sign in',
  freshTitle: 'Confirm it is you',
  freshLead: 'This step asks for a fresh sign-in. You come back to where you were.',
  withPasskey: 'Sign in with a passkey',
  withProvider: (name: string): string => `Continue with ${name}`,
  or: 'or',
  name: 'User name',
  password: 'Password',
  account: 'Account number',
  accountChoice: 'Account',
  accountHint: 'Operators leave it empty.',
  onlyProvider: 'This account signs in through its identity provider.',
  show: 'Show password',
  nameMissing: 'Enter your user name.',
  passwordMissing: 'Enter your password.',
  passkeyRefused: 'No passkey was used. Try again, or choose another way.',
  helpTitle: 'No way in?',
  help: 'Ask whoever manages users in your account for a new one-time link. Operators run “soundings operator link”.',

  linkWorking: 'Signing you in …',
  linkEndedTitle: 'This link has ended',
  linkEnded:
    'A one-time link works once and for a short while. This one was used already, or its time is over.',
  linkEndedHelp: 'Ask whoever sent it for a new one. Operators run “soundings operator link”.',
  toSignIn: 'Go to sign-in',
  welcome: (name: string): string => `Welcome, ${name}`,
  welcomeLead: 'You are signed in. Add a way to come back: the link does not work a second time.',
  later: 'Not now',
  done: 'Done',

  meTitle: 'Your account',
  signedInAs: 'Signed in as',
  inAccount: (name: string, id: number): string => `in ${name} (account ${id})`,
  operator: 'Operator',
  operatorOutside: 'Operator, in no account',
  since: (way: string, moment: string): string => `Signed in ${way}, ${moment}`,
  signOut: 'Sign out',
  signOutThere: 'Sign out at the provider too',
  adminWithheld:
    'You are an admin, but not in this session: what you signed in with goes back to a link made by somebody who is none. Ask an admin for a new link.',
  mayTitle: 'What you may do',
  mayNothing: 'None of your roles opens anything yet. Ask an admin of the account.',
  enterTitle: 'Enter an account',
  enterLead: 'Inside you may do what an admin may. Entering, and all you do there, stands in the audit log.',
  enter: 'Enter',
  leave: 'Leave the account',
  waysTitle: 'Ways to sign in',
  passkeys: 'Passkeys',
  passkeyLead: 'Your fingerprint, face or device PIN. Nothing to remember, nothing to steal.',
  noPasskeys: 'No passkey yet.',
  passkeyName: 'Name of the passkey',
  passkeyNameHint: 'So that you know it again, such as “Work laptop”.',
  passkeyDefault: 'My passkey',
  addPasskey: 'Add a passkey',
  passkeyAdded: 'The passkey was added.',
  passkeyNotMade: 'No passkey was made. Try again, or use another device.',
  passkeyKnown: 'This device has a passkey of yours already.',
  passkeyInsecure: 'Passkeys need https or localhost. Use a password here.',
  created: (moment: string): string => `Added ${moment}`,
  lastUsed: (moment: string): string => `Last used ${moment}`,
  neverUsed: 'Never used',
  remove: 'Remove',
  removeNamed: (name: string): string => `Remove ${name}`,
  passkeyRemoved: 'The passkey was removed.',
  newPassword: 'New password',
  newPasswordHint: 'At least 15 characters. A few words you can remember are best.',
  passwordShort: 'A password has at least 15 characters.',
  passwordSince: (moment: string): string => `Set ${moment}.`,
  noPassword: 'No password yet.',
  passwordRemoved: 'The password was removed.',
  removePassword: 'Remove the password',
  setPassword: 'Save password',
  passwordSet: 'The password was saved. You are signed out everywhere else.',
  sessionsTitle: 'Where you are signed in',
  thisSession: 'This browser',
  unknownBrowser: 'Unknown browser',
  end: 'End',
  endNamed: (name: string): string => `End the session of ${name}`,
  endAll: 'Sign out everywhere else',
  sessionEnded: 'The session was ended.',
  othersEnded: 'You are signed in here alone.',
};

/** A language that lacks one of these does not compile. */
export type Messages = typeof en;
