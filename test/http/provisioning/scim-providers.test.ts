import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { captureFrom, fillRequest, judgeAnswer, providerSequences } from '../../support/scim-model.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

for (const engine of engines) {
  describe(`identity providers on ${engine.name}`, () => {
    let context: ProvisioningService;
    before(async () => {
      context = await startProvisioning(engine);
    });
    after(() => context?.close());

    const play = async (
      method: string,
      target: string,
      { body, authorization, contentType }: { body?: unknown; authorization?: string; contentType?: string },
    ): Promise<{ status: number; body: unknown }> => {
      const answer = await fetch(`${context.service.baseUrl}/scim/v2${target}`, {
        method,
        headers: {
          authorization: authorization ?? `Bearer ${context.token}`,
          ...(body === undefined ? {} : { 'content-type': contentType ?? 'application/scim+json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) };
    };

    for (const [at, sequence] of providerSequences.entries()) {
      it(`${sequence.provider}: ${sequence.name} [D-56]`, async () => {
        const variables = new Map([['run', `r${at}`]]);
        for (const step of sequence.steps) {
          const { method, target, body, authorization, contentType } = fillRequest(step.request, variables);
          const answer = await play(method, target, {
            body,
            contentType,
            ...(authorization === undefined ? {} : { authorization }),
          });
          const said = JSON.stringify(answer.body);
          assert.deepEqual(
            judgeAnswer(step, answer.status, answer.body, variables),
            [],
            `${step.name}: ${method} ${target} was answered with ${answer.status} ${said}`,
          );
          const captured = captureFrom(step, answer.body);
          assert.ok(captured !== null, `${step.name}: the answer lacks what later steps need: ${said}`);
          for (const [name, value] of captured) variables.set(name, value);
        }
        for (const path of sequence.leftovers) {
          const { target } = fillRequest({ method: 'DELETE', path }, variables);
          assert.ok([204, 404].includes((await play('DELETE', target, {})).status));
        }
      });
    }
  });
}
