// POST /v1/surveys/{id}/invitations: who may invite, what a link holds, what is refused, and how links are taken back.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { type InvitationReader, openInvitationReader } from '../../support/invitation-reader.ts';
import { invitedCatalogue } from '../../support/invited-catalogue.ts';
import { believeTime } from '../../support/trusted-time.ts';

const dayMs = 86_400_000;
const base = 'https://feedback.example';

interface Item {
  readonly invitationId: string;
  readonly url: string;
  readonly expires: string;
}

for (const engine of engines) {
  describe(`invitations over HTTP on ${engine.name}`, () => {
    let service: FeedbackService;
    let acme: string;
    let bolt: string;
    let reader: InvitationReader;
    before(async () => {
      service = await startFeedback(engine, {
        catalogue: invitedCatalogue,
        env: { SOUNDINGS_PUBLIC_URL: base },
      });
      acme = await service.token(4001);
      bolt = await service.token(4002);
      reader = await openInvitationReader(service.databaseUrl, () => service.nowMs);
    });
    after(async () => {
      await reader?.close();
      await service?.stop();
    });

    const send = (path: string, body: unknown, token: string | null): Promise<Answer> =>
      exchange(`${service.baseUrl}/v1/surveys/${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify(body),
      });
    const invited = async (surveyId: string, body: object, token = acme): Promise<readonly Item[]> => {
      const answer = await send(`${surveyId}/invitations`, body, token);
      assert.equal(answer.status, 200, answer.text);
      return answer.body.items as Item[];
    };
    const codesOf = ({ body }: Answer): readonly string[] =>
      (body.detailedErrors as { field: string; code: string }[]).map(({ field, code }) => `${field} ${code}`);

    it('1,000 links are made in the order of the request, each with its parameters under the names of the survey [D-446]', async () => {
      const invitations = Array.from({ length: 1_000 }, (_, index) => ({
        parameters: { 'CPP-STORE': `S-${index}`, receipt_total: index % 2 === 0 ? '' : `${index}.50` },
      }));
      const items = await invited('acme-private', { invitations, expiresInDays: 30 });
      assert.equal(items.length, 1_000);
      assert.equal(new Set(items.map(({ invitationId }) => invitationId)).size, 1_000);
      for (const [index, item] of items.entries()) {
        assert.ok(item.url.startsWith(`${base}/s/acme-private?i=`) && item.url.length < 400);
        assert.ok(Math.abs(Date.parse(item.expires) - service.nowMs - 30 * dayMs) <= 1_000);
        if (index % 50 !== 0 && index % 50 !== 1) continue;
        const opened = await reader.open(item.url);
        assert.ok(opened.kind === 'invitation');
        assert.equal(opened.responseId, item.invitationId);
        const total = index % 2 === 0 ? {} : { receipt_total: `${index}.50` };
        assert.deepEqual({ ...opened.parameters }, { store_id: `S-${index}`, ...total });
      }
      const [action, subject, note] = await reader.lastAudit();
      assert.deepEqual([action, subject], ['invitation.create', 'survey acme-private']);
      assert.match(note ?? '', /^1000 invitations until /);
      assert.doesNotMatch(service.log(), /eyJhbGciOiJkaXIi/, 'no link is logged');
    });

    it('a survey of another account is not found, as one that is not there; without the grant nobody invites [D-446]', async () => {
      const body = { invitations: [{}] };
      const answers = [
        await send('bolt-private/invitations', body, acme),
        await send('bolt-public/invitations', body, acme),
        await send('nothing/invitations', body, acme),
        await send('acme-private/invitations', body, bolt),
        await send('acme-private/invitations/revocations', { invitationIds: [randomUUID()] }, bolt),
      ];
      const told = answers.map(({ status, body: { errorCode, message } }) => [status, errorCode, message]);
      for (const one of told) assert.deepEqual(one, told[2]);
      assert.deepEqual(told[2]?.slice(0, 2), [404, 'SURVEY_NOT_FOUND']);
      const readOnly = await service.token(4001, ['r_cx_measures']);
      assert.equal(
        (await send('acme-private/invitations', body, readOnly)).body.errorCode,
        'INSUFFICIENT_SCOPE',
      );
      assert.equal((await send('acme-private/invitations', body, null)).status, 401);
    });

    it('every fault of every invitation is named at once, and none is made [D-22]', async () => {
      const before = await reader.lastAudit();
      const faulty = await send(
        'acme-private/invitations',
        {
          invitations: [
            { parameters: { store_id: 'S-1' } },
            { parameters: { email: 'ana@example.com', 'CPP-STORE': 'S-1', store_id: 'S-2' } },
            { parameters: { store_id: 'x'.repeat(1_500) } },
            { parameters: { store_id: 'x'.repeat(5_000) } },
          ],
        },
        acme,
      );
      assert.equal(faulty.status, 400);
      assert.deepEqual(codesOf(faulty), [
        'invitations[1].parameters.email UNKNOWN',
        'invitations[1].parameters.store_id REPEATED',
        'invitations[2].parameters TOO_LONG',
        'invitations[3].parameters.store_id VALUE_TOO_LONG',
      ]);
      for (const body of [
        {},
        { invitations: [] },
        { invitations: Array.from({ length: 1_001 }, () => ({})) },
        { invitations: [{}], expiresInDays: 401 },
        { invitations: [{}], expiresInDays: 0 },
        { invitations: [{ parameters: { store_id: 7 } }] },
        { invitations: [{ responseId: 'mine' }] },
        { invitations: [{}], days: 3 },
      ])
        assert.equal((await send('acme-private/invitations', body, acme)).body.errorCode, 'INVALID_REQUEST');
      assert.deepEqual(codesOf(await send('acme-closed/invitations', { invitations: [{}] }, acme)), [
        'surveyId SURVEY_CLOSED',
      ]);
      assert.deepEqual(await reader.lastAudit(), before);
    });

    it('the longest link that is made has 1,900 characters, and opens [D-446]', async () => {
      let [fits, over] = [0, 1_900];
      while (over - fits > 1) {
        const length = Math.floor((fits + over) / 2);
        const body = { invitations: [{ parameters: { store_id: 'é'.repeat(length) } }] };
        if ((await send('acme-private/invitations', body, acme)).status === 200) fits = length;
        else over = length;
      }
      const [item] = await invited('acme-private', {
        invitations: [{ parameters: { store_id: 'é'.repeat(fits) } }],
      });
      assert.ok(item!.url.length <= 1_900 && item!.url.length > 1_890, `${item!.url.length} characters`);
      const opened = await reader.open(item!.url);
      assert.equal(opened.kind, 'invitation');
    });

    it('a revoked invitation opens nothing any more, others do; another account revokes none of them [D-447]', async () => {
      const items = await invited('acme-private', { invitations: Array.from({ length: 300 }, () => ({})) });
      const ids = items.map(({ invitationId }) => invitationId);
      const foreign = await send('bolt-private/invitations/revocations', { invitationIds: ids }, bolt);
      assert.deepEqual(foreign.body, { revoked: 300 });
      const kinds = async (): Promise<readonly string[]> =>
        Promise.all(items.map(async (item) => (await reader.open(item.url)).kind));
      assert.deepEqual([...new Set(await kinds())], ['invitation']);
      const some = ids.slice(0, 200);
      const path = 'acme-private/invitations/revocations';
      assert.deepEqual((await send(path, { invitationIds: [...some, some[0]!.toUpperCase()] }, acme)).body, {
        revoked: 200,
      });
      assert.deepEqual((await send(path, { invitationIds: ids.slice(199, 201) }, acme)).body, { revoked: 1 });
      assert.deepEqual(
        await kinds(),
        ids.map((_, index) => (index < 201 ? 'revoked' : 'invitation')),
      );
      const [action, subject] = await reader.lastAudit();
      assert.deepEqual([action, subject], ['invitation.revoke', 'survey acme-private']);
      for (const invitationIds of [[], ['x'], Array.from({ length: 1_001 }, () => randomUUID())])
        assert.equal((await send(path, { invitationIds }, acme)).body.errorCode, 'INVALID_REQUEST');
    });

    it('what was revoked is forgotten when it must have ended, at the next revocation [D-447]', async () => {
      const path = 'acme-private/invitations/revocations';
      const [old, young] = [randomUUID(), randomUUID()];
      await send(path, { invitationIds: [old] }, acme);
      service.nowMs += 402 * dayMs;
      await believeTime(service.databaseUrl, service.nowMs);
      const token = await service.token(4001);
      assert.deepEqual((await send(path, { invitationIds: [young] }, token)).body, { revoked: 1 });
      assert.deepEqual((await send(path, { invitationIds: [old, young] }, token)).body, { revoked: 1 });
    });
  });
}
