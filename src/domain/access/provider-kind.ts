// The identity providers that the set-up has words of its own for, and what is known of them without asking: the claim that
// names a person for ever, and what their issuers look like.

import { type ConnectionFacts, usualSubjectClaim } from './connection.ts';

export const providerKinds = ['entra', 'okta', 'other'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** How the name of a connection begins, until somebody writes another one. */
export const usualNames: Readonly<Record<ProviderKind, string>> = {
  entra: 'Entra ID',
  okta: 'Okta',
  other: 'Single sign-on',
};

const entraHosts = /^login\.(microsoftonline\.com|microsoftonline\.us|partner\.microsoftonline\.cn)$/;
const oktaHosts = /\.(okta|oktapreview|okta-emea|okta-gov)\.com$/;

/** By the address; a provider under a name of its own is any other. */
export function kindOfIssuer(issuer: string): ProviderKind {
  if (!URL.canParse(issuer)) return 'other';
  const { hostname } = new URL(issuer);
  if (entraHosts.test(hostname)) return 'entra';
  return oktaHosts.test(hostname) ? 'okta' : 'other';
}

/** The claim that is the same person in every application, and that the provider can put into externalId. */
export function claimOfKind(kind: ProviderKind): string {
  return kind === 'entra' ? 'oid' : usualSubjectClaim;
}

export const connectionDoubts = ['entraClaim', 'entraTenant', 'oktaServer'] as const;
/** What can be entered, and will hardly work. */
type ConnectionDoubt = (typeof connectionDoubts)[number];

export function doubtsOf({
  issuer,
  subjectClaim,
}: Pick<ConnectionFacts, 'issuer' | 'subjectClaim'>): readonly ConnectionDoubt[] {
  const kind = kindOfIssuer(issuer);
  const { pathname } = URL.canParse(issuer) ? new URL(issuer) : { pathname: '/' };
  const doubts: ConnectionDoubt[] = [];
  // The sub of Entra ID is another one for each application: nothing that is provisioned equals it.
  if (kind === 'entra' && subjectClaim === usualSubjectClaim) doubts.push('entraClaim');
  if (kind === 'entra' && /^\/(common|organizations|consumers)(\/|$)/.test(pathname))
    doubts.push('entraTenant');
  // A custom authorization server has the login as sub, which changes with a name.
  if (kind === 'okta' && subjectClaim === usualSubjectClaim && pathname.startsWith('/oauth2/'))
    doubts.push('oktaServer');
  return doubts;
}
