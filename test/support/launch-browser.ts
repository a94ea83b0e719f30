// One way for a test to have a browser.

import assert from 'node:assert/strict';
import { type Browser, chromium } from 'playwright-core';
import { browserFlags } from './browser.ts';

/** It may take as long as the machine needs: the runner ends a file that does nothing any more. */
export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH;
  assert.ok(executablePath, 'CHROME_PATH names the browser: run this through "npm test".');
  return chromium.launch({ executablePath, args: browserFlags, timeout: 0 });
}
