// The cursor of whoever reads comments page by page: up to where they were read, and a check that it is used with the question that
// it was given out for. It holds no secret and needs none: one that was made up gets nothing that its maker could not ask for.

import { hash } from 'node:crypto';

/** Rows up to `seq` are left to be read; of that row itself the questions behind `question`, -1 for all of them. */
export interface CommentPlace {
  readonly seq: number;
  /** Place among the questions of its version. */
  readonly question: number;
}

export const commentCursorLengthMax = 100;

const form = 'a';
const checkLength = 12;

/** `asked` is everything that decides which comments there are and in which order. */
export function writeCommentCursor({ seq, question }: CommentPlace, asked: readonly unknown[]): string {
  const content = `${form}.${seq}.${question}`;
  return Buffer.from(`${content}.${checkOf(content, asked)}`).toString('base64url');
}

/** Null when it is no cursor, or one of another question. */
export function readCommentCursor(text: string, asked: readonly unknown[]): CommentPlace | null {
  const parts = Buffer.from(text, 'base64url').toString('latin1').split('.');
  const [kind, seqText = '', questionText = '', check] = parts;
  const seq = Number(seqText);
  const question = Number(questionText);
  const isOurs =
    parts.length === 4 &&
    kind === form &&
    Number.isSafeInteger(seq) &&
    seq >= 0 &&
    Number.isSafeInteger(question) &&
    question >= -1 &&
    check === checkOf(parts.slice(0, -1).join('.'), asked);
  return isOurs ? { seq, question } : null;
}

function checkOf(content: string, asked: readonly unknown[]): string {
  return hash('sha256', JSON.stringify([content, ...asked]), 'base64url').slice(0, checkLength);
}
