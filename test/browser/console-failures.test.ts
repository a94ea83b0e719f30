// What every page of the console says when the service cannot be asked, refuses or is in maintenance: a sentence, what to do and the
// request to quote. Nothing that was typed is lost.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { consolePages, type PageName, pathOf } from '../../src/domain/console/page-paths.ts';
import { consoleCall } from '../support/console.ts';
import { visitorsAside } from '../support/console-roles.ts';
import { sqlite } from '../support/engines.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { OpenIdProvider } from '../support/openid-provider.ts';
import { until } from '../support/service.ts';

const requestId = '0e9f8c3a-5b1d-4a6e-9c2f-7d1b3a5c8e4f';

interface Failure {
  /** Undefined: the connection breaks. */
  readonly status?: number;
  readonly code?: string;
  readonly detail?: string;
  /** What the page says; buttons belong to what to do. */
  readonly says: string;
  readonly button?: string;
}

const failures = {
  lost: { says: 'The service cannot be reached. Check your connection and try again.' },
  // As a proxy answers, in a page of its own.
  noAnswer: {
    status: 502,
    says: 'The service does not answer at the moment. Try again, and quote the request below if it keeps happening.',
  },
  throttled: {
    status: 429,
    code: 'THROTTLED',
    says: 'Too many attempts. Wait a moment and try again.',
  },
  conflict: {
    status: 409,
    code: 'CONFLICT',
    detail: 'There is one already.',
    says: 'There is one already. Look at the current state, and try again. What you typed is still here.',
  },
  forbidden: {
    status: 403,
    code: 'ABILITY_MISSING',
    detail: 'None of your roles lets you do this. Ask an admin of the account for one that does.',
    says: 'None of your roles lets you do this. Ask an admin of the account for one that does.',
  },
  signedOut: {
    status: 401,
    code: 'SIGN_IN_REQUIRED',
    says: 'Your session has ended. Please sign in again.',
    button: 'Sign in',
  },
} as const satisfies Readonly<Record<string, Failure>>;
type FailureName = keyof typeof failures;

const maintenance = 'The service is under maintenance. Please come back later.';
/** Asked for by the frame, which says what is the matter with them in a line of its own. */
const ofFrame = /\/console\/api\/(live|session|sign-in\/ways)\b/;

interface Form {
  readonly page: string;
  readonly path: () => string;
  readonly as?: 'operator' | 'nobody';
  /** Opens the form and fills it in; gives where its failure is told, and what sends it. */
  readonly fill: (page: Page) => Promise<{ readonly place: Locator; readonly send: () => Promise<unknown> }>;
  /** Fields with what was typed into them, as the page shows them afterwards. */
  readonly kept: Readonly<Record<string, string>>;
  readonly failures?: readonly FailureName[];
  readonly isOpenInMaintenance?: true;
}

describe('what pages of the console say when something fails', () => {
  let service: FeedbackService;
  let provider: OpenIdProvider;
  let browser: Browser;
  let base: string;
  const contexts: Partial<Record<'admin' | 'operator' | 'nobody', BrowserContext>> = {};
  const params: Partial<Record<PageName, Readonly<Record<string, string>>>> = {};
  let setupHash: string;
  let viewHash: string;
  /** What becomes of the requests of pages now. */
  let failing: FailureName | null = null;
  let isPreloadGone = false;
  /** Pages that renew themselves go on. */
  let isSendingOnly = false;

  before(async () => {
    provider = await OpenIdProvider.start();
    const [first, ...others] = feedbackCatalogue.accounts as readonly {
      readonly id: number;
      readonly name: string;
      readonly projects: readonly object[];
    }[];
    const strict = {
      ...{ id: 399, name: 'Acme strict', siteKey: 'acme-strict', status: 'ACTIVE' },
      surveys: [
        {
          id: 'acme-strict-1',
          quarantine: true,
          questions: [{ id: 'Q-STARS', name: 'Stars', responseType: 'STAR_RATING', role: 'rating' }],
        },
      ],
    };
    service = await startFeedback(sqlite, {
      catalogue: { accounts: [{ ...first!, projects: [...first!.projects, strict] }, ...others] },
      env: { SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.1' },
    });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
    const token = await service.token(acme);
    const answers = { 'Q-SAT-1': ['7'], 'Q-SAT-2': ['4'], 'Q-FOUND': ['A-YES'] };
    for (const body of [
      { surveyDefinitionId: 'acme-web', responseId: 'one', responses: answers },
      { surveyDefinitionId: 'acme-strict-1', responses: { 'Q-STARS': ['17'] } },
    ])
      await service.post(body, token);
    const people = await visitorsAside(service.databaseUrl, acme, 'own');
    const admin = await people.admin.newCookie();
    const made = async (path: string, body: object): Promise<Readonly<Record<string, string>>> => {
      const answer = await consoleCall(service.baseUrl, 'POST', path, { cookie: admin, body });
      assert.ok(answer.status < 300, answer.text);
      return answer.body as unknown as Readonly<Record<string, string>>;
    };
    const connection = await made('/connections', {
      ...{ name: 'Acme ID', issuer: provider.issuer, clientId: provider.clientId },
      ...{ secret: provider.clientSecret, subjectClaim: 'oid' },
    });
    const group = await made('/groups', { displayName: 'Shops' });
    const link = await made('/setup-link', { kind: 'okta' });
    setupHash = new URL(link.url!).hash;
    const view = await made('/views', {
      ...{ name: 'Quarter', kind: 'measure', key: 700, days: 7, from: '2026-01-01', to: '2026-01-31' },
    });
    viewHash = new URL(view.url!).hash;
    const source = { kind: 'measures', key: '700' };
    Object.assign(params, {
      ...{ measure: source, project: { key: '300' }, comments: source, responses: source },
      ...{ response: { ...source, id: 'one' }, survey: source, 'edit-survey': source },
      share: { kind: 'projects', key: '300' },
      ...{
        user: { id: String(people.viewer.id) },
        group: { id: group.id! },
        provider: { id: connection.id! },
      },
    });
    browser = await launchBrowser();
    for (const [who, cookie] of [
      ['admin', admin],
      ['operator', await people['operator outside'].newCookie()],
      ['nobody', null],
    ] as const) {
      const context = await browser.newContext({ locale: 'en', viewport: { width: 1280, height: 800 } });
      context.setDefaultTimeout(30_000);
      const [name = '', value = ''] = cookie?.split(/=(.*)/s) ?? [];
      if (cookie !== null) await context.addCookies([{ name, value, url: base }]);
      await context.route(/\/(console|shared)\/api\//, answer);
      await context.route(/\/console(\/(?!api|assets)[^#]*)?$/, withoutPreload);
      contexts[who] = context;
    }
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
    await provider?.stop();
  });

  async function answer(route: Route): Promise<void> {
    const request = route.request();
    const isAsking = request.method() === 'GET' && !request.url().includes('/free-key');
    if (failing === null || ofFrame.test(request.url()) || (isSendingOnly && isAsking))
      return route.continue();
    const { status, code, detail }: Failure = failures[failing];
    if (status === undefined) return route.abort('connectionreset');
    const headers = { 'x-request-id': requestId };
    if (code === undefined)
      return route.fulfill({ status, headers, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
    return route.fulfill({
      ...{ status, headers, contentType: 'application/problem+json' },
      body: JSON.stringify({ status, code, detail: detail ?? code, requestId }),
    });
  }

  /** So that the page asks for its figures itself. */
  async function withoutPreload(route: Route): Promise<void> {
    if (!isPreloadGone || route.request().resourceType() !== 'document') return route.continue();
    const page = await route.fetch();
    const body = (await page.text()).replace(
      /(<script type="application\/json" id="page-preload">)(.*?)(<\/script>)/s,
      (_all, begin: string, data: string, end: string) =>
        begin + JSON.stringify({ ...(JSON.parse(data) as object), answers: {} }) + end,
    );
    return route.fulfill({ response: page, body });
  }

  /** Every alert of the place says what this failure says; each panel has its own, and tells of it when its own answer has come. */
  async function judge(place: Locator, name: string, what: string, says: string): Promise<readonly string[]> {
    const alert = place.getByRole('alert').filter({ visible: true });
    const { button, status } = (failures[name as FailureName] ?? { status: 503 }) as Partial<Failure>;
    const fault = (why: string): string => `${what}, ${name}: ${why}`;
    const faultsNow = async (): Promise<readonly string[]> => {
      const texts = (await alert.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
      if (texts.length === 0) return [fault(`says ${JSON.stringify(await place.first().innerText())}`)];
      return texts.flatMap((text) => [
        ...(text.includes(says) ? [] : [fault(`says "${text}"`)]),
        ...(status === undefined || /Request [0-9a-f-]{36}/.test(text) ? [] : [fault(`no request: ${text}`)]),
        // On their own page the frame has it, in its line.
        ...(button === undefined || what === 'me' || text.includes(button)
          ? []
          : [fault(`no button: ${text}`)]),
      ]);
    };
    let faults: readonly string[] = [];
    await until(
      async () => {
        faults = await faultsNow();
        return faults;
      },
      ({ length }) => length === 0,
      30_000,
    ).catch(() => {});
    return faults;
  }

  const addressOf = (name: PageName): string => base + pathOf(name, params[name] ?? {});
  const isOfOperators = (name: PageName): boolean =>
    (consolePages[name].abilities as readonly string[]).includes('operate');
  const names = Object.keys(consolePages) as PageName[];
  /** Without anything to load that it could not do without. */
  const quiet: readonly PageName[] = ['new-survey'];

  /** A page that is open already goes on as by a link: what the next page asks for is asked for, and no script is loaded twice. */
  async function open(page: Page, name: PageName): Promise<void> {
    const address = addressOf(name);
    if (!page.url().startsWith(base)) return void (await page.goto(address, { waitUntil: 'commit' }));
    const go = (to: string): Promise<unknown> =>
      page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent('popstate'));`,
      );
    // So that nothing of the page before is taken for the next one's.
    await go(`${base}/console/nothing-is-here`);
    await page.locator('h1', { hasText: 'Page not found' }).waitFor();
    await go(address);
  }
  const newPages = async () => ({
    admin: await contexts.admin!.newPage(),
    operator: await contexts.operator!.newPage(),
  });

  /** Each panel that failed has its own button, and some are seen only when the page itself is there. */
  async function pressUntilGone(buttons: Locator): Promise<boolean> {
    const press = async (): Promise<number> => {
      if ((await buttons.count()) > 0)
        await buttons
          .first()
          .click({ timeout: 1_000 })
          .catch(() => {});
      return buttons.count();
    };
    const isNone = (count: number): boolean => count === 0;
    return until(press, isNone, 30_000).then(isNone, () => false);
  }

  it('every page that loads says what is the matter, what to do and the request, and goes on when it is asked again', async () => {
    isPreloadGone = true;
    const faults: string[] = [];
    const loading = names.filter((one) => !quiet.includes(one));
    const pages = await newPages();
    for (const [index, name] of loading.entries()) {
      const page = pages[isOfOperators(name) ? 'operator' : 'admin'];
      const main = page.locator('main');
      failing = 'lost';
      await open(page, name);
      faults.push(...(await judge(main, failing, name, failures.lost.says)));
      // In turn, one for each page: what a page says of them is made in one place.
      failing = (['noAnswer', 'throttled', 'forbidden'] as const)[index % 3]!;
      const again = main.getByRole('button', { name: 'Try again' });
      const untold = main.getByRole('alert').filter({ hasText: failures.lost.says }).getByRole('button');
      if ((await again.count()) === 0) await page.reload({ waitUntil: 'commit' });
      else if (!(await pressUntilGone(untold))) faults.push(`${name} does not ask again`);
      faults.push(...(await judge(main, failing, name, failures[failing].says)));
      failing = null;
      if (!(await pressUntilGone(again))) faults.push(`${name} does not go on`);
    }
    // On pages that have no answer yet.
    const others = await newPages();
    failing = 'signedOut';
    for (const name of loading) {
      const page = others[isOfOperators(name) ? 'operator' : 'admin'];
      await open(page, name);
      faults.push(...(await judge(page.locator('main'), failing, name, failures.signedOut.says)));
    }
    for (const page of [...Object.values(pages), ...Object.values(others)]) await page.close();
    for (const [what, path] of [
      ['shared', `/shared${viewHash}`],
      ['setup', `/setup${setupHash}`],
    ] as const)
      for (const name of ['lost', 'noAnswer', 'throttled'] as const) {
        const page = await contexts.nobody!.newPage();
        failing = name;
        await page.goto(base + path);
        faults.push(...(await judge(page.locator('main'), name, what, failures[name].says)));
        await page.close();
      }
    failing = null;
    isPreloadGone = false;
    assert.deepEqual(faults, []);
  });

  const dialog = (page: Page): Locator => page.getByRole('dialog');
  const press = (place: Locator, name: string) => (): Promise<void> =>
    place.getByRole('button', { name, exact: true }).last().click();
  const asked = async (page: Page, open: string, yes: string) => {
    await page.getByRole('button', { name: open }).first().click();
    return { place: dialog(page), send: press(dialog(page), yes) };
  };
  const connectionTyped = {
    Issuer: 'https://id.example',
    'Client id': 'my-client',
    'Client secret': 'my secret of it',
  };
  const typed = async (place: Locator, fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [label, text] of Object.entries(fields))
      await place.getByLabel(label, { exact: true }).fill(text);
  };

  const forms: readonly Form[] = [
    {
      page: 'views',
      path: () => '/console/views',
      kept: { Name: 'For the board' },
      fill: async (page) => {
        await typed(page.locator('main'), { Name: 'For the board' });
        return { place: page.locator('main'), send: press(page.locator('main'), 'Create link') };
      },
    },
    {
      page: 'new-survey',
      path: () => '/console/surveys/new',
      kept: { Name: 'My survey' },
      fill: async (page) => {
        await typed(page.locator('main'), { Name: 'My survey' });
        return {
          place: page.locator('main'),
          send: () => page.getByLabel('Name', { exact: true }).press('Enter'),
        };
      },
    },
    {
      page: 'edit-survey',
      path: () => '/console/surveys/measures/701/edit',
      kept: { 'Name of the measure': 'Changed name' },
      fill: async (page) => {
        await typed(page.locator('main'), { 'Name of the measure': 'Changed name' });
        const publish = page.getByRole('button', { name: 'Publish …' });
        return {
          place: page.locator('main'),
          send: async () => {
            // A dialog that told of the last failure is closed first.
            await page.keyboard.press('Escape');
            await publish.click();
          },
        };
      },
    },
    {
      page: 'survey',
      path: () => '/console/surveys/measures/700',
      kept: {},
      fill: (page) => asked(page, 'Close', 'Close'),
    },
    {
      page: 'share',
      path: () => '/console/surveys/projects/300/share',
      kept: { 'Valid for (days)': '31' },
      fill: async (page) => {
        const file = { name: 'one.csv', mimeType: 'text/csv', buffer: Buffer.from('email\na@b.example\n') };
        await page.getByLabel('List of people').setInputFiles(file);
        await typed(page.locator('main'), { 'Valid for (days)': '31' });
        return { place: page.locator('main'), send: press(page.locator('main'), 'Create the links') };
      },
    },
    {
      page: 'refused',
      path: () => '/console/refused',
      kept: {},
      fill: async (page) => {
        await page.locator('.groups summary', { hasText: 'can be retried' }).first().click();
        return { place: page.locator('main'), send: press(page.locator('main'), 'Retry all') };
      },
    },
    {
      page: 'response',
      path: () => '/console/measures/700/responses/one',
      kept: {},
      fill: (page) => asked(page, 'Erase', 'Erase permanently'),
    },
    {
      page: 'users',
      path: () => '/console/users?do=invite',
      kept: { 'User name': 'nora@example.com', 'Last name': 'Berg' },
      fill: async (page) => {
        await typed(dialog(page), { 'User name': 'nora@example.com', 'Last name': 'Berg' });
        return { place: dialog(page), send: press(dialog(page), 'Invite') };
      },
    },
    {
      page: 'user',
      path: () => pathOf('user', params.user),
      kept: { 'Grant a role': 'editor' },
      fill: async (page) => {
        await page.locator('#grant-role').selectOption('editor');
        return { place: page.locator('main'), send: press(page.locator('main'), 'Grant') };
      },
    },
    {
      page: 'groups',
      path: () => '/console/groups',
      kept: { Name: 'Stores of the north' },
      fill: async (page) => {
        await page.getByRole('button', { name: 'New group' }).click();
        await typed(dialog(page), { Name: 'Stores of the north' });
        return { place: dialog(page), send: press(dialog(page), 'Create') };
      },
    },
    {
      page: 'group',
      path: () => pathOf('group', params.group),
      kept: { Name: 'Shops of today' },
      fill: async (page) => {
        await page.getByRole('button', { name: 'Rename' }).click();
        await typed(dialog(page), { Name: 'Shops of today' });
        return { place: dialog(page), send: press(dialog(page), 'Save') };
      },
    },
    {
      page: 'clients',
      path: () => '/console/clients?do=create',
      kept: { Name: 'Nightly' },
      fill: async (page) => {
        await typed(dialog(page), { Name: 'Nightly' });
        await dialog(page).getByRole('checkbox').first().check();
        return { place: dialog(page), send: press(dialog(page), 'Create') };
      },
    },
    {
      page: 'webhooks',
      path: () => '/console/webhooks',
      kept: { Name: 'Orders', Address: 'https://hooks.example.com/x' },
      fill: async (page) => {
        await page.getByRole('button', { name: 'New webhook' }).click();
        await typed(dialog(page), { Name: 'Orders', Address: 'https://hooks.example.com/x' });
        return { place: dialog(page), send: press(dialog(page), 'Create') };
      },
    },
    {
      page: 'providers',
      path: () => '/console/provider',
      kept: { 'Works for (days)': '9' },
      fill: async (page) => {
        await typed(page.locator('main'), { 'Works for (days)': '9' });
        return { place: page.locator('main'), send: press(page.locator('main'), 'Create a set-up link') };
      },
    },
    {
      page: 'new provider',
      path: () => '/console/provider/new?kind=entra',
      kept: connectionTyped,
      fill: async (page) => {
        await typed(page.locator('main'), connectionTyped);
        return { place: page.locator('main'), send: press(page.locator('main'), 'Save and check') };
      },
    },
    {
      page: 'provider',
      path: () => pathOf('provider', params.provider),
      kept: { 'Name on the sign-in button': 'Acme of today' },
      fill: async (page) => {
        // What is done is folded.
        await page.locator('section.step').first().getByRole('button').first().click();
        await typed(page.locator('main'), { 'Name on the sign-in button': 'Acme of today' });
        return { place: page.locator('main'), send: press(page.locator('main'), 'Save and check') };
      },
    },
    {
      page: 'setup',
      path: () => `/setup${setupHash}`,
      as: 'nobody',
      kept: connectionTyped,
      fill: async (page) => {
        await typed(page.locator('main'), connectionTyped);
        return { place: page.locator('main'), send: press(page.locator('main'), 'Save and check') };
      },
    },
    {
      page: 'accounts',
      path: () => '/console/accounts',
      as: 'operator',
      isOpenInMaintenance: true,
      kept: { Number: '30001', Name: 'Another' },
      fill: async (page) => {
        await page.getByRole('button', { name: 'New account' }).click();
        await typed(dialog(page), { Number: '30001', Name: 'Another' });
        return { place: dialog(page), send: press(dialog(page), 'Create') };
      },
    },
    {
      page: 'operations',
      path: () => '/console/operations',
      as: 'operator',
      isOpenInMaintenance: true,
      kept: {},
      fill: (page) => asked(page, 'Start maintenance', 'Start maintenance'),
    },
    {
      page: 'me',
      path: () => '/console/me',
      isOpenInMaintenance: true,
      kept: { 'New password': 'nine otters hum quietly' },
      fill: async (page) => {
        await typed(page.locator('main'), { 'New password': 'nine otters hum quietly' });
        return { place: page.locator('main'), send: press(page.locator('main'), 'Save password') };
      },
    },
    {
      page: 'sign-in',
      path: () => '/console/sign-in',
      as: 'nobody',
      isOpenInMaintenance: true,
      failures: ['lost', 'noAnswer', 'throttled'],
      kept: { 'User name': 'nora', Password: 'nine otters hum quietly' },
      fill: async (page) => {
        await typed(page.locator('main'), { 'User name': 'nora', Password: 'nine otters hum quietly' });
        return { place: page.locator('main'), send: press(page.locator('main'), 'Sign in') };
      },
    },
  ];

  it('every form says so too, and keeps what was typed; in maintenance as well [D-640]', async () => {
    isSendingOnly = true;
    const faults: string[] = [];
    const sending: {
      readonly form: Form;
      readonly page: Page;
      readonly place: Locator;
      readonly send: () => Promise<unknown>;
    }[] = [];
    const lostOf = async (
      { page: name, kept }: Form,
      page: Page,
      what: string,
    ): Promise<readonly string[]> => {
      const lost: string[] = [];
      for (const [label, text] of Object.entries(kept)) {
        const shown = await page.getByLabel(label, { exact: true }).last().inputValue();
        if (shown !== text) lost.push(`${name}, ${what}: ${label} is "${shown}"`);
      }
      return lost;
    };
    const wanted = process.env.PAGES?.split(',');
    for (const form of forms.filter(({ page }) => wanted?.includes(page) !== false)) {
      const page = await contexts[form.as ?? 'admin']!.newPage();
      try {
        await page.goto(base + form.path(), { waitUntil: 'commit' });
        const { place, send } = await form.fill(page);
        sending.push({ form, page, place, send });
        for (const name of form.failures ?? (Object.keys(failures) as FailureName[])) {
          failing = name;
          await send();
          faults.push(...(await judge(place, name, form.page, failures[name].says)));
          faults.push(...(await lostOf(form, page, name)));
        }
      } catch (error) {
        faults.push(`${form.page}: ${(error as Error).message.slice(0, 400)}`);
      }
      failing = null;
    }
    await service.setMaintenance(true);
    try {
      for (const { form, page, place, send } of sending) {
        if (form.isOpenInMaintenance !== undefined) continue;
        await send();
        faults.push(...(await judge(place, 'maintenance', form.page, maintenance)));
        faults.push(...(await lostOf(form, page, 'maintenance')));
      }
      isPreloadGone = true;
      const page = await contexts.admin!.newPage();
      for (const name of names) {
        if (isOfOperators(name) || name === 'me' || quiet.includes(name)) continue;
        await open(page, name);
        faults.push(...(await judge(page.locator('main'), 'maintenance', name, maintenance)));
      }
    } finally {
      isPreloadGone = false;
      await service.setMaintenance(false);
    }
    assert.deepEqual(faults, []);
  });
});
