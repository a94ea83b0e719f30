// People who were invited answer: each of them once, whatever they, their programs for mail and others do with the link.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { invitedCatalogue } from '../../support/invited-catalogue.ts';
import { commandHereOk } from '../../support/service.ts';

const dayMs = 86_400_000;
const people = 1_000;

interface Invited {
  readonly invitationId: string;
  readonly url: string;
}

for (const engine of engines) {
  describe(`people who were invited on ${engine.name}`, () => {
    let service: FeedbackService;
    let acme: string;
    before(async () => {
      service = await startFeedback(engine, {
        catalogue: invitedCatalogue,
        env: { SOUNDINGS_PUBLIC_URL: 'https://feedback.example', SOUNDINGS_THROTTLE: 'off' },
      });
      acme = await service.token(4001);
    });
    after(() => service?.stop());

    const invited = async (
      count: number,
      surveyId = 'acme-private',
      days = 90,
    ): Promise<readonly Invited[]> => {
      const answer = await exchange(`${service.baseUrl}/v1/surveys/${surveyId}/invitations`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${acme}` },
        body: JSON.stringify({
          invitations: Array.from({ length: count }, (_, index) => ({
            parameters: { store_id: `S-${index}` },
          })),
          expiresInDays: days,
        }),
      });
      assert.equal(answer.status, 200, answer.text);
      return answer.body.items as Invited[];
    };
    const tokenOf = ({ url }: Invited): string => new URL(url).searchParams.get('i')!;
    const look = (token: string, surveyId = 'acme-private', method = 'GET'): Promise<Answer> =>
      exchange(`${service.baseUrl}/s/${surveyId}?i=${token}`, { method, headers: { accept: 'text/html' } });
    const send = (token: string, stars: number, surveyId = 'acme-private', more = {}): Promise<Answer> =>
      exchange(`${service.baseUrl}/s/${surveyId}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, 'q.Q-STARS': String(stars), ...more }).toString(),
      });
    interface Row {
      readonly id: string;
      readonly rating: number;
    }
    const rows = async (accountId = 4001): Promise<readonly Row[]> => {
      const token = accountId === 4001 ? acme : await service.token(accountId);
      const found: Row[] = [];
      for (let offset = 0; ; offset += 1_000) {
        const range = 'from=2000-01-01&to=2100-01-01&limit=1000';
        const { body } = await service.get(`/v1/projects/20/data?${range}&offset=${offset}`, token);
        found.push(...(body.items as Row[]));
        if (body.hasMore !== true) return found;
      }
    };

    it('a program that opens every link sends nothing, and each person is one row, however often it is sent [D-446]', async () => {
      const links = await invited(people);
      for (const method of ['GET', 'HEAD'])
        for (const link of links.slice(0, 50))
          assert.equal((await look(tokenOf(link), 'acme-private', method)).status, 200);
      assert.equal((await rows()).length, 0);
      // A double click, then the same with other answers; fewer at once than connections may wait to be taken in.
      const sent: Answer[] = [];
      const atOnce = 100;
      for (let first = 0; first < links.length; first += atOnce)
        sent.push(
          ...(await Promise.all(
            links
              .slice(first, first + atOnce)
              .flatMap((link, index) => [
                send(tokenOf(link), 1 + ((first + index) % 5)),
                send(tokenOf(link), 1 + ((first + index) % 5)),
              ]),
          )),
        );
      assert.equal(sent.length, 2 * people);
      for (const { status, headers } of sent) {
        assert.equal(status, 303);
        assert.match(String(headers.location), /\/s\/acme-private\/thanks\?/);
      }
      const again = await Promise.all(
        links.slice(0, 100).map((link, index) => send(tokenOf(link), 1 + ((index + 1) % 5))),
      );
      assert.deepEqual([...new Set(again.map(({ status }) => status))], [303]);
      const kept = new Map((await rows()).map((row) => [row.id, row]));
      assert.equal(kept.size, people);
      for (const [index, { invitationId }] of links.entries())
        assert.equal(kept.get(invitationId)?.rating, 1 + (index % 5));
      const page = await look(tokenOf(links[0]!));
      assert.match(page.text, /You have already answered/);
    });

    it('what was passed comes with the row, and nobody who has the link adds to it or changes it [D-446]', async () => {
      const [link] = await invited(1);
      await send(tokenOf(link!), 4, 'acme-private', { 'p.store_id': 'S-999', 'p.receipt_total': '7' });
      const row = (await rows()).find(({ id }) => id === link!.invitationId);
      const text = JSON.stringify(row);
      assert.match(text, /"S-0"/);
      assert.doesNotMatch(text, /S-999|receipt_total/);
    });

    it('a link opens no other survey and no other account, and is nothing when it is altered, revoked or over [D-446] [D-447]', async () => {
      const before = (await rows()).length;
      const [foreign, altered, revoked, over] = await invited(4, 'acme-private', 1);
      const unknown = await look('x', 'no-such-survey');
      assert.equal(unknown.status, 404);
      const flipped = tokenOf(altered!).replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
      const revocation = await exchange(
        `${service.baseUrl}/v1/surveys/acme-private/invitations/revocations`,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${acme}` },
          body: JSON.stringify({ invitationIds: [revoked!.invitationId] }),
        },
      );
      assert.deepEqual(revocation.body, { revoked: 1 });
      for (const [token, surveyId] of [
        [tokenOf(foreign!), 'bolt-private'],
        [flipped, 'acme-private'],
        [tokenOf(revoked!), 'acme-private'],
        ['', 'acme-private'],
      ] as const) {
        const page = await look(token, surveyId);
        assert.deepEqual([page.status, page.text], [404, unknown.text]);
        assert.equal((await send(token, 5, surveyId)).status, 404);
      }
      // At a public survey it is as good as no token: the page is shown again, with one of its own.
      assert.equal((await send(tokenOf(foreign!), 5, 'bolt-public')).status, 422);
      service.pass(dayMs + 1_000);
      assert.equal((await look(tokenOf(over!))).status, 404);
      assert.equal((await send(tokenOf(over!), 5)).status, 404);
      acme = await service.token(4001);
      assert.equal((await rows()).length, before);
      assert.equal((await rows(4002)).length, 0);
    });

    it('after the key was rotated links of before are answered; after it was revoked they are not [D-446]', async () => {
      const [first, second] = await invited(2);
      const env = { DATABASE_URL: service.databaseUrl };
      const { sealingKeys } = JSON.parse(await commandHereOk(['keys', 'list', '--json'], env));
      await commandHereOk(['keys', 'rotate', '--sealing'], env);
      service.pass(6_000);
      assert.equal((await send(tokenOf(first!), 3)).status, 303);
      for (const { kid } of sealingKeys) await commandHereOk(['keys', 'revoke', kid, '--force'], env);
      service.pass(6_000);
      assert.equal((await send(tokenOf(second!), 3)).status, 404);
      const ids = (await rows()).map(({ id }) => id);
      assert.deepEqual(
        [ids.includes(first!.invitationId), ids.includes(second!.invitationId)],
        [true, false],
      );
    });
  });
}
