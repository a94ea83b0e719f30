// The quarantine: what a survey refused is kept sealed for a while, and judged again once the survey is mended.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import { engines } from '../support/engines.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import {
  type CommandResult,
  commandHere,
  endingWithUs,
  environment,
  soundings,
  startedProgram,
  until,
} from '../support/service.ts';
import { startService } from '../support/service-here.ts';
import { storeRows, wholeStore } from '../support/store-rows.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const acme = 4001;
const bolt = 4002;
const range = 'from=2025-05-01&to=2025-05-31';
const dayMs = 86_400_000;

/** Words that stand nowhere else, so that they can be looked for everywhere. */
const secret = 'Zwetschgenkuchen';

const stars = {
  id: 'Q-STARS',
  name: 'Your rating',
  responseType: 'STAR_RATING',
  role: 'rating',
  required: true,
};
const words = { id: 'Q-WORDS', name: 'Tell us more', responseType: 'TEXT' };
const mood = (answers: readonly string[]): object => ({
  id: 'Q-MOOD',
  name: 'How was it?',
  responseType: 'RADIO',
  answers: answers.map((id) => ({ id, text: id })),
});

/** The surveys of an account; a survey is mended by changing what stands here. */
function accountWith(id: number, surveys: readonly object[][]): object {
  const projects = surveys.map((versions, index) => ({
    id: 300 + index,
    name: `Project ${index}`,
    surveys: versions,
  }));
  return { id, name: `Account ${id}`, projects };
}

const survey = (id: string, more: object = {}): object => ({
  id,
  quarantine: true,
  questions: [stars, words],
  ...more,
});

const beforeMending = {
  accounts: [
    accountWith(acme, [
      [survey('new', { questions: [stars, words, mood(['GOOD'])] })],
      [survey('shut', { closed: true })],
      [survey('open', { public: true })],
      [survey('plain', { quarantine: false, closed: true })],
      [survey('used', { questions: [stars, mood(['GOOD'])] })],
    ]),
    accountWith(bolt, [[survey('theirs', { closed: true })]]),
  ] as { id: number; name: string }[],
};

const entry = (surveyDefinitionId: string, responses: object, more: object = {}): object => ({
  surveyDefinitionId,
  submissionTimestamp: '2025-05-04T10:00:00Z',
  responses: { 'Q-STARS': ['4'], ...responses },
  ...more,
});

for (const engine of engines) {
  describe(`the quarantine on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let theirs: string;

    before(async () => {
      // The commands have the clock of the machine, and so come three days later.
      service = await startFeedback(engine, {
        nowMs: Date.now() - 3 * dayMs,
        catalogue: beforeMending,
        env: { SOUNDINGS_THROTTLE: 'off' },
      });
      token = await service.token(acme);
      theirs = await service.token(bolt);
    });
    after(() => service?.stop());

    const run = (...args: string[]): Promise<CommandResult> =>
      commandHere(args, { DATABASE_URL: service.databaseUrl });
    const redrive = async (of: string, ...flags: string[]): Promise<Record<string, unknown>> => {
      const { stdout, stderr } = await run(
        'redrive',
        '--account',
        String(acme),
        '--survey',
        of,
        '--json',
        ...flags,
      );
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout);
    };
    const rows = (query: string): Promise<readonly Record<string, unknown>[]> =>
      storeRows(service.databaseUrl, query);
    const kept = async (of: string): Promise<readonly Record<string, unknown>[]> =>
      rows(`select * from quarantined_response where survey_id = '${of}' and erased_at is null order by id`);
    const keptOf = (of: string, count: number): Promise<readonly Record<string, unknown>[]> =>
      until(
        () => kept(of),
        (found) => found.length >= count,
      );
    /** Everything that was refused is written down once this refusal is: it belongs to no account, and comes last. */
    const settled = async (): Promise<void> => {
      const { headers } = await service.post({ surveyDefinitionId: 'nothing', responses: {} }, null);
      await until(
        () => rows(`select id from refused_response where id = '${headers['x-request-id']}'`),
        (found) => found.length === 1,
      );
    };
    const refuse = async (body: object, sender: string | null = token): Promise<string> => {
      const { status, headers } = await service.post(body, sender);
      assert.equal(status, 400);
      return String(headers['x-request-id']);
    };
    const entries = async (project: number, days = range): Promise<readonly { id: string; date: string }[]> =>
      (await service.get(`/v1/projects/${project}/data?${days}&limit=1000`, token)).body.items as never;

    it('hundreds of refused responses are accepted once the version is mended, in their order, each under its own id [D-287] [D-288]', async () => {
      const ids = Array.from({ length: 220 }, (_, index) => `r-${(index * 37) % 220}`);
      for (let from = 0; from < ids.length; from += 20)
        await Promise.all(
          ids
            .slice(from, from + 20)
            .map((responseId) =>
              refuse(entry('new', { 'Q-MOOD': ['BAD'], 'Q-WORDS': [secret] }, { responseId })),
            ),
        );
      // One that no mending of the version makes right, and one of the other account.
      await refuse(entry('new', { 'Q-MOOD': ['BAD'], 'Q-STARS': ['9'] }, { responseId: 'off' }));
      await refuse(entry('theirs', {}, { responseId: 'r-1' }), theirs);
      const waiting = (await keptOf('new', 221)).map((row) => row.response_id).filter((id) => id !== 'off');
      await keptOf('theirs', 1);
      const store = JSON.stringify(await wholeStore(service.databaseUrl));
      assert.ok(
        !store.includes(secret) && !store.includes(Buffer.from(secret).toString('base64url').slice(0, 16)),
      );
      const wasRefused = await redrive('new', '--dry-run');
      assert.deepEqual(wasRefused.refused, { UNKNOWN_ANSWER: 220, OFF_SCALE: 1 });
      await service.apply({
        accounts: [
          accountWith(acme, [[survey('new', { questions: [stars, words, mood(['GOOD', 'BAD'])] })]]),
        ],
      });
      const would = await redrive('new', '--dry-run');
      assert.deepEqual(
        [would.accepted, would.refused, (await kept('new')).length],
        [220, { OFF_SCALE: 1 }, 221],
      );
      const did = await run('redrive', '--account', String(acme), '--survey', 'new');
      assert.equal(did.code, 2);
      assert.match(did.stderr, /220 are accepted, 0 were kept already, 1 are still refused/);
      assert.match(did.stdout, /^OFF_SCALE +1$/m);
      assert.deepEqual(
        (await entries(300)).map(({ id }) => id),
        waiting,
      );
      assert.deepEqual(new Set(waiting), new Set(ids));
      const [left, ...others] = await kept('new');
      assert.deepEqual([left?.response_id, left?.cause, others.length], ['off', 'OFF_SCALE', 0]);
      const again = await redrive('new');
      assert.deepEqual([again.accepted, again.keptBefore, again.refused], [0, 0, { OFF_SCALE: 1 }]);
      assert.equal((await kept('theirs')).length, 1);
      const audited = await rows(
        `select subject from audit where account_id = ${acme} and action = 'response.redrive' order by at, id`,
      );
      assert.ok(audited.length >= 5);
      const [room] = await rows(`select bytes, bodies from quarantine_room where account_id = ${acme}`);
      assert.deepEqual([Number(room?.bodies), Number(room?.bytes)], [1, Number(left?.bytes)]);
    });

    it('a response without an id or a time keeps the id of its request and the day on which it came [D-288]', async () => {
      const { submissionTimestamp: _, ...body } = entry('shut', { 'Q-WORDS': ['late'] }) as Record<
        string,
        unknown
      >;
      const day = new Date(service.nowMs).toISOString().slice(0, 10);
      const requestId = await refuse(body);
      await keptOf('shut', 1);
      await service.apply({ accounts: [accountWith(acme, [[], [survey('shut')]])] });
      assert.equal((await redrive('shut')).accepted, 1);
      const [item] = await entries(301, `from=${day}&to=${day}`);
      assert.equal(item?.id, requestId);
      // Sent again by its collector under that id, it is the same response.
      const repeated = await service.post({ ...body, responseId: requestId }, token);
      assert.equal(repeated.status, 200);
      assert.equal((await entries(301, `from=${day}&to=${day}`)).length, 1);
    });

    it('what was sent again meanwhile is kept once, and other content under its id stays refused [D-288]', async () => {
      const same = entry('shut', {}, { responseId: 'same' });
      const other = entry('shut', {}, { responseId: 'other' });
      const wrong = { 'Q-STARS': ['9'] };
      await service.apply({ accounts: [accountWith(acme, [[], [survey('shut', { closed: true })]])] });
      await refuse(same);
      await refuse(other);
      await refuse(entry('shut', wrong, { responseId: 'wrong' }));
      await keptOf('shut', 3);
      await service.apply({ accounts: [accountWith(acme, [[], [survey('shut')]])] });
      assert.equal((await service.post(same, token)).status, 200);
      assert.equal(
        (await service.post(entry('shut', { 'Q-WORDS': ['new'] }, { responseId: 'other' }), token)).status,
        200,
      );
      const { accepted, keptBefore, refused } = await redrive('shut');
      assert.deepEqual([accepted, keptBefore, refused], [0, 1, { OFF_SCALE: 1, RESPONSE_CONFLICT: 1 }]);
      const left = (await kept('shut')).map((row) => [row.response_id, row.cause]);
      assert.deepEqual(
        new Map(left as [string, string][]),
        new Map([
          ['other', 'RESPONSE_CONFLICT'],
          ['wrong', 'OFF_SCALE'],
        ]),
      );
      assert.equal((await entries(301)).filter(({ id }) => id === 'same' || id === 'other').length, 2);
    });

    it('where the quarantine is full nothing more is kept, and all of it is counted [D-287]', async () => {
      const quarantined = async (): Promise<readonly number[]> => {
        const [row] = await rows(
          `select sum(refused) as refused, sum(quarantined) as quarantined from refused_count where survey_id = 'open'`,
        );
        return [Number(row?.refused), Number(row?.quarantined)];
      };
      const room = async (bytes: number): Promise<void> => {
        await rows(`update quarantine_room set bytes = bytes + ${bytes} where account_id = ${acme}`);
      };
      await refuse(entry('open', { 'Q-STARS': ['9'] }, { responseId: 'room' }));
      await keptOf('open', 1);
      await room(64 * 1024 * 1024);
      for (let index = 0; index < 30; index += 1) await refuse(entry('open', { 'Q-STARS': ['9'] }));
      await refuse(entry('theirs', {}, { responseId: 'room' }), theirs);
      await settled();
      assert.deepEqual(await quarantined(), [31, 1]);
      assert.equal((await keptOf('theirs', 2)).length, 2);
      await room(-64 * 1024 * 1024);
      await refuse(entry('open', { 'Q-STARS': ['9'] }, { responseId: 'room again' }));
      await keptOf('open', 2);
    });

    it('a version that has responses is mended by another one [D-288]', async () => {
      await service.post(entry('used', { 'Q-MOOD': ['GOOD'] }), token);
      await refuse(entry('used', { 'Q-MOOD': ['BAD'] }, { responseId: 'moody' }));
      await keptOf('used', 1);
      const versions = [
        survey('used', { questions: [stars, mood(['GOOD'])], current: false }),
        survey('used-2', { questions: [stars, mood(['GOOD', 'BAD'])], version: 2, current: true }),
      ];
      await service.apply({ accounts: [accountWith(acme, [[], [], [], [], versions])] });
      assert.deepEqual((await redrive('used', '--dry-run')).refused, { UNKNOWN_ANSWER: 1 });
      const other = await run('redrive', '--account', String(acme), '--survey', 'used', '--as', 'new');
      assert.match(other.stderr, /new is a version of another measure or project than used/);
      assert.equal((await redrive('used', '--as', 'used-2')).accepted, 1);
      assert.ok((await entries(304)).some(({ id }) => id === 'moody'));
    });

    it('only what a survey with a quarantine refuses for what it says is kept: no test, no form, no conflict, no stranger [D-287]', async () => {
      await service.post(entry('open', {}, { responseId: 'taken' }), token);
      const before = await rows('select id from quarantined_response');
      await refuse(entry('plain', {}));
      await refuse(entry('open', { 'Q-STARS': ['9'] }, { isTest: true }));
      await refuse(entry('open', { 'Q-STARS': 4 }));
      assert.equal(
        (await service.post(entry('open', { 'Q-STARS': ['1'] }, { responseId: 'taken' }), token)).status,
        409,
      );
      assert.equal((await service.post(entry('shut', { 'Q-STARS': ['9'] }), null)).status, 401);
      assert.equal((await service.post(entry('theirs', {}), token)).status, 404);
      assert.equal((await service.post('{"surveyDefinitionId":"open"', token)).status, 400);
      await settled();
      assert.equal((await rows('select id from quarantined_response')).length, before.length);
      await refuse(entry('open', { 'Q-STARS': ['9'] }, { responseId: 'stranger' }), null);
      const [stranger] = (await keptOf('open', 3)).filter((row) => row.response_id === 'stranger');
      assert.equal(stranger?.cause, 'OFF_SCALE');
    });

    it('of several bodies with one id the first is kept [D-287]', async () => {
      await refuse(entry('open', { 'Q-STARS': ['7'] }, { responseId: 'twice' }));
      await keptOf('open', 4);
      await refuse(entry('open', { 'Q-STARS': ['8'], 'Q-WORDS': ['other'] }, { responseId: 'twice' }));
      await settled();
      assert.equal((await kept('open')).filter((row) => row.response_id === 'twice').length, 1);
    });

    it('erasing a response id erases the body that waits under it, and it cannot come back [D-289]', async () => {
      const body = entry('shut', { 'Q-WORDS': ['gone'], 'Q-STARS': ['9'] }, { responseId: 'erase-me' });
      await refuse(body);
      await refuse(entry('shut', { 'Q-STARS': ['9'] }, { responseId: 'leave-me' }));
      const before = await keptOf('shut', 4);
      const sealed = String(before.find((row) => row.response_id === 'erase-me')?.sealed);
      const erased = await run('erase', '--account', String(acme), '--response', 'erase-me');
      assert.equal(erased.code, 0, erased.stderr);
      assert.deepEqual(
        (await kept('shut')).map((row) => row.response_id),
        ['other', 'wrong', 'leave-me'],
      );
      assert.ok(!JSON.stringify(await wholeStore(service.databaseUrl)).includes(sealed));
      await refuse(body);
      await settled();
      assert.equal((await kept('shut')).length, 3);
      assert.deepEqual((await redrive('shut', '--dry-run')).refused, { OFF_SCALE: 2, RESPONSE_CONFLICT: 1 });
      const unknown = await run('erase', '--account', String(bolt), '--response', 'erase-me');
      assert.equal(unknown.code, 1);
      const audited = await rows(
        `select subject from audit where account_id = ${acme} and action = 'response.erase'`,
      );
      assert.deepEqual(
        audited.map(({ subject }) => subject),
        ['response erase-me'],
      );
    });

    it('a list of ids erases what waits under them too, and says so before [D-289]', async () => {
      for (const id of ['list-1', 'list-2', 'list-3'])
        await refuse(entry('shut', { 'Q-STARS': ['9'] }, { responseId: id }));
      await keptOf('shut', 6);
      const file = temporaryFile('ids.txt', 'list-1\nlist-3\nsame\nnobody\n');
      const erase = (...flags: string[]): Promise<CommandResult> =>
        run('erase', '--account', String(acme), '--file', file, '--json', ...flags);
      const expected = { accountId: acme, erased: 3, erasedBefore: 0, unknown: 1 };
      assert.deepEqual(JSON.parse((await erase('--dry-run')).stdout), { ...expected, applied: false });
      assert.equal((await kept('shut')).length, 6);
      assert.deepEqual(JSON.parse((await erase()).stdout), { ...expected, applied: true });
      const left = (await kept('shut')).map((row) => row.response_id);
      assert.deepEqual(left, ['other', 'wrong', 'leave-me', 'list-2']);
    });

    it('a redrive that is killed half-way is gone on with, and nothing is kept twice or lost [D-288]', async () => {
      await service.apply({ accounts: [accountWith(acme, [[], [survey('shut', { closed: true })]])] });
      const ids = Array.from({ length: 160 }, (_, index) => `kill-${(index * 37) % 160}`);
      for (let from = 0; from < ids.length; from += 40)
        await Promise.all(
          ids.slice(from, from + 40).map((responseId) => refuse(entry('shut', {}, { responseId }))),
        );
      const before = await keptOf('shut', 164);
      await service.apply({ accounts: [accountWith(acme, [[], [survey('shut')]])] });
      const child = endingWithUs(
        spawn(process.execPath, [startedProgram, 'redrive', '--account', String(acme), '--survey', 'shut'], {
          env: environment({ DATABASE_URL: service.databaseUrl }),
          stdio: 'ignore',
        }),
      );
      const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
      await until(
        () => kept('shut'),
        (left) => left.length < before.length || child.exitCode !== null,
      );
      child.kill('SIGKILL');
      await ended;
      const again = await soundings(['redrive', '--account', String(acme), '--survey', 'shut', '--json'], {
        DATABASE_URL: service.databaseUrl,
      });
      assert.notEqual(again.stdout, '', again.stderr);
      const items = (await entries(301)).map(({ id }) => id).filter((id) => id.startsWith('kill-'));
      assert.deepEqual(items.length, ids.length);
      assert.deepEqual(new Set(items), new Set(ids));
      const left = (await kept('shut')).map((row) => row.response_id);
      assert.deepEqual(left, ['other', 'wrong', 'leave-me', 'list-2']);
    });

    it('the word is written back by a dump, and may be taken away at any time [D-287]', async () => {
      const { stdout } = await soundings(['catalogue', 'dump', '--account', String(acme)], {
        DATABASE_URL: service.databaseUrl,
      });
      assert.equal(stdout.match(/quarantine: true/g)?.length, 5);
      await service.apply({
        accounts: [accountWith(acme, [[], [], [survey('open', { public: true, quarantine: false })]])],
      });
      const before = (await kept('open')).length;
      await refuse(entry('open', { 'Q-STARS': ['9'] }));
      await settled();
      assert.equal((await kept('open')).length, before);
    });

    it('what nobody redrove is gone after seven days, and its room is free again [D-287]', async () => {
      const own = (): Promise<readonly Record<string, unknown>[]> =>
        rows(`select id from quarantined_response where account_id = ${acme}`);
      const [young, ...old] = (await own()).map(({ id }) => `'${id}'`);
      assert.ok(old.length > 2);
      await rows(
        `update quarantined_response set received_at = received_at - ${5 * dayMs} where id in (${old.join(', ')})`,
      );
      const listed = (await rows('select id from refused_response')).length;
      await rows(`update refused_response set at = at - ${30 * dayMs} where account_id = ${bolt}`);
      // Nothing is refused there: only the task of the background is left to do it.
      const replica = await startService({ DATABASE_URL: service.databaseUrl });
      try {
        await until(own, (found) => found.length === 1);
        await until(
          () => rows(`select id from refused_response where account_id = ${bolt}`),
          (found) => found.length === 0,
        );
      } finally {
        await replica.stop();
      }
      assert.deepEqual(
        (await own()).map(({ id }) => `'${id}'`),
        [young],
      );
      const [room] = await rows(
        `select quarantine_room.bytes, bodies, quarantined_response.bytes as of_rows
        from quarantine_room
        join quarantined_response on quarantined_response.account_id = quarantine_room.account_id
        where quarantine_room.account_id = ${acme}`,
      );
      assert.deepEqual([Number(room?.bytes), Number(room?.bodies)], [Number(room?.of_rows), 1]);
      assert.ok((await rows('select id from refused_response')).length >= listed - 2);
      const status = await run('migrate', '--status', '--json');
      assert.match(status.stdout, /refused\.forget/);
    });
  });
}
