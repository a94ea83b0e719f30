// soundings operator: the people who look after the whole store, and their way into the console.

import type { Context } from '../../context.ts';
import { isOperatorName } from '../../domain/access/one-time-link.ts';
import { operatorsAccount } from '../../domain/access/visitor.ts';
import type { Operator } from '../../store/people/operators.ts';
import { argument, optionalArgument } from '../frame/takes.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import { family, listing, verb } from '../frame/verb.ts';
import { linkHint, shownLink } from './shown-link.ts';

type Db = Context['db'];

const store = () => import('../../store/people/operators.ts');
type Store = Awaited<ReturnType<typeof store>>;
const links = async () => ({
  ...(await store()),
  ...(await import('../../acts/access/issue-link.ts')),
  ...(await import('./console-link.ts')),
});

const create = verb({
  about: 'create an operator, and print a link that signs them in once',
  takes: { name: argument('name in the audit log: lowercase letters, digits, and . _ @ -', operatorName) },
  help: '\nThe link works once, within 30 minutes. Whoever opens it adds a passkey or a password to sign in with later.\nExample:\n  soundings operator create ada\n',
  load: async () => ({ ...(await links()), ...(await import('../../store/engine/db.ts')) }),
  async act({ context, stamp, input: { name } }, loaded) {
    const change = stamp();
    const maker = await loaded.linkMaker(context);
    const link = loaded.prepareLink(maker, operatorsAccount, 'operator', change.nowMs);
    const { codeHash, expiresAtMs } = link;
    // Two at once may take the same number, and then one of them is made again.
    const id = await loaded.againIfTaken(() =>
      context.db.write(loaded.createOperator, { ...change, name, codeHash, expiresAtMs }),
    );
    if (id === null)
      throw new CommandError(
        `There is an operator ${name} already. For a link: soundings operator link ${name}`,
      );
    return shownLink(link, { id, name });
  },
  says: ({ url }) => url,
  hint: linkHint,
});

function operatorName(name: string): string {
  if (isOperatorName(name)) return name;
  throw new CommandError(
    'The name of an operator must have 1 to 64 characters: small letters, digits, and . _ @ - behind the first.',
  );
}

/** Whoever can run commands on the store can always get in: the door for the day when every passkey is lost. */
const link = verb({
  about: 'create a new link for an operator: the emergency access when every passkey is lost',
  takes: { name: optionalArgument('name of the operator; may be omitted if there is only one') },
  help: '\nThe link works once, within 30 minutes, and ends the previous one. Passkeys and passwords are kept.\nExample:\n  soundings operator link ada\n',
  load: links,
  async act({ context, stamp, input: { name } }, loaded) {
    const operator = await (name === undefined
      ? onlyOperator(context.db, loaded)
      : namedOperator(context.db, loaded, name));
    const made = await loaded.issueLink(await loaded.linkMaker(context), stamp(), {
      accountId: operatorsAccount,
      personId: operator.id,
      subject: `operator ${operator.name}`,
      purpose: 'operator',
      admitsAdmin: true,
    });
    return shownLink(made, { id: operator.id, name: operator.name });
  },
  says: ({ url }) => url,
  hint: linkHint,
});

async function namedOperator(db: Db, loaded: Store, name: string): Promise<Operator> {
  const operator = await loaded.findOperatorByName(db, name);
  if (operator === null) throw await noOperator(db, loaded, name);
  if (operator.disabledAtMs === null) return operator;
  throw new CommandError(
    `The operator ${name} is disabled, for good. Make another: soundings operator create NAME`,
  );
}

async function noOperator(db: Db, loaded: Store, name: string): Promise<CommandError> {
  return new CommandError(`There is no operator ${visible(name)}. ${await whoThereIs(db, loaded)}`);
}

async function onlyOperator(db: Db, loaded: Store): Promise<Operator> {
  const enabled = await enabledOperators(db, loaded);
  if (enabled.length === 1) return enabled[0]!;
  const who = await whoThereIs(db, loaded);
  throw new CommandError(enabled.length === 0 ? who : `Say for whom. ${who}`);
}

async function enabledOperators(db: Db, { listOperators }: Store): Promise<readonly Operator[]> {
  return (await listOperators(db)).filter(({ disabledAtMs }) => disabledAtMs === null);
}

async function whoThereIs(db: Db, loaded: Store): Promise<string> {
  const names = (await enabledOperators(db, loaded)).map(({ name }) => name);
  if (names.length === 0)
    return 'There is no operator who can sign in. Make one: soundings operator create NAME';
  return `There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`;
}

const list = verb({
  about: 'list the operators, what they sign in with, and when they were last seen',
  help: '\nExample:\n  soundings operator list\n',
  load: store,
  async act({ context }, { listOperators }) {
    return (await listOperators(context.db)).map((one) => ({
      id: one.id,
      name: one.name,
      created: new Date(one.createdAtMs).toISOString(),
      disabled: one.disabledAtMs !== null,
      passkeys: one.passkeys,
      hasPassword: one.hasPassword,
      lastUsed: one.usedAtMs === null ? null : new Date(one.usedAtMs).toISOString(),
    }));
  },
  says: (operators) =>
    listing(
      'There are no operators yet. Make one with "soundings operator create NAME".',
      ['OPERATOR', 'STATE', 'CREATED', 'PASSKEYS', 'PASSWORD', 'LAST SESSION'],
      operators.map((one) => [
        one.name,
        one.disabled ? 'disabled' : 'enabled',
        one.created.slice(0, 10),
        String(one.passkeys),
        one.hasPassword ? 'yes' : 'no',
        one.lastUsed ?? '-',
      ]),
    ),
});

const disable = verb({
  about: 'stop an operator from signing in; their sessions and links end at once',
  takes: { name: argument('name of the operator') },
  help: '\nThis is permanent: the name stays theirs, because the audit log identifies them by it.\nExample:\n  soundings operator disable ada\n',
  load: store,
  async act({ context, stamp, input: { name } }, loaded) {
    const outcome = await context.db.write(loaded.disableOperator, { ...stamp(), name });
    if (outcome === 'unknown') throw await noOperator(context.db, loaded, name);
    return { name, disabled: true, changed: outcome === 'disabled' };
  },
  says: ({ name, changed }) =>
    changed
      ? `${name} is disabled: every session and link of theirs has ended.`
      : `${name} was disabled already.`,
});

export const operatorFamily = family('operator', 'people who manage the whole store in the console', {
  create,
  link,
  list,
  disable,
});
