// /console/api/surveys/measures/KEY/share: how people get to a survey. Its link, the link as a QR code, and invitations made from a
// list. The links of invitations are in one answer and nowhere else afterwards: nothing is kept of them (D-446).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { linesMax, listBytesMax, madeShown, shareOperations } from '../../../contract/feedback/share.ts';
import type { AnswerOf } from '../../../contract/operation.ts';
import type { SurveyDefinition } from '../../../domain/feedback/definition.ts';
import { addFault } from '../../../domain/feedback/draft-faults.ts';
import { pathOfKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import { endOfInvitation, invitationDaysDefault, surveyLink } from '../../../domain/pages/invitation.ts';
import { type InvitationLine, InvitationLines } from '../../../domain/pages/invitation-lines.ts';
import { languagesOf } from '../../../domain/pages/survey-language.ts';
import { surveyTexts } from '../../../domain/pages/survey-texts.ts';
import { type Fault, invalidRequest, Problem } from '../../../domain/problem.ts';
import type { Source } from '../../../store/feedback/catalogue.ts';
import { readCsvLines, UnreadableLines } from '../../../store/feedback/external-file.ts';
import { logEnds } from '../../../store/feedback/log-ends.ts';
import { parameterLimits } from '../../../store/feedback/take-response.ts';
import { findRevoked, linksFile } from '../../../store/pages/invitation-file.ts';
import { noteInvitations } from '../../../store/pages/invitations.ts';
import { madeInvitations } from '../../../store/pages/invited-counts.ts';
import { auditPage, shownEntry } from '../../../store/people/audit-reader.ts';
import { SliceStream } from '../../server/compress.ts';
import { logFailure } from '../../server/request-log.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { type SourceOf, sourceOfPath } from '../figures/console-sources.ts';
import { nameOfSource } from '../figures/source-routes.ts';
import { stampOf } from '../visitor-stamp.ts';
import { PackedLines } from './packed-lines.ts';
import { currentOf, freshSource, responsesByVersion, shownEnd, stateOf } from './survey-list-routes.ts';

const csv = 'text/csv';
const svg = 'image/svg+xml';

const bodiesAtOnceMin = 8;

/** Read between two turns of the event loop: short lines cost some 25 us each (D-921). */
const pieceBytes = 1024;
const columnsCopiedMax = 50;
/** Lists that are worked on at once: what was read of them is in memory. */
const underWayMax = 4;

export function shareRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context } = services;
  const serving = {
    bodyLimitBytes: Math.min(listBytesMax, Math.floor(context.config.bodiesLimitBytes / bodiesAtOnceMin)),
  };
  /** The accounts whose lists are being worked on: one of each. */
  const underWay = new Set<number>();

  for (const kind of sourceKinds) {
    const path = `/surveys/${pathOfKind[kind]}/:key` as const;

    addOperation(app, shareOperations, `GET ${path}/share`, ({ params: { key } }, request) =>
      share(services, accountOf(request), sourceOfPath(request, kind, key)),
    );

    addOperation(app, shareOperations, `GET ${path}/qr.svg`, async ({ params: { key } }, request, reply) => {
      const { source, definition } = await currentSurvey(
        services,
        accountOf(request),
        sourceOfPath(request, kind, key),
      );
      const link = linkOf(services, source, definition);
      if (link === null)
        throw new Problem('SURVEY_NOT_FOUND', 'The survey is private: it has no link for everybody.');
      reply.header('content-disposition', `attachment; filename="${fileName(definition.id)}.svg"`);
      const { qrCodeOf, qrSvg } = await import('../../../acts/pages/qr-code.ts');
      return reply.type(svg).send(qrSvg(qrCodeOf(link)));
    });

    addOperation(
      app,
      shareOperations,
      `GET ${path}/invitations`,
      async ({ params: { key } }, request, reply) => {
        const { source, definition } = await currentSurvey(
          services,
          accountOf(request),
          sourceOfPath(request, kind, key),
        );
        return invitationsOf(services, source, definition, request, reply);
      },
    );

    addOperation(
      app,
      shareOperations,
      `POST ${path}/invitations`,
      async ({ params: { key }, query }, request, reply) => {
        const { definition } = await currentSurvey(
          services,
          accountOf(request),
          sourceOfPath(request, kind, key),
        );
        const accountId = accountOf(request);
        if (underWay.has(accountId) || underWay.size >= underWayMax) throw busy(underWay.has(accountId));
        underWay.add(accountId);
        let isLeft = false;
        const leave = (): void => {
          if (!isLeft) underWay.delete(accountId);
          isLeft = true;
        };
        reply.raw.once('close', leave);
        try {
          return await invite(services, request, reply, definition, query);
        } catch (error) {
          leave();
          throw error;
        }
      },
      serving,
    );
  }
}

interface CurrentSurvey {
  readonly source: Source;
  readonly definition: SurveyDefinition;
}

async function currentSurvey(
  services: ConsoleServices,
  accountId: number,
  of: SourceOf,
): Promise<CurrentSurvey> {
  const source = await freshSource(services, accountId, of);
  const definition = currentOf(source);
  if (definition === null) throw new Problem('SURVEY_NOT_FOUND', `The ${of.kind} has no version yet.`);
  return { source, definition };
}

/** The name that stays: that of a project leads to its current version, also when that changes. */
function pageNameOf(source: Source, { id }: SurveyDefinition): string {
  return source.kind === 'project' && source.project.siteKey !== '' ? source.project.siteKey : id;
}

function linkOf({ publicUrl }: ConsoleServices, source: Source, definition: SurveyDefinition): string | null {
  return definition.public ? surveyLink(publicUrl.pages, pageNameOf(source, definition)) : null;
}

type SurveyShare = AnswerOf<(typeof shareOperations)['all']['GET /surveys/measures/:key/share']>;
type MadeInvitations = AnswerOf<(typeof shareOperations)['all']['GET /surveys/measures/:key/invitations']>;

async function share(services: ConsoleServices, accountId: number, of: SourceOf): Promise<SurveyShare> {
  const { source, definition } = await currentSurvey(services, accountId, of);
  const { pages: base } = services.publicUrl;
  const link = linkOf(services, source, definition);
  const { qrCodeOf, qrPath } = await import('../../../acts/pages/qr-code.ts');
  const code = link === null ? null : qrCodeOf(link);
  const ends = await logEnds(services.context.db, source.accountId, [source.sourceId]);
  const named = nameOfSource(source);
  return {
    kind: of.kind,
    ...named,
    state: stateOf(source, definition),
    surveyId: definition.id,
    version: definition.version,
    public: definition.public,
    titles: languagesOf(definition).map((language) => {
      const { title, intro } = surveyTexts(definition, language, named.name);
      return { language, title: title.text, intro: intro?.text ?? null };
    }),
    origins: definition.origins,
    page: { base, name: pageNameOf(source, definition), link },
    isLocal: isLoopback(base),
    qr: code === null ? null : { size: code.size, path: qrPath(code) },
    parameters: definition.parameters.custom.map(({ name }) => name),
    ...shownEnd(ends.get(source.sourceId)),
  };
}

function isLoopback(base: string): boolean {
  return /^(localhost|127\.|\[::1\])/.test(new URL(base).hostname);
}

function fileName(surveyId: string): string {
  return surveyId.replaceAll(/[^A-Za-z0-9._-]/g, '_');
}

async function invitationsOf(
  services: ConsoleServices,
  source: Source,
  definition: SurveyDefinition,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<MadeInvitations> {
  const { context, workQueue } = services;
  const { accountId } = source;
  const filter = { accountId, action: 'invitation.create', subject: `survey ${definition.id}` };
  const { entries, next } = await auditPage(context.db, filter, { after: null, take: 1_000 }, () =>
    workQueue.nextSlice(),
  );
  const items = entries.flatMap((entry) => {
    const made = madeInvitations(entry);
    if (made === null) return [];
    const { at, actor } = shownEntry(entry);
    return [{ at, by: actor.name ?? actor.id, ...made }];
  });
  const number = source.surveys.find((survey) => survey.definition.id === definition.id)?.number;
  const used = definition.public ? null : await responsesByVersion(services, source, request, reply);
  return {
    invited: items.reduce((sum, one) => sum + one.invited, 0),
    isWhole: next === null,
    answered: used === null || number === undefined ? null : (used.get(number)?.count ?? 0),
    items: items.slice(0, madeShown),
  };
}

// ---- invitations from a list

interface InviteQuery {
  readonly days?: number;
  readonly copy?: string;
  readonly spreadsheet?: boolean;
}

async function invite(
  services: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  definition: SurveyDefinition,
  { days = invitationDaysDefault, copy, spreadsheet = false }: InviteQuery,
): Promise<FastifyReply> {
  const { context, publicUrl, pageTokens, workQueue } = services;
  if (definition.closed)
    throw invalidRequest([
      { field: 'surveyId', code: 'SURVEY_CLOSED', message: 'The survey is closed: nobody could answer.' },
    ]);
  const { pages: base } = publicUrl;
  const lines = new PackedLines<InvitationLine>();
  const reader = new InvitationLines(
    { definition, base, limits: parameterLimits(context.config), copied: copiedColumns(copy) },
    (line) => {
      if (lines.length >= linesMax)
        throw new Problem(
          'BODY_TOO_LARGE',
          `A list has at most ${linesMax} lines here: send it in parts, or use "soundings invite".`,
        );
      lines.add(line);
    },
  );
  await readList(request, reader, workQueue);
  const survey = { accountId: accountOf(request), surveyId: definition.id };
  await findRevoked(context.db, survey.accountId, reader, lines, () => workQueue.nextSlice());
  if (reader.faultCount > 0) throw refusal(reader);

  const stamp = stampOf(context, request);
  const endsAtMs = endOfInvitation(stamp.nowMs, days);
  // In the log before the first of them leaves.
  await context.db.write(noteInvitations, { ...stamp, ...survey, count: reader.count, endsAtMs });
  const pieces = linksFile(pageTokens.invitations, reader, lines, {
    ...{ survey, base, issuedAtMs: stamp.nowMs, endsAtMs, isForSpreadsheet: spreadsheet },
    newId: context.newId,
    onWritten: () => workQueue.nextSlice(),
  });
  reply.header('content-disposition', `attachment; filename="links-${fileName(definition.id)}.csv"`);
  reply.type(`${csv}; charset=utf-8`);
  return reply.send(new SliceStream(told(services, request, reply, pieces)));
}

/** That the connection breaks is all that the browser can be told once the status has been sent. */
async function* told(
  { context }: ConsoleServices,
  request: FastifyRequest,
  reply: FastifyReply,
  pieces: AsyncGenerator<string>,
): AsyncGenerator<Buffer> {
  try {
    for await (const piece of pieces) yield Buffer.from(piece);
  } catch (error) {
    if (reply.raw.headersSent) logFailure(context.log, request, error, 'A list of invitations broke off.');
    throw error;
  }
}

function copiedColumns(copy: string | undefined): ReadonlySet<string> {
  if (copy === undefined || copy === '') return new Set();
  const names = copy.split(';');
  const faults: Fault[] = [];
  if (names.length > columnsCopiedMax)
    addFault(faults, 'copy', 'TOO_MANY', `At most ${columnsCopiedMax} columns are copied.`);
  const read = names.map((name) => {
    try {
      return decodeURIComponent(name);
    } catch {
      addFault(faults, 'copy', 'INVALID', 'A name of a column is not percent-encoded UTF-8.');
      return '';
    }
  });
  if (faults.length > 0) throw invalidRequest(faults);
  return new Set(read);
}

/** Reading ends when there are so many: nobody mends more of them at once. */
const faultsMax = 1_000;

class EnoughFaults extends Error {}

async function readList(
  request: FastifyRequest,
  reader: InvitationLines,
  workQueue: ConsoleServices['workQueue'],
): Promise<void> {
  const body = (request.body ?? Buffer.alloc(0)) as Buffer;
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let begin = 0; begin < body.length; begin += pieceBytes) {
      if (reader.faultCount >= faultsMax) throw new EnoughFaults();
      await workQueue.nextSlice();
      yield body.subarray(begin, begin + pieceBytes);
    }
  }
  try {
    await readCsvLines(pieces(), reader);
  } catch (error) {
    if (error instanceof UnreadableLines)
      reader.fault(
        error.line ?? 1,
        error.reason === 'csv'
          ? `The list is not CSV: ${error.message}.`
          : 'The list is not UTF-8. Save it as CSV in UTF-8.',
      );
    else if (!(error instanceof EnoughFaults)) throw error;
  }
}

function refusal({ faults }: InvitationLines): Problem {
  const details: Fault[] = [];
  for (const { line, message } of faults.toSorted((one, other) => one.line - other.line))
    addFault(details, `line ${line}`, 'INVALID', message);
  return new Problem('INVALID_REQUEST', 'The list has faults, and nobody was invited.', { details });
}

function busy(isOwn: boolean): Problem {
  return new Problem(
    'THROTTLED',
    isOwn
      ? 'Links of this account are being made from another list. Please send this one after it.'
      : 'Links are being made from as many lists as the service works on at once. Please retry.',
    { headers: { 'retry-after': '1' } },
  );
}
