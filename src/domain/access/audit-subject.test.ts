import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditSubjectWords, auditSubject, auditSubjectCodes } from './audit-subject.ts';

type Said = {
  readonly [C in keyof AuditSubjectWords]: readonly (readonly [
    sentence: string,
    values: Parameters<AuditSubjectWords[C]>[0],
  ])[];
};

const source = 'measure 10';
const day = '2026-01-31';

/** As entries were kept before there were codes: they are found by these. */
const said: Said = {
  retained: [['3 responses of measure 10 from before 2026-01-31', { count: 3, source, day }]],
  listed: [['3 responses by a list of ids', { count: 3 }]],
  found: [
    [
      '3 responses of measure 10 by the parameter segment',
      { count: 3, source, parameter: 'segment', isByDays: false },
    ],
    ['3 responses of measure 10 by days', { count: 3, source, parameter: null, isByDays: true }],
    [
      '1 responses of measure 10 by the parameter segment and days',
      { count: 1, source, parameter: 'segment', isByDays: true },
    ],
  ],
  mended: [
    ['3 responses of 2026-01-31 of measure 10, erased by an older release', { count: 3, source, day }],
  ],
  commentsTaken: [['3 comments of erased responses of measure 10', { count: 3, source }]],
  quarantineListed: [['3 refused responses of the quarantine by a list of ids', { count: 3 }]],
  redriven: [['survey web-1: 2 accepted, 1 still refused', { survey: 'web-1', accepted: 2, refused: 1 }]],
  external: [
    ['3 responses: region, tier', { count: 3, columns: 'region, tier' }],
    [`3 responses: ${'x'.repeat(987)}`, { count: 3, columns: 'x'.repeat(1_000) }],
  ],
};

describe('what an entry of the audit log is about', () => {
  it('each code has the sentence that entries were kept with before there were codes [D-1040]', () => {
    assert.deepEqual(Object.keys(said).toSorted(), auditSubjectCodes.toSorted());
    for (const code of auditSubjectCodes)
      for (const [sentence, values] of said[code]) {
        const { subject, details } = auditSubject(code, values as never);
        assert.equal(subject, sentence);
        assert.deepEqual(details, { subjectCode: code, subjectValues: values });
      }
  });
});
