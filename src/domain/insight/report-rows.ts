// A report as a table: a row for each figure, all with the same columns, so that a spreadsheet or a script can pick what it needs.

import type { AnswerCounts } from './distribution.ts';
import { isCount, isShown, type Report, type ReportSeries } from './report.ts';
import type { Difference } from './statistics.ts';
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

type Column = (typeof reportColumns)[number];
type Row = Partial<Readonly<Record<Column, string | number | null>>>;

/** Cells in the order of the columns. Numbers are not rounded. */
export function reportRows(report: Report): readonly (readonly (string | number)[])[] {
  return rowsOf(report).map((row) => reportColumns.map((column) => row[column] ?? ''));
}

function rowsOf(report: Report): readonly Row[] {
  return [
    ...report.series.flatMap((series) => seriesRows(series, report)),
    ...report.breaks.map(({ day, version, latents, reason }) => ({
      ...{ section: 'break', id: latents.join(' '), from: day, versions: String(version), note: reason },
    })),
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

function figureCells(figures: ShownFigures): Row {
  if (!isShown(figures)) return { note: 'withheld: too few responses' };
  const { count, mean, deviation, interval } = figures;
  return { count, value: mean, deviation, low: interval?.[0] ?? null, high: interval?.[1] ?? null };
}

function differenceCells({ value, interval: [low, high], change }: Difference): Row {
  return { value, low, high, change };
}

function seriesRows({ id, name, points, total, compared, difference }: ReportSeries, report: Report): Row[] {
  const { range, compared: before } = report;
  const rows: Row[] = points.map((point) => ({
    ...{ section: 'trend', id, name, from: point.from, to: point.to, versions: point.versions.join(' ') },
    ...figureCells(point),
  }));
  const totalRow = (section: string, days: Report['range'], figures: typeof total): Row => ({
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

function driverRows({ drivers: found, range }: Report): Row[] {
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

function topicRows({ topics: found, pages, range }: Report): Row[] {
  const days = { from: range.from, to: range.to };
  const rows = (found?.topics ?? []).flatMap((topic): Row[] => {
    const { question, id, text, entries, share, change } = topic;
    const facts = { id: question, answer: id, text, ...days };
    const { count: rated, ...figures } = figureCells(topic);
    const rows: Row[] = [
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

function answerRows({ distribution, range }: Report): Row[] {
  return distribution.questions.flatMap(({ id, name, phrase, versions }) =>
    versions.flatMap((counts): Row[] => {
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

function completionRows({ distribution: { completionTimes: times }, range }: Report): Row[] {
  if (!('bins' in times)) return [];
  const facts = { section: 'completion time', from: range.from, to: range.to };
  const quartiles = times.quartiles;
  const rows: Row[] = [];
  if (times.median !== null)
    rows.push({ ...facts, name: 'median, milliseconds', count: times.count, value: times.median });
  if (quartiles !== null) {
    rows.push({ ...facts, name: 'first quartile, milliseconds', value: quartiles[0] });
    rows.push({ ...facts, name: 'third quartile, milliseconds', value: quartiles[1] });
  }
  return rows;
}
