// Hundreds of measures and projects of several accounts live through everything that operators and respondents do to
// them, in mixed order. A model that remembers every row in the order of arrival predicts every page.

import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { seeded } from '../../support/seeded.ts';
import { SourceLife } from '../../support/source-life.ts';

const accounts = [4001, 4002, 4003];
const measures = 70;
const projects = 40;
const steps = process.env.TEST_LONG === undefined ? 400 : 700;
const seed = Number(process.env.SOUNDINGS_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

for (const engine of engines) {
  describe(`lives of ${accounts.length * (measures + projects)} sources on ${engine.name}, seed ${seed}`, () => {
    let service: FeedbackService;
    let life: SourceLife;

    before(async () => {
      const catalogue = { accounts: accounts.map((id) => ({ id, name: `Account ${id}` })) };
      service = await startFeedback(engine, { catalogue });
      life = new SourceLife(service, seeded(seed));
      await life.populate(accounts, measures, projects);
      // Long enough that blocks are full, and that everybody has rows.
      for (let round = 0; round < 3; round += 1) await life.playBurst(life.sources.length);
      for (let count = 0; count < 320; count += 1) await life.respond(life.sources[0]!);
    });
    after(() => service?.stop());

    it('every page is what arrived: answered, renamed, closed, given new versions, erased, enriched, in mixed order [D-35] [D-41] [D-47] [D-48]', async () => {
      for (let step = 0; step < steps; step += 1) {
        try {
          await life.step();
        } catch (error) {
          throw new Error(`Step ${step} of seed ${seed}`, { cause: error });
        }
      }
      await life.assertWhole();
    });

    it('a crowd that writes while others walk loses, doubles and moves no row, in any account [D-35]', async () => {
      await life.playCrowd(20, 30);
      await life.assertWhole();
    });
  });
}
