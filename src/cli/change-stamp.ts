// What every change that a command makes carries into the audit log.

import type { Context } from '../context.ts';
import { type ChangeStamp, commandLine } from '../store/engine/audit.ts';

/** A new change, made now, by whoever sits at the terminal. */
export function changeStamp(context: Context): ChangeStamp {
  return { changeId: context.newId(), nowMs: context.now(), actor: commandLine };
}
