// soundings setup-link create, list and revoke: as the console does it, for whoever has a terminal (D-601).

import { linkCodeOf } from '../domain/access/one-time-link.ts';
import { kindOfIssuer, type ProviderKind, providerKinds } from '../domain/access/provider-kind.ts';
import { hashSecret } from '../domain/access/secret.ts';
import { setupLinkDays } from '../domain/access/setup-link.ts';
import { dayMs } from '../domain/dates.ts';
import { findConnection } from '../store/access/connections.ts';
import {
  createSetupLink,
  findSetupLink,
  removeSetupLink,
  type SetupLink,
} from '../store/access/setup-links.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { linkMaker } from './console-link.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

export interface SetupLinkOptions extends OfAccount {
  readonly kind?: string;
  readonly connection?: string;
  readonly days?: string;
  readonly mayChangeAdmins?: boolean;
}

export async function createLink(terminal: Terminal, flags: Flags, options: SetupLinkOptions): Promise<void> {
  const accountId = accountIdOf(options.account);
  if (options.kind !== undefined && options.connection !== undefined)
    throw new CommandError('Name --kind or --connection, not both.');
  const kind = kindOf(options.kind);
  const days = daysOf(options.days);
  await withContext(terminal, flags, async (context) => {
    const { db } = context;
    await demandAccount({ db }, accountId);
    const connection =
      options.connection === undefined ? null : await findConnection(db, accountId, options.connection);
    if (connection === null && options.connection !== undefined)
      throw new CommandError(
        `Account ${accountId} has no connection "${visible(options.connection.slice(0, 100))}". See "soundings connection list --account ${accountId}".`,
      );
    const { address, secretKey } = await linkMaker(context);
    const stamp = changeStamp(context);
    const secret = context.newSecret();
    const expiresAtMs = stamp.nowMs + days * dayMs;
    const id = `sl_${context.newId().replaceAll('-', '')}`;
    await db.write(createSetupLink, {
      ...stamp,
      accountId,
      id,
      codeHash: hashSecret(secret, secretKey),
      kind: connection === null ? kind : kindOfIssuer(connection.issuer),
      connectionId: connection?.id ?? null,
      expiresAtMs,
      mayChangeAdmins: options.mayChangeAdmins === true,
    });
    const url = address.to(`/setup#${linkCodeOf({ accountId, secret })}`);
    const expiresAt = timeText(expiresAtMs);
    if (options.json === true) {
      terminal.print(JSON.stringify({ accountId, id, url, expiresAt }));
      return;
    }
    terminal.print(url);
    terminal.tell(
      `Whoever has it connects an identity provider to account ${accountId}, until ${expiresAt}. It is not shown again, and ends the link before.`,
    );
  });
}

export async function listLinks(terminal: Terminal, flags: Flags, options: OfAccount): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    await demandAccount(context, accountId);
    const link = await findSetupLink(context.db, accountId, context.now());
    if (options.json === true) {
      terminal.print(JSON.stringify(link === null ? [] : [shown(link)]));
      return;
    }
    if (link === null) return terminal.tell(`Account ${accountId} has no set-up link that works.`);
    const { id, kind, createdBy, connectionId, expiresAt, usedAt, mayChangeAdmins } = shown(link);
    const of = connectionId === null ? 'a new connection' : `connection ${connectionId}`;
    const opened = usedAt === null ? 'not opened yet' : `first opened ${usedAt}`;
    const may = mayChangeAdmins ? ', its token may change admins' : '';
    terminal.print(`${id}  ${kind}, ${of}, by ${visible(createdBy)}, until ${expiresAt}, ${opened}${may}`);
  });
}

export async function revokeLink(terminal: Terminal, flags: Flags, options: OfAccount): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async (context) => {
    await demandAccount(context, accountId);
    const link = await findSetupLink(context.db, accountId, context.now());
    const changed =
      link !== null &&
      (await context.db.write(removeSetupLink, {
        ...changeStamp(context),
        accountId,
        id: link.id,
        isDone: false,
      }));
    if (options.json === true) {
      terminal.print(JSON.stringify({ accountId, id: link?.id ?? null, changed }));
      return;
    }
    terminal.print(
      changed
        ? `The set-up link of account ${accountId} opens nothing any more.`
        : `Account ${accountId} has no set-up link that works: nothing to change.`,
    );
  });
}

function kindOf(text: string | undefined): ProviderKind {
  if (text === undefined) return 'other';
  const kind = providerKinds.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw new CommandError(
    `--kind must be one of ${providerKinds.join(', ')}, not "${visible(text.slice(0, 100))}".`,
  );
}

function daysOf(text: string | undefined): number {
  const { min, usual, max } = setupLinkDays;
  const days = text === undefined ? usual : Number(text);
  if ((text === undefined || /^\d{1,3}$/.test(text)) && days >= min && days <= max) return days;
  throw new CommandError(`--days must be a whole number from ${min} to ${max}.`);
}

function shown(link: SetupLink) {
  const { id, kind, connectionId, createdBy, createdAtMs, expiresAtMs, usedAtMs } = link;
  return {
    ...{ id, kind, connectionId, createdBy, mayChangeAdmins: link.mayChangeAdmins === 1 },
    createdAt: timeText(createdAtMs),
    expiresAt: timeText(expiresAtMs),
    usedAt: usedAtMs === null ? null : timeText(usedAtMs),
  };
}

function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
