import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { Problem } from '../../domain/problem.ts';
import type { FollowedSource } from '../../store/feedback/change-reader.ts';
import type { SourceId } from '../../store/feedback/log-places.ts';
import { ChangeWaits } from './change-waits.ts';

const tickMs = 250;
const sourcesAskedFor = 40;

/** An answer whose caller may go away. */
function openAnswer(): ServerResponse & EventEmitter {
  return Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse & EventEmitter;
}

describe('requests that wait for changes', () => {
  /** What each question was about. */
  let asked: (readonly SourceId[])[];
  let ends: Map<number, FollowedSource>;
  let waits: ChangeWaits;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval', 'setTimeout'] });
    asked = [];
    ends = new Map();
    waits = new ChangeWaits(async (sources) => {
      asked.push(sources);
      return sources.map(({ accountId, sourceId }) => ends.get(sourceId) ?? endOf(accountId, sourceId, 5, 0));
    });
  });
  afterEach(() => mock.timers.reset());

  const endOf = (accountId: number, sourceId: number, seq: number, changeNo: number): FollowedSource => ({
    accountId,
    sourceId,
    seq,
    changeNo,
  });
  const wait = (sourceId: number, client: string, answer = openAnswer(), seconds = 20): Promise<string> =>
    waits
      .wait(
        { source: { accountId: 1, sourceId }, place: { seq: 5, changeNo: 0 }, apiClientId: client, seconds },
        answer,
      )
      .then(
        () => {
          setImmediate(() => answer.emit('close'));
          return 'went on';
        },
        (problem: Problem) => problem.code,
      );
  /** A thousand of them: ten of each of a hundred clients, for some sources. */
  const thousand = (): Promise<string>[] =>
    Array.from({ length: 1_000 }, (_, index) => wait(index % sourcesAskedFor, `client ${index % 100}`));
  const tick = async (): Promise<void> => {
    mock.timers.tick(tickMs);
    // They go on twenty at a time, the next ones when these are answered.
    for (let turns = 0; turns < 200; turns += 1) await new Promise((resume) => setImmediate(resume));
  };

  it('a thousand of them are one question every quarter of a second, and none once nobody waits [D-259]', async () => {
    const waiting = thousand();
    for (let ticks = 1; ticks <= 8; ticks += 1) {
      await tick();
      assert.equal(asked.length, ticks);
    }
    assert.equal(asked[0]?.length, sourcesAskedFor);
    for (let sourceId = 0; sourceId < sourcesAskedFor; sourceId += 1)
      ends.set(sourceId, endOf(1, sourceId, sourceId % 2 === 0 ? 6 : 5, sourceId % 2));
    await tick();
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['went on']));
    const before = asked.length;
    await tick();
    assert.deepEqual([asked.length, waits.count], [before, 0]);
  });

  it('twenty at a time go on, one of each source in turn, and callers who do not read hold nobody up for long [D-259]', async () => {
    const wentOn: string[] = [];
    // Their answers are never read.
    const begin = (sourceId: number, client: string): void =>
      void waits
        .wait(
          {
            source: { accountId: 1, sourceId },
            place: { seq: 5, changeNo: 0 },
            apiClientId: client,
            seconds: 20,
          },
          openAnswer(),
        )
        .then(() => wentOn.push(client));
    for (let index = 0; index < 60; index += 1) begin(1, `crowd ${index}`);
    begin(2, 'alone');
    for (const sourceId of [1, 2]) ends.set(sourceId, endOf(1, sourceId, 6, 0));
    await tick();
    assert.equal(wentOn.length, 20);
    assert.ok(wentOn.includes('alone'));
    for (const count of [40, 60, 61]) {
      mock.timers.tick(50);
      for (let turns = 0; turns < 20; turns += 1) await new Promise((resume) => setImmediate(resume));
      assert.equal(wentOn.length, count);
    }
  });

  it('the next one is refused, in all and of one client, and has room when one has gone on [D-259]', async () => {
    const waiting = thousand();
    assert.equal(await wait(1, 'another client'), 'TOO_MANY_WAITS');
    ends.set(3, endOf(1, 3, 6, 0));
    await tick();
    assert.deepEqual([waits.count, await waiting[3]], [1_000 - 1_000 / sourcesAskedFor, 'went on']);
    const ofClient = Array.from({ length: 10 }, () => wait(1, 'another client'));
    assert.equal(await wait(1, 'another client'), 'TOO_MANY_WAITS');
    waits.end();
    assert.deepEqual(new Set(await Promise.all(ofClient)), new Set(['went on']));
  });

  it('only those behind whose log has moved go on; the others until their time is over', async () => {
    const [moved, still] = [wait(1, 'a'), wait(2, 'b', openAnswer(), 2)];
    ends.set(1, endOf(1, 1, 5, 1));
    await tick();
    assert.deepEqual([await moved, waits.count], ['went on', 1]);
    mock.timers.tick(2_000);
    assert.deepEqual([await still, waits.count], ['went on', 0]);
  });

  it('a caller who goes away waits no longer, and is asked for no longer', async () => {
    const answer = openAnswer();
    const waiting = wait(1, 'a', answer);
    answer.emit('close');
    assert.deepEqual([await waiting, waits.count], ['REQUEST_ABANDONED', 0]);
    await tick();
    assert.equal(asked.length, 0);
  });

  it('when the process is about to stop everybody goes on, and nobody waits any more', async () => {
    const waiting = thousand();
    waits.end();
    assert.deepEqual(new Set(await Promise.all(waiting)), new Set(['went on']));
    assert.deepEqual([await wait(1, 'a'), waits.count], ['went on', 0]);
  });

  it('a store that is away or slow is not asked twice at once, and nobody is refused for it', async () => {
    const away = new ChangeWaits(() => {
      asked.push([]);
      return asked.length === 1 ? Promise.reject(new Error('away')) : new Promise(() => {});
    });
    const source = { accountId: 1, sourceId: 1 };
    const waiting = away.wait(
      { source, place: { seq: 1, changeNo: 0 }, apiClientId: 'a', seconds: 3 },
      openAnswer(),
    );
    for (let ticks = 0; ticks < 6; ticks += 1) await tick();
    assert.equal(asked.length, 2);
    mock.timers.tick(3_000);
    await waiting;
  });
});
