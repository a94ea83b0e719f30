// The pages that people answer surveys on: GET /s/{name} shows one, POST takes what was answered, /s/{name}/thanks says thank
// you. A GET never sends and never writes: programs open links too.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { surveyPageOperations } from '../../contract/pages/survey-pages.ts';
import type { NoticeKind } from '../../domain/pages/notice-html.ts';
import { chooseLanguage, chooseNoticeLanguage } from '../../domain/pages/survey-language.ts';
import type { Problem } from '../../domain/problem.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { PageSurvey } from '../../store/feedback/sources.ts';
import { acceptsGzip } from '../server/accept.ts';
import { removeCorsHeaders } from '../server/cross-origin.ts';
import { sendProblem } from '../server/errors.ts';
import { addOperation } from '../server/route.ts';
import { readFormBody } from './form-body.ts';
import { type FormSendServices, FormSends, type SendAnswer } from './form-sends.ts';
import type { PageFiles } from './page-files.ts';
import type { AskedPage, PageVisits } from './page-visits.ts';
import { judgeOrigin } from './survey-origins.ts';
import { type MadePage, SurveyPages } from './survey-pages.ts';

const html = 'text/html; charset=utf-8';

interface PageServices extends Omit<FormSendServices, 'pages' | 'visits'> {
  readonly context: Context;
  readonly pageVisits: PageVisits;
  readonly pageFiles: PageFiles;
  readonly workQueue: WorkQueue;
}

export function surveyPageRoutes(app: FastifyInstance, services: PageServices): void {
  const { context, publicUrl } = services;
  const pages = new SurveyPages(services.pageFiles, services.workQueue);
  const { pageVisits: visits } = services;
  const sends = new FormSends({ ...services, pages, visits });

  addOperation(
    app,
    surveyPageOperations,
    'GET /s/:name',
    async ({ params: { name } }, request, reply) => {
      await pages.look();
      const asked = await visits.ask(name, request);
      admit(asked.found, request, reply);
      const { found, invitation, isTest } = asked;
      const closed = await visits.noticeInsteadOf(asked);
      if (closed !== null) return sendNotice(asked, closed, request, reply);
      const language = languageOf(asked, request);
      addPageHeaders(asked, language, reply);
      const token = invitation?.text ?? (await visits.newToken(found.survey.definition.id));
      const linkSuffix = invitation === null ? '' : `&amp;i=${encodeURIComponent(invitation.text)}`;
      const keeping = pages.kept(found, language, isTest);
      const kept = keeping instanceof Promise ? await keeping : keeping;
      const given = visits.prefilled(asked, request.query);
      if (given !== null && kept.spliced.bytes <= prefillBytesMax) {
        const made = await pages.made(found, { language, isTest, token, linkSuffix, given });
        return reply.type(html).header('content-security-policy', made.policy).send(made.html);
      }
      reply.type(html).header('content-security-policy', kept.policy);
      const fillings = [token, linkSuffix];
      if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(kept.spliced.plain(fillings));
      return reply.header('content-encoding', 'gzip').send(kept.spliced.gzip(fillings));
    },
    { showProblem },
  );

  addOperation(
    app,
    surveyPageOperations,
    'POST /s/:name',
    async ({ params: { name } }, request, reply) => {
      await pages.look();
      const fields = await readFormBody(
        services.workQueue,
        request.body as Buffer | undefined,
        request.headers['content-type'] ?? '',
      );
      const answer = await sends.take(name, fields, request, (found) => admit(found, request, reply));
      return isJson(request) ? sendJson(answer, reply) : sendPage(answer, request, reply);
    },
    { showProblem, bodyLimitBytes: context.config.ingestionBodyLimitBytes },
  );

  addOperation(
    app,
    surveyPageOperations,
    'GET /s/:name/thanks',
    async ({ params: { name } }, request, reply) => {
      await pages.look();
      // Whoever answered in the last hour of an invitation is thanked all the same.
      const asked = await visits.ask(name, request, { takesEnded: true });
      admit(asked.found, request, reply);
      const language = languageOf(asked, request);
      addPageHeaders(asked, language, reply);
      return sendMade(pages.thanks(asked.found, language, asked.isTest), reply);
    },
    { showProblem },
  );

  /** Pages of other sites read and send only where the survey names them; ours always may. */
  function admit({ survey }: PageSurvey, request: FastifyRequest, reply: FastifyReply): void {
    // What a browser sends with a form of a page that tells nobody where it is (D-435). Nothing of the answer can be read by that.
    if (request.headers.origin === 'null') return removeCorsHeaders(reply);
    judgeOrigin(survey.definition, request, reply, new URL(publicUrl.base).origin);
  }

  function languageOf({ found, lang }: AskedPage, request: FastifyRequest) {
    const acceptLanguage = request.headers['accept-language'];
    return chooseLanguage(found.survey.definition, { lang, acceptLanguage });
  }

  function sendNotice(
    asked: AskedPage,
    kind: NoticeKind,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    const language = languageOf(asked, request);
    addPageHeaders(asked, language, reply);
    return sendMade(pages.noticeOf(asked.found, kind, language), reply.code(noticeStatus[kind]));
  }

  /** Without scripts: the page again, or on to the next one. */
  async function sendPage(
    answer: SendAnswer,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { asked, language } = answer;
    addPageHeaders(asked, language, reply);
    if (answer.kind === 'thanks') return reply.code(303).header('location', answer.thanks).send();
    if (answer.kind === 'notice')
      return sendNotice({ ...asked, lang: language }, answer.notice, request, reply);
    if (answer.waitSeconds !== undefined) reply.header('retry-after', answer.waitSeconds);
    return sendMade(await sends.pageAgain(answer), reply.code(answer.status));
  }

  /** For the script: the same in JSON. */
  function sendJson(answer: SendAnswer, reply: FastifyReply): FastifyReply {
    addPageHeaders(answer.asked, answer.language, reply);
    reply.type('application/json; charset=utf-8');
    if (answer.kind === 'thanks') return reply.send(JSON.stringify({ thanks: answer.thanks }));
    if (answer.kind === 'notice')
      return reply.code(noticeStatus[answer.notice]).send(JSON.stringify({ notice: answer.notice }));
    if (answer.waitSeconds !== undefined) reply.header('retry-after', answer.waitSeconds);
    return reply.code(answer.status).send(JSON.stringify(sends.jsonOf(answer)));
  }

  /** What is refused before or outside of a survey. JSON is answered in JSON. */
  function showProblem(
    problem: Problem,
    status: number,
    request: FastifyRequest,
    reply: FastifyReply,
  ): FastifyReply {
    reply.header('x-robots-tag', 'noindex');
    if (isJson(request)) return sendProblem('service', problem, context.now(), reply);
    const query = request.query as Readonly<Record<string, unknown>> | undefined;
    const lang = typeof query?.lang === 'string' ? query.lang : undefined;
    const language = chooseNoticeLanguage({ lang, acceptLanguage: request.headers['accept-language'] });
    const kind = status === 404 ? 'unknown' : status >= 500 || status === 429 ? 'busy' : 'invalid';
    addVary(reply);
    reply.code(status).headers({ ...retryHeaders(status), ...problem.headers });
    reply.headers({ 'cache-control': 'no-store', 'content-language': language });
    return sendMade(pages.notice(kind, language), reply);
  }
}

// A page of this size takes some milliseconds to render, and whoever fills in the address has it rendered for herself alone.
const prefillBytesMax = 1024 * 1024;

const noticeStatus: Readonly<Record<NoticeKind, number>> = {
  closed: 410,
  notOpen: 403,
  answered: 200,
  unknown: 404,
  busy: 503,
  invalid: 400,
};

function retryHeaders(status: number): Readonly<Record<string, string>> {
  return status === 429 ? { 'retry-after': '1' } : status === 503 ? { 'retry-after': '30' } : {};
}

function isJson({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.trim().toLowerCase().startsWith('application/json') === true;
}

/** Every page of a survey has a token in it or in its address, so no cache keeps it and no other site is told of it. */
function addPageHeaders(
  { found, invitation, isTest }: AskedPage,
  language: string,
  reply: FastifyReply,
): void {
  addVary(reply);
  reply.headers({ 'cache-control': 'no-store', 'content-language': language });
  if (!found.survey.definition.public || invitation !== null || isTest)
    reply.header('x-robots-tag', 'noindex');
}

function addVary(reply: FastifyReply): void {
  reply.header('vary', 'Origin, Accept-Language');
}

function sendMade({ html: text, policy }: MadePage, reply: FastifyReply): FastifyReply {
  return reply.type(html).header('content-security-policy', policy).send(text);
}
