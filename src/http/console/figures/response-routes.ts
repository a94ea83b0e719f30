// /console/api/measures/KEY/responses and its neighbours: single responses for people who may see them. One response and its trace
// are answered by the handlers of the interface.

import type { FastifyInstance } from 'fastify';
import { filterOfRequest, refuseFaults, refuseForm } from '../../../acts/insight/views.ts';
import {
  excerptLength,
  pageSize,
  sourceResponseOperations,
} from '../../../contract/insight/source-responses.ts';
import { excludeNothing, valuesText } from '../../../domain/feedback/respondent.ts';
import { pathOfKind, sourceKinds } from '../../../domain/feedback/source-kind.ts';
import { askedSections } from '../../../domain/insight/asked-questions.ts';
import { readCommentCursor, writeCommentCursor } from '../../../domain/insight/comment-cursor.ts';
import { GivenRow } from '../../../domain/insight/given-answers.ts';
import { parameterPlace, type RowText, textsOfPiece } from '../../../domain/insight/row-text.ts';
import { momentText } from '../../../domain/moment-text.ts';
import type { Fault } from '../../../domain/problem.ts';
import { eraseResponse } from '../../../store/erasure/erase.ts';
import { bodyAsSent } from '../../../store/feedback/response-body.ts';
import type { FoundResponse } from '../../../store/insight/response-search.ts';
import { daysOf } from '../../feedback/source-requests.ts';
import { commentWork, openRange } from '../../insight/comments.ts';
import { answerMeasureCost, answerProjectCost } from '../../insight/costs.ts';
import { answerResponse, answerTrace, responseNotFound } from '../../insight/responses.ts';
import { addOperation } from '../../server/route.ts';
import { accountOf } from '../console-gate.ts';
import type { ConsoleServices } from '../console-services.ts';
import { stampOf } from '../visitor-stamp.ts';
import { sourceOfVisitor } from './console-sources.ts';

export function consoleResponseRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, reader, sources, responseSearch, workQueue } = services;
  for (const kind of sourceKinds) {
    const path = `/${pathOfKind[kind]}/:key` as const;

    addOperation(
      app,
      sourceResponseOperations,
      `GET ${path}/responses`,
      async ({ params: { key }, query }, request, reply) => {
        const faults: Fault[] = [];
        const range = openRange(query, faults);
        const { from, to, cursor, limit = pageSize.usual } = query;
        const cursorOf = ['responses', accountOf(request), kind, key, from, to, query.filter];
        const place = cursor === undefined ? null : readCommentCursor(cursor, cursorOf);
        if (cursor !== undefined && place === null)
          faults.push({
            field: 'cursor',
            code: 'INVALID',
            message:
              'is no cursor of these days and this filter: leave it out to begin with the newest response.',
          });
        const ready = await sourceOfVisitor(services, request, kind, key, () =>
          refuseForm(faults, query.filter),
        );
        const filter = filterOfRequest({ ready, query, mayReadComments: true }, faults);
        refuseFaults(faults);
        const pageOf = async <Item>(listed: (found: FoundResponse, row: RowText) => Item) => {
          const { responses, nextSeq, isComplete, lastSeq } = await responseSearch.find(
            ready,
            { range, filter },
            { upToSeq: place?.seq ?? null, limit },
            commentWork(services, request, reply, query),
            listed,
          );
          return {
            complete: isComplete,
            position: lastSeq,
            items: responses,
            next: nextSeq === null ? null : writeCommentCursor({ seq: nextSeq, question: -1 }, cursorOf),
          };
        };
        return kind === 'measure' ? pageOf(listedOfMeasure) : pageOf(listedOfProject);
      },
    );

    addOperation(
      app,
      sourceResponseOperations,
      `GET ${path}/responses/:responseId`,
      async ({ params: { key, responseId } }, request, reply) => {
        const found = await sourceOfVisitor(services, request, kind, key);
        const toggles = kind === 'measure' ? { toggles: excludeNothing } : {};
        return answerResponse(services, request, reply, {
          found,
          responseId,
          ...toggles,
          mayReadComments: true,
        });
      },
    );

    addOperation(
      app,
      sourceResponseOperations,
      `GET ${path}/responses/:responseId/trace`,
      async ({ params: { key, responseId } }, request) =>
        answerTrace(services, { found: await sourceOfVisitor(services, request, kind, key), responseId }),
    );

    addOperation(
      app,
      sourceResponseOperations,
      `GET ${path}/responses/:responseId/asked`,
      async ({ params: { key, responseId } }, request) => {
        const found = await sourceOfVisitor(services, request, kind, key);
        const asked = await reader.readOne(found.source, responseId, async (page, position) => {
          const ready = await sources.atLeast(found, page.facts.revision);
          await page.next();
          using rows = page;
          const [row] = rows.rows;
          const told = await workQueue.runShort(() => {
            const survey = ready.version(row!.surveyNumber);
            const given = new GivenRow(survey);
            given.read(valuesText(row!.values));
            const { id: surveyId, version, title = null } = survey.definition;
            return {
              ...{ id: responseId, position, version, erased: given.isErased, survey: surveyId, title },
              sections: askedSections(given),
            };
          });
          // It may be erased between the two: what is gone is told as gone.
          return { ...told, body: told.erased ? null : await bodyAsSent(context.db, ready.source, position) };
        });
        if (asked === null) throw responseNotFound(found);
        return asked;
      },
    );

    addOperation(
      app,
      sourceResponseOperations,
      `DELETE ${path}/responses/:responseId`,
      async ({ params: { key, responseId } }, request) => {
        const found = await sourceOfVisitor(services, request, kind, key);
        // The id is unique in the account: that it is of this measure or project is looked at here.
        const isThere = await reader.readOne(found.source, responseId, async (page) => {
          page[Symbol.dispose]();
          return true;
        });
        if (isThere === null) throw responseNotFound(found);
        const outcome = await context.db.write(eraseResponse, {
          ...stampOf(context, request),
          accountId: accountOf(request),
          responseId,
        });
        if (outcome === 'unknown') throw responseNotFound(found);
        return { erased: true as const, changed: outcome === 'erased' };
      },
    );
  }

  addOperation(
    app,
    sourceResponseOperations,
    'GET /measures/:key/cost',
    async ({ params: { key }, query }, request, reply) => {
      daysOf(query);
      const found = await sourceOfVisitor(services, request, 'measure', key);
      return answerMeasureCost(services, reply, found, query);
    },
  );

  addOperation(
    app,
    sourceResponseOperations,
    'GET /projects/:key/cost',
    async ({ params: { key }, query }, request, reply) => {
      daysOf(query);
      const found = await sourceOfVisitor(services, request, 'project', key);
      return answerProjectCost(services, reply, found, query);
    },
  );
}

function listed({ seq, responseId, submittedAtMs, survey }: FoundResponse, row: RowText) {
  const texts = row.isErased ? [] : openTexts(survey, row);
  const [first = null] = texts;
  const place = parameterPlace(survey, 'deviceType');
  const piece = row.isErased ? null : row.parameterPiece(place);
  return {
    id: responseId,
    position: seq,
    version: survey.definition.version,
    erased: row.isErased,
    responseTime: momentText(submittedAtMs),
    device: piece === null ? null : (textsOfPiece(piece)[0] ?? null),
    comment: first === null ? null : excerptOf(first),
    comments: texts.length,
  };
}

function listedOfMeasure(found: FoundResponse, row: RowText) {
  // A latent without a score is left out (D-33).
  const scores = JSON.parse(`[${row.head}]`) as readonly (number | null)[];
  return {
    ...listed(found, row),
    scores: found.survey.latents.flatMap(({ latent: { id } }, at) => {
      const score = scores[at] ?? null;
      return score === null ? [] : [{ id, score }];
    }),
  };
}

function listedOfProject(found: FoundResponse, row: RowText) {
  // The text of the row was written with these two (response.ts).
  const { rating, topic } = JSON.parse(`{${row.head}}`) as { rating: number | null; topic: string | null };
  return { ...listed(found, row), rating, topic };
}

function openTexts(survey: FoundResponse['survey'], row: RowText): readonly string[] {
  return survey.pieces.flatMap((question) => {
    if (question.form !== 'open') return [];
    const piece = row.answerPiece(question);
    const text = piece === null ? '' : (textsOfPiece(piece)[0] ?? '');
    return text === '' ? [] : [text];
  });
}

/** No character is cut in two. */
function excerptOf(text: string): string {
  const cut = text.slice(0, excerptLength);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
