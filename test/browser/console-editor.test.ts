// The editor of surveys in a real browser: by keyboard alone from nothing to a survey that somebody answers, YAML and form on one
// draft, the preview in its sandbox, and whatever may happen to a draft.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { consoleCall } from '../support/console.ts';
import { accessibilityFaults, overflow, type VisitOptions, visit } from '../support/console-browser.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../support/console-roles.ts';
import { sqlite } from '../support/engines.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { storeRows } from '../support/store-rows.ts';

const hostile =
  '</script><script>top.hacked=1;parent.hacked=1</script><img src=x onerror="parent.hacked=1">\u202e"\'';

describe('the editor of surveys in a browser', () => {
  let service: FeedbackService;
  let browser: Browser;
  let base: string;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  let editor: string;

  before(async () => {
    service = await startFeedback(sqlite, { catalogue: feedbackCatalogue });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
    people = await visitorsAside(service.databaseUrl, acme, 'own');
    editor = await people.editor.newCookie();
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const open = (path: string, options: VisitOptions = {}) =>
    visit(browser, base, `/console/surveys/${path}`, { cookie: editor, width: 1440, ...options });
  const api = (method: string, path: string, body?: unknown) =>
    consoleCall(service.baseUrl, method, `/surveys/${path}`, {
      cookie: editor,
      ...(body === undefined ? {} : { body }),
    });
  const area = (page: Page): Locator => page.locator('.code textarea');
  const write = (page: Page, text: string): Promise<void> =>
    area(page).evaluate((field: { value: string } & EventTarget, value) => {
      field.value = value;
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }, text);
  const view = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();
  const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]');

  it('by keyboard alone a survey is begun, written and published, and somebody answers it', async () => {
    const { page, faults } = await open('new');
    const press = (...keys: readonly string[]) =>
      keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
    const tabTo = async (target: Locator, key = 'Tab'): Promise<void> => {
      await target.waitFor();
      for (let steps = 0; steps < 120; steps += 1) {
        if ((await target.and(page.locator(':focus')).count()) > 0) return;
        await page.keyboard.press(key);
      }
      assert.fail(`${target} is not reached by ${key}.`);
    };
    // A project, from nothing.
    await tabTo(page.getByRole('radio', { name: /^Measure/ }));
    await press('ArrowDown');
    await tabTo(page.getByRole('radio', { name: 'A starter' }));
    await press('ArrowDown');
    await tabTo(page.getByLabel('Name', { exact: true }));
    await page.keyboard.type('Written by keys');
    await press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Written by keys' }).waitFor();
    // A question with answers.
    const kind = page.getByLabel('Add a question');
    await tabTo(kind);
    await page.keyboard.type('One of several');
    await tabTo(page.getByRole('button', { name: 'Add', exact: true }));
    await press('Enter');
    const name = page.getByLabel('What people are asked');
    await tabTo(name);
    await press('Control+a');
    await page.keyboard.type('Did it work?');
    // A second one, which is asked only after No.
    await tabTo(kind, 'Shift+Tab');
    await page.keyboard.type('Several lines');
    await tabTo(page.getByRole('button', { name: 'Add', exact: true }));
    await press('Enter');
    await page.getByRole('heading', { name: 'Question Q2' }).waitFor();
    await tabTo(name);
    await press('Control+a');
    await page.keyboard.type('What went wrong?');
    await tabTo(page.getByRole('button', { name: 'Ask only if …' }));
    await press('Enter');
    const answer = page.getByLabel('Answer 1');
    await tabTo(answer);
    await page.keyboard.type('No');
    assert.equal(await answer.inputValue(), 'A2');
    // Into another order and back.
    const second = page.locator('.outline .item', { hasText: 'Q2' });
    await tabTo(second, 'Shift+Tab');
    await press('Alt+ArrowUp');
    await page.locator('.outline li:first-child', { hasText: 'Q2' }).waitFor();
    await press('Control+z');
    await page.locator('.outline li:first-child', { hasText: 'Q1' }).waitFor();
    // The true page follows.
    await preview(page).getByText('Did it work?').waitFor();
    assert.equal(await preview(page).getByText('What went wrong?').isVisible(), false);
    // Published.
    await tabTo(page.getByRole('button', { name: 'Publish …' }), 'Shift+Tab');
    await press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('New project “Written by keys”').waitFor();
    await tabTo(dialog.getByRole('button', { name: 'Publish', exact: true }));
    await press('Enter');
    await dialog.getByText('Published.').waitFor();
    const href = await dialog.getByRole('link', { name: 'Open the page' }).getAttribute('href');
    await press('Escape');
    await page.getByText('No unpublished changes').waitFor();
    assert.equal(await page.locator(':focus').count(), 1, 'the focus is lost');
    assert.deepEqual(faults, []);
    await page.context().close();

    const answering = await (await browser.newContext()).newPage();
    await answering.goto(base + href!.replace('?test=1', ''));
    await answering.getByLabel('No', { exact: true }).check();
    await answering.getByLabel('What went wrong?').fill('Everything');
    await answering.getByRole('button', { name: 'Send' }).click();
    await answering.waitForURL(/thanks/);
    await answering.context().close();
    const id = decodeURIComponent(href!.slice(3, href!.indexOf('?')));
    const used = await storeRows(
      service.databaseUrl,
      `select survey_id from survey_used where survey_id = '${id}'`,
    );
    assert.equal(used.length, 1);
  });

  it('the preview is the true page in a sandbox; its scores are those that the service gives for the same answers [D-571]', async () => {
    const { page, faults } = await open('measures/700/edit');
    const frame = preview(page);
    await frame.locator('input[name="q.Q-SAT-1"][value="Q-SAT-1-7"]').check({ force: true });
    await frame.locator('input[name="q.Q-SAT-2"][value="Q-SAT-2-4"]').check({ force: true });
    await frame.getByLabel('Yes').check({ force: true });
    const sent = await service.post(
      {
        surveyDefinitionId: 'acme-web',
        responseId: 'as-in-preview',
        responses: { 'Q-SAT-1': ['7'], 'Q-SAT-2': ['4'], 'Q-FOUND': ['A-YES'] },
      },
      await service.token(acme),
    );
    assert.ok(sent.status < 300, sent.text);
    const { body } = await service.get(
      '/v1/measures/700/responses/as-in-preview/trace',
      await service.token(acme),
    );
    const { latents } = body as unknown as {
      latents: {
        id: string;
        name: string;
        score: number | null;
        questions: { id: string; contribution: number | null }[];
      }[];
    };
    const satisfaction = latents.find(({ id }) => id === 'L-SAT')!;
    const shown = page.locator('.preview details', { hasText: 'Satisfaction' });
    await shown.getByText(satisfaction.score!.toFixed(1)).first().waitFor();
    await shown.locator('summary').click();
    for (const { id, contribution } of satisfaction.questions) {
      const row = await shown.locator('tr', { hasText: id }).locator('td').allTextContents();
      assert.equal(Number(row.at(-1)), Number(contribution!.toFixed(1)), id);
    }
    // It is answered like the page, and nothing arrives.
    const count = async () =>
      (
        await storeRows(
          service.databaseUrl,
          `select sum(last_seq) as n from log_counter where account_id = ${acme}`,
        )
      )[0]!.n;
    const before = await count();
    await frame.getByRole('button', { name: 'Send' }).click();
    await frame.getByRole('heading', { level: 1, name: /Thank/ }).waitFor();
    assert.equal(await count(), before);
    const attributes = await page
      .locator('iframe')
      .evaluate((one) => [one.getAttribute('sandbox'), one.getAttribute('srcdoc')]);
    assert.deepEqual([attributes, faults], [['allow-scripts allow-forms', null], []]);
    await page.context().close();
  });

  it('YAML and form are one draft: faults stand at their lines, comments stay, what is no YAML loses nothing', async () => {
    const { page, faults } = await open('measures/701/edit');
    await view(page, 'YAML');
    const text = await area(page).inputValue();
    await write(page, `# mine\n${text.replace('type: SATISFACTION', 'type: HAPPINESS')}`);
    const line = text.split('\n').findIndex((one) => one.includes('type: SATISFACTION')) + 2;
    await page.getByRole('button', { name: new RegExp(`^Line ${line}:`) }).waitFor();
    await page.getByText(/type must be one of ELEMENTS/).waitFor();
    assert.equal((await page.locator('.code .faulty').innerText()).trim(), `${line}`);
    await page.getByRole('button', { name: new RegExp(`^Line ${line}:`) }).click();
    assert.equal(await area(page).and(page.locator(':focus')).count(), 1);
    await page.getByText('The draft has faults: this is the last state without any.').waitFor();
    await write(page, `# mine\n${text.replace('name: Acme quiet', 'name: Acme loud')}`);
    await page.getByRole('heading', { level: 1, name: 'Acme loud' }).waitFor();
    await view(page, 'Form');
    assert.equal(await page.getByLabel('Name of the measure').inputValue(), 'Acme loud');
    await view(page, 'YAML');
    assert.match(await area(page).inputValue(), /^# mine\n/);
    await write(page, 'name: [');
    await page
      .getByRole('button', { name: /^Line 1:/ })
      .first()
      .waitFor();
    await view(page, 'Form');
    await page.getByText(/is not valid YAML yet/).waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).first().click();
    await page.getByLabel('Name of the measure').fill('Acme from the form');
    await view(page, 'Changes');
    await page.locator('.diff .plus', { hasText: 'name: Acme from the form' }).waitFor();
    await page.locator('.diff .minus', { hasText: 'name: Acme quiet' }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('unpublished work outlives a closed tab; of two editors the second is told who was first, and loses nothing [D-572]', async () => {
    const { page, faults } = await open('projects/300/edit');
    await page.getByLabel('Name of the project').fill('My badge');
    await page.waitForFunction(() => Object.values(localStorage).some((text) => text.includes('My badge')));
    await page.close();
    const again = await page.context().newPage();
    await again.goto(`${base}/console/surveys/projects/300/edit`);
    await again.getByText(/unpublished work from .* was restored/).waitFor();
    assert.equal(await again.getByLabel('Name of the project').inputValue(), 'My badge');
    // Somebody else publishes meanwhile.
    const { document, base: begun } = (await api('GET', 'projects/300/document')).body as {
      document: object;
      base: string;
    };
    const other = await consoleCall(service.baseUrl, 'POST', '/surveys/projects/300/publish', {
      cookie: await people.admin.newCookie(),
      body: { document: { ...document, description: 'Theirs' }, base: begun },
    });
    assert.equal(other.status, 200, other.text);
    await again.getByRole('button', { name: 'Publish …' }).click();
    await again.getByText(/own-admin published this survey at/).waitFor();
    assert.equal(await again.getByLabel('Name of the project').inputValue(), 'My badge');
    await again.getByRole('button', { name: 'Continue with my draft' }).click();
    await again.locator('.diff .minus', { hasText: 'description: Theirs' }).waitFor();
    await again.getByRole('button', { name: 'Publish …' }).click();
    // The connection is lost: it is said, and the same button tries again.
    await again.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).waitFor();
    await again.context().setOffline(true);
    await again.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await again.getByRole('dialog').getByRole('alert').waitFor();
    await again.context().setOffline(false);
    await again.getByRole('dialog').getByRole('button', { name: 'Try again' }).click();
    await again.getByRole('dialog').getByText('Published.').waitFor();
    const now = (await api('GET', 'projects/300/document')).body as { document: { name: string } };
    assert.equal(now.document.name, 'My badge');
    assert.equal(
      await again.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('draft')).length),
      0,
    );
    assert.deepEqual(faults, []);
    await again.context().close();
  });

  it('what was asked stays: the dialog says so, and makes a new version of the draft by one button', async () => {
    const { page } = await open('measures/700/edit');
    await page.getByText(/so its questions can no longer change/).waitFor();
    await page.locator('.outline .item', { hasText: 'Q-WHERE' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('“Where did you look?” was deleted.').waitFor();
    await page.getByRole('button', { name: 'Publish …' }).click();
    await page
      .getByRole('dialog')
      .getByText(/the question Q-WHERE cannot be taken away/)
      .waitFor();
    await page.getByRole('button', { name: 'Make it version 4' }).click();
    await page.getByText('New version acme-web-4').waitFor();
    await page.getByText('Version acme-web is no longer the current one').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.context().close();
  });

  it('in German the service and the page say what is wrong in German, and the button is there [D-1041]', async () => {
    const { page } = await open('measures/700/edit', { language: 'de' });
    await page.locator('.outline .item', { hasText: 'Q-WHERE' }).click();
    await page.getByRole('button', { name: 'Löschen', exact: true }).click();
    await page.getByRole('button', { name: 'Veröffentlichen …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^acme-web hat Antworten, und die Frage Q-WHERE kann nicht wegfallen;/).waitFor();
    await dialog.getByRole('button', { name: 'Version 4' }).waitFor();
    await page.context().close();
  });

  it('hostile drafts stay texts, everywhere; ten thousand questions and circles are faults, and the page goes on', async () => {
    const choices = { responseType: 'RADIO', answers: [{ id: 'A', text: hostile }, { id: 'B' }] };
    const document = {
      id: 7000,
      name: hostile,
      surveys: [
        {
          id: 'hostile',
          title: 'x'.repeat(10) + hostile,
          questions: [{ id: 'Q<b>"\'', name: hostile, help: hostile.slice(0, 900), ...choices }],
          page: {
            intro: hostile,
            thanks: { text: hostile },
            sections: [{ title: hostile, questions: ['Q<b>"\''] }],
          },
          translations: { ar: { title: hostile } },
        },
      ],
    };
    const published = await api('POST', 'projects/7000/publish', { document, base: null });
    assert.equal(published.status, 200, published.text);
    const { page, faults } = await open('projects/7000/edit');
    await preview(page).getByRole('heading', { level: 1 }).waitFor();
    assert.equal(await preview(page).getByRole('heading', { level: 1 }).innerText(), `xxxxxxxxxx${hostile}`);
    await page.locator('.outline .item', { hasText: 'Q<b>' }).click();
    for (const name of ['YAML', 'Changes', 'Form']) {
      await view(page, name);
      await page.locator('.work h2').first().waitFor();
    }
    const hacked = await page.evaluate(() => ('hacked' in globalThis ? 'yes' : 'no'));
    const scripts = await preview(page).locator('script:not([type="application/json"]):not([src])').count();
    assert.deepEqual([hacked, scripts, faults], ['no', 0, []]);
    await view(page, 'YAML');
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      id: `Q${index}`,
      name: 'x',
      responseType: 'TEXT',
    }));
    await write(page, JSON.stringify({ id: 7000, name: 'x', surveys: [{ id: 'hostile', questions: many }] }));
    await page.getByText(/These are 10000 latents and questions/).waitFor();
    const circle = ['A', 'B'].map((id, index) => ({
      id,
      name: id,
      responseType: 'TEXT',
      rules: [{ question: ['B', 'A'][index], operator: 'contains', answer: 'x' }],
    }));
    await write(
      page,
      JSON.stringify({ id: 7000, name: 'Round', surveys: [{ id: 'hostile', questions: circle }] }),
    );
    await page
      .getByText(/go in a circle/)
      .first()
      .waitFor();
    await page.getByRole('heading', { level: 1, name: 'Round' }).waitFor();
    await page.context().close();
  });

  it('every view is accessible and fits, in light and English at 1440 px, in dark and French at 360 px', async () => {
    for (const [options, names] of [
      [{ theme: 'light', language: 'en', width: 1440 }, ['YAML', 'Changes']],
      [{ theme: 'dark', language: 'fr', width: 360 }, ['YAML', 'Changements']],
    ] as const) {
      const { page, faults } = await open('measures/700/edit', options);
      await page.locator('iframe').waitFor();
      const look = async (what: string, isChecked = true): Promise<void> => {
        if (isChecked) assert.deepEqual(await accessibilityFaults(page), [], `${what} ${options.width}`);
        const wide = (await overflow(page)).filter((html) => !/^<(t|span)/.test(html));
        assert.deepEqual(wide, [], `${what} ${options.width}`);
      };
      const parts = page.locator('.outline .item');
      for (const index of [0, 1, 2, 3, 4, 5]) {
        await parts.nth(index).click();
        // Some of the parts in each look: what differs between the looks are colours, and those are the same in all parts.
        await look(`part ${index}`, (options.width === 360 ? [2, 5] : [1, 3]).includes(index));
      }
      await parts.filter({ hasText: 'Q-WHY' }).click();
      await look('a question with rules');
      for (const name of names) {
        await view(page, name);
        await page.locator('.work h2').first().waitFor();
        await look(name);
      }
      await page.goto(`${base}/console/surveys/new`);
      await page.locator('form').waitFor();
      await look('new');
      assert.deepEqual(faults, []);
      await page.context().close();
    }
  });

  it('whoever may not edit has no editor; a survey that is not there is said not to be', async () => {
    const { page } = await open('measures/700/edit', { cookie: await people.analyst.newCookie() });
    assert.equal(await page.locator('.editor').count(), 0);
    await page.context().close();
    const { page: missing } = await open('measures/424242/edit');
    await missing.getByRole('heading', { level: 1, name: 'There is no such survey' }).waitFor();
    await missing.context().close();
  });

  it('the editor is 70 kB at most, compressed, beside the page in its preview; the parser of YAML comes when it is wanted', async () => {
    const { page } = await open('measures/701/edit');
    const names = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    const files = [...new Set(names.filter((name) => name.startsWith('/console/assets/')))];
    assert.ok(!files.some((name) => name.includes('yaml')), files.join());
    const sizes = await Promise.all(
      files.map(
        async (name) =>
          gzipSync(Buffer.from(await (await fetch(base + name)).arrayBuffer()), { level: 9 }).length,
      ),
    );
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 20_000 && bytes < 70_000, `${bytes}`);
    await page.context().close();
  });
});
