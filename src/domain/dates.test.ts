import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dayOf, dayText, parseDay, parseTimestamp, readDateRange, unitAround, yearBefore } from './dates.ts';
import { momentText } from './moment-text.ts';
import type { Fault } from './problem.ts';

describe('days', () => {
  it('a day is exactly YYYY-MM-DD and exists in the calendar [D-35]', () => {
    const days: [string, number | null][] = [
      ['1970-01-01', 0],
      ['1969-12-31', -1],
      ['2024-02-29', 19782],
      ['2000-02-29', 11016],
      ['2100-02-29', null],
      ['2023-02-29', null],
      ['2026-02-30', null],
      ['2026-04-31', null],
      ['2026-13-01', null],
      ['2026-00-10', null],
      ['2026-1-1', null],
      ['2026-01-01T00:00:00Z', null],
      ['20260101', null],
      [' 2026-01-01', null],
      ['2026-01-0x', null],
      ['', null],
      ['٢٠٢٦-٠١-٠١', null],
    ];
    for (const [text, day] of days) assert.equal(parseDay(text), day, text);
  });

  it('weeks are those of ISO 8601, months those of the calendar, and a year before is that of Temporal [D-486]', () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        const plain = Temporal.PlainDate.from('1970-01-01').add({ days: day });
        const range = (from: Temporal.PlainDate, to: Temporal.PlainDate): string[] => [`${from}`, `${to}`];
        const monday = plain.subtract({ days: plain.dayOfWeek - 1 });
        const units = {
          day: range(plain, plain),
          week: range(monday, monday.add({ days: 6 })),
          month: range(plain.with({ day: 1 }), plain.with({ day: plain.daysInMonth })),
        };
        for (const unit of ['day', 'week', 'month'] as const) {
          const { firstDay, lastDay } = unitAround(day, unit);
          assert.deepEqual([dayText(firstDay), dayText(lastDay)], units[unit]);
        }
        assert.equal(dayText(yearBefore(day)), `${plain.subtract({ years: 1 })}`);
      }),
    );
  });

  it('every day of the calendar is read and written as Temporal does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        const plain = Temporal.PlainDate.from('1970-01-01').add({ days: day });
        assert.equal(dayText(day), plain.toString());
        assert.equal(parseDay(plain.toString()), day);
      }),
    );
  });

  it('a range may be one day long, and its faults are all named at once [D-35]', () => {
    const faults: Fault[] = [];
    assert.deepEqual(readDateRange('2024-02-29', '2024-02-29', faults), { firstDay: 19782, lastDay: 19782 });
    assert.deepEqual(faults, []);
    readDateRange('2026-02-30', 'yesterday', faults);
    readDateRange('2026-02-02', '2026-02-01', faults);
    assert.deepEqual(
      faults.map(({ field, code }) => [field, code]),
      [
        ['from', 'INVALID_DATE'],
        ['to', 'INVALID_DATE'],
        ['to', 'INVALID_RANGE'],
      ],
    );
  });
});

describe('moments', () => {
  it('any offset is turned into UTC, and decides the day [D-44]', () => {
    const moments: [string, string | null][] = [
      ['2026-01-31T23:59:59.999Z', '2026-01-31T23:59:59.999Z'],
      ['2026-01-31T23:59:59.9999Z', '2026-01-31T23:59:59.999Z'],
      ['2026-01-31T23:30:00-01:00', '2026-02-01T00:30:00.000Z'],
      ['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00.000Z'],
      ['2026-01-01T05:29:59.5+05:30', '2025-12-31T23:59:59.500Z'],
      ['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T00:00:00', '2026-01-01T00:00:00.000Z'],
      ['2026-01-01T10:20Z', '2026-01-01T10:20:00.000Z'],
      ['2026-01-01T10:20', '2026-01-01T10:20:00.000Z'],
      ['20260101T102030Z', '2026-01-01T10:20:30.000Z'],
      ['20260101T102030+0100', '2026-01-01T09:20:30.000Z'],
      ['2026-01-01T10:20:30,25Z', '2026-01-01T10:20:30.250Z'],
      ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.000Z'],
      ['2026-01-01', null],
      ['2026-02-29T00:00:00Z', null],
      ['2026-01-01T24:00:00Z', null],
      ['2026-01-01T10:60:00Z', null],
      ['2026-01-01T10:00:00+24:00', null],
      ['2026-01-01T10:00:00.Z', null],
      ['2026-01-01T10:00:00Z[UTC]', null],
      ['2026-01-01T10:00:00ZZ', null],
      ['1735689600000', null],
      ['now', null],
      ['', null],
    ];
    for (const [text, expected] of moments) {
      const moment = parseTimestamp(text);
      assert.equal(moment === null ? null : momentText(moment), expected, text);
    }
  });

  it('the hand-written reader agrees with Temporal on every moment and offset', () => {
    const offset = fc
      .tuple(fc.constantFrom('+', '-'), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
      .map(
        ([sign, hours, minutes]) => `${sign}${`${hours}`.padStart(2, '0')}:${`${minutes}`.padStart(2, '0')}`,
      );
    const date = fc.date({ min: new Date('1500-01-01'), max: new Date('9000-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, fc.oneof(fc.constant('Z'), offset), (moment, zone) => {
        const text = moment.toISOString().slice(0, -1) + zone;
        const expected = Temporal.Instant.from(text).epochMilliseconds;
        assert.equal(parseTimestamp(text), expected);
        assert.equal(dayText(dayOf(expected)), new Date(expected).toISOString().slice(0, 10));
      }),
    );
  });
});
