import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readableLine } from './log-line.ts';

const time = new Date(2026, 0, 2, 3, 4, 5).toISOString();
const line = (entry: object): string => readableLine(JSON.stringify({ level: 30, time, pid: 7, ...entry }));

describe('a line of the log at a terminal', () => {
  it('has time, level, what, facts and the id of the request, and not the process [D-890]', () => {
    assert.equal(
      line({ requestId: 'req-1', method: 'GET', route: '/v1/measures', status: 404, msg: 'answered' }),
      '03:04:05 info  answered method=GET route=/v1/measures status=404 [req-1]\n',
    );
  });

  it('names an error; the places of one that is ours stand below', () => {
    const err = {
      type: 'RangeError',
      message: 'too far',
      stack: 'RangeError: too far\n    at far (a.ts:1:2)',
    };
    assert.equal(line({ level: 40, err, msg: 'Later.' }), '03:04:05 warn  Later. (RangeError: too far)\n');
    assert.equal(
      line({ level: 50, err, msg: 'Failed.' }),
      '03:04:05 error Failed. (RangeError: too far)\n    at far (a.ts:1:2)\n',
    );
  });

  it('obeys nothing that came from elsewhere [D-197]', () => {
    const shown = line({ msg: 'a\u001b[2Jb\nc', name: 'x\u202ey' });
    assert.equal(shown, '03:04:05 info  a\\u001b[2Jb\\u000ac name=x\\u202ey\n');
  });

  it('is passed on as it is where it is no entry of the log', () => {
    assert.equal(readableLine('plain words\n'), 'plain words\n');
  });
});
