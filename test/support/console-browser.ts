// The console in a real browser: pages that note what must not happen.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';

const axe = readFileSync(
  fileURLToPath(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url)),
  'utf8',
);

export interface VisitOptions {
  readonly theme?: 'light' | 'dark';
  readonly language?: string;
  readonly width?: number;
  /** As a test of the endpoints sends it: `soundings=ACCOUNT.SECRET`. */
  readonly cookie?: string;
}

export interface Visit {
  readonly page: Page;
  /** Requests to elsewhere, errors of scripts, violations of the policy; refusals of the service are none. */
  readonly faults: string[];
}

/** What is waited for comes as soon as the machine has come to it; on a busy one that may take long. */
const patienceMs = 180_000;

/** A browser profile of its own, with one page. */
export async function visit(
  browser: Browser,
  base: string,
  path: string,
  { theme = 'light', language = 'en', width = 1280, cookie }: VisitOptions = {},
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    colorScheme: theme,
    locale: language,
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(patienceMs);
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: base }]);
  }
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith('data:')) faults.push(request.url());
  });
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    // The browser notes every refusal of the service; tests look at what the page makes of it.
    const isRefusal = /^Failed to load resource: the server responded with a status of 4/.test(
      message.text(),
    );
    if (['error', 'warning'].includes(message.type()) && !isRefusal) faults.push(message.text());
  });
  await page.goto(base + path);
  await page.locator('h1').waitFor();
  return { page, faults };
}

/** What a checker of accessibility finds wrong with the page as it stands; by its usual rules, or by those with one of the tags. */
export async function accessibilityFaults(page: Page, tags?: readonly string[]): Promise<readonly string[]> {
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = globalThis as unknown as {
      axe: {
        run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
      };
    };
    const { violations } = await checker.run({
      resultTypes: ['violations'],
      ...(runOnly === undefined ? {} : { runOnly }),
    });
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  }, tags);
}

/** What sticks out of the page to the side, if anything. */
export function overflow(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const root = document.documentElement;
    const wide = [...document.querySelectorAll('body *')].filter(
      (element) =>
        element.getBoundingClientRect().right > root.clientWidth + 0.5 &&
        // What scrolls by itself may be wider within.
        element.parentElement.closest('.scroll, pre') === null,
    );
    if (root.scrollWidth > root.clientWidth) wide.unshift(root);
    return wide.map((element) => element.outerHTML.slice(0, 120));
  })()`);
}

/** Gives the page a device that holds passkeys, and is touched as soon as it asks for it. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}
