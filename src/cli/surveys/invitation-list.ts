// A link for each line of a list, with the parameters of that line sealed in it. The whole list is judged first:
// one fault, and no link is made (D-447). Lines wait in a temporary file meanwhile, so that a list may be larger than memory.

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { endOfInvitation } from '../../domain/pages/invitation.ts';
import { type InvitationLine, InvitationLines } from '../../domain/pages/invitation-lines.ts';
import { reasonOf } from '../../domain/reason.ts';
import { Sealer } from '../../store/access/sealer.ts';
import { findSourceOfSurvey } from '../../store/feedback/catalogue.ts';
import { readCsvLines, UnreadableLines } from '../../store/feedback/external-file.ts';
import { parameterLimits } from '../../store/feedback/take-response.ts';
import { findRevoked, linksFile } from '../../store/pages/invitation-file.ts';
import { InvitationSeal } from '../../store/pages/invitation-seal.ts';
import { noteInvitations } from '../../store/pages/invitations.ts';
import { PageKeys } from '../../store/pages/page-keys.ts';
import { fileOutput, type Output, standardOutput } from '../frame/export-output.ts';
import { unreadableFile } from '../frame/given-file.ts';
import { LateProgress, numberText, withProgress } from '../frame/progress.ts';
import { PutAside } from '../frame/put-aside.ts';
import { pagesAddress } from '../frame/service-address.ts';
import { CommandError, visible } from '../frame/terminal.ts';
import type { StoreCall } from '../frame/verb.ts';

const faultsShownMax = 100;

export interface WantedInvitations {
  readonly survey: string;
  readonly list: string;
  readonly copy: readonly string[] | undefined;
  readonly url: string | undefined;
  readonly out: string | undefined;
  readonly force: boolean;
  readonly spreadsheet: boolean;
}

/** How many were invited, and until when; their links are written on the way. */
export async function inviteAll(
  { terminal, context, stamp, input }: StoreCall<WantedInvitations>,
  days: number,
) {
  const { survey: surveyId, list, copy, url, out, force, spreadsheet } = input;
  const { accountId, definition } = await openSurvey(context, surveyId);
  const base = await pagesAddress(terminal, context, { url, isForOthers: true });
  using lines = new PutAside<InvitationLine>();
  const reading = new LateProgress(terminal);
  const reader = new InvitationLines(
    { definition, base, limits: parameterLimits(context.config), copied: new Set(copy) },
    (line) => {
      lines.add(line);
      reading.say(() => `Reading the list: ${numberText(reader.count)} lines ...`);
    },
  );
  await readList(list, reader);
  // With a fault of form the store is still asked what else is wrong, so that one run names everything.
  await findRevoked(context.db, accountId, reader, lines.values(), async () => {});
  if (reader.faultCount > 0) throw refusal(list, reader);

  const survey = { accountId, surveyId };
  const output = out === undefined ? standardOutput() : await fileOutput(out, force);
  const change = stamp();
  const endsAtMs = endOfInvitation(change.nowMs, days);
  await context.db.write(noteInvitations, { ...change, ...survey, count: reader.count, endsAtMs });
  const seal = new InvitationSeal(new PageKeys(new Sealer(context)));
  const asked = {
    ...{ survey, base, issuedAtMs: context.now(), endsAtMs, newId: context.newId },
    isForSpreadsheet: spreadsheet,
  };
  const expires = new Date(endsAtMs).toISOString();
  const place = out === undefined ? '' : `, were written to ${out}`;
  await withProgress(
    terminal,
    { title: `Inviting to ${visible(surveyId)}`, total: reader.count },
    (advance) => writeOut(linksFile(seal, reader, lines.values(), { ...asked, onWritten: advance }), output),
    () => `${numberText(reader.count)} invitations to ${visible(surveyId)}, good until ${expires}${place}.`,
  );
  return { surveyId, invitations: reader.count, expires, file: out ?? null };
}

async function openSurvey({ db }: Context, surveyId: string) {
  const source = await findSourceOfSurvey(db, surveyId);
  const definition = source?.surveys.find((survey) => survey.definition.id === surveyId)?.definition;
  if (source == null || definition === undefined)
    throw new CommandError(
      `There is no survey "${surveyId}". It is the id of a version, as "soundings catalogue dump" writes it.`,
    );
  if (definition.closed)
    throw new CommandError(`The survey ${surveyId} is closed: nobody could answer the invitation.`);
  return { accountId: source.accountId, definition };
}

// ---- the list

async function readList(list: string, lines: InvitationLines): Promise<void> {
  const isStandardInput = list === '-';
  const name = isStandardInput ? 'standard input' : list;
  try {
    await readCsvLines(isStandardInput ? process.stdin : createReadStream(list), lines);
  } catch (error) {
    if (error instanceof UnreadableLines && error.reason === 'csv')
      throw new CommandError(
        `The list is not CSV, and nobody was invited:\n  ${name}:${error.line ?? '?'}: ${reasonOf(error)}.`,
        { cause: error },
      );
    if (error instanceof UnreadableLines)
      throw new CommandError(`The list is not UTF-8, and nobody was invited. Save it as UTF-8.`, {
        cause: error,
      });
    if (error instanceof Error && 'syscall' in error) throw unreadableFile(name, error);
    throw error;
  }
}

function refusal(list: string, { faults, faultCount }: InvitationLines): CommandError {
  const name = list === '-' ? 'standard input' : list;
  const shown = faults
    .toSorted((one, other) => one.line - other.line)
    .slice(0, faultsShownMax)
    .map(({ line, message }) => `  ${name}:${line}: ${visible(message)}`);
  const rest = faultCount - shown.length;
  return new CommandError(
    `The list has faults, and nobody was invited:\n${shown.join('\n')}${rest > 0 ? `\n  and ${numberText(rest)} more.` : ''}`,
    { facts: { invitations: 0, faultCount, faults } },
  );
}

// ---- the links

async function writeOut(pieces: AsyncGenerator<string>, output: Output): Promise<void> {
  try {
    await pipeline(pieces, output.stream, { end: output.isOurs });
    await output.keep();
  } catch (error) {
    await output.discard();
    throw output.explain(error);
  }
}
