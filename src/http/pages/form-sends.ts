// What becomes of a form that was sent: its token is opened, its sender is judged, its answers are judged and kept like those of
// any other response. What cannot be taken is shown again with everything that was answered.

import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../acts/access/network.ts';
import type { Context } from '../../context.ts';
import type { SurveyLanguage } from '../../domain/feedback/definition.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { byQuestion, faultTexts } from '../../domain/pages/fault-texts.ts';
import { faultsOfAnswers, type QuestionFault } from '../../domain/pages/form-answers.ts';
import { draftOf, type FormDraft, isTest } from '../../domain/pages/form-draft.ts';
import {
  type FormFields,
  honeypotField,
  languageField,
  parameterPrefix,
  questionPrefix,
  tokenField,
  urlField,
  workField,
} from '../../domain/pages/form-fields.ts';
import { fill, messagesOf } from '../../domain/pages/messages/messages.ts';
import type { NoticeKind } from '../../domain/pages/notice-html.ts';
import { chooseLanguage } from '../../domain/pages/survey-language.ts';
import type { Fault } from '../../domain/problem.ts';
import type { LogAppender } from '../../store/feedback/appender.ts';
import type { PageSurvey, Sources } from '../../store/feedback/sources.ts';
import { parameterLimits, takeResponse } from '../../store/feedback/take-response.ts';
import type { ResponseFigures } from '../server/response-figures.ts';
import type { OpenedToken, PageTokens } from './page-tokens.ts';
import type { AskedPage, PageVisits } from './page-visits.ts';
import type { PageProtection, SendVerdict } from './protection.ts';
import { type MadePage, pathOfSurvey, type SurveyPages } from './survey-pages.ts';
import type { Challenge } from './work-challenges.ts';

export interface FormSendServices {
  readonly context: Context;
  readonly sources: Sources;
  readonly appender: LogAppender;
  readonly responseFigures: ResponseFigures;
  readonly publicUrl: PublicUrl;
  readonly pageTokens: PageTokens;
  readonly pageProtection: PageProtection;
  readonly pages: SurveyPages;
  readonly visits: PageVisits;
}

interface Answered {
  readonly asked: AskedPage;
  readonly language: SurveyLanguage;
}

/** The form is shown again. */
interface ShownAgain extends Answered {
  readonly kind: 'again';
  readonly status: 422 | 429;
  readonly fields: FormFields;
  readonly token: string;
  /** Whether the token is another than the one that was sent. */
  readonly isNewToken: boolean;
  /** By the id of the question. */
  readonly faults: ReadonlyMap<string, string>;
  readonly notices: readonly string[];
  /** Of those that are shown after a send. */
  readonly shown: ReadonlySet<string>;
  readonly waitSeconds?: number;
  readonly challenge?: Challenge;
}

export type SendAnswer =
  | (Answered & { readonly kind: 'thanks'; readonly thanks: string })
  | (Answered & { readonly kind: 'notice'; readonly notice: NoticeKind })
  | ShownAgain;

type GoodToken = Extract<OpenedToken, { kind: 'form' | 'invitation' }>;

/** A send with all that is known of it. */
interface Send extends Answered {
  readonly fields: FormFields;
  readonly prepared: PreparedSurvey;
  readonly token: string;
}

export class FormSends {
  readonly #services: FormSendServices;

  constructor(services: FormSendServices) {
    this.#services = services;
  }

  /** `admit` refuses the page that sends, where the survey is not for it. */
  async take(
    name: string,
    fields: FormFields,
    request: FastifyRequest,
    admit: (found: PageSurvey) => void,
  ): Promise<SendAnswer> {
    const { visits } = this.#services;
    const token = fields.get(tokenField)?.[0] ?? '';
    const lookUp = await visits.find(name, request);
    const { found } = lookUp;
    const opened = await visits.open(token, lookUp);
    if (found === null) throw await visits.unknown(lookUp, request);
    const { definition } = found.survey;
    const lang = fields.get(languageField)?.[0];
    const isInvitation = 'of' in opened ? opened.of === 'invitation' : opened.kind === 'invitation';
    const send: Send = {
      asked: {
        found,
        invitation:
          isInvitation && 'responseId' in opened ? { text: token, responseId: opened.responseId } : null,
        isTest: isTest(fields),
        lang,
      },
      language: chooseLanguage(definition, { lang, acceptLanguage: request.headers['accept-language'] }),
      fields,
      prepared: found.ready.prepared(found.survey),
      token,
    };
    if (opened.kind === 'invitation' || definition.public) admit(found);
    if (opened.kind === 'invitation' || (opened.kind === 'form' && definition.public))
      return this.#judge(send, opened, request);
    // Whoever sends again has answered, also when the invitation has ended meanwhile.
    const mayBeKept = opened.kind === 'expired' && (isInvitation || definition.public);
    if (mayBeKept && (await visits.isKept(found, opened.responseId))) return thanksFor(send);
    if (!definition.public) throw await visits.unknown(lookUp, request);
    return this.#renew(send, opened.kind === 'expired' ? opened.responseId : undefined, request);
  }

  /** The token has ended, or it is none of ours: the page is shown again with a fresh one, and the same id where it had one. */
  async #renew(send: Send, responseId: string | undefined, request: FastifyRequest): Promise<SendAnswer> {
    const { visits, pageTokens } = this.#services;
    visits.throttle(request);
    const surveyId = send.prepared.definition.id;
    const token = await pageTokens.newFormToken(surveyId, responseId);
    const { asked: shown } = this.#draft(send, {
      kind: 'form',
      responseId: 'none',
      issuedAtMs: 0,
      parameters: {},
    });
    return {
      ...send,
      // From here on it is a page of the survey like any other.
      asked: { ...send.asked, invitation: null },
      kind: 'again',
      status: 422,
      token,
      isNewToken: true,
      faults: noFaults,
      notices: [messagesOf(send.language).expired],
      shown,
    };
  }

  async #judge(send: Send, opened: GoodToken, request: FastifyRequest): Promise<SendAnswer> {
    const verdict = await this.#services.pageProtection.judge(this.#factsOf(send, opened, request));
    // Whoever goes on all the same is told so in a few words, and no form is made for it.
    if (verdict.verdict === 'wait') this.#services.visits.throttle(request);
    const drafted = this.#draft(send, opened);
    if (verdict.verdict !== 'take') return this.#later(send, drafted, verdict);
    const { unseen } = drafted;
    if (unseen.size > 0)
      return this.#again(send, drafted, faultsOfAnswers(send.prepared, drafted.draft.answers));
    return this.#keep(send, drafted, verdict);
  }

  #factsOf(
    { fields, prepared }: Send,
    { kind, responseId, issuedAtMs }: GoodToken,
    { ip }: FastifyRequest,
  ): Parameters<PageProtection['judge']>[0] {
    const { context } = this.#services;
    const answered = prepared.questions.filter(({ id }) => fields.get(questionPrefix + id)?.[0]);
    return {
      network: networkOf(ip, context.config.throttleIpv6PrefixBits),
      surveyId: prepared.definition.id,
      responseId,
      honeypot: fields.get(honeypotField)?.[0] ?? '',
      // When an invitation was opened is not known.
      elapsedMs: kind === 'form' ? context.now() - issuedAtMs : Number.MAX_SAFE_INTEGER,
      answeredCount: answered.length,
      work: fields.get(workField)?.[0] ?? '',
    };
  }

  #draft({ asked, fields, prepared }: Send, opened: GoodToken): FormDraft {
    const { context, pages, publicUrl } = this.#services;
    const { definition } = prepared;
    const custom = definition.parameters.custom.map(({ name }) => name);
    const prefill = definition.page?.prefill ?? [];
    return draftOf(prepared, fields, {
      responseId: opened.responseId,
      completionTimeInMs: opened.kind === 'form' ? Math.max(0, context.now() - opened.issuedAtMs) : null,
      sealedParameters: opened.parameters,
      // Whoever is invited adds nothing to what the inviter wrote, but for what the address may fill in.
      freeParameters: new Set(
        asked.invitation === null ? custom : custom.filter((name) => prefill.includes(name)),
      ),
      url: pageAround(fields) ?? publicUrl.to(pathOfSurvey(definition.id)),
      shownAfterSend: pages.visibility(prepared).shownAfterSend,
    });
  }

  async #keep(
    send: Send,
    { draft, body, asked: shown, ...drafted }: FormDraft,
    verdict: Taken,
  ): Promise<SendAnswer> {
    const { context, appender, sources, visits, responseFigures } = this.#services;
    const { accepted } = responseFigures;
    const { found } = send.asked;
    const isInvited = send.asked.invitation !== null;
    const taken = await takeResponse(
      { db: context.db, appender },
      {
        draft,
        body,
        judging: {
          nowMs: context.now(),
          newId: context.newId,
          limits: parameterLimits(context.config),
          quality: verdict.quality,
        },
        ready: found.ready,
        async again() {
          const fresh = await sources.freshOfPage(draft.surveyDefinitionId);
          // The definition may have been changed in order to keep strangers out.
          if (fresh === null || !(fresh.survey.definition.public || isInvited)) throw visits.refusal();
          return fresh.ready;
        },
      },
    );
    switch (taken.outcome) {
      case 'kept':
      case 'repeated':
      case 'test':
        accepted[taken.outcome] += 1;
        return thanksFor(send);
      case 'conflict':
        // One token is one response: what came first was kept, and whoever sends again has answered.
        return thanksFor(send);
      case 'unknownSurvey':
        throw visits.refusal();
      case 'invalid': {
        const notice = stateNotice(taken.faults);
        if (notice !== null) return { ...send, kind: 'notice', notice };
        return this.#again(
          send,
          { draft, body, asked: shown, ...drafted },
          byQuestion(send.prepared, taken.faults),
        );
      }
    }
  }

  /** With what is wrong, and with the questions that follow from what was written. */
  #again(send: Send, { asked: shown, unseen }: FormDraft, faults: readonly QuestionFault[]): ShownAgain {
    const { prepared, language } = send;
    const messages = messagesOf(language);
    const texts = new Map(faultTexts(prepared, faults, messages, language));
    // Nobody has left out what was not there.
    for (const id of unseen) texts.delete(id);
    const isOther = faults.length > 0 && texts.size === 0 && unseen.size === 0;
    return {
      ...send,
      kind: 'again',
      status: 422,
      isNewToken: false,
      faults: texts,
      notices: [
        ...(unseen.size > 0 ? [messages.moreQuestions] : []),
        ...(isOther ? [messages.faults.INVALID] : []),
      ],
      shown,
    };
  }

  #later(
    send: Send,
    { asked: shown }: FormDraft,
    verdict: Exclude<SendVerdict, { verdict: 'take' }>,
  ): ShownAgain {
    const { language } = send;
    const seconds = verdict.verdict === 'wait' ? verdict.seconds : verdict.challenge.waitSeconds;
    return {
      ...send,
      kind: 'again',
      status: 429,
      isNewToken: false,
      faults: noFaults,
      notices: [fill(messagesOf(language).waitAndSend, { seconds }, language)],
      shown,
      waitSeconds: seconds,
      ...(verdict.verdict === 'work' ? { challenge: verdict.challenge } : {}),
    };
  }

  /** For browsers: the form with everything that was answered. */
  pageAgain(again: ShownAgain): Promise<MadePage> {
    const { asked, language, fields, token, faults, notices, shown, challenge } = again;
    const { found, invitation } = asked;
    const prepared = found.ready.prepared(found.survey);
    const given = new Map(
      [...fields].filter(
        ([name]) =>
          (name.startsWith(questionPrefix) && prepared.byId.has(name.slice(questionPrefix.length))) ||
          (name.startsWith(parameterPrefix) &&
            prepared.customParameters.has(name.slice(parameterPrefix.length))),
      ),
    );
    return this.#services.pages.made(found, {
      language,
      isTest: asked.isTest,
      token,
      linkSuffix: invitation === null ? '' : `&amp;i=${encodeURIComponent(invitation.text)}`,
      given,
      faults,
      notices,
      asked: shown,
      ...(challenge === undefined ? {} : { work: challenge.text }),
    });
  }

  /** For the script. */
  jsonOf({ asked, faults, notices, shown, token, isNewToken, challenge, waitSeconds }: ShownAgain): object {
    const order = asked.found.ready.prepared(asked.found.survey).byId;
    return {
      faults: [...faults].map(([question, message]) => ({ question, message })),
      notices,
      shown: [...shown].filter((id) => order.has(id)),
      ...(isNewToken ? { token } : {}),
      ...(challenge !== undefined
        ? { work: challenge }
        : waitSeconds === undefined
          ? {}
          : { wait: waitSeconds }),
    };
  }
}

type Taken = Extract<SendVerdict, { verdict: 'take' }>;

const noFaults: ReadonlyMap<string, string> = new Map();

function thanksFor({ asked: { found, invitation, isTest: wasTest }, language }: Send): SendAnswer {
  const path = `${pathOfSurvey(found.survey.definition.id)}/thanks?lang=${language}`;
  const test = wasTest ? '&test=1' : '';
  const token = invitation === null ? '' : `&i=${encodeURIComponent(invitation.text)}`;
  return {
    kind: 'thanks',
    thanks: `${path}${test}${token}`,
    asked: { found, invitation, isTest: wasTest, lang: language },
    language,
  };
}

const stateNotices: Readonly<Partial<Record<Fault['code'], NoticeKind>>> = {
  SURVEY_CLOSED: 'closed',
  MEASURE_INACTIVE: 'closed',
  PROJECT_INACTIVE: 'closed',
  PROJECT_DRAFT: 'notOpen',
};

function stateNotice(faults: readonly Fault[]): NoticeKind | null {
  for (const { code } of faults) if (stateNotices[code] !== undefined) return stateNotices[code];
  return null;
}

const urlCharactersMax = 1_000;

/** Of an embedded form, the page around it; without what follows the path, where names and tokens may stand. */
function pageAround(fields: FormFields): string | null {
  const text = fields.get(urlField)?.[0] ?? '';
  if (text.length > 4 * urlCharactersMax || !URL.canParse(text)) return null;
  const { protocol, origin, pathname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  return `${origin}${pathname}`.slice(0, urlCharactersMax);
}
