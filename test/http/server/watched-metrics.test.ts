// What /metrics tells of responses and users, and that the alert rules and the dashboard ask for nothing that is not there.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import type { Answer } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { callStandard, patchOf, standardUser } from '../../support/scim.ts';
import { commandHereOk, setUp, startProcess, until } from '../../support/service.ts';
import { callUsers, userBody } from '../../support/users.ts';

const { version: programVersion } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const plain = { surveyDefinitionId: 'acme-web', responses: { 'Q-SAT-1': ['8'], 'Q-FOUND': ['A-YES'] } };

/** The values of one metric by its labels. */
function valuesOf(text: string, name: string): Record<string, number> {
  const lines = text.matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'));
  return Object.fromEntries(
    [...lines].map(([, labels = '', value]) => [labels.replaceAll('"', ''), Number(value)]),
  );
}

for (const engine of engines) {
  describe(`metrics of responses and users on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let foreign: string;
    before(async () => {
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        env: { SOUNDINGS_THROTTLE: 'off' },
      });
      token = await service.token(acme);
      foreign = await service.token(bolt);
    });
    after(() => service?.stop());
    const metrics = async (): Promise<string> => {
      // The page is made at most twenty times a second, by the clock of the test.
      service.pass(1_000);
      return (await fetch(`${service.baseUrl}/metrics`)).text();
    };

    it('responses are counted as kept, repeated and test, and refused ones by the code of their error [D-281]', async () => {
      const bodies: [object, string | null][] = [];
      for (let at = 0; at < 150; at += 1)
        bodies.push([{ ...plain, responseId: `r-${(at * 7) % 150}` }, token]);
      for (let at = 0; at < 7; at += 1) bodies.push([{ ...plain, isTest: true }, token]);
      for (let at = 0; at < 30; at += 1) bodies.push([{ ...plain, responses: { 'Q-NONE': ['1'] } }, token]);
      for (let at = 0; at < 11; at += 1) bodies.push([{ ...plain, surveyDefinitionId: `none-${at}` }, token]);
      for (let at = 0; at < 5; at += 1) bodies.push([plain, foreign]);
      await Promise.all(bodies.map(([body, by]) => service.post(body, by)));
      for (let at = 0; at < 40; at += 1) await service.post({ ...plain, responseId: `r-${at}` }, token);
      await service.post(
        { ...plain, responseId: 'r-1', responses: { 'Q-SAT-1': ['2'], 'Q-FOUND': ['A-YES'] } },
        token,
      );
      await service.post('{', token);
      const text = await until(metrics, (page) => page.includes('cause="MALFORMED_JSON"'));
      assert.deepEqual(valuesOf(text, 'soundings_responses_accepted_total'), {
        'outcome=kept': 150,
        'outcome=repeated': 40,
        'outcome=test': 7,
      });
      assert.deepEqual(valuesOf(text, 'soundings_responses_refused_total'), {
        'cause=INVALID_RESPONSE': 30,
        'cause=MALFORMED_JSON': 1,
        'cause=RESPONSE_CONFLICT': 1,
        'cause=SURVEY_NOT_FOUND': 16,
      });
      assert.doesNotMatch(text, /acme|none-|r-1"/);
    });

    it('a follower of changes that falls behind shows until it has come to the end, or asks no more [D-308]', async () => {
      const lag = async (): Promise<number> =>
        valuesOf(await metrics(), 'soundings_lag_seconds')['of=feed'] ?? Number.NaN;
      const follow = (query: string): Promise<Answer> =>
        service.get(`/v1/measures/700/changes?limit=20${query}`, token);
      assert.equal(await lag(), 0);
      let { next } = (await follow('')).body;
      service.pass(120_000);
      assert.ok((await lag()) >= 120);
      // Another page is progress, and not yet the end.
      next = (await follow(`&after=${next}`)).body.next;
      assert.ok((await lag()) >= 120);
      for (let hasMore = true; hasMore; ) {
        const { body } = await follow(`&after=${next}`);
        hasMore = body.hasMore === true;
        next = body.next;
      }
      assert.equal(await lag(), 0);
      await follow('');
      service.pass(301_000);
      assert.equal(await lag(), 0);
    });

    it('users and groups are counted by face and by what became of them, refused changes are not [D-281]', async () => {
      const standard = (method: string, path: string, body?: object) =>
        callStandard(service.baseUrl, token, method, path, body === undefined ? {} : { body });
      const own = (method: string, path: string, body: object) =>
        callUsers(service.baseUrl, token, method, path, { body });
      const made = await Promise.all(
        Array.from({ length: 40 }, (_, at) => standard('POST', '/Users', standardUser(`s-${(at * 7) % 40}`))),
      );
      for (let at = 0; at < 12; at += 1)
        await own('POST', '/Users', userBody(`o-${at}`, { externalId: `o-${at}` }));
      await own('POST', '/Users', userBody('o-1'));
      const ids = made.map(({ body }) => body.id as string);
      const active = (value: boolean) => patchOf({ op: 'replace', path: 'active', value });
      for (const id of ids.slice(0, 9)) await standard('PATCH', `/Users/${id}`, active(false));
      // Says nothing new, and changes nothing.
      await standard('PATCH', `/Users/${ids[0]}`, active(false));
      for (const id of ids.slice(0, 4)) await standard('PATCH', `/Users/${id}`, active(true));
      for (const id of ids.slice(30)) await standard('DELETE', `/Users/${id}`);
      await own('PUT', '/Users/o-1', userBody('o-1', { active: false }));
      await own('PUT', '/Users/o-2', userBody('o-2'));
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
      const group = await standard('POST', '/Groups', { schemas, displayName: 'One' });
      const members = [{ value: ids[0] }];
      await standard(
        'PATCH',
        `/Groups/${group.body.id}`,
        patchOf({ op: 'add', path: 'members', value: members }),
      );
      assert.deepEqual(valuesOf(await metrics(), 'soundings_provisioning_changes_total'), {
        'face=standard,resource=user,change=created': 40,
        'face=service,resource=user,change=created': 12,
        'face=standard,resource=user,change=suspended': 9,
        'face=standard,resource=user,change=reactivated': 4,
        'face=standard,resource=user,change=deleted': 10,
        'face=service,resource=user,change=suspended': 1,
        'face=service,resource=user,change=changed': 1,
        'face=standard,resource=group,change=created': 1,
        'face=standard,resource=group,change=changed': 1,
      });
    });
  });

  it(`every metric of the alert rules and the dashboard is there, of two workers on ${engine.name}`, async () => {
    const store = await engine.readyStore();
    const env = {
      DATABASE_URL: store.databaseUrl,
      ...(engine.name === 'postgres' ? { DATABASE_URL_READ: store.databaseUrl } : {}),
    };
    await setUp(['account', 'create', '1', '--name', 'One'], env);
    const service = await startProcess(env, ['--workers', '2']);
    try {
      const page = async (): Promise<string> => (await fetch(`${service.baseUrl}/metrics`)).text();
      const token = ['provisioning-token', 'create', '--account', '1', '--name', 'x', '--days', '10'];
      // What is not known is absent, and never 0.
      const text = await until(page, (shown) => shown.includes('soundings_background_task_failing{'));
      assert.deepEqual(valuesOf(text, 'soundings_provisioning_token_end_seconds'), {});
      assert.deepEqual(valuesOf(text, 'soundings_backup_age_seconds'), {});
      const version = { version: programVersion, node: process.versions.node, engine: engine.name };
      const labels = Object.entries(version).map(([name, value]) => `${name}=${value}`);
      assert.deepEqual(valuesOf(text, 'soundings_build_info'), { [labels.join(',')]: 1 });

      const known = new Set(
        [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
          type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
        ),
      );
      for (const file of ['examples/prometheus-alerts.yaml', 'examples/grafana-dashboard.json']) {
        const named = new Set(readFileSync(file, 'utf8').match(/\b(?:soundings|nodejs|process)_\w+/g));
        assert.ok(named.size > 10);
        const missing = [...named].filter((name) => !known.has(name));
        // A store without a standby has no figures of one.
        const expected =
          engine.name === 'postgres' ? [] : missing.filter((name) => name.startsWith('soundings_standby_'));
        assert.deepEqual(missing, expected, file);
      }
      await commandHereOk(token, env);
      const second = await startProcess(env);
      try {
        const own = async (): Promise<string> => (await fetch(`${second.baseUrl}/metrics`)).text();
        const shown = await until(own, (one) => /^soundings_provisioning_token_end_seconds /m.test(one));
        const [left = 0] = Object.values(valuesOf(shown, 'soundings_provisioning_token_end_seconds'));
        assert.ok(left > 9.9 * 86_400 && left <= 10 * 86_400, String(left));
      } finally {
        await second.stop();
      }
    } finally {
      await service.stop();
      await store.dispose();
    }
  });
}
