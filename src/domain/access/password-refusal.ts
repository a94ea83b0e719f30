import { Problem } from '../problem.ts';

/**
 * The one sentence for a name that is not known, a person who may not sign in or has no password, and a password that is
 * wrong: it tells nobody which of them it was (D-334).
 */
export function passwordRefused(): Problem {
  return new Problem(
    'SIGN_IN_REFUSED',
    'Name or password is wrong, or this account is not entered by a password. Whoever manages its users can give you a link to set a new one.',
  );
}
