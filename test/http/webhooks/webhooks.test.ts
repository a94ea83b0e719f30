// Webhooks, with receivers that take what they are sent, and with such that do not.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { postResponse, prepareFeedback, projectId } from '../../support/feedback.ts';
import { callStandard, patchOf, standardUser } from '../../support/scim.ts';
import {
  commandHere,
  commandHereOk,
  createClient,
  type Service,
  setUp,
  soundingsOk,
  tokenFor,
  until,
} from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { type StoreRow, storeRows, wholeStore } from '../../support/store-rows.ts';
import { type Behaviour, type Message, Receiver } from '../../support/webhook-receiver.ts';

interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly receiver: Receiver;
}

interface ListedDelivery {
  readonly id: string;
  readonly type: string;
  readonly state: string;
  readonly attempts: number;
  readonly lastStatus: number | null;
  readonly lastFailure: string | null;
}

const acme = '4001';
const bolt = '4002';
const responses = 150;
const users = 60;

for (const engine of engines) {
  describe(`webhooks on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let service: Service;
    const tokens: Record<string, string> = {};
    const receivers: Receiver[] = [];

    before(async () => {
      store = await engine.readyStore();
      env = {
        DATABASE_URL: store.databaseUrl,
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_WEBHOOK_NETWORKS: '127.0.0.0/8',
      };
      const client = await prepareFeedback(env);
      await setUp(['apply', writeCatalogue({ accounts: [{ id: Number(bolt), name: 'Bolt' }] })], env);
      service = await startService(env);
      tokens[acme] = await tokenFor(service.baseUrl, client);
      tokens[bolt] = await tokenFor(service.baseUrl, await createClient(env, Number(bolt)));
      // What was there before a webhook is not told to it, also where another one heard of users then.
      await hook(acme, 'only users', ['user.updated']);
      for (let index = 0; index < 5; index += 1) await respond(`early-${index}`);
    });
    after(async () => {
      await service?.stop();
      for (const receiver of receivers) receiver.stop();
      await store?.dispose();
    });

    async function respond(id: string, text = ''): Promise<void> {
      assert.equal((await postResponse(service.baseUrl, tokens[acme]!, id, text)).status, 200);
    }
    const call = (account: string, method: string, path: string, body?: object) =>
      callStandard(service.baseUrl, tokens[account]!, method, path, body === undefined ? {} : { body });

    async function hook(
      account: string,
      name: string,
      events: string[],
      behaviour: Behaviour = 'takes',
    ): Promise<Hook> {
      const receiver = new Receiver(behaviour);
      receivers.push(receiver);
      const url = await receiver.start();
      const flags = events.flatMap((event) => ['--event', event]);
      const made = await commandHereOk(
        ['webhook', 'create', '--account', account, '--name', name, '--url', url, '--json', ...flags],
        env,
      );
      return { ...(JSON.parse(made) as { id: string; secret: string }), receiver };
    }
    const arrived = (one: Hook, count: number): Promise<readonly Message[]> =>
      until(
        async () => one.receiver.messages(one.secret),
        (messages) => new Set(messages.map(({ id }) => id)).size >= count,
        60_000,
      );
    const deliveries = async (one: Hook, ...flags: string[]): Promise<ListedDelivery[]> =>
      JSON.parse(
        await commandHereOk(['webhook', 'deliveries', one.id, '--account', acme, '--json', ...flags], env),
      );
    const listed = async (one: Hook): Promise<Record<string, unknown>> =>
      JSON.parse(await commandHereOk(['webhook', 'list', '--account', acme, '--json'], env)).find(
        ({ id }: { id: string }) => id === one.id,
      );

    const ofHook = (one: Hook): string => `where account_id = ${acme} and webhook_id = '${one.id}'`;
    const queue = (one: Hook): Promise<readonly StoreRow[]> =>
      storeRows(store.databaseUrl, `select attempts, dead_at from webhook_delivery ${ofHook(one)}`);
    /** As if the time until the next attempt had passed. */
    const isDueNow = (one: Hook, more = 'dead_at = null'): Promise<unknown> =>
      storeRows(store.databaseUrl, `update webhook_delivery set next_at = 1, ${more} ${ofHook(one)}`);

    let all: Hook;
    let hanging: Hook;

    it('every response and every change of a user is told, signed, without an answer, to its own account alone [D-242] [D-243]', async () => {
      all = await hook(acme, 'all', []);
      hanging = await hook(acme, 'hangs', ['response.created'], 'hangs');
      const other = await hook(bolt, 'users', ['user.created']);
      await Promise.all(
        Array.from({ length: responses }, (_, index) => respond(`r-${index}`, 'between you and me')),
      );
      const made = await Promise.all(
        Array.from({ length: users }, (_, index) =>
          call(
            acme,
            'POST',
            '/Users',
            standardUser(`person-${index}@acme.example`, { externalId: `x-${index}` }),
          ),
        ),
      );
      const ids = made.map(({ body }) => String(body.id));
      await Promise.all(
        Array.from({ length: 40 }, (_, index) => call(bolt, 'POST', '/Users', standardUser(`bolt-${index}`))),
      );
      const active = (value: boolean): object => patchOf({ op: 'replace', path: 'active', value });
      for (const id of ids.slice(0, 5)) await call(acme, 'PATCH', `/Users/${id}`, active(false));
      for (const id of ids.slice(0, 3)) await call(acme, 'PATCH', `/Users/${id}`, active(true));
      for (const id of ids.slice(5, 9))
        await call(
          acme,
          'PATCH',
          `/Users/${id}`,
          patchOf({ op: 'add', path: 'displayName', value: 'Another' }),
        );
      for (const id of ids.slice(9, 12)) await call(acme, 'DELETE', `/Users/${id}`);
      await commandHereOk(['erase', '--account', acme, '--response', 'r-7'], env);

      const messages = await arrived(all, responses + users + 5 + 3 + 4 + 3 + 1);
      const of = (type: string): readonly Message[] => messages.filter((message) => message.type === type);
      assert.deepEqual(
        new Set(of('response.created').map(({ data }) => data.responseId)),
        new Set(Array.from({ length: responses }, (_, index) => `r-${index}`)),
      );
      assert.deepEqual(
        new Set(of('response.created').map(({ data }) => data.position)),
        new Set(Array.from({ length: responses }, (_, index) => index + 6)),
      );
      assert.deepEqual(new Set(of('user.created').map(({ data }) => data.userId)), new Set(ids));
      const told = (type: string): unknown[] => [...new Set(of(type).map(({ data }) => data.userId))].sort();
      assert.deepEqual(told('user.suspended'), ids.slice(0, 5).sort());
      assert.deepEqual(told('user.reactivated'), ids.slice(0, 3).sort());
      assert.deepEqual(told('user.updated'), ids.slice(5, 9).sort());
      assert.deepEqual(told('user.deleted'), ids.slice(9, 12).sort());
      const [erased] = of('response.erased');
      const position = of('response.created').find(({ data }) => data.responseId === 'r-7')?.data.position;
      assert.deepEqual(
        [erased?.data.projectId, erased?.data.firstPosition, erased?.data.lastPosition, erased?.data.reason],
        [projectId, position, position, 'erasure'],
      );
      assert.ok(messages.every(({ data }) => data.accountId === Number(acme)));
      const sent = JSON.stringify(all.receiver.received);
      assert.doesNotMatch(sent, /between you and me|Q-STARS|person-|acme\.example|Another/);

      const others = await arrived(other, 40);
      assert.ok(others.every(({ type, data }) => type === 'user.created' && data.accountId === Number(bolt)));
      assert.ok(others.every(({ data }) => !ids.includes(String(data.userId))));
    });

    it('a receiver that checks signatures takes no message that somebody else has made or changed [D-242]', async () => {
      const { headers, body } = all.receiver.received[0]!;
      const asText = headers as Record<string, string>;
      const checker = new Webhook(all.secret);
      assert.doesNotThrow(() => checker.verify(body, asText));
      const forgeries: [string, Record<string, string>, Webhook][] = [
        [body.replace('"accountId":4001', '"accountId":4002'), asText, checker],
        [body, { ...asText, 'webhook-id': 'evt_another' }, checker],
        [body, { ...asText, 'webhook-timestamp': String(Number(asText['webhook-timestamp']) - 1) }, checker],
        [body, asText, new Webhook(hanging.secret)],
      ];
      for (const [text, given, by] of forgeries) assert.throws(() => by.verify(text, given));
    });

    it('a receiver that hangs holds up no other, and what it was sent is still on its way', async () => {
      assert.ok(hanging.receiver.received.length >= 1);
      const waiting = await deliveries(hanging, '--limit', '1000');
      assert.equal(waiting.length, responses);
      assert.ok(waiting.every(({ state }) => state === 'waits'));
      await until(
        () => listed(all),
        ({ waiting: left }) => left === 0,
      );
    });

    it('a service that is stopped while a receiver hangs sends it again after its start [D-243]', async () => {
      const before = hanging.receiver.received.length;
      await service.stop();
      hanging.receiver.behaviour = 'takes';
      service = await startService(env);
      const messages = await arrived(hanging, responses);
      assert.ok(messages.length > before);
      await until(
        () => queue(hanging),
        (rows) => rows.length === 0,
      );
    });

    it('what a receiver refuses, or answers with a redirect, is tried again under the same id; an answer without an end is cut off, and counts as under way until then', async () => {
      const refusing = await hook(acme, 'refuses', ['response.created'], 'refuses');
      const redirecting = await hook(acme, 'redirects', ['response.created'], 'redirects');
      const endless = await hook(acme, 'endless', ['response.created'], 'answers for ever');
      const dribbling = await hook(acme, 'dribbles', ['response.created'], 'never ends');
      for (let index = 0; index < 12; index += 1) await respond(`again-${index}`);
      await arrived(endless, 12);
      await arrived(dribbling, 12);
      assert.ok(dribbling.receiver.openMax <= 8, `${dribbling.receiver.openMax} at once`);
      await until(
        () => queue(dribbling),
        (rows) => rows.length === 0,
      );
      const tried = (one: Hook): Promise<unknown> =>
        until(
          () => queue(one),
          (rows) => rows.length === 12 && rows.every(({ attempts }) => Number(attempts) > 0),
        );
      await Promise.all([tried(refusing), tried(redirecting)]);
      const refused = await deliveries(refusing);
      assert.ok(refused.every((one) => one.lastStatus === 500 && one.lastFailure === 'answered 500'));
      const redirected = await deliveries(redirecting);
      assert.ok(redirected.every(({ lastFailure }) => lastFailure?.endsWith('redirects are not followed')));
      refusing.receiver.behaviour = 'takes';
      // An attempt that was under way when the receiver changed its mind puts its message off once more.
      const taken = await until(
        async () => {
          await isDueNow(refusing);
          return queue(refusing);
        },
        (rows) => rows.length === 0,
      );
      assert.deepEqual(taken, []);
      const ids = refusing.receiver.messages(refusing.secret).map(({ id }) => id);
      assert.deepEqual(new Set(ids), new Set(refused.map(({ id }) => id)));
      assert.ok(ids.length >= 24);
      const shown = await listed(endless);
      assert.deepEqual([shown.delivered, shown.waiting], [12, 0]);
      await commandHereOk(['webhook', 'remove', redirecting.id, '--account', acme], env);
      assert.deepEqual(await queue(redirecting), []);
    });

    it('what failed for three days is given up, can be looked at, and is sent again when asked for [D-243]', async () => {
      const dying = await hook(acme, 'dies', ['response.created'], 'refuses');
      for (let index = 0; index < 4; index += 1) await respond(`late-${index}`);
      await until(
        () => queue(dying),
        (rows) => rows.length === 4,
      );
      await isDueNow(dying, 'give_up_at = 1');
      await until(
        () => queue(dying),
        (rows) => rows.every(({ dead_at: deadAt }) => deadAt !== null),
      );
      const dead = await deliveries(dying, '--dead');
      assert.equal(dead.length, 4);
      assert.ok(dead.every(({ state, lastStatus }) => state === 'dead' && lastStatus === 500));
      dying.receiver.behaviour = 'takes';
      const replay = ['webhook', 'replay', dying.id, '--account', acme, '--json'];
      const one = await commandHereOk([...replay, '--delivery', dead[0]!.id], env);
      assert.deepEqual(JSON.parse(one), { id: dying.id, queued: 1 });
      await commandHereOk([...replay, '--dead'], env);
      await until(
        () => queue(dying),
        (rows) => rows.length === 0,
      );
      assert.equal(new Set(dying.receiver.messages(dying.secret).map(({ id }) => id)).size, 4);
    });

    it('a receiver that changes the protocol holds no place of its account: it fails, is tried again, and the service can stop', async () => {
      const upgrading = await hook(acme, 'upgrades', ['response.created'], 'upgrades');
      const beside = await hook(acme, 'beside', ['response.created']);
      for (let index = 0; index < 24; index += 1) await respond(`upgrade-${index}`);
      await arrived(beside, 24);
      await until(
        () => queue(upgrading),
        (rows) => rows.length === 24 && rows.every(({ attempts }) => Number(attempts) > 0),
      );
      await commandHereOk(['webhook', 'remove', upgrading.id, '--account', acme], env);
    });

    it('/metrics has the age of the oldest event on its way, and doctor names webhooks that are behind or have dead letters', async () => {
      const lag = (wanted: (seconds: number) => boolean): Promise<number> =>
        until(
          async () => {
            const page = await (await fetch(`${service.baseUrl}/metrics`)).text();
            return Number(/^soundings_lag_seconds\{of="webhooks"\} (\S+)$/m.exec(page)?.[1] ?? Number.NaN);
          },
          wanted,
          60_000,
        );
      const findings = async (): Promise<string> =>
        (JSON.parse(await commandHereOk(['doctor', '--json'], env)) as { check: string; says: string }[])
          .filter(({ check }) => check === 'webhooks')
          .map(({ says }) => says)
          .join('\n');
      await lag((seconds) => seconds < 600);
      const behind = await hook(acme, 'behind', ['response.created'], 'refuses');
      for (let index = 0; index < 3; index += 1) await respond(`behind-${index}`);
      await until(
        () => queue(behind),
        (rows) => rows.length === 3 && rows.every(({ attempts }) => Number(attempts) > 0),
      );
      const twoHoursAgo = Date.now() - 7_200_000;
      await storeRows(
        store.databaseUrl,
        `update webhook_delivery set created_at = ${twoHoursAgo}, next_at = ${Date.now() + 3_600_000} ${ofHook(behind)}`,
      );
      await lag((seconds) => seconds > 7_000 && seconds < 8_000);
      const late = await findings();
      assert.match(late, new RegExp(`${behind.id} of account 4001: its oldest message has waited for 2 h`));
      assert.match(late, /answered 500/);
      assert.doesNotMatch(late, /127\.0\.0\.1|whsec_/);
      await isDueNow(behind, 'give_up_at = 1');
      await lag((seconds) => seconds < 600);
      assert.match(await findings(), new RegExp(`${behind.id} of account 4001: messages were given up`));
      await commandHereOk(['webhook', 'remove', behind.id, '--account', acme], env);
      assert.doesNotMatch(await findings(), new RegExp(behind.id));
    });

    it('responses are sent again from any position on, those from before the webhook too', async () => {
      const late = await hook(acme, 'late', ['response.created']);
      const queued = await commandHereOk(
        [
          'webhook',
          'replay',
          late.id,
          '--account',
          acme,
          '--project',
          String(projectId),
          '--from',
          '3',
          '--to',
          '8',
          '--json',
        ],
        env,
      );
      assert.deepEqual(JSON.parse(queued), { id: late.id, queued: 6 });
      const messages = await arrived(late, 6);
      assert.deepEqual(messages.map(({ data }) => Number(data.position)).sort(), [3, 4, 5, 6, 7, 8]);
      const known = new Map(all.receiver.messages(all.secret).map(({ id, data }) => [data.responseId, id]));
      const repeated = messages.filter(({ data }) => known.has(data.responseId));
      assert.equal(repeated.length, 3);
      for (const { id, data } of repeated) assert.equal(id, known.get(data.responseId));
    });

    it('a secret is shown once and kept sealed; while it is changed messages carry a signature of each [D-241]', async () => {
      const rotated = JSON.parse(
        await commandHereOk(['webhook', 'rotate', all.id, '--account', acme, '--json'], env),
      );
      const tested = JSON.parse(
        await soundingsOk(['webhook', 'test', all.id, '--account', acme, '--json'], env),
      );
      assert.equal(tested.status, 204);
      const last = all.receiver.received.at(-1)!;
      for (const secret of [all.secret, rotated.secret])
        assert.doesNotThrow(() =>
          new Webhook(secret).verify(last.body, last.headers as Record<string, string>),
        );
      await commandHereOk(['webhook', 'rotate', all.id, '--account', acme, '--finish'], env);
      await commandHereOk(['webhook', 'test', all.id, '--account', acme], env);
      const next = all.receiver.received.at(-1)!;
      assert.throws(() => new Webhook(all.secret).verify(next.body, next.headers as Record<string, string>));
      const kept = JSON.stringify(await wholeStore(store.databaseUrl));
      const shown = await commandHereOk(['webhook', 'list', '--json'], env);
      for (const secret of [all.secret, rotated.secret, hanging.secret]) {
        for (const place of [kept, shown, service.output()]) assert.ok(!place.includes(secret.slice(6)));
      }
      const { sealingKeys } = JSON.parse(await commandHereOk(['keys', 'list', '--json'], env));
      const refused = await commandHere(['keys', 'revoke', sealingKeys[0].kid], env);
      assert.match(
        refused.stderr,
        /has sealed \d+ secrets of webhooks, and without it they can never be opened again/,
      );
    });

    it('a webhook of another account is none, and what cannot be a receiver is refused with its reason [D-10] [D-244]', async () => {
      const foreign = await commandHere(['webhook', 'remove', all.id, '--account', bolt], env);
      assert.match(foreign.stderr, /Account 4002 has no webhook/);
      const create = (url: string, more: Record<string, string> = {}) =>
        commandHere(['webhook', 'create', '--account', bolt, '--name', url, '--url', url, '--json'], {
          ...env,
          ...more,
        });
      for (const url of ['ftp://example.com/', 'https://me:word@example.com/', 'nowhere'])
        assert.equal((await create(url)).code, 1, url);
      const closed = { SOUNDINGS_WEBHOOK_NETWORKS: '' };
      assert.match((await create('http://example.com/', closed)).stderr, /must begin with https/);
      const made = JSON.parse((await create('https://localhost:9/hook', closed)).stdout);
      const tested = await commandHere(['webhook', 'test', made.id, '--account', bolt], {
        ...env,
        ...closed,
      });
      assert.equal(tested.code, 1);
      assert.match(tested.stderr, /localhost is not a public address/);
      const unknown = await commandHere(
        [
          'webhook',
          'create',
          '--account',
          bolt,
          '--name',
          'x',
          '--url',
          'https://example.com',
          '--event',
          'response.read',
        ],
        env,
      );
      assert.match(unknown.stderr, /there is no event response\.read; there are response\.created/);
    });
  });
}
