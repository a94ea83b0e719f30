// The pages of the console as people use them, in a real browser: in every language and theme, at every width, by keyboard.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { accountIdMax } from '../../src/domain/access/account.ts';
import { consoleCall, grantAside, operatorAside, passwordAside, sessionAside } from '../support/console.ts';
import { accessibilityFaults, addAuthenticator, overflow, visit } from '../support/console-browser.ts';
import { sqlite } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { setUp, until } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { temporaryFolder } from '../support/temporary-file.ts';
import { addUsers } from '../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../support/users.ts';

const themes = ['light', 'dark'] as const;
const languages = ['en', 'de', 'fr'] as const;
const widths = [320, 768, 1440];
const password = 'nine otters hum quietly';

describe('the console in a browser', () => {
  let context: ProvisioningService;
  let browser: Browser;
  let base: string;
  let userId: number;
  const url = (): string => context.store.databaseUrl;

  before(async () => {
    context = await startProvisioning(sqlite);
    base = context.service.baseUrl.replace('127.0.0.1', 'localhost');
    [userId = 0] = await addUsers(url(), 1, [{ userName: 'ines', externalId: 'e-1', active: true }]);
    await grantAside(url(), 1, { user: userId }, 'admin');
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await context?.close();
  });

  const operator = (): Promise<string> => operatorAside(url());
  const userCookie = (): Promise<string> => sessionAside(url(), { accountId: 1, personId: userId });

  it('the sign-in and a link that has ended are accessible, fit every width and say everything, in both themes and three languages', async () => {
    for (const path of ['/console/sign-in?refused=noMatch', '/console#0.not-a-code']) {
      const { page, faults } = await visit(browser, base, path);
      const titles = new Set<string>();
      for (const language of languages) {
        await page.locator('#language').selectOption(language);
        await page.locator(`html[lang=${language}]`).waitFor();
        titles.add(
          await until(
            () => page.title(),
            (title) => !titles.has(title),
          ),
        );
        // French in the dark, the others in light: colours are the same in every language.
        for (const theme of language === 'fr' ? themes : themes.slice(0, 1)) {
          await page.emulateMedia({ colorScheme: theme });
          const look = `${path} ${theme} ${language}`;
          assert.equal(isDark(await groundOf(page)), theme === 'dark', look);
          assert.deepEqual(await accessibilityFaults(page), [], look);
        }
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          assert.deepEqual(await overflow(page), [], `${path} ${width} ${language}`);
        }
      }
      assert.equal(titles.size, languages.length, path);
      assert.deepEqual(faults, [], path);
      await page.context().close();
    }
  });

  it('the language is the first of the browser that there is', async () => {
    for (const [locale, expected] of [
      ['fr-CA', 'fr'],
      ['de-AT', 'de'],
      ['ja', 'en'],
    ] as const) {
      const { page } = await visit(browser, base, '/console/sign-in', { language: locale });
      assert.equal(await page.locator('html').getAttribute('lang'), expected);
      await page.context().close();
    }
  });

  it('language and appearance are chosen on the page, keep what was typed, and are there at the next visit', async () => {
    const { page, faults } = await visit(browser, base, '/console/sign-in');
    await page.getByLabel('User name').fill('ines');
    await page.getByLabel('Language').selectOption('fr');
    await page.getByRole('heading', { name: 'Connexion' }).waitFor();
    assert.equal(await page.getByLabel('Nom d’utilisateur').inputValue(), 'ines');
    await page.getByLabel('Apparence').selectOption('dark');
    assert.ok(isDark(await groundOf(page)));
    await page.reload({ waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Connexion' }).waitFor();
    assert.ok(isDark(await groundOf(page)));
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('files of the page come from the cache at the second visit', async () => {
    const { page } = await visit(browser, base, '/console/sign-in');
    const fetched: string[] = [];
    page.on('response', async (answer) => {
      if (answer.url().includes('/console/assets/') && !answer.fromServiceWorker())
        fetched.push(answer.url());
    });
    const timing = `performance.getEntriesByType('resource')
      .filter((entry) => entry.name.includes('/console/assets/'))
      .map((entry) => entry.transferSize)`;
    await page.goto(`${base}/console/sign-in?account=1`);
    await page.locator('h1').waitFor();
    const sizes = (await page.evaluate(timing)) as number[];
    assert.ok(sizes.length >= 4);
    assert.deepEqual(
      sizes.filter((size) => size > 0),
      [],
    );
    await page.context().close();
  });

  it('a password signs in by keyboard alone; a wrong one is told of in words, with the request to quote', async () => {
    await passwordAside(url(), [{ accountId: 1, personId: userId }], password);
    const { page, faults } = await visit(browser, base, '/console/sign-in?account=1&return=/console/me');
    const typeAndSend = async (text: string): Promise<void> => {
      await page.getByLabel('Password', { exact: true }).focus();
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await tabTo(page, 'name');
    await page.keyboard.type('ines');
    await typeAndSend('wrong horse battery staple');
    const alert = page.getByRole('alert');
    await alert.getByText('That did not match.').waitFor();
    assert.match(await alert.innerText(), /Request [0-9a-f-]{36}/);
    // The password stands there selected, ready to be typed over.
    assert.equal((await focused(page)).id, 'password');
    await page.keyboard.type(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ines' }).waitFor();
    assert.equal(page.url(), `${base}/console/me`);
    await page.getByText('Signed in with a password').first().waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('an account whose number has 16 digits is typed in, offered its ways and signed in to [D-868]', async () => {
    await storeRows(
      url(),
      `insert into account (id, name, created_at) values (${accountIdMax}, 'The last one', 1)`,
    );
    const [personId = 0] = await addUsers(url(), accountIdMax, [
      { userName: 'ines', externalId: 'e-1', active: true },
    ]);
    await passwordAside(url(), [{ accountId: accountIdMax, personId }], password);
    const { page, faults } = await visit(browser, base, '/console/sign-in?return=/console/me');
    await page.getByLabel('Account', { exact: false }).first().fill(String(accountIdMax));
    await page.getByLabel('User name').fill('ines');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ines' }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a password is set on the page, and what is wrong with one is said in the language of the page', async () => {
    const { page, faults } = await visit(browser, base, '/console/me', {
      cookie: await operator(),
      language: 'de',
    });
    const field = page.getByLabel('Neues Passwort');
    await page.getByText('Noch kein Passwort.').waitFor();
    await field.fill('kurz');
    await page.keyboard.press('Enter');
    await page.getByText('Ein Passwort hat mindestens 15 Zeichen.').waitFor();
    await field.fill('passwordpassword');
    await page.keyboard.press('Enter');
    await page.getByText('Andere haben dieses Passwort').waitFor();
    await field.fill(password);
    await page.keyboard.press('Enter');
    await page.getByText('Das Passwort wurde gespeichert.').waitFor();
    await page.getByText(/^Gesetzt /).waitFor();
    assert.equal(await field.inputValue(), '');
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a one-time link signs in, leaves the address at once, and offers a way to come back', async () => {
    const invited = await setUp(
      ['user', 'invite', '--account', '1', '--user-name', 'nora', '--email', 'nora@one.example', '--json'],
      context.env,
    );
    const code = codeIn(invited);
    const addresses: string[] = [];
    const { page, faults } = await visit(browser, base, '/console');
    page.on('request', (request) => addresses.push(request.url()));
    // Pasted into the address of a page that is open already.
    await page.goto(`${page.url()}#${code}`);
    await page.getByRole('heading', { name: 'Welcome, nora' }).waitFor();
    assert.equal(page.url(), `${base}/console`);
    assert.deepEqual(
      addresses.filter((address) => address.includes(code)),
      [],
    );
    assert.deepEqual([...(await accessibilityFaults(page)), ...(await overflow(page))], []);
    // A password manager keeps the two as a pair: the name comes first in the same form, and is never seen.
    const pair =
      await page.evaluate(`[...document.querySelector('#new-password').form.elements].slice(0, 2).map(
      (input) => ({
        type: input.type,
        name: input.name,
        autocomplete: input.autocomplete,
        value: input.value,
        isSeen: input.checkVisibility(),
      }))`);
    assert.deepEqual(pair, [
      { type: 'text', name: 'username', autocomplete: 'username', value: 'nora', isSeen: false },
      { type: 'password', name: 'new-password', autocomplete: 'new-password', value: '', isSeen: true },
    ]);
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Save password' }).click();
    await page.getByRole('link', { name: 'Done' }).click();
    // None of her roles opens anything yet, so that she is led to her own page.
    await page.getByRole('heading', { name: 'nora', exact: true }).waitFor();
    await page.getByText('with a one-time link').first().waitFor();

    // The account is remembered here, so that name and password are enough.
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await page.getByLabel('User name').fill('nora');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'nora', exact: true }).waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();

    const again = await visit(browser, base, `/console#${code}`);
    await again.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
    assert.doesNotMatch(again.page.url(), /#/);
    assert.match(await again.page.locator('main').innerText(), /Request [0-9a-f-]{36}/);
    assert.deepEqual(again.faults, []);
    await again.page.context().close();
  });

  it('the identity providers of an account are offered once its number is typed, and what was typed before stays', async () => {
    const secretFile = join(temporaryFolder('secret'), 'secret.txt');
    writeFileSync(secretFile, 'not a real secret');
    const provider = ['--issuer', 'https://id.example', '--client-id', 'soundings', '--claim', 'sub'];
    const created = await setUp(
      [
        'connection',
        'create',
        '--account',
        '2',
        '--name',
        'Acme ID',
        ...provider,
        '--secret-file',
        secretFile,
        '--json',
      ],
      context.env,
    );
    const { id } = JSON.parse(created) as { id: string };
    const { page, faults } = await visit(browser, base, '/console/sign-in?return=/console/me');
    const button = page.getByRole('link', { name: 'Continue with Acme ID' });
    assert.equal(await button.count(), 0);
    await page.getByLabel('User name').fill('someone');
    await page.getByLabel('Account number').fill('2');
    await page.keyboard.press('Tab');
    await button.waitFor();
    assert.equal(await page.getByLabel('User name').inputValue(), 'someone');
    assert.equal(
      await button.getAttribute('href'),
      `/console/sign-in/provider/2/${id}?return=%2Fconsole%2Fme`,
    );
    await page.goto(`${base}/console/sign-in?account=2&fresh=1&refused=otherConnection`);
    assert.match((await button.getAttribute('href'))!, /fresh=1/);
    await page.getByText('You belong to another connection of this account.').waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('sessions elsewhere are listed by browser, and ended one by one or all at once', async () => {
    const [mine, ...others] = [await userCookie(), await userCookie(), await userCookie()];
    const { page, faults } = await visit(browser, base, '/console/me', { cookie: mine! });
    await page.getByText('This browser').waitFor();
    const ends = page.getByRole('button', { name: /^End the session/ });
    const before = await ends.count();
    assert.ok(before >= others.length);
    await ends.first().click();
    await page.getByText('The session was ended.').waitFor();
    assert.equal(await ends.count(), before - 1);
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByText('You are now signed in only here.').waitFor();
    assert.equal(await ends.count(), 0);
    for (const cookie of others) {
      const { status } = await consoleCall(context.service.baseUrl, 'GET', '/session', { cookie });
      assert.equal(status, 401);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('what asks for a fresh sign-in leads to one and back', async () => {
    const cookie = await operatorAside(url(), { signedInAtMs: Date.now() - 16 * 60_000 });
    const { page } = await visit(browser, base, '/console/me', { cookie });
    await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('heading', { name: 'Confirm it is you' }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('return'), '/console/me');
    await page.context().close();
  });

  it('a passkey that the browser offers within the name field signs in without another click', async () => {
    const { page, faults } = await visit(browser, base, '/console/me', { cookie: await operator() });
    await addAuthenticator(page);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The passkey was added.').waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.waitForURL(({ pathname }) => pathname !== '/console/me' && pathname !== '/console/sign-in');
    await page.goto(`${base}/console/me`);
    await page.getByText('Signed in with a passkey').first().waitFor();

    // Nobody is led away from the console by an address that somebody made up.
    const astray = [
      'https://evil.example/',
      '//evil.example/console',
      '/v1/token',
      'javascript:alert(1)',
      '/consolex',
    ];
    for (const wanted of [...astray, '/console/me?a=1']) {
      // The page may go on before everything of it is loaded.
      await page.goto(`${base}/console/sign-in?return=${encodeURIComponent(wanted)}`, {
        waitUntil: 'commit',
      });
      await page.waitForURL((address) => address.pathname !== '/console/sign-in');
      if (astray.includes(wanted)) assert.ok(page.url().startsWith(`${base}/console`), page.url());
      else assert.equal(page.url(), base + wanted);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('signing out ends the session: the page of before asks to sign in', async () => {
    const { page } = await visit(browser, base, '/console/me', { cookie: await userCookie() });
    await page.getByRole('heading', { name: 'ines' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await page.goto(`${base}/console/me`);
    await page.waitForURL(/\/console\/sign-in\?return=/);
    await page.context().close();
  });
});

function codeIn(printed: string): string {
  return new URL((JSON.parse(printed) as { url: string }).url).hash.slice(1);
}

async function groundOf(page: Page): Promise<string> {
  return String(await page.evaluate('getComputedStyle(document.documentElement).backgroundColor'));
}

function isDark(colour: string): boolean {
  const parts =
    colour
      .match(/[\d.]+/g)
      ?.slice(0, 3)
      .map(Number) ?? [];
  assert.equal(parts.length, 3, colour);
  return Math.max(...parts) < 128;
}

function focused(page: Page): Promise<{ readonly id: string; readonly text: string }> {
  return page.evaluate('({ id: document.activeElement.id, text: document.activeElement.textContent })');
}

/** By the Tab key alone, and only where the focus is seen. */
async function tabTo(page: Page, id: string): Promise<void> {
  for (let step = 0; step < 40; step += 1) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate('getComputedStyle(document.activeElement).outlineStyle');
    assert.notEqual(outline, 'none', JSON.stringify(await focused(page)));
    if ((await focused(page)).id === id) return;
  }
  assert.fail(`The Tab key does not reach ${id}.`);
}
