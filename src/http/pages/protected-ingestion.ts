// `protect: page`: what is sent to such a survey without an access token must carry the token of its page, also where it does
// not come from the page but through /v1/surveys/ingestion (D-469). It is then judged like a send of the page.

import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../acts/access/network.ts';
import type { Context } from '../../context.ts';
import type { SurveyDefinition } from '../../domain/feedback/definition.ts';
import type { ResponseDraft } from '../../domain/feedback/response-draft.ts';
import type { Quality } from '../../domain/pages/quality.ts';
import { Problem } from '../../domain/problem.ts';
import type { PreparedSource } from '../../store/feedback/sources.ts';
import type { OpenedToken, PageTokens } from './page-tokens.ts';
import type { PageProtection } from './protection.ts';

const pageTokenHeader = 'soundings-page-token';
/** Of an answer the challenge, of a request what was made of it. */
const pageWorkHeader = 'soundings-page-work';

export interface ProtectedServices {
  readonly context: Context;
  readonly pageTokens: PageTokens;
  readonly pageProtection: PageProtection;
}

export interface ProtectedDraft {
  /** Under the id that the token names. */
  readonly draft: ResponseDraft;
  readonly quality: Quality | null;
}

export function isProtected({ page }: SurveyDefinition): boolean {
  return page?.protect === 'page';
}

export async function judgeProtected(
  services: ProtectedServices,
  request: FastifyRequest,
  draft: ResponseDraft,
  { source: { accountId } }: PreparedSource,
): Promise<ProtectedDraft> {
  const surveyId = draft.surveyDefinitionId;
  const text = headerOf(request, pageTokenHeader);
  const { responseId, issuedAtMs } = liveToken(await services.pageTokens.open(text, { accountId, surveyId }));
  if (draft.responseId !== null && draft.responseId !== responseId) {
    const message = 'responseId is the one that the page token names, or left out.';
    throw new Problem('INVALID_RESPONSE', 'The survey response is not valid.', {
      details: [{ field: 'responseId', code: 'INVALID', message }],
    });
  }
  // A test response is never kept, so nothing has to be held back.
  const quality = draft.isTest
    ? null
    : await judgeSend(services, request, {
        surveyId,
        responseId,
        elapsedMs: services.context.now() - issuedAtMs,
        answeredCount: Object.keys(draft.answers).length,
      });
  return { draft: { ...draft, responseId }, quality };
}

interface NamedResponse {
  readonly responseId: string;
  readonly issuedAtMs: number;
}

/** Of the page alone: what an inviter sealed into an invitation would not reach the row on this way. */
function liveToken(token: OpenedToken): NamedResponse {
  if (token.kind === 'form') return token;
  throw new Problem('PAGE_TOKEN_REQUIRED', refusals[token.kind]);
}

const onItsPage = 'Who was invited answers on the page of the survey.';
const refusals: Readonly<Record<Exclude<OpenedToken['kind'], 'form'>, string>> = {
  invitation: onItsPage,
  revoked: onItsPage,
  expired: 'The token of the page has expired: ask for the page again.',
  invalid:
    'This survey takes responses from its page alone: send the token of the page as Soundings-Page-Token.',
};

async function judgeSend(
  { context, pageProtection }: ProtectedServices,
  request: FastifyRequest,
  send: {
    readonly surveyId: string;
    readonly responseId: string;
    readonly elapsedMs: number;
    readonly answeredCount: number;
  },
): Promise<Quality | null> {
  const judged = await pageProtection.judge({
    ...send,
    network: networkOf(request.ip, context.config.throttleIpv6PrefixBits),
    // The body of the interface has no such field.
    honeypot: '',
    work: headerOf(request, pageWorkHeader),
  });
  switch (judged.verdict) {
    case 'take':
      return judged.quality;
    case 'wait':
      throw new Problem('THROTTLED', 'Too many responses from this address.', {
        headers: { 'retry-after': String(judged.seconds) },
      });
    case 'work':
      throw new Problem(
        'PAGE_WORK_REQUIRED',
        'Very many responses are arriving. Send it again with what Soundings-Page-Work asks for, or with the same text after the time of Retry-After.',
        {
          headers: {
            'retry-after': String(judged.challenge.waitSeconds),
            [pageWorkHeader]: judged.challenge.text,
          },
        },
      );
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
