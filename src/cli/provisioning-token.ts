// soundings provisioning-token ...: what an administrator pastes into an identity provider.

import { endingInWords, endingSoonMs } from '../acts/operations/token-findings.ts';
import { tokenDaysMax } from '../domain/access/credential-bounds.ts';
import { commandLineRights } from '../domain/access/role-rules.ts';
import { shownToken, tokenState } from '../store/access/credential-views.ts';
import { newProvisioningToken } from '../store/access/new-credentials.ts';
import { listProvisioningTokens, revokeProvisioningToken } from '../store/access/provisioning-tokens.ts';
import { settledTokens } from '../store/access/token-marks.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, checkName, type OfAccount, printsJson } from './options.ts';
import { CommandError, factLines, type Terminal, table, visible } from './terminal.ts';

export interface TokenOptions extends OfAccount {
  readonly name: string;
  readonly days?: string;
  readonly readOnly?: boolean;
  readonly mayChangeAdmins?: boolean;
  readonly connection?: string;
}

export async function createToken(terminal: Terminal, flags: Flags, options: TokenOptions): Promise<void> {
  const accountId = accountIdOf(options.account);
  const name = options.name.trim();
  checkName(name);
  const days = daysOf(options.days);
  const mayChangeAdmins = options.mayChangeAdmins === true;
  if (mayChangeAdmins && options.readOnly === true)
    throw new CommandError('Name --read-only or --may-change-admins, not both.');
  await withContext(terminal, flags, async (context) => {
    const isReadOnly = options.readOnly === true;
    const { connection: connectionId } = options;
    const stamp = { ...changeStamp(context), rights: commandLineRights };
    const { id, secret, expiresAtMs } = await newProvisioningToken(context, stamp, {
      accountId,
      name,
      days,
      isReadOnly,
      mayChangeAdmins,
      ...(connectionId !== undefined && { connectionId }),
    });
    // Once: whoever runs this keeps the token, we keep its hash (D-15).
    const expires = new Date(expiresAtMs).toISOString();
    const may = { ...(isReadOnly && { readOnly: true }), mayChangeAdmins };
    if (printsJson(terminal, options)) terminal.print(JSON.stringify({ id, token: secret, expires, ...may }));
    else
      terminal.print(
        `The provisioning token of account ${accountId} is there.\n${factLines([
          ['token', secret],
          ['id', id],
          ['may', mayText({ readOnly: isReadOnly, mayChangeAdmins })],
          ['expires', expires],
        ])}`,
      );
    if (options.json !== true) terminal.tell('Keep the token now: it is not shown again.');
  });
}

export async function listTokens(terminal: Terminal, flags: Flags, options: OfAccount): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    const nowMs = context.now();
    const tokens = await settledTokens(context.db, await listProvisioningTokens(context.db, accountId));
    if (tokens.length === 0) await demandAccount(context, accountId);
    const shown = tokens.map((token) => shownToken(token, nowMs));
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0) {
      return terminal.print(
        `Account ${accountId} has no provisioning tokens. Make one with "soundings provisioning-token create".`,
      );
    }
    const rows = shown.map((one) => [
      one.id,
      one.state,
      mayText(one),
      one.expires.slice(0, 10),
      one.lastUsed === null ? 'never' : `${one.lastUsed.slice(0, 16)}Z`,
      one.name,
    ]);
    terminal.print(table([['TOKEN', 'STATE', 'MAY', 'EXPIRES', 'LAST USE', 'NAME'], ...rows]));
    for (const token of tokens)
      if (tokenState(token, nowMs) === 'live' && token.expiresAtMs < nowMs + endingSoonMs)
        terminal.tell(`Warning: ${visible(endingInWords(token, nowMs))}`);
  });
}

function mayText({ readOnly, mayChangeAdmins }: { readOnly: boolean; mayChangeAdmins: boolean }): string {
  if (readOnly) return 'reads';
  return mayChangeAdmins ? 'reads and changes, admins too' : 'reads and changes';
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

/** Undefined where nothing is said. */
function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= tokenDaysMax) return days;
  throw new CommandError(`--days must be a whole number from 1 to ${tokenDaysMax}, not "${text}".`);
}
