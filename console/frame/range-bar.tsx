// Range, comparison and filters of a page of figures. They stand in the address, which feeds every panel.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { comparisons, filterPieces, type Period, periodDays } from '../../src/domain/console/view-address.ts';
import { dayWords } from '../formats.ts';
import { changeQuery, isFixed } from './address.ts';
import { frameTexts } from './messages.ts';
import { removeFilter, view } from './view.ts';

const ownRange = 'own';

interface RangeBarProps {
  readonly hasComparison?: boolean;
  /** Says a filter in the words of the survey; left out, as it stands in the address. */
  readonly filterWords?: (operator: string, name: string, value: string) => string;
}

export function RangeBar({ hasComparison = true, filterWords }: RangeBarProps): JSX.Element {
  const { period, from, to, compare, filters } = view.value;
  const [isOpen, setOpen] = useState(false);
  const { t } = frameTexts;
  const isOwn = period === null || isOpen;
  const wordsOf = (filter: string): string =>
    filterWords?.(...filterPieces(filter)!) ?? filterPieces(filter)!.join(' ');
  if (isFixed.value)
    return (
      <p class="row">
        <span>
          {dayWords(from)} – {dayWords(to)}
        </span>
        <span class="hint">{t.daysAreUtc}</span>
        {compare !== 'none' && <span class="hint">{t.comparisons[compare]}</span>}
        {filters.map((filter) => (
          <span class="badge" key={filter}>
            {wordsOf(filter)}
          </span>
        ))}
      </p>
    );
  return (
    <fieldset class="range" aria-label={t.rangeTitle}>
      <label class="unseen" for="range-period">
        {t.period}
      </label>
      <select
        id="range-period"
        value={isOwn ? ownRange : period}
        onChange={({ currentTarget: { value } }) => {
          setOpen(value === ownRange);
          if (value !== ownRange) changeQuery({ period: value, from: null, to: null });
        }}
      >
        {Object.keys(periodDays).map((name) => (
          <option value={name}>{t.periods[name as Period]}</option>
        ))}
        <option value={ownRange}>{t.ownRange}</option>
      </select>
      {isOwn ? (
        <OwnDays
          from={from}
          to={to}
          isAsked={isOpen}
          onChosen={(chosen) => {
            setOpen(false);
            changeQuery({ period: null, ...chosen });
          }}
        />
      ) : (
        <span class="days">
          {dayWords(from, 'short')} – {dayWords(to)}
        </span>
      )}
      <span class="hint">{t.daysAreUtc}</span>
      {hasComparison && (
        <>
          <label class="unseen" for="range-compare">
            {t.compare}
          </label>
          <select
            id="range-compare"
            value={compare}
            onChange={({ currentTarget: { value } }) =>
              changeQuery({ compare: value === 'previous' ? null : value })
            }
          >
            {comparisons.map((name) => (
              <option value={name}>{t.comparisons[name]}</option>
            ))}
          </select>
        </>
      )}
      {filters.length > 0 && (
        <ul class="chips" aria-label={t.filters}>
          {filters.map((filter) => {
            const words = wordsOf(filter);
            return (
              <li key={filter}>
                <span>{words}</span>
                <button type="button" aria-label={t.removeFilter(words)} onClick={() => removeFilter(filter)}>
                  ×
                </button>
              </li>
            );
          })}
          {filters.length > 1 && (
            <li class="all">
              <button type="button" onClick={() => changeQuery({ f: null })}>
                {t.clearFilters}
              </button>
            </li>
          )}
        </ul>
      )}
    </fieldset>
  );
}

interface OwnDaysProps {
  readonly from: string;
  readonly to: string;
  /** They were just asked for. */
  readonly isAsked: boolean;
  readonly onChosen: (days: { readonly from: string; readonly to: string }) => void;
}

function OwnDays({ from, to, isAsked, onChosen }: OwnDaysProps): JSX.Element {
  const first = useRef<HTMLInputElement>(null);
  const last = useRef<HTMLInputElement>(null);
  const { t } = frameTexts;
  useEffect(() => {
    if (isAsked) first.current?.focus();
  }, [isAsked]);
  const choose = (): void => {
    const chosen = { from: first.current!.value, to: last.current!.value };
    if (chosen.from !== '' && chosen.to !== '' && chosen.from <= chosen.to) onChosen(chosen);
  };
  return (
    <form
      class="days"
      onSubmit={(event) => {
        event.preventDefault();
        choose();
      }}
    >
      <label class="unseen" for="range-from">
        {t.from}
      </label>
      <input id="range-from" ref={first} type="date" defaultValue={from} max="9999-12-31" required />–
      <label class="unseen" for="range-to">
        {t.to}
      </label>
      <input id="range-to" ref={last} type="date" defaultValue={to} max="9999-12-31" required />
      <button type="submit" class="small">
        {t.show}
      </button>
    </form>
  );
}
