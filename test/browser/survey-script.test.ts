// The page of a survey with its script, in a real browser: whatever happens on the way, an answered survey is one row.

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { writeCatalogue } from '../support/catalogue.ts';
import { sqlite } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { createClient, setUp, startProcess, tokenFor } from '../support/service.ts';
import {
  besideProject,
  besideSurvey,
  pageAccount,
  pageProject,
  pageSurvey,
  surveyPageCatalogue,
} from '../support/survey-page-catalogue.ts';

const path = `/s/${pageSurvey}`;
const population = 200;
const dayMs = 86_400_000;
const jsonType = { 'content-type': 'application/json' };

describe('the page of a survey with its script', () => {
  let service: FeedbackService;
  let browser: Browser;
  let token: string;
  /** Ids of the rows that were there before. */
  const known = new Set<string>();

  before(async () => {
    service = await startFeedback(sqlite, { catalogue: surveyPageCatalogue });
    token = await service.token(pageAccount);
    const beside = await service.token(surveyPageCatalogue.accounts[1]!.id);
    for (const [surveyDefinitionId, own] of [
      [pageSurvey, token],
      [besideSurvey, beside],
    ] as const)
      await Promise.all(
        Array.from({ length: population }, (_, index) =>
          service.post(
            { surveyDefinitionId, responses: { 'Q-HOW': ['HOW-GOOD'], 'Q-NPS': [`${index % 11}`] } },
            own,
          ),
        ),
      );
    await added(population);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    assert.equal(
      await totalOf(besideProject, await service.token(surveyPageCatalogue.accounts[1]!.id)),
      population,
    );
    await service?.stop();
  });

  const totalOf = async (project: number, of: string): Promise<unknown> =>
    (await service.get(`/v1/projects/${project}/data?from=1990-01-01&to=2100-01-01&limit=1`, of)).body.total;

  /** The rows that are there now and were not before; a test adds so many, and no other. */
  async function added(rows: number): Promise<readonly Row[]> {
    const { body } = await service.get(
      `/v1/projects/${pageProject}/data?from=1990-01-01&to=2100-01-01&limit=1000`,
      token,
    );
    const fresh = (body.items as readonly Row[]).filter(({ id }) => !known.has(id));
    for (const { id } of fresh) known.add(id);
    assert.equal(fresh.length, rows);
    return fresh;
  }

  interface Visit {
    readonly context: BrowserContext;
    readonly page: Page;
    readonly faults: string[];
  }

  async function visit(options: { readonly javaScriptEnabled?: boolean } = {}): Promise<Visit> {
    const context = await browser.newContext({ reducedMotion: 'reduce', locale: 'en', ...options });
    const page = await context.newPage();
    const faults: string[] = [];
    watch(page, faults);
    await page.goto(service.baseUrl + path);
    return { context, page, faults };
  }

  function watch(page: Page, faults: string[]): void {
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.baseUrl) && !request.url().startsWith('data:'))
        faults.push(request.url());
    });
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type()) && !/^Failed to load resource/.test(message.text()))
        faults.push(message.text());
    });
  }

  it('is answered by the keyboard alone, step by step, and kept as it is without scripts [D-441, D-444]', async () => {
    const { context, page, faults } = await visit();
    assert.equal(await shiftOf(page), 0);
    const keys = async (...pressed: readonly string[]): Promise<void> => {
      for (const key of pressed) await page.keyboard.press(key);
    };
    assert.equal(await page.getByRole('heading', { level: 2 }).count(), 1);
    await tabTo(page, 'Good');
    await keys('ArrowDown');
    await tabTo(page, 'The price');
    await keys('Tab', 'Space');
    await tabTo(page, 'Next');
    await keys('Enter');
    assert.equal(await focused(page), 'In your words');
    assert.equal(await page.getByText('Step 2 of 3').isVisible(), true);
    await tabTo(page, 'Tell us more');
    await page.keyboard.type('A refund 😀');
    await keys('Enter');
    await page.keyboard.type(' please ');
    assert.match((await page.locator('.limit').textContent()) ?? '', /^42 characters left$/);
    await tabTo(page, 'Which refund do you mean?');
    await page.keyboard.type('The bike');
    // Enter in a line of text goes on, as a form does.
    await keys('Enter');
    assert.equal(await focused(page), 'At last');
    await tabTo(page, '0');
    await keys('ArrowRight', 'ArrowRight');
    await tabTo(page, 'Where was it?');
    await keys('T');
    await tabTo(page, 'Send');
    await keys('Enter');
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.equal(await page.evaluate('sessionStorage.length'), 0);
    const [withScript] = (await added(1)).map(contentOf);
    assert.deepEqual(
      withScript!.responses.filter(({ type }) => type === 'CQ').map(({ id, answers }) => [id, ...answers]),
      [
        ['Q-HOW', 'Bad'],
        ['Q-BAD', 'The speed'],
        ['Q-WORDS', 'A refund 😀\n please'],
        ['Q-REFUND', 'The bike'],
        ['Q-NPS', '2'],
        ['Q-WHERE', 'There'],
      ],
    );
    await context.close();

    const without = await visit({ javaScriptEnabled: false });
    await without.page.getByLabel('Bad', { exact: true }).check();
    await without.page.getByLabel('The speed').check();
    await without.page.getByLabel('Tell us more').fill('A refund 😀\n please ');
    await without.page.getByLabel('2', { exact: true }).check();
    await without.page.getByLabel('Where was it?').selectOption('There');
    await without.page.getByRole('button', { name: 'Send' }).click();
    // What hangs on words is asked after the first send.
    await without.page.getByLabel('Which refund do you mean?').fill('The bike');
    await without.page.getByRole('button', { name: 'Send' }).click();
    await without.page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.deepEqual((await added(1)).map(contentOf), [withScript]);
    assert.deepEqual([...faults, ...without.faults], []);
    await without.context.close();
  });

  it('says what is missing in the words of the server, at the question and on top, before anything is sent [D-441]', async () => {
    const without = await visit({ javaScriptEnabled: false });
    await without.page.locator('form').evaluate((form) => {
      (form as unknown as { noValidate: boolean }).noValidate = true;
    });
    await without.page.getByRole('button', { name: 'Send' }).click();
    const said = await saidFaults(without.page);
    const title = await without.page.title();
    assert.equal(title, 'Error: Your visit');
    await without.context.close();

    const { context, page, faults } = await visit();
    const posts: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url());
    });
    await page.getByRole('button', { name: 'Next' }).click();
    assert.deepEqual(await saidFaults(page), said);
    assert.equal(await page.title(), title);
    assert.equal(await page.evaluate('document.activeElement.className'), 'summary');
    await page.getByRole('link', { name: /How was it/ }).click();
    assert.equal(await focused(page), 'Good');
    await page.getByLabel('Bad', { exact: true }).check();
    assert.deepEqual([await page.locator('.fault, .summary').count(), await page.title()], [0, 'Your visit']);
    assert.deepEqual(posts, []);
    await added(0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('the back button goes a step back, a reload stays on the step with every answer, and one can start again [D-442]', async () => {
    const { context, page, faults } = await visit();
    await toLastStep(page);
    await page.goBack();
    assert.equal(await focused(page), 'In your words');
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('heading', { name: 'The visit' }).waitFor();
    assert.equal(page.url(), service.baseUrl + path);
    await page.goForward();
    await page.goForward();
    await page.getByRole('heading', { name: 'At last' }).waitFor();
    await page.getByLabel('7', { exact: true }).check();
    await page.reload();
    await page.getByText('Your earlier answers are filled in.').waitFor();
    assert.equal(await page.getByRole('heading', { name: 'At last' }).isVisible(), true);
    assert.equal(await page.getByLabel('7', { exact: true }).isChecked(), true);
    await page.getByRole('button', { name: 'Start again' }).click();
    assert.equal(await focused(page), 'The visit');
    assert.deepEqual(
      [await page.evaluate('sessionStorage.length'), await page.locator(':checked:not(option)').count()],
      [0, 0],
    );
    await added(0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('a double click neither skips a step nor sends twice', async () => {
    const { context, page, faults } = await visit();
    await page.getByLabel('Good', { exact: true }).check();
    await page.getByRole('button', { name: 'Next' }).dblclick();
    await page.getByText('Step 2 of 3').waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Send' }).dblclick();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await added(1);
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('two tabs with the same answers are one row, and both say thanks', async () => {
    const { context, page, faults } = await visit();
    await toLastStep(page);
    const opened = context.waitForEvent('page');
    // A tab that is opened from another, or duplicated, begins with what that one has kept.
    await page.evaluate('void open(location.href)');
    const other = await opened;
    watch(other, faults);
    await other.getByText('Your earlier answers are filled in.').waitFor();
    for (const name of ['Next', 'Next'])
      if (await other.getByRole('button', { name }).isVisible())
        await other.getByRole('button', { name }).click();
    await Promise.all([page, other].map((one) => one.getByRole('button', { name: 'Send' }).click()));
    for (const one of [page, other]) await one.getByRole('heading', { name: 'Thank you' }).waitFor();
    await added(1);
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('what is sent offline is kept, and goes out when the connection is back [D-443]', async () => {
    const { context, page, faults } = await visit();
    await toLastStep(page);
    await context.setOffline(true);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('You are offline.').waitFor();
    await added(0);
    await context.setOffline(false);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await added(1);
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('a send whose answer was lost is repeated, after a reload too, and is one row [D-442, D-443]', async () => {
    const { context, page, faults } = await visit();
    await toLastStep(page);
    await page.route(service.baseUrl + path, async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your answers could not be sent.').waitFor();
    await added(1);
    await page.unroute(service.baseUrl + path);
    await page.reload();
    await page.getByText('Your earlier answers are filled in.').waitFor();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await added(0);
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('a page that was open for longer than its token lives keeps the answers and sends them once more asked', async () => {
    const { context, page, faults } = await visit();
    await toLastStep(page);
    service.pass(2 * dayMs);
    token = await service.token(pageAccount);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('This page was open for a long time.').waitFor();
    await added(0);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    await added(1);
    assert.deepEqual(faults, []);
    await context.close();
  });
});

describe('the page of a survey beside a server that is busy or away', () => {
  let browser: Browser;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser?.close());

  /** A service with a bound on what one network may send, and somebody of that network who has sent so often. */
  async function afterSends(t: TestContext, sends: number, env: Readonly<Record<string, string>>) {
    const service = await startFeedback(sqlite, {
      catalogue: surveyPageCatalogue,
      env: { SOUNDINGS_THROTTLE: 'on', SOUNDINGS_THROTTLE_PUBLIC_RATE: '1', ...env },
    });
    t.after(() => service.stop());
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.goto(service.baseUrl + path);
    await toLastStep(page);
    const html = await (await fetch(service.baseUrl + path)).text();
    const formToken = /name="token" value="([^"]+)"/.exec(html)![1]!;
    const body = JSON.stringify({ fields: { token: [formToken], 'q.Q-HOW': ['HOW-GOOD'] } });
    const statuses: number[] = [];
    for (let sent = 0; sent < sends; sent += 1)
      statuses.push(
        (await fetch(service.baseUrl + path, { method: 'POST', headers: jsonType, body })).status,
      );
    assert.equal(statuses[0], 200);
    return { service, page, statuses };
  }

  it('waits as long as it is told, in sight, keeps the answers and sends by itself', async (t) => {
    // The clock of the service stands still, so nothing is allowed anew.
    const { service, page, statuses } = await afterSends(t, 5, { SOUNDINGS_THROTTLE_PUBLIC_BURST: '4' });
    assert.equal(statuses.at(-1), 429);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/Please wait \d+ seconds? and send again/).waitFor();
    service.pass(60_000);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
  });

  it('works for its answers where it is asked to, without a word of the person', async (t) => {
    const { page } = await afterSends(t, 1, { SOUNDINGS_PAGE_HOT_PER_MINUTE: '1' });
    const answers: string[] = [];
    page.on('response', async (answer) => {
      if (answer.request().method() === 'POST') answers.push(`${answer.status()}`);
    });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    assert.deepEqual(answers, ['429', '200']);
  });

  it('tries until the server is back, and is one row [D-443]', async (t) => {
    const store = await sqlite.newStore();
    t.after(() => store.dispose());
    const env = { DATABASE_URL: store.databaseUrl };
    await setUp(['apply', writeCatalogue(surveyPageCatalogue)], env);
    const first = await startProcess(env);
    const { port } = new URL(first.baseUrl);
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.goto(`${first.baseUrl}${path}`);
    await toLastStep(page);
    await first.kill();
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Your answers could not be sent.').waitFor();
    const second = await startProcess(env, ['--port', port]);
    t.after(() => second.stop());
    // By itself, or when asked to: whichever comes first.
    await page
      .getByRole('button', { name: 'Try again' })
      .click({ timeout: 1_000 })
      .catch(() => {});
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const token = await tokenFor(second.baseUrl, await createClient(env, pageAccount));
    const answer = await fetch(
      `${second.baseUrl}/v1/projects/${pageProject}/data?from=1990-01-01&to=2100-01-01`,
      { headers: { authorization: `Bearer ${token}`, accept: 'application/json' } },
    );
    assert.equal(((await answer.json()) as { total: number }).total, 1);
  });
});

interface Row {
  readonly id: string;
  readonly responses: readonly {
    readonly id: string;
    readonly type: string;
    readonly answers: readonly string[];
  }[];
}

/** A row without what differs from one visit to the next. */
function contentOf(row: Row): Row {
  const responses = row.responses.filter(({ id }) => id !== 'completionTimeInMs');
  return { ...row, id: '', responses };
}

/** Presses Tab until that control has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let pressed = 0; pressed < 40; pressed += 1) {
    await page.keyboard.press('Tab');
    const at = await focused(page);
    if (at === name) return;
    seen.push(at);
  }
  assert.fail(`The Tab key does not lead to ${name}, but to ${seen.join(', ')}.`);
}

/** What has the focus, by the words that people see at it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const at = document.activeElement;
    const words = at.labels?.[0]?.querySelector('.phrase') ?? at.labels?.[0] ?? at;
    return words.textContent.trim();
  })()`);
}

/** How much of the page has moved since it was opened. */
function shiftOf(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const observer = new PerformanceObserver(() => {});
    observer.observe({ type: 'layout-shift', buffered: true });
    return observer.takeRecords().reduce((sum, { value }) => sum + value, 0);
  })()`);
}

async function saidFaults(page: Page): Promise<unknown> {
  await page.locator('.summary').waitFor();
  return page.evaluate(`({
    summary: document.querySelector('.summary').textContent.replaceAll(/\\s+/g, ' ').trim(),
    links: [...document.querySelectorAll('.summary a')].map((link) => link.getAttribute('href')),
    faults: [...document.querySelectorAll('.fault')].map((fault) => [fault.id, fault.textContent]),
    marked: [...document.querySelectorAll('[aria-invalid]')].map((one) => [
      one.dataset.question ?? one.id,
      one.getAttribute('aria-describedby'),
    ]),
  })`);
}

async function toLastStep(page: Page): Promise<void> {
  await page.getByLabel('Good', { exact: true }).check();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByLabel('Tell us more').fill('All was well');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('heading', { name: 'At last' }).waitFor();
}
