// Charts as SVG, without colours of their own: the classes get them from the style of the page. Whatever a chart shows stands in a
// table beside it too.

import { parseDay } from '../dates.ts';
import { escaped } from '../pages/html.ts';
import { certainCount, isShown, type ReportDays, type ReportPoint } from './report.ts';
import { countText, daysWords, dayWords, numberText, percentText } from './report-words.ts';
import type { Figures, Interval } from './statistics.ts';
import type { Break } from './trend.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface LineChart {
  readonly points: readonly ReportPoint[];
  readonly breaks: readonly Break[];
  readonly range: ReportDays;
  readonly axis: Interval;
  readonly decimals: number;
  /** The mean of the range that it is compared with. */
  readonly before: number | null;
  /** What somebody hears who does not see it. */
  readonly label: string;
  readonly size: Size;
}

const space = { left: 34, right: 10, top: 20, bottom: 22 };
/** A large chart has a margin in which the mean of the days before is named. */
const largeWidth = 600;
const beforeWidth = 76;
const charWidth = 6.2;
/** More dots than this would hide the line. */
const dotsMax = 62;
/** Beyond this many points nobody points at a single one. */
const titlesMax = 200;

type Shown = ReportPoint & Figures & { readonly mean: number };

export function lineChart(chart: LineChart): string {
  const { size, axis, range, label } = chart;
  const [low, high] = axis;
  const isNamed = chart.before !== null && size.width > largeWidth;
  const right = size.width - (isNamed ? beforeWidth : space.right);
  const bottom = size.height - space.bottom;
  const [firstDay, endDay] = [parseDay(range.from)!, parseDay(range.to)! + 1];
  const xOf = (day: number): number =>
    space.left + ((day - firstDay) / (endDay - firstDay)) * (right - space.left);
  const yOf = (value: number): number =>
    bottom - ((Math.min(high, Math.max(low, value)) - low) / (high - low)) * (bottom - space.top);
  const middleOf = ({ from, to }: ReportDays): number => xOf((parseDay(from)! + parseDay(to)! + 1) / 2);
  const points = chart.points.filter((point): point is Shown => isShown(point) && point.mean !== null);
  return [
    `<svg class="chart" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escaped(label)}">`,
    ...grid(axis, yOf, right),
    ...dayLabels(range, firstDay, endDay, xOf, size),
    ...comparison(chart, yOf, right, isNamed),
    ...chart.breaks.map((one) => breakMark(one, xOf(parseDay(one.day)!), bottom, right)),
    ...runsOf(points).flatMap((run) => runMarks(run, middleOf, yOf)),
    ...dots(points, middleOf, yOf, chart.decimals),
    '</svg>',
  ].join('');
}

// ---- axes

/** Steps that people count in. */
const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 25, 50];
const linesWanted = 4;

function stepOf([low, high]: Interval): number {
  return steps.find((step) => (high - low) / step <= linesWanted) ?? steps.at(-1)!;
}

/** The numbers that all charts of a report go over: what is there and a little more, and never so little that noise looks large. */
export function axisOf(points: readonly ReportPoint[], { min, max }: { min: number; max: number }): Interval {
  const shown = points.filter((point): point is Shown => isShown(point) && point.mean !== null);
  // Points of a few responses have intervals wider than the scale; they do not decide.
  const certain = shown.filter(({ count }) => count >= certainCount);
  const values = (certain.length > 0 ? certain : shown).flatMap(({ mean, interval }) => interval ?? [mean]);
  values.push(...shown.map(({ mean }) => mean));
  if (values.length === 0) return [min, max];
  const least = (max - min) / 4;
  let low = values.reduce((one, other) => Math.min(one, other));
  let high = values.reduce((one, other) => Math.max(one, other));
  if (high - low < least) [low, high] = [(low + high - least) / 2, (low + high + least) / 2];
  const step = stepOf([Math.max(min, low), Math.min(max, high)]);
  return [
    Math.max(min, Math.floor(low / step + 1e-9) * step),
    Math.min(max, Math.ceil(high / step - 1e-9) * step),
  ];
}

function grid(axis: Interval, yOf: (value: number) => number, right: number): string[] {
  const [low, high] = axis;
  const step = stepOf(axis);
  const decimals = step < 1 ? 1 : 0;
  const marks: string[] = [];
  for (let at = Math.ceil(low / step - 1e-9); at * step <= high + 1e-9; at += 1) {
    const y = round(yOf(at * step));
    marks.push(
      `<path class="grid" d="M${space.left} ${y}H${right}"/>`,
      `<text class="axis end" x="${space.left - 6}" y="${y + 4}">${numberText(at * step, decimals)}</text>`,
    );
  }
  return marks;
}

/** Some days under the chart, the first and the last among them, as far apart as their words need. */
function dayLabels(
  range: ReportDays,
  firstDay: number,
  endDay: number,
  xOf: (day: number) => number,
  { width, height }: Size,
): string[] {
  const isLong = endDay - firstDay > 370;
  const words = (day: number): string => {
    const text = dayWords(new Date(day * 86_400_000).toISOString().slice(0, 10));
    return isLong ? text.replace(/^\d+ /, '') : text.replace(/ \d+$/, '');
  };
  const y = height - 6;
  const last = endDay - 1;
  const text = (day: number, anchor: string): string =>
    `<text class="axis ${anchor}" x="${round(anchor === 'end' ? xOf(endDay) : anchor === 'begin' ? xOf(day) : xOf(day + 0.5))}" y="${y}">${words(day)}</text>`;
  if (range.from === range.to) return [text(firstDay, 'begin')];
  const roomFor = Math.floor((width - space.left - space.right) / (charWidth * 11));
  const between = Math.max(0, Math.min(roomFor - 2, 4));
  const inner = Array.from({ length: between }, (_, at) =>
    Math.round(firstDay + ((last - firstDay) * (at + 1)) / (between + 1)),
  ).filter((day) => day > firstDay && day < last);
  return [text(firstDay, 'begin'), ...new Set(inner.map((day) => text(day, 'middle'))), text(last, 'end')];
}

/** A line at the mean of the range that this one is compared with. */
function comparison(
  { before, axis, decimals }: LineChart,
  yOf: (value: number) => number,
  right: number,
  isNamed: boolean,
): string[] {
  if (before === null || before < axis[0] || before > axis[1]) return [];
  const y = round(yOf(before));
  const line = `<path class="before" d="M${space.left} ${y}H${right}"/>`;
  if (!isNamed) return [line];
  return [
    line,
    `<text class="axis" x="${right + 6}" y="${y + 4}">before ${numberText(before, decimals)}</text>`,
  ];
}

function breakMark({ version }: Break, x: number, bottom: number, right: number): string {
  const at = round(x);
  const text = `version ${version}`;
  const isNearEnd = x + text.length * charWidth > right;
  return (
    `<path class="break" d="M${at} ${space.top - 4}V${bottom}"/>` +
    `<text class="break-text ${isNearEnd ? 'end' : 'begin'}" x="${round(at + (isNearEnd ? -4 : 4))}" y="${space.top - 6}">${text}</text>`
  );
}

// ---- the line

/** Points that follow one another without a gap and may be joined. */
function runsOf<T extends ReportPoint>(points: readonly T[]): readonly (readonly T[])[] {
  const open = new Map<number, T[]>();
  const runs: T[][] = [];
  for (const point of points) {
    const run = open.get(point.group);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && parseDay(last.to)! + 1 === parseDay(point.from)) {
      run.push(point);
      continue;
    }
    const begun = [point];
    open.set(point.group, begun);
    runs.push(begun);
  }
  return runs;
}

function runMarks(
  run: readonly Shown[],
  xOf: (days: ReportDays) => number,
  yOf: (value: number) => number,
): string[] {
  const place = (point: Shown, value: number): string => `${round(xOf(point))} ${round(yOf(value))}`;
  const [only] = run;
  if (run.length === 1 && only !== undefined)
    return only.interval === null
      ? []
      : [`<path class="bound" d="M${place(only, only.interval[0])}L${place(only, only.interval[1])}"/>`];
  const upper = run.map((point) => place(point, point.interval?.[1] ?? point.mean));
  const lower = run.map((point) => place(point, point.interval?.[0] ?? point.mean)).reverse();
  return [
    `<path class="band" d="M${[...upper, ...lower].join('L')}Z"/>`,
    `<path class="line" d="M${run.map((point) => place(point, point.mean)).join('L')}"/>`,
  ];
}

function dots(
  points: readonly Shown[],
  xOf: (days: ReportDays) => number,
  yOf: (value: number) => number,
  decimals: number,
): string[] {
  // A point without a neighbour would be lost without a dot.
  const alone = new Set(runsOf(points).flatMap((run) => (run.length === 1 ? run : [])));
  const isCrowded = points.length > dotsMax;
  const shown = isCrowded ? points.filter((point) => alone.has(point)) : points;
  return shown.map((point) => {
    const { count, mean } = point;
    const kind = count < certainCount ? 'dot few' : 'dot';
    const circle = `<circle class="${kind}" cx="${round(xOf(point))}" cy="${round(yOf(mean))}" r="${isCrowded ? 1.8 : 3.2}"`;
    if (points.length > titlesMax) return `${circle}/>`;
    return `${circle}><title>${daysWords(point)}: ${numberText(mean, decimals)}, n = ${countText(count)}</title></circle>`;
  });
}

// ---- bars

/** A bar of a table; its length stands beside it as a number. */
export function bar(share: number): string {
  return `<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="bar-room" width="100" height="10"/><rect class="bar-fill" width="${round(Math.max(0, Math.min(1, share)) * 100)}" height="10"/></svg>`;
}

/** A number with its interval on a line from one end to the other. */
export function whisker(value: number, [low, high]: Interval, [least, most]: Interval): string {
  const at = (x: number): number => round(6 + ((x - least) / (most - least)) * 288);
  const zero = least < 0 ? `<path class="grid" d="M${at(0)} 1V17"/>` : '';
  return (
    `<svg class="whisker" viewBox="0 0 300 18" aria-hidden="true" focusable="false"><path class="grid" d="M6 9H294"/>${zero}` +
    `<path class="bound wide" d="M${at(low)} 9H${at(high)}"/><circle class="dot" cx="${at(value)}" cy="9" r="5"/></svg>`
  );
}

interface Column {
  readonly name: string;
  /** Null where it is withheld. */
  readonly count: number | null;
}

/** How often each number of a scale was given. */
export function columnChart(columns: readonly Column[], label: string, { width, height }: Size): string {
  const most = Math.max(1, ...columns.map(({ count }) => count ?? 0));
  const total = Math.max(
    1,
    columns.reduce((sum, { count }) => sum + (count ?? 0), 0),
  );
  const foot = height - 16;
  const step = width / columns.length;
  const gap = Math.min(4, step * 0.15);
  // Every name where there is room, else the ends.
  const isCrowded = step < 16;
  const marks = columns.map(({ name, count }, place) => {
    const tall = round(((count ?? 0) / most) * (foot - 16));
    const x = round(place * step + gap / 2);
    const middle = round((place + 0.5) * step);
    const isNamed = !isCrowded || place === 0 || place === columns.length - 1;
    const isTop = count === most && count > 0;
    return [
      `<rect class="column" x="${x}" y="${round(foot - tall)}" width="${round(step - gap)}" height="${tall}"/>`,
      isTop
        ? `<text class="axis middle" x="${middle}" y="${round(foot - tall - 5)}">${percentText(count / total)}</text>`
        : '',
      isNamed ? `<text class="axis middle" x="${middle}" y="${height - 3}">${escaped(name)}</text>` : '',
    ].join('');
  });
  return `<svg class="chart" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(label)}"><path class="grid" d="M0 ${foot}H${width}"/>${marks.join('')}</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
