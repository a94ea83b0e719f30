// A backup that was made by other means, recorded so that doctor and the metrics know its age.

import { recordBackup } from '../../store/operations/backup-records.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { type Flags, withContext } from '../frame/open-context.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';

const earliestMs = Date.UTC(2000, 0, 1);

export function reportBackup(
  terminal: Terminal,
  flags: Flags,
  { at, note = null }: { readonly at: string | undefined; readonly note: string | undefined | null },
): Promise<{ readonly at: string; readonly note: string | null }> {
  return withContext(terminal, flags, async (context) => {
    const atMs = at === undefined ? context.now() : momentOf(at, context.now());
    const record = { atMs, place: note, bytes: null, detail: null };
    await context.db.write(recordBackup, { ...record, ...changeStamp(context), kind: 'reported' });
    return { at: new Date(atMs).toISOString(), note };
  });
}

function momentOf(text: string, nowMs: number): number {
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const atMs = isMoment ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(atMs) || atMs < earliestMs)
    throw new CommandError(`--at must be a moment such as 2026-01-31T02:00:00Z, not "${text}".`);
  if (atMs > nowMs)
    throw new CommandError(`--at must not be in the future: it is ${new Date(nowMs).toISOString()} now.`);
  return atMs;
}
