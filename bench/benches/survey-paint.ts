// How long people wait for the page of a survey: its largest paint against that of a page of one paragraph of the same server,
// with the processor of the browser slowed down four times, as on a small telephone.

import { buildForBrowsers } from '../../test/support/browser-build.ts';
import type { Bench } from '../bench.ts';
import { surveyId } from '../feedback-data.ts';
import { median } from '../figures.ts';
import { paintMs, startBrowser } from '../paint.ts';
import { prepareStore, startOn } from '../processes.ts';
import { publicCatalogue } from './survey-page.ts';

const slowedTimes = 4;
const slow = { slowedTimes, width: 360 };
const viewsARound = 5;

export const surveyPaint: Bench = {
  name: 'survey-paint',
  about: 'the largest paint of /s/{surveyId} against that of a page of one paragraph, on a slow processor',
  // What the browser does is the same on either.
  engines: ['sqlite'],
  async run(engine, { rounds }) {
    buildForBrowsers();
    const service = await startOn(await prepareStore(engine, publicCatalogue()));
    const browser = await startBrowser();
    const base = `http://127.0.0.1:${service.port}`;
    try {
      const ratios: number[] = [];
      const seen = { page: [] as number[], paragraph: [] as number[] };
      // The first views fill the caches of the server.
      await paintMs(browser, `${base}/s/${surveyId}`, slow);
      for (let round = 0; round < rounds; round += 1) {
        const page: number[] = [];
        const paragraph: number[] = [];
        for (let view = 0; view < viewsARound; view += 1) {
          paragraph.push(await paintMs(browser, `${base}/s/nobody-knows-this-name`, slow));
          page.push(await paintMs(browser, `${base}/s/${surveyId}`, slow));
        }
        seen.page.push(...page);
        seen.paragraph.push(...paragraph);
        ratios.push(median(page) / median(paragraph));
      }
      return [
        {
          bench: 'survey-paint',
          engine,
          what: 'largest paint of the page of a survey : of a page of one paragraph',
          ours: `${median(seen.page).toFixed(0)} ms`,
          floor: `${median(seen.paragraph).toFixed(0)} ms`,
          value: median(ratios),
          unit: 'times',
          rounds: ratios,
          goal: { atMost: 2 },
          notes: [
            `Each view in a profile of its own, the processor slowed ${slowedTimes} times; both pages load the same style sheet.`,
          ],
        },
      ];
    } finally {
      await browser.close();
      await service.stop();
    }
  },
};
