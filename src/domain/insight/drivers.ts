// Which latents go along with satisfaction: their means, and how strongly their scores and those of satisfaction move together. It is
// association; what causes what cannot be read from it.

import { type RangeScore, rangeScores } from '../feedback/score.ts';
import type { Interruptible } from '../interruptible.ts';
import { layoutFor } from './day-figures.ts';
import { JoinGroups } from './joining.ts';
import {
  type Moments,
  noMoments,
  noPair,
  type PairMoments,
  pairAt,
  sumOfMoments,
  sumOfPairs,
} from './moments.ts';
import { type Correlation, correlationOf } from './statistics.ts';
import { latentSeries, type Series, seriesFigures, type Total } from './trend.ts';
import { type ViewDays, type ViewSource, versionsOf, type Withheld } from './view-source.ts';
import { isWithheld, withheldMark } from './withheld.ts';

export interface Drivers {
  /** Null where no version measures it. */
  readonly satisfaction: ({ readonly id: string; readonly name: string } & Total) | null;
  /** Those that go along with satisfaction most strongly first, whatever the direction. */
  readonly drivers: readonly Driver[];
}

type Driver = Pick<RangeScore, 'id' | 'name' | 'type'> &
  Total & { readonly correlation: Correlation | Withheld };

interface SummedLatent {
  readonly series: Series;
  readonly moments: Moments;
  readonly pair: PairMoments;
  readonly surveyNumbers: ReadonlySet<number>;
  readonly isComparable: boolean;
}

export function* driversOf(source: ViewSource, { days }: ViewDays, minimum: number): Interruptible<Drivers> {
  const ids = new Set(source.definitions.flatMap(({ latents }) => latents.map(({ id }) => id)));
  // The current version says which latent is satisfaction; other versions with another one are no part of the pairs.
  const satisfactionId = rangeScores(
    source.definitions,
    new Map([...ids].map((id) => [id, { micros: 0, count: 1 }])),
  ).find(({ type }) => type === 'SATISFACTION')?.id;
  const summed = new Map<string, SummedLatent>();
  for (const id of ids) summed.set(id, yield* sumLatent(source, { days }, id, satisfactionId));
  const shown = rangeScores(
    source.definitions,
    new Map(
      [...summed].map(
        ([
          id,
          {
            moments: { sum, count },
          },
        ]) => [id, { micros: Number(sum), count }],
      ),
    ),
  );
  const satisfaction = shown.find(({ id }) => id === satisfactionId);
  const drivers = shown
    .filter(({ id }) => id !== satisfactionId)
    .map(({ id, name, type }) => {
      const latent = summed.get(id)!;
      const correlation = correlationOf(latent.pair);
      return {
        driver: {
          ...{ id, name, type },
          ...totalOf(source, latent, minimum),
          correlation: isWithheld(correlation.count, minimum) ? withheldMark : correlation,
        },
        strength: isWithheld(correlation.count, minimum) ? -1 : Math.abs(correlation.value ?? -1),
      };
    });
  return {
    satisfaction:
      satisfaction === undefined
        ? null
        : {
            id: satisfaction.id,
            name: satisfaction.name,
            ...totalOf(source, summed.get(satisfaction.id)!, minimum),
          },
    drivers: drivers.sort((one, other) => other.strength - one.strength).map(({ driver }) => driver),
  };
}

function* sumLatent(
  source: ViewSource,
  { days }: Pick<ViewDays, 'days'>,
  id: string,
  satisfactionId: string | undefined,
): Interruptible<SummedLatent> {
  const series = latentSeries(source, id);
  const pairPlaces = new Map<number, number>();
  const groups = new JoinGroups();
  const groupsMet = new Set<number>();
  const surveyNumbers = new Set<number>();
  let moments = noMoments;
  let pair = noPair;
  for (const [at, day] of days.entries()) {
    if (at % 64 === 0) yield;
    const its = series.momentsOf(day);
    if (its === null || its.count === 0) continue;
    const { surveyNumber, figures } = day;
    let place = pairPlaces.get(surveyNumber);
    if (place === undefined) {
      place = pairPlace(source, surveyNumber, id, satisfactionId);
      pairPlaces.set(surveyNumber, place);
    }
    groupsMet.add(groups.groupOf(surveyNumber, () => series.compositionIn(surveyNumber)));
    surveyNumbers.add(surveyNumber);
    moments = sumOfMoments(moments, its);
    if (place >= 0) pair = sumOfPairs(pair, pairAt(figures, place));
  }
  return { series, moments, pair, surveyNumbers, isComparable: groupsMet.size <= 1 };
}

function pairPlace(
  { surveyOf }: ViewSource,
  surveyNumber: number,
  id: string,
  satisfactionId: string | undefined,
): number {
  const { latents, satisfaction } = layoutFor(surveyOf(surveyNumber));
  if (latents[satisfaction]?.id !== satisfactionId) return -1;
  return latents.find((latent) => latent.id === id)?.pair ?? -1;
}

function totalOf(
  source: ViewSource,
  { series, moments, surveyNumbers, isComparable }: SummedLatent,
  minimum: number,
): Total {
  const facts = { versions: versionsOf(source, surveyNumbers), comparable: isComparable };
  return isWithheld(moments.count, minimum)
    ? { ...withheldMark, ...facts }
    : { ...seriesFigures(series, moments), ...facts };
}
