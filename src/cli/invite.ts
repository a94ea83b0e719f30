// soundings invite: a link for each line of a list, with the parameters of that line sealed in it. The whole list is judged first:
// one fault, and no link is made (D-447). Lines wait in a temporary file meanwhile, so that a list may be larger than memory.

import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Context } from '../context.ts';
import { endOfInvitation, invitationDaysDefault, invitationDaysMax } from '../domain/pages/invitation.ts';
import { type InvitationLine, InvitationLines } from '../domain/pages/invitation-lines.ts';
import { reasonOf } from '../domain/reason.ts';
import { Sealer } from '../store/access/sealer.ts';
import { findSourceOfSurvey } from '../store/feedback/catalogue.ts';
import { readCsvLines, UnreadableLines } from '../store/feedback/external-file.ts';
import { parameterLimits } from '../store/feedback/take-response.ts';
import { findRevoked, linksFile } from '../store/pages/invitation-file.ts';
import { InvitationSeal } from '../store/pages/invitation-seal.ts';
import { noteInvitations } from '../store/pages/invitations.ts';
import { PageKeys } from '../store/pages/page-keys.ts';
import { changeStamp } from './change-stamp.ts';
import { fileOutput, type Output, standardOutput } from './export-output.ts';
import { unreadableFile } from './given-file.ts';
import { type Flags, withContext } from './open-context.ts';
import type { Common } from './options.ts';
import { LateProgress, numberText, withProgress } from './progress.ts';
import { PutAside } from './put-aside.ts';
import { pagesAddress } from './service-address.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

const faultsShownMax = 100;

export interface InviteOptions extends Common {
  readonly copy?: readonly string[];
  readonly days?: string;
  readonly url?: string;
  readonly out?: string;
  readonly force?: boolean;
  readonly spreadsheet?: boolean;
}

export async function invite(
  terminal: Terminal,
  flags: Flags,
  { surveyId, list }: { readonly surveyId: string; readonly list: string },
  options: InviteOptions,
): Promise<void> {
  const days = daysOf(options.days);
  const settings = options.url === undefined ? {} : { settings: { publicUrl: options.url } };
  await withContext(terminal, { ...flags, ...settings }, async (context) => {
    const { accountId, definition } = await openSurvey(context, surveyId);
    const base = await pagesAddress(terminal, context, { url: options.url, isForOthers: true });
    using lines = new PutAside<InvitationLine>();
    const reading = new LateProgress(terminal);
    const reader = new InvitationLines(
      { definition, base, limits: parameterLimits(context.config), copied: new Set(options.copy) },
      (line) => {
        lines.add(line);
        reading.say(() => `Reading the list: ${numberText(reader.count)} lines ...`);
      },
    );
    await readList(list, reader);
    // With a fault of form the store is still asked what else is wrong, so that one run names everything.
    await findRevoked(context.db, accountId, reader, lines.values(), async () => {});
    if (reader.faultCount > 0) throw refusal(terminal, list, reader, options);

    const survey = { accountId, surveyId };
    const output =
      options.out === undefined ? standardOutput() : await fileOutput(options.out, options.force === true);
    const stamp = changeStamp(context);
    const endsAtMs = endOfInvitation(stamp.nowMs, days);
    await context.db.write(noteInvitations, { ...stamp, ...survey, count: reader.count, endsAtMs });
    const seal = new InvitationSeal(new PageKeys(new Sealer(context)));
    const asked = {
      ...{ survey, base, issuedAtMs: context.now(), endsAtMs, newId: context.newId },
      isForSpreadsheet: options.spreadsheet === true,
    };
    const sentence = `${numberText(reader.count)} invitations to ${visible(surveyId)}, good until ${timeOf(endsAtMs)}${options.out === undefined ? '' : `, were written to ${options.out}`}.`;
    await withProgress(
      terminal,
      { title: `Inviting to ${visible(surveyId)}`, total: reader.count },
      (advance) =>
        writeOut(linksFile(seal, reader, lines.values(), { ...asked, onWritten: advance }), output),
      () => sentence,
    );
    if (options.json !== true) return;
    const facts = JSON.stringify({
      ...{ surveyId, invitations: reader.count, expires: timeOf(endsAtMs), file: options.out ?? null },
    });
    // Standard output is the file of links, unless it has a name.
    if (options.out === undefined) terminal.tell(facts);
    else terminal.print(facts);
  });
}

export function daysOf(text: string | undefined): number {
  const days = text === undefined ? invitationDaysDefault : Number(text);
  if ((text === undefined || /^\d{1,3}$/.test(text)) && days >= 1 && days <= invitationDaysMax) return days;
  throw new CommandError(`--days is a number from 1 to ${invitationDaysMax}, not "${text}".`);
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

function refusal(
  terminal: Terminal,
  list: string,
  { faults, faultCount }: InvitationLines,
  { json, out }: InviteOptions,
): CommandError {
  if (json === true) {
    const facts = JSON.stringify({ invitations: 0, faultCount, faults });
    if (out === undefined) terminal.tell(facts);
    else terminal.print(facts);
  }
  const name = list === '-' ? 'standard input' : list;
  const shown = faults
    .toSorted((one, other) => one.line - other.line)
    .slice(0, faultsShownMax)
    .map(({ line, message }) => `  ${name}:${line}: ${visible(message)}`);
  const rest = faultCount - shown.length;
  return new CommandError(
    `The list has faults, and nobody was invited:\n${shown.join('\n')}${rest > 0 ? `\n  and ${numberText(rest)} more.` : ''}`,
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

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
