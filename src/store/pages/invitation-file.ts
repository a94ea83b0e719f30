// Links for a list of people, as a file: for the command and for the console. The list was judged before (invitation-lines.ts); what the
// store says of it is asked here, and then every line is sealed and written, some at a time.

import type { Options } from 'csv-stringify/sync';
import { type Invitation, invitationLink } from '../../domain/pages/invitation.ts';
import {
  addedColumns,
  type InvitationLine,
  type InvitationLines,
} from '../../domain/pages/invitation-lines.ts';
import type { Db } from '../engine/db.ts';
import { type InvitationSeal, type InvitedSurvey, sealedAtOnce } from './invitation-seal.ts';
import { revokedAmong } from './invitations.ts';

/** Ids that the store is asked for in one question. */
const askedAtOnce = 256;

/**
 * A reminder of an invitation that was taken back would not open: each of them is a fault of its line. `pause` is waited for after so many
 * lines, whether they have an id or not.
 */
export async function findRevoked(
  db: Db,
  accountId: number,
  reader: InvitationLines,
  lines: Iterable<InvitationLine>,
  pause: () => Promise<void>,
): Promise<void> {
  let batch: InvitationLine[] = [];
  const judge = async (): Promise<void> => {
    const ids = batch.map(({ invitationId }) => invitationId!);
    const revoked = await revokedAmong(db, accountId, ids);
    for (const { line, invitationId } of batch)
      if (revoked.has(invitationId!)) reader.fault(line, `The invitation ${invitationId} is revoked.`);
    batch = [];
  };
  let count = 0;
  for (const line of lines) {
    count += 1;
    if (count % askedAtOnce === 0) await pause();
    if (line.invitationId === null) continue;
    batch.push(line);
    if (batch.length === askedAtOnce) await judge();
  }
  await judge();
}

interface LinksWanted {
  readonly survey: InvitedSurvey;
  /** The address that stands in links. */
  readonly base: string;
  readonly issuedAtMs: number;
  readonly endsAtMs: number;
  /** A byte order mark, and no cell that would be taken for a formula. */
  readonly isForSpreadsheet: boolean;
  readonly newId: () => string;
  /** Called with every piece: so many lines more. */
  readonly onWritten: (lines: number) => void | Promise<void>;
}

/** The list with `invitationId`, `link` and `expires` behind its columns, as pieces of CSV. */
export async function* linksFile(
  seal: InvitationSeal,
  reader: InvitationLines,
  lines: Iterable<InvitationLine>,
  { survey, base, issuedAtMs, endsAtMs, isForSpreadsheet, newId, onWritten }: LinksWanted,
): AsyncGenerator<string> {
  const { stringify } = await import('csv-stringify/sync');
  const key = await seal.keyUntil(endsAtMs);
  const expires = new Date(endsAtMs).toISOString();
  const csv: Options = { escape_formulas: isForSpreadsheet };
  yield stringify([[...reader.columns, ...addedColumns]], { ...csv, bom: isForSpreadsheet });
  const sealed = async (batch: readonly InvitationLine[]): Promise<string> => {
    const invitations = batch.map(
      (line): Invitation => ({
        invitationId: line.invitationId ?? newId(),
        ...{ issuedAtMs, endsAtMs, parameters: reader.parametersOf(line) },
      }),
    );
    const tokens = await seal.seal(key, survey, invitations);
    return stringify(
      batch.map(({ cells }, place) => [
        ...cells,
        invitations[place]!.invitationId,
        invitationLink(base, survey.surveyId, tokens[place]!),
        expires,
      ]),
      csv,
    );
  };
  let batch: InvitationLine[] = [];
  for (const line of lines) {
    batch.push(line);
    if (batch.length < sealedAtOnce) continue;
    yield await sealed(batch);
    await onWritten(batch.length);
    batch = [];
  }
  if (batch.length === 0) return;
  yield await sealed(batch);
  await onWritten(batch.length);
}
