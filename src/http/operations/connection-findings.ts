// What "soundings doctor" says of connections to identity providers: nobody can sign in to say so themselves. Providers are
// asked a few at a time and within a bound for all of them, so that one that hangs does not hold the rest up.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import type { Config } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';
import { type Connection, connectionsOfAll } from '../../store/access/connections.ts';
import { SealingKeyMissing } from '../../store/access/sealer.ts';
import type { Db } from '../../store/engine/db.ts';
import { type ProviderFetch, providerFetch } from '../console/provider-fetch.ts';
import { SignInRefused } from '../console/provider-refusal.ts';
import { Providers } from '../console/providers.ts';
import { ReceiverAddresses } from '../webhooks/receiver-address.ts';
import type { Finding } from './finding.ts';

const check = 'providers';
/** So many are looked at, and so many of those that have a fault are named. */
const askedMax = 50;
const named = 5;
const askedAtOnce = 5;
/** Nobody more is asked after this. */
const patienceMs = 20_000;
/** What the signatures and times of a sign-in bear. */
const clockSkewMaxMs = 30_000;

export async function connectionFindings(db: Db, config: Config): Promise<readonly Finding[]> {
  const connections = await connectionsOfAll(db, askedMax + 1);
  if (connections.length === 0) return [];
  const asked = connections.slice(0, askedMax);
  const looked = await lookAt(db, config, asked);
  const warning = (says: string): Finding => ({ check, isRight: true, isWarning: true, says });
  const troubled = looked.flatMap((one, at): Finding[] => {
    if (one === 'notAsked' || one.fault === null) return [];
    const { accountId, id } = asked[at]!;
    const says = `${id} of account ${accountId}: ${one.fault.says}`;
    return [one.fault.isOurs ? { check, isRight: false, says } : warning(says)];
  });
  // What is wrong here comes first.
  const findings = troubled
    .toSorted((one, other) => Number(one.isRight) - Number(other.isRight))
    .slice(0, named);
  const more = troubled.length - findings.length;
  if (more > 0) findings.push(warning(`${more} more: see "soundings connection test".`));
  const isRest = connections.length > askedMax || looked.includes('notAsked');
  const count = looked.filter((one) => one !== 'notAsked').length;
  if (isRest) findings.push(warning(`Only ${count} were asked: "soundings connection test" asks one.`));
  if (findings.length > 0) return findings;
  return [{ check, isRight: true, says: `${count}, whose providers answer as they should` }];
}

interface Fault {
  readonly says: string;
  /** Nothing that the provider does mends it. */
  readonly isOurs: boolean;
}

type Looked = { readonly fault: Fault | null } | 'notAsked';

/** A few at a time; nobody is asked any more when the time for all of them is over. */
async function lookAt(
  db: Db,
  config: Config,
  connections: readonly Connection[],
): Promise<readonly Looked[]> {
  const looked: Looked[] = connections.map(() => 'notAsked');
  const endMs = performance.now() + patienceMs;
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < connections.length && performance.now() < endMs) {
      const at = next;
      next += 1;
      looked[at] = { fault: await faultOf(db, config, connections[at]!) };
    }
  };
  await Promise.all(Array.from({ length: askedAtOnce }, work));
  return looked;
}

async function faultOf(db: Db, config: Config, connection: Connection): Promise<Fault | null> {
  const { accountId, id } = connection;
  const clock: ProviderClock = { aheadMs: null };
  const providers = new Providers(
    {
      config,
      db,
      now: Date.now,
      elapsedMs: () => performance.now(),
      newId: randomUUIDv7,
      newSecret: () => randomBytes(32).toString('base64url'),
    },
    noting(clock, providerFetch(new ReceiverAddresses(config.webhookNetworks))),
  );
  try {
    await providers.of(connection);
  } catch (error) {
    if (error instanceof SignInRefused) return { says: `nobody can sign in: ${error.note}.`, isOurs: false };
    const again = `soundings connection secret ${id} --account ${accountId}`;
    if (error instanceof SealingKeyMissing)
      return {
        says: `its client secret cannot be opened. ${error.message} Or set it anew: ${again}`,
        isOurs: true,
      };
    if (error instanceof Problem) throw error;
    return { says: `its client secret is not what was sealed. Set it anew: ${again}`, isOurs: true };
  }
  if (clock.aheadMs === null || Math.abs(clock.aheadMs) <= clockSkewMaxMs) return null;
  const seconds = Math.round(Math.abs(clock.aheadMs) / 1_000);
  return {
    says: `the clock of its provider is ${seconds} s ${clock.aheadMs > 0 ? 'ahead of' : 'behind'} this one, and ID tokens have a time: set both by NTP.`,
    isOurs: false,
  };
}

interface ProviderClock {
  /** Null where the provider does not tell the time. */
  aheadMs: number | null;
}

/** The first answer that tells the time is enough. */
function noting(clock: ProviderClock, fetch: ProviderFetch): ProviderFetch {
  return async (url, options) => {
    const answer = await fetch(url, options);
    const told = Date.parse(answer.headers.get('date') ?? '');
    if (clock.aheadMs === null && Number.isFinite(told)) clock.aheadMs = told - Date.now();
    return answer;
  };
}
