// Where the console is, as far as a command can tell, and the links that lead there.

import { type ConsoleAddress, consoleAddress } from '../../acts/access/console-address.ts';
import { type LinkMaker, type PreparedLink, prepareLink } from '../../acts/access/issue-link.ts';
import type { Config } from '../../config.ts';
import type { Context } from '../../context.ts';
import { firstOperatorName } from '../../domain/access/one-time-link.ts';
import { operatorsAccount } from '../../domain/access/visitor.ts';
import { findIdentity } from '../../store/access/signing-keys.ts';
import { againIfTaken } from '../../store/engine/db.ts';
import { createStartLink } from '../../store/people/operators.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { runningConsole } from '../frame/service-address.ts';
import type { Terminal } from '../frame/terminal.ts';

export async function linkMaker(context: Context, address?: ConsoleAddress): Promise<LinkMaker> {
  const identity = await findIdentity(context.db);
  if (identity === null) throw new Error('The store was never founded.');
  return { context, address: address ?? (await runningConsole(context)), secretKey: identity.secretKey };
}

/** One link, once: whoever runs the command hands it on, we keep its hash. */
export function printLink(
  terminal: Terminal,
  { url, expiresAtMs }: PreparedLink,
  facts: Readonly<Record<string, unknown>>,
  isJson: boolean,
): void {
  const expiresAt = new Date(expiresAtMs).toISOString();
  if (isJson) return terminal.print(JSON.stringify({ ...facts, url, expiresAt }));
  terminal.print(url);
  terminal.tell(`It signs in once, until ${expiresAt}, and is not shown again. A new link ends it.`);
}

/**
 * The code of the link that a start shows, while no operator has a passkey or a password; null where none is due. A start
 * whose output goes into a log asks for none: a log must not hold what opens the console (D-323).
 */
export async function startLink(context: Context): Promise<string | null> {
  const maker = await linkMaker(context, consoleAddress(context.config));
  if (!maker.address.isServed) return null;
  const stamp = changeStamp(context);
  const { code, codeHash, expiresAtMs } = prepareLink(maker, operatorsAccount, 'operator', stamp.nowMs);
  const change = { ...stamp, name: firstOperatorName, codeHash, expiresAtMs };
  const shown = await againIfTaken(() => context.db.write(createStartLink, change));
  return shown === null ? null : code;
}

export interface ConsoleLine {
  /** Null where the console is not served. */
  readonly url: string | null;
  readonly text: string;
  /** The same at a terminal, within its width where there is no code. */
  readonly shortText: string;
}

/** What a start says of the console. */
export function consoleLine(
  config: Config,
  baseUrl: string,
  code: string | null,
  /** The account whose figures whoever opens the link sees first. */
  accountId: number | null,
): ConsoleLine {
  const address = consoleAddress(config, baseUrl);
  if (!address.isServed) {
    const text = 'off, "soundings doctor" says why';
    return { url: null, text, shortText: text };
  }
  const url = address.to('/console');
  const link = accountId === null ? `${url}#${code}` : `${url}#${code}@${accountId}`;
  if (code !== null) return { url: link, text: link, shortText: link };
  return {
    url,
    text: `${url} (a link that signs in once: soundings operator link)`,
    shortText: `${url} (to sign in: soundings operator link)`,
  };
}
