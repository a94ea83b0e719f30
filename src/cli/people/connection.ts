// soundings connection: how users of an account sign in with their identity provider.

import { readFileSync } from 'node:fs';
import type { Context } from '../../context.ts';
import { connectionFaults, newConnectionId } from '../../domain/access/connection.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import { reasonOf } from '../../domain/reason.ts';
import type { Connection } from '../../store/access/connections.ts';
import type { UsersWithoutWay } from '../../store/people/user-connections.ts';
import { argument, needed, ofAccount, option, toggle, usual } from '../frame/takes.ts';
import { CommandError, type Terminal, visible } from '../frame/terminal.ts';
import { family, listing, type StoreCall, verb } from '../frame/verb.ts';

const account = ofAccount('the account it belongs to');
const connection = argument('id of the connection');
const secretFile = option('<file>', 'file with the client secret; - for standard input');
const secretHelp =
  'The client secret is read from SOUNDINGS_CONNECTION_SECRET, from the file named by SOUNDINGS_CONNECTION_SECRET_FILE or\n--secret-file, or with --secret-file - from standard input; it is never given as an argument.';

const store = () => import('../../store/access/connections.ts');
const sealers = () => import('../../store/access/sealer.ts');
const ways = () => import('../../store/people/user-connections.ts');
const addresses = async () => ({
  ...(await import('../../acts/access/console-address.ts')),
  ...(await import('../frame/service-address.ts')),
});

const create = verb({
  about: 'connect an account to an identity provider',
  takes: {
    account,
    name: needed('<name>', 'label of the button on the sign-in page; unique in the account', trimmed),
    issuer: needed('<url>', 'the provider, as named in its own metadata'),
    clientId: needed('<id>', 'client id of Soundings at the provider'),
    claim: usual('<name>', 'the claim that matches the externalId of users: oid for Entra ID', 'sub'),
    secretFile,
  },
  help: `\n${secretHelp}\nWithout a secret, nobody can sign in until "soundings connection secret" has set it.\nExample:\n  soundings connection create --account 4001 --name "Acme" --claim oid --client-id 1b5e... \\\n    --issuer https://login.microsoftonline.com/TENANT/v2.0 --secret-file - < secret.txt\n`,
  validate({ secretFile: file, name, issuer, clientId, claim: subjectClaim }, terminal) {
    const secret = givenSecret(terminal, file);
    refuseFaults({ name, issuer, clientId, subjectClaim, ...(secret !== null && { secret }) });
    return { secret, facts: { name, issuer, clientId, subjectClaim } };
  },
  load: async () => ({ ...(await store()), ...(await sealers()), ...(await addresses()) }),
  async act({ context, stamp, input, valid: { secret, facts: said } }, loaded) {
    const { account: accountId } = input;
    const id = newConnectionId(context);
    const purpose = loaded.connectionSecretPurpose(accountId, id);
    const sealed = secret === null ? null : await new loaded.Sealer(context).seal(purpose, secret, null);
    const facts = { accountId, id, ...said };
    await context.db.write(loaded.createConnection, { ...stamp(), ...facts, secret: sealed });
    const { callbackUrl } = await addressesOf(context, loaded, facts);
    return { ...facts, hasSecret: secret !== null, callbackUrl };
  },
  piped: 'json',
  says: ({ name, accountId, id }) =>
    `The connection ${visible(name)} of account ${accountId} is there: ${id}`,
  hint: ({ callbackUrl, hasSecret, id, accountId }) => [
    `The provider must know this as the redirect URI: ${callbackUrl}`,
    ...(hasSecret
      ? []
      : [`Set the client secret by "soundings connection secret ${id} --account ${accountId}".`]),
  ],
});

function trimmed(text: string): string {
  return text.trim();
}

const secret = verb({
  about: 'set or replace the client secret of a connection',
  takes: { connection, account, secretFile },
  help: `\n${secretHelp}\nExample:\n  soundings connection secret cn_... --account 4001 < secret.txt\n`,
  validate({ secretFile: file }, terminal) {
    const given = givenSecret(terminal, file ?? '-');
    if (given === null) throw new CommandError('The secret is missing.');
    refuseFaults({ secret: given });
    return given;
  },
  load: async () => ({ ...(await store()), ...(await sealers()) }),
  async act(call, { findConnection, changeConnection, connectionSecretPurpose, Sealer }) {
    const { context, stamp, valid } = call;
    const { accountId, id } = await connectionOf(call, findConnection);
    const sealed = await new Sealer(context).seal(connectionSecretPurpose(accountId, id), valid, null);
    await context.db.write(changeConnection, { ...stamp(), accountId, id, secret: sealed });
    return { id, hasSecret: true };
  },
  says: ({ id }, { account: accountId }) =>
    `${id} has its secret. Try it by "soundings connection test ${id} --account ${accountId}".`,
});

const change = verb({
  about: 'change the name, issuer, client or claim of a connection',
  takes: {
    connection,
    account,
    name: option('<name>', 'label of the button on the sign-in page', trimmed),
    issuer: option('<url>', 'the provider'),
    clientId: option('<id>', 'client id of Soundings at the provider'),
    claim: option('<name>', 'the claim that matches the externalId of users'),
  },
  help: '\nA different issuer, client or claim identifies different people: sessions through the connection end, and it is no\nlonger the only way in.\nExample:\n  soundings connection change cn_... --account 4001 --claim oid\n',
  validate({ name, issuer, clientId, claim }) {
    const facts = {
      ...(name !== undefined && { name }),
      ...(issuer !== undefined && { issuer }),
      ...(clientId !== undefined && { clientId }),
      ...(claim !== undefined && { subjectClaim: claim }),
    };
    if (Object.keys(facts).length === 0)
      throw new CommandError('Say what changes: --name, --issuer, --client-id or --claim.');
    refuseFaults(facts);
    return facts;
  },
  load: store,
  async act(call, { findConnection, changeConnection }) {
    const { context, stamp, valid: facts } = call;
    const { accountId, id } = await connectionOf(call, findConnection);
    await context.db.write(changeConnection, { ...stamp(), accountId, id, ...facts });
    return { id, changed: Object.keys(facts) };
  },
  says: ({ id }) => `${id} is changed.`,
});

const list = verb({
  about: 'list the connections of an account, without their secrets',
  takes: { account },
  help: '\nExample:\n  soundings connection list --account 4001\n',
  load: store,
  async act({ context, input: { account: accountId } }, { listConnections }) {
    return (await listConnections(context.db, accountId)).map((one) => ({
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
  },
  says: (shown, { account: accountId }) =>
    listing(
      `Account ${accountId} has no connections. Make one with "soundings connection create".`,
      ['CONNECTION', 'STATE', 'FIRST SIGN-IN', 'CLAIM', 'NAME AND ISSUER'],
      shown.map((one) => [
        one.id,
        one.only ? 'only way in' : one.hasSecret ? 'open' : 'no secret yet',
        one.tested?.slice(0, 10) ?? 'never',
        one.subjectClaim,
        visible(`${one.name} ${one.issuer}`),
      ]),
    ),
});

const test = verb({
  about: 'fetch the metadata of the provider, and count users who cannot sign in through it',
  takes: { connection, account },
  help: '\nExit status 1 if the provider does not answer as it should. Also shows what the provider needs to know.\nExample:\n  soundings connection test cn_... --account 4001\n',
  load: async () => ({
    ...(await store()),
    ...(await ways()),
    ...(await addresses()),
    ...(await import('../../acts/access/providers.ts')),
    ...(await import('../../acts/access/provider-refusal.ts')),
  }),
  async act(call, loaded) {
    const { context } = call;
    const found = await connectionOf(call, loaded.findConnection);
    const { accountId, id, clientId } = found;
    let fault: string | null = null;
    try {
      await new loaded.Providers(context).discover(found, clientId, 'unused');
    } catch (error) {
      if (!(error instanceof loaded.SignInRefused)) throw error;
      fault = error.message;
    }
    const without = await loaded.usersWithoutWay(context.db, accountId, id);
    return { found, fault, without, ...(await addressesOf(context, loaded, found)) };
  },
  json: ({ found: { id, secret: sealed }, fault, without, callbackUrl, logoutUrl }) => ({
    ...{ id, fault, hasSecret: sealed !== null, callbackUrl, logoutUrl },
    ...without,
  }),
  says: ({ found: { id, accountId, issuer, secret: sealed }, fault, without, callbackUrl, logoutUrl }) => [
    ...(fault === null ? [`${visible(issuer)} answers as it should.`] : []),
    `Redirect URI: ${callbackUrl}`,
    `Back-channel logout: ${logoutUrl}`,
    withoutInWords(without),
    ...(sealed === null
      ? [`It has no client secret yet: soundings connection secret ${id} --account ${accountId}`]
      : []),
  ],
  failure: ({ fault }) => (fault === null ? null : `Nobody can sign in: ${visible(fault)}.`),
});

const only = verb({
  about: 'make a connection the only way into the account, or allow others again',
  takes: {
    connection,
    account,
    on: toggle('links, passkeys, passwords and other connections stop working'),
    off: toggle('they work again'),
  },
  help: '\nSomebody must have signed in through it before. Sessions started in other ways end; operators are not affected.\nExample:\n  soundings connection only cn_... --account 4001 --on\n',
  validate({ on, off }) {
    if (on === off) throw new CommandError('Say --on or --off.');
  },
  load: async () => ({ ...(await store()), ...(await ways()) }),
  async act(call, { findConnection, setConnectionOnly, usersWithoutWay }) {
    const { context, stamp, input } = call;
    const { accountId, id } = await connectionOf(call, findConnection);
    const only = { ...stamp(), accountId, id, isOnly: input.on };
    const ended = await context.db.write(setConnectionOnly, only);
    const without = await usersWithoutWay(context.db, accountId, id);
    return { id, only: input.on, sessionsEnded: ended, ...without };
  },
  says: ({ id, only: isOnly, sessionsEnded, ...without }, { account: accountId }) => [
    isOnly
      ? `Account ${accountId} is entered through ${id} alone; ${sessionsEnded} sessions of other ways have ended.`
      : `Account ${accountId} is open to other ways than ${id} again.`,
    withoutInWords(without),
  ],
});

const assign = verb({
  about: 'set which connection a user belongs to',
  takes: {
    connection: argument('id of the connection, or "none" for the next one the user signs in through'),
    account,
    user: needed('<id>', 'internal id of the user', userIdOf),
  },
  help: '\nA user belongs to the connection of the provisioning token that created them, or else to the first one they signed in\nthrough.\nExample:\n  soundings connection assign cn_... --account 4001 --user 1000000123\n',
  load: async () => ({ ...(await store()), ...(await ways()) }),
  async act(call, { findConnection, setUserConnection }) {
    const { context, stamp, input } = call;
    const { account: accountId, user: userId } = input;
    const connectionId = input.connection === 'none' ? null : (await connectionOf(call, findConnection)).id;
    await context.db.write(setUserConnection, { ...stamp(), accountId, userId, connectionId });
    return { userId, connectionId };
  },
  says: ({ userId, connectionId }) =>
    connectionId === null
      ? `User ${userId} belongs to the next connection that they sign in by.`
      : `User ${userId} belongs to ${connectionId}.`,
});

function userIdOf(text: string): number {
  const userId = readResourceId(text);
  if (userId !== null) return userId;
  throw new CommandError(`--user must be the internal id of a user, not "${visible(text)}".`);
}

const remove = verb({
  about: 'remove a connection; whoever signed in through it is signed out',
  takes: { connection, account },
  help: '\nExample:\n  soundings connection remove cn_... --account 4001\n',
  load: store,
  async act(call, { findConnection, removeConnection }) {
    const found = await connectionOf(call, findConnection);
    const { accountId, id } = found;
    await call.context.db.write(removeConnection, { ...call.stamp(), accountId, id });
    return found;
  },
  json: ({ id }) => ({ id, removed: true }),
  says: ({ id, name }) => `${id} (${visible(name)}) is removed; whoever signed in through it is out.`,
});

export const connectionFamily = family(
  'connection',
  'how users of an account sign in with their identity provider (OpenID Connect)',
  { create, secret, change, list, test, only, assign, remove },
);

/** Entra ID fills externalId with mailNickname unless it is told otherwise: then nobody would match. */
function withoutInWords({ users, withoutExternalId, ofOtherConnection }: UsersWithoutWay): string {
  const without = withoutExternalId + ofOtherConnection;
  if (without === 0) return `All ${users} active users have an externalId and belong to no other connection.`;
  return `${without} of ${users} active users have no way in through it: ${withoutExternalId} without an externalId, ${ofOtherConnection} of another connection.`;
}

async function addressesOf(
  context: Context,
  { runningConsole, callbackPath }: Awaited<ReturnType<typeof addresses>>,
  { accountId, id }: Pick<Connection, 'accountId' | 'id'>,
) {
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
async function connectionOf(
  { context, input }: StoreCall<{ readonly connection: string; readonly account: number }>,
  findConnection: Awaited<ReturnType<typeof store>>['findConnection'],
): Promise<Connection> {
  const found = await findConnection(context.db, input.account, input.connection);
  if (found !== null) return found;
  throw new CommandError(
    `Account ${input.account} has no connection ${visible(input.connection)}. See "soundings connection list --account ${input.account}".`,
  );
}
