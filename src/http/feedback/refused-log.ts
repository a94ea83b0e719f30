// Notes which survey responses are refused, beside the requests and never in their way: a note is a few words in memory,
// and what has gathered is written once a second, account by account. A crash loses that second; a store that is away
// loses more; a request notices neither (D-285).
//
// What waits has an end in every direction. Counts are few, because surveys that are not known to the sender are counted as
// one, and causes are published codes. Of one account twenty refusals between two writes are kept with their faults; the
// others are counted.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayUse } from '../../acts/feedback/survey-access.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../domain/access/account.ts';
import { dayOf } from '../../domain/dates.ts';
import { briefFaults, causeOf } from '../../domain/feedback/refusal.ts';
import type { ResponseDraft } from '../../domain/feedback/response-draft.ts';
import { Problem } from '../../domain/problem.ts';
import type { Sealer } from '../../store/access/sealer.ts';
import { type BodyToKeep, purposeOf, quarantineAgeMaxMs } from '../../store/feedback/quarantine.ts';
import { keepRefusals, type NewCount, noAccount, type Refusal } from '../../store/feedback/refusals.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { GatheredWrites } from '../server/gathered-writes.ts';
import { factsOf } from '../server/route.ts';

const writeEveryMs = 1_000;
/** Of one account between two writes; the others are only counted. */
const keptAtOnce = 20;
/** Accounts, and different counts of one account, between two writes. */
const accountsMax = 10_000;
const countsMax = 1_000;
/** Surveys that nobody remembers, and refusals that name them: they are looked up when they are written. */
const lookUpsMax = 16;
const unplacedMax = 1_000;
/** Bodies for the quarantine between two writes: of one account, and of all. In memory a character takes up to two bytes. */
const bodiesMax = 1_000;
const bodyBytesMax = 4 * 1024 * 1024;
const allBodyBytesMax = 16 * 1024 * 1024;
/** No survey has a longer id. */
const surveyIdMax = 128;

declare module 'fastify' {
  interface FastifyRequest {
    /** A response that its survey refuses for what it says, and what the survey was then. */
    refusedBySurvey: { readonly draft: ResponseDraft; readonly ready: PreparedSource } | null;
  }
}

/** Refused because the sender may use no such survey: nobody has to look for it again. */
const unknownSurvey: ReadonlySet<string> = new Set(['SURVEY_NOT_FOUND', 'CREDENTIALS_REQUIRED']);

/** A refusal before it is known whose it is. */
interface Note {
  readonly caller: Caller | null;
  readonly refusal: Omit<Refusal, 'surveyId'>;
  /** What the quarantine would keep. */
  readonly body: Body | null;
}

interface Body {
  readonly text: string;
  readonly responseId: string | null;
}

/** Whose a refusal is, and of which survey; an empty one is not known to the sender. */
interface Place {
  readonly accountId: number;
  readonly surveyId: string;
  readonly isQuarantined: boolean;
}

type UnsealedBody = Omit<BodyToKeep, 'kid' | 'sealed'> & { readonly text: string };

/** What waits of one account. */
interface Waiting {
  readonly counts: Map<string, NewCount>;
  readonly refusals: Refusal[];
  readonly bodies: UnsealedBody[];
  bodyBytes: number;
}

interface RefusedLogServices {
  readonly context: Context;
  readonly sources: Sources;
  readonly sealer: Sealer;
}

export class RefusedLog {
  readonly #context: Context;
  readonly #sources: Sources;
  readonly #sealer: Sealer;
  #waiting = new Map<number, Waiting>();
  #unplaced = new Map<string, Note[]>();
  #unplacedCount = 0;
  #bodyBytes = 0;
  #lost = 0;
  readonly #writes = new GatheredWrites(
    writeEveryMs,
    () => this.#waiting.size > 0 || this.#unplaced.size > 0,
    () => this.#write(),
  );

  constructor({ context, sources, sealer }: RefusedLogServices) {
    this.#context = context;
    this.#sources = sources;
    this.#sealer = sealer;
  }

  /** Called when the answer has gone out. */
  note(request: FastifyRequest, reply: FastifyReply): void {
    const { refusal, caller } = request;
    // Nearly every request ends here.
    if (refusal === null) return;
    const { statusCode } = reply;
    if (statusCode < 400 || statusCode >= 500 || factsOf(request)?.access !== 'survey') return;
    const { faults, more } = briefFaults(refusal.details);
    const note: Note = {
      caller,
      refusal: {
        id: request.id,
        atMs: this.#context.now(),
        actor: caller?.apiClientId ?? null,
        status: statusCode,
        code: refusal.code,
        cause: causeOf(refusal),
        faults: JSON.stringify(faults),
        moreFaults: more,
      },
      body: bodyOf(request),
    };
    const sentId = unknownSurvey.has(refusal.code) ? null : sentSurveyId(request.body);
    // One that the store cannot hold is no survey's (D-856).
    const isHoldable = this.#context.db.encoding?.holdsAsFarAsKnown(sentId ?? '') ?? true;
    const surveyId = isHoldable ? sentId : null;
    const ready =
      request.refusedBySurvey?.ready ??
      (surveyId === null ? null : this.#sources.rememberedOfSurvey(surveyId));
    if (surveyId !== null && ready === null && this.#canLookUp(surveyId)) this.#setAside(surveyId, note);
    else this.#add(note, placeOf(caller, ready, surveyId));
    this.#writes.soon();
  }

  /** Writes what is waiting; nothing is noted afterwards. */
  async stop(): Promise<void> {
    await this.#writes.now();
  }

  #canLookUp(surveyId: string): boolean {
    if (this.#unplacedCount >= unplacedMax) return false;
    return this.#unplaced.has(surveyId) || this.#unplaced.size < lookUpsMax;
  }

  #setAside(surveyId: string, note: Note): void {
    const notes = this.#unplaced.get(surveyId) ?? [];
    this.#unplaced.set(surveyId, notes);
    notes.push(note);
    this.#unplacedCount += 1;
  }

  #add({ refusal, body }: Note, { accountId, surveyId, isQuarantined }: Place): void {
    const waiting = this.#waitingOf(accountId);
    if (waiting === null) {
      this.#lost += 1;
      return;
    }
    const day = dayOf(refusal.atMs);
    const { cause } = refusal;
    const isKnown = waiting.counts.has(keyOf(day, surveyId, cause));
    // An account with very many surveys in trouble: those beyond the limit are counted as one.
    const counted = isKnown || waiting.counts.size < countsMax ? surveyId : '';
    const key = keyOf(day, counted, cause);
    const refused = (waiting.counts.get(key)?.refused ?? 0) + 1;
    waiting.counts.set(key, { day, surveyId: counted, cause, refused });
    if (waiting.refusals.length < keptAtOnce) waiting.refusals.push({ ...refusal, surveyId });
    if (body !== null && isQuarantined) this.#addBody(waiting, body, { ...refusal, surveyId }, day);
  }

  /** What there is no room for is counted, and not kept. */
  #addBody(waiting: Waiting, { text, responseId }: Body, refusal: Refusal, day: number): void {
    const bytes = 2 * text.length;
    if (waiting.bodies.length >= bodiesMax || waiting.bodyBytes + bytes > bodyBytesMax) return;
    if (this.#bodyBytes + bytes > allBodyBytesMax) return;
    waiting.bodyBytes += bytes;
    this.#bodyBytes += bytes;
    const { id, atMs, surveyId, cause, faults, moreFaults } = refusal;
    waiting.bodies.push({
      id,
      responseId,
      receivedAtMs: atMs,
      day,
      surveyId,
      cause,
      faults,
      moreFaults,
      text,
    });
  }

  #waitingOf(accountId: number): Waiting | null {
    const known = this.#waiting.get(accountId);
    if (known !== undefined) return known;
    if (this.#waiting.size >= accountsMax) return null;
    const made = { counts: new Map<string, NewCount>(), refusals: [], bodies: [], bodyBytes: 0 };
    this.#waiting.set(accountId, made);
    return made;
  }

  async #write(): Promise<void> {
    let failure: unknown = await this.#place();
    const batches = this.#waiting;
    this.#waiting = new Map();
    for (const [accountId, { counts, refusals, bodies, bodyBytes }] of batches) {
      // When the store is away the next account's would only wait for it as long, unless they lie on another machine.
      if (!(failure instanceof Problem) || this.#context.db.dialect.isSpread)
        try {
          await this.#context.db.write(keepRefusals, {
            accountId,
            counts: [...counts.values()],
            refusals,
            bodies: await this.#sealed(accountId, bodies),
            nowMs: this.#context.now(),
          });
          continue;
        } catch (error) {
          failure = error;
        } finally {
          this.#bodyBytes -= bodyBytes;
        }
      else this.#bodyBytes -= bodyBytes;
      for (const { refused } of counts.values()) this.#lost += refused;
    }
    if (this.#lost > 0) {
      this.#context.log.warn(
        { err: failure, responses: this.#lost },
        'The list of refused responses lost some.',
      );
      this.#lost = 0;
    }
  }

  async #sealed(accountId: number, bodies: readonly UnsealedBody[]): Promise<readonly BodyToKeep[]> {
    const sealed: BodyToKeep[] = [];
    for (const { text, ...body } of bodies) {
      const endsAtMs = body.receivedAtMs + quarantineAgeMaxMs;
      const { kid, text: closed } = await this.#sealer.seal(purposeOf(accountId, body.id), text, endsAtMs);
      sealed.push({ ...body, kid, sealed: closed });
    }
    return sealed;
  }

  /** Finds out whose the refusals are that name surveys which nobody remembered. */
  async #place(): Promise<unknown> {
    const unplaced = this.#unplaced;
    this.#unplaced = new Map();
    this.#unplacedCount = 0;
    let failure: unknown = null;
    for (const [surveyId, notes] of unplaced) {
      let ready: PreparedSource | null = null;
      try {
        if (failure === null) ready = await this.#sources.freshOfSurvey(surveyId);
      } catch (error) {
        failure = error;
      }
      for (const note of notes) this.#add(note, placeOf(note.caller, ready, surveyId));
    }
    return failure;
  }
}

/** A survey that the sender may use is its account's; anything else is the caller's, or nobody's (D-285). */
function placeOf(caller: Caller | null, ready: PreparedSource | null, surveyId: string | null): Place {
  if (ready !== null && surveyId !== null && mayUse(caller, ready, surveyId))
    return {
      accountId: ready.source.accountId,
      surveyId,
      isQuarantined: ready.survey(surveyId)?.definition.quarantine === true,
    };
  return { accountId: caller?.accountId ?? noAccount, surveyId: '', isQuarantined: false };
}

/** Only of a response that could be read and was refused by its survey: not for its credentials, its form or its number. */
function bodyOf({ refusedBySurvey, bodyText }: FastifyRequest): Body | null {
  if (refusedBySurvey === null || bodyText === null || refusedBySurvey.draft.isTest) return null;
  return { text: bodyText, responseId: refusedBySurvey.draft.responseId };
}

function keyOf(day: number, surveyId: string, cause: string): string {
  return `${day} ${cause} ${surveyId}`;
}

/** As it was sent, where there is a body and it can be the id of a survey. */
function sentSurveyId(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const { surveyDefinitionId: id } = body as { surveyDefinitionId?: unknown };
  return typeof id === 'string' && id !== '' && id.length <= surveyIdMax ? id : null;
}
