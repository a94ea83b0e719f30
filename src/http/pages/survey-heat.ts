// Whether the page of a survey runs hot: whether far more is sent to it than it is used to. Two counts for each survey fade
// with time, one within a minute and one within hours; what the second says a minute is what the survey is used to. What
// comes while it is hot counts a tenth of that, so that an attack does not become the usual within the hour (D-466).

import { Cache } from '../../store/engine/work/cache.ts';

interface Heat {
  recent: number;
  usual: number;
  countedAtMs: number;
  isHot: boolean;
}

const recentMs = 60_000;
const usualMs = 6 * 3_600_000;
const timesUsual = 8;
const shareWhileHot = 0.1;
// Some 15,000 surveys; beyond that, the one that nothing was sent to for the longest time is forgotten.
const bytesMax = 4 * 1024 * 1024;
const heatBytes = 64;

export class SurveyHeat {
  readonly #surveys = new Cache<string, Heat>({ bytesMax, bytesOf: () => heatBytes });

  /** Counts one send. */
  note(surveyId: string, hotPerMinute: number, nowMs: number): void {
    let heat = this.#surveys.get(surveyId);
    if (heat === undefined) {
      heat = { recent: 0, usual: 0, countedAtMs: nowMs, isHot: false };
      this.#surveys.set(surveyId, heat);
    }
    fade(heat, nowMs);
    heat.recent += 1;
    heat.usual += heat.isHot ? shareWhileHot : 1;
    settle(heat, hotPerMinute);
  }

  isHot(surveyId: string, hotPerMinute: number, nowMs: number): boolean {
    const heat = this.#surveys.get(surveyId);
    if (heat === undefined) return false;
    fade(heat, nowMs);
    settle(heat, hotPerMinute);
    return heat.isHot;
  }

  /** How many run hot now, for the metrics. */
  hotCount(hotPerMinute: number, nowMs: number): number {
    let count = 0;
    for (const heat of this.#surveys.freshValues()) {
      fade(heat, nowMs);
      settle(heat, hotPerMinute);
      if (heat.isHot) count += 1;
    }
    return count;
  }
}

function fade(heat: Heat, nowMs: number): void {
  const passedMs = Math.max(0, nowMs - heat.countedAtMs);
  heat.recent *= Math.exp(-passedMs / recentMs);
  heat.usual *= Math.exp(-passedMs / usualMs);
  heat.countedAtMs = nowMs;
}

/** What began at a bound ends at half of it, so that it does not come and go with every send. */
function settle(heat: Heat, hotPerMinute: number): void {
  const usualPerMinute = (heat.usual * recentMs) / usualMs;
  const bound = Math.max(hotPerMinute, timesUsual * usualPerMinute);
  heat.isHot = heat.recent > (heat.isHot ? bound / 2 : bound);
}
