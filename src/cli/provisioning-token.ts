// soundings provisioning-token ...: what an administrator pastes into an identity provider.

import { provisioningSecretPrefix } from '../domain/access/secret.ts';
import { dayMs } from '../domain/dates.ts';
import {
  createProvisioningToken,
  listProvisioningTokens,
  type ProvisioningToken,
  revokeProvisioningToken,
} from '../store/access/provisioning-tokens.ts';
import { changeStamp } from './change-stamp.ts';
import { newCredentialId, newSecret } from './credential.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, checkName, type OfAccount } from './options.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

const daysDefault = 365;
const daysMax = 3650;

export async function createToken(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { readonly name: string; readonly days?: string; readonly readOnly?: boolean },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const name = options.name.trim();
  checkName(name);
  const days = daysOf(options.days);
  await withContext(terminal, flags, async (context) => {
    const id = newCredentialId(context, 'pt_');
    const { secret, secretHash } = await newSecret(context, provisioningSecretPrefix);
    const stamp = changeStamp(context);
    const expiresAtMs = stamp.nowMs + days * dayMs;
    const isReadOnly = options.readOnly === true;
    const token = { accountId, id, name, secretHash, expiresAtMs, isReadOnly };
    await context.db.write(createProvisioningToken, { ...stamp, ...token });
    // One line, once: whoever runs this keeps the token, we keep its hash (D-15).
    const expires = new Date(expiresAtMs).toISOString();
    terminal.print(JSON.stringify({ id, token: secret, expires, ...(isReadOnly && { readOnly: true }) }));
    if (options.json !== true) terminal.tell('Keep the token now: it is not shown again.');
  });
}

export async function listTokens(terminal: Terminal, flags: Flags, options: OfAccount): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const nowMs = context.now();
    const tokens = await listProvisioningTokens(context.db, accountId);
    const shown = tokens.map((token) => ({
      id: token.id,
      accountId,
      name: token.name,
      state: stateOf(token, nowMs),
      readOnly: token.isReadOnly,
      created: new Date(token.createdAtMs).toISOString(),
      expires: new Date(token.expiresAtMs).toISOString(),
      revoked: token.revokedAtMs === null ? null : new Date(token.revokedAtMs).toISOString(),
      lastUsed: token.usedAtMs === null ? null : new Date(token.usedAtMs).toISOString(),
    }));
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0) {
      return terminal.print(
        `Account ${accountId} has no provisioning tokens. Make one with "soundings provisioning-token create".`,
      );
    }
    const rows = shown.map((one) => [
      one.id,
      one.state,
      one.readOnly ? 'reads' : 'reads and changes',
      one.expires.slice(0, 10),
      one.lastUsed === null ? 'never' : `${one.lastUsed.slice(0, 16)}Z`,
      one.name,
    ]);
    terminal.print(table([['TOKEN', 'STATE', 'MAY', 'EXPIRES', 'LAST USE', 'NAME'], ...rows]));
    for (const token of tokens)
      if (stateOf(token, nowMs) === 'live' && token.expiresAtMs < nowMs + endingSoonMs)
        terminal.tell(`Warning: ${endingInWords(token, nowMs)}`);
  });
}

export async function revokeToken(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount,
): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const changed = await context.db.write(revokeProvisioningToken, {
      ...changeStamp(context),
      accountId,
      id,
    });
    if (options.json === true) return terminal.print(JSON.stringify({ id, revoked: true, changed }));
    terminal.print(
      changed ? `${id} is revoked; it stops working within 5 seconds.` : `${id} was revoked already.`,
    );
  });
}

function stateOf(token: ProvisioningToken, nowMs: number): 'live' | 'expired' | 'revoked' {
  if (token.revokedAtMs !== null) return 'revoked';
  return nowMs < token.expiresAtMs ? 'live' : 'expired';
}

/** So long before its end a token is warned of: a provider has to be given another one by hand. */
export const endingSoonMs = 30 * dayMs;

export function endingInWords(
  { id, accountId, name, expiresAtMs }: ProvisioningToken,
  nowMs: number,
): string {
  const days = Math.floor((expiresAtMs - nowMs) / dayMs);
  const when = days === 0 ? 'within a day' : days === 1 ? 'in a day' : `in ${days} days`;
  return `${id} of account ${accountId} (${visible(name)}) ends ${when}: make another one, give it to the provider, and revoke this one.`;
}

function daysOf(text: string | undefined): number {
  const days = text === undefined ? daysDefault : /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= daysMax) return days;
  throw new CommandError(`--days must be a whole number from 1 to ${daysMax}, not "${text}".`);
}
