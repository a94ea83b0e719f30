// soundings invitation revoke and revoked: links that must not open any more.

import { createReadStream } from 'node:fs';
import { isInvitationId } from '../domain/pages/invitation.ts';
import { reasonOf } from '../domain/reason.ts';
import { findSourceOfSurvey } from '../store/feedback/catalogue.ts';
import { readCsvLines, UnreadableLines } from '../store/feedback/external-file.ts';
import { revokedInvitations, revokeInvitations } from '../store/pages/invitations.ts';
import { demandAccount } from './account-check.ts';
import { changeStamp } from './change-stamp.ts';
import { unreadableFile } from './given-file.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type Common, type OfAccount } from './options.ts';
import { numberText } from './progress.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

const atOnce = 500;
const faultsShownMax = 100;

export interface RevokeOptions extends Common {
  readonly file?: string;
}

export async function revoke(
  terminal: Terminal,
  flags: Flags,
  { surveyId, ids }: { readonly surveyId: string; readonly ids: readonly string[] },
  options: RevokeOptions,
): Promise<void> {
  if ((ids.length === 0) === (options.file === undefined))
    throw new CommandError('Name the ids of invitations, or a file of them with --file.');
  const wanted = options.file === undefined ? new Set(checked(ids)) : await idsOfFile(options.file);
  await withContext(terminal, flags, async (context) => {
    const source = await findSourceOfSurvey(context.db, surveyId);
    if (source === null) throw new CommandError(`There is no survey "${surveyId}".`);
    const all = [...wanted];
    let revoked = 0;
    for (let begin = 0; begin < all.length; begin += atOnce)
      revoked += await context.db.write(revokeInvitations, {
        ...changeStamp(context),
        ...{ accountId: source.accountId, surveyId, invitationIds: all.slice(begin, begin + atOnce) },
      });
    const before = wanted.size - revoked;
    if (options.json) return terminal.print(JSON.stringify({ surveyId, revoked, revokedBefore: before }));
    const were = before === 0 ? '' : ` ${numberText(before)} were revoked before.`;
    terminal.print(
      `${numberText(revoked)} invitations to ${visible(surveyId)} are revoked: their links open nothing any more. What was answered stays.${were}`,
    );
  });
}

function checked(ids: readonly string[]): readonly string[] {
  const wrong = ids.filter((id) => !isInvitationId(id));
  if (wrong.length === 0) return ids;
  const shown = wrong.slice(0, faultsShownMax).map((id) => `  "${visible(id.slice(0, 100))}"`);
  throw new CommandError(
    `These are not ids of invitations, and nothing was revoked:\n${shown.join('\n')}\nAn id stands in the column invitationId of the links.`,
  );
}

/** A file of links, or any CSV file with a column invitationId. */
async function idsOfFile(file: string): Promise<ReadonlySet<string>> {
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

/** Of a whole account: an invitation that was revoked does not say to which survey it was. */
export async function listRevoked(terminal: Terminal, flags: Flags, options: OfAccount): Promise<void> {
  const accountId = accountIdOf(options.account);
  await withContext(terminal, flags, async ({ db }) => {
    await demandAccount({ db }, accountId);
    let after = '';
    let count = 0;
    for (;;) {
      const page = await revokedInvitations(db, accountId, { after, take: atOnce });
      for (const { invitationId, revokedAtMs } of page) {
        const revokedAt = new Date(revokedAtMs).toISOString();
        terminal.print(
          options.json
            ? JSON.stringify({ invitationId, revokedAt })
            : `${invitationId}  revoked ${revokedAt}`,
        );
      }
      count += page.length;
      if (page.length < atOnce) break;
      after = page.at(-1)!.invitationId;
    }
    if (!options.json) terminal.tell(`${numberText(count)} invitations are revoked.`);
  });
}
