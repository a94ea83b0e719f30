// The audit log as people see it: all of the account, or what they did themselves; and what it says of people.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { consoleCall, cookieSetBy, sessionAside } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { commandHereOk } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

for (const engine of engines)
  describe(`the audit log in the console on ${engine.name}`, () => auditLog(engine));

interface Entry {
  readonly at: string;
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string | null };
  readonly action: string;
  readonly subject: string;
  readonly changeId: string;
  readonly note?: string;
}

interface Page {
  readonly items: readonly Entry[];
  readonly next: string | null;
}

const day = Date.UTC(2026, 4, 10);

function auditLog(engine: Engine): void {
  let context: ProvisioningService;
  let people: Readonly<Record<VisitorKind, VisitorAside>>;
  const url = (): string => context.store.databaseUrl;

  before(async () => {
    context = await startProvisioning(engine);
    people = await visitorsAside(url(), 1, 'ada');
    await visitorsAside(url(), 2, 'eve');
    // Their ids are no moments.
    await storeRows(url(), `delete from audit where actor = 'test'`);
    // 3,000 entries of May 2026 by others, in mixed order, and among them seven by the analyst.
    const rows = Array.from({ length: 3_000 }, (_, index) => {
      const at = (index * 7) % 3_000;
      const actor = at % 450 === 10 ? people.analyst.actor : 'command line';
      return `(${at % 3 === 2 ? 2 : 1}, '${idAt(day + at * 1_000, at)}', ${day + at * 1_000}, '${actor}', 'thing.${at % 2 === 0 ? 'make' : 'drop'}', 'thing ${at}')`;
    });
    for (let at = 0; at < rows.length; at += 500)
      await storeRows(
        url(),
        `insert into audit (account_id, id, at, actor, action, subject) values ${rows.slice(at, at + 500).join(', ')}`,
      );
  });
  after(() => context?.close());

  const audit = async (cookie: string, query = ''): Promise<Page> => {
    const { status, body, text } = await consoleCall(context.service.baseUrl, 'GET', `/audit${query}`, {
      cookie,
    });
    assert.equal(status, 200, text);
    return body as unknown as Page;
  };
  const everyPage = async (cookie: string, query: string): Promise<Entry[]> => {
    const items: Entry[] = [];
    let after = '';
    for (;;) {
      const page = await audit(cookie, `${query}${after}`);
      items.push(...page.items);
      if (page.next === null) return items;
      after = `&after=${page.next}`;
    }
  };

  it('whoever may see all of it gets every entry of the account once, the newest first, and none of another', async () => {
    for (const kind of ['identity', 'admin', 'operator inside'] as const) {
      const entries = await everyPage(
        await people[kind].newCookie(),
        '?from=2026-05-10&to=2026-05-10&limit=333',
      );
      const numbers = entries.map(({ subject }) => Number(subject.slice('thing '.length)));
      assert.equal(numbers.length, 2_000);
      assert.ok(numbers.every((number, at) => number % 3 !== 2 && (at === 0 || number < numbers[at - 1]!)));
    }
  });

  it('analysts and editors see what they did themselves, wherever it lies, and nobody else is there for them', async () => {
    const cookie = await people.analyst.newCookie();
    const all = await everyPage(cookie, '?limit=2');
    const ofMay = all.filter(({ action }) => action.startsWith('thing'));
    const wanted = Array.from({ length: 3_000 }, (_, at) => at).filter(
      (at) => at % 450 === 10 && at % 3 !== 2,
    );
    assert.deepEqual(
      ofMay.map(({ subject }) => subject),
      wanted.toReversed().map((at) => `thing ${at}`),
    );
    assert.ok(all.every(({ actor }) => actor.id === people.analyst.actor && actor.name === 'ada-analyst'));
    assert.deepEqual(await audit(cookie, '?actor=command%20line'), { items: [], next: null });
    assert.deepEqual(
      await audit(await people.editor.newCookie(), `?actor=${encodeURIComponent(people.analyst.actor)}`),
      {
        items: [],
        next: null,
      },
    );
  });

  it('entries are found by actor, action, subject and time', async () => {
    const cookie = await people.identity.newCookie();
    const of = async (query: string): Promise<number> => (await everyPage(cookie, query)).length;
    assert.equal(await of('?action=thing&limit=1000'), 2_000);
    assert.equal(await of('?action=thing.make&limit=1000'), 1_000);
    assert.equal(await of(`?actor=${encodeURIComponent(people.analyst.actor)}&action=thing&limit=1000`), 7);
    assert.equal(await of('?subject=thing%20100&limit=1000'), 1);
    assert.equal(await of('?from=2026-05-10T00:00:10Z&to=2026-05-10T00:00:19Z'), 7);
    assert.equal(await of('?to=2026-05-09'), await of('?to=2026-05-09T23:59:59Z'));
    for (const query of ['?from=yesterday', '?to=2026-02-30', '?limit=0', '?limit=1001', '?account=2'])
      assert.equal(
        (await consoleCall(context.service.baseUrl, 'GET', `/audit${query}`, { cookie })).status,
        400,
        query,
      );
  });

  it('a rare entry behind tens of thousands is found by following next, page after page of bounded work [D-393]', async () => {
    const rows = Array.from(
      { length: 52_500 },
      (_, at) =>
        `(2, '${idAt(Date.UTC(2026, 6, 1) + at, at)}', ${Date.UTC(2026, 6, 1) + at}, 'test', 'filler', 'x')`,
    );
    for (let at = 0; at < rows.length; at += 7_500)
      await storeRows(
        url(),
        `insert into audit (account_id, id, at, actor, action, subject) values ${rows.slice(at, at + 7_500).join(', ')}`,
      );
    const [eve] = await storeRows(
      url(),
      `select id from account_user where account_id = 2 order by id limit 1 offset 5`,
    );
    const cookie = await sessionAside(url(), { accountId: 2, personId: Number(eve!.id) });
    const first = await audit(cookie, '?subject=thing%202&limit=10');
    assert.deepEqual([first.items.length, first.next === null], [0, false]);
    const second = await audit(cookie, `?subject=thing%202&limit=10&after=${first.next}`);
    assert.deepEqual([second.items.map(({ subject }) => subject), second.next], [['thing 2'], null]);
  });

  it('people are named by kind, id and name, on the command line too; an operator is in the log of the account entered [D-394]', async () => {
    const outside = await people['operator outside'].newCookie();
    const entered = await consoleCall(context.service.baseUrl, 'PUT', '/session/account', {
      cookie: outside,
      body: { accountId: 1 },
    });
    const inside = cookieSetBy(entered)!;
    const made = await consoleCall(context.service.baseUrl, 'POST', '/api-clients', {
      cookie: inside,
      body: { name: 'by an operator' },
    });
    assert.equal(made.status, 201, made.text);
    const admin = await people.admin.newCookie();
    const other = await consoleCall(context.service.baseUrl, 'POST', '/api-clients', {
      cookie: admin,
      body: { name: 'by a user' },
    });
    const { items } = await audit(admin, '?limit=3');
    const operator = { kind: 'operator', id: people['operator outside'].actor, name: 'ada-outside-1' };
    const user = { kind: 'user', id: people.admin.actor, name: 'ada-admin' };
    assert.deepEqual(
      items.map(({ actor, action, subject }) => ({ actor, action, subject })),
      [
        { actor: user, action: 'client.create', subject: other.body.clientId },
        { actor: operator, action: 'client.create', subject: made.body.clientId },
        { actor: operator, action: 'account.enter', subject: operator.id },
      ],
    );
    const lines = await commandHereOk(['audit', '--account', '1', '--limit', '2', '--json'], context.env);
    assert.deepEqual(
      lines
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as Entry).actor),
      [operator, user],
    );
    const table = await commandHereOk(
      ['audit', '--account', '1', '--actor', people.admin.actor],
      context.env,
    );
    assert.match(table, new RegExp(`ada-admin \\(${people.admin.actor}\\) +client\\.create`));
    const ofOperator = await commandHereOk(['audit', '--actor', operator.id], context.env);
    assert.match(ofOperator, /operator ada-outside-1 +account\.enter/);
  });
}

/** A change id of a moment: the beginning of a UUID of version 7 is its time. */
function idAt(ms: number, number: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`;
}
