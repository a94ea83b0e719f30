// soundings connection create, secret, change, list, test, only, assign and remove.

import { readFileSync } from 'node:fs';
import { callbackPath } from '../acts/access/console-address.ts';
import { SignInRefused } from '../acts/access/provider-refusal.ts';
import { Providers } from '../acts/access/providers.ts';
import type { Context } from '../context.ts';
import { connectionFaults, newConnectionId, usualSubjectClaim } from '../domain/access/connection.ts';
import { readResourceId } from '../domain/provisioning/resource.ts';
import {
  type Connection,
  changeConnection,
  connectionSecretPurpose,
  createConnection,
  findConnection,
  listConnections,
  removeConnection,
  setConnectionOnly,
} from '../store/access/connections.ts';
import { Sealer } from '../store/access/sealer.ts';
import {
  setUserConnection,
  type UsersWithoutWay,
  usersWithoutWay,
} from '../store/people/user-connections.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, reasonOf, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount, printsJson } from './options.ts';
import { runningConsole } from './service-address.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

export interface FactOptions extends OfAccount {
  readonly name?: string;
  readonly issuer?: string;
  readonly clientId?: string;
  readonly claim?: string;
  readonly secretFile?: string;
}

export async function createOne(
  terminal: Terminal,
  flags: Flags,
  options: FactOptions & { readonly name: string; readonly issuer: string; readonly clientId: string },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const { issuer, clientId, claim: subjectClaim = usualSubjectClaim } = options;
  const name = options.name.trim();
  const secret = givenSecret(terminal, options.secretFile);
  refuseFaults({ name, issuer, clientId, subjectClaim, ...(secret !== null && { secret }) });
  await withContext(terminal, flags, async (context) => {
    const id = newConnectionId(context);
    const sealed =
      secret === null
        ? null
        : await new Sealer(context).seal(connectionSecretPurpose(accountId, id), secret, null);
    const facts = { accountId, id, name, issuer, clientId, subjectClaim };
    await context.db.write(createConnection, { ...changeStamp(context), ...facts, secret: sealed });
    const { callbackUrl } = await addressesOf(context, accountId, id);
    if (printsJson(terminal, options))
      terminal.print(JSON.stringify({ ...facts, hasSecret: secret !== null, callbackUrl }));
    else terminal.print(`The connection ${visible(name)} of account ${accountId} is there: ${id}`);
    if (options.json === true) return;
    terminal.tell(`The provider must know this as the redirect URI: ${callbackUrl}`);
    if (secret === null)
      terminal.tell(`Set the client secret by "soundings connection secret ${id} --account ${accountId}".`);
  });
}

export async function changeOne(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: FactOptions,
): Promise<void> {
  const { name, issuer, clientId, claim: subjectClaim } = options;
  const facts = {
    ...(name !== undefined && { name: name.trim() }),
    ...(issuer !== undefined && { issuer }),
    ...(clientId !== undefined && { clientId }),
    ...(subjectClaim !== undefined && { subjectClaim }),
  };
  if (Object.keys(facts).length === 0)
    throw new CommandError('Say what changes: --name, --issuer, --client-id or --claim.');
  refuseFaults(facts);
  await withContext(terminal, flags, async (context) => {
    const { accountId } = await connectionOf(context, id, options.account);
    await context.db.write(changeConnection, { ...changeStamp(context), accountId, id, ...facts });
    if (options.json === true) return terminal.print(JSON.stringify({ id, changed: Object.keys(facts) }));
    terminal.print(`${id} is changed.`);
  });
}

export async function setSecret(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount & { readonly secretFile?: string },
): Promise<void> {
  const secret = givenSecret(terminal, options.secretFile ?? '-');
  if (secret === null) throw new CommandError('The secret is missing.');
  refuseFaults({ secret });
  await withContext(terminal, flags, async (context) => {
    const { accountId } = await connectionOf(context, id, options.account);
    const sealed = await new Sealer(context).seal(connectionSecretPurpose(accountId, id), secret, null);
    await context.db.write(changeConnection, { ...changeStamp(context), accountId, id, secret: sealed });
    if (options.json === true) return terminal.print(JSON.stringify({ id, hasSecret: true }));
    terminal.print(
      `${id} has its secret. Try it by "soundings connection test ${id} --account ${accountId}".`,
    );
  });
}

export async function listAll(terminal: Terminal, flags: Flags, options: OfAccount): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async ({ db }) => {
    const shown = (await listConnections(db, accountId)).map((one) => ({
      id: one.id,
      accountId,
      name: one.name,
      issuer: one.issuer,
      clientId: one.clientId,
      subjectClaim: one.subjectClaim,
      hasSecret: one.secret !== null,
      only: one.isOnly,
      created: new Date(one.createdAtMs).toISOString(),
      tested: one.testedAtMs === null ? null : new Date(one.testedAtMs).toISOString(),
    }));
    if (options.json === true) return terminal.print(JSON.stringify(shown));
    if (shown.length === 0)
      return terminal.print(
        `Account ${accountId} has no connections. Make one with "soundings connection create".`,
      );
    const rows = shown.map((one) => [
      one.id,
      one.only ? 'only way in' : one.hasSecret ? 'open' : 'no secret yet',
      one.tested?.slice(0, 10) ?? 'never',
      one.subjectClaim,
      visible(`${one.name} ${one.issuer}`),
    ]);
    terminal.print(table([['CONNECTION', 'STATE', 'FIRST SIGN-IN', 'CLAIM', 'NAME AND ISSUER'], ...rows]));
  });
}

export async function testOne(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const connection = await connectionOf(context, id, options.account);
    const { accountId, clientId, secret, issuer } = connection;
    let fault: string | null = null;
    try {
      await new Providers(context).discover(connection, clientId, 'unused');
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      fault = error.message;
    }
    const without = await usersWithoutWay(context.db, accountId, id);
    const { callbackUrl, logoutUrl } = await addressesOf(context, accountId, id);
    if (options.json === true)
      terminal.print(
        JSON.stringify({ id, fault, hasSecret: secret !== null, callbackUrl, logoutUrl, ...without }),
      );
    else {
      if (fault === null) terminal.print(`${visible(issuer)} answers as it should.`);
      terminal.print(`Redirect URI: ${callbackUrl}`);
      terminal.print(`Back-channel logout: ${logoutUrl}`);
      terminal.print(withoutInWords(without));
      if (secret === null)
        terminal.print(
          `It has no client secret yet: soundings connection secret ${id} --account ${accountId}`,
        );
    }
    if (fault !== null) throw new CommandError(`Nobody can sign in: ${visible(fault)}.`);
  });
}

export async function setOnly(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount & { readonly on?: boolean; readonly off?: boolean },
): Promise<void> {
  const isOnly = options.on === true;
  if (isOnly === (options.off === true)) throw new CommandError('Say --on or --off.');
  await withContext(terminal, flags, async (context) => {
    const { accountId } = await connectionOf(context, id, options.account);
    const ended = await context.db.write(setConnectionOnly, {
      ...changeStamp(context),
      accountId,
      id,
      isOnly,
    });
    const without = await usersWithoutWay(context.db, accountId, id);
    if (options.json === true)
      return terminal.print(JSON.stringify({ id, only: isOnly, sessionsEnded: ended, ...without }));
    terminal.print(
      isOnly
        ? `Account ${accountId} is entered through ${id} alone; ${ended} sessions of other ways have ended.`
        : `Account ${accountId} is open to other ways than ${id} again.`,
    );
    terminal.print(withoutInWords(without));
  });
}

export async function assignUser(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount & { readonly user: string },
): Promise<void> {
  const accountId = accountIdOf(options.account);
  const userId = readResourceId(options.user);
  if (userId === null)
    throw new CommandError(`--user must be the internal id of a user, not "${visible(options.user)}".`);
  await withContext(terminal, flags, async (context) => {
    const connectionId = id === 'none' ? null : (await connectionOf(context, id, options.account)).id;
    await context.db.write(setUserConnection, { ...changeStamp(context), accountId, userId, connectionId });
    if (options.json === true) return terminal.print(JSON.stringify({ userId, connectionId }));
    terminal.print(
      connectionId === null
        ? `User ${userId} belongs to the next connection that they sign in by.`
        : `User ${userId} belongs to ${connectionId}.`,
    );
  });
}

export async function removeOne(
  terminal: Terminal,
  flags: Flags,
  id: string,
  options: OfAccount,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const { accountId, name } = await connectionOf(context, id, options.account);
    await context.db.write(removeConnection, { ...changeStamp(context), accountId, id });
    if (options.json === true) return terminal.print(JSON.stringify({ id, removed: true }));
    terminal.print(`${id} (${visible(name)}) is removed; whoever signed in through it is out.`);
  });
}

/** Entra ID fills externalId with mailNickname unless it is told otherwise: then nobody would match. */
function withoutInWords({ users, withoutExternalId, ofOtherConnection }: UsersWithoutWay): string {
  const without = withoutExternalId + ofOtherConnection;
  if (without === 0) return `All ${users} active users have an externalId and belong to no other connection.`;
  return `${without} of ${users} active users have no way in through it: ${withoutExternalId} without an externalId, ${ofOtherConnection} of another connection.`;
}

async function addressesOf(context: Context, accountId: number, id: string) {
  const address = await runningConsole(context);
  return {
    callbackUrl: address.to(callbackPath),
    logoutUrl: address.to(`/console/logout/${accountId}/${id}`),
  };
}

/** Never an argument, which everybody on the machine could read: the environment, or a file, or with `-` what is piped in. */
function givenSecret({ env }: Terminal, file: string | undefined): string | null {
  const { SOUNDINGS_CONNECTION_SECRET: fromEnv, SOUNDINGS_CONNECTION_SECRET_FILE: named } = env;
  if (fromEnv !== undefined) return fromEnv.trim();
  const place = named ?? file;
  if (place === undefined) return null;
  try {
    return readFileSync(place === '-' ? 0 : place, 'utf8').trim();
  } catch (error) {
    throw new CommandError(`The secret cannot be read: ${reasonOf(error)}. Pipe it in, or name a file.`, {
      cause: error,
    });
  }
}

const optionOf: Readonly<Record<string, string>> = {
  name: '--name',
  issuer: '--issuer',
  clientId: '--client-id',
  subjectClaim: '--claim',
  secret: 'The secret',
};

function refuseFaults(said: Parameters<typeof connectionFaults>[0]): void {
  const faults = connectionFaults(said).map(({ field, message }) => `${optionOf[field]} ${message}`);
  if (faults.length > 0) throw new CommandError(faults.join('\n'));
}

/** A connection of another account is none (D-10). */
async function connectionOf({ db }: Context, id: string, account: string): Promise<Connection> {
  const accountId = accountIdOf(account);
  const connection = await findConnection(db, accountId, id);
  if (connection !== null) return connection;
  throw new CommandError(
    `Account ${accountId} has no connection ${visible(id)}. See "soundings connection list --account ${accountId}".`,
  );
}
