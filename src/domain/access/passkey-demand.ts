// SOUNDINGS_REQUIRE_PASSKEY: operators and admins who came by a link or a password have no abilities, and can do nothing but add a
// passkey and sign in by it. An identity provider has asked for what its organisation demands (D-826).

import type { Visitor } from './visitor.ts';

/** The visitor as they may act where a passkey is demanded of the powerful. */
export function heldToPasskey(visitor: Visitor, isDemanded: boolean): Visitor {
  const { person, roles, way } = visitor;
  const isPowerful = person.kind === 'operator' || roles.has('admin');
  if (!isDemanded || !isPowerful || way === 'passkey' || way === 'provider') return visitor;
  return { ...visitor, abilities: new Set(), isPasskeyDue: true };
}

/** What is left to them: to see who they are, to add a passkey, and to sign out. */
export const passkeyRoutes: ReadonlySet<string> = new Set([
  'GET /console/api/session',
  'DELETE /console/api/session',
  'GET /console/api/live',
  'GET /console/api/me',
  'GET /console/api/me/passkeys',
  'POST /console/api/me/passkeys/options',
  'POST /console/api/me/passkeys',
]);
