// soundings erase for many responses: by a list, by the value of a parameter, by days.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import {
  emptiedItem,
  keptDigests,
  type SeenSource,
  type Sent,
  seeSource,
  sendPopulation,
  toldChanges,
} from '../support/response-population.ts';
import {
  type CommandResult,
  commandHere,
  endingWithUs,
  environment,
  soundings,
  startedProgram,
} from '../support/service.ts';
import { storeRows, storeWithoutNotes } from '../support/store-rows.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const sources = ['measures/700', 'projects/300'] as const;

for (const engine of engines) {
  describe(`soundings erase of many on ${engine.name}`, () => {
    let service: FeedbackService;
    let sent: readonly Sent[];
    const tokens = new Map<number, string>();
    /** What must have been emptied so far. */
    const gone = new Set<string>();
    const first = new Map<string, SeenSource>();
    let digests: readonly (readonly object[])[];

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      sent = await sendPopulation(service, 540);
      await service.addExternal(acme, {
        'a-1': { loyalty_tier: 'gold' },
        'a-2': { loyalty_tier: 'gold' },
        'a-4': { loyalty_tier: 'silver' },
      });
      for (const accountId of [acme, bolt]) {
        tokens.set(accountId, await service.token(accountId));
        for (const source of sources)
          first.set(`${accountId} ${source}`, await seeSource(service, tokens.get(accountId)!, source));
      }
      digests = await Promise.all([acme, bolt].map((id) => keptDigests(service.databaseUrl, id)));
    });
    after(() => service?.stop());

    const erase = (...flags: string[]): Promise<CommandResult> =>
      commandHere(['erase', '--account', String(acme), '--json', ...flags], {
        DATABASE_URL: service.databaseUrl,
      });

    /** Everything that can be seen is as it was, but for the responses that are gone. */
    const assertModel = async (): Promise<void> => {
      for (const accountId of [acme, bolt])
        for (const source of sources) {
          const was = first.get(`${accountId} ${source}`)!;
          const is = await seeSource(service, tokens.get(accountId)!, source);
          assert.deepEqual(is.facts, was.facts);
          const expected = was.items.map((item) => (gone.has(item.id) ? emptiedItem(item, source) : item));
          assert.deepEqual(is.items, expected);
        }
      assert.deepEqual(
        await Promise.all([acme, bolt].map((id) => keptDigests(service.databaseUrl, id))),
        digests,
      );
      const told = (await toldChanges(service.databaseUrl, acme)).filter((text) =>
        text.startsWith('erased '),
      );
      assert.deepEqual(told, [...gone].map((id) => `erased ${id}`).sort());
    };

    const ofAcme = (isWanted: (one: Sent) => boolean): readonly string[] =>
      sent.filter((one) => one.accountId === acme && isWanted(one)).map(({ responseId }) => responseId);

    it('a dry run counts and changes nothing, a run empties exactly the responses that passed the value [D-270]', async () => {
      const wanted = ofAcme(({ customer }) => customer === 'customer 4 "ä"');
      const flags = ['--parameter', 'customer_id=customer 4 "ä"'];
      const before = await storeWithoutNotes(service.databaseUrl);
      const dry = await erase(...flags, '--dry-run');
      const facts = { accountId: acme, erased: wanted.length };
      assert.deepEqual([dry.code, JSON.parse(dry.stdout)], [0, { ...facts, applied: false }]);
      const now = await storeWithoutNotes(service.databaseUrl);
      assert.deepEqual(now, before);
      const { code, stdout } = await erase(...flags);
      assert.deepEqual([code, JSON.parse(stdout)], [0, { ...facts, applied: true }]);
      assert.ok(wanted.length > 50);
      for (const id of wanted) gone.add(id);
      await assertModel();
      const audit = await storeRows(
        service.databaseUrl,
        `select subject from audit where action = 'responses.erase' order by at, id`,
      );
      assert.equal(audit.length, 2);
      for (const { subject } of audit) {
        assert.match(
          String(subject),
          /^\d+ responses of (measure 700|project 300) by the parameter customer_id$/,
        );
        assert.equal(String(subject).includes('customer 4'), false);
      }
    });

    it('an external parameter finds them as well, by its name or its id, and days narrow it [D-270]', async () => {
      const byId = await erase('--parameter', 'EPP-TIER=gold', '--dry-run');
      assert.equal(JSON.parse(byId.stdout).erased, 2);
      const outside = ['--from', '2025-06-01', '--to', '2025-06-02'];
      const none = await erase('--parameter', 'loyalty_tier=gold', ...outside);
      assert.deepEqual([none.code, JSON.parse(none.stdout).erased], [0, 0]);
      const { code, stdout } = await erase('--parameter', 'loyalty_tier=gold', '--measure', '700');
      assert.deepEqual([code, JSON.parse(stdout).erased], [0, 2]);
      for (const id of ['a-1', 'a-2']) gone.add(id);
      await assertModel();
    });

    it('days find every response of theirs, late ones too, of one source where it is named [D-270]', async () => {
      const inDays = ({ day, source }: Sent) =>
        source === 'projects/300' && day >= '2025-05-03' && day <= '2025-05-11';
      const wanted = ofAcme(inDays).filter((id) => !gone.has(id));
      const { code, stdout } = await erase('--project', '300', '--from', '2025-05-03', '--to', '2025-05-11');
      assert.deepEqual([code, JSON.parse(stdout).erased], [0, wanted.length]);
      assert.ok(wanted.length > 20);
      for (const id of wanted) gone.add(id);
      await assertModel();
    });

    it('a file of ids empties these; unknown and foreign ids are told, and erased ones counted [D-10] [D-270]', async () => {
      const listed = ofAcme(({ responseId }) => Number(responseId.slice(2)) % 11 === 0);
      const before = listed.filter((id) => gone.has(id));
      const file = temporaryFile('ids.txt', `responseId\n${listed.join('\r\n')}\n\nb-3\nnobody\n`);
      const { code, stdout, stderr } = await erase('--file', file);
      assert.deepEqual(JSON.parse(stdout), {
        accountId: acme,
        applied: true,
        erased: listed.length - before.length,
        erasedBefore: before.length,
        unknown: 2,
      });
      assert.equal(code, 2);
      assert.match(stderr, /has no responses with these ids:\n {2}b-3\n {2}nobody\n$/);
      for (const id of listed) gone.add(id);
      await assertModel();
    });

    it('a repeat of an erased response stays a repeat, and other content a conflict [D-41] [D-270]', async () => {
      const token = tokens.get(acme)!;
      const repeated = sent.filter(({ responseId }) => gone.has(responseId)).slice(0, 60);
      for (const { body } of repeated) assert.equal((await service.post(body, token)).status, 200);
      const other = { ...repeated[0]!.body, locale: 'other' };
      assert.equal((await service.post(other, token)).status, 409);
      await assertModel();
    });

    it('what is killed half-way leaves what it did, and the same command does the rest [D-270]', async () => {
      const more = await sendPopulation(service, 1_500, 10_001);
      for (const accountId of [acme, bolt])
        for (const source of sources)
          first.set(`${accountId} ${source}`, await seeSource(service, tokens.get(accountId)!, source));
      digests = await Promise.all([acme, bolt].map((id) => keptDigests(service.databaseUrl, id)));
      const slices = async (): Promise<number> =>
        (await storeRows(service.databaseUrl, `select id from audit where action = 'responses.erase'`))
          .length;
      const before = await slices();
      const range = ['--from', '2025-05-01', '--to', '2025-06-09', '--measure', '700'];
      const args = ['erase', '--account', String(acme), ...range];
      const child = endingWithUs(
        spawn(process.execPath, [startedProgram, ...args], {
          env: environment({ DATABASE_URL: service.databaseUrl }),
          stdio: 'ignore',
        }),
      );
      const ended = new Promise((resolve) => child.once('close', resolve));
      let hasEnded = false;
      void ended.then(() => {
        hasEnded = true;
      });
      while ((await slices()) === before && !hasEnded) await new Promise((resume) => setTimeout(resume, 2));
      child.kill('SIGKILL');
      await ended;
      const { code } = await soundings(args, { DATABASE_URL: service.databaseUrl });
      assert.equal(code, 0);
      for (const { accountId, source, responseId } of [...sent, ...more])
        if (accountId === acme && source === 'measures/700') gone.add(responseId);
      await assertModel();
    });

    it('what is asked for must be clear: every mistake is one sentence and changes nothing [D-270]', async () => {
      const before = await storeWithoutNotes(service.databaseUrl);
      for (const [flags, sentence] of [
        [[], /Say which responses/],
        [['--response', 'a', '--file', 'b'], /Say which responses/],
        [['--from', '2025-05-01'], /Give both --from and --to/],
        [['--parameter', 'nothing'], /is a name and a value/],
        [['--file', '/no/such/file'], /There is no file/],
        [['--parameter', 'a=b', '--measure', '99'], /has no measure 99/],
      ] as const) {
        const { code, stderr } = await erase(...flags);
        assert.equal(code, 1);
        assert.match(stderr, sentence);
      }
      const now = await storeWithoutNotes(service.databaseUrl);
      assert.deepEqual(now, before);
    });
  });
}
