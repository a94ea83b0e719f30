// As test/http/feedback/feedback-model.test.ts, and more often.

import { after, before, describe, it } from 'node:test';
import { FeedbackLives } from '../support/feedback-lives.ts';

const runs = 2_000;

describe('feedback against its model, on both engines at once, for long', () => {
  let lives: FeedbackLives;

  before(async () => {
    lives = await FeedbackLives.start();
  });
  after(() => lives?.stop());

  it(`pages, totals, summaries, toggles, versions and parameters are what the bodies say, and broken bodies are refused by name, byte for byte, in ${runs} lives [D-34] [D-35] [D-36] [D-39] [D-42]`, () =>
    lives.live(runs));
});
