// A report as one page that needs nothing else: no script, no request, and a policy that allows none (D-512). Everything that a
// catalogue or a person wrote passes through `escaped`; comments keep their own direction of writing.

import { escaped } from '../pages/html.ts';
import { breaksIn, isEmpty, isShown, type Report, type ReportComment, type ReportSeries } from './report.ts';
import { axisOf, bar, type LineChart, lineChart, type Size, whisker } from './report-chart.ts';
import { answersSection } from './report-html-answers.ts';
import { reportStyle } from './report-style.ts';
import {
  cautions,
  changeOf,
  countText,
  dayCount,
  daysWords,
  dayWords,
  decimalsOf,
  hasComparison,
  meanText,
  numberText,
  percentText,
  pointsText,
  reachText,
  type SaidChange,
  saidChange,
  trendSentence,
} from './report-words.ts';
import type { Interval } from './statistics.ts';

/** `styleHash` is the SHA-256 of the style in base64. */
export function reportPage(report: Report, styleHash: string): string {
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'`;
  const { source, range } = report;
  const title = `${source.name}, ${daysWords(range)}`;
  const parts = isEmpty(report)
    ? ['<p class="lead">There are no responses in these days.</p>']
    : [
        headline(report),
        scores(report),
        driversSection(report),
        topicsSection(report),
        answersSection(report),
        commentsSection(report),
      ];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<style>${reportStyle}</style>
</head>
<body>
<main>
${[header(report), ...parts].filter((part) => part !== '').join('\n')}
</main>
${footer(report)}
</body>
</html>
`;
}

function bdi(text: string): string {
  return `<bdi>${escaped(text)}</bdi>`;
}

function header(report: Report): string {
  const { account, source, range, compared, distribution } = report;
  const count = distribution.count + distribution.erased;
  const facts = [
    `${daysWords(range)}, ${countText(dayCount(range))} ${dayCount(range) === 1 ? 'day' : 'days'}`,
    count === 0 ? '' : `${countText(count)} ${count === 1 ? 'response' : 'responses'}`,
    compared === null || !hasComparison(report) ? '' : `compared with ${daysWords(compared)}`,
  ].filter((fact) => fact !== '');
  const kind = source.kind === 'measure' ? 'Measure' : 'Project';
  return [
    '<header>',
    `<p class="kind">${bdi(account.name)} · ${kind} ${source.key}</p>`,
    `<h1>${bdi(source.name)}</h1>`,
    `<p class="lead">${facts.join(' · ')}</p>`,
    ...cautions(report).map((caution) => `<p class="caution">${escaped(caution)}</p>`),
    '</header>',
  ].join('\n');
}

// ---- scores

const arrows = { up: '▲', down: '▼', unclear: '≈', none: '' } as const;

function changeHtml(change: SaidChange): string {
  const arrow = arrows[change.direction];
  const mark = arrow === '' ? '' : `<span aria-hidden="true">${arrow}</span> `;
  return `<span class="change ${change.direction}">${mark}${escaped(change.words)}</span>`;
}

/** The score that stands for the whole: satisfaction, or the rating. */
function leading({ series, drivers }: Report): ReportSeries | undefined {
  return series.find(({ id }) => id === drivers?.satisfaction?.id) ?? series[0];
}

const heroSize: Size = { width: 880, height: 250 };
const tileSize: Size = { width: 340, height: 172 };

function headline(report: Report): string {
  const series = leading(report);
  if (series === undefined) return '';
  const decimals = decimalsOf(report);
  const { total } = series;
  const reach = reachText(total, decimals);
  const change = hasComparison(report) ? changeOf(series, decimals) : null;
  const facts = [
    reach === '' || !isShown(total) || total.interval === null
      ? ''
      : fact('95 % interval', total.interval.map((bound) => numberText(bound, decimals)).join(' to ')),
    isShown(total) ? fact('n', countText(total.count)) : '',
    change === null ? '' : fact('Change', changeHtml(change)),
    change === null || change.interval === ''
      ? ''
      : fact('95 % interval of the change', escaped(change.interval)),
  ].join('');
  return `<div class="hero">
<p class="score">${meanText(total, decimals)}<small>${bdi(series.name)}${reach === '' ? '' : ` ± ${reach}`}</small></p>
<dl>${facts}</dl>
</div>
${seriesFigure(series, report, true)}
${key(report)}
${breakList(report)}`;
}

function fact(name: string, html: string): string {
  return `<div><dt>${name}</dt><dd>${html}</dd></div>`;
}

function scores(report: Report): string {
  const { series } = report;
  const others = series.filter((one) => one !== leading(report));
  if (others.length === 0) return '';
  return [
    '<section aria-labelledby="scores"><h2 id="scores">Scores</h2>',
    '<p class="soft small">From 0 to 100. Versions with other questions or weights are never joined by a line.</p>',
    glanceTable(report),
    `<div class="tiles">${others.map((one) => seriesTile(one, report)).join('')}</div>`,
    '</section>',
  ].join('\n');
}

function breakList({ breaks }: Report): string {
  if (breaks.length === 0) return '';
  const items = breaks.map(
    ({ day, version, reason }) =>
      `<li><strong>${dayWords(day)}: version ${version}</strong>, and lines begin anew. ${bdi(reason)}</li>`,
  );
  return `<ul class="breaks">${items.join('')}</ul>`;
}

function glanceTable(report: Report): string {
  const { series } = report;
  if (series.length < 2) return '';
  const decimals = decimalsOf(report);
  const isCompared = hasComparison(report);
  const rows = series.map((one) => {
    const { total } = one;
    const reach = reachText(total, decimals);
    const change = isCompared ? changeOf(one, decimals) : null;
    const n = isShown(total) ? countText(total.count) : '';
    const versions = total.comparable
      ? ''
      : `<small>versions ${total.versions.join(' and ')} together</small>`;
    return [
      `<tr><th scope="row">${bdi(one.name)}${versions}</th>`,
      `<td class="number">${meanText(total, decimals)}${reach === '' ? '' : ` <span class="soft">± ${reach}</span>`}</td>`,
      change === null ? '' : `<td class="said">${changeHtml(change)}</td>`,
      change === null ? '' : `<td class="soft number roomy">${escaped(change.interval)}</td>`,
      `<td class="soft number roomy">${n}</td></tr>`,
    ].join('');
  });
  const changeHeads =
    '<th scope="col" class="said">Change</th><th scope="col" class="number roomy">95 % interval</th>';
  return `<table class="glance"><thead><tr><th scope="col">Score</th><th scope="col" class="number">Mean</th>${isCompared ? changeHeads : ''}<th scope="col" class="number roomy">n</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function seriesTile(series: ReportSeries, report: Report): string {
  const decimals = decimalsOf(report);
  const reach = reachText(series.total, decimals);
  return `<div class="tile"><div class="tile-head"><h3>${bdi(series.name)}</h3><p class="number">${meanText(series.total, decimals)}${reach === '' ? '' : ` <small>± ${reach}</small>`}</p></div>${seriesFigure(series, report, false)}</div>`;
}

function seriesFigure(series: ReportSeries, report: Report, isLarge: boolean): string {
  const { range, unit } = report;
  const decimals = decimalsOf(report);
  const sentence = trendSentence(series, report);
  const breaks = breaksIn(report, series);
  const marks = breaks.map(({ day, version }) => `Version ${version} from ${dayWords(day)} on.`).join(' ');
  const chart: Omit<LineChart, 'size'> = {
    ...{ points: series.points, breaks, range, decimals },
    axis: sharedAxis(report),
    before: beforeOf(series),
    label: `${series.name} by ${unit}, ${daysWords(range)}. ${sentence} ${marks}`.trim(),
  };
  const drawn = isLarge
    ? `<div class="wide-only">${lineChart({ ...chart, size: heroSize })}</div><div class="narrow-only">${lineChart({ ...chart, size: tileSize })}</div>`
    : lineChart({ ...chart, size: tileSize });
  return `<figure>${drawn}<figcaption class="small soft">${escaped(sentence)}</figcaption>${pointsTable(series, report)}</figure>`;
}

/** The same for all, so that charts beside one another can be compared. */
function sharedAxis({ series, scale }: Report): Interval {
  return axisOf(
    series.flatMap(({ points }) => points),
    scale,
  );
}

/** Only where both ranges mean the same. */
function beforeOf({ compared, difference }: ReportSeries): number | null {
  if (compared === undefined || compared === null || !isShown(compared)) return null;
  return difference?.comparable === true ? compared.mean : null;
}

/** A page with thousands of rows would help nobody; the table has them all as csv. */
const rowsMax = 400;

function pointsTable({ name, points }: ReportSeries, report: Report): string {
  const { unit } = report;
  const decimals = decimalsOf(report);
  const rows = points.slice(-rowsMax).map((point) => {
    const days = `<th scope="row">${daysWords(point)}</th>`;
    const version = `<td class="number">${point.versions.join(', ')}</td>`;
    if (!isShown(point)) return `<tr>${days}<td colspan="3">withheld: too few responses</td>${version}</tr>`;
    const interval = point.interval?.map((bound) => numberText(bound, decimals)).join(' to ') ?? 'none';
    return `<tr>${days}<td class="number">${meanText(point, decimals)}</td><td class="number">${interval}</td><td class="number">${countText(point.count)}</td>${version}</tr>`;
  });
  const rest = points.length - rows.length;
  const more = rest > 0 ? `, the last ${countText(rows.length)} of ${countText(points.length)}` : '';
  return `<details><summary>Figures by ${unit}</summary><div class="wide" role="region" tabindex="0" aria-label="${escaped(`Figures of ${name}`)}"><table><caption>${bdi(name)} by ${unit}${more}</caption><thead><tr><th scope="col">Days</th><th scope="col" class="number">Mean</th><th scope="col" class="number">95 % interval</th><th scope="col" class="number">n</th><th scope="col" class="number">Version</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`;
}

function key(report: Report): string {
  const { breaks, compared, unit } = report;
  const entries = [
    ['<path class="line" d="M0 6H24"/><circle class="dot" cx="12" cy="6" r="3.2"/>', `mean of a ${unit}`],
    ['<path class="band" d="M0 0H24V12H0Z"/>', '95 % interval'],
    ['<circle class="dot few" cx="12" cy="6" r="3.2"/>', 'fewer than 30 responses'],
    ...(breaks.length === 0
      ? []
      : [['<path class="break" d="M12 -2V14"/>', 'other questions or weights from here on']]),
    ...(compared === null || !hasComparison(report)
      ? []
      : [['<path class="before" d="M0 6H24"/>', 'mean of the days before']]),
  ];
  const items = entries.map(
    ([mark, words]) =>
      `<li><svg viewBox="0 0 24 12" aria-hidden="true" focusable="false">${mark}</svg>${words}</li>`,
  );
  return `<ul class="key">${items.join('')}</ul>`;
}

// ---- drivers

function driversSection(report: Report): string {
  const { drivers: found } = report;
  if (found === null || found.satisfaction === null || found.drivers.length === 0) return '';
  const { satisfaction, drivers } = found;
  const decimals = decimalsOf(report);
  const isAnyBelow = drivers.some(
    ({ correlation }) =>
      'value' in correlation && ((correlation.value ?? 0) < 0 || (correlation.interval?.[0] ?? 0) < 0),
  );
  const axis: Interval = isAnyBelow ? [-1, 1] : [0, 1];
  const rows = drivers.map((driver) => {
    const { correlation } = driver;
    const name = `<th scope="row">${bdi(driver.name)}</th><td class="number roomy">${meanText(driver, decimals)}</td>`;
    if (!('value' in correlation))
      return `<tr>${name}<td></td><td class="number">withheld</td><td class="roomy"></td><td class="roomy"></td></tr>`;
    const { value, interval, count } = correlation;
    if (value === null)
      return `<tr>${name}<td></td><td class="number">not known</td><td class="roomy"></td><td class="roomy"></td></tr>`;
    const bounds = interval === null ? '' : interval.map((bound) => numberText(bound, 2)).join(' to ');
    return `<tr>${name}<td class="bars said">${whisker(value, interval ?? [value, value], axis)}</td><td class="number">${numberText(value, 2)}</td><td class="soft number roomy">${bounds}</td><td class="soft number roomy">${countText(count)}</td></tr>`;
  });
  return `<section aria-labelledby="drivers"><h2 id="drivers">What goes along with ${bdi(satisfaction.name)}</h2>
<p class="soft small">How closely each score moves together with it, from ${axis[0] === 0 ? '0, not at all, to 1' : '−1 over 0, not at all, to 1'}. Association, not cause.</p>
<table class="glance"><thead><tr><th scope="col">Score</th><th scope="col" class="number roomy">Mean</th><th scope="col" class="said">Association</th><th scope="col" class="number">Correlation</th><th scope="col" class="number roomy">95 % interval</th><th scope="col" class="number roomy">n</th></tr></thead><tbody>${rows.join('')}</tbody></table></section>`;
}

// ---- topics and pages

function topicsSection(report: Report): string {
  const { topics: found, pages } = report;
  if (found === null || found.topics.length === 0) return '';
  const isCompared = found.topics.some(({ change }) => change !== undefined);
  const rows = found.topics.map((topic) => {
    const { text, entries, share, change } = topic;
    const said = change === undefined ? null : change?.share ? saidChange(change.share, pointsText) : null;
    const rating = isShown(topic) && topic.mean !== null ? meanText(topic, 2) : '';
    const reach = reachText(topic, 2);
    return `<tr><th scope="row">${bdi(text)}<small>${countText(entries)} ${entries === 1 ? 'entry' : 'entries'}</small></th><td class="bars">${bar(share ?? 0)}</td><td class="number">${share === null ? '' : percentText(share)}</td>${
      isCompared
        ? `<td class="said">${said === null ? '' : `${withoutJudgement(said)}<small class="roomy">${escaped(said.interval)}</small>`}</td>`
        : ''
    }<td class="number">${rating}${reach === '' ? '' : `<small>± ${reach}</small>`}</td></tr>`;
  });
  const withheld =
    found.withheld === null
      ? ''
      : `<p class="soft small">${found.withheld.topics} more topics with ${found.withheld.count} entries in all are withheld: too few.</p>`;
  return `<section aria-labelledby="topics"><h2 id="topics">Topics</h2>
<p class="soft small">${countText(found.withTopic)} of ${countText(found.count)} entries name one.</p>
<table class="glance"><thead><tr><th scope="col">Topic</th><th scope="col">Share</th><th scope="col" class="number"><span class="unseen">Share of entries that name one</span></th>${isCompared ? '<th scope="col" class="said">Change in points</th>' : ''}<th scope="col" class="number">Rating</th></tr></thead><tbody>${rows.join('')}</tbody></table>${withheld}
${pagesTable(pages)}</section>`;
}

/** That a topic grows is neither good nor bad. */
function withoutJudgement(change: SaidChange): string {
  return changeHtml(change).replace(`class="change ${change.direction}"`, 'class="change"');
}

function pagesTable(pages: Report['pages']): string {
  if (pages.length === 0) return '';
  const rows = pages.map((page) => {
    const reach = reachText(page, 2);
    const n = isShown(page) ? countText(page.count) : '';
    return `<tr><th scope="row">${bdi(page.url)}</th><td class="number">${meanText(page, 2)}${reach === '' ? '' : ` <span class="soft">± ${reach}</span>`}</td><td class="soft number">${n}</td></tr>`;
  });
  return `<h3 class="latent">Pages with the lowest ratings</h3><table class="glance"><thead><tr><th scope="col">Page</th><th scope="col" class="number">Rating</th><th scope="col" class="number">n</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

// ---- comments

function commentsSection(report: Report): string {
  const { comments } = report;
  if (comments.length === 0) return '';
  const items = comments.map((comment) => commentItem(comment, report));
  return `<section aria-labelledby="comments"><h2 id="comments">Comments</h2>
<p class="soft small">The newest ${countText(comments.length)}, as they were written.</p>
<ul class="comments">${items.join('')}</ul></section>`;
}

function commentItem({ text, responseTime, question, score, topic }: ReportComment, report: Report): string {
  const name = leading(report)?.name ?? 'Score';
  const facts = [
    dayWords(responseTime.slice(0, 10)),
    bdi(topic ?? question),
    score === null ? '' : `${bdi(name)} ${numberText(score, report.source.kind === 'measure' ? 1 : 0)}`,
  ].filter((fact) => fact !== '');
  return `<li><blockquote dir="auto">${escaped(text)}</blockquote><p>${facts.join(' · ')}</p></li>`;
}

// ---- how to read it

function footer({ position, madeAt, account, source, unit }: Report): string {
  return `<footer>
<p>Days are UTC, weeks begin on Monday. n is the number of responses behind a figure. The 95 % interval of a mean is by Student’s distribution, that of a change by Welch; a change is “up” or “down” where its interval leaves out zero, otherwise there is no clear change. Points of fewer than 30 responses are hollow. Each ${unit} with other questions or weights has a point for each.</p>
<p>Made by Soundings on ${escaped(madeAt.slice(0, 16).replace('T', ' '))} UTC, account ${account.id}, ${source.kind} ${source.key}, position ${position} of its log.</p>
</footer>`;
}
