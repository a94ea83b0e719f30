// The survey of the demo, answered by keyboard alone: with and without scripts, on a small screen, in Arabic, in the dark and
// in the colours of the person's own system.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { parse } from 'yaml';
import { demoSurveyId } from '../../src/domain/pages/demo-survey.ts';
import { overflow } from '../support/console-browser.ts';
import { sqlite } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';

const accountId = 4001;
const measureKey = 8840868;
const bytesMax = 15_000;
const catalogue = parse(
  readFileSync(fileURLToPath(new URL('../../examples/demo.yaml', import.meta.url)), 'utf8'),
) as { accounts: { id: number; name: string }[] };

const ways = [
  { javaScriptEnabled: true, language: 'en', width: 360, colorScheme: 'light', forcedColors: 'none' },
  { javaScriptEnabled: false, language: 'ar', width: 360, colorScheme: 'dark', forcedColors: 'none' },
  { javaScriptEnabled: true, language: 'ar', width: 1280, colorScheme: 'dark', forcedColors: 'active' },
  { javaScriptEnabled: false, language: 'de', width: 320, colorScheme: 'light', forcedColors: 'active' },
] as const;

describe('the survey of the demo', () => {
  let service: FeedbackService;
  let browser: Browser;
  let token: string;

  before(async () => {
    service = await startFeedback(sqlite, { catalogue });
    token = await service.token(accountId);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  interface Row {
    readonly id: string;
  }
  const rows = async (): Promise<readonly Row[]> => {
    const path = `/v1/measures/${measureKey}/data?from=1990-01-01&to=2100-01-01&limit=100`;
    return (await service.get(path, token)).body.items as readonly Row[];
  };

  for (const { language, width, javaScriptEnabled, ...look } of ways) {
    const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts';
    const colours = look.forcedColors === 'active' ? 'forced colours' : look.colorScheme;
    it(`is answered by keyboard alone ${scripts}, in ${language}, on ${width} px, ${colours}`, async () => {
      const before = (await rows()).length;
      const context = await browser.newContext({
        ...look,
        viewport: { width, height: 740 },
        javaScriptEnabled,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto(`${service.baseUrl}/s/${demoSurveyId}?lang=${language}`);
      assert.deepEqual(await overflow(page), []);
      await answerByKeyboard(page, javaScriptEnabled);
      assert.equal(await page.locator('html').getAttribute('lang'), language);
      const kept = await rows();
      assert.equal(kept.length, before + 1);
      await context.close();
    });
  }

  it('where the script does not come, every step is shown after a while, and can be sent [D-444]', async () => {
    const page = await browser.newPage();
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.goto(`${service.baseUrl}/s/${demoSurveyId}`);
    const sections = page.locator('.section');
    assert.equal(await sections.count(), 4);
    await sections.last().locator('legend').first().waitFor({ state: 'visible' });
    assert.ok(await sections.nth(1).isVisible());
    assert.ok(await page.locator('.send').isVisible());
    await page.close();
  });

  it('page, style and script are 15 kB in all, compressed', async () => {
    const page = await browser.newPage();
    const loaded: Promise<Buffer>[] = [];
    page.on('response', (answer) => {
      if (answer.url().startsWith('http')) loaded.push(answer.body());
    });
    await page.goto(`${service.baseUrl}/s/${demoSurveyId}`);
    await page.locator('.progress').waitFor();
    const sizes = (await Promise.all(loaded)).map((bytes) => gzipSync(bytes).length);
    const questions = await page.locator('.question').count();
    assert.ok(questions >= 24, `${questions} questions`);
    assert.equal(sizes.length, 3);
    const sum = sizes.reduce((one, other) => one + other, 0);
    assert.ok(sum <= bytesMax, `${sum} bytes: ${sizes.join(', ')}`);
    await page.close();
  });
});

// More presses than a person needs for 24 questions, and some links on the way.
const pressesMax = 400;

/** Tab, space and letters: each question gets the answer that is reached first. */
async function answerByKeyboard(page: Page, hasScripts: boolean): Promise<void> {
  for (let press = 0; press < pressesMax; press += 1) {
    await page.keyboard.press('Tab');
    const { kind, isAnswered } = await focused(page);
    if (kind === 'choice' && !isAnswered) await page.keyboard.press('Space');
    else if (kind === 'list' && !isAnswered) await page.keyboard.press('ArrowDown');
    else if (kind === 'text' && !isAnswered) await page.keyboard.type('In words');
    else if (kind === 'send') {
      const step = hasScripts ? await page.locator('.progress').innerText() : '';
      await page.keyboard.press('Enter');
      if (!hasScripts) return page.waitForURL(/\/thanks/);
      const next = page.locator('.progress').filter({ hasNotText: step });
      await next.or(page.locator('.notice')).first().waitFor();
      if (page.url().includes('/thanks')) return;
    }
  }
  assert.fail(`After ${pressesMax} presses of Tab the survey is not sent.`);
}

function focused(page: Page): Promise<{ readonly kind: string; readonly isAnswered: boolean }> {
  return page.evaluate(`(() => {
    const element = document.activeElement;
    const is = (selector) => element.matches(selector);
    if (is('.send')) return { kind: 'send', isAnswered: false };
    if (is('[type=radio], [type=checkbox]')) return { kind: 'choice', isAnswered: element.checked };
    if (is('select')) return { kind: 'list', isAnswered: element.value !== '' };
    if (is('textarea, [type=text]')) return { kind: 'text', isAnswered: element.value !== '' };
    return { kind: 'other', isAnswered: false };
  })()`);
}
