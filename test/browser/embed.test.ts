// A survey on pages of another site, in a real browser: on a plain page, under a strict policy, and among hostile styles.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityFaults } from '../support/console-browser.ts';
import { sqlite } from '../support/engines.ts';
import { acme, bolt } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { type HostKind, type HostPages, hostKinds, startHostPages } from '../support/host-pages.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { until } from '../support/service.ts';

const openedBytesMax = 14_000;

const questions = [
  {
    id: 'Q-STARS',
    name: 'How was your visit?',
    responseType: 'STAR_RATING',
    role: 'rating',
    required: true,
    scale: { min: 1, max: 5, labels: { min: 'poor', max: 'great' } },
  },
  {
    id: 'Q-WHY',
    name: 'What went wrong?',
    responseType: 'TEXT_AREA',
    maxLength: 500,
    rules: [{ question: 'Q-STARS', operator: 'lt', answer: 3 }],
  },
];

const manyQuestions = Array.from({ length: 25 }, (_, index) =>
  index % 5 === 4
    ? { id: `Q-${index}`, name: `What else about part ${index} of our shop?`, responseType: 'TEXT_AREA' }
    : {
        id: `Q-${index}`,
        name: `How do you like part ${index} of our shop?`,
        responseType: index % 2 === 0 ? 'NPS' : 'RADIO',
        ...(index % 2 === 0
          ? {}
          : {
              answers: ['Very much', 'Much', 'Little'].map((text, at) => ({ id: `A-${index}-${at}`, text })),
            }),
      },
);

const survey = (id: string, invite: object, more: object = {}): object => ({
  id,
  modelInstanceId: id,
  version: 1,
  current: true,
  public: true,
  title: 'Your visit',
  translations: { de: { title: 'Ihr Besuch' } },
  page: { invite },
  questions,
  parameters: { custom: [{ id: 'C-TIER', name: 'tier' }] },
  ...more,
});

const project = (id: number, name: string, one: object): object => ({
  id,
  name,
  siteKey: `${name}-key`,
  status: 'ACTIVE',
  surveys: [one],
});

describe('a survey on pages of another site', () => {
  let service: FeedbackService;
  let hosts: HostPages;
  let others: HostPages;
  let browser: Browser;
  let token: string;

  before(async () => {
    hosts = await startHostPages(() => service.baseUrl);
    others = await startHostPages(() => service.baseUrl);
    const origins = [hosts.origin];
    const fillers = Array.from({ length: 200 }, (_, index) =>
      project(1000 + index, `filler-${index}`, survey(`filler-${index}-1`, {})),
    );
    service = await startFeedback(sqlite, {
      catalogue: {
        accounts: [
          {
            id: acme,
            name: 'Acme',
            measures: [],
            projects: [
              project(300, 'open', survey('open-1', {}, { origins })),
              project(301, 'calm', survey('calm-1', { quietDays: 30 }, { origins })),
              project(302, 'nobody', survey('nobody-1', { sample: 0, after: 3600, urls: ['/shop/*'] })),
              project(303, 'later', survey('later-1', { after: 4, urls: ['/plain/shop*'] })),
              project(304, 'closed', survey('closed-1', {}, { closed: true })),
              project(305, 'private', survey('private-1', {}, { public: false })),
              project(306, 'any', survey('any-1', {})),
              project(307, 'large', survey('large-1', {}, { questions: manyQuestions })),
              ...fillers,
            ],
          },
          { id: bolt, name: 'Bolt', measures: [], projects: [project(300, 'bolt', survey('bolt-1', {}))] },
        ],
      } as never,
    });
    token = await service.token(acme);
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    hosts?.close();
    others?.close();
  });

  interface Visit {
    readonly page: Page;
    readonly context: BrowserContext;
    readonly faults: string[];
  }

  /** A visitor of their own, unless one comes back. */
  async function visit(address: string, back?: BrowserContext, width = 1280): Promise<Visit> {
    const context =
      back ??
      (await browser.newContext({ viewport: { width, height: 720 }, reducedMotion: 'reduce', locale: 'en' }));
    const page = await context.newPage();
    const faults: string[] = [];
    const known = [hosts.origin, others.origin, service.baseUrl];
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith('data:') && !known.some((origin) => url.startsWith(origin))) faults.push(url);
    });
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(address);
    return { page, context, faults };
  }

  interface Explained {
    readonly survey: string;
    readonly isShown: boolean;
    readonly gates: readonly { readonly gate: string; readonly isOpen: boolean; readonly why: string }[];
  }
  const explained = (page: Page): Promise<readonly Explained[]> => page.evaluate('Soundings.explain()');
  /** Waits until every survey of the page is known, then names its closed gates. */
  const closedGates = async (page: Page, name: string): Promise<readonly string[]> => {
    await page.waitForFunction(
      "window.Soundings?.explain?.().every(({ gates: [one] }) => one.why !== 'being loaded')",
    );
    const { gates } = (await explained(page)).find(({ survey: one }) => one === name)!;
    return gates.filter(({ isOpen }) => !isOpen).map(({ gate }) => gate);
  };
  const rows = async (projectId: number): Promise<readonly Record<string, unknown>[]> => {
    const path = `/v1/projects/${projectId}/data?from=1990-01-01&to=2100-01-01`;
    const { body } = await service.get(path, token);
    return body.items as Record<string, unknown>[];
  };
  const focusedId = (page: Page): Promise<string> => page.evaluate('document.activeElement.id');
  const badge = (page: Page) => page.getByRole('button', { name: 'Feedback' });
  const offer = (page: Page) => page.getByRole('button', { name: 'Open the survey' });
  const dialog = (page: Page) => page.locator('dialog');
  /** The survey, in the page or in a frame. */
  const inside = (page: Page, isFramed: boolean) =>
    isFramed ? page.frameLocator('.frame') : page.locator('dialog');
  const noteEvents = (page: Page): Promise<unknown> =>
    page.addInitScript(`
      window.events = [];
      window.Soundings ??= [];
      for (const kind of ['shown', 'answered', 'declined', 'closed']) {
        Soundings.push(['on', kind, ({ survey }) => events.push('on ' + kind + ' ' + survey)]);
        document.addEventListener('soundings:' + kind, ({ detail }) => events.push(kind + ' ' + detail.survey));
      }`);
  /** From now on, by the events of the document alone. */
  const noteNow = (page: Page): Promise<unknown> =>
    page.evaluate(`
      window.events = [];
      for (const kind of ['shown', 'answered', 'declined', 'closed'])
        document.addEventListener('soundings:' + kind, ({ detail }) => events.push(kind + ' ' + detail.survey));`);
  const events = (page: Page): Promise<readonly string[]> => page.evaluate('events');

  const scripts: Readonly<Record<HostKind, string>> = {
    plain: 'data-survey="open-1" data-mode="badge"',
    hostile: 'data-survey="open-1" data-mode="badge"',
    strict: 'data-survey="open-1" data-mode="badge frame"',
  };

  it('badge, dialog and survey look alike on a plain page, under a strict policy and among hostile styles', async () => {
    const looks = new Map<HostKind, unknown>();
    const surfaces = new Map<HostKind, unknown>();
    for (const kind of hostKinds) {
      const { page, context, faults } = await visit(hosts.address(kind, [scripts[kind]]));
      const styleOf = `(() => {
        const names = ['display', 'position', 'color', 'backgroundColor', 'fontSize', 'fontFamily', 'fontWeight', 'lineHeight',
          'direction', 'textAlign', 'paddingTop', 'paddingLeft', 'marginTop', 'marginLeft', 'borderTopWidth', 'borderRadius',
          'opacity', 'transform', 'cursor', 'visibility'];
        return (one) => {
          const style = getComputedStyle(one);
          const { x, y, width, height } = one.getBoundingClientRect();
          return [one.localName, one.className, ...names.map((name) => style[name]), x, y, width, height].join(' ');
        };
      })()`;
      const before = await page.evaluate(
        `[...document.querySelectorAll('html,body,h1,#before,#place')].map(${styleOf})`,
      );
      await badge(page).click();
      await inside(page, kind === 'strict')
        .getByText('How was your visit?')
        .waitFor();
      // What lies on top there is ours, whatever the page puts above everything.
      const isOnTop = await page.evaluate(`(() => {
        const [host] = [...document.querySelectorAll('div')].filter((one) => one.shadowRoot?.querySelector('dialog'));
        const { x, y, width } = host.shadowRoot.querySelector('.close').getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + width / 2) === host;
      })()`);
      assert.equal(isOnTop, true, kind);
      const all = (selector: string): Promise<unknown> =>
        page.evaluate(`[...document.querySelectorAll('body > div')]
          .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(${JSON.stringify(selector)}) ?? [])])
          .map(${styleOf})`);
      surfaces.set(kind, await all('.badge, .badge .own'));
      looks.set(kind, await all('*'));
      const after = await page.evaluate(
        `[...document.querySelectorAll('html,body,h1,#before,#place')].map(${styleOf})`,
      );
      assert.deepEqual(after, before, `the styles of the ${kind} page`);
      assert.deepEqual(faults, [], kind);
      await context.close();
    }
    assert.ok((looks.get('plain') as unknown[]).length > 25);
    assert.deepEqual(looks.get('hostile'), looks.get('plain'));
    assert.deepEqual(surfaces.get('hostile'), surfaces.get('plain'));
    assert.deepEqual(surfaces.get('strict'), surfaces.get('plain'));
  });

  it('a survey is answered by keyboard alone on each of them, thanks in place, and gives the focus back', async () => {
    for (const [index, kind] of hostKinds.entries()) {
      const isFramed = kind === 'strict';
      const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, locale: 'en' });
      const first = await context.newPage();
      await noteEvents(first);
      const faults: string[] = [];
      first.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      await first.goto(hosts.address(kind, [scripts[kind]]));
      await badge(first).waitFor();
      await first.locator('#before').focus();
      const tabTo = async (isThere: () => Promise<boolean>): Promise<void> => {
        for (let presses = 0; presses < 30; presses += 1) {
          if (await isThere()) return;
          await first.keyboard.press('Tab');
        }
        assert.fail('The keyboard does not lead there.');
      };
      const isFocused = async (selector: string): Promise<boolean> =>
        (await inside(first, isFramed).locator(`${selector}:focus`).count()) > 0;
      await tabTo(async () => (await first.locator('.badge .own:focus').count()) > 0);
      await first.keyboard.press('Enter');
      const survey = inside(first, isFramed);
      await survey.getByText('How was your visit?').waitFor();
      // The script of the survey is there.
      await survey.locator('.status').first().waitFor({ state: 'attached' });
      await tabTo(() => isFocused('[type=radio]'));
      await first.keyboard.press('ArrowRight');
      await survey.getByText('What went wrong?').waitFor();
      await tabTo(() => isFocused('textarea'));
      await first.keyboard.type(`The ${kind} page`);
      await tabTo(() => isFocused('.send'));
      await first.keyboard.press('Enter');
      await survey.getByText('Your answers have arrived.').waitFor();
      assert.equal(new URL(first.url()).origin, hosts.origin);
      await until(
        () => events(first),
        (seen) => seen.includes('answered open-1'),
      );
      // The thank-you page has no script, so that nobody hears of an Escape inside of the frame.
      if (isFramed) await first.locator('.close').press('Enter');
      else await first.keyboard.press('Escape');
      await until(
        () => dialog(first).count(),
        (count) => count === 0,
      );
      assert.equal(await first.locator('.badge .own:focus').count(), 1, kind);
      assert.deepEqual(await events(first), [
        'shown open-1',
        'on shown open-1',
        'answered open-1',
        'on answered open-1',
        'closed open-1',
        'on closed open-1',
      ]);
      // The badge keeps nothing, whatever was done with it.
      const kept = await first.evaluate('[localStorage.length, sessionStorage.length, document.cookie]');
      assert.deepEqual(kept, [0, 0, '']);
      assert.deepEqual(await context.cookies(), []);
      assert.equal((await rows(300)).length, index + 1);
      assert.deepEqual(faults, [], kind);
      await context.close();
    }
    assert.match(JSON.stringify(await rows(300)), /The plain page.*The strict page.*The hostile page/s);
  });

  it('who declined or answered is not offered it again, nor another one that wants quiet, and explain() tells why', async () => {
    for (const end of ['decline', 'escape', 'close', 'answer'] as const) {
      const scripts = ['data-survey="open-1"', 'data-survey="calm-1"'];
      const { page, context, faults } = await visit(hosts.address('plain', scripts.slice(0, 1)));
      await offer(page).waitFor();
      await noteNow(page);
      // It is offered beside what the visitor does, and takes no focus.
      assert.equal(await page.evaluate('document.activeElement.localName'), 'body');
      await page.locator('#before').focus();
      if (end === 'decline') await page.getByRole('button', { name: 'No, thank you' }).click();
      if (end === 'escape') {
        await offer(page).focus();
        await page.keyboard.press('Escape');
        assert.equal(await focusedId(page), 'before');
      }
      if (end === 'close' || end === 'answer') {
        await offer(page).click();
        await dialog(page).getByText('How was your visit?').waitFor();
      }
      if (end === 'answer') {
        await dialog(page).locator('[type=radio]').last().check({ force: true });
        await dialog(page).getByRole('button', { name: 'Send' }).click();
        await dialog(page).getByText('Your answers have arrived.').waitFor();
      }
      if (end === 'close' || end === 'answer') {
        await page.keyboard.press('Escape');
        await until(
          () => dialog(page).count(),
          (count) => count === 0,
        );
        assert.equal(await focusedId(page), 'before', end);
      }
      const expected = {
        decline: ['declined'],
        escape: ['declined'],
        close: ['declined', 'closed'],
        answer: ['answered', 'closed'],
      };
      assert.deepEqual(
        await events(page),
        expected[end].map((kind) => `${kind} open-1`),
      );
      assert.equal(await offer(page).count(), 0);
      assert.deepEqual(await closedGates(page, 'open-1'), ['once', 'repeatDays']);

      const back = await visit(hosts.address('plain', scripts), context);
      assert.deepEqual(await closedGates(back.page, 'open-1'), ['repeatDays']);
      assert.deepEqual(await closedGates(back.page, 'calm-1'), ['quietDays']);
      assert.equal(await offer(back.page).count(), 0);
      const { gates } = (await explained(back.page)).find(({ survey: one }) => one === 'open-1')!;
      const { why } = gates.find(({ gate }) => gate === 'repeatDays')!;
      assert.equal(why, 'ended 0.00 days ago, at least 90');
      // Whoever asks for it has it all the same.
      await back.page.evaluate("Soundings.open('open-1')");
      await dialog(back.page).getByText('How was your visit?').waitFor();
      assert.deepEqual([...faults, ...back.faults], []);
      await context.close();
    }
  });

  it('a share, a path and a time are held to, and one survey at most is offered on a page', async () => {
    const nobody = await visit(hosts.address('plain', ['data-survey="nobody-1"']));
    assert.deepEqual(await closedGates(nobody.page, 'nobody-1'), ['urls', 'sample', 'after']);
    const later = await visit(hosts.address('plain', ['data-survey="later-1"'], '/shop/1'));
    assert.deepEqual(await closedGates(later.page, 'later-1'), ['after']);
    await offer(later.page).waitFor();
    assert.ok(((await later.page.evaluate('performance.now()')) as number) >= 4_000);
    const elsewhere = await visit(hosts.address('plain', ['data-survey="later-1"'], '/help'));
    assert.deepEqual(await closedGates(elsewhere.page, 'later-1'), ['urls', 'after']);
    // A page that changes its address without being loaded anew.
    await elsewhere.page.evaluate("history.pushState({}, '', '/plain/shop')");
    await offer(elsewhere.page).waitFor();
    const both = await visit(hosts.address('plain', ['data-survey="open-key"', 'data-survey="any-1"']));
    await offer(both.page).waitFor();
    const closed = await Promise.all(['open-key', 'any-1'].map((name) => closedGates(both.page, name)));
    assert.deepEqual(closed, [['once'], ['once']]);
    assert.equal(await offer(both.page).count(), 1);
    for (const { context } of [nobody, later, elsewhere, both]) await context.close();
  });

  it('where a page demands consent nothing is kept and nothing offered before it, and forgotten after it is taken back', async () => {
    const { page, context } = await visit(
      hosts.address('plain', ['data-survey="open-1" data-consent="required"']),
    );
    assert.deepEqual(await closedGates(page, 'open-1'), ['consent', 'memory', 'sample']);
    assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
    await page.evaluate('Soundings.consent(true)');
    await offer(page).waitFor();
    assert.deepEqual(await page.evaluate('Object.keys(localStorage)'), ['soundings']);
    await page.evaluate('Soundings.consent(false)');
    assert.equal(await page.evaluate('localStorage.length'), 0);
    await context.close();
    // A browser that keeps nothing at all.
    const without = await browser.newContext();
    await without.addInitScript(
      "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })",
    );
    const bare = await visit(
      hosts.address('plain', ['data-survey="open-1"', 'data-survey="any-1" data-mode="badge"']),
      without,
    );
    assert.deepEqual(await closedGates(bare.page, 'open-1'), ['memory', 'sample']);
    await badge(bare.page).click();
    await dialog(bare.page).getByText('How was your visit?').waitFor();
    assert.deepEqual(bare.faults, []);
    await without.close();
  });

  it('calls that were made before the script was there are not lost, and parameters arrive with the answers', async () => {
    for (const [index, mode] of ['open', 'open frame'].entries()) {
      const context = await browser.newContext();
      await context.addInitScript(
        "window.Soundings ??= [['set', { tier: 'gold', unknown: 'x' }], ['open', 'any-1']]",
      );
      const { page, faults } = await visit(
        hosts.address('plain', [`data-survey="any-1" data-mode="${mode}"`]),
        context,
      );
      const survey = inside(page, mode !== 'open');
      await survey.locator('[type=radio]').nth(3).check({ force: true });
      await survey.getByRole('button', { name: 'Send' }).click();
      await survey.getByText('Your answers have arrived.').waitFor();
      const kept = await rows(306);
      assert.equal(kept.length, index + 1);
      assert.match(JSON.stringify(kept.at(-1)), /"gold"/, mode);
      assert.deepEqual(faults, []);
      await context.close();
    }
  });

  it('a survey stands in the text of a page, speaks its language, and changes it in place', async () => {
    const { page, context, faults } = await visit(
      hosts.address('plain', ['data-survey="any-1" data-target="#place" data-lang="de"']),
    );
    await page.locator('#place').getByRole('heading', { name: 'Ihr Besuch' }).waitFor();
    await page.locator('#place').getByRole('link', { name: 'English' }).click();
    await page.locator('#place').getByRole('heading', { name: 'Your visit' }).waitFor();
    assert.equal(context.pages().length, 1);
    assert.deepEqual(faults, []);
    const lost = await visit(hosts.address('plain', ['data-survey="any-1" data-target="#nowhere"']), context);
    assert.deepEqual(await closedGates(lost.page, 'any-1'), ['survey']);
    assert.match((await explained(lost.page))[0]!.gates[0]!.why, /#nowhere/);
    await context.close();
  });

  it('what is unknown, private, closed or for other origins is not shown, and explain() says so [D-455] [D-458]', async () => {
    const names = ['nothing', 'private-1', 'closed-1', 'open-1'];
    const { page, context } = await visit(
      others.address(
        'plain',
        names.map((name) => `data-survey="${name}"`),
      ),
    );
    for (const name of names) assert.ok((await closedGates(page, name)).includes('survey'), name);
    assert.equal(await offer(page).count(), 0);
    await page.evaluate("Soundings.open('open-1')");
    assert.equal(await dialog(page).count(), 0);
    // Nor in a frame that the page makes by itself.
    const policyOf = async (path: string): Promise<string> =>
      (await fetch(service.baseUrl + path)).headers.get('content-security-policy') ?? '';
    assert.match(await policyOf('/s/open-1'), new RegExp(`frame-ancestors 'self' ${hosts.origin}(;|$)`));
    assert.match(
      await policyOf('/s/open-1/thanks'),
      new RegExp(`frame-ancestors 'self' ${hosts.origin}(;|$)`),
    );
    assert.match(await policyOf('/s/any-1'), /frame-ancestors \*/);
    for (const path of ['/console', '/console/sign-in', '/s/private-1', '/s/nothing', '/docs', '/'])
      assert.match(await policyOf(path), /frame-ancestors 'none'/, path);
    await context.close();
  });

  it("messages that do not come from the frame of the survey are nobody's answer [D-458]", async () => {
    const { page, context } = await visit(
      hosts.address('plain', ['data-survey="open-1" data-mode="badge frame"']),
    );
    await noteNow(page);
    await badge(page).click();
    const survey = page.frameLocator('.frame');
    await survey.getByText('How was your visit?').waitFor();
    const heightOf = (): Promise<number> => page.locator('.frame').evaluate((frame) => frame.clientHeight);
    const contentHeight = await survey.locator('html').evaluate((html) => html.clientHeight);
    await until(heightOf, (height) => Math.abs(height - contentHeight) <= 1);
    const height = await heightOf();
    await page.evaluate(`(async () => {
      postMessage({ soundings: 'answered' }, '*');
      postMessage({ soundings: 'height', height: 5 }, '*');
      postMessage(null, '*');
      // A frame of somebody else, in the same page.
      const other = document.createElement('iframe');
      other.srcdoc = "<script>parent.postMessage({ soundings: 'answered' }, '*'); parent.postMessage('done', '*')</scr" + "ipt>";
      await new Promise((resolve) => {
        addEventListener('message', ({ data }) => data === 'done' && resolve());
        document.body.append(other);
      });
    })()`);
    assert.deepEqual(await events(page), ['shown open-1']);
    assert.equal(await heightOf(), height);
    // Escape inside of the frame closes the dialog around it.
    await survey.locator('[type=radio]').first().focus();
    await page.keyboard.press('Escape');
    await until(
      () => dialog(page).count(),
      (count) => count === 0,
    );
    await context.close();
  });

  it('offer and survey fit 320 px, are accessible, and have targets of 44 px', async () => {
    for (const kind of ['plain', 'hostile'] as const) {
      const { page, context } = await visit(hosts.address(kind, ['data-survey="any-1"']), undefined, 320);
      await offer(page).waitFor();
      const boxes = async (
        selector: string,
      ): Promise<readonly { x: number; width: number; height: number }[]> =>
        page.locator(selector).evaluateAll((found) =>
          found.map((one) => {
            const { x, width, height } = one.getBoundingClientRect();
            return { x, width, height };
          }),
        );
      for (const { x, width } of await boxes('.card, .card *')) assert.ok(x >= 0 && x + width <= 320.5);
      for (const { width, height } of await boxes('.card .own')) assert.ok(width >= 44 && height >= 44);
      if (kind === 'plain') assert.deepEqual(await accessibilityFaults(page), []);
      await offer(page).click();
      await dialog(page).getByText('How was your visit?').waitFor();
      for (const { x, width } of await boxes('dialog :not(.honeypot, .honeypot *, .visually-hidden)'))
        assert.ok(x >= -0.5 && x + width <= 320.5, kind);
      for (const { width, height } of await boxes('dialog button:visible, dialog .answers label:visible'))
        assert.ok(width >= 44 && height >= 44, `${width} ${height}`);
      if (kind === 'plain') assert.deepEqual(await accessibilityFaults(page), []);
      await context.close();
    }
  });

  it('all that opening a survey of 25 questions loads is 14 kB at most, compressed', async () => {
    const { page, context } = await visit(hosts.address('plain', []));
    const loaded: Promise<Buffer>[] = [];
    const addresses: string[] = [];
    page.on('response', (answer) => {
      if (!answer.url().startsWith(service.baseUrl)) return;
      addresses.push(new URL(answer.url()).pathname);
      loaded.push(answer.body());
    });
    await page.goto(hosts.address('plain', ['data-survey="large-1" data-mode="badge"']));
    await badge(page).click();
    await dialog(page).locator('.status').first().waitFor({ state: 'attached' });
    const sizes = (await Promise.all(loaded)).map((bytes) => gzipSync(bytes, { level: 9 }).length);
    // The loader and what it asks for first are there before anybody opens anything, and have a bound of their own.
    const [, , ...opened] = sizes;
    const all = opened.reduce((sum, size) => sum + size, 0);
    const list = addresses.map((path, index) => `${path} ${sizes[index]}`).join(', ');
    assert.ok(all <= openedBytesMax, `${all} bytes: ${list}`);
    assert.deepEqual(addresses.slice(0, 2), ['/embed.js', '/s/large-1/embed.js']);
    assert.equal(opened.length, 4, list);
    await context.close();
  });
});
