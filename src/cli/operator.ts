// soundings operator ...: the people who look after the whole store, and their way into the console.

import { issueLink, prepareLink } from '../acts/access/issue-link.ts';
import { isOperatorName } from '../domain/access/one-time-link.ts';
import { operatorsAccount } from '../domain/access/visitor.ts';
import { againIfTaken, type Db } from '../store/engine/db.ts';
import {
  createOperator,
  disableOperator,
  findOperatorByName,
  listOperators,
  type Operator,
} from '../store/people/operators.ts';
import { changeStamp } from './change-stamp.ts';
import { linkMaker, printLink } from './console-link.ts';
import { type Flags, withContext } from './open-context.ts';
import type { Common } from './options.ts';
import { CommandError, type Terminal, table, visible } from './terminal.ts';

export async function addOperator(
  terminal: Terminal,
  flags: Flags,
  name: string,
  options: Common,
): Promise<void> {
  if (!isOperatorName(name))
    throw new CommandError(
      'The name of an operator must have 1 to 64 characters: small letters, digits, and . _ @ - behind the first.',
    );
  await withContext(terminal, flags, async (context) => {
    const stamp = changeStamp(context);
    const link = prepareLink(await linkMaker(context), operatorsAccount, 'operator', stamp.nowMs);
    const { codeHash, expiresAtMs } = link;
    // Two at once may take the same number, and then one of them is made again.
    const id = await againIfTaken(() =>
      context.db.write(createOperator, { ...stamp, name, codeHash, expiresAtMs }),
    );
    if (id === null)
      throw new CommandError(
        `There is an operator ${name} already. For a link: soundings operator link ${name}`,
      );
    printLink(terminal, link, { id, name }, options.json === true);
  });
}

/** Whoever can run commands on the store can always get in: the door for the day when every passkey is lost. */
export async function linkOperator(
  terminal: Terminal,
  flags: Flags,
  name: string | undefined,
  options: Common,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const operator = await (name === undefined ? onlyOperator(context.db) : namedOperator(context.db, name));
    const link = await issueLink(await linkMaker(context), changeStamp(context), {
      accountId: operatorsAccount,
      personId: operator.id,
      subject: `operator ${operator.name}`,
      purpose: 'operator',
      admitsAdmin: true,
    });
    printLink(terminal, link, { id: operator.id, name: operator.name }, options.json === true);
  });
}

async function namedOperator(db: Db, name: string): Promise<Operator> {
  const operator = await findOperatorByName(db, name);
  if (operator === null)
    throw new CommandError(`There is no operator ${visible(name)}. ${await whoThereIs(db)}`);
  if (operator.disabledAtMs === null) return operator;
  throw new CommandError(
    `The operator ${name} is disabled, for good. Make another: soundings operator create NAME`,
  );
}

async function onlyOperator(db: Db): Promise<Operator> {
  const enabled = await enabledOperators(db);
  if (enabled.length === 1) return enabled[0]!;
  throw new CommandError(
    enabled.length === 0 ? await whoThereIs(db) : `Say for whom. ${await whoThereIs(db)}`,
  );
}

async function enabledOperators(db: Db): Promise<readonly Operator[]> {
  return (await listOperators(db)).filter(({ disabledAtMs }) => disabledAtMs === null);
}

async function whoThereIs(db: Db): Promise<string> {
  const names = (await enabledOperators(db)).map(({ name }) => name);
  if (names.length === 0)
    return 'There is no operator who can sign in. Make one: soundings operator create NAME';
  return `There ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}.`;
}

export async function showOperators(terminal: Terminal, flags: Flags, options: Common): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const operators = (await listOperators(context.db)).map((one) => ({
      id: one.id,
      name: one.name,
      created: new Date(one.createdAtMs).toISOString(),
      disabled: one.disabledAtMs !== null,
      passkeys: one.passkeys,
      hasPassword: one.hasPassword,
      lastUsed: one.usedAtMs === null ? null : new Date(one.usedAtMs).toISOString(),
    }));
    if (options.json === true) return terminal.print(JSON.stringify(operators));
    if (operators.length === 0)
      return terminal.print('There are no operators yet. Make one with "soundings operator create NAME".');
    const rows = operators.map((one) => [
      one.name,
      one.disabled ? 'disabled' : 'enabled',
      one.created.slice(0, 10),
      String(one.passkeys),
      one.hasPassword ? 'yes' : 'no',
      one.lastUsed ?? '-',
    ]);
    terminal.print(
      table([['OPERATOR', 'STATE', 'CREATED', 'PASSKEYS', 'PASSWORD', 'LAST SESSION'], ...rows]),
    );
  });
}

export async function endOperator(
  terminal: Terminal,
  flags: Flags,
  name: string,
  options: Common,
): Promise<void> {
  await withContext(terminal, flags, async (context) => {
    const outcome = await context.db.write(disableOperator, { ...changeStamp(context), name });
    if (outcome === 'unknown')
      throw new CommandError(`There is no operator ${visible(name)}. ${await whoThereIs(context.db)}`);
    const changed = outcome === 'disabled';
    if (options.json === true) return terminal.print(JSON.stringify({ name, disabled: true, changed }));
    terminal.print(
      changed
        ? `${name} is disabled: every session and link of theirs has ended.`
        : `${name} was disabled already.`,
    );
  });
}
