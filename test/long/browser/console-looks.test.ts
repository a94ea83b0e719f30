// Every page of the console in both themes, at three widths, in three languages.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { saidBy, untranslated } from '../../support/console-languages.ts';
import { type LooksPlace, languages, openLooks, themes, widths } from '../../support/console-looks.ts';
import { launchBrowser } from '../../support/launch-browser.ts';

describe('how the pages of the console look, all of it', () => {
  let browser: Browser;
  let place: LooksPlace;
  const english = new Map<string, ReadonlySet<string>>();

  before(async () => {
    browser = await launchBrowser();
    place = await openLooks(browser);
  });
  after(async () => {
    await place?.close();
    await browser?.close();
  });

  for (const language of languages)
    it(`every page is accessible, fits in each theme and width, and says everything in its language: ${language}`, async () => {
      const faults: string[] = [];
      for (const name of place.names) {
        await place.open(name, { theme: 'light', width: 1440, language });
        const said = await saidBy(place.page);
        if (language === 'en') english.set(name, said);
        else
          faults.push(
            ...untranslated(english.get(name)!, said, place.written).map(
              (words) => `${name} ${language}: "${words}" is English`,
            ),
          );
        for (const theme of themes)
          for (const width of widths) faults.push(...(await place.faults(name, { theme, width, language })));
      }
      assert.deepEqual(faults, []);
    });
});
