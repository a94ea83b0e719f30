// All that a service does at once, killed at a random moment, over and over: ingestion, forms of survey pages, users,
// groups, erasure, retention, the feed, webhooks, backups, the catalogue. What was acknowledged is remembered, and what had
// no answer is asked for once more, as a caller would; at the end everything is held against what is there.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { writeCatalogue } from './catalogue.ts';
import { assertInOrder, type Entry, follow, type GetPage, warehouseOf } from './change-feed.ts';
import { type Answer, exchange } from './exchange.ts';
import type { PostgresServer } from './postgres-server.ts';
import { callStandard, group, patchOf, standardUser } from './scim.ts';
import { type Seeded, seeded } from './seeded.ts';
import {
  commandHere,
  createClient,
  type ServiceProcess,
  setUp,
  startProcess,
  tokenFor,
  until,
} from './service.ts';
import {
  everythingAccount,
  everythingCatalogue,
  everythingSettings,
  shopResponse,
} from './store-of-everything.ts';
import { formText, tokenIn } from './survey-page.ts';
import { temporaryFolder } from './temporary-file.ts';
import { type Message, Receiver } from './webhook-receiver.ts';

const account = ['--account', String(everythingAccount)];
const actorsAtOnce = 8;
/** The kill comes after this many acts at most, so it meets cold and warm processes alike. */
const actsMax = 120;

/** One thing to do; false where no answer came, and it is done again once the service is back. */
type Act = (service: ServiceProcess) => Promise<boolean>;

export class KillMix {
  readonly #databaseUrl: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #chance: Seeded;
  readonly #receiver = new Receiver('takes');
  readonly #folder = temporaryFolder('kill-mix');
  readonly #messages: Message[] = [];
  #webhookSecret = '';
  #token = '';
  #service: ServiceProcess | null = null;
  #made = 0;
  /** Acts that had no answer. */
  readonly #doubtful: Act[] = [];
  readonly #posted = new Set<string>();
  readonly #old = new Set<string>();
  readonly #erased = new Set<string>();
  #forms = 0;
  /** The family name of each user, by externalId; who is being changed is not in it. */
  readonly #users = new Map<string, { readonly id: string; readonly familyName: string }>();
  readonly #groups = new Map<string, Set<string>>();
  #catalogueName = 'Shop';
  readonly #feed: Entry[] = [];
  #cursor: string | null = null;
  #isFollowing = false;
  #backups = 0;
  #isBackingUp = false;
  /** How often each act was done. */
  readonly done: Record<string, number> = {};

  constructor(databaseUrl: string, seed: number) {
    this.#databaseUrl = databaseUrl;
    this.#env = {
      ...everythingSettings,
      DATABASE_URL: databaseUrl,
      SOUNDINGS_LOG_LEVEL: 'error',
      SOUNDINGS_STORE_TIMEOUT_MS: '10000',
    };
    this.#chance = seeded(seed);
  }

  async prepare(): Promise<void> {
    await setUp(['apply', writeCatalogue(everythingCatalogue)], this.#env);
    const client = await createClient(this.#env, everythingAccount, [
      'r_cx_measures',
      'r_cx_projects',
      'r_cx_users',
      'w_cx_users',
      'w_cx_responses',
    ]);
    const url = await this.#receiver.start();
    const hook = await setUp(
      ['webhook', 'create', ...account, '--name', 'warehouse', '--url', url, '--json'],
      this.#env,
    );
    this.#webhookSecret = (JSON.parse(hook) as { secret: string }).secret;
    const service = await this.#start();
    this.#token = await tokenFor(service.baseUrl, client);
    await service.stop();
  }

  async killService(): Promise<void> {
    const service = await this.#start();
    await this.#settle(service);
    await this.#load(service, () => service.kill());
  }

  async killServers(server: PostgresServer, rounds: number): Promise<void> {
    const service = await this.#start();
    try {
      for (let round = 0; round < rounds; round += 1) {
        await this.#settle(service);
        await this.#load(service, () => server.kill());
        await server.start();
      }
    } finally {
      await service.stop();
    }
  }

  /** Nothing lost, nothing doubled, every event told. */
  async finish(): Promise<void> {
    const service = await this.#start();
    try {
      await this.#settle(service);
      await this.#command('retention', 'run', ...account);
      await this.#checkResponses(service);
      await this.#checkUsers(service);
      await this.#checkFeed(service);
      await this.#checkEvents();
      await until(
        async () =>
          JSON.parse(await setUp(['insight', 'status', '--json'], this.#env)) as { behind: number }[],
        (accounts) => accounts.every(({ behind }) => behind === 0),
        120_000,
      );
      await setUp(['insight', 'verify'], this.#env);
    } finally {
      assert.equal(await service.stop(), 0);
    }
    if (this.#isSqlite) {
      await setUp(['backup', join(this.#folder, 'last.db')], this.#env);
      await setUp(['verify', join(this.#folder, 'last.db')], this.#env);
    }
  }

  /** Also where a check has failed, so that nothing lives on. */
  async dispose(): Promise<void> {
    this.#receiver.stop();
    await this.#service?.kill();
  }

  get #isSqlite(): boolean {
    return this.#databaseUrl.startsWith('sqlite:');
  }

  async #start(): Promise<ServiceProcess> {
    const service = await startProcess(this.#env);
    this.#service = service;
    if (!this.#isSqlite) service.expectErrors('STORE_UNREACHABLE', 'STORE_TIMEOUT');
    return service;
  }

  async #settle(service: ServiceProcess): Promise<void> {
    for (const act of this.#doubtful.splice(0))
      await until(
        () => act(service),
        (isDone) => isDone,
        60_000,
      );
  }

  async #load(service: ServiceProcess, kill: () => Promise<void>): Promise<void> {
    const target = 1 + this.#chance.below(actsMax);
    let acts = 0;
    let killing: Promise<void> | null = null;
    let isOver = false;
    const actor = async (): Promise<void> => {
      while (!isOver) {
        const act = this.#next();
        if (acts >= target)
          killing ??= kill().finally(() => {
            isOver = true;
          });
        if (await act(service)) acts += 1;
        else {
          this.#doubtful.push(act);
          await killing;
        }
      }
    };
    await Promise.all(Array.from({ length: actorsAtOnce }, actor));
    await killing;
    this.#checkMessages();
  }

  /** Mostly responses, as in life; what is dear is rare. */
  readonly #acts: readonly (readonly [percent: number, name: string, make: () => Act])[] = [
    [34, 'ingestion', () => this.#post()],
    [10, 'form', () => this.#form()],
    [14, 'user', () => this.#createUser()],
    [12, 'patch', () => this.#renameUser()],
    [8, 'group', () => this.#changeGroup()],
    [8, 'erasure', () => this.#erase()],
    [4, 'retention', () => this.#retain()],
    [6, 'feed', () => this.#readFeed()],
    [2, 'catalogue', () => this.#apply()],
    [2, 'backup', () => this.#backup()],
  ];

  #next(): Act {
    let draw = this.#chance.below(100);
    const [, name, make] = this.#acts.find(([percent]) => {
      draw -= percent;
      return draw < 0;
    })!;
    const act = make();
    return async (service) => {
      const isDone = await act(service);
      if (isDone) this.done[name] = (this.done[name] ?? 0) + 1;
      return isDone;
    };
  }

  #post(): Act {
    const number = ++this.#made;
    const body = shopResponse(number);
    return async (service) => {
      const answer = await this.#send(service, body);
      if (answer === null) return false;
      assert.equal(answer.status, 200, answer.text);
      this.#posted.add(`shop-${number}`);
      return true;
    };
  }

  #form(): Act {
    let token: string | null = null;
    let isCounted = false;
    return async ({ baseUrl }) => {
      if (token === null) {
        const page = await answered(exchange(`${baseUrl}/s/heron-public`));
        if (page === null) return false;
        assert.equal(page.status, 200, page.text);
        token = tokenIn(page.text);
      }
      const answer = await answered(
        exchange(`${baseUrl}/s/heron-public`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: formText({ token, 'q.Q-STARS': '4' }),
        }),
      );
      if (answer === null) return false;
      assert.equal(answer.status, 303, answer.text);
      if (!isCounted) this.#forms += 1;
      isCounted = true;
      return true;
    };
  }

  #createUser(): Act {
    const externalId = `ibis-${++this.#made}`;
    const name = { givenName: 'Ibis', familyName: 'New' };
    return async (service) => {
      const answer = await this.#scim(
        service,
        'POST',
        '/Users',
        standardUser(externalId, { externalId, name }),
      );
      if (answer === null) return false;
      // Had it been kept although nobody was told, the repeat is a conflict with itself.
      assert.ok(answer.status === 201 || answer.status === 409, answer.text);
      const found = await this.#scim(
        service,
        'GET',
        `/Users?filter=${encodeURIComponent(`externalId eq "${externalId}"`)}`,
      );
      if (found === null) return false;
      assert.equal(found.body.totalResults, 1, found.text);
      this.#users.set(externalId, { id: found.body.Resources[0].id, familyName: 'New' });
      return true;
    };
  }

  #renameUser(): Act {
    const [externalId] = this.#users.size === 0 ? [] : [this.#chance.pick([...this.#users.keys()])];
    if (externalId === undefined) return this.#createUser();
    const { id } = this.#users.get(externalId)!;
    // Nobody else changes this user meanwhile, so that the last value is known.
    this.#users.delete(externalId);
    const familyName = `Renamed ${++this.#made}`;
    return async (service) => {
      const answer = await this.#scim(
        service,
        'PATCH',
        `/Users/${id}`,
        patchOf({ op: 'replace', path: 'name.familyName', value: familyName }),
      );
      if (answer === null) return false;
      assert.ok(answer.status === 200 || answer.status === 204, answer.text);
      this.#users.set(externalId, { id, familyName });
      return true;
    };
  }

  #changeGroup(): Act {
    const user = this.#users.size === 0 ? null : this.#users.get(this.#chance.pick([...this.#users.keys()]))!;
    const name = `team ${this.#chance.below(5)}`;
    return async (service) => {
      const found = await this.#scim(
        service,
        'GET',
        `/Groups?filter=${encodeURIComponent(`displayName eq "${name}"`)}`,
      );
      if (found === null) return false;
      const members = user === null ? [] : [user.id];
      const answer =
        found.body.totalResults === 0
          ? await this.#scim(service, 'POST', '/Groups', group(name, members))
          : await this.#scim(
              service,
              'PATCH',
              `/Groups/${found.body.Resources[0].id}`,
              patchOf({ op: 'add', path: 'members', value: members.map((value) => ({ value })) }),
            );
      if (answer === null) return false;
      assert.ok([200, 201, 204, 409].includes(answer.status), answer.text);
      // Two may have made it at once; whoever came second adds the member by the next attempt.
      if (answer.status === 409) return false;
      const known = this.#groups.get(name) ?? new Set();
      for (const id of members) known.add(id);
      this.#groups.set(name, known);
      return true;
    };
  }

  #erase(): Act {
    const id = [...this.#posted].find((posted) => !this.#erased.has(posted));
    if (id === undefined) return this.#post();
    this.#erased.add(id);
    return () => this.#command('erase', ...account, '--response', id);
  }

  #retain(): Act {
    const id = `old-${++this.#made}`;
    const body = {
      surveyDefinitionId: 'heron-visits',
      responseId: id,
      submissionTimestamp: '2025-05-04T08:00:00Z',
      responses: { 'Q-SAT': ['7'], 'Q-WORDS': ['long ago'] },
    };
    return async (service) => {
      const answer = await this.#send(service, body);
      if (answer === null) return false;
      assert.equal(answer.status, 200, answer.text);
      this.#old.add(id);
      return this.#command('retention', 'run', ...account);
    };
  }

  #readFeed(): Act {
    return async (service) => {
      if (this.#isFollowing) return true;
      this.#isFollowing = true;
      try {
        const { entries, next } = await follow(this.#feedOf(service), () => 50, this.#cursor);
        this.#feed.push(...entries);
        this.#cursor = next;
        return true;
      } catch {
        return false;
      } finally {
        this.#isFollowing = false;
      }
    };
  }

  #apply(): Act {
    const name = `Shop ${++this.#made}`;
    const [only] = everythingCatalogue.accounts;
    const [shop, ...others] = only!.measures;
    const catalogue = { accounts: [{ ...only!, measures: [{ ...shop!, name }, ...others] }] };
    return async () => {
      if (!(await this.#command('apply', writeCatalogue(catalogue)))) return false;
      this.#catalogueName = name;
      return true;
    };
  }

  #backup(): Act {
    if (!this.#isSqlite) return this.#post();
    return async () => {
      // Two at once are refused.
      if (this.#isBackingUp) return true;
      this.#isBackingUp = true;
      try {
        const file = join(this.#folder, `backup-${++this.#backups}.db`);
        return (await this.#command('backup', file)) && (await this.#command('verify', file));
      } finally {
        this.#isBackingUp = false;
      }
    };
  }

  /** False where the store is away; any other failure is the test's. */
  async #command(...args: readonly string[]): Promise<boolean> {
    const { code, stderr } = await commandHere(args, this.#env);
    if (code === 0) return true;
    assert.ok(!this.#isSqlite, `soundings ${args.join(' ')} ended with ${code}: ${stderr}`);
    return false;
  }

  #send(service: ServiceProcess, body: object): Promise<Answer | null> {
    return answered(
      exchange(`${service.baseUrl}/v1/surveys/ingestion`, {
        method: 'POST',
        headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  }

  async #scim(
    { baseUrl }: ServiceProcess,
    method: string,
    path: string,
    body?: object,
  ): Promise<Awaited<ReturnType<typeof callStandard>> | null> {
    try {
      const answer = await callStandard(
        baseUrl,
        this.#token,
        method,
        path,
        body === undefined ? {} : { body },
      );
      return answer.status === 502 || answer.status === 503 ? null : answer;
    } catch {
      return null;
    }
  }

  #feedOf(service: ServiceProcess): GetPage {
    return (query) => this.#get(service, `/v1/measures/800/changes?${query}`);
  }

  #get(service: ServiceProcess, path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#token}`, accept: 'application/json' };
    return exchange(`${service.baseUrl}${path}`, { headers });
  }

  async #pages(service: ServiceProcess, measure: number): Promise<{ id: string; erased?: boolean }[]> {
    const items: { id: string; erased?: boolean }[] = [];
    for (let page = 0, hasMore = true; hasMore; page += 1) {
      const path = `/v1/measures/${measure}/data?from=2025-05-01&to=2025-05-31&limit=100&offset=${page}`;
      const { status, body, text } = await this.#get(service, path);
      assert.equal(status, 200, text);
      items.push(...(body.items as typeof items));
      hasMore = body.hasMore === true;
    }
    return items;
  }

  async #checkResponses(service: ServiceProcess): Promise<void> {
    const shop = await this.#pages(service, 800);
    assert.deepEqual(shop.map(({ id }) => id).sort(), [...this.#posted].sort());
    const erased = shop.filter((item) => item.erased === true).map(({ id }) => id);
    assert.deepEqual(erased.sort(), [...this.#erased].sort());
    const old = await this.#pages(service, 801);
    assert.deepEqual(old.map(({ id }) => id).sort(), [...this.#old].sort());
    assert.ok(old.every((item) => item.erased === true));
    const forms = await this.#get(service, '/v1/projects/810/data?from=2020-01-01&to=2099-12-31&limit=1');
    assert.equal(forms.body.total, this.#forms);
    const measures = await this.#get(service, '/v1/measures');
    const shown = (measures.body.items as { name: string }[]).map(({ name }) => name);
    assert.ok(shown.includes(this.#catalogueName) || this.done.catalogue === undefined, shown.join());
  }

  async #checkUsers(service: ServiceProcess): Promise<void> {
    for (const [externalId, { id, familyName }] of this.#users) {
      const answer = await this.#scim(service, 'GET', `/Users/${id}`);
      assert.deepEqual([answer?.body.externalId, answer?.body.name.familyName], [externalId, familyName]);
    }
    const all = await this.#scim(service, 'GET', '/Users?count=0');
    assert.equal(all?.body.totalResults, this.#users.size);
    for (const [name, members] of this.#groups) {
      const found = await this.#scim(
        service,
        'GET',
        `/Groups?filter=${encodeURIComponent(`displayName eq "${name}"`)}`,
      );
      const resources: readonly { members?: { value: string }[] }[] = found?.body.Resources ?? [];
      const ids = resources.flatMap((one) => one.members?.map(({ value }) => value) ?? []);
      assert.equal(new Set(ids).size, ids.length, `a member of ${name} is in it twice`);
      assert.ok(
        [...members].every((id) => ids.includes(id)),
        `a member of ${name} is missing`,
      );
    }
  }

  async #checkFeed(service: ServiceProcess): Promise<void> {
    const { entries } = await follow(this.#feedOf(service), () => 100, this.#cursor);
    this.#feed.push(...entries);
    assertInOrder(this.#feed);
    const copy = warehouseOf(this.#feed).map(({ id, erased }) => [id, erased === true]);
    const there = (await this.#pages(service, 800)).map(({ id, erased }) => [id, erased === true]);
    assert.deepEqual(copy, there);
  }

  /** Every event that the log knows has come, and none that it does not know. */
  async #checkEvents(): Promise<void> {
    const changes = this.#feed.flatMap(({ type, change }) => (type === 'erased' ? [String(change)] : []));
    const users = [...this.#users.values()].map(({ id }) => id);
    await this.#checkTold('response.created', 'responseId', [...this.#posted, ...this.#old]);
    await this.#checkTold('response.erased', 'change', changes);
    await this.#checkTold('user.created', 'userId', users);
  }

  /** Signatures are good for five minutes only, so they are checked while the mix goes on. */
  #checkMessages(): void {
    this.#messages.push(...this.#receiver.messages(this.#webhookSecret));
    this.#receiver.received.length = 0;
  }

  /** Of responses to measures 800 and 801; of erasures those of 800, whose feed was followed. */
  async #checkTold(type: string, member: string, wanted: readonly string[]): Promise<void> {
    const isMeant = (data: Message['data']): boolean =>
      type === 'user.created' ||
      (type === 'response.erased' ? data.measureKey === 800 : data.measureKey !== undefined);
    const told = (): readonly string[] => {
      this.#checkMessages();
      const values = this.#messages
        .filter((message) => message.type === type && isMeant(message.data))
        .map(({ data }) => String(data[member]));
      return [...new Set(values)].sort();
    };
    await until(
      async () => told().length,
      (count) => count >= wanted.length,
      300_000,
    );
    assert.deepEqual(told(), [...wanted].sort(), type);
  }
}

/** Null where no answer came, or the service says that the store is away. */
async function answered(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    const given = await answer;
    return given.status === 502 || given.status === 503 ? null : given;
  } catch {
    return null;
  }
}
