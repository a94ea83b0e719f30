// Every page of the console with something on it, and what is looked at on each: that it is accessible, fits, says its name, asks
// nobody else and runs no script of others. Clocks and data stand still, so that a page says the same every time.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { consolePages, type PageName, pathOf } from '../../src/domain/console/page-paths.ts';
import { consoleCall } from './console.ts';
import { accessibilityFaults, overflow, visit } from './console-browser.ts';
import { visitorsAside } from './console-roles.ts';
import { sqlite } from './engines.ts';
import { type FeedbackService, startFeedback } from './feedback-service.ts';
import {
  insightAcme,
  insightBolt,
  insightCatalogue,
  insightNowMs,
  insightPopulation,
  sendInsight,
} from './insight-population.ts';
import { OpenIdProvider } from './openid-provider.ts';
import { until } from './service.ts';
import { believeTime } from './trusted-time.ts';
import { addUsers } from './user-population.ts';

export const themes = ['light', 'dark'] as const;
export const widths = [360, 768, 1440] as const;
export const languages = ['en', 'de', 'fr'] as const;

export interface Look {
  readonly theme: (typeof themes)[number];
  readonly width: (typeof widths)[number];
  readonly language: (typeof languages)[number];
}

/** Those of the frame, and those for whoever is not signed in. */
export type LookName = PageName | 'sign-in' | 'setup' | 'shared';

/** The one that most who work with it have. */
export const plainLook: Look = { theme: 'light', width: 1440, language: 'en' };

export interface LooksPlace {
  readonly page: Page;
  /** The pages that there are, in the order of their list. */
  readonly names: readonly LookName[];
  /** Goes to a page as somebody who may see it, and waits until all of it is there. */
  open(name: LookName, look: Look): Promise<void>;
  /** What is wrong with the page as it stands. */
  faults(name: LookName, look: Look): Promise<readonly string[]>;
  /** Everything that people have written into the store, in one text. */
  readonly written: string;
  /** What the page has asked the service for since it was opened, beside what the frame asks for. */
  asked(): readonly string[];
  close(): Promise<void>;
}

const againMax = 5;

const loadersFile = new URL('../../console/pages/loaders.ts', import.meta.url);

/** The list of modules is for browsers, so it is read, not loaded. Whoever works on some pages names them in PAGES. */
function namesWithModule(): readonly LookName[] {
  const listed = readFileSync(loadersFile, 'utf8').matchAll(/^ {2}'?([\w-]+)'?: \(\) => import\(/gm);
  const names = new Set([...listed].map(([, name]) => name));
  const wanted = process.env.PAGES?.split(',');
  const ofFrame = (Object.keys(consolePages) as PageName[]).filter((name) => names.has(name));
  return [...ofFrame, 'sign-in' as const, 'setup' as const, 'shared' as const].filter(
    (name) => wanted?.includes(name) !== false,
  );
}

export async function openLooks(browser: Browser): Promise<LooksPlace> {
  const provider = await OpenIdProvider.start();
  const [acme, ...others] = insightCatalogue.accounts;
  const catalogue = {
    accounts: [{ ...acme!, projects: [...acme!.projects, strictProject] }, ...others],
  };
  const service = await startFeedback(sqlite, {
    catalogue,
    nowMs: insightNowMs,
    env: { SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1' },
  });
  // The clock stands at a day of its own, and the store is as old as this run.
  await believeTime(service.databaseUrl, insightNowMs);
  const sources = insightPopulation();
  await sendInsight(service, sources);
  const { cookies, params } = await populate(service, provider);
  const response = sources
    .find(({ accountId, kind }) => accountId === insightAcme && kind === 'measure')!
    .responses.findLast(({ isErased }) => !isErased)!;
  const places: Readonly<Record<PageName, Readonly<Record<string, string>>>> = {
    ...(Object.fromEntries(Object.keys(consolePages).map((name) => [name, {}])) as Record<
      PageName,
      Record<string, string>
    >),
    measure: { key: '700' },
    project: { key: '300' },
    comments: { kind: 'measures', key: '700' },
    responses: { kind: 'measures', key: '700' },
    response: { kind: 'measures', key: '700', id: response.responseId },
    survey: { kind: 'measures', key: '700' },
    'edit-survey': { kind: 'measures', key: '700' },
    share: { kind: 'projects', key: '300' },
    user: { id: params.user },
    group: { id: params.group },
    provider: { id: params.connection },
  };

  const base = service.baseUrl.replace('127.0.0.1', 'localhost');
  const { page, faults: noted } = await visit(browser, base, '/console/sign-in');
  await page.clock.setFixedTime(insightNowMs);
  const policies = new Map<LookName, string>();
  const linked = {
    'sign-in': '/console/sign-in',
    setup: `/setup${params.setup}`,
    shared: `/shared${params.view}`,
  };
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (/^\/console\/api\/(?!live$)/.test(pathname)) asked.push(pathname + search);
  });

  return {
    page,
    names: namesWithModule(),
    written: `${writtenIn(catalogue)}\n${writtenIn(sources)}\n${groupName}`,
    async open(name, { theme, width, language }) {
      const [cookieName = '', value = ''] =
        cookies[name === 'operations' || name === 'accounts' ? 'operator' : 'admin'].split(/=(.*)/s);
      await page.context().addCookies([
        { name: cookieName, value, url: base },
        { name: 'soundings-language', value: language, url: `${base}/console` },
      ]);
      await page.evaluate(`localStorage.setItem('soundings.language', '${language}')`);
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      noted.length = 0;
      asked.length = 0;
      const path =
        name in linked
          ? linked[name as keyof typeof linked]
          : pathOf(name as PageName, places[name as PageName]);
      // A code in the fragment alone would lead to no other page.
      if (path.includes('#')) await page.goto('about:blank');
      const answer = await page.goto(base + path, { waitUntil: 'networkidle' });
      policies.set(name, answer?.headers()['content-security-policy'] ?? '');
      await page.locator(`html[lang=${language}] main h1`).first().waitFor();
      await settled(page);
      // A busy machine may not have looked through all responses in the time that a page gives it.
      // A shared view says always that small figures are withheld.
      const most = name === 'shared' ? 0 : againMax;
      for (let turn = 0; turn < most && (await page.locator('main [role=note]').count()) > 0; turn += 1) {
        await page.reload({ waitUntil: 'networkidle' });
        await settled(page);
      }
    },
    asked: () => [...asked],
    async faults(name, { theme, width, language }) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: theme });
      const headings = await page.locator('h1').count();
      const title = await page.title();
      const policy = policies.get(name)!;
      const found = [
        ...(await accessibilityFaults(page)),
        ...(await overflow(page)).map((html) => `sticks out: ${html}`),
        ...noted,
        ...(await cutTables(page)).map((caption) => `a table is cut: ${caption}`),
        ...((await contentShare(page)) < 0.55 ? ['what it shows takes less than its half of the width'] : []),
        ...(headings === 1 ? [] : [`${headings} headings of the first level`]),
        ...(/\S · \S|\S – \S|\S \| \S/.test(title) ? [] : [`the title is "${title}"`]),
        ...(/unsafe-/.test(policy) || !policy.includes('require-trusted-types-for')
          ? [`the policy is "${policy}"`]
          : []),
      ];
      return found.map((fault) => `${name} ${theme} ${width} ${language}: ${fault}`);
    },
    async close() {
      await page.context().close();
      await service.stop();
      await provider.stop();
    },
  };
}

/** Tables that are wider than their place: nobody sees that there is more of them. */
function cutTables(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('main .scroll')]
    .filter((scroll) => scroll.checkVisibility() && scroll.scrollWidth > scroll.clientWidth + 1)
    .map((scroll) => scroll.getAttribute('aria-label'))`);
}

/** What stands on paper that nobody can press or fill in there, or that is cut. */
export async function paperFaults(page: Page): Promise<readonly string[]> {
  await page.setViewportSize({ width: 718, height: 1_000 });
  await page.emulateMedia({ media: 'print' });
  const found: readonly string[] = await page.evaluate(`[...document.querySelectorAll(
      '.rail, main :is(button, .button, input, select, textarea)',
    )]
    .filter(
      (element) =>
        element.checkVisibility() &&
        element.closest('.bars, .columns, .editor, .door') === null &&
        !element.matches('.link'),
    )
    .map((element) => element.outerHTML.slice(0, 80))`);
  const cut = [...(await cutTables(page)), ...(await overflow(page))].map((what) => `cut: ${what}`);
  await page.emulateMedia({ media: 'screen' });
  return [...found, ...cut];
}

/** How much of the width of the window the content of the page has. */
function contentShare(page: Page): Promise<number> {
  return page.evaluate("document.querySelector('main').getBoundingClientRect().width / innerWidth");
}

const groupName = 'Customer experience of all shops';

/** Every text of it, as pages show them. */
function writtenIn(value: unknown): string {
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ');
  return typeof value === 'object' && value !== null ? Object.values(value).map(writtenIn).join('\n') : '';
}

async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

/** Takes in what does not fit, so that there are refused responses. Its name is as long as somebody may paste it, without a space. */
const strictProject = {
  id: 302,
  name: `Acme strict ${'Kundenzufriedenheit'.repeat(9)}`,
  siteKey: 'acme-strict',
  status: 'ACTIVE',
  surveys: [
    {
      id: 'acme-strict-1',
      modelInstanceId: 'acme-strict',
      quarantine: true,
      questions: [{ id: 'Q-STARS', name: 'Your rating', responseType: 'STAR_RATING', role: 'rating' }],
    },
  ],
};

async function populate(
  service: FeedbackService,
  provider: OpenIdProvider,
): Promise<{
  readonly cookies: Readonly<Record<'admin' | 'operator', string>>;
  readonly params: Readonly<Record<'user' | 'group' | 'connection' | 'setup' | 'view', string>>;
}> {
  const { databaseUrl, baseUrl } = service;
  const visitors = await visitorsAside(databaseUrl, insightAcme, 'own');
  await visitorsAside(databaseUrl, insightBolt, 'foreign');
  const admin = await visitors.admin.newCookie();
  const ids = await addUsers(
    databaseUrl,
    insightAcme,
    Array.from({ length: 120 }, (_, index) => ({
      userName: `person-${index}@example.com`,
      externalId: `e-${index}`,
      active: index % 5 !== 4,
      displayName: `Person ${index}`,
      name: { givenName: 'Person', familyName: `Number${index}` },
      emails: [{ value: `person-${index}@example.com`, type: 'work', primary: true }],
    })),
  );
  const made = async (path: string, body: object, method = 'POST') => {
    const answer = await consoleCall(baseUrl, method, path, { cookie: admin, body });
    assert.ok(answer.status < 300, `${path}: ${answer.text}`);
    return answer.body as Readonly<Record<string, unknown>> | null;
  };
  const post = async (path: string, body: object, method = 'POST'): Promise<string> =>
    String((await made(path, body, method))?.id ?? '');
  const hashOf = async (path: string, body: object): Promise<string> =>
    new URL(String((await made(path, body))?.url)).hash;
  const group = await post('/groups', {
    displayName: groupName,
    members: ids.slice(10, 60).map(String),
  });
  await post(`/groups/${group}/roles/analyst`, {}, 'PUT');
  await post('/api-clients', { name: 'Nightly load', scopes: ['r_cx_measures'] });
  const connection = await post('/connections', {
    name: 'Acme ID',
    issuer: provider.issuer,
    clientId: provider.clientId,
    secret: provider.clientSecret,
    subjectClaim: 'oid',
  });
  await post('/provisioning-tokens', { name: 'Acme ID', connection, days: 20 });
  await post('/webhooks', {
    name: 'Orders',
    url: 'https://hooks.example.com/soundings',
    events: ['response.created'],
  });
  const operator = await visitors['operator outside'].newCookie();
  await lookOnce(baseUrl, operator);
  const token = await service.token(insightAcme);
  await service.post({ surveyDefinitionId: 'acme-strict-1', responses: { 'Q-STARS': ['17'] } }, token);
  return {
    cookies: { admin, operator },
    params: {
      ...{ user: String(ids[12]), group, connection },
      setup: await hashOf('/setup-link', { kind: 'okta' }),
      view: await hashOf('/views', {
        ...{ name: 'Quarter', kind: 'measure', key: 700, days: 7 },
        ...{ from: '2026-01-01', to: new Date(insightNowMs).toISOString().slice(0, 10) },
      }),
    },
  };
}

/** Doctor has looked, so that its findings are there to be seen. */
async function lookOnce(baseUrl: string, cookie: string): Promise<void> {
  const path = '/operations/doctor';
  const begun = await consoleCall(baseUrl, 'POST', path, { cookie });
  assert.ok(begun.status < 300, begun.text);
  await until(
    async () => (await consoleCall(baseUrl, 'GET', path, { cookie })).body.state,
    (state) => state === 'ended',
    120_000,
  );
}

// ---- what a page says, kept as text

const snapshotsFolder = fileURLToPath(new URL('../browser/snapshots/', import.meta.url));

/** What differs from run to run, or belongs to other tests: figures, days and moments, ids, the name of the machine. */
function masked(text: string): string {
  const month =
    '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:uary|ruary|ch|il|e|y|ust|tember|ober|ember)?';
  return (
    text
      .replaceAll(`${hostname()}/`, 'HOST/')
      .replaceAll(/\b(?=[\w-]*\d)(?=[\w-]*[a-zA-Z])[\w-]{20,}/g, 'ID')
      .replaceAll(/\b[a-z]{2,5}_[A-Za-z0-9]{8,}/g, 'ID')
      .replaceAll(/(?<!\[level=)[-−+]?\d+(?:[.,:]\d+)*/g, '0')
      .replaceAll(new RegExp(`\\b${month} 0(?:, 0)?(?:,? 0[\\s\\u202f]?[AP]M)?`, 'g'), 'DAY')
      .replaceAll(/0(?:-?0){2}(?:T0Z)?/g, 'DAY')
      .replaceAll(/"(0|DAY)"/g, '$1')
      .replaceAll(/\b0 (?:seconds?|minutes?|hours?) ago\b|\bin 0 seconds?\b|\bnow\b/g, '0 ago')
      // Refused responses are noted a moment after they were refused.
      .replaceAll(/(?<=- cell 0):\n *- link 0:\n *- \/url: \/console\/refused(?=\n|$)/g, '')
      .replaceAll(/\b0 (?:kB|MB|GB|TB)\b/g, '0 BYTES')
      // What a replica knows of its disk comes with its second heartbeat, which may never come where the clock stands still.
      .replace(/ *- term: Disk free\n *- definition:\n(?: *- (?:strong|text): .*BYTES\n)+/, '')
      // Where the store of the run lies.
      .replaceAll(/\bin \/[\w./-]+/g, 'in FOLDER')
      // How far background work is at the moment.
      .replaceAll(/(?<=\w |")(?:ongoing|waiting|running|done)"/g, 'STATE"')
  );
}

/** Of things that say the same one after the other, such as rows of figures, the first is enough. */
function shortened(lines: readonly string[]): string[] {
  const indentOf = (line: string): number => line.search(/\S/);
  const kept: string[] = [];
  let before = '';
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (end < lines.length && indentOf(lines[end]!) > indentOf(lines[at]!)) end += 1;
    const block = [lines[at]!, ...shortened(lines.slice(at + 1, end))];
    const text = block.join('\n');
    if (text !== before) kept.push(...block);
    before = text;
    at = end;
  }
  return kept;
}

/** Compares what a page says with what is kept; UPDATE_SNAPSHOTS=1 keeps what it says now (D-620). */
export async function checkSnapshot(page: Page, name: string, selector = 'main'): Promise<string | null> {
  const file = `${snapshotsFolder}${name}.yaml`;
  const said = masked(await page.locator(selector).ariaSnapshot());
  const text = `${shortened(said.split('\n')).join('\n')}\n`;
  if (process.env.UPDATE_SNAPSHOTS === '1') {
    mkdirSync(snapshotsFolder, { recursive: true });
    writeFileSync(file, text);
    return null;
  }
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return kept === text ? null : `${name}: ${firstDifference(kept, text)}`;
}

function firstDifference(kept: string, text: string): string {
  const [before, now] = [kept.split('\n'), text.split('\n')];
  const at = now.findIndex((line, index) => line !== before[index]);
  const line = at === -1 ? now.length : at;
  return `line ${line + 1} was "${before[line] ?? ''}" and is "${now[line] ?? ''}" (UPDATE_SNAPSHOTS=1 keeps what is)`;
}
