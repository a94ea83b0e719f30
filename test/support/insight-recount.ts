// The figures of a source from the rows of its log alone, as if nothing had ever been added up ahead.

import sql from 'sql-template-tag';
import { DayFold } from '../../src/domain/insight/day-figures.ts';
import { packFigures } from '../../src/domain/insight/figures.ts';
import type { Db } from '../../src/store/engine/db.ts';
import { type PreparedSource, Sources } from '../../src/store/feedback/sources.ts';
import type { FiguresAtEnd, FiguresReader } from '../../src/store/insight/figures-reader.ts';
import { selectVersions, surveysOf } from '../../src/store/insight/versions.ts';

export const everyDay = { firstDay: 0, lastDay: 1_000_000 };

/** One line for each day and version: day, version, figures. */
export async function recountedFigures(
  db: Db,
  source: { readonly accountId: number; readonly sourceId: number },
  { firstDay, lastDay } = everyDay,
): Promise<readonly string[]> {
  const fold = new DayFold(surveysOf(await db.read(selectVersions(source))));
  const rows = await db.read<{ day: number; number: number; text: string }>(sql`
    select day, survey_no as number, row_values as text
    from response
    where account_id = ${source.accountId} and source_id = ${source.sourceId}
    order by seq`);
  for (const { day, number, text } of rows)
    if (day >= firstDay && day <= lastDay) fold.add(day, number, text);
  return linesOf(fold.days());
}

export function linesOf(days: FiguresAtEnd['days']): readonly string[] {
  return days.map(({ day, surveyNumber, figures }) => `${day} ${surveyNumber} ${packFigures(figures)}`);
}

const endless = { leftMs: 1e9, pause: async () => {} };

/** What the reader says, waiting for as long as it takes. */
export async function readLines(
  reader: FiguresReader,
  ready: PreparedSource,
  range = everyDay,
): Promise<readonly string[]> {
  const outcome = await reader.read(ready, range, endless);
  if ('reached' in outcome) throw new Error('The time was not enough.');
  return linesOf(outcome.figures.days);
}

/** The sources of a store as a service remembers them. */
export function sourcesOf(db: Db): Sources {
  return new Sources({
    db,
    elapsedMs: () => performance.now(),
    config: { definitionsMemoryBytes: 64 * 1024 * 1024 },
  });
}
