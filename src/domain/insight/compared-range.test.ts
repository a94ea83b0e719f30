import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayText, parseDay } from '../dates.ts';
import { comparedRange } from './compared-range.ts';

describe('the range that a range is compared with [D-486]', () => {
  const cases = [
    ['previous', '2026-03-01', '2026-03-31', '2026-01-29', '2026-02-28'],
    ['previous', '2026-03-01', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['previous', '2024-01-01', '2024-12-31', '2022-12-31', '2023-12-31'],
    ['year', '2026-03-01', '2026-03-31', '2025-03-01', '2025-03-31'],
    ['year', '2024-02-29', '2024-02-29', '2023-02-28', '2023-02-28'],
    ['year', '2024-02-01', '2024-02-29', '2023-02-01', '2023-02-28'],
    ['year', '2025-02-01', '2025-02-28', '2024-02-01', '2024-02-28'],
    ['year', '2025-03-01', '2025-03-01', '2024-03-01', '2024-03-01'],
    ['year', '2026-01-01', '2026-12-31', '2025-01-01', '2025-12-31'],
  ] as const;
  for (const [comparison, from, to, comparedFrom, comparedTo] of cases)
    it(`${from} to ${to} with ${comparison}`, () => {
      const range = { firstDay: parseDay(from)!, lastDay: parseDay(to)! };
      const { firstDay, lastDay } = comparedRange(range, comparison);
      assert.deepEqual([dayText(firstDay), dayText(lastDay)], [comparedFrom, comparedTo]);
    });
});
