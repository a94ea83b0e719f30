// The page of a survey in every state, look and language together.

import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { surveyLanguages } from '../../../src/domain/feedback/definition.ts';
import { sqlite } from '../../support/engines.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { launchBrowser } from '../../support/launch-browser.ts';
import { checkLooks, looks, looksCatalogue, states } from '../../support/survey-looks.ts';

describe('how the page of a survey looks, all of it', () => {
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

  for (const look of looks)
    it(`in each state and language: ${look.name}`, () =>
      checkLooks(
        browser,
        service.baseUrl,
        look,
        states.flatMap((state) => surveyLanguages.map((language) => ({ state, look, language }))),
      ));
});
