// One walk through every page of the console: how it looks, and what it says, as those hear it who do not see it. How it looks
// otherwise, and on paper: console-other-looks.test.ts.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { checkSnapshot, type LooksPlace, openLooks, plainLook } from '../support/console-looks.ts';
import { launchBrowser } from '../support/launch-browser.ts';

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

  before(async () => {
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
      await place.open(name, plainLook);
      faults.push(...(await place.faults(name, plainLook)));
      // A page waits a second for its figures, which is too short for a busy machine at times.
      for (let turn = 0; turn < opensMax && isWhole(name) && place.asked().length > 0; turn += 1)
        await place.open(name, plainLook);
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
});
