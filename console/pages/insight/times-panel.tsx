// How long people took to answer.

import type { JSX } from 'preact';
import { numberText, shareText } from '../../formats.ts';
import type { Answer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import type { CompletionTimes, Distribution } from './figures.ts';
import { type Bar, Bars, Honesty, WithTable } from './parts.tsx';
import { type ViewRequest, viewPaths } from './source-page.tsx';
import { insightTexts } from './texts.ts';

export function TimesPanel({
  request,
  answer,
}: {
  readonly request: ViewRequest;
  readonly answer: Answer<Distribution>;
}): JSX.Element {
  const { t } = insightTexts;
  const { data } = answer;
  return (
    <Panel title={t.times} answer={answer} {...viewPaths(request)}>
      {data !== null && <Times answer={data} />}
    </Panel>
  );
}

function Times({ answer }: { readonly answer: Distribution }): JSX.Element {
  const { t } = insightTexts;
  const { count, median, quartiles, bins } = answer.completionTimes;
  if (count === undefined) return <Honesty answer={answer} isWithheld />;
  if (median == null || quartiles == null) return <p class="empty">{t.timesNone}</p>;
  const bars = doublings(bins ?? []).map(
    ({ fromMs, toMs, count: its }): Bar => ({
      key: String(fromMs),
      text: toMs === null ? `> ${timeText(fromMs)}` : `${timeText(fromMs)} – ${timeText(toMs)}`,
      count: its,
      share: its === null ? null : its / count,
      filter: null,
    }),
  );
  return (
    <>
      <WithTable
        sentence={t.timesSentence(timeText(median), timeText(quartiles[0]), timeText(quartiles[1]))}
        table={() => (
          <DataTable
            caption={t.times}
            rows={bars}
            columns={[
              { title: t.time, isHead: true, cell: ({ text }) => text },
              {
                title: t.share,
                isNumber: true,
                cell: ({ share }) => (share === null ? t.withheld : shareText(share, 1)),
              },
              {
                title: t.responses,
                isNumber: true,
                cell: (bar) => (bar.count === null ? '–' : numberText(bar.count)),
              },
            ]}
          />
        )}
      >
        {bars.some((bar) => bar.count !== null) && <Bars bars={bars} />}
      </WithTable>
      <Honesty answer={answer} isWithheld={bars.some((bar) => bar.count === null)} />
    </>
  );
}

interface Span {
  readonly fromMs: number;
  readonly toMs: number | null;
  readonly count: number | null;
}

/** Four bins make one bar, so that there are some, not dozens. One that is withheld withholds its bar. */
function doublings(bins: NonNullable<CompletionTimes['bins']>): readonly Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < bins.length; at += 4) {
    const some = bins.slice(at, at + 4);
    const counts = some.map((bin) => bin.count ?? null);
    spans.push({
      fromMs: some[0]!.fromMs,
      toMs: some.at(-1)!.toMs,
      count: counts.includes(null) ? null : counts.reduce<number>((sum, one) => sum + (one ?? 0), 0),
    });
  }
  return spans;
}

function timeText(ms: number): string {
  const { t } = insightTexts;
  if (ms < 60_000) return t.seconds(numberText(ms / 1_000, ms < 10_000 ? 1 : 0));
  if (ms < 3_600_000) return t.minutes(numberText(ms / 60_000, ms < 600_000 ? 1 : 0));
  return t.hours(numberText(ms / 3_600_000, 1));
}
