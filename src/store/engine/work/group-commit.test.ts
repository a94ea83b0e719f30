import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Problem } from '../../../domain/problem.ts';
import { openDb } from '../../open-db.ts';
import type { Db } from '../db.ts';
import { type AttemptLimits, GroupCommit, heldUp } from './group-commit.ts';

interface Note {
  readonly accountId: number;
}

const timeoutMs = 1_000;

/** Every item is held up until it may wait, and then until the test lets its account go. */
class HeldNotes extends GroupCommit<Note, 'written'> {
  readonly began: number[] = [];
  readonly #gates = new Map<number, () => void>();

  protected override bytesOf(): number {
    return 1;
  }

  protected override async write(
    [first]: readonly Note[],
    { mayWait }: AttemptLimits,
  ): Promise<readonly ('written' | typeof heldUp)[]> {
    if (!mayWait) return [heldUp];
    const { accountId } = first!;
    this.began.push(accountId);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gates.set(accountId, resolve);
    await promise;
    return ['written'];
  }

  letGo(accountId: number): void {
    this.#gates.get(accountId)?.();
  }
}

describe('a queue of an account that waits for its turn', () => {
  let db: Db;
  before(async () => {
    // One connection, so one such queue has its turn at a time.
    db = await openDb('sqlite::memory:', { timeoutMs, poolSize: 1 });
  });
  after(() => db.close());

  async function heldBehind(notes: HeldNotes): Promise<readonly [Promise<string>, Promise<string>]> {
    const ahead = notes.add({ accountId: 1 });
    await until(() => notes.began.length === 1);
    const behind = notes.add({ accountId: 2 });
    behind.catch(() => {});
    return [ahead, behind];
  }

  it('is not late while others are written, however long it lasts, and is written in its turn [D-900]', async () => {
    const notes = new HeldNotes(db, { batchMax: 1, isRepeatable: true }, () => {});
    const [ahead, behind] = await heldBehind(notes);
    const moving = setInterval(() => db.changing.stepped(), timeoutMs / 50);
    let isSettled = false;
    const settled = (): void => {
      isSettled = true;
    };
    behind.then(settled, settled);
    await new Promise((resume) => setTimeout(resume, 2 * timeoutMs));
    clearInterval(moving);
    assert.equal(isSettled, false);
    notes.letGo(1);
    assert.equal(await ahead, 'written');
    await until(() => notes.began.length === 2);
    notes.letGo(2);
    assert.equal(await behind, 'written');
  });

  it('is late by the setting where nothing moves, and what is ahead of it is not [D-900]', async () => {
    const notes = new HeldNotes(db, { batchMax: 1, isRepeatable: true }, () => {});
    const [ahead, behind] = await heldBehind(notes);
    await assert.rejects(behind, (error) => error instanceof Problem && error.code === 'STORE_TIMEOUT');
    assert.deepEqual(notes.began, [1]);
    notes.letGo(1);
    assert.equal(await ahead, 'written');
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resume) => setImmediate(resume));
}
