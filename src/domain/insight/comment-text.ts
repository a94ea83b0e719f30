// Comments: the open answers of a response, in the form in which they are searched.

import { foldInSlices } from '../fold.ts';
import type { Interruptible } from '../interruptible.ts';
import type { GivenRow } from './given-answers.ts';

interface Comment {
  readonly questionId: string;
  readonly text: string;
}

/** The open answers of a row, in the order of its version's questions; an erased row has none. */
export function commentsOfRow({ survey, texts }: Pick<GivenRow, 'survey' | 'texts'>): readonly Comment[] {
  const comments: Comment[] = [];
  for (const { index, id, form } of survey.pieces) {
    const text = form === 'open' ? texts[index] : undefined;
    if (text !== undefined && text !== '') comments.push({ questionId: id, text });
  }
  return comments;
}

/** The text as it is compared: a comment has a part when its folded text contains that of the part (D-499). */
export function foldedComment(text: string): Interruptible<string> {
  return foldInSlices(text);
}
