// The answer of one view as a table, with the columns of a report (report-rows.ts).

import type { ShownBreakdown } from './breakdown-view.ts';
import type { Distribution } from './distribution.ts';
import type { Drivers } from './drivers.ts';
import type { ReportDays, ReportPage } from './report.ts';
import {
  answerRows,
  breakRows,
  cellsOf,
  completionRows,
  driverRows,
  figureCells,
  type ReportRow,
  reportColumns,
  seriesRows,
  topicRows,
} from './report-rows.ts';
import type { Topics } from './topics.ts';
import type { Break, LatentTrend, SeriesTrend } from './trend.ts';

export const viewColumns: readonly string[] = reportColumns;
export type ViewTable = readonly (readonly (string | number)[])[];

/** What every answer says of itself. */
interface AnswerOver extends ReportDays {
  readonly complete: boolean;
  readonly covered: ReportDays | null;
  readonly compared?: ReportDays;
}

/** A table that does not go over the whole range says so in its first row. */
function tableOf({ from, to, complete, covered }: AnswerOver, rows: readonly ReportRow[]): ViewTable {
  const words = covered === null ? 'no day' : `${covered.from} to ${covered.to}`;
  const partial = { section: 'partial', from, to, note: `the figures go over ${words}` };
  return cellsOf(complete ? rows : [partial, ...rows]);
}

/** The days that its figures go over. */
function rangeOf({ from, to, covered }: AnswerOver): ReportDays {
  return covered ?? { from, to };
}

type TrendAnswer = AnswerOver & {
  readonly latents?: readonly LatentTrend[];
  readonly rating?: SeriesTrend;
  readonly breaks: readonly Break[];
};

export function trendTable(answer: TrendAnswer): ViewTable {
  const { latents = [], rating } = answer;
  const series = rating === undefined ? latents : [{ id: 'rating', name: 'Rating', ...rating }];
  const days = { range: rangeOf(answer), compared: answer.compared ?? null };
  return tableOf(answer, [...series.flatMap((one) => seriesRows(one, days)), ...breakRows(answer)]);
}

export function distributionTable(answer: AnswerOver & Distribution): ViewTable {
  const report = { distribution: answer, range: rangeOf(answer) };
  return tableOf(answer, [...answerRows(report), ...completionRows(report)]);
}

export function driversTable(answer: AnswerOver & Drivers): ViewTable {
  return tableOf(answer, driverRows({ drivers: answer, range: rangeOf(answer) }));
}

export function topicsTable(
  answer: AnswerOver & Topics & { readonly pages?: readonly ReportPage[] },
): ViewTable {
  const { pages = [] } = answer;
  return tableOf(answer, topicRows({ topics: answer, pages, range: rangeOf(answer) }));
}

export function breakdownTable(answer: AnswerOver & ShownBreakdown & { readonly by: string }): ViewTable {
  const { by, latents = [], groups, other, withheld } = answer;
  const { from, to } = rangeOf(answer);
  const nameOf = new Map(latents.map(({ id, name }) => [id, name]));
  const rows: ReportRow[] = [];
  for (const { count, versions, latents: scores, rating, ...group } of [
    ...groups,
    ...(other ? [other] : []),
  ]) {
    const facts = {
      ...{ from, to, versions: versions.join(' ') },
      ...('value' in group
        ? { answer: group.value, text: group.value === null ? 'none' : (group.label ?? group.value) }
        : { text: 'all others' }),
    };
    rows.push({ section: 'group', id: by, ...facts, count });
    for (const { id, ...figures } of scores ?? [])
      rows.push({
        section: 'group score',
        id,
        name: nameOf.get(id) ?? id,
        ...facts,
        ...figureCells(figures),
      });
    if (rating !== undefined)
      rows.push({ section: 'group rating', id: 'rating', ...facts, ...figureCells(rating) });
  }
  if (withheld !== null)
    rows.push({
      section: 'withheld',
      id: by,
      from,
      to,
      count: withheld.count,
      note: 'groups of too few responses',
    });
  return tableOf(answer, rows);
}
