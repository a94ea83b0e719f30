// What "soundings doctor" says of connections to identity providers: nobody can sign in to say so themselves. Providers are
// asked a few at a time and within a bound for all of them, so that one that hangs does not hold the rest up.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Config } from '../../config.ts';
import { type Connection, connectionsOfAll } from '../../store/access/connections.ts';
import type { Db } from '../../store/engine/db.ts';
import { type ConnectionFault, connectionFault } from '../access/connection-fault.ts';
import { type Finding, finding } from './finding.ts';

const check = 'providers';
/** So many are looked at, and so many of those that have a fault are named. */
const askedMax = 50;
const named = 5;
const askedAtOnce = 5;
/** Nobody more is asked after this. */
const patienceMs = 20_000;

export async function connectionFindings(db: Db, config: Config): Promise<readonly Finding[]> {
  const connections = await connectionsOfAll(db, askedMax + 1);
  if (connections.length === 0) return [];
  const asked = connections.slice(0, askedMax);
  const looked = await lookAt(db, config, asked);
  const troubled = looked.flatMap((one, at): Finding[] =>
    one === 'notAsked' || one.fault === null ? [] : [faultFinding(one.fault, asked[at]!)],
  );
  // What is wrong here comes first.
  const findings = troubled
    .toSorted((one, other) => Number(one.isRight) - Number(other.isRight))
    .slice(0, named);
  const more = troubled.length - findings.length;
  if (more > 0) findings.push(finding(check, 'warning', 'connectionsMore', { count: more }));
  const isRest = connections.length > askedMax || looked.includes('notAsked');
  const count = looked.filter((one) => one !== 'notAsked').length;
  if (isRest) findings.push(finding(check, 'warning', 'connectionsNotAsked', { count }));
  if (findings.length > 0) return findings;
  return [finding(check, 'right', 'connectionsRight', { count })];
}

function faultFinding({ why }: ConnectionFault, { id, accountId }: Connection): Finding {
  const of = { id, account: accountId };
  switch (why.kind) {
    case 'noSecret':
      return finding(check, 'warning', 'connectionWithoutSecret', of);
    case 'provider':
      return finding(check, 'warning', 'connectionUnanswered', { ...of, reason: why.reason });
    case 'keyLost':
      return finding(check, 'wrong', 'connectionKeyLost', { ...of, kid: why.kid });
    case 'secretLost':
      return finding(check, 'wrong', 'connectionSecretLost', of);
    case 'clock':
      return finding(check, 'warning', 'connectionClock', { ...of, seconds: why.seconds, side: why.side });
  }
}

type Looked = { readonly fault: ConnectionFault | null } | 'notAsked';

/** A few at a time; nobody is asked any more when the time for all of them is over. */
async function lookAt(
  db: Db,
  config: Config,
  connections: readonly Connection[],
): Promise<readonly Looked[]> {
  const looked: Looked[] = connections.map(() => 'notAsked');
  const endMs = performance.now() + patienceMs;
  const context = {
    config,
    db,
    now: Date.now,
    elapsedMs: () => performance.now(),
    newId: randomUUIDv7,
    newSecret: () => randomBytes(32).toString('base64url'),
  };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < connections.length && performance.now() < endMs) {
      const at = next;
      next += 1;
      looked[at] = { fault: await connectionFault(context, connections[at]!) };
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, work));
  return looked;
}
