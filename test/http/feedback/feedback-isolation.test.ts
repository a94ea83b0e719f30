// What belongs to another account does not exist: nothing in status, body or headers tells it from what is not there.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type Answer, tellingPart } from '../../support/exchange.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const range = 'from=2025-05-01&to=2025-05-31';
const secret = 'word-of-bolt-alone';
const submissionTimestamp = '2025-05-05T05:05:05Z';

/** Numbers and ids that a caller sent itself may differ; everything else must be the same. */
function withoutNames(answer: Answer): unknown {
  const text = JSON.stringify(tellingPart(answer));
  return text.replaceAll(/\b(800|801|900|901|bolt-web|bolt-nope)\b/g, '*');
}

for (const engine of engines) {
  describe(`feedback of another account on ${engine.name}`, () => {
    let service: FeedbackService;
    let ours: string;
    let theirs: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      ours = await service.token(acme);
      theirs = await service.token(bolt);
      const responses = { 'Q-SAT-1': ['9'] };
      for (const body of [
        { surveyDefinitionId: 'bolt-web', responses, url: secret },
        { surveyDefinitionId: 'bolt-public', responses, url: secret },
        { surveyDefinitionId: 'bolt-badge', url: secret },
        { surveyDefinitionId: 'bolt-only', url: secret },
      ]) {
        const responseId = `bolt ${body.surveyDefinitionId}`;
        const { status } = await service.post({ ...body, responseId, submissionTimestamp }, theirs);
        assert.equal(status, 200);
      }
    });
    after(() => service?.stop());

    it('its measures and projects are in no list [D-10]', async () => {
      for (const [path, names] of [
        ['/v1/measures', [700, 701, 702, 703, 704]],
        ['/v1/projects', [300, 301, 302, 303]],
      ] as const) {
        const { text } = await service.get(path, ours);
        const value = JSON.parse(text) as { items?: { id: number }[] } & { id: number }[];
        assert.deepEqual(
          (value.items ?? value).map(({ id }) => id),
          names,
        );
        assert.ok(!text.includes('Bolt') && !text.includes('bolt'));
      }
    });

    it('its measure and its project are answered exactly like numbers that nobody has [D-10]', async () => {
      for (const [theirsPath, nobodysPath] of [
        ['/v1/measures/800/definition', '/v1/measures/801/definition'],
        [`/v1/measures/800/data?${range}`, `/v1/measures/801/data?${range}`],
        ['/v1/projects/900/definition', '/v1/projects/901/definition'],
        [`/v1/projects/900/data?${range}`, `/v1/projects/901/data?${range}`],
        [`/v1/measures/800/digest?${range}`, `/v1/measures/801/digest?${range}`],
        [`/v1/projects/900/digest?${range}`, `/v1/projects/901/digest?${range}`],
      ] as const) {
        const foreign = await service.get(theirsPath, ours);
        assert.equal(foreign.status, 404);
        assert.deepEqual(withoutNames(foreign), withoutNames(await service.get(nobodysPath, ours)));
        assert.equal((await service.get(theirsPath, theirs)).status, 200);
      }
    });

    it('where both accounts have the same number, each sees its own and nothing of the other [D-10] [D-47]', async () => {
      for (const path of [`/v1/measures/700/data?${range}`, `/v1/projects/300/data?${range}`]) {
        const seen = await service.get(path, ours);
        assert.deepEqual([seen.status, seen.body.total, seen.body.items], [200, 0, []]);
        assert.ok(!seen.text.includes(secret));
        const own = await service.get(path, theirs);
        assert.equal(own.body.total, 1);
        assert.ok(own.text.includes(secret));
      }
      const definition = await service.get('/v1/measures/700/definition', ours);
      assert.equal(definition.body.name, 'Acme web');
    });

    it('its survey takes no response of ours, and its response ids are free for us [D-10] [D-41]', async () => {
      const body = { surveyDefinitionId: 'bolt-web', responses: { 'Q-SAT-1': ['1'] }, submissionTimestamp };
      const foreign = await service.post(body, ours);
      assert.deepEqual([foreign.status, foreign.body.errorCode], [404, 'SURVEY_NOT_FOUND']);
      const nobodys = await service.post({ ...body, surveyDefinitionId: 'bolt-nope' }, ours);
      assert.deepEqual(withoutNames(foreign), withoutNames(nobodys));
      // A retry of their own response is no success for us either: it would confirm that they have it.
      const stolen = await service.post(
        {
          surveyDefinitionId: 'bolt-web',
          responses: { 'Q-SAT-1': ['9'] },
          url: secret,
          responseId: 'bolt bolt-web',
          submissionTimestamp,
        },
        ours,
      );
      assert.deepEqual(withoutNames(stolen), withoutNames(nobodys));
      const mine = { surveyDefinitionId: 'acme-badge', responseId: 'bolt bolt-web', submissionTimestamp };
      assert.equal((await service.post(mine, ours)).status, 200);
      const kept = await service.get(`/v1/measures/700/data?${range}`, theirs);
      assert.equal(kept.body.total, 1);
    });
  });
}
