// soundings provisioning-token ...: what an administrator pastes into an identity provider.

import { provisioningSecretPrefix } from '../domain/access/secret.ts';
import {
  createProvisioningToken,
  listProvisioningTokens,
  type ProvisioningToken,
  revokeProvisioningToken,
} from '../store/access/provisioning-tokens.ts';
import { accountIdOf, hashed } from './client.ts';
import { type Flags, withContext } from './open-context.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

const nameLengthMax = 255;
const dayMs = 86_400_000;
const daysDefault = 365;
const daysMax = 3650;

interface OfAccount {
  readonly account: string;
  readonly json?: boolean;
}

export async function createToken(
  terminal: Terminal,
  flags: Flags,
  options: OfAccount & { readonly name: string; readonly days?: string },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const name = options.name.trim();
  if (name === '' || name.length > nameLengthMax) {
    throw new CommandError(`--name must have 1 to ${nameLengthMax} characters.`);
  }
  const days = daysOf(options.days);
  await withContext(terminal, flags, async (context) => {
    const id = `pt_${context.newId().replaceAll('-', '')}`;
    const token = `${provisioningSecretPrefix}${context.newSecret()}`;
    const nowMs = context.now();
    const expiresAtMs = nowMs + days * dayMs;
    await context.db.write(createProvisioningToken, {
      changeId: context.newId(),
      nowMs,
      actor: 'command line',
      accountId,
      id,
      name,
      secretHash: await hashed(context, token),
      expiresAtMs,
    });
    // One line, once: whoever runs this keeps the token, we keep its hash (D-15).
    terminal.print(JSON.stringify({ id, token, expires: new Date(expiresAtMs).toISOString() }));
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
      changeId: context.newId(),
      nowMs: context.now(),
      actor: 'command line',
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
