// What stands between a send to the page of a survey and its log: a limit for each network, and work that is asked for while
// a survey runs hot, or of a network that sends much by itself. What looks like a program is kept all the same, and says so
// (D-465). Everything here is in the memory of the process, and bounded; with several replicas each allows its share.

import { Buckets, type Limit, type ReplicaCount, shareOf } from '../../acts/access/throttle.ts';
import type { Config } from '../../config.ts';
import { isTooFast, type Quality, qualityOf } from '../../domain/pages/quality.ts';
import { readWork } from '../../domain/pages/work.ts';
import { SurveyHeat } from './survey-heat.ts';
import { type Challenge, WorkChallenges, type WorkKeys } from './work-challenges.ts';

export interface SendFacts {
  /** By `networkOf`. */
  readonly network: string;
  readonly surveyId: string;
  /** The id that the token of the page gives the response. */
  readonly responseId: string;
  /** What stands in the field that people do not see. */
  readonly honeypot: string;
  /** Since the token was made, by the wall clock. */
  readonly elapsedMs: number;
  readonly answeredCount: number;
  /** What the sender brought of a challenge; '' for nothing. */
  readonly work: string;
}

export type SendVerdict =
  | { readonly verdict: 'take'; readonly quality: Quality | null }
  | { readonly verdict: 'wait'; readonly seconds: number }
  | { readonly verdict: 'work'; readonly challenge: Challenge };

/** For the metrics: `suspect` was taken too. */
type CountedVerdict = 'take' | 'suspect' | 'wait' | 'work';

interface ProtectionContext {
  readonly config: Pick<
    Config,
    'throttle' | 'throttlePublicRate' | 'throttlePublicBurst' | 'pageHotPerMinute'
  >;
  readonly now: () => number;
  readonly elapsedMs: () => number;
}

export class PageProtection {
  readonly counts: Record<CountedVerdict, number> = { take: 0, suspect: 0, wait: 0, work: 0 };
  readonly #context: ProtectionContext;
  readonly #replicas: ReplicaCount;
  readonly #challenges: WorkChallenges;
  readonly #sends = new Buckets();
  readonly #countedSends = new Buckets();
  readonly #heat = new SurveyHeat();

  constructor(context: ProtectionContext, replicas: ReplicaCount, keys: WorkKeys) {
    this.#context = context;
    this.#replicas = replicas;
    this.#challenges = new WorkChallenges(keys, context.now);
  }

  /** Judges a send whose token is good. */
  async judge(facts: SendFacts): Promise<SendVerdict> {
    const verdict = this.#context.config.throttle
      ? await this.#judgeRate(facts)
      : ({ verdict: 'take', quality: this.#qualityOf(facts, false) } as const);
    const isSuspect = verdict.verdict === 'take' && verdict.quality !== null;
    this.counts[isSuspect ? 'suspect' : verdict.verdict] += 1;
    return verdict;
  }

  /** How many surveys run hot now. */
  get hotSurveys(): number {
    return this.#heat.hotCount(this.#hotPerMinute(), this.#context.elapsedMs());
  }

  async #judgeRate(facts: SendFacts): Promise<SendVerdict> {
    const { network, surveyId, work } = facts;
    const nowMs = this.#context.elapsedMs();
    const { isAllowed, waitSeconds } = this.#sends.take(network, this.#share(this.#sendsLimit()), nowMs);
    if (!isAllowed) return { verdict: 'wait', seconds: waitSeconds };
    const brought = readWork(work);
    // What is sent again because it was asked to work was counted before.
    const isBusyNetwork =
      brought === null ? !this.#count(surveyId, network, nowMs) : this.#isBusy(network, nowMs);
    if (!isBusyNetwork && !this.#heat.isHot(surveyId, this.#hotPerMinute(), nowMs))
      return { verdict: 'take', quality: this.#qualityOf(facts, false) };
    const answered = brought === null ? 'none' : await this.#challenges.check(brought, facts);
    if (answered === 'none') return { verdict: 'work', challenge: await this.#challenges.ask(facts) };
    return { verdict: 'take', quality: this.#qualityOf(facts, answered === 'waited') };
  }

  /**
   * Whether it counts for the heat of the survey. A network that sends much is asked to work by itself, and what is beyond
   * its part no longer heats the survey: so nobody makes all others work from one place (D-466).
   */
  #count(surveyId: string, network: string, nowMs: number): boolean {
    const { isAllowed } = this.#countedSends.take(network, this.#share(this.#countedLimit()), nowMs);
    if (isAllowed) this.#heat.note(surveyId, this.#hotPerMinute(), nowMs);
    return isAllowed;
  }

  #isBusy(network: string, nowMs: number): boolean {
    const limit = this.#share(this.#countedLimit());
    const { isAllowed } = this.#countedSends.take(network, limit, nowMs);
    if (isAllowed) this.#countedSends.charge(network, -1, limit, nowMs);
    return !isAllowed;
  }

  #qualityOf({ honeypot, elapsedMs, answeredCount }: SendFacts, hasWaited: boolean): Quality | null {
    return qualityOf({
      HONEYPOT: honeypot !== '',
      TOO_FAST: isTooFast(elapsedMs, answeredCount),
      NO_WORK: hasWaited,
    });
  }

  #sendsLimit(): Limit {
    const { throttlePublicRate: rate, throttlePublicBurst: burst } = this.#context.config;
    return { rate, burst };
  }

  /** A quarter of what makes a survey hot at once, and an eighth of it a minute. */
  #countedLimit(): Limit {
    const { pageHotPerMinute } = this.#context.config;
    return { rate: pageHotPerMinute / 8 / 60, burst: Math.max(1, pageHotPerMinute / 4) };
  }

  #hotPerMinute(): number {
    return this.#context.config.pageHotPerMinute / this.#replicas.liveReplicas;
  }

  #share(limit: Limit): Limit {
    return shareOf(limit, this.#replicas.liveReplicas);
  }
}
