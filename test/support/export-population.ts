// Thousands of responses for tests of exports: every kind of answer and parameter, days that are not in the order of
// arrival, three versions, erased ones among them.

import assert from 'node:assert/strict';
import { acme, bolt } from './feedback-catalogue.ts';
import type { FeedbackService } from './feedback-service.ts';
import { seeded } from './seeded.ts';

export const measureRows = 2_600;
export const projectRows = 300;
const atOnce = 64;
/** Long enough that a file of all rows does not fit into what two ends of a connection hold. */
const note = 'A note of some length, with a comma, and "quotes". '.repeat(60);

const texts = ['plain', 'a;b', '=1+1', '"quoted", with comma', 'two\nlines', '漢字 😀 ß', '  blank ends '];

export interface Population {
  readonly token: string;
  /** Of the other account, which has a measure of its own. */
  readonly otherToken: string;
  readonly erased: readonly string[];
}

export async function populate(service: FeedbackService): Promise<Population> {
  const chance = seeded(7);
  const token = await service.token(acme);
  const otherToken = await service.token(bolt);
  const bodies = Array.from({ length: measureRows }, (_, index) => measureBody(index));
  await inTurn(bodies, (body) => service.post(body, token));
  const entries = Array.from({ length: projectRows }, (_, index) => entryBody(index));
  await inTurn(entries, (body) => service.post(body, token));
  const current = bodies.filter(({ surveyDefinitionId }) => surveyDefinitionId === 'acme-web');
  const tiers = current
    .filter((_, index) => index % 40 === 0)
    .map(({ responseId }, index) => [responseId, { loyalty_tier: texts[index % texts.length]! }]);
  await service.addExternal(acme, Object.fromEntries(tiers));
  const erased = ['m-5', 'm-300', 'm-1999', 'p-7'];
  for (const responseId of erased) await service.erase(acme, responseId);
  return { token, otherToken, erased };

  function measureBody(index: number) {
    const isOlder = chance.percent(30);
    const isLost = !isOlder && chance.percent(20);
    const day = 1 + chance.below(28);
    return {
      surveyDefinitionId: isOlder ? 'acme-web-older' : 'acme-web',
      responseId: `m-${index}`,
      submissionTimestamp: `2025-05-${String(day).padStart(2, '0')}T0${chance.below(10)}:00:00.${100 + chance.below(900)}Z`,
      ...(chance.percent(50) ? { locale: 'de-AT', url: 'https://shop.example/?a=1,2' } : {}),
      ...(chance.percent(20) ? { completionTimeInMs: chance.below(90_000) } : {}),
      responses: {
        'Q-SAT-1': [String(1 + chance.below(10))],
        'Q-FOUND': [isLost ? 'A-NO' : 'A-YES'],
        ...(isLost ? { 'Q-WHY': [chance.pick(texts)] } : {}),
        ...(isOlder ? { 'Q-PRICE': [String(1 + chance.below(10))] } : currentAnswers()),
      },
      cpps: {
        ...(chance.percent(30) ? { metrics: { cart_value: chance.below(1000) / 4 } } : {}),
        ...(chance.percent(30) ? { properties: { visited: chance.some(texts, 3) } } : {}),
        data: { note, ...(chance.percent(20) ? { campaign: chance.pick(texts) } : {}) },
      },
    };
  }

  function currentAnswers(): object {
    return {
      'Q-LOOK-1': [chance.percent(20) ? 'Q-LOOK-1-DK' : String(1 + chance.below(5))],
      ...(chance.percent(50) ? { 'Q-WHERE': ['W-MENU', ...chance.some(['s', 'W-HELP'], 2)] } : {}),
      ...(chance.percent(50) ? { 'Q-NPS': [String(chance.below(11))] } : {}),
    };
  }

  function entryBody(index: number) {
    return {
      surveyDefinitionId: 'acme-badge',
      responseId: `p-${index}`,
      submissionTimestamp: `2025-05-${String(1 + chance.below(28)).padStart(2, '0')}T12:00:00Z`,
      ...(chance.percent(50) ? { url: 'https://shop.example/', locale: 'fr' } : {}),
      responses: {
        ...(chance.percent(90) ? { 'Q-STARS': [String(1 + chance.below(5))] } : {}),
        ...(chance.percent(60) ? { 'Q-TOPIC': [chance.pick(['T-TECH', 'T-OTHER'])] } : {}),
        ...(chance.percent(60) ? { 'Q-WORDS': [chance.pick(texts)] } : {}),
      },
      cpps: {
        data: chance.percent(30) ? { campaign: chance.pick(texts), url: 'https://other.example/' } : {},
      },
    };
  }
}

async function inTurn(
  bodies: readonly object[],
  post: (body: object) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<void> {
  // One after the other in the order of arrival would take ten times as long; the order within a few does not matter.
  for (let first = 0; first < bodies.length; first += atOnce)
    for (const { status, text } of await Promise.all(bodies.slice(first, first + atOnce).map(post)))
      assert.equal(status, 200, text);
}
