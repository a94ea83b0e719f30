// The page of a survey in each of its states, light and dark and in forced colours; each state with each look, and each look
// with each language. All of them with all stand in test/long.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { surveyLanguages } from '../../src/domain/feedback/definition.ts';
import { overflow } from '../support/console-browser.ts';
import { sqlite } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { checkLooks, looks, looksCatalogue, states } from '../support/survey-looks.ts';

const combinations = surveyLanguages.flatMap((language, index) =>
  looks.map((look, place) => ({ state: states[(index + place * 2) % states.length]!, look, language })),
);

describe('how the page of a survey looks', () => {
  let service: FeedbackService;
  let browser: Browser;

  before(async () => {
    service = await startFeedback(sqlite, { catalogue: looksCatalogue });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  it('every pair of state and look, and of look and language, is met', () => {
    const met = new Set<string>();
    for (const { state, look, language } of combinations)
      for (const pair of [`${state.name} ${look.name}`, `${look.name} ${language}`]) met.add(pair);
    assert.equal(met.size, states.length * looks.length + looks.length * surveyLanguages.length);
  });

  for (const look of looks)
    it(`it is accessible, not wider than 320 px and asks nobody else: ${look.name}`, () =>
      checkLooks(
        browser,
        service.baseUrl,
        look,
        combinations.filter((one) => one.look === look),
      ));

  it('at four times its size the page is read without moving sideways', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1024 } });
    await page.goto(`${service.baseUrl}/s/open`);
    await page.evaluate("document.documentElement.style.fontSize = '400%'");
    await page.setViewportSize({ width: 1280, height: 1024 });
    assert.deepEqual(await overflow(page), []);
    await page.close();
  });

  it('on paper the questions of every step stand, and no button does', async () => {
    const page = await browser.newPage();
    await page.goto(`${service.baseUrl}/s/open`);
    await page.emulateMedia({ media: 'print' });
    for (const id of ['S1', 'TEXT'])
      assert.ok(await page.locator(`[data-question="${id}"]`).isVisible(), `${id} is printed`);
    assert.equal(await page.locator('button:visible').count(), 0);
    await page.close();
  });
});
