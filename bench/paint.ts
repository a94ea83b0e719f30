// How long a browser takes to show a page.

import { type Browser, chromium } from 'playwright-core';
import { browserFlags, findBrowser } from '../test/support/browser.ts';

export async function startBrowser(): Promise<Browser> {
  const executablePath = await findBrowser((line) => void process.stderr.write(`${line}\n`));
  return chromium.launch({ executablePath, args: browserFlags });
}

export interface Viewing {
  /** The processor of the browser. */
  readonly slowedTimes: number;
  readonly width: number;
  /** As `name=value`. */
  readonly cookie?: string;
}

/** From the start of the navigation to the last largest paint, in a browser that has seen nothing yet. */
export async function paintMs(
  browser: Browser,
  address: string,
  { slowedTimes, width, cookie }: Viewing,
): Promise<number> {
  const context = await browser.newContext({ viewport: { width, height: 740 } });
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: address }]);
  }
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowedTimes });
  await page.goto(address, { waitUntil: 'load' });
  // Pages that a script draws are looked at when they have their heading.
  await page.locator('h1').waitFor();
  const paintedMs = await page.evaluate<number>(`new Promise((resolve) => {
    new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
      type: 'largest-contentful-paint',
      buffered: true,
    });
  })`);
  await context.close();
  return paintedMs;
}
