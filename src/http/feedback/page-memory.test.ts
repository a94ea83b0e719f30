import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { Problem } from '../../domain/problem.ts';
import { PageMemory } from './page-memory.ts';

const fourPages = 12 * 1024 * 1024;

/** As far as it matters here, an answer is something that closes. */
function newAnswer(): ServerResponse & { leave(): void } {
  const answer = new EventEmitter() as unknown as ServerResponse & { leave(): void };
  answer.leave = () => void answer.emit('close');
  return answer;
}

describe('pages under way', () => {
  it('one account has half of the room, and others find theirs [D-176]', async () => {
    const memory = new PageMemory(fourPages);
    const answers = [newAnswer(), newAnswer()];
    for (const answer of answers) await memory.enter(1, answer);
    const third = memory.enter(1, newAnswer());
    assert.ok(memory.hasWaiting);
    await memory.enter(2, newAnswer());
    answers[0]!.leave();
    await third;
    assert.deepEqual([memory.pages, memory.hasWaiting], [3, false]);
  });

  it('those who wait are let in by turns of accounts, and an answer that has left counts once [D-176]', async () => {
    const memory = new PageMemory(fourPages);
    const held = [newAnswer(), newAnswer(), newAnswer(), newAnswer()];
    for (const [index, answer] of held.entries()) await memory.enter(index < 2 ? 1 : 2, answer);
    const order: number[] = [];
    const waiting = [newAnswer(), newAnswer(), newAnswer(), newAnswer()];
    const entered = [1, 1, 1, 3].map((accountId, index) =>
      memory.enter(accountId, waiting[index]!).then((leave) => {
        order.push(accountId);
        return leave;
      }),
    );
    held[0]!.leave();
    held[0]!.leave();
    await entered[0];
    held[2]!.leave();
    await entered[3];
    assert.deepEqual([order, memory.pages], [[1, 3], 4]);
    for (const answer of waiting.slice(1, 3)) answer.leave();
    await Promise.all(entered.slice(1, 3).map((one) => assert.rejects(one)));
    assert.equal(memory.hasWaiting, false);
  });

  it('whoever waited too long is told to come back, and whoever has gone waits no more [D-176]', async () => {
    const memory = new PageMemory(fourPages, 20);
    for (const answer of [newAnswer(), newAnswer()]) await memory.enter(1, answer);
    const gone = newAnswer();
    const leaving = memory.enter(1, gone);
    gone.leave();
    await assert.rejects(leaving, { code: 'REQUEST_ABANDONED' });
    await assert.rejects(memory.enter(1, newAnswer()), (error: unknown) => {
      assert.ok(error instanceof Problem);
      assert.deepEqual([error.code, error.headers['retry-after']], ['TOO_MANY_PAGES', '1']);
      return true;
    });
    assert.deepEqual([memory.pages, memory.hasWaiting], [2, false]);
  });
});
