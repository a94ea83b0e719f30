// Pieces that the pages about figures are made of: a figure with its interval, a change, bars to click, a chart with its table.

import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { writeFilter } from '../../../src/domain/console/view-address.ts';
import { dayWords, numberText, shareText } from '../../formats.ts';
import { isFixed } from '../../frame/address.ts';
import { frameTexts } from '../../frame/messages.ts';
import { addFilter, removeFilter, view } from '../../frame/view.ts';
import { type Coverage, type Figures, isShown, type Scale } from './figures.ts';
import { insightTexts } from './texts.ts';
import { meanText, reachText, type SaidChange } from './words.ts';

/** 74.2 ± 1.9. */
export function Mean({
  figures,
  digits,
}: {
  readonly figures: Figures;
  readonly digits: number;
}): JSX.Element {
  return (
    <span class="mean">
      <strong>{meanText(figures, digits)}</strong> <small>{reachText(figures, digits)}</small>
    </span>
  );
}

const signs = { up: '▲', down: '▼', unclear: '≈' } as const;

export function Change({ change }: { readonly change: SaidChange | null }): JSX.Element {
  if (change === null) return <span class="hint">–</span>;
  const { direction, words, value, interval } = change;
  return (
    <span class={`change ${direction}`} title={interval === null ? '' : `${words} (${interval})`}>
      {direction === 'none' ? (
        words
      ) : (
        <>
          <span aria-hidden="true">{signs[direction]}</span> <strong>{value}</strong>{' '}
          <span class="unseen">{words}</span>
        </>
      )}
    </span>
  );
}

/** 0–100. */
export function scaleText({ min, max }: Scale): string {
  return `${numberText(min)}–${numberText(max)}`;
}

/** A mean on its scale, with its interval. */
export function Whisker({
  figures,
  scale,
}: {
  readonly figures: Figures;
  readonly scale: Scale;
}): JSX.Element | null {
  if (!isShown(figures) || figures.mean === null) return null;
  const at = (value: number): number =>
    Math.min(100, Math.max(0, ((value - scale.min) / (scale.max - scale.min)) * 100));
  const [low, high] = figures.interval ?? [figures.mean, figures.mean];
  return (
    <span class="whisker" aria-hidden="true">
      <span style={{ insetInlineStart: `${at(low)}%`, inlineSize: `${at(high) - at(low)}%` }} />
      <i style={{ insetInlineStart: `${at(figures.mean)}%` }} />
    </span>
  );
}

export interface Bar {
  readonly key: string;
  readonly text: string;
  /** Null where it is withheld. */
  readonly count: number | null;
  readonly share: number | null;
  /** Of the filter that a click adds; null where there is none. */
  readonly filter: readonly [name: string, value: string] | null;
}

/** Each is a button that keeps the responses that are in it, or lets go of that again. */
export function Bars({
  bars,
  isUpright = false,
}: {
  readonly bars: readonly Bar[];
  readonly isUpright?: boolean;
}): JSX.Element {
  const { t } = insightTexts;
  const most = Math.max(...bars.map(({ share }) => share ?? 0), 0.0001);
  const { filters } = view.value;
  return (
    <ul class={isUpright ? 'columns' : 'bars'}>
      {bars.map(({ key, text, count, share, filter }) => {
        const words = share === null ? t.withheld : shareText(share);
        const counted = count === null ? '' : numberText(count);
        const length = `${((share ?? 0) / most) * 100}%`;
        const written = filter === null || isFixed.value ? null : writeFilter('is', ...filter);
        const isOn = written !== null && filters.includes(written);
        return (
          <li key={key}>
            <button
              type="button"
              disabled={written === null}
              aria-pressed={isOn}
              title={isUpright ? `${text}: ${words}, ${counted}` : text}
              onClick={() => written !== null && (isOn ? removeFilter(written) : addFilter(written))}
            >
              {written !== null && <span class="unseen">{t.onlyThese} </span>}
              {isUpright ? (
                <>
                  <span class="what">
                    {short(text)}
                    <span class="unseen">{short(text) === text ? ':' : ` ${text}:`} </span>
                  </span>
                  <small>
                    {share === null ? '–' : Math.round(share * 100)}
                    <span class="unseen">{share === null ? t.withheld : ` %, ${counted}`}</span>
                  </small>
                  <span class="track">
                    <span style={{ blockSize: length }} />
                  </span>
                </>
              ) : (
                <>
                  <span class="what">{text}</span>
                  <span class="track">
                    <span style={{ inlineSize: length }} />
                  </span>
                  <span class="share">{words}</span>
                  <small>{counted}</small>
                </>
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** Below a column is place for a number. */
function short(text: string): string {
  return /^-?\d+$/.test(text) ? text : '?';
}

interface WithTableProps {
  /** What the chart tells. */
  readonly sentence: ComponentChildren;
  readonly table: () => JSX.Element;
  readonly children: ComponentChildren;
}

export function WithTable({ sentence, table, children }: WithTableProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <figure class="figure stack">
      <figcaption>{sentence}</figcaption>
      {children}
      <p>
        <button
          type="button"
          class="quiet small"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? insightTexts.t.hideTable : frameTexts.t.asTable}
        </button>
      </p>
      <div id={id}>{isOpen && table()}</div>
    </figure>
  );
}

/** What an answer does not go over, and what it does not tell. */
export function Honesty({
  answer,
  isWithheld = false,
}: {
  readonly answer: Coverage;
  readonly isWithheld?: boolean;
}): JSX.Element | null {
  const { t } = insightTexts;
  const { complete, covered, minimum } = answer;
  if (complete && !isWithheld) return null;
  return (
    <p class="hint" role="note">
      {!complete &&
        (covered === null ? t.partialNone : t.partial(dayWords(covered.from), dayWords(covered.to)))}
      {!complete && isWithheld && ' '}
      {isWithheld && t.withheldWhy(minimum)}
    </p>
  );
}
