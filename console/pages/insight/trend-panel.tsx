// The course of one figure: the number with its interval and change, and the chart below it.

import type { JSX } from 'preact';
import type { measurePreload, projectPreload } from '../../../src/domain/console/page-preload/figures.ts';
import { dayWords, numberText } from '../../formats.ts';
import { type Answer, useAnswer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { language } from '../../language.ts';
import { daysText, TrendChart } from './chart.tsx';
import {
  type Break,
  isShown,
  type Joined,
  type Point,
  type Scale,
  type Series,
  type Trend,
} from './figures.ts';
import { Change, Honesty, Mean, WithTable } from './parts.tsx';
import { type SourceOf, viewPaths } from './source-page.tsx';
import { insightTexts } from './texts.ts';
import { changeOf, digitsOf, intervalText, meanText } from './words.ts';

export interface Course {
  readonly id: string;
  readonly name: string;
  readonly trend: Series;
  readonly joined: Joined;
  readonly scale: Scale;
}

type TrendRequest = ReturnType<typeof measurePreload | typeof projectPreload>['trend'];

interface TrendPanelProps {
  readonly of: SourceOf;
  readonly request: TrendRequest;
  readonly answer: Answer<Trend>;
  /** Null while it is not known, or where there is none. */
  readonly course: Course | null;
}

export function TrendPanel({ of, request, answer, course }: TrendPanelProps): JSX.Element {
  const { t } = insightTexts;
  const { data } = answer;
  const before = useBefore(request, data);
  const digits = digitsOf[of.kind];
  const isCounted = course !== null && (!isShown(course.trend.total) || course.trend.total.count > 0);
  const change = course === null ? null : changeOf(course.trend, digits);
  return (
    <Panel title={course?.name ?? t.trend} answer={answer} {...viewPaths(request)}>
      {data !== null && course !== null && (
        <>
          <div class="hero">
            <Mean figures={course.trend.total} digits={digits} />
            {isShown(course.trend.total) && <span>{t.count(numberText(course.trend.total.count))}</span>}
            {change !== null && <Change change={change} />}
          </div>
          {isCounted ? (
            <WithTable
              sentence={sentenceOf(course, data, digits)}
              table={() => <PointTable course={course} digits={digits} />}
            >
              <TrendChart
                label={sentenceOf(course, data, digits)}
                points={course.trend.points}
                joined={course.joined}
                range={data}
                scale={course.scale}
                digits={digits}
                breaks={breaksOf(data, course.id)}
                before={before === null ? null : { points: pointsOf(before, course.id), range: before }}
              />
            </WithTable>
          ) : (
            <p class="empty">
              {t.noResponses} {t.noResponsesHint}
            </p>
          )}
          <Breaks breaks={breaksOf(data, course.id)} id={course.id} />
          <Honesty answer={data} isWithheld={course.trend.points.some((point) => !isShown(point))} />
        </>
      )}
    </Panel>
  );
}

/** The same figures of the days that these are compared with, for their line. */
function useBefore([key, { params, query }]: TrendRequest, data: Trend | null): Trend | null {
  const compared = data?.compared;
  const input = { params, query: { ...query, ...compared, compare: undefined } };
  return useAnswer(key, compared === undefined ? null : input).data;
}

function pointsOf(trend: Trend, id: string): readonly Point[] {
  const series = 'rating' in trend ? trend.rating : trend.latents.find((latent) => latent.id === id);
  return series?.points ?? [];
}

function breaksOf({ breaks }: Trend, id: string): readonly Break[] {
  return breaks.filter(({ latents }) => latents.includes(id));
}

function sentenceOf({ name, trend }: Course, { compared }: Trend, digits: number): string {
  const { t } = insightTexts;
  const { total } = trend;
  if (!isShown(total)) return t.trendWithheld(name);
  if (total.mean === null) return t.trendNone(name);
  const interval = total.interval === null ? '–' : intervalText(total.interval, digits);
  const now = t.trendSentence(name, meanText(total, digits), interval, numberText(total.count));
  const change = changeOf(trend, digits);
  const notes = total.comparable ? '' : ` ${t.notJoined}`;
  if (change === null || compared === undefined) return now + notes;
  const days = `${dayWords(compared.from, 'short')} – ${dayWords(compared.to)}`;
  return `${now} ${t.changeSentence(change, days)}${notes}`;
}

interface BreaksProps {
  readonly breaks: readonly Break[];
  /** Of the figure whose line it is. */
  readonly id: string;
}

function Breaks({ breaks, id }: BreaksProps): JSX.Element | null {
  const { t } = insightTexts;
  if (breaks.length === 0) return null;
  return (
    <div>
      <h3>{t.breaks}</h3>
      <ul class="hint">
        {breaks.map(({ day, version, latents, changes }) => (
          <li key={`${day} ${version}`}>
            {/* A replica of the release before has none. */}
            {t.breakWords(dayWords(day), version, changesText(changes?.[latents.indexOf(id)]))}
          </li>
        ))}
      </ul>
    </div>
  );
}

function changesText(change: Break['changes'][number] | undefined): string {
  const { t } = insightTexts;
  if (change === undefined) return '–';
  const valueText = (value: string | number | null): string =>
    typeof value === 'number' ? value.toLocaleString(language) : (value ?? '–');
  const words = change.changes.map(({ kind, question, before, now }) =>
    t.compositionChanges[kind](question, valueText(before), valueText(now)),
  );
  return [...words, ...(change.more > 0 ? [t.moreChanges(change.more)] : [])].join('; ');
}

function PointTable({ course, digits }: { readonly course: Course; readonly digits: number }): JSX.Element {
  const { t } = insightTexts;
  return (
    <DataTable
      caption={course.name}
      rows={course.trend.points}
      columns={[
        { title: t.day, isHead: true, cell: (point) => daysText(point) },
        { title: t.score, isNumber: true, cell: (point) => meanText(point, digits) },
        {
          title: t.interval,
          isNumber: true,
          cell: (point) =>
            isShown(point) && point.interval !== null ? intervalText(point.interval, digits) : '–',
        },
        {
          title: t.responses,
          isNumber: true,
          cell: (point) => (isShown(point) ? numberText(point.count) : '–'),
        },
        { title: t.versionTitle, isNumber: true, cell: ({ versions }) => versions.join(', ') },
      ]}
    />
  );
}
