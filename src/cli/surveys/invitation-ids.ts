// The ids of invitations that are to be revoked, as they were typed or from a file of links.

import { createReadStream } from 'node:fs';
import { isInvitationId } from '../../domain/pages/invitation.ts';
import { reasonOf } from '../../domain/reason.ts';
import { readCsvLines, UnreadableLines } from '../../store/feedback/external-file.ts';
import { unreadableFile } from '../frame/given-file.ts';
import { CommandError, visible } from '../frame/terminal.ts';

const faultsShownMax = 100;

export function checkedIds(ids: readonly string[]): readonly string[] {
  const wrong = ids.filter((id) => !isInvitationId(id));
  if (wrong.length === 0) return ids;
  const shown = wrong.slice(0, faultsShownMax).map((id) => `  "${visible(id.slice(0, 100))}"`);
  throw new CommandError(
    `These are not ids of invitations, and nothing was revoked:\n${shown.join('\n')}\nAn id stands in the column invitationId of the links.`,
  );
}

/** A file of links, or any CSV file with a column invitationId. */
export async function idsOfFile(file: string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const faults: string[] = [];
  let place = -1;
  let hasHeader = false;
  try {
    await readCsvLines(createReadStream(file), {
      record(record, line) {
        if (!hasHeader) {
          hasHeader = true;
          place = record.indexOf('invitationId');
          if (place < 0) faults.push(`  ${file}:${line}: There is no column invitationId.`);
        } else if (place >= 0) {
          const id = record[place] ?? '';
          if (isInvitationId(id)) ids.add(id);
          else
            faults.push(`  ${file}:${line}: "${visible(id.slice(0, 100))}" is not the id of an invitation.`);
        }
        if (faults.length > faultsShownMax) throw new CommandError(listed());
      },
      end() {},
    });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    if (error instanceof Error && 'syscall' in error) throw unreadableFile(file, error);
    const reason =
      error instanceof UnreadableLines && error.reason === 'encoding' ? 'it is not UTF-8' : reasonOf(error);
    throw new CommandError(`The file ${file} cannot be read, and nothing was revoked: ${reason}.`, {
      cause: error,
    });
  }
  if (!hasHeader) faults.push(`  ${file}:1: The file is empty.`);
  if (faults.length > 0) throw new CommandError(listed());
  return ids;

  function listed(): string {
    const more = faults.length > faultsShownMax ? '\n  and more.' : '';
    return `The file has faults, and nothing was revoked:\n${faults.slice(0, faultsShownMax).join('\n')}${more}`;
  }
}
