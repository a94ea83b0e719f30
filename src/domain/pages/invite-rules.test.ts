import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PageInvite } from '../feedback/definition.ts';
import {
  type InviteMemory,
  judgeInvite,
  matchesPath,
  readMemory,
  withDraw,
  withEnd,
} from './invite-rules.ts';

const dayMs = 86_400_000;
const startMs = Date.UTC(2026, 0, 1);

const facts = { survey: 'shop', invite: {}, memory: {}, path: '/', nowMs: startMs, secondsOnPage: 0 };
const drawn: InviteMemory = { shop: { draw: 0, drawnAtMs: startMs } };

const closedGates = (change: Partial<Parameters<typeof judgeInvite>[0]>): readonly string[] =>
  judgeInvite({ ...facts, memory: drawn, ...change })
    .filter(({ isOpen }) => !isOpen)
    .map(({ gate }) => gate);

/** Numbers from 0 to 1 in an order that is the same in every run. */
function chances(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // The low bits of such a row repeat soon; one more mixing spreads the high ones.
    let mixed = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

describe('whom a survey is offered', () => {
  it('without rules it is offered at once, on every path, to everybody who can remember it [D-459]', () => {
    assert.deepEqual(closedGates({}), []);
    assert.deepEqual(closedGates({ memory: null }), ['memory', 'sample']);
  });

  it('every gate is named with its reason, open or not', () => {
    const invite = { sample: 10, after: 5, urls: ['/shop/*'], repeatDays: 30, quietDays: 7 };
    const memory = { shop: { draw: 55, drawnAtMs: startMs, endedAtMs: startMs - dayMs } };
    const gates = judgeInvite({ ...facts, invite, memory, path: '/help' });
    assert.deepEqual(
      gates.map(({ gate, isOpen }) => [gate, isOpen]),
      [
        ['memory', true],
        ['urls', false],
        ['sample', false],
        ['repeatDays', false],
        ['quietDays', false],
        ['after', false],
      ],
    );
    const why = Object.fromEntries(gates.map((one) => [one.gate, one.why]));
    assert.equal(why.sample, 'drawn 55.00, below 10');
    assert.equal(why.urls, '/help in /shop/*');
    assert.equal(why.repeatDays, 'ended 1.00 days ago, at least 30');
  });

  it('a share of a hundred is everybody, a share of nothing is nobody', () => {
    for (const chance of [0, 0.5, 1 - Number.EPSILON]) {
      const memory = withDraw({}, 'shop', {}, startMs, chance);
      assert.deepEqual(closedGates({ memory, invite: { sample: 100 } }), []);
      assert.deepEqual(closedGates({ memory, invite: { sample: 0 } }), ['sample']);
    }
  });

  it('whoever answered or declined is asked again after repeatDays, and by nobody else before quietDays', () => {
    const memory = withEnd({ ...drawn, other: { draw: 0, drawnAtMs: startMs } }, 'shop', startMs);
    const invite: PageInvite = { repeatDays: 30, quietDays: 7 };
    const at = (survey: string, days: number): readonly string[] =>
      closedGates({ survey, memory, invite, nowMs: startMs + days * dayMs });
    assert.deepEqual(at('shop', 6.99), ['repeatDays', 'quietDays']);
    assert.deepEqual(at('shop', 7), ['repeatDays']);
    assert.deepEqual(at('shop', 29.99), ['repeatDays']);
    assert.deepEqual(at('shop', 30), []);
    assert.deepEqual(at('other', 6.99), ['quietDays']);
    assert.deepEqual(at('other', 7), []);
    // Where the catalogue says nothing.
    const usual = { memory, nowMs: startMs + 89 * dayMs };
    assert.deepEqual(closedGates(usual), ['repeatDays']);
    assert.deepEqual(closedGates({ ...usual, nowMs: startMs + 90 * dayMs }), []);
  });

  it('of 10,000 visitors the share is drawn, however often they come and however often they are asked about', () => {
    const visitors = 10_000;
    const days = 84;
    for (const [sample, repeatDays] of [
      [10, 30],
      [35, 7],
    ] as const) {
      const next = chances(sample);
      const invite = { sample, repeatDays };
      // From one visit in the whole time to one each day: a draw at every visit would ask nearly all of the last.
      const visitsOf = (visitor: number): number => [1, 2, 5, 20, days][visitor % 5]!;
      const offered = [0, 0, 0, 0, 0];
      const periods = [0, 0, 0, 0, 0];
      for (let visitor = 0; visitor < visitors; visitor += 1) {
        const visits = visitsOf(visitor);
        const group = visitor % 5;
        const drawnAt = new Set<number>();
        const shownAt = new Set<number>();
        let memory: InviteMemory = {};
        for (let visit = 0; visit < visits; visit += 1) {
          const nowMs = startMs + Math.floor((visit * days * dayMs) / visits);
          memory = withDraw(memory, 'shop', invite, nowMs, next());
          const { drawnAtMs = 0 } = memory.shop!;
          drawnAt.add(drawnAtMs);
          const gates = judgeInvite({ ...facts, invite, memory, nowMs });
          if (gates.find(({ gate }) => gate === 'sample')!.isOpen) shownAt.add(drawnAtMs);
        }
        periods[group]! += drawnAt.size;
        offered[group]! += shownAt.size;
      }
      for (const [group, count] of periods.entries()) {
        const share = offered[group]! / count;
        const error = Math.sqrt(((sample / 100) * (1 - sample / 100)) / count);
        assert.ok(
          Math.abs(share - sample / 100) < 4 * error,
          `of group ${group}, ${share} were drawn in ${count} periods, not ${sample} %`,
        );
      }
      // Who comes every day has a draw each period, and no more.
      assert.equal(periods[4], (visitors / 5) * Math.ceil(days / repeatDays));
    }
  });

  it('a share that is changed holds for draws of before: nobody is drawn twice in a period', () => {
    const memory = withDraw({}, 'shop', {}, startMs, 0.4);
    assert.equal(withDraw(memory, 'shop', {}, startMs + 89 * dayMs, 0), memory);
    assert.deepEqual(closedGates({ memory, invite: { sample: 30 } }), ['sample']);
    assert.deepEqual(closedGates({ memory, invite: { sample: 50 } }), []);
    assert.equal(withDraw(memory, 'shop', {}, startMs + 90 * dayMs, 0.1).shop?.draw, 10);
  });

  it('what a browser kept is read as it was written; what is broken or of the future is forgotten', () => {
    const memory = withEnd(withDraw({}, 'shop', {}, startMs, 0.25), 'shop', startMs + 1);
    const text = JSON.stringify(memory);
    assert.deepEqual(readMemory(text, startMs + 1), memory);
    assert.deepEqual(readMemory(text, startMs), { shop: { draw: 25, drawnAtMs: startMs } });
    assert.deepEqual(closedGates({ memory: readMemory(text, startMs - 1), nowMs: startMs - 1 }), []);
    assert.equal(withDraw(readMemory(text, startMs - 1), 'shop', {}, startMs - 1, 0.5).shop?.draw, 50);
    for (const broken of [null, '', '{', 'null', '7', '[]', '{"shop":null}', '{"shop":{"draw":"9"}}'])
      assert.deepEqual(Object.values(readMemory(broken, startMs)).flatMap(Object.keys), [], `${broken}`);
  });

  it('fifty surveys are remembered, the latest ones', () => {
    let memory: InviteMemory = {};
    for (let survey = 0; survey < 120; survey += 1) memory = withEnd(memory, `s-${survey}`, startMs);
    memory = withEnd(memory, 's-70', startMs + 1);
    assert.equal(Object.keys(memory).length, 50);
    assert.deepEqual(Object.keys(memory).slice(-2), ['s-119', 's-70']);
  });

  it('patterns of paths are whole paths, with any text for a star', () => {
    for (const [pattern, path, expected] of [
      ['/shop', '/shop', true],
      ['/shop', '/shop/', false],
      ['/shop/*', '/shop/a/b', true],
      ['/shop/*', '/shop', false],
      ['*', '/', true],
      ['*/thanks', '/order/thanks', true],
      ['*/thanks', '/order/thanks/more', false],
      ['/a*b*c', '/axxbyyc', true],
      ['/a*b*c', '/acb', false],
      ['/aa*aa', '/aaa', false],
      ['/aa*aa', '/aaaa', true],
      ['/a.c', '/abc', false],
      ['/(x|y)', '/(x|y)', true],
    ] as const)
      assert.equal(matchesPath(pattern, path), expected, `${pattern} ${path}`);
    assert.equal(matchesPath(`/${'*a'.repeat(500)}b`, `/${'a'.repeat(2_000)}`), false);
  });
});
