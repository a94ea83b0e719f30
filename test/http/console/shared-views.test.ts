// Shared views: a link shows one page of figures to somebody without an account, as a viewer would see it, until it ends.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { noteOfDetails } from '../../support/audit-note.ts';
import { appendComments, rollUpComments } from '../../support/comment-log.ts';
import {
  commentAcme,
  commentBolt,
  commentCatalogue,
  commentResponses,
} from '../../support/comment-population.ts';
import { consoleCall } from '../../support/console.ts';
import { type VisitorAside, type VisitorKind, visitorsAside } from '../../support/console-roles.ts';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { type OpenedLog, openFeedbackLog } from '../../support/open-feedback-log.ts';
import { commandHere, commandHereOk, until } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';

const dayMs = 86_400_000;
const days = { from: '2026-01-01', to: '2026-01-20' };
const wanted = { name: 'January for the board', kind: 'measure', key: 10, ...days };
const range = `?from=${days.from}&to=${days.to}`;

interface Made {
  readonly id: string;
  readonly url: string;
  readonly code: string;
}

for (const engine of engines) {
  describe(`shared views on ${engine.name}`, () => {
    let log: OpenedLog;
    let service: FeedbackService;
    let acme: Readonly<Record<VisitorKind, VisitorAside>>;
    let boltPeople: Readonly<Record<VisitorKind, VisitorAside>>;
    let analyst: string;
    let bolt: string;
    let token: string;

    const call = (method: string, path: string, cookie: string, body?: object): Promise<Answer> =>
      consoleCall(service.baseUrl, method, path, { cookie, ...(body === undefined ? {} : { body }) });
    const make = async (extra: object = {}, cookie = analyst): Promise<Made> => {
      const { status, body, text } = await call('POST', '/views', cookie, { ...wanted, ...extra });
      assert.equal(status, 201, text);
      const { id, url } = body as { id: string; url: string };
      return { id, url, code: new URL(url).hash.slice(1) };
    };
    const look = (path: string, code: string, headers: Readonly<Record<string, string>> = {}) =>
      exchange(`${service.baseUrl}/shared/api${path}`, { headers: { 'soundings-view': code, ...headers } });
    const outcome = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      return [status, body.code];
    };

    before(async () => {
      log = await openFeedbackLog(engine, commentCatalogue);
      service = await startFeedback(engine, { catalogue: commentCatalogue, databaseUrl: log.databaseUrl });
      for (const [accountId, source, count] of [
        [commentAcme, 'measure', 1_000],
        [commentAcme, 'project', 200],
        [commentBolt, 'measure', 300],
      ] as const)
        await appendComments(log, commentResponses(accountId, source, count));
      await rollUpComments(log);
      acme = await visitorsAside(service.databaseUrl, commentAcme, 'acme');
      analyst = await acme.analyst.newCookie();
      boltPeople = await visitorsAside(service.databaseUrl, commentBolt, 'bolt');
      bolt = await boltPeople.analyst.newCookie();
      token = await service.token(commentAcme);
    });
    after(async () => {
      await service?.stop();
      await log?.dispose();
    });

    it('a link shows what a viewer sees of its days, and its code is nowhere but in the link [D-554]', async () => {
      const { id, url, code } = await make({ compare: 'previous' });
      assert.match(url, /\/shared#4001\.[\w-]{43}$/);
      const { body: view } = await look('/view', code);
      assert.deepEqual(
        { ...view, expiresAt: null },
        { ...wanted, account: 'acme', compare: 'previous', filter: null, expiresAt: null },
      );
      const viewer = await acme.viewer.newCookie();
      for (const path of [
        '/measures/10',
        `/measures/10/trend${range}&compare=previous&unit=week`,
        `/measures/10/distribution${range}`,
        `/measures/10/drivers${range}`,
        `/measures/10/breakdown${range}&by=question:C-SHOP&within=10000`,
      ]) {
        const shared = await look(path, code);
        assert.equal(shared.status, 200, `${path} ${shared.text}`);
        assert.deepEqual(shared.body, (await call('GET', path, viewer)).body, path);
        assert.equal(shared.headers['cache-control'], 'no-store');
        assert.match(String(shared.headers['x-robots-tag']), /noindex/);
      }
      const project = await make({ kind: 'project', key: 20 });
      for (const path of [`/projects/20/trend${range}`, `/projects/20/topics${range}`]) {
        const shared = await look(path, project.code);
        assert.equal(shared.status, 200, shared.text);
        assert.deepEqual(shared.body, (await call('GET', path, viewer)).body, path);
      }
      const secret = code.split('.')[1]!;
      const { text } = await call('GET', '/views', analyst);
      assert.ok(text.includes(id));
      const kept = JSON.stringify([
        await storeRows(service.databaseUrl, 'select * from shared_view'),
        await storeRows(service.databaseUrl, 'select * from audit'),
        text,
        service.log(),
      ]);
      assert.ok(!kept.includes(secret));
    });

    it('no open text and no cell of fewer than five comes out, whatever is asked for', async () => {
      const { code } = await make();
      for (const question of ['C-WHY', 'C-MORE']) {
        const answer = await look(
          `/measures/10/breakdown${range}&by=question:${question}&within=10000`,
          code,
        );
        assert.equal(answer.status, 400, answer.text);
      }
      const { text } = await look(`/measures/10/distribution${range}&minimum=1`, code);
      assert.equal((JSON.parse(text) as { minimum: number }).minimum, 5);
      for (const path of ['/trend', '/distribution', '/drivers'])
        assert.doesNotMatch((await look(`/measures/10${path}${range}`, code)).text, /delivery|Straße|配送/);
      const open = await call('POST', '/views', analyst, {
        ...wanted,
        filter: 'contains,question:C-WHY,delivery',
      });
      assert.equal(open.status, 400, open.text);
    });

    it('a link opens no other measure, project, range, filter or comparison, and no other door [D-554]', async () => {
      const { code } = await make({ filter: 'is,question:C-SHOP,east' });
      const own = `${range}&filter=is,question:C-SHOP,east`;
      assert.equal((await look(`/measures/10/trend${own}`, code)).status, 200);
      const encoded = encodeURIComponent('is,question%3AC-SHOP,e%61st');
      assert.equal((await look(`/measures/10/trend${range}&filter=${encoded}`, code)).status, 200);
      for (const query of [
        range,
        `${own}&compare=year`,
        `?from=2026-01-01&to=2026-01-21&filter=is,question:C-SHOP,east`,
        `${range}&filter=is,question:C-SHOP,north`,
      ])
        assert.deepEqual(
          await outcome(look(`/measures/10/trend${query}`, code)),
          [403, 'SHARED_VIEW_FIXED'],
          query,
        );
      for (const path of [
        '/measures/11',
        `/measures/11/trend${own}`,
        '/projects/20',
        `/projects/20/trend${own}`,
      ])
        assert.equal((await look(path, code)).status, 404, path);
      for (const path of ['/measures/10/comments', '/measures/10/responses', '/overview', '/views'])
        assert.equal((await look(path, code)).status, 404, path);
      // Neither the console nor the interface takes the code, in whatever header.
      for (const headers of [{ 'soundings-view': code }, { cookie: `soundings=${code}` }] as const)
        for (const path of ['/console/api/sources', '/console/api/measures/10'])
          assert.equal((await exchange(`${service.baseUrl}${path}`, { headers })).status, 401);
      assert.equal((await service.get('/v1/measures', code)).status, 401);
    });

    it('no cookie and no token is read: without a right code there is nothing, and a foreign one opens what is its own', async () => {
      const { code } = await make();
      const [, secret] = code.split('.') as [string, string];
      for (const wrong of [
        '',
        secret,
        `${commentBolt}.${secret}`,
        `${commentAcme}.${secret.slice(0, -1)}`,
        `${commentAcme}.${'A'.repeat(43)}`,
        `${code} `.repeat(50),
      ])
        for (const headers of [{}, { cookie: analyst }, { authorization: `Bearer ${token}` }] as const)
          assert.deepEqual(await outcome(look('/view', wrong, headers as Record<string, string>)), [
            404,
            'SHARED_VIEW_NOT_FOUND',
          ]);
      const foreign = await make({}, bolt);
      assert.equal((await look('/view', foreign.code)).body.account, 'bolt');
    });

    it('it ends by itself, when it is taken back, and with whoever made it, and says so [D-555]', async () => {
      const revoked = await make();
      assert.equal((await look('/view', revoked.code)).status, 200);
      const foreign = await outcome(call('DELETE', `/views/${revoked.id}`, bolt));
      assert.deepEqual(foreign, [404, 'SHARED_VIEW_NOT_FOUND']);
      const editor = await acme.editor.newCookie();
      assert.equal((await call('DELETE', `/views/${revoked.id}`, editor)).status, 204);
      assert.equal((await call('DELETE', `/views/${revoked.id}`, editor)).status, 204);
      const after = await look('/view', revoked.code);
      assert.deepEqual([after.status, after.body.code], [410, 'SHARED_VIEW_ENDED']);
      assert.match(String(after.body.detail ?? after.body.message), /taken back/);

      const made = await make({}, editor);
      const set = (active: 0 | 1) =>
        storeRows(
          service.databaseUrl,
          `update account_user set active = ${active} where id = ${acme.editor.id}`,
        );
      await set(0);
      assert.deepEqual(await outcome(look('/view', made.code)), [410, 'SHARED_VIEW_ENDED']);
      await set(1);
      assert.equal((await look('/view', made.code)).status, 200);

      const short = await make({ days: 1 });
      const before = service.nowMs;
      service.pass(dayMs - 60_000);
      assert.equal((await look('/view', short.code)).status, 200);
      service.pass(120_000);
      assert.deepEqual(await outcome(look('/view', short.code)), [410, 'SHARED_VIEW_ENDED']);
      service.nowMs = before;
      // A clock that is set back opens neither the view nor the sessions that have ended meanwhile (D-848).
      assert.deepEqual(await outcome(look('/view', short.code)), [410, 'SHARED_VIEW_ENDED']);
      assert.equal((await call('GET', '/views', analyst)).status, 401);
      analyst = await acme.analyst.newCookie();
      bolt = await boltPeople.analyst.newCookie();
    });

    it('making and taking back are in the audit log with the person, and the last use is noted [D-554]', async () => {
      const { id, code } = await make({ name: 'Noted' });
      assert.equal((await look('/view', code)).status, 200);
      await until(
        () =>
          storeRows(
            service.databaseUrl,
            `select used_at from shared_view where account_id = ${commentAcme} and id = '${id}'`,
          ),
        ([row]) => Number(row?.used_at) === service.nowMs,
      );
      await call('DELETE', `/views/${id}`, analyst);
      const entries = await storeRows(
        service.databaseUrl,
        `select action, actor, details from audit where subject = 'shared view ${id}' order by action`,
      );
      assert.deepEqual(
        entries.map(({ action, actor }) => [action, actor]),
        [
          ['view.create', acme.analyst.actor],
          ['view.revoke', acme.analyst.actor],
        ],
      );
      assert.match(noteOfDetails(entries[0]!.details), /measure 10, 2026-01-01 to 2026-01-20, until /);
    });

    it('whoever may not see single responses makes none; a stale sign-in neither; every fault is named', async () => {
      const viewer = await acme.viewer.newCookie();
      assert.deepEqual(await outcome(call('POST', '/views', viewer, wanted)), [403, 'ABILITY_MISSING']);
      const stale = await acme.analyst.newCookie(30 * 60_000);
      assert.deepEqual(await outcome(call('POST', '/views', stale, wanted)), [403, 'FRESH_SIGN_IN_REQUIRED']);
      assert.equal((await call('POST', '/views', analyst, { ...wanted, key: 999 })).status, 404);
      for (const wrong of [
        { days: 0 },
        { days: 367 },
        { name: '' },
        { name: 'x'.repeat(101) },
        { kind: 'users' },
      ])
        assert.equal((await call('POST', '/views', analyst, { ...wanted, ...wrong })).status, 400);
      const { status, body } = await call('POST', '/views', analyst, {
        ...wanted,
        name: ' two\nlines',
        to: '2025-12-01',
        filter: 'is,nothing,1',
      });
      assert.equal(status, 400);
      assert.deepEqual(
        [...new Set((body.faults as { field: string }[]).map(({ field }) => field))].toSorted(),
        ['filter', 'name', 'to'],
      );
    });

    it('the list is read in pages, of its own account alone; from a terminal too, and revoked there', async () => {
      const { id } = await make({ name: 'From a terminal' });
      const ids: string[] = [];
      for (let after = ''; ; ) {
        const { body } = await call('GET', `/views?limit=3${after === '' ? '' : `&after=${after}`}`, analyst);
        const page = body as { items: { id: string }[]; next: string | null };
        ids.push(...page.items.map((one) => one.id));
        if (page.next === null) break;
        after = page.next;
      }
      assert.equal(new Set(ids).size, ids.length);
      const kept = await storeRows(
        service.databaseUrl,
        `select id from shared_view where account_id = ${commentAcme} order by id`,
      );
      assert.deepEqual(ids.toSorted(), kept.map((row) => String(row.id)).toSorted());
      const env = { DATABASE_URL: service.databaseUrl };
      const account = ['--account', String(commentAcme)];
      const listed = JSON.parse(await commandHereOk(['view', 'list', ...account, '--json'], env));
      assert.deepEqual((listed as { id: string }[]).map((one) => one.id).toSorted(), ids.toSorted());
      assert.match(
        await commandHereOk(['view', 'list', ...account], env),
        /From a terminal: measure 10, 2026-01-01/,
      );
      assert.match(await commandHereOk(['view', 'revoke', id, ...account], env), /is revoked/);
      assert.match(await commandHereOk(['view', 'revoke', id, ...account], env), /was revoked before/);
      assert.notEqual((await commandHere(['view', 'revoke', 'nothing', ...account], env)).code, 0);
      assert.notEqual(
        (await commandHere(['view', 'revoke', id, '--account', String(commentBolt)], env)).code,
        0,
      );
    });
  });
}
