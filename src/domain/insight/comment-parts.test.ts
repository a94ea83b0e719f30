import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { fold } from '../fold.ts';
import {
  blockOf,
  firstSeqOf,
  groupOf,
  numberOfSpan,
  partHashes,
  placesOf,
  SegmentBuilder,
  SpanBuilder,
  segmentOf,
  segmentSeqs,
  segmentsOfSpan,
  spanOfNumber,
  withoutPlaces,
} from './comment-parts.ts';

const segment = 3;
const words = ['delivery', 'slow', 'straße', '配送が遅い', 'очень', 'مشكلة', '👍🏽', 'the', 'ok', 'x'];
const someText = fc
  .array(fc.oneof(fc.constantFrom(...words), fc.string({ unit: 'grapheme', maxLength: 6 })), {
    minLength: 1,
    maxLength: 60,
  })
  .map((some) => fold(some.join(' ')));
const comments = fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: segmentSeqs - 1 }), someText), {
  selector: ([place]) => place,
  minLength: 150,
  maxLength: 220,
});

function packed(rows: readonly (readonly [place: number, text: string])[]) {
  const builder = new SegmentBuilder(segment);
  for (const [place, text] of rows.toSorted(([one], [other]) => one - other))
    builder.add(firstSeqOf(segment) + place, text);
  return finished(builder.pack());
}

function finished<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

const found = (groups: ReadonlyMap<number, string>, groupBits: number, part: string): readonly number[] =>
  [...partHashes(part)]
    .map((hash) => new Set(placesOf(groups.get(groupOf(hash, groupBits)) ?? '', hash)))
    .reduce((some, others) => some.intersection(others))
    .values()
    .toArray();

describe('the index of comments', () => {
  it('leads to every row whose comment has a part, and an erased row is gone from it [D-498, D-499, D-520]', () => {
    fc.assert(
      fc.property(comments, fc.nat(), fc.nat(), (rows, which, at) => {
        const { groupBits, groups } = packed(rows);
        // A small segment has no lists; these are long enough but for some.
        if (groupBits === null) return rows.reduce((sum, [, text]) => sum + text.length, 0) < 16_384;
        const [place, text] = rows[which % rows.length]!;
        if (text.length < 3) return true;
        const begin = at % (text.length - 2);
        const part = text.slice(begin, begin + 8);
        const lists = new Map(groups);
        const expected = rows.filter(([, other]) => other.includes(part)).map(([one]) => one);
        assert.ok(new Set(found(lists, groupBits, part)).isSupersetOf(new Set(expected)));
        const left = new Map(
          [...lists].map(([group, parts]) => [group, withoutPlaces(parts, (one) => one === place)]),
        );
        const others = rows.filter(([one]) => one !== place);
        for (const hash of partHashes(text)) {
          const group = groupOf(hash, groupBits);
          const expectedPlaces = others
            .filter(([, other]) => partHashes(other).has(hash))
            .map(([one]) => one)
            .sort((one, other) => one - other);
          assert.deepEqual(placesOf(left.get(group) ?? '', hash), expectedPlaces);
        }
        return true;
      }),
      { numRuns: 25 },
    );
  });

  it('a span leads to every block whose comments have a part, whichever way it was made [D-522]', () => {
    const span = { level: 1, index: segment >> 1 };
    assert.deepEqual(spanOfNumber(numberOfSpan(span)), span);
    const first = segmentsOfSpan(span)[0];
    fc.assert(
      fc.property(comments, comments, fc.nat(), fc.nat(), (ones, others, which, at) => {
        const rows = [ones, others].flatMap((some, index) =>
          some
            .toSorted(([one], [other]) => one - other)
            .map(([place, text]) => [firstSeqOf(first + index) + place, text] as const),
        );
        const ofParts = new SpanBuilder(span);
        const ofComments = new SpanBuilder(span);
        for (const index of [0, 1]) {
          const ofSegment = rows.filter(([seq]) => segmentOf(seq) === first + index);
          const builder = new SegmentBuilder(first + index);
          for (const [seq, text] of ofSegment) builder.add(seq, text);
          const { groupBits, groups } = finished(builder.pack());
          for (const [, parts] of groups) ofParts.addParts(first + index, parts);
          for (const [seq, text] of ofSegment) {
            ofComments.addComment(seq, text);
            if (groupBits === null) ofParts.addComment(seq, text);
          }
        }
        const { groupBits, groups } = finished(ofParts.pack());
        if (!ofComments.isTooMuch) assert.deepEqual(finished(ofComments.pack(groupBits!)).groups, groups);
        const [, text] = rows[which % rows.length]!;
        if (text.length < 3) return;
        const begin = at % (text.length - 2);
        const part = text.slice(begin, begin + 8);
        const blocks = rows.filter(([, other]) => other.includes(part)).map(([seq]) => blockOf(span, seq));
        assert.ok(new Set(found(new Map(groups), groupBits!, part)).isSupersetOf(new Set(blocks)));
      }),
      { numRuns: 15 },
    );
  });

  it('has rows of the log in segments that begin behind each other', () => {
    assert.deepEqual([1, segmentSeqs, segmentSeqs + 1].map(segmentOf), [0, 0, 1]);
    assert.equal(firstSeqOf(1), segmentSeqs + 1);
  });
});
