// What every change that a command makes carries into the audit log.

import { hostname, userInfo } from 'node:os';
import type { Context } from '../../context.ts';
import { type ChangeStamp, commandLine } from '../../store/engine/audit.ts';

/** A new change, made now, by whoever sits at the terminal. */
export function changeStamp({ newId, now }: Pick<Context, 'newId' | 'now'>): ChangeStamp {
  return { changeId: newId(), nowMs: now(), actor: commandLine, origin: operator() };
}

/** Who runs the command, as the machine knows it. */
function operator(): string {
  return `${userName()}@${hostname()}`.slice(0, originMax);
}

const originMax = 200;

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have a number and no name.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
