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
import { CommandError, type Terminal, table } from './terminal.ts';

const daysDefault = 365;
const daysMax = 3650;

export async function createToken(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { readonly name: string; readonly days?: string },
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
    const token = { accountId, id, name, secretHash, expiresAtMs };
    await context.db.write(createProvisioningToken, { ...stamp, ...token });
    // One line, once: whoever runs this keeps the token, we keep its hash (D-15).
    terminal.print(JSON.stringify({ id, token: secret, expires: new Date(expiresAtMs).toISOString() }));
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
      created: new Date(token.createdAtMs).toISOString(),
      expires: new Date(token.expiresAtMs).toISOString(),
      revoked: token.revokedAtMs === null ? null : new Date(token.revokedAtMs).toISOString(),
    }));
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0) {
      return terminal.print(
        `Account ${accountId} has no provisioning tokens. Make one with "soundings provisioning-token create".`,
      );
    }
    const rows = shown.map((one) => [one.id, one.state, one.expires.slice(0, 10), one.name]);
    terminal.print(table([['TOKEN', 'STATE', 'EXPIRES', 'NAME'], ...rows]));
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

function daysOf(text: string | undefined): number {
  const days = text === undefined ? daysDefault : /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= daysMax) return days;
  throw new CommandError(`--days must be a whole number from 1 to ${daysMax}, not "${text}".`);
}
