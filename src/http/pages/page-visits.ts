// Who may see which survey. A public one is for everybody; a private one exists only for those who bring an invitation to it, and
// for all others it is exactly what an unknown name is: the same page after the same questions to the store (D-435).

import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../acts/access/network.ts';
import { Buckets, type ReplicaCount, shareOf } from '../../acts/access/throttle.ts';
import type { Context } from '../../context.ts';
import { type FormFields, parameterPrefix, questionPrefix } from '../../domain/pages/form-fields.ts';
import type { NoticeKind } from '../../domain/pages/notice-html.ts';
import { Problem } from '../../domain/problem.ts';
import { findHash } from '../../store/feedback/log.ts';
import type { PageSurvey, Sources } from '../../store/feedback/sources.ts';
import type { OpenedToken, PageTokens } from './page-tokens.ts';

interface Invitation {
  readonly text: string;
  readonly responseId: string;
}

/** A survey that somebody may see. */
export interface AskedPage {
  readonly found: PageSurvey;
  readonly invitation: Invitation | null;
  readonly isTest: boolean;
  readonly lang: string | undefined;
}

/** What a name leads to, and whether the store was asked for it just now. */
interface LookUp {
  readonly name: string;
  readonly found: PageSurvey | null;
  readonly isFresh: boolean;
}

interface PageVisitServices {
  readonly context: Context;
  readonly sources: Sources;
  readonly pageTokens: PageTokens;
  readonly heartbeat: ReplicaCount;
}

const invitationCharactersMax = 4_096;

export class PageVisits {
  readonly #context: Context;
  readonly #sources: Sources;
  readonly #tokens: PageTokens;
  readonly #replicas: ReplicaCount;
  readonly #lookUps = new Buckets();
  /** Names that the store is being asked for; as many as there are requests that ask. */
  readonly #underWay = new Map<string, Promise<PageSurvey | null>>();

  constructor({ context, sources, pageTokens, heartbeat }: PageVisitServices) {
    this.#context = context;
    this.#sources = sources;
    this.#tokens = pageTokens;
    this.#replicas = heartbeat;
  }

  /** What a GET asks for; refused as an unknown survey where it is not for this reader. */
  async ask(name: string, request: FastifyRequest, { takesEnded = false } = {}): Promise<AskedPage> {
    const query = request.query as Readonly<Record<string, unknown>>;
    const lookUp = await this.find(name, request);
    const { found } = lookUp;
    const sent = firstText(query.i);
    const invitation = sent === undefined ? null : await this.#invitation(sent, lookUp, request, takesEnded);
    if (found === null || (invitation === null && !found.survey.definition.public))
      throw await this.unknown(lookUp, request);
    return { found, invitation, isTest: firstText(query.test) === '1', lang: firstText(query.lang) };
  }

  /** The survey of a name, for anybody: what nobody has asked for lately is looked up in the store. */
  async find(name: string, request: FastifyRequest): Promise<LookUp> {
    const remembered = this.#sources.rememberedOfPage(name) ?? (await this.#sources.ofPage(name));
    if (remembered !== null) return { name, found: remembered, isFresh: false };
    // Many people with one address open one link at the same moment: those who join a question cost no other (D-436).
    const underWay = this.#underWay.get(name);
    const joined = underWay === undefined ? null : await underWay;
    if (joined !== null) return { name, found: joined, isFresh: false };
    this.throttle(request);
    const question = this.#sources.freshOfPage(name);
    this.#underWay.set(name, question);
    try {
      return { name, found: await question, isFresh: true };
    } finally {
      if (this.#underWay.get(name) === question) this.#underWay.delete(name);
    }
  }

  /** The refusal. A survey that this reader may not see is looked up like one that nobody knows. */
  async unknown({ name, isFresh }: LookUp, request: FastifyRequest): Promise<Problem> {
    if (!isFresh) {
      this.throttle(request);
      await this.#sources.freshOfPage(name);
    }
    return this.refusal();
  }

  refusal(): Problem {
    return new Problem('SURVEY_NOT_FOUND', 'There is no survey with this name.');
  }

  /**
   * What costs more than a page from memory is held to a network's share: names that are looked up, invitations that are opened,
   * forms that are shown again. What is served from memory is not counted: many people share one address (D-436).
   */
  throttle(request: FastifyRequest): void {
    const { config } = this.#context;
    if (!config.throttle) return;
    const limit = { rate: config.throttlePublicRate, burst: config.throttlePublicBurst };
    const { isAllowed, waitSeconds } = this.#lookUps.take(
      networkOf(request.ip, config.throttleIpv6PrefixBits),
      shareOf(limit, this.#replicas.liveReplicas),
      this.#context.elapsedMs(),
    );
    if (!isAllowed)
      throw new Problem('THROTTLED', 'Too many requests from this address.', {
        headers: { 'retry-after': String(waitSeconds) },
      });
  }

  newToken(surveyId: string): string | Promise<string> {
    return this.#tokens.newFormToken(surveyId);
  }

  /** What is shown instead of the form, where nothing can be answered. */
  async noticeInsteadOf({ found, invitation, isTest }: AskedPage): Promise<NoticeKind | null> {
    if (invitation !== null && !isTest && (await this.isKept(found, invitation.responseId)))
      return 'answered';
    const { source } = found.ready;
    if (found.survey.definition.closed) return 'closed';
    if (source.kind === 'measure') return source.measure.active ? null : 'closed';
    if (source.project.status === 'INACTIVE') return 'closed';
    return source.project.status === 'DRAFT' && !isTest ? 'notOpen' : null;
  }

  async isKept({ ready }: PageSurvey, responseId: string): Promise<boolean> {
    return (await findHash(this.#context.db, ready.source.accountId, responseId)) !== null;
  }

  /** What the address fills in: only what the survey lets it, and only answers that there are. Null for nothing. */
  prefilled({ found: { ready, survey } }: AskedPage, query: unknown): FormFields | null {
    const names = survey.definition.page?.prefill ?? [];
    if (names.length === 0) return null;
    const { byId, customParameters } = ready.prepared(survey);
    const fields = new Map<string, readonly string[]>();
    for (const name of names) {
      const given = Object.hasOwn(query as object, name)
        ? (query as Readonly<Record<string, unknown>>)[name]
        : undefined;
      if (given === undefined || reservedNames.has(name)) continue;
      const texts = (Array.isArray(given) ? given : [given]) as readonly string[];
      const question = byId.get(name);
      if (question !== undefined) {
        const { form, answerByText, maxLength } = question;
        const taken =
          form === 'open'
            ? texts.slice(0, 1).map((text) => text.slice(0, maxLength))
            : texts.filter((text) => answerByText.has(text)).slice(0, form === 'single' ? 1 : texts.length);
        if (taken.length > 0) fields.set(questionPrefix + name, taken);
      } else if (customParameters.has(name)) {
        fields.set(parameterPrefix + name, [texts[0]!.slice(0, this.#context.config.parameterValueLimit)]);
      }
    }
    return fields.size === 0 ? null : fields;
  }

  /** Null for one that does not open this survey, has ended or was revoked. */
  async #invitation(
    text: string,
    lookUp: LookUp,
    request: FastifyRequest,
    takesEnded: boolean,
  ): Promise<Invitation | null> {
    if (text.length > invitationCharactersMax) return null;
    this.throttle(request);
    const opened = await this.open(text, lookUp);
    const isEnded = opened.kind === 'expired' && opened.of === 'invitation';
    if (opened.kind !== 'invitation' && !(isEnded && takesEnded)) return null;
    return { text, responseId: opened.responseId };
  }

  /** What came as a token; looked at for an unknown survey too, so that it takes the same time. */
  open(text: string, { name, found }: LookUp): Promise<OpenedToken> {
    const surveyId = found?.survey.definition.id ?? name;
    return this.#tokens.open(text, { accountId: found?.ready.source.accountId ?? 0, surveyId });
  }
}

/** These mean something of their own in the address. */
const reservedNames: ReadonlySet<string> = new Set(['lang', 'i', 'test']);

function firstText(value: unknown): string | undefined {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === 'string' ? first : undefined;
}
