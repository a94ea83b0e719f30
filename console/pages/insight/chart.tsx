// A line over time with its interval as a band, drawn as SVG. Where versions must not be joined the line breaks and a mark says so;
// points of few responses are hollow. A narrow one without axes stands in rows of tables.

import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { dayText, parseDay } from '../../../src/domain/dates.ts';
import { colon, dayWords, numberText } from '../../formats.ts';
import {
  type Break,
  certainCount,
  type Days,
  isShown,
  type Joined,
  type Point,
  type Scale,
  type ShownFigures,
} from './figures.ts';
import { insightTexts } from './texts.ts';
import { reachText } from './words.ts';

interface Placed {
  readonly point: Point & ShownFigures;
  /** The middle of its days. */
  readonly day: number;
  readonly mean: number;
}

/** Points that a line joins: of one group of versions, with nothing withheld between them. */
function linesOf(points: readonly Point[], joined: Joined): readonly (readonly Placed[])[] {
  const groupOf = (version: number | undefined): number =>
    joined.findIndex((versions) => versions.includes(version ?? Number.NaN));
  const lines = new Map<number, Placed[][]>();
  for (const point of points) {
    const group = groupOf(point.versions[0]);
    const its = lines.get(group) ?? [[]];
    lines.set(group, its);
    if (!isShown(point) || point.mean === null) its.push([]);
    else
      its.at(-1)!.push({
        point,
        day: (parseDay(point.from)! + parseDay(point.to)!) / 2,
        mean: point.mean,
      });
  }
  return [...lines.values()].flat().filter(({ length }) => length > 0);
}

type Place = (value: number) => number;

function pathOf(line: readonly Placed[], x: Place, y: Place): string {
  return line
    .map(({ day, mean }, at) => `${at === 0 ? 'M' : 'L'}${round(x(day))} ${round(y(mean))}`)
    .join('');
}

function bandOf(line: readonly Placed[], x: Place, y: Place, scale: Scale): string {
  const inside = (value: number): number => Math.min(scale.max, Math.max(scale.min, value));
  const ends = line.map(
    ({ point: { interval }, day, mean }) => [day, ...(interval ?? [mean, mean])] as const,
  );
  const upper = ends.map(([day, , high]) => `${round(x(day))} ${round(y(inside(high)))}`);
  const lower = ends.map(([day, low]) => `${round(x(day))} ${round(y(inside(low)))}`).toReversed();
  return `M${[...upper, ...lower].join('L')}Z`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Where the line goes, with some air, and never beyond the scale. */
function domainOf(lines: readonly (readonly Placed[])[], scale: Scale, shown: LeastShown): Scale {
  const values = lines.flat().flatMap(({ mean, point: { count, interval } }) => {
    return count < certainCount || interval === null ? [mean] : [mean, ...interval];
  });
  if (values.length === 0) return scale;
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // A wide interval of few responses gets some room, and must not flatten everything else.
  const room = (high - low) * shown.roomForUncertain;
  const ends = lines.flat().flatMap(({ point: { interval } }) => interval ?? []);
  const lowest = Math.max(low - room, Math.min(low, ...ends));
  const highest = Math.min(high + room, Math.max(high, ...ends));
  const middle = (lowest + highest) / 2;
  const half = Math.max((scale.max - scale.min) * shown.shareOfScale, (highest - lowest) * 1.15) / 2;
  const shift = Math.max(0, scale.min - (middle - half)) - Math.max(0, middle + half - scale.max);
  return {
    min: Math.max(scale.min, middle - half + shift),
    max: Math.min(scale.max, middle + half + shift),
  };
}

interface LeastShown {
  readonly shareOfScale: number;
  /** For intervals of few responses, on either side: a part of what all other points take. */
  readonly roomForUncertain: number;
}

// ---- small

const sparkWidth = 132;
const sparkHeight = 32;

interface SparklineProps {
  readonly points: readonly Point[];
  readonly joined: Joined;
  readonly range: Days;
  readonly scale: Scale;
}

/** It is told by the row that it stands in. */
export function Sparkline({ points, joined, range, scale }: SparklineProps): JSX.Element {
  const lines = linesOf(points, joined);
  const { min, max } = domainOf(lines, scale, { shareOfScale: 0.12, roomForUncertain: 0 });
  const first = parseDay(range.from)!;
  const last = Math.max(first + 1, parseDay(range.to)!);
  const x: Place = (day) => 3 + ((day - first) / (last - first)) * (sparkWidth - 6);
  const y: Place = (value) => 3 + (1 - (value - min) / (max - min || 1)) * (sparkHeight - 6);
  const end = lines
    .flat()
    .reduce<Placed | null>((best, one) => (best === null || one.day >= best.day ? one : best), null);
  return (
    <svg class="spark" viewBox={`0 0 ${sparkWidth} ${sparkHeight}`} aria-hidden="true">
      {lines.map((line) =>
        line.length === 1 ? (
          <circle cx={round(x(line[0]!.day))} cy={round(y(line[0]!.mean))} r="1.5" class="dot" />
        ) : (
          <path d={pathOf(line, x, y)} class="line" />
        ),
      )}
      {end !== null && <circle cx={round(x(end.day))} cy={round(y(end.mean))} r="2.5" class="dot" />}
    </svg>
  );
}

// ---- large

interface TrendChartProps {
  /** Said to whoever does not see it. */
  readonly label: string;
  readonly points: readonly Point[];
  readonly joined: Joined;
  readonly range: Days;
  readonly scale: Scale;
  readonly digits: number;
  readonly breaks: readonly Break[];
  /** The line of the days that these are compared with. */
  readonly before: { readonly points: readonly Point[]; readonly range: Days } | null;
}

const height = 260;
const edge = { left: 40, right: 12, top: 12, bottom: 26 };

export function TrendChart({
  label,
  points,
  joined,
  range,
  scale,
  digits,
  breaks,
  before,
}: TrendChartProps): JSX.Element {
  const { t } = insightTexts;
  const [place, width] = useWidth();
  const [pointed, setPointed] = useState<Placed | null>(null);
  const lines = linesOf(points, joined);
  const first = parseDay(range.from)!;
  const last = parseDay(range.to)!;
  const shift = before === null ? 0 : first - parseDay(before.range.from)!;
  const earlier =
    before === null
      ? []
      : linesOf(before.points, joined).map((line) =>
          line.map(({ day, mean, point }) => ({
            day: day + shift,
            mean,
            // Only the line of them is drawn.
            point: { ...point, interval: null },
          })),
        );
  const { min, max } = domainOf([...lines, ...earlier], scale, { shareOfScale: 0.2, roomForUncertain: 0.4 });
  const x: Place = (day) =>
    edge.left + ((day - first + 0.5) / (last - first + 1)) * (width - edge.left - edge.right);
  const y: Place = (value) =>
    edge.top + (1 - (value - min) / (max - min || 1)) * (height - edge.top - edge.bottom);
  const all = lines.flat();
  const look = (clientX: number, box: DOMRect): void => {
    const at = ((clientX - box.left) / box.width) * width;
    const nearest = all.reduce<Placed | null>(
      (best, one) => (best === null || Math.abs(x(one.day) - at) < Math.abs(x(best.day) - at) ? one : best),
      null,
    );
    setPointed(nearest);
  };
  return (
    <div ref={place} class="chart">
      <p class="hint row" aria-hidden="true">
        {pointed === null ? (
          <>
            <span class="key now">{t.legendNow}</span>
            {earlier.some(({ length }) => length > 1) && <span class="key before">{t.legendBefore}</span>}
            {all.some(({ point: { count } }) => count < certainCount) && (
              <span class="key hollow">{t.legendHollow}</span>
            )}
          </>
        ) : (
          <span>
            {daysText(pointed.point)}
            {colon()}
            <strong>{numberText(pointed.mean, digits)}</strong> {reachText(pointed.point, digits)},{' '}
            {t.count(numberText(pointed.point.count))}
          </span>
        )}
      </p>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={label}
        onPointerMove={({ clientX, currentTarget }) => look(clientX, currentTarget.getBoundingClientRect())}
        onPointerLeave={() => setPointed(null)}
      >
        {ticksOf(min, max).map((value) => (
          <g>
            <line
              x1={edge.left}
              x2={width - edge.right}
              y1={round(y(value))}
              y2={round(y(value))}
              class="rule"
            />
            <text x={edge.left - 8} y={round(y(value)) + 4} text-anchor="end">
              {numberText(value, value % 1 === 0 ? 0 : 1)}
            </text>
          </g>
        ))}
        {dayTicks(first, last, width).map((day) => (
          <text x={Math.min(round(x(day)), width - 24)} y={height - 6} text-anchor="middle">
            {dayWords(dayText(day), 'short')}
          </text>
        ))}
        {breaks.map(({ day, version }) => (
          <g>
            <line
              x1={round(x(parseDay(day)! - 0.5))}
              x2={round(x(parseDay(day)! - 0.5))}
              y1={edge.top}
              y2={height - edge.bottom}
              class="break"
            />
            <text x={round(x(parseDay(day)! - 0.5)) + 4} y={edge.top + 8}>
              {`v${version}`}
            </text>
          </g>
        ))}
        {lines.map((line) => line.length > 1 && <path d={bandOf(line, x, y, { min, max })} class="band" />)}
        {earlier.map((line) => (
          <path d={pathOf(line, x, y)} class="line before" />
        ))}
        {lines.map((line) => (
          <path d={pathOf(line, x, y)} class="line" />
        ))}
        {pointed !== null && (
          <line
            x1={round(x(pointed.day))}
            x2={round(x(pointed.day))}
            y1={edge.top}
            y2={height - edge.bottom}
            class="rule"
          />
        )}
        {all.map(({ day, mean, point: { count } }) => (
          <circle
            cx={round(x(day))}
            cy={round(y(mean))}
            r={all.length > 70 ? 2 : 3}
            class={count < certainCount ? 'hollow' : 'dot'}
          />
        ))}
      </svg>
    </div>
  );
}

export function daysText({ from, to }: Days): string {
  return from === to ? dayWords(from) : `${dayWords(from, 'short')} – ${dayWords(to)}`;
}

/** As wide as its place, so that letters keep their size. */
function useWidth(): readonly [{ current: HTMLDivElement | null }, number] {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(720);
  useLayoutEffect(() => {
    const element = place.current!;
    const measure = (): void => setWidth(Math.max(240, Math.round(element.clientWidth)));
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return [place, width];
}

function ticksOf(min: number, max: number): readonly number[] {
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 25, 50];
  const step = steps.find((one) => (max - min) / one <= 5) ?? 100;
  const firstTick = Math.ceil(min / step - 1e-9);
  const lastTick = Math.floor(max / step + 1e-9);
  return Array.from({ length: lastTick - firstTick + 1 }, (_, at) => round((firstTick + at) * step));
}

/** Evenly, and at the last day. */
function dayTicks(first: number, last: number, width: number): readonly number[] {
  const most = Math.max(2, Math.floor((width - 50) / 68));
  const days = last - first + 1;
  const step = [1, 2, 4, 7, 10, 14, 21, 28, 56, 91, 182, 365].find((one) => days / one <= most) ?? 730;
  return Array.from({ length: Math.ceil(days / step) }, (_, at) => last - at * step).filter(
    (day) => day >= first,
  );
}
