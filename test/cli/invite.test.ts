// soundings invite, invitation revoke and invitation revoked.

import assert from 'node:assert/strict';
import { randomUUIDv7 } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { writeCatalogue } from '../support/catalogue.ts';
import { engines, type TestStore } from '../support/engines.ts';
import { type InvitationReader, openInvitationReader } from '../support/invitation-reader.ts';
import { invitedCatalogue } from '../support/invited-catalogue.ts';
import { commandHere, setUp, soundings } from '../support/service.ts';
import { temporaryFile, temporaryFolder } from '../support/temporary-file.ts';

const base = 'https://feedback.example';
type Link = Readonly<Record<string, string>>;

for (const engine of engines) {
  describe(`soundings invite on ${engine.name}`, () => {
    let store: TestStore;
    let env: Record<string, string>;
    let reader: InvitationReader;
    before(async () => {
      store = await engine.newStore();
      env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_PUBLIC_URL: base };
      await setUp(['apply', writeCatalogue(invitedCatalogue)], env);
      reader = await openInvitationReader(store.databaseUrl);
    });
    after(async () => {
      await reader?.close();
      await store?.dispose();
    });

    const linksOf = (text: string): readonly Link[] => parse(text, { columns: true, bom: true }) as Link[];
    const opened = (one: Link) => reader.open(one.link!);

    it('5,000 lines become links with the parameters of their line, in little memory, told of on standard error [D-447]', async () => {
      const lines = Array.from(
        { length: 5_000 },
        (_, index) => `p${index}@example.com,S-${index % 700},${index}.5`,
      );
      const list = temporaryFile('people.csv', `email,store_id,CPP-TOTAL\n${lines.join('\n')}\n`);
      const { code, stdout, stderr } = await soundings(
        ['invite', 'acme-private', list, '--copy', 'email', '--days', '400'],
        { ...env, NODE_OPTIONS: '--max-old-space-size=96' },
      );
      assert.equal(code, 0, stderr);
      const links = linksOf(stdout);
      assert.equal(links.length, 5_000);
      assert.deepEqual(Object.keys(links[0]!), [
        'email',
        'store_id',
        'CPP-TOTAL',
        'invitationId',
        'link',
        'expires',
      ]);
      assert.equal(new Set(links.map(({ invitationId }) => invitationId)).size, 5_000);
      assert.match(stderr, /^5,000 invitations to acme-private, good until \d{4}-/m);
      for (let index = 0; index < links.length; index += 100) {
        const link = links[index]!;
        assert.equal(link.email, `p${index}@example.com`);
        const one = await opened(link);
        assert.ok(one.kind === 'invitation');
        assert.equal(one.responseId, link.invitationId);
        assert.deepEqual(
          { ...one.parameters },
          { store_id: `S-${index % 700}`, receipt_total: `${index}.5` },
        );
      }
      const [action, , note] = await reader.lastAudit();
      assert.equal(action, 'invitation.create');
      assert.match(note ?? '', /^5000 invitations/);
    });

    it('every fault of the list is named with its line, and nobody is invited [D-447]', async () => {
      const list = temporaryFile(
        'people.csv',
        `store_id,email,store_id\n"a\nb",x,y\n1,2\n${'x'.repeat(1_500)},,\n`,
      );
      const out = join(temporaryFolder(), 'links.csv');
      const { code, stdout, stderr } = await soundings(
        ['invite', 'acme-private', list, '--copy', 'phone', '--out', out, '--json'],
        env,
      );
      assert.equal(code, 1);
      assert.ok(!existsSync(out));
      const said = [...stderr.matchAll(/people\.csv:(\d+): (.*)$/gm)].map(
        ([, line, text]) => `${line} ${text}`,
      );
      assert.equal(said.length, 5, stderr);
      assert.match(
        said[0]!,
        /^1 "email" is not a custom parameter of acme-private: it declares store_id, receipt_total\./,
      );
      assert.match(said[1]!, /^1 The column "store_id" stands there twice/);
      assert.match(said[2]!, /^1 There is no column "phone" to copy/);
      assert.match(said[3]!, /^4 The line has 2 values, and the header has 3/);
      assert.match(said[4]!, /^5 With these parameters the link has \d+ characters/);
      assert.equal(JSON.parse(stdout).faultCount, 5);
      const many = temporaryFile('many.csv', `store_id\n${'a,b\n'.repeat(5_000)}`);
      const refused = await commandHere(['invite', 'acme-private', many], env);
      assert.match(refused.stderr, / {2}and 4,900 more\.$/m);
      assert.equal(refused.stdout, '');
    });

    it('what cannot be is refused in a sentence that says what to do', async () => {
      const list = temporaryFile('people.csv', 'store_id\nS-1\n');
      const { SOUNDINGS_PUBLIC_URL: _, ...noAddress } = env;
      for (const [args, environment, told] of [
        [['acme-private', list], noAddress, /set SOUNDINGS_PUBLIC_URL, or give it with --url/],
        [['acme-private', list, '--url', 'ftp://x'], env, /SOUNDINGS_PUBLIC_URL/],
        [['nothing', list], env, /There is no survey "nothing"/],
        [['acme-closed', list], env, /is closed/],
        [['acme-private', list, '--days', '401'], env, /--days is a number from 1 to 400/],
        [['acme-private', 'nowhere.csv'], env, /There is no file nowhere\.csv/],
        [['acme-private', temporaryFile('empty.csv', '')], env, /The list is empty/],
        [['acme-private', temporaryFile('header.csv', 'store_id\n')], env, /The list names nobody/],
        [
          ['acme-private', temporaryFile('latin.csv', Buffer.from('store_id\n\xe9\n', 'latin1'))],
          env,
          /not UTF-8/,
        ],
        [['acme-private', temporaryFile('open.csv', 'store_id\n"x\n')], env, /The list is not CSV/],
      ] as const) {
        const { code, stdout, stderr } = await commandHere(['invite', ...args], environment);
        assert.deepEqual([code, stdout], [1, '']);
        assert.match(stderr, told);
      }
    });

    it('a list comes from standard input; cells that a spreadsheet would take for formulas are made harmless when asked for [D-124]', async () => {
      const list = 'store_id,note\nS-1,"=HYPERLINK(""x"")"\n';
      const plain = await soundings(
        ['invite', 'acme-private', '-', '--copy', 'note', '--url', 'https://other.example/app/'],
        env,
        list,
      );
      assert.equal(plain.code, 0, plain.stderr);
      assert.equal(linksOf(plain.stdout)[0]!.note, '=HYPERLINK("x")');
      assert.ok(linksOf(plain.stdout)[0]!.link!.startsWith('https://other.example/app/s/acme-private?i='));
      const safe = await soundings(
        ['invite', 'acme-private', '-', '--copy', 'note', '--spreadsheet'],
        env,
        list,
      );
      assert.ok(safe.stdout.startsWith('\ufeff'));
      assert.equal(linksOf(safe.stdout)[0]!.note, `'=HYPERLINK("x")`);
    });

    it('links that are the list of reminders keep their ids; revoked ones open nothing and are not made again [D-448]', async () => {
      const out = join(temporaryFolder(), 'links.csv');
      const lines = Array.from({ length: 600 }, (_, index) => `S-${index}`);
      const list = temporaryFile('people.csv', `store_id\n${lines.join('\n')}\n`);
      const first = await soundings(['invite', 'acme-private', list, '--out', out, '--json'], env);
      assert.equal(JSON.parse(first.stdout).invitations, 600);
      const links = linksOf(readFileSync(out, 'utf8'));
      const reminders = linksOf((await soundings(['invite', 'acme-private', out], env)).stdout);
      assert.deepEqual(
        reminders.map(({ store_id, invitationId }) => [store_id, invitationId]),
        links.map(({ store_id, invitationId }) => [store_id, invitationId]),
      );
      assert.notEqual(reminders[7]!.link, links[7]!.link);
      const again = await commandHere(['invite', 'acme-private', list, '--out', out], env);
      assert.match(again.stderr, /exists already/);

      const some = links.slice(0, 550).map(({ invitationId }) => invitationId!);
      const file = temporaryFile('revoke.csv', `invitationId\n${some.join('\n')}\n`);
      const revoked = await commandHere(
        ['invitation', 'revoke', 'acme-private', '--file', file, '--json'],
        env,
      );
      assert.deepEqual(JSON.parse(revoked.stdout), {
        surveyId: 'acme-private',
        revoked: 550,
        revokedBefore: 0,
      });
      const more = await commandHere(
        ['invitation', 'revoke', 'acme-private', some[0]!, links[550]!.invitationId!],
        env,
      );
      assert.match(more.stdout, /^1 invitations to acme-private are revoked.* 1 were revoked before/);
      for (const link of [links[0]!, reminders[0]!, links[550]!])
        assert.equal((await opened(link)).kind, 'revoked');
      assert.equal((await opened(links[551]!)).kind, 'invitation');
      const listed = await commandHere(['invitation', 'revoked', '--account', '4001', '--json'], env);
      const ids = listed.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).invitationId as string);
      assert.deepEqual(ids.toSorted(), [...some, links[550]!.invitationId!].toSorted());
      const other = await commandHere(['invitation', 'revoked', '--account', '4002'], env);
      assert.deepEqual([other.stdout, other.stderr.trim()], ['', '0 invitations are revoked.']);

      const refused = await commandHere(['invite', 'acme-private', out], env);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /links\.csv:2: The invitation \S+ is revoked/);
      assert.match(refused.stderr, /and 451 more/);
    });

    it('ids that are none are named, and nothing is revoked', async () => {
      const good = randomUUIDv7();
      const { code, stderr } = await commandHere(
        ['invitation', 'revoke', 'acme-private', good, 'x', 'y'],
        env,
      );
      assert.equal(code, 1);
      assert.match(stderr, /not ids of invitations, and nothing was revoked:\n {2}"x"\n {2}"y"/);
      const file = temporaryFile('ids.csv', `invitationId\n${good}\nnone\n`);
      const faulty = await commandHere(['invitation', 'revoke', 'acme-private', '--file', file], env);
      assert.match(faulty.stderr, /ids\.csv:3: "none" is not the id of an invitation/);
      const listed = await commandHere(['invitation', 'revoked', '--account', '4001'], env);
      assert.ok(!listed.stdout.includes(good));
    });
  });
}
