// What was refused and kept in the quarantine is judged once more, by the survey as it is now, for the command and for the console. It
// goes the way of ingestion (take-response.ts): what is accepted is a response like any other and leaves the quarantine, what is
// refused stays with its new cause (D-288). It goes on slice by slice, and each slice is whole: whoever stops loses nothing.

import type { Config } from '../../config.ts';
import { briefFaults } from '../../domain/feedback/refusal.ts';
import { type ResponseDraft, readDraft, withExactIntegers } from '../../domain/feedback/response-draft.ts';
import { parseJsonText } from '../../domain/json-text.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import type { Sealer } from '../../store/access/sealer.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import type { Db } from '../../store/engine/db.ts';
import { eraseResponse } from '../../store/erasure/erase.ts';
import type { LogAppender } from '../../store/feedback/appender.ts';
import {
  purposeOf,
  type QuarantinedBody,
  quarantinedBodies,
  settleRedriven,
} from '../../store/feedback/quarantine.ts';
import type { PreparedSource, Sources } from '../../store/feedback/sources.ts';
import { judgeOnly, parameterLimits, type Taken, takeResponse } from '../../store/feedback/take-response.ts';

interface RedriveServices {
  readonly context: {
    readonly db: Db;
    readonly config: Pick<Config, 'parameterLimit' | 'parameterNameLimit' | 'parameterValueLimit'>;
    readonly now: () => number;
    readonly newId: () => string;
  };
  readonly sources: Sources;
  readonly appender: LogAppender;
  readonly sealer: Sealer;
  /** Every slice is a change of its own. */
  readonly newStamp: () => ChangeStamp;
}

interface RedriveAsked {
  readonly accountId: number;
  readonly surveyId: string;
  /** The version that judges instead of the one that a body names. */
  readonly as?: string;
  /** Only what was refused for this cause. */
  readonly cause?: string;
  /** Only this body. */
  readonly id?: string;
  readonly isDryRun: boolean;
}

export interface RedriveOutcome {
  accepted: number;
  /** Kept under the same id with the same content: a collector has sent it again meanwhile. */
  keptBefore: number;
  /** By cause. */
  readonly refused: Map<string, number>;
}

export function newOutcome(): RedriveOutcome {
  return { accepted: 0, keptBefore: 0, refused: new Map() };
}

/** Bodies in one slice, which is judged, appended and taken out of the quarantine before the next. */
const sliceSize = 50;

export class Redriving {
  readonly #services: RedriveServices;
  readonly #asked: RedriveAsked;

  constructor(services: RedriveServices, asked: RedriveAsked) {
    this.#services = services;
    this.#asked = asked;
  }

  /** The source of the survey, as it is now; refuses what the account does not have. */
  async survey(): Promise<PreparedSource> {
    const { surveyId, as } = this.#asked;
    const own = await this.#ofAccount(surveyId);
    if (as !== undefined && (await this.#ofAccount(as)).source.sourceId !== own.source.sourceId)
      throw new Problem(
        'SURVEY_NOT_FOUND',
        `${as} is a version of another measure or project than ${surveyId}.`,
      );
    return own;
  }

  async #ofAccount(surveyId: string): Promise<PreparedSource> {
    const ready = await this.#services.sources.freshOfSurvey(surveyId);
    if (ready?.source.accountId === this.#asked.accountId) return ready;
    throw new Problem('SURVEY_NOT_FOUND', `Account ${this.#asked.accountId} has no survey "${surveyId}".`);
  }

  /** Judges the next bodies behind the id, and counts what became of them; null where there are none. */
  async slice(
    afterId: string,
    outcome: RedriveOutcome,
  ): Promise<{ readonly lastId: string; readonly bodies: number } | null> {
    const { db, now } = this.#services.context;
    const { accountId, surveyId, cause, id } = this.#asked;
    const bodies = await quarantinedBodies(db, {
      ...{ accountId, surveyId, afterId, nowMs: now(), take: sliceSize },
      ...(cause === undefined ? {} : { cause }),
      ...(id === undefined ? {} : { id }),
    });
    const last = bodies.at(-1);
    if (last === undefined) return null;
    const ready = await this.survey();
    // Opened first: what follows then reaches the log in the order in which it came.
    const texts = await Promise.all(bodies.map((body) => openBody(this.#services.sealer, accountId, body)));
    const judged = await Promise.all(
      bodies.map(async (body, at) => ({ body, taken: await this.#take(body, texts[at]!, ready) })),
    );
    for (const { taken } of judged) count(outcome, taken);
    if (!this.#asked.isDryRun) await this.#settle(judged);
    return { lastId: last.id, bodies: bodies.length };
  }

  async #take(body: QuarantinedBody, text: string, ready: PreparedSource): Promise<Taken> {
    const { draft, faults } = readDraft(withExactIntegers(parseJsonText(text), text));
    // It could be read when it came; another release may see it otherwise.
    if (draft === null) return { outcome: 'invalid', faults, ready };
    const { appender, context } = this.#services;
    const { config, db, now, newId } = context;
    const taking = {
      draft: this.#completed(draft, body),
      body: text,
      judging: { nowMs: now(), newId, limits: parameterLimits(config) },
      ready,
      again: () => this.survey(),
    };
    return this.#asked.isDryRun ? judgeOnly(db, taking) : takeResponse({ db, appender }, taking);
  }

  /**
   * What ingestion would have filled in when the body came: the id, so that doing this twice keeps one response, and the
   * moment, so that it counts on the day on which it was sent.
   */
  #completed(draft: ResponseDraft, { id, receivedAtMs }: QuarantinedBody): ResponseDraft {
    return {
      ...draft,
      surveyDefinitionId: this.#asked.as ?? draft.surveyDefinitionId,
      responseId: draft.responseId ?? id,
      submittedAtMs: draft.submittedAtMs ?? receivedAtMs,
    };
  }

  async #settle(judged: readonly { body: QuarantinedBody; taken: Taken }[]): Promise<void> {
    const { db } = this.#services.context;
    const { accountId, surveyId } = this.#asked;
    const accepted = judged.filter(({ taken }) => isTaken(taken)).map(({ body }) => body);
    const erased = await db.write(settleRedriven, {
      ...this.#services.newStamp(),
      ...{ accountId, surveyId },
      accepted: accepted.map(({ id }) => id),
      refused: judged.flatMap(({ body: { id }, taken }) => {
        if (isTaken(taken)) return [];
        const { faults, more } = briefFaults(faultsOf(taken));
        return [{ id, cause: causeOf(taken), faults: JSON.stringify(faults), moreFaults: more }];
      }),
    });
    // Erased between the reading of its body and here: what was appended meanwhile is erased too.
    for (const { id, responseId } of accepted)
      if (erased.includes(id))
        await db.write(eraseResponse, {
          ...this.#services.newStamp(),
          accountId,
          responseId: responseId ?? id,
        });
  }
}

/** What was sent, as text. Fails with SealingKeyMissing where its key was revoked. */
export async function openBody(
  sealer: Sealer,
  accountId: number,
  { id, sealed }: Pick<QuarantinedBody, 'id' | 'sealed'>,
): Promise<string> {
  return (await sealer.open(purposeOf(accountId, id), sealed)).toString('utf8');
}

function isTaken({ outcome }: Taken): boolean {
  return outcome === 'kept' || outcome === 'repeated' || outcome === 'test';
}

function faultsOf(taken: Taken): readonly Fault[] {
  return taken.outcome === 'invalid' ? taken.faults : [];
}

function causeOf(taken: Taken): string {
  if (taken.outcome === 'conflict') return 'RESPONSE_CONFLICT';
  if (taken.outcome === 'unknownSurvey') return 'SURVEY_NOT_FOUND';
  return faultsOf(taken)[0]?.code ?? 'INVALID_RESPONSE';
}

function count(outcome: RedriveOutcome, taken: Taken): void {
  if (taken.outcome === 'repeated') outcome.keptBefore += 1;
  else if (isTaken(taken)) outcome.accepted += 1;
  else outcome.refused.set(causeOf(taken), (outcome.refused.get(causeOf(taken)) ?? 0) + 1);
}
