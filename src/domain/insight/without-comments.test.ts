import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutComments } from './without-comments.ts';

describe('a response for people who may not read comments', () => {
  const entry = (id: string, type: string, responseType: string) => ({
    id,
    type,
    responseType,
    answers: ['x'],
  });
  const entries = [
    entry('Q-SAT', 'MQ', 'MEASURED_QUESTION'),
    entry('Q-RADIO', 'CQ', 'RADIO'),
    entry('Q-SAY', 'CQ', 'TEXT'),
    entry('Q-MORE', 'CQ', 'TEXT_AREA'),
    entry('url', 'CPP', 'TEXT'),
  ];

  it('has no answers to open questions, and everything else [D-506]', () => {
    const shown = { id: 'r-1', topic: 'Prices', responses: entries };
    const left = withoutComments(shown, false);
    assert.deepEqual(
      left.responses.map(({ id }) => id),
      ['Q-SAT', 'Q-RADIO', 'url'],
    );
    assert.deepEqual({ ...left, responses: entries }, shown);
    assert.deepEqual(withoutComments({}, true), {});
  });

  it('has no topic that was written [D-506]', () => {
    assert.equal(
      withoutComments({ topic: 'I am unhappy' as string | null, responses: entries }, true).topic,
      null,
    );
  });
});
