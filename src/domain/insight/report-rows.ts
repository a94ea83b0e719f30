// A report as a table: a row for each figure, all with the same columns, so that a spreadsheet or a script can pick what it needs.

import type { AnswerCounts } from './distribution.ts';
import { isCount, isShown, type Report, type ReportSeries } from './report.ts';
import type { Difference } from './statistics.ts';
import type { SeriesTrend } from './trend.ts';
import type { ShownFigures } from './view-source.ts';

/** `low` and `high` are the 95 % interval of `value`; what a row does not have is empty. */
export const reportColumns = [
  'section',
  'id',
  'name',
  'from',
  'to',
  'versions',
  'answer',
  'text',
  'count',
  'share',
  'value',
  'deviation',
  'low',
  'high',
  'change',
  'note',
] as const;

type ReportColumn = (typeof reportColumns)[number];
export type ReportRow = Partial<Readonly<Record<ReportColumn, string | number | null>>>;

/** Cells in the order of the columns. Numbers are not rounded. */
export function reportRows(report: Report): readonly (readonly (string | number)[])[] {
  return cellsOf(rowsOf(report));
}

export function cellsOf(rows: readonly ReportRow[]): readonly (readonly (string | number)[])[] {
  return rows.map((row) => reportColumns.map((column) => row[column] ?? ''));
}

function rowsOf(report: Report): readonly ReportRow[] {
  return [
    ...report.series.flatMap((series) => seriesRows(series, report)),
    ...breakRows(report),
    ...driverRows(report),
    ...topicRows(report),
    ...answerRows(report),
    ...completionRows(report),
    ...report.comments.map(({ responseTime, version, question, text, score, topic }) => ({
      ...{ section: 'comment', name: topic ?? question, from: responseTime, versions: String(version) },
      ...{ text, value: score },
    })),
  ];
}

export function breakRows({ breaks }: Pick<Report, 'breaks'>): readonly ReportRow[] {
  return breaks.map(({ day, version, latents, reason }) => ({
    ...{ section: 'break', id: latents.join(' '), from: day, versions: String(version), note: reason },
  }));
}

export function figureCells(figures: ShownFigures): ReportRow {
  if (!isShown(figures)) return { note: 'withheld: too few responses' };
  const { count, mean, deviation, interval } = figures;
  return { count, value: mean, deviation, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

function differenceCells({ value, interval: [low, high], change }: Difference): ReportRow {
  return { value, low, high, change };
}

/** Points in whatever groups. */
type RowSeries = SeriesTrend & Pick<ReportSeries, 'id' | 'name'>;

export function seriesRows(
  { id, name, points, total, compared, difference }: RowSeries,
  report: Pick<Report, 'range' | 'compared'>,
): ReportRow[] {
  const { range, compared: before } = report;
  const rows: ReportRow[] = points.map((point) => ({
    ...{ section: 'trend', id, name, from: point.from, to: point.to, versions: point.versions.join(' ') },
    ...figureCells(point),
  }));
  const totalRow = (section: string, days: Report['range'], figures: typeof total): ReportRow => ({
    ...{ section, id, name, from: days.from, to: days.to, versions: figures.versions.join(' ') },
    ...figureCells(figures),
    ...(!figures.comparable && { note: 'versions with other questions or weights are added up' }),
  });
  rows.push(totalRow('total', range, total));
  if (before !== null && compared) rows.push(totalRow('compared', before, compared));
  if (difference)
    rows.push({
      ...{ section: 'difference', id, name, from: range.from, to: range.to },
      ...differenceCells(difference),
      ...(!difference.comparable && { note: 'of versions with other questions or weights' }),
    });
  return rows;
}

export function driverRows({ drivers: found, range }: Pick<Report, 'drivers' | 'range'>): ReportRow[] {
  return (found?.drivers ?? []).map(({ id, name, correlation }) => {
    const facts = { section: 'driver', id, name, from: range.from, to: range.to };
    if (!('value' in correlation)) return { ...facts, note: 'withheld: too few responses' };
    const { count, value, interval } = correlation;
    return {
      ...{ ...facts, count, value, low: interval?.[0] ?? null, high: interval?.[1] ?? null },
      note: 'association, not cause',
    };
  });
}

export function topicRows({
  topics: found,
  pages,
  range,
}: Pick<Report, 'topics' | 'pages' | 'range'>): ReportRow[] {
  const days = { from: range.from, to: range.to };
  const rows = (found?.topics ?? []).flatMap((topic): ReportRow[] => {
    const { question, id, text, entries, share, change } = topic;
    const facts = { id: question, answer: id, text, ...days };
    const { count: rated, ...figures } = figureCells(topic);
    const rows: ReportRow[] = [
      { section: 'topic', ...facts, count: entries, share },
      { section: 'topic rating', ...facts, ...figures, count: rated ?? null },
    ];
    if (change?.share)
      rows.push({ section: 'topic share change', ...facts, ...differenceCells(change.share) });
    if (change?.rating)
      rows.push({ section: 'topic rating change', ...facts, ...differenceCells(change.rating) });
    return rows;
  });
  return [
    ...rows,
    ...pages.map((page) => ({ section: 'page', text: page.url, ...days, ...figureCells(page) })),
  ];
}

export function answerRows({ distribution, range }: Pick<Report, 'distribution' | 'range'>): ReportRow[] {
  return distribution.questions.flatMap(({ id, name, phrase, versions }) =>
    versions.flatMap((counts): ReportRow[] => {
      const facts = {
        ...{ id, name: phrase === '' ? name : phrase, from: range.from, to: range.to },
        versions: String(counts.version),
      };
      if (!isCount<AnswerCounts & { version: number }>(counts))
        return [{ section: 'question', ...facts, note: 'withheld: too few responses' }];
      const { answered, asked, notAsked, unanswered, dontKnow, mean, answers = [] } = counts;
      const states = [
        ['asked', asked],
        ['not asked', notAsked],
        ['not answered', unanswered],
        ...(dontKnow === undefined ? [] : [['do not know', dontKnow] as const]),
      ] as const;
      return [
        { section: 'question', ...facts, count: answered, value: mean },
        ...states.map(([state, count]) => ({ section: 'question', ...facts, text: state, count })),
        ...answers.map((answer) => ({
          ...{ section: 'answer', ...facts, answer: answer.id, text: answer.text },
          ...(isCount<{ count: number }>(answer)
            ? { count: answer.count, share: answered === 0 ? null : answer.count / answered }
            : { note: 'withheld: too few responses' }),
        })),
      ];
    }),
  );
}

export function completionRows({
  distribution: { completionTimes: times },
  range,
}: Pick<Report, 'distribution' | 'range'>): ReportRow[] {
  if (!('bins' in times)) return [];
  const facts = { section: 'completion time', from: range.from, to: range.to };
  const quartiles = times.quartiles;
  const rows: ReportRow[] = [];
  if (times.median !== null)
    rows.push({ ...facts, name: 'median, milliseconds', count: times.count, value: times.median });
  if (quartiles !== null) {
    rows.push({ ...facts, name: 'first quartile, milliseconds', value: quartiles[0] });
    rows.push({ ...facts, name: 'third quartile, milliseconds', value: quartiles[1] });
  }
  return rows;
}
