import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { Type } from '../../contract/schema.ts';
import type { Interruptible } from '../../domain/interruptible.ts';
import { type Fault, Problem } from '../../domain/problem.ts';
import { inputReader, loadCompiler } from './input.ts';

const body = Type.Object(
  {
    invitations: Type.Array(
      Type.Object(
        {
          parameters: Type.Optional(Type.Record(Type.String(), Type.String())),
          marks: Type.Optional(Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 3 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 30 },
    ),
    days: Type.Optional(Type.Integer({ minimum: 1 })),
    extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    either: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  },
  { additionalProperties: false },
);

const read = inputReader({ body });

/** The faults of a body, and in how many pieces they were found. */
async function faultsOf(value: unknown, hasLongBody: boolean): Promise<{ faults: unknown; pieces: number }> {
  let pieces = 0;
  const workQueue = {
    async run<T>(work: Interruptible<T>): Promise<T> {
      for (;;) {
        const step = work.next();
        if (step.done) return step.value;
        pieces += 1;
      }
    },
  };
  const request = { body: value, hasLongBody, query: {}, server: { workQueue } } as unknown as FastifyRequest;
  let faults: readonly Fault[] = [];
  try {
    const input = await read(request);
    assert.equal(input.body, value);
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    assert.equal(error.code, 'INVALID_REQUEST');
    faults = error.details;
  }
  return { faults, pieces };
}

describe('a long body', () => {
  before(() => loadCompiler());

  it('has the faults of a short one, in their order, whatever is wrong with it [D-931]', async () => {
    const wrong = fc.constantFrom<unknown>(1, -1, null, 'x', [], {}, [1, -2, 'x', 4], { a: 1, b: 'x' });
    const parameters = fc.oneof(
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'toString'), fc.oneof(fc.string(), wrong)),
      wrong,
    );
    const marks = fc.oneof(fc.array(fc.oneof(fc.nat(9), wrong), { maxLength: 5 }), wrong);
    const invitation = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ parameters: fc.constant({ a: 'x' }), marks: fc.constant([1, 2]) }),
      },
      fc.record({ parameters, marks, other: wrong }, { requiredKeys: [] }),
      wrong,
    );
    const invitations = fc.oneof(fc.array(invitation, { maxLength: 40 }), wrong);
    const value = fc.record(
      { invitations, days: wrong, extra: wrong, either: wrong, other: wrong },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, fc.record({ invitations }), wrong), async (sent) => {
        assert.deepEqual((await faultsOf(sent, true)).faults, (await faultsOf(sent, false)).faults);
      }),
      { numRuns: 3_000, seed: 931 },
    );
  });

  it('is checked in pieces, right or wrong, of which none has more than some elements [D-931]', async () => {
    const invitations = Array.from({ length: 1_000 }, () => ({ parameters: { a: 'x' } }));
    assert.ok((await faultsOf({ invitations }, true)).pieces >= 50);
    const mixed = [...invitations, { parameters: { a: 1 } }];
    assert.ok((await faultsOf({ invitations: mixed }, true)).pieces >= 50);
  });

  it('of which nearly all is right has the rest named without a second look at it [D-931]', async () => {
    // Of the values that are right, so many are looked at while the faults are named.
    let looks = 0;
    const counted = new Proxy<Record<string, string>>(
      { a: 'x' },
      {
        get: (target, name) => {
          looks += 1;
          return target[String(name)];
        },
      },
    );
    const invitations = [
      ...Array.from({ length: 200 }, () => ({ parameters: counted })),
      { parameters: { a: 1 } },
    ];
    const { faults } = await faultsOf({ invitations }, true);
    assert.equal((faults as readonly Fault[])[0]?.field, 'invitations[200].parameters.a');
    assert.ok(looks <= 300, `${looks} looks`);
  });
});
