// What is the matter with a connection to an identity provider, if anything: the provider is asked for its metadata now, and
// told the time by it. "soundings doctor" and the console say the same of it.

import type { connectionFaultCodes } from '../../contract/providers/connection-fault.ts';
import { type ClockApart, connectionWords } from '../../domain/operations/connection-words.ts';
import { Problem } from '../../domain/problem.ts';
import type { Connection } from '../../store/access/connections.ts';
import { SealingKeyMissing } from '../../store/access/sealer.ts';
import { ReceiverAddresses } from '../webhooks/receiver-address.ts';
import { type ProviderFetch, providerFetch } from './provider-fetch.ts';
import { SignInRefused } from './provider-refusal.ts';
import { Providers } from './providers.ts';

/** What the signatures and times of a sign-in bear. */
const clockSkewMaxMs = 30_000;

export interface ConnectionFault {
  readonly code: (typeof connectionFaultCodes)[number];
  readonly says: string;
  readonly why: Why;
}

/** The same without words. */
type Why =
  | { readonly kind: 'noSecret' | 'secretLost' }
  | { readonly kind: 'provider'; readonly reason: string }
  | { readonly kind: 'keyLost'; readonly kid: string }
  | ({ readonly kind: 'clock' } & ClockApart);

export async function connectionFault(
  context: ConstructorParameters<typeof Providers>[0],
  connection: Connection,
): Promise<ConnectionFault | null> {
  const of = { id: connection.id, account: connection.accountId };
  const clock: ProviderClock = { aheadMs: null };
  const fetch = providerFetch(new ReceiverAddresses(context.config.webhookNetworks));
  // One of its own, so that nothing is remembered from before.
  const providers = new Providers(context, noting(clock, fetch));
  try {
    await providers.of(connection);
  } catch (error) {
    if (error instanceof SignInRefused) {
      if (error.code === 'connectionUnready')
        return { code: 'noSecret', says: connectionWords.noSecret(), why: { kind: 'noSecret' } };
      const why = { kind: 'provider', reason: error.message } as const;
      return { code: 'provider', says: connectionWords.provider(why), why };
    }
    if (error instanceof SealingKeyMissing) {
      const why = { kind: 'keyLost', kid: error.kid } as const;
      return { code: 'secretLost', says: connectionWords.keyLost({ ...of, kid: error.kid }), why };
    }
    if (error instanceof Problem) throw error;
    return { code: 'secretLost', says: connectionWords.secretLost(of), why: { kind: 'secretLost' } };
  }
  if (clock.aheadMs === null || Math.abs(clock.aheadMs) <= clockSkewMaxMs) return null;
  const why = {
    kind: 'clock',
    seconds: Math.round(Math.abs(clock.aheadMs) / 1_000),
    side: clock.aheadMs > 0 ? 'ahead' : 'behind',
  } as const;
  return { code: 'clock', says: connectionWords.clock(why), why };
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
