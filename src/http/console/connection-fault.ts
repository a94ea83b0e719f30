// What is the matter with a connection to an identity provider, if anything: the provider is asked for its metadata now, and
// told the time by it. "soundings doctor" and the console say the same of it.

import { Problem } from '../../domain/problem.ts';
import type { Connection } from '../../store/access/connections.ts';
import { SealingKeyMissing } from '../../store/access/sealer.ts';
import { ReceiverAddresses } from '../webhooks/receiver-address.ts';
import { type ProviderFetch, providerFetch } from './provider-fetch.ts';
import { SignInRefused } from './provider-refusal.ts';
import { Providers } from './providers.ts';

/** What the signatures and times of a sign-in bear. */
const clockSkewMaxMs = 30_000;

export const connectionFaultCodes = ['noSecret', 'provider', 'secretLost', 'clock'] as const;

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
  | { readonly kind: 'clock'; readonly seconds: number; readonly side: 'ahead' | 'behind' };

export async function connectionFault(
  context: ConstructorParameters<typeof Providers>[0],
  connection: Connection,
): Promise<ConnectionFault | null> {
  const { accountId, id } = connection;
  const clock: ProviderClock = { aheadMs: null };
  const fetch = providerFetch(new ReceiverAddresses(context.config.webhookNetworks));
  // One of its own, so that nothing is remembered from before.
  const providers = new Providers(context, noting(clock, fetch));
  try {
    await providers.of(connection);
  } catch (error) {
    if (error instanceof SignInRefused) {
      const says = `nobody can sign in: ${error.note}.`;
      return error.code === 'connectionUnready'
        ? { code: 'noSecret', says, why: { kind: 'noSecret' } }
        : { code: 'provider', says, why: { kind: 'provider', reason: error.note } };
    }
    const again = `soundings connection secret ${id} --account ${accountId}`;
    if (error instanceof SealingKeyMissing)
      return {
        code: 'secretLost',
        says: `its client secret cannot be opened. ${error.message} Or set it anew: ${again}`,
        why: { kind: 'keyLost', kid: error.kid },
      };
    if (error instanceof Problem) throw error;
    return {
      code: 'secretLost',
      says: `its client secret is not what was sealed. Set it anew: ${again}`,
      why: { kind: 'secretLost' },
    };
  }
  if (clock.aheadMs === null || Math.abs(clock.aheadMs) <= clockSkewMaxMs) return null;
  const seconds = Math.round(Math.abs(clock.aheadMs) / 1_000);
  const side = clock.aheadMs > 0 ? 'ahead' : 'behind';
  return {
    code: 'clock',
    says: `the clock of its provider is ${seconds} s ${side === 'ahead' ? 'ahead of' : side} this one, and ID tokens have a time: set both by NTP.`,
    why: { kind: 'clock', seconds, side },
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
