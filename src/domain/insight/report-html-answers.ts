// The answers to every question in a report's page: how often each was given, by version.

import { escaped } from '../pages/html.ts';
import type { AnswerCount, AnswerCounts, QuestionDistribution } from './distribution.ts';
import { isCount, type Report } from './report.ts';
import { bar, columnChart } from './report-chart.ts';
import {
  countText,
  durationWords,
  hasMean,
  numberText,
  percentText,
  questionCounts,
} from './report-words.ts';

const columnsSize = { width: 280, height: 110 };
/** A list that is longer is cut, and says so. */
const answersMax = 25;

export function answersSection(report: Report): string {
  const { distribution, series } = report;
  const asked = distribution.questions.filter(({ versions }) => versions.length > 0);
  if (asked.length === 0) return '';
  const named = new Map(series.map(({ id, name }) => [id, name]));
  const measured = asked.filter(({ type }) => type === 'MQ');
  const groups = [...new Set(measured.map(({ latent }) => latent ?? ''))].map((latent) => {
    const tiles = measured.filter((question) => question.latent === latent).map(measuredTile);
    return `<h3 class="latent"><bdi>${escaped(named.get(latent) ?? latent)}</bdi></h3><div class="tiles fine">${tiles.join('')}</div>`;
  });
  // Under the heading of the section where there is no other heading between.
  const heading = groups.length === 0 ? 'h3' : 'h4';
  const others = asked
    .filter(({ type }) => type === 'CQ')
    .map((question) => customQuestion(question, heading));
  return `<section aria-labelledby="answers"><h2 id="answers">Answers</h2>
${groups.join('\n')}
${others.length === 0 ? '' : `${groups.length === 0 ? '' : '<h3 class="latent">Further questions</h3>'}<div class="questions">${others.join('')}</div>`}
${completion(report)}</section>`;
}

function title({ phrase, name }: QuestionDistribution): string {
  return `<bdi>${escaped(phrase === '' ? name : phrase)}</bdi>`;
}

function versionName(version: number, isOnly: boolean): string {
  return isOnly ? '' : `Version ${version}: `;
}

/** A question on a scale: columns from its least to its greatest number. */
function measuredTile(question: QuestionDistribution): string {
  const isOnly = question.versions.length === 1;
  const parts = question.versions.map((counts) => {
    const prefix = versionName(counts.version, isOnly);
    if (!isCount<AnswerCounts & { version: number }>(counts))
      return `<p>${prefix}withheld: too few responses.</p>`;
    const steps = (counts.answers ?? []).filter(({ value }) => typeof value === 'number');
    const mean = counts.mean === null ? '' : `mean ${numberText(counts.mean, 1)}, `;
    const words = `${prefix}${mean}${questionCounts(counts)}`;
    const label = `${question.phrase}: ${words}.`;
    const columns = steps.map((answer) => ({
      name: String(answer.value),
      count: isCount<{ count: number }>(answer) ? answer.count : null,
    }));
    return `<figure>${columnChart(columns, label, columnsSize)}<figcaption class="small soft">${escaped(words)}</figcaption>${answersTable(question, counts)}</figure>`;
  });
  return `<div class="tile"><h4>${title(question)}</h4>${parts.join('')}</div>`;
}

function answersTable(question: QuestionDistribution, { answers = [], answered }: AnswerCounts): string {
  const rows = answers.map(
    (answer) =>
      `<tr><th scope="row"><bdi>${escaped(answer.text)}</bdi></th>${countCells(answer, answered)}</tr>`,
  );
  return `<details><summary>Counts</summary><table><caption>${title(question)}</caption><thead><tr><th scope="col">Answer</th><th scope="col" class="number">Count</th><th scope="col" class="number">Share</th></tr></thead><tbody>${rows.join('')}</tbody></table></details>`;
}

function countCells(answer: AnswerCount, answered: number): string {
  if (!isCount<{ count: number }>(answer)) return '<td class="number" colspan="2">withheld</td>';
  const share = answered === 0 ? '' : percentText(answer.count / answered);
  return `<td class="number">${countText(answer.count)}</td><td class="number">${share}</td>`;
}

function customQuestion(question: QuestionDistribution, heading: 'h3' | 'h4'): string {
  const isOnly = question.versions.length === 1;
  const parts = question.versions.map((counts) => {
    const prefix = versionName(counts.version, isOnly);
    if (!isCount<AnswerCounts & { version: number }>(counts))
      return `<p>${prefix}withheld: too few responses.</p>`;
    const mean = counts.mean === null || !hasMean(question) ? '' : `mean ${numberText(counts.mean, 2)}, `;
    const words = `<p>${prefix}${mean}${questionCounts(counts)}.</p>`;
    const { answers = [], answered } = counts;
    if (answers.length === 0) return words;
    const shown = answers.slice(0, answersMax);
    const rows = shown.map(
      (answer) =>
        `<tr><th scope="row"><bdi>${escaped(answer.text)}</bdi></th><td class="bars">${bar((isCount<{ count: number }>(answer) ? answer.count : 0) / Math.max(1, answered))}</td>${countCells(answer, answered)}</tr>`,
    );
    const rest = answers.length - shown.length;
    const more = rest > 0 ? `<p>${countText(rest)} further answers are in the csv.</p>` : '';
    return `${words}<table><thead><tr><th scope="col">Answer</th><th scope="col"><span class="unseen">Share of answers</span></th><th scope="col" class="number">Count</th><th scope="col" class="number">Share</th></tr></thead><tbody>${rows.join('')}</tbody></table>${more}`;
  });
  return `<div class="question"><${heading}>${title(question)}</${heading}>${parts.join('')}</div>`;
}

function completion({ distribution: { completionTimes: times } }: Report): string {
  if (!isCount<{ count: number; median: number | null; quartiles: readonly [number, number] | null }>(times))
    return '';
  if (times.count === 0 || times.median === null || times.quartiles === null) return '';
  const [low, high] = times.quartiles.map(durationWords);
  return `<h3 class="latent">Time taken</h3><p>Half of ${countText(times.count)} people took between ${low} and ${high}, with ${durationWords(times.median)} in the middle.</p>`;
}
