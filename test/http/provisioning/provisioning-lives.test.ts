// Three hundred users and their groups live through everything that callers and providers do to them, in mixed order,
// on both faces and beside a second account. A model predicts every answer.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { ProvisioningLife } from '../../support/provisioning-life.ts';
import { callStandard } from '../../support/scim.ts';
import { seeded } from '../../support/seeded.ts';

const population = 300;
const neighbours = 40;
const steps = process.env.TEST_LONG === undefined ? 700 : 1_200;
const seed = Number(process.env.SOUNDINGS_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));

for (const engine of engines) {
  describe(`lives of ${population} users on ${engine.name}, seed ${seed}`, () => {
    const chance = seeded(seed);
    let service: FeedbackService;
    let life: ProvisioningLife;
    let neighbour: ProvisioningLife;
    let neighboursBefore: string;

    const everybodyOf = async (token: string): Promise<string> =>
      (await callStandard(service.baseUrl, token, 'GET', '/Users?count=200', {})).text;

    before(async () => {
      const catalogue = {
        accounts: [
          { id: 4001, name: 'One' },
          { id: 4002, name: 'Two' },
        ],
      };
      service = await startFeedback(engine, { catalogue });
      const [token, foreignToken] = [await service.token(4001), await service.token(4002)];
      const shared = { baseUrl: service.baseUrl, clock: service, chance };
      life = new ProvisioningLife({ ...shared, accountId: 4001, token, foreignToken });
      // Two people of one name in two accounts have nothing to do with each other: the neighbour has the same names.
      const same = seeded(seed);
      const other = { ...shared, chance: same, accountId: 4002, token: foreignToken, foreignToken: token };
      neighbour = new ProvisioningLife(other);
      for (let made = 0; made < neighbours; made += 1) await neighbour.playCreate();
      for (let made = 0; made < population; made += 1) await life.playCreate();
      neighboursBefore = await everybodyOf(foreignToken);
    });
    after(() => service?.stop());

    it('every answer to a mixed life is what was promised: created, renamed, suspended, regrouped, found, deleted, created again', async () => {
      for (let step = 0; step < steps; step += 1) {
        try {
          await life.step();
          if (step % 300 === 299) await life.assertWhole();
        } catch (error) {
          throw new Error(`Step ${step}, after ${life.played.join('; ')}`, { cause: error });
        }
      }
      await life.assertWhole();
    });

    it('nothing of it reaches the account beside it, byte for byte [D-10]', async () => {
      await neighbour.assertWhole();
      assert.equal(await everybodyOf(await service.token(4002)), neighboursBefore);
    });
  });
}
