// How every page of the console looks otherwise: each in another look in turn, so that over all pages every theme, width and language
// occurs, and on paper.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { saidBy, untranslated } from '../support/console-languages.ts';
import { type Look, type LooksPlace, openLooks, paperFaults, plainLook } from '../support/console-looks.ts';
import { launchBrowser } from '../support/launch-browser.ts';

/** In turn, one for each page. */
const otherLooks: readonly Look[] = [
  { theme: 'dark', width: 360, language: 'de' },
  { theme: 'dark', width: 360, language: 'fr' },
  { theme: 'light', width: 360, language: 'de' },
  { theme: 'dark', width: 768, language: 'fr' },
];

describe('how the pages of the console look otherwise', () => {
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

  it('on paper a page has nothing to press or to fill in, and nothing of it is cut [D-795]', async () => {
    const faults: string[] = [];
    for (const name of place.names) {
      await place.open(name, plainLook);
      english.set(name, await saidBy(place.page));
      faults.push(...(await paperFaults(place.page)).map((fault) => `${name}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  });

  it('every page is so in another theme, width and language, in which it says everything [D-730]', async () => {
    const faults: string[] = [];
    for (const [index, name] of place.names.entries()) {
      const look = otherLooks[index % otherLooks.length]!;
      await place.open(name, look);
      faults.push(...(await place.faults(name, look)));
      const left = untranslated(english.get(name)!, await saidBy(place.page), place.written);
      faults.push(...left.map((words) => `${name} ${look.language}: "${words}" is English`));
    }
    assert.deepEqual(faults, []);
  });
});
