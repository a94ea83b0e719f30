// A survey on a page into which somebody may write HTML, but no scripts: elements become members of document and window under
// their names and ids, and none of them may decide what is loaded from where.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { builtFiles } from '../support/browser-build.ts';
import { sqlite } from '../support/engines.ts';
import { acme } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { type HostPages, startHostPages } from '../support/host-pages.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { until } from '../support/service.ts';

const stranger = 'http://stranger.example';

/** What the scripts read of the page around and of its elements, by name. */
const readNames = [
  'Soundings',
  'addEventListener',
  'append',
  'body',
  'createElement',
  'currentScript',
  'dataset',
  'dispatchEvent',
  'documentElement',
  'focus',
  'lang',
  'navigation',
  'querySelector',
  'removeEventListener',
  'src',
];
const formNames = ['add', ...readNames];

/** Each kind of element that has a name of its own in a document or a window. */
const clobberings: Readonly<Record<string, (name: string) => string>> = {
  img: (name) =>
    `<img id="${name}" name="${name}" alt="" data-survey="x" src="data:," data-src="${stranger}/x.js">`,
  form: (name) =>
    `<form id="${name}" name="${name}" data-survey="x" action="${stranger}/" hidden>${formNames
      .map((field) => `<input name="${field}" value="${stranger}/x.js">`)
      .join('')}</form>`,
  object: (name) => `<object id="${name}" name="${name}" data-survey="x"></object>`,
  embed: (name) => `<embed id="${name}" name="${name}" data-survey="x" hidden>`,
  // Two of a name are a collection, which has the second as a member.
  a: (name) => `<a id="${name}" href="${stranger}/x.js"></a><a id="${name}" name="add"></a>`,
};

const survey = {
  id: 'open-1',
  modelInstanceId: 'open-1',
  version: 1,
  current: true,
  public: true,
  title: 'Your visit',
  questions: [{ id: 'Q-STARS', name: 'How was your visit?', responseType: 'STAR_RATING', role: 'rating' }],
  parameters: { custom: [{ id: 'C-TIER', name: 'tier' }] },
};

/** As docs/surveys.md says it. */
const queue = `<script>
  Object.hasOwn(window, 'Soundings') || (window.Soundings = []);
  Soundings.push(['set', { tier: 'gold' }]);
  window.heard = [];
  Soundings.push(['on', 'answered', ({ survey }) => heard.push(survey)]);
</script>`;

describe('a survey on a page with hostile elements', () => {
  let service: FeedbackService;
  let hosts: HostPages;
  let browser: Browser;
  let token: string;
  const markup = new Map<string, string>();

  before(async () => {
    hosts = await startHostPages(() => service.baseUrl, markup);
    service = await startFeedback(sqlite, {
      catalogue: {
        accounts: [
          {
            id: acme,
            name: 'Acme',
            measures: [],
            projects: [{ id: 300, name: 'open', siteKey: 'open-key', status: 'ACTIVE', surveys: [survey] }],
          },
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
  });

  /** A page with this markup before the scripts; what it asked of strangers, and what went wrong in it. */
  async function visit(path: string, html: string, scripts: readonly string[]) {
    markup.set(`/plain/${path}`, html);
    const context = await browser.newContext();
    const page = await context.newPage();
    const strange: string[] = [];
    const faults: string[] = [];
    const known = [hosts.origin, service.baseUrl, 'data:', 'about:'];
    page.on('request', (request) => {
      if (!known.some((start) => request.url().startsWith(start))) strange.push(request.url());
    });
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(hosts.address('plain', scripts, `/${path}`));
    return { page, context, strange, faults };
  }

  /** Playwright's own selectors read `document.querySelector`, which such a page has not. */
  const inShadows = (selector: string): string =>
    `[...Document.prototype.querySelectorAll.call(document, '*')]
      .flatMap((one) => [...(one.shadowRoot?.querySelectorAll(${JSON.stringify(selector)}) ?? [])])`;
  const see = (page: Page, selector: string): Promise<unknown> =>
    until(
      () => page.evaluate(`${inShadows(selector)}.length`),
      (count) => count === 1,
    );
  const click = async (page: Page, selector: string): Promise<void> => {
    await see(page, selector);
    await page.evaluate(`${inShadows(selector)}[0].click()`);
  };
  const answer = async (page: Page): Promise<void> => {
    await see(page, 'form[data-started]');
    await page.evaluate(`${inShadows('[type=radio]')}[3].click()`);
    await click(page, '.send');
    await until(
      () => page.evaluate('heard'),
      (heard) => JSON.stringify(heard) === '["open-1"]',
    );
  };
  const rows = async (): Promise<readonly unknown[]> => {
    const { body } = await service.get('/v1/projects/300/data?from=1990-01-01&to=2100-01-01', token);
    return body.items as unknown[];
  };
  const allNames = async (): Promise<readonly string[]> => {
    const page = await browser.newPage();
    const names: readonly string[] = await page.evaluate(`(() => {
      const names = new Set();
      for (const start of [document, EventTarget.prototype])
        for (let at = start; at !== null; at = Object.getPrototypeOf(at))
          for (const name of Object.getOwnPropertyNames(at)) names.add(name);
      return [...names];
    })()`);
    await page.close();
    return names;
  };

  it('an <img name="currentScript"> of a stranger is not where the rest is loaded from [D-867]', async () => {
    const { page, context, strange, faults } = await visit(
      'image',
      `<img name="currentScript" data-survey="open-1" data-mode="badge" alt="" src="${stranger}/embed.js">${queue}`,
      ['data-survey="open-1" data-mode="badge"'],
    );
    await click(page, '.badge .own');
    await answer(page);
    // The image itself is loaded, and nothing more of theirs.
    assert.deepEqual(strange, [`${stranger}/embed.js`]);
    assert.deepEqual(faults, []);
    await context.close();
  });

  it('an <a>, <form> or <iframe> that is called Soundings is not taken for it, and earlier calls survive [D-867]', async () => {
    const ones = [
      '<a id="Soundings"></a>',
      '<a id="Soundings"></a><a id="Soundings" name="add"></a>',
      '<form id="Soundings" name="Soundings"><input name="add"><input name="push"></form>',
      '<iframe name="Soundings" srcdoc=""></iframe>',
      '<object id="Soundings"></object>',
    ];
    for (const [index, one] of ones.entries()) {
      const { page, context, strange, faults } = await visit(`soundings-${index}`, one + queue, [
        'data-survey="open-1" data-mode="badge"',
        'data-survey="open-1" data-mode="open"',
      ]);
      await click(page, '.badge .own');
      await answer(page);
      assert.equal(await page.evaluate('Soundings.explain().length'), 2, one);
      assert.match(JSON.stringify((await rows()).at(-1)), /"gold"/);
      assert.deepEqual([...strange, ...faults], [], one);
      await context.close();
    }
    // Without a queue, and with something of the page's own under that name.
    for (const one of ['<a id="Soundings"></a>', '<script>window.Soundings = "a word"</script>']) {
      const { page, context, faults } = await visit('without', one, [
        'data-survey="open-1" data-mode="badge"',
      ]);
      await see(page, '.badge .own');
      assert.deepEqual(faults, [], one);
      await context.close();
    }
  });

  for (const [tag, element] of Object.entries(clobberings))
    it(`with an <${tag}> for every name that a document or a window has, the survey is shown and answered [D-867]`, async () => {
      const names = new Set([...(await allNames()), ...readNames]);
      assert.ok(names.size > 250);
      const before = await rows();
      const modes = tag === 'form' ? ['badge', 'badge frame', ''] : [tag === 'a' ? 'badge frame' : 'badge'];
      for (const mode of modes) {
        const { page, context, strange, faults } = await visit(
          tag,
          [...names].map(element).join('\n') + queue,
          [`data-survey="open-1" data-mode="${mode}"`],
        );
        await click(page, mode === '' ? '.card .own:not(.plain)' : '.badge .own');
        if (mode === 'badge frame') {
          await see(page, '.frame');
          const frame = await until(
            async () => page.frames().find((one) => one.url().includes('/s/open-1')),
            (found) => found !== undefined,
          );
          await frame!.locator('[type=radio]').nth(3).check({ force: true });
          await frame!.locator('.send').click();
          await until(
            () => page.evaluate('heard'),
            (heard) => JSON.stringify(heard) === '["open-1"]',
          );
        } else await answer(page);
        assert.deepEqual([...strange, ...faults], [], mode);
        await context.close();
      }
      const kept = (await rows()).slice(before.length);
      assert.equal(kept.length, modes.length);
      for (const row of kept) assert.match(JSON.stringify(row), /"gold"/);
    });

  it('with an <iframe> for every name that the scripts read, the survey is shown and answered [D-867]', async () => {
    const frames = readNames.map((name) => `<iframe id="${name}" name="${name}" srcdoc=""></iframe>`);
    const { page, context, strange, faults } = await visit('frames', frames.join('\n') + queue, [
      'data-survey="open-1" data-mode="badge"',
    ]);
    await click(page, '.badge .own');
    await answer(page);
    assert.deepEqual([...strange, ...faults], []);
    await context.close();
  });

  it('a survey in a form whose fields hide its members is shown and answered, and no form of the page is taken for it', async () => {
    const fields = formNames.map((name) => `<input name="${name}">`).join('');
    const { page, context, strange, faults } = await visit(
      'inline',
      `<form id="here" tabindex="0">${fields}</form>
       <form data-survey="x" action="${stranger}/answers"><button class="send">Send</button></form>
       <script type="application/json" id="soundings-survey">{"questions":[]}</script>${queue}`,
      ['data-survey="open-1" data-target="#here"', 'data-survey="open-1" data-mode="popover"'],
    );
    // The offer is declined by a visitor who came from that form: where the focus was cannot be said, and that is all.
    await see(page, '.card .plain');
    await page.evaluate(
      "HTMLElement.prototype.focus.call(Document.prototype.querySelector.call(document, '#here'))",
    );
    await page.evaluate(`${inShadows('.card .plain')}[0].focus()`);
    await click(page, '.card .plain');
    assert.match(await page.evaluate('localStorage.soundings'), /endedAtMs/);
    await answer(page);
    assert.equal(
      await page.evaluate("Document.prototype.querySelectorAll.call(document, '[data-started]').length"),
      0,
    );
    assert.deepEqual([...strange, ...faults], []);
    await context.close();
  });

  it('a <base> that comes into the page after the script leads to no stranger [D-867]', async () => {
    const { page, context, strange } = await visit(
      'base',
      `<script src="/embed.js" data-survey="open-1" data-mode="badge" defer></script><base href="${stranger}/">`,
      [],
    );
    await page.waitForFunction('window.Soundings?.explain()[0].gates[0].why !== "being loaded"');
    // The icon is the page's own affair.
    assert.deepEqual(
      strange.filter((url) => !url.endsWith('/icon')),
      [],
    );
    await context.close();
  });

  it('a script element of SVG is no address to load from, and nothing happens [D-867]', async () => {
    const { page, context, strange, faults } = await visit(
      'svg',
      `<svg><script href="${service.baseUrl}/embed.js" data-survey="open-1" data-mode="badge"></script></svg>`,
      [],
    );
    await page.waitForLoadState('load');
    assert.equal(await page.evaluate('typeof window.Soundings'), 'undefined');
    assert.deepEqual([...strange, ...faults], []);
    await context.close();
  });

  it('the scripts read document and window by the prototypes alone [D-867]', () => {
    for (const name of ['embed.js', 'embed-content.js']) {
      const text = builtFiles('pages').get(name)!.bytes.toString();
      const ways = [...text.matchAll(/\b(?:document|window|globalThis|self)\b(?:\.\w+|\[\w+\])?/g)].map(
        ([way]) => way,
      );
      assert.deepEqual(
        new Set(ways),
        name === 'embed.js'
          ? new Set(['document', 'window', 'window[e]', 'window.Soundings'])
          : new Set(['document']),
        name,
      );
    }
  });
});
