import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Problem } from '../../domain/problem.ts';
import { ExportSlots } from './export-slots.ts';

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code && error.headers['retry-after'] !== undefined;

describe('places for exports', () => {
  it('an account has its share, all accounts together four times as many, and whoever leaves makes room [D-268]', () => {
    const slots = new ExportSlots({ exportsPerAccount: 2 });
    const leaves = [1, 1, 2, 2, 3, 3, 4, 4].map((accountId) => slots.enter(accountId, 'csv'));
    assert.throws(() => slots.enter(4, 'csv'), refusedWith('THROTTLED'));
    assert.throws(() => slots.enter(5, 'csv'), refusedWith('TOO_MANY_EXPORTS'));
    // Leaving twice is leaving once.
    leaves[0]!();
    leaves[0]!();
    slots.enter(5, 'csv');
    assert.throws(() => slots.enter(1, 'csv'), refusedWith('TOO_MANY_EXPORTS'));
    leaves[7]!();
    slots.enter(1, 'csv');
    assert.throws(() => slots.enter(1, 'csv'), refusedWith('THROTTLED'));
  });

  it('half of all places are for Parquet, which takes the most memory [D-268]', () => {
    const slots = new ExportSlots({ exportsPerAccount: 2 });
    const leaves = [1, 1, 2, 2].map((accountId) => slots.enter(accountId, 'parquet'));
    assert.throws(() => slots.enter(3, 'parquet'), refusedWith('TOO_MANY_EXPORTS'));
    slots.enter(3, 'ndjson');
    leaves[0]!();
    slots.enter(3, 'parquet');
    assert.throws(() => slots.enter(1, 'parquet'), refusedWith('TOO_MANY_EXPORTS'));
  });
});
