// soundings redrive: what was refused and kept in the quarantine is judged once more, by the survey as it is now. It goes the
// way of ingestion (store/feedback/take-response.ts): what is accepted is a response like any other and leaves the
// quarantine, what is refused stays with its new cause (D-288).

import type { Context } from '../context.ts';
import { briefFaults } from '../domain/feedback/refusal.ts';
import { type ResponseDraft, readDraft } from '../domain/feedback/response-draft.ts';
import { parseJsonText } from '../domain/json-text.ts';
import type { Fault } from '../domain/problem.ts';
import { Sealer, SealingKeyMissing } from '../store/access/sealer.ts';
import { LogAppender } from '../store/feedback/appender.ts';
import { eraseResponse } from '../store/feedback/erase.ts';
import {
  purposeOf,
  type QuarantinedBody,
  quarantinedBodies,
  quarantineOf,
  settleRedriven,
} from '../store/feedback/quarantine.ts';
import { type PreparedSource, Sources } from '../store/feedback/sources.ts';
import { judgeOnly, parameterLimits, type Taken, takeResponse } from '../store/feedback/take-response.ts';
import { changeStamp } from './change-stamp.ts';
import { type Flags, withContext } from './open-context.ts';
import { accountIdOf, type OfAccount } from './options.ts';
import { type Advance, numberText, withProgress } from './progress.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

export interface RedriveOptions extends OfAccount {
  readonly survey: string;
  readonly as?: string;
  readonly dryRun?: boolean;
}

interface Outcome {
  accepted: number;
  /** Kept under the same id with the same content: a collector has sent it again meanwhile. */
  keptBefore: number;
  readonly refused: Map<string, number>;
}

/** Bodies in one slice, which is judged, appended and taken out of the quarantine before the next. */
const sliceSize = 50;
const refusedExitCode = 2;

export async function redrive(terminal: Terminal, flags: Flags, options: RedriveOptions): Promise<void> {
  const accountId = accountIdOf(options.account);
  const isDryRun = options.dryRun === true;
  await withContext(terminal, flags, async (context) => {
    const work = new Redriving(context, accountId, options);
    await work.survey();
    const kept = await quarantineOf(context.db, accountId, context.now());
    const total = kept.find(({ surveyId }) => surveyId === options.survey)?.bodies ?? 0;
    const outcome = await withProgress(
      terminal,
      { title: isDryRun ? 'Judging what is in the quarantine' : 'Redriving', total },
      (advance) => work.run(isDryRun, advance),
      (result) => summaryOf(result, isDryRun),
    );
    report(terminal, options, outcome);
  });
}

class Redriving {
  readonly #context: Context;
  readonly #accountId: number;
  readonly #options: RedriveOptions;
  readonly #sources: Sources;
  readonly #appender: LogAppender;
  readonly #sealer: Sealer;

  constructor(context: Context, accountId: number, options: RedriveOptions) {
    this.#context = context;
    this.#accountId = accountId;
    this.#options = options;
    this.#sources = new Sources(context);
    this.#appender = new LogAppender(context.db);
    this.#sealer = new Sealer(context);
  }

  /** The source of the survey, as it is now; refuses what the account does not have. */
  async survey(): Promise<PreparedSource> {
    const { survey, as } = this.#options;
    const own = await this.#ofAccount(survey);
    if (as !== undefined && (await this.#ofAccount(as)).source.sourceId !== own.source.sourceId)
      throw new CommandError(`${as} is a version of another measure or project than ${survey}.`);
    return own;
  }

  async #ofAccount(surveyId: string): Promise<PreparedSource> {
    const ready = await this.#sources.freshOfSurvey(surveyId);
    if (ready?.source.accountId === this.#accountId) return ready;
    throw new CommandError(`Account ${this.#accountId} has no survey "${surveyId}".`);
  }

  async run(isDryRun: boolean, advance: Advance): Promise<Outcome> {
    const outcome: Outcome = { accepted: 0, keptBefore: 0, refused: new Map() };
    let afterId = '';
    for (;;) {
      const bodies = await quarantinedBodies(this.#context.db, {
        accountId: this.#accountId,
        surveyId: this.#options.survey,
        afterId,
        nowMs: this.#context.now(),
        take: sliceSize,
      });
      const last = bodies.at(-1);
      if (last === undefined) return outcome;
      const ready = await this.survey();
      // Opened first: what follows then reaches the log in the order in which it came.
      const texts = await Promise.all(bodies.map((body) => this.#open(body)));
      const judged = await Promise.all(
        bodies.map(async (body, at) => ({
          body,
          taken: await this.#take(body, texts[at]!, ready, isDryRun),
        })),
      );
      for (const { taken } of judged) count(outcome, taken);
      if (!isDryRun) await this.#settle(judged);
      advance(bodies.length);
      afterId = last.id;
    }
  }

  async #take(body: QuarantinedBody, text: string, ready: PreparedSource, isDryRun: boolean): Promise<Taken> {
    const { draft, faults } = readDraft(parseJsonText(text));
    // It could be read when it came; another release may see it otherwise.
    if (draft === null) return { outcome: 'invalid', faults, ready };
    const { config, db, now, newId } = this.#context;
    const taking = {
      draft: this.#completed(draft, body),
      body: text,
      judging: { nowMs: now(), newId, limits: parameterLimits(config) },
      ready,
      again: () => this.survey(),
    };
    return isDryRun ? judgeOnly(db, taking) : takeResponse({ db, appender: this.#appender }, taking);
  }

  /**
   * What ingestion would have filled in when the body came: the id, so that doing this twice keeps one response, and the
   * moment, so that it counts on the day on which it was sent.
   */
  #completed(draft: ResponseDraft, { id, receivedAtMs }: QuarantinedBody): ResponseDraft {
    return {
      ...draft,
      surveyDefinitionId: this.#options.as ?? draft.surveyDefinitionId,
      responseId: draft.responseId ?? id,
      submittedAtMs: draft.submittedAtMs ?? receivedAtMs,
    };
  }

  async #open({ id, sealed }: QuarantinedBody): Promise<string> {
    try {
      return (await this.#sealer.open(purposeOf(this.#accountId, id), sealed)).toString('utf8');
    } catch (error) {
      if (error instanceof SealingKeyMissing) throw new CommandError(error.message, { cause: error });
      throw error;
    }
  }

  async #settle(judged: readonly { body: QuarantinedBody; taken: Taken }[]): Promise<void> {
    const { db } = this.#context;
    const accepted = judged.filter(({ taken }) => isTaken(taken)).map(({ body }) => body);
    const erased = await db.write(settleRedriven, {
      ...changeStamp(this.#context),
      accountId: this.#accountId,
      surveyId: this.#options.survey,
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
          ...changeStamp(this.#context),
          accountId: this.#accountId,
          responseId: responseId ?? id,
        });
  }
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

function count(outcome: Outcome, taken: Taken): void {
  if (taken.outcome === 'repeated') outcome.keptBefore += 1;
  else if (isTaken(taken)) outcome.accepted += 1;
  else outcome.refused.set(causeOf(taken), (outcome.refused.get(causeOf(taken)) ?? 0) + 1);
}

function totalRefused({ refused }: Outcome): number {
  return [...refused.values()].reduce((sum, one) => sum + one, 0);
}

function summaryOf(outcome: Outcome, isDryRun: boolean): string {
  const { accepted, keptBefore } = outcome;
  const left = totalRefused(outcome);
  return isDryRun
    ? `${numberText(accepted)} would be accepted, ${numberText(keptBefore)} are kept already, ${numberText(left)} would be refused again.`
    : `${numberText(accepted)} are accepted, ${numberText(keptBefore)} were kept already, ${numberText(left)} are still refused.`;
}

/** Exit status 2 where something is still refused. */
function report(
  terminal: Terminal,
  { account, survey, as, dryRun, json }: RedriveOptions,
  outcome: Outcome,
): void {
  const { accepted, keptBefore, refused } = outcome;
  const causes = [...refused].sort(([one], [other]) => (one < other ? -1 : 1));
  if (json === true)
    terminal.print(
      JSON.stringify({
        accountId: Number(account),
        surveyDefinitionId: survey,
        ...(as === undefined ? {} : { as }),
        dryRun: dryRun === true,
        accepted,
        keptBefore,
        refused: Object.fromEntries(causes),
      }),
    );
  else if (causes.length > 0)
    terminal.print(table(causes.map(([cause, number]) => [cause, numberText(number)])));
  if (causes.length > 0)
    throw new CommandError(
      `What is refused stays in the quarantine until it is seven days old. Mend the survey, or see "soundings refused list --account ${account}".`,
      { exitCode: refusedExitCode },
    );
}
