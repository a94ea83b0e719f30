// npm run screenshots: opens every page of the console with the demo's data, in both themes, and takes a picture of each. Those that
// the README shows are written to docs/images/, where they are kept with the sources; all others to screenshots/, which is not.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { consolePages, type PageName, pathOf } from '../src/domain/console/page-paths.ts';
import { browserFlags, findBrowser } from '../test/support/browser.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const keptFolder = join(root, 'docs', 'images');
const otherFolder = join(root, 'screenshots');
/** In the README, light and wide. */
const keptNames = new Set<PageName>(['overview', 'measure', 'edit-survey']);
/** What a phone shows of these is looked at too. */
const narrowNames = new Set<PageName>(['overview', 'measure', 'project', 'edit-survey', 'users', 'comments']);
/** The top of the page, so that three of them stay small. */
const keptPart = { x: 0, y: 0, width: 1440, height: 800 };
const keptBytesMax = 200_000;
const themes = ['light', 'dark'] as const;

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const folder = mkdtempSync(join(tmpdir(), 'soundings-screenshots-'));
for (const one of [keptFolder, otherFolder]) mkdirSync(one, { recursive: true });
const executablePath = await findBrowser(say);
say('Starting the demo on a store of its own ...');
const service = spawn(process.execPath, ['bin/soundings.js', 'serve', '--demo', '--json'], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'inherit'],
  env: {
    ...process.env,
    DATABASE_URL: `sqlite:${join(folder, 'demo.db')}`,
    PORT: '0',
    SOUNDINGS_STORE_TIMEOUT_MS: '30000',
  },
});
const ended = new Promise((resolve) => service.once('close', resolve));
try {
  await takeAll(await announcedUrl());
} finally {
  service.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** The link that signs in and enters the demo account. */
async function announcedUrl(): Promise<string> {
  for await (const line of createInterface({ input: service.stdout })) {
    if (!line.startsWith('{')) continue;
    const { consoleUrl } = JSON.parse(line) as { readonly consoleUrl?: string };
    if (consoleUrl !== undefined) return consoleUrl;
  }
  throw new Error('The service ended before it said where the console is.');
}

async function takeAll(consoleUrl: string): Promise<void> {
  const browser = await chromium.launch({ executablePath, args: browserFlags });
  try {
    const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto(consoleUrl, { waitUntil: 'networkidle' });
    const base = new URL(consoleUrl).origin;
    await page.getByRole('button', { name: 'Not now' }).click();
    const places = await placesOf(page);
    const wanted = (Object.keys(consolePages) as PageName[]).flatMap((name) =>
      themes.flatMap((theme) => [
        { name, theme, width: 1440 },
        ...(narrowNames.has(name) ? [{ name, theme, width: 360 }] : []),
      ]),
    );
    for (const [index, { name, theme, width }] of wanted.entries()) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      await page.goto(base + places[name], { waitUntil: 'networkidle' });
      await page.locator('main h1').waitFor();
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      const isKept = keptNames.has(name) && theme === 'light' && width === 1440;
      const file = isKept
        ? join(keptFolder, `${name}.png`)
        : join(otherFolder, `${name}-${theme}-${width}.png`);
      await page.screenshot({ path: file, ...(isKept ? { clip: keptPart } : { fullPage: true }) });
      const { size } = statSync(file);
      say(
        `${String(index + 1).padStart(2)} of ${wanted.length}  ${relative(root, file)}, ${Math.ceil(size / 1000)} kB`,
      );
      if (isKept && size > keptBytesMax)
        throw new Error(`${relative(root, file)} has ${size} bytes; at most ${keptBytesMax} are kept.`);
    }
  } finally {
    await browser.close();
  }
}

/** Where each page is, with a user, a group and a response of the demo. */
async function placesOf(page: Page): Promise<Readonly<Record<PageName, string>>> {
  const firstId = async (path: string): Promise<string> => {
    const answer = await page.request.get(new URL(`/console/api${path}`, page.url()).href, {
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    const { items } = (await answer.json()) as {
      readonly items: readonly { readonly id: string | number }[];
    };
    return String(items[0]?.id);
  };
  const website = { kind: 'measures', key: '8840868' };
  const params: Partial<Record<PageName, Readonly<Record<string, string>>>> = {
    measure: website,
    project: { key: '3223' },
    comments: website,
    responses: website,
    response: { ...website, id: 'demo-visit' },
    survey: website,
    'edit-survey': website,
    share: { kind: 'projects', key: '3223' },
    user: { id: await firstId('/users') },
    group: { id: await firstId('/groups') },
    provider: { id: 'new' },
  };
  const names = Object.keys(consolePages) as PageName[];
  const places = Object.fromEntries(names.map((name) => [name, pathOf(name, params[name])]));
  return { ...places, provider: `${places.provider}?kind=entra` } as Readonly<Record<PageName, string>>;
}
