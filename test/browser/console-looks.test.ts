// How every page of the console looks: each in two looks, so that over all pages every theme, width and language occurs; and what
// each says, as those hear it who do not see it.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { buildForBrowsers } from '../support/browser-build.ts';
import { launchBrowser } from '../support/console-browser.ts';
import { saidBy, untranslated } from '../support/console-languages.ts';
import {
  checkSnapshot,
  type Look,
  type LooksPlace,
  openLooks,
  paperFaults,
} from '../support/console-looks.ts';

const plain: Look = { theme: 'light', width: 1440, language: 'en' };
/** In turn, one for each page. */
const others: readonly Look[] = [
  { theme: 'dark', width: 360, language: 'de' },
  { theme: 'dark', width: 360, language: 'fr' },
  { theme: 'light', width: 360, language: 'de' },
  { theme: 'dark', width: 768, language: 'fr' },
];

/** The first figures of these stand in the page; what has to be looked for among responses is asked for (D-641). */
const asking = [
  'measure',
  'project',
  'edit-survey',
  'share',
  'provider',
  'providers',
  'me',
  'sign-in',
  'setup',
  'shared',
  // These renew themselves.
  'operations',
  'webhooks',
];
const opensMax = 5;
const isWhole = (name: string): boolean => !asking.includes(name);

describe('how the pages of the console look', () => {
  let browser: Browser;
  let place: LooksPlace;
  const english = new Map<string, ReadonlySet<string>>();

  before(async () => {
    buildForBrowsers();
    browser = await launchBrowser();
    place = await openLooks(browser);
  });
  after(async () => {
    await place?.close();
    await browser?.close();
  });

  it('every page is accessible, fits, has its title and asks nobody else; what it says is what is kept [D-620, D-641]', async () => {
    const faults: string[] = [];
    for (const name of place.names) {
      await place.open(name, plain);
      english.set(name, await saidBy(place.page));
      faults.push(...(await place.faults(name, plain)));
      // A page waits a second for its figures, which is too short for a busy machine at times.
      for (let turn = 0; turn < opensMax && isWhole(name) && place.asked().length > 0; turn += 1)
        await place.open(name, plain);
      if (isWhole(name)) faults.push(...place.asked().map((path) => `${name} asks for ${path}`));
      const changed = [
        await checkSnapshot(place.page, name),
        name === 'me' ? await checkSnapshot(place.page, 'rail', 'nav') : null,
      ];
      faults.push(...changed.filter((one) => one !== null));
    }
    assert.deepEqual(faults, []);
    assert.ok(place.names.length >= 20 || process.env.PAGES !== undefined);
  });

  it('on paper a page has nothing to press or to fill in, and nothing of it is cut [D-795]', async () => {
    const faults: string[] = [];
    for (const name of place.names) {
      await place.open(name, plain);
      faults.push(...(await paperFaults(place.page)).map((fault) => `${name}: ${fault}`));
    }
    assert.deepEqual(faults, []);
  });

  it('every page is so in another theme, width and language, in which it says everything [D-730]', async () => {
    const faults: string[] = [];
    for (const [index, name] of place.names.entries()) {
      const look = others[index % others.length]!;
      await place.open(name, look);
      faults.push(...(await place.faults(name, look)));
      const left = untranslated(english.get(name)!, await saidBy(place.page), place.written);
      faults.push(...left.map((words) => `${name} ${look.language}: "${words}" is English`));
    }
    assert.deepEqual(faults, []);
  });
});
