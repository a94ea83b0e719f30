// Users, groups, API clients and the audit log as people use them in a browser.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { auditSubject } from '../../src/domain/access/audit-subject.ts';
import { consoleCall, operatorAside, passwordAside, sessionAside } from '../support/console.ts';
import { accessibilityFaults, overflow, type VisitOptions, visit } from '../support/console-browser.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../support/console-roles.ts';
import { sqlite } from '../support/engines.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { tokenFor } from '../support/service.ts';
import { storeRows } from '../support/store-rows.ts';
import { addUsers } from '../support/user-population.ts';
import { type ProvisioningService, startProvisioning } from '../support/users.ts';

const password = 'nine otters hum quietly';
const staleMs = 20 * 60_000;
const count = 300;

describe('people in the console', () => {
  let context: ProvisioningService;
  let browser: Browser;
  let base: string;
  let own: Readonly<Record<VisitorKind, VisitorAside>>;
  let ids: readonly number[];
  let groupId: string;
  const cookies = new Map<VisitorKind, string>();
  const url = (): string => context.store.databaseUrl;

  before(async () => {
    context = await startProvisioning(sqlite);
    base = context.service.baseUrl.replace('127.0.0.1', 'localhost');
    own = await visitorsAside(url(), 1, 'own');
    await visitorsAside(url(), 2, 'foreign');
    for (const kind of ['admin', 'identity', 'analyst', 'viewer'] as const)
      cookies.set(kind, await own[kind].newCookie());
    const profiles = Array.from({ length: count }, (_, index) => ({
      userName: `person-${index}@example.com`,
      externalId: `e-${index}`,
      active: index % 5 !== 4,
      displayName: `Person ${index}`,
      name: { givenName: 'Person', familyName: `Number${index}` },
      emails: [{ value: `person-${index}@example.com`, type: 'work', primary: true }],
    }));
    ids = await addUsers(url(), 1, profiles);
    const group = await api('admin', 'POST', '/groups', {
      displayName: 'CX team',
      members: ids.slice(10, 80).map(String),
    });
    groupId = String(group.body.id);
    await api('admin', 'PUT', `/groups/${groupId}/roles/analyst`);
    await api('admin', 'POST', '/api-clients', { name: 'Nightly load', scopes: ['r_cx_measures'] });
    browser = await launchBrowser();
  });
  after(async () => {
    await browser?.close();
    await context?.close();
  });

  const api = (kind: VisitorKind, method: string, path: string, body?: unknown) =>
    consoleCall(context.service.baseUrl, method, path, {
      cookie: cookies.get(kind)!,
      ...(body === undefined ? {} : { body }),
    });
  const open = (kind: VisitorKind, path: string, options: VisitOptions = {}) =>
    visit(browser, base, path, { cookie: cookies.get(kind)!, ...options });

  // How the pages look as they open is seen in console-looks.test.ts.
  it('the forms to invite somebody and to make a client are accessible and fit', async () => {
    const look = { width: 360, theme: 'dark', language: 'fr' } as const;
    const { page, faults } = await open('admin', '/console/users', look);
    for (const path of ['/console/users?do=invite', '/console/clients?do=create']) {
      await page.goto(base + path);
      await page.locator('dialog').first().waitFor();
      assert.deepEqual(await accessibilityFaults(page), [], path);
      assert.deepEqual(await sticksOut(page), [], path);
    }
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('by keyboard alone somebody is searched for, found and suspended, and her session ends', async () => {
    const cookie = await sessionAside(url(), { accountId: 1, personId: ids[17]! });
    const { page, faults } = await open('identity', '/console/users');
    await page.locator('table tbody tr').nth(10).waitFor();
    await tabTo(page, 'Name, email or id');
    await page.keyboard.type('number17 person-17@');
    await page.locator('tbody tr').nth(10).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Person 17', exact: true }).waitFor();
    assert.match(page.url(), /search=number17/);
    await tabTo(page, 'Person 17');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Person 17' }).waitFor();
    assert.equal(await focusedName(page), 'Person 17');
    await page.getByText('through group').waitFor();
    await page.getByText('Unknown browser').waitFor();
    await tabTo(page, 'Suspend');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('signed out everywhere').waitFor();
    await tabTo(page, 'Suspend');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('.top .badge', { hasText: 'Suspended' }).waitFor();
    assert.equal((await consoleCall(base, 'GET', '/session', { cookie })).status, 401);
    await page.getByText('own-identity suspended this user.').waitFor();
    await page.goBack();
    await page.locator('tbody').getByText('Suspended').waitFor();
    assert.match(page.url(), /search=number17/);
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a change asks anew for what is shown, and for nothing that was opened before', async () => {
    const { page, faults } = await open('admin', '/console/users?search=number2&order=name');
    for (let at = 0; at < 4; at += 1) {
      await page.locator('tbody th a').nth(at).click();
      await page
        .getByRole('button', { name: 'Suspend', exact: true })
        .or(page.getByText('Reactivate'))
        .first()
        .waitFor();
      await page.goBack();
      await page.locator('tbody th a').first().waitFor();
    }
    await page.locator('tr', { hasText: 'Active' }).locator('th a').nth(5).click();
    await page.getByRole('button', { name: 'Suspend', exact: true }).click();
    const id = page.url().split('/').at(-1)!;
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'GET' && pathname.startsWith('/console/api/users')) asked.push(pathname);
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
    await page.locator('.top .badge', { hasText: 'Suspended' }).waitFor();
    await page.getByText('own-admin suspended this user.').waitFor();
    const own = `/console/api/users/${id}`;
    assert.deepEqual([...new Set(asked)].toSorted(), [own, `${own}/sessions`, `${own}/timeline`]);
    await page.goBack();
    await page.locator(`tr:has(a[href="/console/users/${id}"])`).getByText('Suspended').waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('what was typed and not sent is gone after the sign-out, and for another person', async () => {
    const { page } = await visit(browser, base, '/console/users?do=invite', {
      cookie: await own.admin.newCookie(),
    });
    const typed = async (): Promise<void> => {
      await page.getByLabel('User name').fill('nora@example.com');
      await page.evaluate(
        `localStorage.setItem('soundings.draft:1:measure:7', JSON.stringify({ base: null, document: {}, text: 'nora', savedAt: '2026-11-15' }))`,
      );
      await page.evaluate(`sessionStorage.setItem('soundings.provider.entra', '{"name":"nora"}')`);
    };
    const kept = async (): Promise<string> =>
      String(await page.evaluate('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)'));
    await typed();
    await page.reload();
    assert.equal(await page.getByLabel('User name').inputValue(), 'nora@example.com');
    assert.equal((await kept()).match(/nora/g)?.length, 3);
    const [name = '', value = ''] = (await own.identity.newCookie()).split(/=(.*)/s);
    await page.context().addCookies([{ name, value, url: base }]);
    await page.reload();
    await page.getByLabel('User name').waitFor();
    assert.equal(await page.getByLabel('User name').inputValue(), '');
    assert.doesNotMatch(await kept(), /nora/);
    await typed();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('User name').waitFor();
    assert.match(page.url(), /sign-in/);
    assert.doesNotMatch(await kept(), /nora/);
    await page.context().close();
  });

  it('an operator who enters another account finds nothing that was typed in the one before', async () => {
    const cookie = await operatorAside(url(), { enteredAccountId: 1 });
    const { page } = await visit(browser, base, '/console/users?do=invite', { cookie });
    await page.getByRole('dialog').getByLabel('User name').fill('nora@example.com');
    for (const [accountId, found] of [
      [null, true],
      [1, true],
      [2, false],
    ] as const) {
      const status = await page.evaluate(
        async (body) =>
          (
            await fetch('/console/api/session/account', {
              method: 'PUT',
              headers: { 'content-type': 'application/json' },
              body,
            })
          ).status,
        JSON.stringify({ accountId }),
      );
      assert.equal(status, 204);
      await page.goto(`${base}/console/users?do=invite`, { waitUntil: 'networkidle' });
      const kept = await page.evaluate('JSON.stringify(sessionStorage)');
      assert.equal(String(kept).includes('nora'), found, String(accountId));
    }
    await page.context().close();
  });

  it('from a later page of the API clients a button leads back to the first', async () => {
    const { body } = await api('admin', 'GET', '/api-clients');
    const last = (body.items as { clientId: string }[]).at(-1)!.clientId;
    const { page } = await open('admin', `/console/clients?after=${encodeURIComponent(last)}`);
    await page.getByRole('button', { name: 'First page' }).click();
    await page.getByText(last).waitFor();
    assert.equal(new URL(page.url()).search, '');
    await page.context().close();
  });

  it('answers that stand in a page are not asked for again', async () => {
    for (const path of ['/console', '/console/surveys', '/console/refused', '/console/provider']) {
      const context = await browser.newContext();
      const [name = '', value = ''] = cookies.get('admin')!.split(/=(.*)/s);
      await context.addCookies([{ name, value, url: base }]);
      const page = await context.newPage();
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url().replace(`${base}/console/api`, '')));
      await page.goto(base + path, { waitUntil: 'networkidle' });
      const answers = Object.keys(
        JSON.parse(await page.locator('#page-preload').innerText()).answers as Record<string, unknown>,
      );
      assert.ok(answers.length > 0, path);
      assert.deepEqual(
        asked.filter((url) => answers.includes(url)),
        [],
        path,
      );
      await context.close();
    }
  });

  it('an invitation that asks for a fresh sign-in goes through it and comes back with what was typed; the link is shown once', async () => {
    await passwordAside(url(), [{ accountId: 1, personId: own.identity.id! }], password);
    const { page, faults } = await visit(browser, base, '/console/users', {
      cookie: await own.identity.newCookie(staleMs),
    });
    await tabTo(page, 'Invite');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await page
      .getByLabel('Role', { exact: true })
      .last()
      .locator('option')
      .nth(4)
      .waitFor({ state: 'attached' });
    await tabTo(page, 'User name');
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter a user name.').waitFor();
    await page.keyboard.type('nora@example.com');
    await tabTo(page, 'First name');
    await page.keyboard.type('Nora');
    await tabTo(page, 'Role');
    await page.keyboard.press('v');
    await tabTo(page, 'Invite');
    await page.keyboard.press('Enter');
    await dialog.getByText('needs a fresh sign-in').waitFor();
    await tabTo(page, 'Confirm it is you');
    await page.keyboard.press('Enter');
    await page.getByLabel('Password', { exact: true }).waitFor();
    await page.getByLabel('User name').fill('own-identity');
    const account = page.getByLabel('Account number');
    if ((await account.count()) > 0) await account.fill('1');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    assert.equal(await page.getByLabel('User name').inputValue(), 'nora@example.com');
    assert.equal(await page.getByLabel('First name').inputValue(), 'Nora');
    await tabTo(page, 'Invite');
    await page.keyboard.press('Enter');
    await dialog.getByText('nora@example.com is invited').waitFor();
    const link = await dialog.locator('pre').innerText();
    assert.match(link, /\/console#1\./);
    const kept = await page.evaluate('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)');
    assert.ok(!String(kept).includes(link.split('#')[1]!) && !String(kept).includes('nora'));
    await tabTo(page, 'Open the user');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'nora@example.com' }).waitFor();
    await page.locator('.list strong', { hasText: 'Viewer' }).waitFor();
    assert.ok(!(await page.content()).includes(link));
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a name that is taken, and a connection that is lost, are said in words, and what was typed stays', async () => {
    const { page } = await open('admin', '/console/users?do=invite');
    const dialog = page.getByRole('dialog');
    await page.getByLabel('User name').fill('person-1@example.com');
    await page.getByLabel('Last name').fill('Twice');
    const send = dialog.getByRole('button', { name: 'Invite' });
    await send.click();
    await dialog.getByRole('alert').getByText('Another user of the account has this name.').first().waitFor();
    assert.equal(await page.getByLabel('User name').getAttribute('aria-invalid'), 'true');
    await page.context().setOffline(true);
    await send.click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await page.context().setOffline(false);
    await page.reload();
    assert.equal(await page.getByLabel('Last name').inputValue(), 'Twice');
    await page.context().close();
  });

  it('whoever manages users is not offered admin; the last admin is told in words why admin stays', async () => {
    const { page } = await open('identity', `/console/users/${ids[5]}`);
    await page.getByText('Admin is granted by an admin or an operator.').waitFor();
    const offered = await page.locator('#grant-role option').allInnerTexts();
    assert.deepEqual(offered, ['Viewer', 'Analyst', 'Editor', 'Identity']);
    await page.locator('#grant-role').selectOption('editor');
    await page.getByRole('button', { name: 'Grant', exact: true }).click();
    await page.getByText('Editor was granted.').waitFor();
    await page.getByText('granted by own-identity').waitFor();
    await page.context().close();
    const { page: admin } = await open('admin', `/console/users/${own.admin.id}`, { language: 'fr' });
    await admin.getByRole('button', { name: 'Retirer le rôle Admin' }).click();
    await admin.getByText('le dernier admin du compte').waitFor();
    await admin.context().close();
  });

  it('an API client is made, its secret shown once, and rotated in two steps; both secrets work in between', async () => {
    const { page, faults } = await open('admin', '/console/clients');
    await page.getByRole('button', { name: 'New API client' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Warehouse');
    await dialog.getByRole('checkbox', { name: /^Provision users/ }).uncheck();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('shown once').waitFor();
    const [clientId = '', first = '', lines = ''] = await dialog.locator('pre').allInnerTexts();
    assert.ok(lines.includes(`${base}/v1/token`) && lines.includes(clientId) && !lines.includes(first));
    await dialog.getByRole('button', { name: 'Done' }).click();
    assert.ok(!(await page.content()).includes(first));
    const row = page.locator('tr', { hasText: clientId });
    await row.getByText('Never').waitFor();
    await row.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByText('Step 1 of 2').waitFor();
    await dialog.getByRole('button', { name: 'Create the new secret' }).click();
    await dialog.getByText('shown once').waitFor();
    const [, second = ''] = await dialog.locator('pre').allInnerTexts();
    await dialog.getByRole('button', { name: 'Done' }).click();
    for (const clientSecret of [first, second])
      await tokenFor(context.service.baseUrl, { clientId, clientSecret, scopes: [] });
    await row.getByText('Two secrets').waitFor();
    await row.getByRole('button', { name: 'End old secret' }).click();
    await dialog.getByText('Step 2 of 2').waitFor();
    await dialog.getByRole('button', { name: 'End old secret' }).click();
    await row.getByRole('button', { name: 'Rotate' }).waitFor();
    const kept = await page.evaluate('JSON.stringify(sessionStorage) + JSON.stringify(localStorage)');
    assert.ok(!String(kept).includes(first) && !String(kept).includes(second));
    const { body } = await api('admin', 'GET', '/api-clients');
    const listed = (body.items as { clientId: string; scopes: string[]; liveSecrets: number }[]).find(
      (one) => one.clientId === clientId,
    );
    assert.deepEqual(
      [listed?.scopes, listed?.liveSecrets],
      [['r_cx_measures', 'r_cx_projects', 'r_cx_users', 'w_cx_responses'], 1],
    );
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('a group gets a member by search and loses one; what is shown is what the service says', async () => {
    const { page } = await open('admin', `/console/groups/${groupId}`);
    await page.getByLabel('Add a member').fill('number200');
    await page.getByRole('button', { name: 'Add person-200@example.com' }).click();
    await page.getByText('Person 200 was added to the group.').waitFor();
    await page.getByRole('button', { name: 'Remove Person 10', exact: true }).click();
    await page.getByText('Person 10 was removed from the group.').waitFor();
    const { body } = await api('admin', 'GET', `/groups/${groupId}?count=50`);
    assert.equal(body.memberCount, 70);
    assert.deepEqual(
      await page.locator('tbody th').allInnerTexts(),
      (body.members as { displayName: string }[]).map(({ displayName }) => displayName),
    );
    await page.context().close();
  });

  it('in German what an entry tells is German; what an older release wrote stays as it is, and so does the interface [D-1040]', async () => {
    const id = ids[23]!;
    for (const personId of [id, id]) await sessionAside(url(), { accountId: 1, personId });
    await api('admin', 'DELETE', `/users/${id}/sessions`);
    await api('admin', 'PUT', `/users/${id}/roles/viewer`);
    const older = '01920000-0000-7000-8000-000000000000';
    await storeRows(
      url(),
      `insert into audit (account_id, id, at, actor, action, subject, details)
      values (1, '${older}', 1726000000000, 'command line', 'session.end', 'user ${id}', '{"note":"one session"}')`,
    );
    const { page, faults } = await open('identity', `/console/audit?subject=user%20${id}`, {
      language: 'de',
    });
    await page.locator('tbody tr').nth(2).waitFor();
    assert.deepEqual(await page.locator('tbody .hint.below').allInnerTexts(), [
      'Betrachten',
      '2 Sitzungen',
      'one session',
    ]);
    const { body } = await api('identity', 'GET', `/audit?subject=user%20${id}`);
    assert.deepEqual(
      (body.items as { note?: string }[]).flatMap(({ note }) => note ?? []),
      ['viewer', '2 sessions', 'one session'],
    );
    // What was erased by a list, as the store keeps it.
    const { subject, details } = auditSubject('listed', { count: 1_234 });
    const [known, bare] = ['019f0000-0000-7000-8000-000000000001', '019f0000-0000-7000-8000-000000000002'];
    await storeRows(
      url(),
      `insert into audit (account_id, id, at, actor, action, subject, details)
      values (1, '${known}', 1785000000000, 'command line', 'responses.erase', '${subject}', '${JSON.stringify(details)}'),
        (1, '${bare}', 1785000000001, 'command line', 'source.remove', 'measure 88', null)`,
    );
    await page.goto(`${base}/console/audit?actor=command%20line&to=2026-08-30&from=2026-06-01`);
    await page.getByText('Antworten gelöscht: 1234 Antworten nach einer Liste von Ids').waitFor();
    await page.getByText('Messung oder Projekt entfernt: Messung 88').waitFor();
    assert.deepEqual(faults, []);
    await page.context().close();
  });

  it('the audit log shows what the service says, by person and kind; an analyst sees their own; a viewer no page of these', async () => {
    const { page, faults } = await open('identity', '/console/audit?action=client');
    await page.locator('tbody tr').first().waitFor();
    const { body } = await api('identity', 'GET', '/audit?action=client&limit=50');
    const entries = body.items as { subjectName: string }[];
    assert.equal(await page.locator('tbody tr').count(), entries.length);
    await page.getByText('API client created: Nightly load').waitFor();
    await page.locator('tbody').getByRole('link', { name: 'own-admin' }).first().click();
    await page.waitForURL(/actor=user/);
    assert.match(
      (await page.getByRole('link', { name: 'CSV' }).getAttribute('href'))!,
      /audit\.csv\?actor=user/,
    );
    await page.context().close();
    const { page: analyst } = await open('analyst', '/console/audit');
    await analyst.getByText('You see only your own entries.').waitFor();
    assert.equal(await analyst.getByLabel('Person').count(), 0);
    await analyst.context().close();
    for (const path of ['/console/users', '/console/clients', '/console/audit']) {
      const { page: viewer } = await open('viewer', path);
      await viewer.getByRole('heading', { level: 1, name: 'You don’t have access' }).waitFor();
      await viewer.context().close();
    }
    assert.deepEqual(faults, []);
  });
});

/** Tables may scroll within their own place. */
async function sticksOut(page: Page): Promise<readonly string[]> {
  const wide = await overflow(page);
  const scrolls = await page.evaluate(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth',
  );
  return scrolls === true ? wide : [];
}

const focusedName = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    const labels = [...(element.labels ?? [])].map((label) => label.innerText.trim());
    return element.getAttribute('aria-label') ?? (labels[0] || element.innerText.trim());
  })()`);

async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < 200; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await focusedName(page);
    if (focused === name) return;
    seen.push(focused);
  }
  assert.fail(`No Tab leads to ${name}: ${seen.slice(0, 60).join(' | ')}`);
}
