// soundings source remove and soundings account remove: the only verbs that delete rows.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { closeSource } from '../../src/store/feedback/removal.ts';
import { openDb } from '../../src/store/open-db.ts';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines } from '../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { type Sent, seeSource, sendPopulation } from '../support/response-population.ts';
import {
  type CommandResult,
  commandHere,
  endingWithUs,
  environment,
  soundings,
  startedProgram,
} from '../support/service.ts';
import { storeRows, storeWithoutNotes, wholeStore } from '../support/store-rows.ts';
import { temporaryFile } from '../support/temporary-file.ts';

for (const engine of engines) {
  describe(`removal on ${engine.name}`, () => {
    let service: FeedbackService;
    let sent: readonly Sent[];
    let acmeToken: string;
    let boltToken: string;

    const run = (...args: string[]): Promise<CommandResult> =>
      commandHere(args, { DATABASE_URL: service.databaseUrl });
    /** Time in which replicas hear of it. */
    const heard = (): void => service.pass(5_000);
    const bodyOf = (accountId: number, source: Sent['source']): object =>
      sent.find((one) => one.accountId === accountId && one.source === source)!.body;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      sent = await sendPopulation(service, 900);
      acmeToken = await service.token(acme);
      boltToken = await service.token(bolt);
    });
    after(() => service?.stop());

    it('a source is removed only when it is said so: a dry run counts, and without --yes nothing happens [D-273]', async () => {
      const before = await storeWithoutNotes(service.databaseUrl);
      const name = ['source', 'remove', '--account', String(acme), '--measure', '700'];
      const dry = await soundings([...name, '--dry-run', '--json'], { DATABASE_URL: service.databaseUrl });
      const responses = sent.filter((one) => one.accountId === acme && one.source === 'measures/700').length;
      assert.deepEqual(
        [dry.code, JSON.parse(dry.stdout)],
        [0, { accountId: acme, kind: 'measure', key: 700, responses, removed: false }],
      );
      const unasked = await run(...name);
      assert.equal(unasked.code, 1);
      assert.match(unasked.stderr, /Nothing was changed: say --yes/);
      const unknown = await run('source', 'remove', '--account', String(acme), '--measure', '99', '--yes');
      assert.deepEqual([unknown.code, unknown.stderr], [1, 'soundings: Account 4001 has no measure 99.\n']);
      const now = await storeWithoutNotes(service.databaseUrl);
      assert.deepEqual(now, before);
    });

    it('a removed measure is not found, its feed is gone, it takes nothing, and its neighbours are as they were, also when the removal is killed half-way [D-273]', async () => {
      const project = await seeSource(service, acmeToken, 'projects/300');
      const foreign = await seeSource(service, boltToken, 'measures/700');
      const feed = await service.get('/v1/measures/700/changes?limit=5', acmeToken);
      assert.equal(feed.status, 200, feed.text);
      const args = ['source', 'remove', '--account', String(acme), '--measure', '700', '--yes'];
      const child = endingWithUs(
        spawn(process.execPath, [startedProgram, ...args], {
          env: environment({ DATABASE_URL: service.databaseUrl }),
          stdio: 'ignore',
        }),
      );
      let hasEnded = false;
      const ended = new Promise<void>((resolve) =>
        child.once('close', () => {
          hasEnded = true;
          resolve();
        }),
      );
      const isClosed = async (): Promise<boolean> =>
        (await storeRows(service.databaseUrl, 'select source_id from removed_source')).length > 0;
      while (!hasEnded && !(await isClosed())) await new Promise((resume) => setTimeout(resume, 2));
      child.kill('SIGKILL');
      await ended;
      // Refused at once, before the replica has heard of it: the counter is gone.
      const { responseId: _, ...fresh } = bodyOf(acme, 'measures/700') as { responseId: string };
      const refused = await service.post(fresh, acmeToken);
      assert.deepEqual([refused.status, refused.body.errorCode], [404, 'SURVEY_NOT_FOUND']);
      heard();
      const { code, stderr } = await run(...args);
      // Where the first one was quicker than the signal there is nothing left to do.
      if (code !== 0) assert.match(stderr, /has no measure 700/);
      for (const path of ['', '/data?from=2025-05-01&to=2025-06-09', '/changes'])
        assert.equal((await service.get(`/v1/measures/700${path}`, acmeToken)).status, 404, path);
      const { next } = feed.body as { next: string };
      const cursor = new URL(next, service.baseUrl).searchParams.get('after') ?? next;
      const gone = await service.get(
        `/v1/measures/700/changes?after=${encodeURIComponent(cursor)}`,
        acmeToken,
      );
      assert.deepEqual([gone.status, gone.body.errorCode], [410, 'CHANGES_GONE']);
      assert.deepEqual(await seeSource(service, acmeToken, 'projects/300'), project);
      assert.deepEqual(await seeSource(service, boltToken, 'measures/700'), foreign);
      const [removed] = await storeRows(
        service.databaseUrl,
        'select source_id, emptied_at from removed_source',
      );
      assert.notEqual(removed?.emptied_at, null);
      const tables = ['response', 'response_body', 'log_block', 'log_day', 'log_counter', 'source', 'survey'];
      for (const table of tables) {
        const rows = await storeRows(
          service.databaseUrl,
          `select account_id from ${table} where account_id = ${acme} and source_id = ${removed?.source_id}`,
        );
        assert.equal(rows.length, 0, table);
      }
    });

    it('the key of a removed measure is free and begins from nothing; ids of its surveys are not given again, to nobody [D-274]', async () => {
      const survey = (id: string) => ({
        id,
        latents: [
          {
            id: 'L-NEW',
            name: 'New',
            type: 'SATISFACTION',
            questions: [{ id: 'Q-NEW', name: 'New?', scale: { min: 1, max: 10 } }],
          },
        ],
      });
      const again = (accountId: number, name: string, surveyId: string) => ({
        accounts: [
          { id: accountId, name, measures: [{ key: 700, name: 'New web', surveys: [survey(surveyId)] }] },
        ],
      });
      for (const [accountId, name] of [
        [acme, 'Acme'],
        [4003, 'Coil'],
      ] as const) {
        const taken = await run('apply', writeCatalogue(again(accountId, name, 'acme-web')));
        assert.equal(taken.code, 1);
        assert.match(taken.stderr, /The survey id acme-web is taken already/);
      }
      await service.apply(again(acme, 'Acme', 'acme-web-new'));
      const ids = await storeRows(
        service.databaseUrl,
        `select source_id from source where account_id = ${acme}
         union all select source_id from removed_source where account_id = ${acme}`,
      );
      assert.equal(new Set(ids.map((row) => row.source_id)).size, ids.length);
      assert.equal((await seeSource(service, acmeToken, 'measures/700')).items.length, 0);
      const body = { surveyDefinitionId: 'acme-web-new', responseId: 'a-1', responses: { 'Q-NEW': ['7'] } };
      assert.equal((await service.post(body, acmeToken)).status, 200);
    });

    it('a removed account has nothing left in any table but its number and its audit log; another account is as it was [D-273] [D-274]', async () => {
      const hook = ['webhook', 'create', '--url', 'https://receiver.example/hook', '--json'];
      for (const [account, name] of [
        [acme, 'first'],
        [acme, 'second'],
        [bolt, 'first'],
      ] as const)
        assert.equal((await run(...hook, '--account', String(account), '--name', name)).code, 0);
      for (let number = 1; number <= 60; number += 1) {
        const created = await fetch(`${service.baseUrl}/scim/v2/Users`, {
          method: 'POST',
          headers: { authorization: `Bearer ${acmeToken}`, 'content-type': 'application/scim+json' },
          body: JSON.stringify({
            schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
            userName: `user-${number}@acme.example`,
            externalId: `e-${number}`,
            name: { givenName: `Given${number}`, familyName: `Family${number}` },
            emails: [{ value: `user-${number}@acme.example` }],
            active: true,
          }),
        });
        assert.equal(created.status, 201, await created.text());
      }
      const foreign = await seeSource(service, boltToken, 'projects/300');
      const onTheirWay = await storeRows(
        service.databaseUrl,
        `select id from webhook_delivery where account_id = ${acme}`,
      );
      assert.equal(onTheirWay.length, 120);
      const dry = JSON.parse((await run('account', 'remove', String(acme), '--dry-run', '--json')).stdout);
      assert.deepEqual([dry.users, dry.removed, dry.projects], [60, false, 4]);
      const { code, stdout, stderr } = await run('account', 'remove', String(acme), '--yes', '--json');
      assert.deepEqual([code, JSON.parse(stdout).removed], [0, true], stderr);
      heard();
      assert.equal((await service.get('/v1/measures', acmeToken)).status, 401);
      const publicBody = { surveyDefinitionId: 'acme-public', responses: { 'Q-SAT-1': ['5'] } };
      assert.equal((await service.post(publicBody, null)).status, 401);
      assert.deepEqual(await seeSource(service, boltToken, 'projects/300'), foreign);
      const {
        audit: _audit,
        removed_source: _sources,
        survey_owner: _owners,
        ...rest
      } = await wholeStore(service.databaseUrl);
      for (const [table, rows] of Object.entries(rest))
        assert.equal(rows.filter((row) => String(row.account_id) === String(acme)).length, 0, table);
      assert.deepEqual(
        rest.webhook?.map((row) => [Number(row.account_id), row.name]),
        [[bolt, 'first']],
      );
      const everything = JSON.stringify(rest);
      for (const word of ['user-7@acme', 'family7"', 'words of a-'])
        assert.equal(everything.includes(word), false, word);
      const [account] = rest.account!.filter((row) => String(row.id) === String(acme));
      assert.deepEqual([account?.name, account?.limits], ['', null]);
      const listed = JSON.parse((await run('account', 'list', '--json')).stdout) as { id: number }[];
      assert.deepEqual(listed.map(({ id }) => id).includes(acme), false);
    });

    it('the number of a removed account is not given again, and its credentials cannot be made anew [D-274]', async () => {
      const own = { accounts: feedbackCatalogue.accounts.filter(({ id }) => id === acme) };
      const applied = await run('apply', writeCatalogue(own));
      assert.equal(applied.code, 1);
      assert.match(applied.stderr, /The account 4001 was removed, and its number is not given again/);
      const client = await run('client', 'create', '--account', String(acme), '--name', 'x');
      assert.equal(client.code, 1);
      const again = await run('account', 'remove', String(acme), '--yes');
      assert.deepEqual([again.code, again.stderr], [0, '']);
    });

    it('a response whose measure is being removed is unknown to external parameters, and the lines of others count [D-273]', async () => {
      const external = [{ id: 'EPP-CREW', name: 'crew' }];
      const questions = [{ id: 'Q-WHY', name: 'Why?', responseType: 'TEXT_AREA' }];
      const survey = { id: 'bolt-crew', questions, parameters: { external } };
      const project = { id: 777, name: 'Crew', status: 'ACTIVE', surveys: [survey] };
      await service.apply({ accounts: [{ id: bolt, name: 'Bolt', projects: [project] }] });
      const kept = { surveyDefinitionId: 'bolt-crew', responseId: 'crew-1', responses: { 'Q-WHY': ['x'] } };
      assert.equal((await service.post(kept, boltToken)).status, 200);
      const { responseId: gone } = bodyOf(bolt, 'measures/700') as { responseId: string };
      const db = await openDb(service.databaseUrl, { timeoutMs: 20_000, poolSize: 1 });
      // As a removal leaves it that was killed after its first step.
      const stamp = { changeId: 'closed-half-way', nowMs: Date.now(), actor: 'command line' };
      const name = { accountId: bolt, kind: 'measure', key: 700 } as const;
      assert.equal(await db.write(closeSource, { ...stamp, ...name }), true);
      await db.close();
      const file = temporaryFile('crew.csv', `responseId,crew\n${gone},red\ncrew-1,blue\n`);
      const { code, stdout, stderr } = await run('epp', file, '--account', String(bolt), '--json');
      assert.equal(code, 2, stderr);
      assert.match(`${stdout}${stderr}`, new RegExp(gone));
      const rows = await storeRows(service.databaseUrl, 'select external from response_external');
      assert.ok(rows.some((row) => /blue/.test(String(row.external))));
      assert.ok(!rows.some((row) => /red/.test(String(row.external))));
    });
  });
}
