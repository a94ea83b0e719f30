// A report for the terminal, in lines of at most 80 columns. Styles are said, not written: whoever prints the lines knows whether
// there are colours, and without them nothing is lost.

import type { AnswerCounts, QuestionDistribution } from './distribution.ts';
import {
  breaksIn,
  certainCount,
  isCount,
  isEmpty,
  isShown,
  type Report,
  type ReportPoint,
  type ReportSeries,
} from './report.ts';
import {
  cautions,
  changeOf,
  countText,
  dayCount,
  decimalsOf,
  durationWords,
  hasComparison,
  hasMean,
  meanText,
  numberText,
  percentText,
  pointsText,
  questionCounts,
  reachText,
  type SaidChange,
  saidChange,
} from './report-words.ts';
import { fitText, textWidth, wrapText } from './text-width.ts';
import type { ShownFigures } from './view-source.ts';

export type TextStyle = 'strong' | 'soft' | 'good' | 'bad' | 'mark' | 'accent';

interface StyledText {
  readonly text: string;
  readonly style?: TextStyle;
}

export type StyledLine = readonly StyledText[];

const columns = 80;
const blank: StyledLine = [];

export function reportLines(report: Report): readonly StyledLine[] {
  if (isEmpty(report)) return [...heading(report), blank, plain('There are no responses in these days.')];
  return [
    ...heading(report),
    ...scoreLines(report),
    ...breakLines(report),
    ...driverLines(report),
    ...topicLines(report),
    ...answerLines(report),
    ...commentLines(report),
  ];
}

function plain(text: string): StyledLine {
  return [{ text }];
}

function soft(text: string): StyledText {
  return { text, style: 'soft' };
}

function sectionHead(title: string, note: string): readonly StyledLine[] {
  const words = title.toUpperCase();
  const room = columns - textWidth(words) - 2;
  return [blank, [{ text: words, style: 'strong' }, soft(`  ${fitText(note, room).trimEnd()}`)]];
}

function wrapped(text: string, indent: number, style?: TextStyle): readonly StyledLine[] {
  return wrapText(text, columns - indent).map((line) => [
    { text: ' '.repeat(indent) },
    style === undefined ? { text: line } : { text: line, style },
  ]);
}

function heading(report: Report): readonly StyledLine[] {
  const { source, account, range, compared, distribution } = report;
  const key = `${source.kind} ${source.key}`;
  const name = fitText(source.name, columns - key.length - 2);
  const days = dayCount(range);
  const count = distribution.count + distribution.erased;
  return [
    [{ text: name, style: 'strong' }, soft(`  ${key}`)],
    plain(
      fitText(
        `${account.name}, ${range.from} to ${range.to} (${countText(days)} ${days === 1 ? 'day' : 'days'}, UTC), ${countText(count)} ${count === 1 ? 'response' : 'responses'}`,
        columns,
      ).trimEnd(),
    ),
    ...(compared !== null && hasComparison(report)
      ? [[soft(`compared with ${compared.from} to ${compared.to}`)]]
      : []),
    ...cautions(report).flatMap((caution) => wrapped(caution, 0, 'mark')),
  ];
}

// ---- scores

const changeStyles = { up: 'good', down: 'bad', unclear: undefined, none: undefined } as const;
const arrows = { up: '▲ ', down: '▼ ', unclear: '≈ ', none: '' } as const;

function changeText(change: SaidChange | null, width: number): StyledText {
  if (change === null) return { text: ' '.repeat(width) };
  const text = fitText(`${arrows[change.direction]}${change.words}`, width);
  const style = changeStyles[change.direction];
  return style === undefined ? { text } : { text, style };
}

const nameWidth = 22;
const changeWidth = 17;

function scoreLines(report: Report): readonly StyledLine[] {
  const decimals = decimalsOf(report);
  const isCompared = hasComparison(report);
  const sparkWidth = columns - nameWidth - 6 - 8 - 9 - (isCompared ? changeWidth + 2 : 0) - 2;
  const names = fitText('', nameWidth);
  const head = `${names}${fitText('mean', 6, 'end')}${fitText('± 95 %', 8, 'end')}${fitText('n', 9, 'end')}${isCompared ? `  ${fitText('change', changeWidth)}` : ''}  ${unitWords(report, sparkWidth)}`;
  return [
    ...sectionHead(report.source.kind === 'measure' ? 'Scores' : 'Rating', scaleNote(report)),
    [soft(head)],
    ...report.series.map((series) => {
      const { total } = series;
      const reach = reachText(total, decimals);
      return [
        { text: fitText(series.name, nameWidth) },
        { text: fitText(meanText(total, decimals), 6, 'end'), style: 'strong' as const },
        soft(fitText(reach === '' ? '' : `± ${reach}`, 8, 'end')),
        soft(fitText(isShown(total) ? countText(total.count) : '', 9, 'end')),
        ...(isCompared ? [{ text: '  ' }, changeText(changeOf(series, decimals), changeWidth)] : []),
        { text: '  ' },
        { text: sparkline(series, report, sparkWidth), style: 'accent' as const },
      ];
    }),
    ...report.series
      .filter(({ total }) => !total.comparable)
      .flatMap(({ name, total }) =>
        wrapped(
          `${name} adds up versions ${total.versions.join(' and ')}, which have other questions or weights.`,
          2,
          'mark',
        ),
      ),
    ...extremes(report),
  ];
}

/** How many units each mark of the small lines stands for. */
function unitWords({ series, unit }: Report, width: number): string {
  const atOnce = Math.max(1, ...series.map(({ points }) => unitsAtOnce(newestGroups(points).length, width)));
  return atOnce === 1 ? `by ${unit}` : `by ${atOnce} ${unit}s`;
}

function unitsAtOnce(count: number, width: number): number {
  return Math.max(1, Math.ceil(count / width));
}

function scaleNote({ scale: { min, max }, series }: Report): string {
  const few = series.some(({ points }) =>
    points.some((point) => isShown(point) && point.count < certainCount),
  );
  return `from ${min} to ${max}${few ? '; some points are of fewer than 30 responses' : ''}`;
}

/** Units in which a score was clearly lower than in all that it may be compared with, the deepest first, so that a bad week is named. */
function extremes(report: Report): readonly StyledLine[] {
  const decimals = decimalsOf(report);
  const falls = report.series.flatMap((series) => {
    const points = series.points.flatMap((point) =>
      isShown(point) && point.mean !== null ? [{ ...point, mean: point.mean }] : [],
    );
    const low = points
      .map((point) => ({ ...point, depth: groupMean(points, point.group) - point.mean }))
      .filter(({ mean, interval, depth }) => interval !== null && interval[1] < mean + depth)
      .sort((one, other) => other.depth - one.depth)
      .find(({ count }) => count >= certainCount);
    return low === undefined ? [] : [{ series, low }];
  });
  const deepest = falls.sort((one, other) => other.low.depth - one.low.depth).slice(0, fallsShown);
  return deepest.flatMap(({ series, low }) => {
    const days = low.from === low.to ? `on ${low.from}` : `from ${low.from} to ${low.to}`;
    const figures = `${numberText(low.mean, decimals)} ± ${reachText(low, decimals)}`;
    return wrapped(`${series.name} was lowest ${days}: ${figures}.`, 2, 'soft');
  });
}

const fallsShown = 3;

function groupMean(
  points: readonly { readonly group: number; readonly mean: number; readonly count: number }[],
  group: number,
): number {
  let sum = 0;
  let all = 0;
  for (const point of points) {
    if (point.group !== group) continue;
    sum += point.mean * point.count;
    all += point.count;
  }
  return sum / all;
}

const levels = '▁▂▃▄▅▆▇█';
const gapMark = '·';
const breakMark = '┊';

/** The means of a series, a column each, or of several units where there is no room; a bar where it must not be joined. */
function sparkline(series: ReportSeries, report: Report, width: number): string {
  const marks = breaksIn(report, series).length;
  const points = newestGroups(series.points);
  const cells = squeezed(points, Math.max(1, width - marks));
  const known = cells.flatMap(({ mean }) => mean ?? []);
  if (known.length === 0) return '';
  const [low, high] = [Math.min(...known), Math.max(...known)];
  let text = '';
  let group: number | null = null;
  for (const cell of cells) {
    if (group !== null && cell.group !== group) text += breakMark;
    group = cell.group;
    if (cell.mean === null) text += gapMark;
    else if (high === low) text += levels[3];
    else text += levels[Math.round(((cell.mean - low) / (high - low)) * (levels.length - 1))];
  }
  return text;
}

interface SparkCell {
  readonly mean: number | null;
  readonly group: number;
}

/** One point for each unit: where two versions were asked at once, that of the newer one. */
function newestGroups(points: readonly ReportPoint[]): readonly ReportPoint[] {
  const byUnit = new Map<string, ReportPoint>();
  for (const point of points) byUnit.set(point.from, point);
  return [...byUnit.values()];
}

function squeezed(points: readonly ReportPoint[], width: number): readonly SparkCell[] {
  const atOnce = unitsAtOnce(points.length, width);
  const cells: SparkCell[] = [];
  for (let begin = 0; begin < points.length; begin += atOnce) {
    const some = points.slice(begin, begin + atOnce);
    let sum = 0;
    let count = 0;
    for (const point of some) {
      if (!isShown(point) || point.mean === null) continue;
      sum += point.mean * point.count;
      count += point.count;
    }
    cells.push({ mean: count === 0 ? null : sum / count, group: some.at(-1)!.group });
  }
  return cells;
}

function breakLines({ breaks }: Report): readonly StyledLine[] {
  if (breaks.length === 0) return [];
  return [
    ...sectionHead('Breaks', 'from here on figures must not be joined with those before'),
    ...breaks.flatMap(({ day, version, reason }) => wrapped(`${day}  version ${version}. ${reason}`, 0)),
  ];
}

// ---- drivers and topics

function barText(share: number, width: number): string {
  const eighths = Math.round(Math.max(0, Math.min(1, share)) * width * 8);
  const parts = ' ▏▎▍▌▋▊▉';
  const whole = '█'.repeat(Math.floor(eighths / 8));
  return fitText(`${whole}${eighths % 8 === 0 ? '' : parts[eighths % 8]}`, width);
}

function driverLines({ drivers: found, source }: Report): readonly StyledLine[] {
  if (found === null || found.satisfaction === null || found.drivers.length === 0) return [];
  const decimals = decimalsOf({ source });
  return [
    ...sectionHead(`Along with ${found.satisfaction.name}`, 'correlation: association, not cause'),
    ...found.drivers.map((driver): StyledLine => {
      const { correlation } = driver;
      const name = { text: fitText(driver.name, nameWidth) };
      const mean = soft(fitText(meanText(driver, decimals), 6, 'end'));
      if (!('value' in correlation)) return [name, mean, soft('  withheld')];
      const { value, interval } = correlation;
      if (value === null) return [name, mean, soft('  not known')];
      const bounds =
        interval === null ? '' : `(${numberText(interval[0], 2)} to ${numberText(interval[1], 2)})`;
      return [
        name,
        mean,
        { text: fitText(numberText(value, 2), 8, 'end'), style: 'strong' },
        soft(`  ${fitText(bounds, 17)}`),
        { text: barText(Math.abs(value), 24).trimEnd(), style: value < 0 ? 'bad' : 'accent' },
      ];
    }),
  ];
}

function topicLines({ topics: found, pages }: Report): readonly StyledLine[] {
  if (found === null || found.topics.length === 0) return [];
  const most = Math.max(0.01, ...found.topics.map(({ share }) => share ?? 0));
  const isCompared = found.topics.some(({ change }) => change);
  const barWidth = isCompared ? 12 : 30;
  return [
    ...sectionHead('Topics', `${countText(found.withTopic)} of ${countText(found.count)} entries name one`),
    [
      soft(
        `${fitText('', nameWidth)}${fitText('share', barWidth + 8, 'end')}${isCompared ? `  ${fitText('change, points', changeWidth)}` : ''}${fitText('rating', 9, 'end')}${fitText('n', 8, 'end')}`,
      ),
    ],
    ...found.topics.map((topic): StyledLine => {
      const { text, share, entries, change } = topic;
      const said = change?.share ? saidChange(change.share, pointsText) : null;
      return [
        { text: fitText(text, nameWidth) },
        { text: ` ${barText((share ?? 0) / most, barWidth)}`, style: 'accent' },
        { text: fitText(share === null ? '' : percentText(share), 7, 'end'), style: 'strong' },
        ...(isCompared ? [{ text: '  ' }, changeText(withoutJudgement(said), changeWidth)] : []),
        { text: fitText(ratingText(topic), 9, 'end') },
        soft(fitText(countText(entries), 8, 'end')),
      ];
    }),
    ...(found.withheld === null
      ? []
      : wrapped(
          `${found.withheld.topics} more topics with ${found.withheld.count} entries in all are withheld: too few.`,
          2,
          'soft',
        )),
    ...(pages.length === 0 ? [] : sectionHead('Pages', 'with the lowest ratings')),
    ...pages.map(
      (page): StyledLine => [
        { text: fitText(page.url, columns - 24) },
        { text: fitText(meanText(page, 2), 7, 'end'), style: 'strong' },
        soft(fitText(reachText(page, 2) === '' ? '' : `± ${reachText(page, 2)}`, 9, 'end')),
        soft(fitText(isShown(page) ? countText(page.count) : '', 8, 'end')),
      ],
    ),
  ];
}

function ratingText(figures: ShownFigures): string {
  return isShown(figures) && figures.mean === null ? '' : meanText(figures, 2);
}

/** That a topic grows is neither good nor bad. */
function withoutJudgement(change: SaidChange | null): SaidChange | null {
  if (change === null || change.direction === 'unclear') return change;
  return { ...change, words: `${arrows[change.direction]}${change.words}`, direction: 'none' };
}

// ---- answers

const answerWidth = 30;
/** A longer list ends here, and says how many more there are. */
const answersMax = 12;

function answerLines({ distribution }: Report): readonly StyledLine[] {
  const asked = distribution.questions.filter(({ versions }) => versions.length > 0);
  if (asked.length === 0) return [];
  const measured = asked.filter(({ type }) => type === 'MQ');
  const others = asked.filter(({ type }) => type === 'CQ');
  const times = distribution.completionTimes;
  return [
    ...(measured.length === 0
      ? []
      : [
          ...sectionHead('Measured questions', 'mean, and how often each number was given'),
          ...measured.flatMap(measuredLines),
        ]),
    ...others.flatMap(customLines),
    ...(isCount<{ count: number; median: number | null; quartiles: readonly [number, number] | null }>(
      times,
    ) &&
    times.median !== null &&
    times.quartiles !== null
      ? [
          ...sectionHead('Time taken', ''),
          plain(
            `Half of ${countText(times.count)} people took ${durationWords(times.quartiles[0])} to ${durationWords(times.quartiles[1])}, with ${durationWords(times.median)} in the middle.`,
          ),
        ]
      : []),
  ];
}

function nameOf({ phrase, name }: QuestionDistribution): string {
  return phrase === '' ? name : phrase;
}

const nameRoom = 40;

function measuredLines(question: QuestionDistribution): readonly StyledLine[] {
  const isOnly = question.versions.length === 1;
  return question.versions.map((counts): StyledLine => {
    const name = fitText(`${nameOf(question)}${isOnly ? '' : `, version ${counts.version}`}`, nameRoom);
    if (!isCount<AnswerCounts & { version: number }>(counts)) return [{ text: name }, soft('  withheld')];
    const steps = (counts.answers ?? []).filter(({ value }) => typeof value === 'number');
    const numbers = steps.map((answer) => (isCount<{ count: number }>(answer) ? answer.count : 0));
    const most = Math.max(1, ...numbers);
    const histogram = numbers
      .map((count) => (count === 0 ? ' ' : levels[Math.round((count / most) * 7)]))
      .join('');
    const [first, last] = [steps[0]?.value, steps.at(-1)?.value];
    const room = columns - nameRoom - 7 - 11 - 4 - textWidth(`${first}${last}`);
    return [
      { text: name },
      {
        text: fitText(counts.mean === null ? 'none' : numberText(counts.mean, 1), 7, 'end'),
        style: 'strong',
      },
      soft(fitText(`n ${countText(counts.answered)}`, 11, 'end')),
      soft(`  ${first} `),
      // A scale may have a thousand steps.
      { text: histogram.length <= room ? histogram : '', style: 'accent' },
      soft(` ${last}`),
    ];
  });
}

function customLines(question: QuestionDistribution): readonly StyledLine[] {
  const isOnly = question.versions.length === 1;
  return question.versions.flatMap((counts): readonly StyledLine[] => {
    const version = isOnly ? '' : `version ${counts.version}, `;
    if (!isCount<AnswerCounts & { version: number }>(counts))
      return questionHead(nameOf(question), `${version}withheld: too few responses`);
    const { answers = [], answered, mean } = counts;
    const average = mean === null || !hasMean(question) ? '' : `mean ${numberText(mean, 2)}, `;
    const most = Math.max(
      1,
      ...answers.map((answer) => (isCount<{ count: number }>(answer) ? answer.count : 0)),
    );
    const rows = answers.slice(0, answersMax).map((answer): StyledLine => {
      const name = { text: `  ${fitText(answer.text, answerWidth)}` };
      if (!isCount<{ count: number }>(answer)) return [name, soft('  withheld')];
      return [
        name,
        { text: ` ${barText(answer.count / most, 28)}`, style: 'accent' },
        { text: fitText(countText(answer.count), 10, 'end') },
        soft(fitText(answered === 0 ? '' : percentText(answer.count / answered), 8, 'end')),
      ];
    });
    const rest = answers.length - rows.length;
    return [
      ...questionHead(nameOf(question), `${version}${average}${questionCounts(counts)}`),
      ...rows,
      ...(rest > 0 ? [[soft(`  and ${countText(rest)} more answers`)]] : []),
    ];
  });
}

function questionHead(name: string, note: string): readonly StyledLine[] {
  return [
    blank,
    ...wrapText(name, columns).map((text): StyledLine => [{ text, style: 'strong' }]),
    ...wrapped(note, 2, 'soft'),
  ];
}

// ---- comments

function commentLines(report: Report): readonly StyledLine[] {
  const { comments, source } = report;
  if (comments.length === 0) return [];
  return [
    ...sectionHead('Comments', `the newest ${comments.length}`),
    ...comments.flatMap(({ text, responseTime, score, topic, question }) => {
      const facts = [
        responseTime.slice(0, 10),
        topic ?? question,
        score === null ? '' : numberText(score, source.kind === 'measure' ? 1 : 0),
      ].filter((fact) => fact !== '');
      return [[soft(fitText(facts.join(', '), columns).trimEnd())], ...wrapped(text, 2)];
    }),
  ];
}
