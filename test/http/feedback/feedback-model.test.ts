// Random catalogues and random responses: whatever is asked, the service answers what a plain recomputation from the
// raw bodies gives (test/support/feedback-model.ts), and both engines answer with the same bytes.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { FeedbackLives } from '../../support/feedback-lives.ts';
import { someScenario } from '../../support/feedback-scenario.ts';

const runs = 40;

describe('feedback against its model, on both engines at once', () => {
  let lives: FeedbackLives;

  before(async () => {
    lives = await FeedbackLives.start();
  });
  after(() => lives?.stop());

  it(`pages, totals, summaries, toggles, versions and parameters are what the bodies say, and broken bodies are refused by name, byte for byte, in ${runs} lives [D-34] [D-35] [D-36] [D-39] [D-42]`, () =>
    lives.live(runs));

  it('lists and refusals are the same bytes on both engines', async () => {
    const account = await lives.open(fc.sample(someScenario, 1)[0]!);
    const { id: survey } = account.scenario.sources[0]!.versions[0]!;
    for (const body of [
      '{',
      {},
      { surveyDefinitionId: 'nothing' },
      { surveyDefinitionId: survey, responses: { 'Q-NOPE': ['x'], 'Q-NOR-THIS': ['y', 'z'] } },
      { surveyDefinitionId: survey, responses: 7, url: null, isTest: 'x' },
      { surveyDefinitionId: survey, submissionTimestamp: '1980-01-01T00:00:00Z' },
    ]) {
      const { status } = await account.post(body);
      assert.ok(status === 400 || status === 404);
    }
    for (const path of [
      '/v1/measures',
      '/v1/measures?limit=1',
      '/v1/projects',
      '/v1/measures/9/definition',
      '/v1/measures/1/data?from=2025-02-30&to=x&limit=0',
      '/v1/measures/1/data?from=2025-01-02&to=2025-01-01',
      '/v1/projects/9/data?from=2025-01-01&to=2025-01-01',
      '/v1/projects/1/data',
    ])
      await account.get(path);
  });
});
