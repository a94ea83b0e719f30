// The examples of docs/insight.md against the service: the members that they show are those of the answers, and what the page says of the
// example of a comment holds of one that was sent.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { commentAcme, commentCatalogue, commentNowMs } from '../../support/comment-population.ts';
import { sqlite } from '../../support/engines.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';

const page = readFileSync(new URL('../../../docs/insight.md', import.meta.url), 'utf8');
const [figureExample, traceExample, commentExample] = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text]) => JSON.parse(text!) as Record<string, unknown>,
);

/** The first object within a value that has these members and others. */
function having(value: unknown, members: readonly string[]): Record<string, unknown> | null {
  if (typeof value !== 'object' || value === null) return null;
  if (members.every((member) => member in value)) return value as Record<string, unknown>;
  for (const inner of Object.values(value)) {
    const found = having(inner, members);
    if (found !== null) return found;
  }
  return null;
}

const engine = sqlite;

describe('the examples of docs/insight.md', () => {
  let service: FeedbackService;
  let token: string;

  before(async () => {
    service = await startFeedback(engine, { catalogue: commentCatalogue, nowMs: commentNowMs });
    token = await service.token(commentAcme);
    for (const [id, score] of [
      ['a8', '5'],
      ['a9', '7'],
    ]) {
      const { status, text } = await service.post(
        {
          surveyDefinitionId: 'acme-shops-2',
          responseId: id!,
          submissionTimestamp: '2026-04-02T08:12:45.000Z',
          responses: { 'Q-1': [score!], 'Q-2': ['5'], 'C-WHY': [String(commentExample!.text)] },
        },
        token,
      );
      assert.equal(status, 200, text);
    }
  });
  after(() => service?.stop());

  const answer = async (path: string): Promise<Record<string, unknown>> => {
    const { status, body, text } = await service.get(path, token);
    assert.equal(status, 200, text);
    return body;
  };
  const days = 'from=2026-04-01&to=2026-04-30';
  const membersOf = (value: object): readonly string[] => Object.keys(value).sort();

  it('a figure has the members of its example', async () => {
    const trend = await answer(`/v1/measures/10/trend?${days}`);
    const figure = having(trend, ['deviation', 'interval']);
    for (const member of membersOf(figureExample!)) assert.ok(member in figure!, member);
  });

  it('a question of a trace has the members of its example, and brings what the formula says', async () => {
    const trace = await answer('/v1/measures/10/responses/a9/trace');
    const question = having(trace, ['state', 'contribution']);
    assert.deepEqual(membersOf(question!), membersOf(traceExample!));
    // The answer of the example on the scale of the example.
    assert.deepEqual([question!.answer, question!.value], [traceExample!.answer, traceExample!.value]);
    assert.equal(question!.normalised, traceExample!.normalised);
  });

  it('a comment is the one of its example, hits and all', async () => {
    const { items } = await answer('/v1/measures/10/comments?q=STRASSE&limit=1');
    const [item] = items as Record<string, unknown>[];
    const { scores, ...rest } = commentExample!;
    const { scores: kept, ...found } = item!;
    assert.deepEqual(found, rest);
    assert.deepEqual(membersOf((kept as object[])[0]!), membersOf((scores as object[])[0]!));
  });
});
