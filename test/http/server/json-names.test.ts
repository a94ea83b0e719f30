// Member names that need escapes: the parser of this Node takes some of them for others it has read before.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { acme, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

interface Row {
  readonly name: string;
  readonly answers: readonly string[];
}

for (const engine of engines) {
  describe(`names with escapes on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;

    before(async () => {
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      token = await service.token(acme);
    });
    after(() => service?.stop());

    /**
     * The parameters are written by hand, because their spelling is what matters. The first is the same in all: a name
     * is guessed from objects that began alike.
     */
    const bodyOf = (responseId: string, data: string): string =>
      `{"surveyDefinitionId":"acme-public","responseId":"${responseId}","responses":{"Q-SAT-1":["8"]},"cpps":{"data":{"lead of this test":"0",${data}}}}`;

    it('a body of more than two thousand different names is refused, and one name in many objects counts once [D-198]', async () => {
      const named = (count: number): string =>
        JSON.stringify({
          surveyDefinitionId: 'acme-public',
          responses: { 'Q-SAT-1': ['8'] },
          isTest: true,
          extra: Array.from({ length: count }, (_, index) => ({ [`name ${index}`]: 1, same: 1 })),
        });
      const refused = await service.post(named(2_000), token);
      assert.deepEqual([refused.status, refused.body.errorCode], [400, 'MALFORMED_JSON']);
      assert.match(String(refused.body.message), /more than 2000 different member names/);
      const taken = await service.post(named(1_900), token);
      assert.equal(taken.status, 200, taken.text);
    });

    const parametersOf = async (responseId: string): Promise<readonly string[]> => {
      const range = 'from=1990-01-01&to=2100-01-01&limit=100';
      const { body } = await service.get(`/v1/measures/703/data?${range}`, token);
      const items = body.items as { id: string; responses: Row[] }[];
      const rows = items.find(({ id }) => id === responseId)?.responses ?? [];
      return rows.map(({ name }) => name).filter((name) => name !== undefined && !name.startsWith('Q-'));
    };

    it('a parameter keeps the name it was sent with, whatever was sent before it [D-195]', async () => {
      const rows = [
        ['"\\\\":"1"', ['\\']],
        ['"\\"":"2"', ['"']],
        ['"\\u0061":"3"', ['a']],
        ['"\\/":"4"', ['/']],
        ['"\\\\":"5","\\"":"6"', ['"', '\\']],
      ] as const;
      // Each of them after each of the others.
      for (const [data, names] of [...rows, ...rows, ...rows.toReversed()]) {
        const responseId = randomUUID();
        const answer = await service.post(bodyOf(responseId, data), null);
        assert.equal(answer.status, 200, answer.text);
        const kept = (await parametersOf(responseId)).filter((name) => name.length === 1).sort();
        assert.deepEqual(kept, names, data);
      }
    });

    it('two contents that differ in such a name are a conflict, two spellings of one name are not [D-41] [D-195]', async () => {
      const responseId = randomUUID();
      assert.equal((await service.post(bodyOf(responseId, '"\\\\":"1"'), null)).status, 200);
      for (const data of ['"\\"":"1"', '"\\n":"1"', '"\\u0061":"1"']) {
        const other = await service.post(bodyOf(responseId, data), null);
        assert.deepEqual([other.status, other.body.errorCode], [409, 'RESPONSE_CONFLICT'], data);
      }
      const respelt = await service.post(bodyOf(responseId, '"\\u005c":"1"'), null);
      assert.deepEqual([respelt.status, respelt.body.responseId], [200, responseId]);
    });
  });
}
