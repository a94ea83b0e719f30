// What a look at a connection has found, each with a code for the page and a sentence for whoever reads the answer itself.

import { tokenWarningDays } from '../../contract/access/provisioning-token.ts';
import type { codes } from '../../contract/providers/findings.ts';
import { type connectionDoubts, doubtsOf } from '../../domain/access/provider-kind.ts';
import type { Connection } from '../../store/access/connections.ts';
import type { UsersWithoutWay } from '../../store/people/user-connections.ts';
import type { ConnectionFault } from './connection-fault.ts';
import type { WatchedToken } from './token-view.ts';

interface ConnectionFinding {
  readonly code: (typeof codes)[number];
  readonly level: 'good' | 'warning' | 'bad';
  readonly says: string;
  readonly count?: number;
  readonly reason?: string;
}

const doubts: Readonly<Record<(typeof connectionDoubts)[number], string>> = {
  entraClaim: 'The sub of Entra ID is another one for each application: the claim should be oid.',
  entraTenant: 'The issuer stands for several tenants: name your own by its id.',
  oktaServer:
    'A custom authorization server of Okta has the login as sub: use the org authorization server, or a claim with the user id.',
};

export function findingsOf({
  connection,
  fault,
  users,
  tokens,
}: {
  readonly connection: Connection;
  readonly fault: ConnectionFault | null;
  readonly users: UsersWithoutWay;
  readonly tokens: readonly WatchedToken[];
}): readonly ConnectionFinding[] {
  const found: ConnectionFinding[] = [];
  if (fault === null)
    found.push({ code: 'answers', level: 'good', says: 'The provider answers as it should.' });
  else
    found.push({
      code: fault.code,
      level: fault.code === 'clock' ? 'warning' : 'bad',
      says: sentence(fault.says),
      ...(fault.why.kind === 'clock' ? { count: fault.why.seconds } : {}),
      ...(fault.why.kind === 'provider' ? { reason: fault.why.reason } : {}),
    });
  for (const code of doubtsOf(connection)) found.push({ code, level: 'warning', says: doubts[code] });
  const { withoutExternalId, ofOtherConnection } = users;
  if (withoutExternalId > 0)
    found.push({
      code: 'withoutExternalId',
      level: 'warning',
      count: withoutExternalId,
      says: `${withoutExternalId} active users have no externalId, so nobody is linked with them.`,
    });
  if (ofOtherConnection > 0)
    found.push({
      code: 'ofOtherConnection',
      level: 'warning',
      count: ofOtherConnection,
      says: `${ofOtherConnection} active users belong to another connection.`,
    });
  const live = tokens.filter(({ state }) => state === 'live');
  if (live.length === 0)
    found.push({
      code: 'noToken',
      level: 'warning',
      says: 'No live provisioning token belongs to this connection.',
    });
  else if (live.every(({ endsSoon }) => endsSoon))
    found.push({
      code: 'tokenEnds',
      level: 'warning',
      says: `Its provisioning token ends within ${tokenWarningDays} days: make the next one.`,
    });
  if (connection.testedAtMs === null)
    found.push({
      code: 'notSignedIn',
      level: 'warning',
      says: 'Nobody has signed in through it as it is now.',
    });
  return found;
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
