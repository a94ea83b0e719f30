// The cursor of whoever follows a source: up to where responses and changes were read, and a fingerprint of the log up to
// there, so that a store that has lost some of it notices (store/feedback/change-reader.ts). It holds no secret and needs
// none: one that was made up gets nothing that its maker could not ask for.

import { hash } from 'node:crypto';
import type { SourceName } from './catalogue-change.ts';

/** The numbers of the last response and of the last change that were read; 0 where none was. */
export interface FeedPlace {
  readonly seq: number;
  readonly changeNo: number;
}

export interface FeedCursor extends FeedPlace {
  /** See `fingerprint`. */
  readonly history: string;
}

/** Before everything. */
export const feedStart: FeedPlace = { seq: 0, changeNo: 0 };

export const cursorLengthMax = 200;

const form = 'a';
const checkLength = 8;
const historyLength = 22;

export function writeCursor({ seq, changeNo, history }: FeedCursor, name: SourceName): string {
  const content = `${form}.${seq}.${changeNo}.${history}`;
  return Buffer.from(`${content}.${checkOf(content, name)}`).toString('base64url');
}

/** Null when it is no cursor, or one of another measure, project or account. */
export function readCursor(text: string, name: SourceName): FeedCursor | null {
  const parts = Buffer.from(text, 'base64url').toString('latin1').split('.');
  const [kind, seqText = '', changeText = '', history = '', check] = parts;
  const seq = Number(seqText);
  const changeNo = Number(changeText);
  const isOurs =
    parts.length === 5 &&
    kind === form &&
    [seq, changeNo].every((number) => Number.isSafeInteger(number) && number >= 0) &&
    check === checkOf(parts.slice(0, -1).join('.'), name);
  return isOurs ? { seq, changeNo, history } : null;
}

function checkOf(content: string, { accountId, kind, key }: SourceName): string {
  return hash('sha256', `${content} ${accountId} ${kind} ${key}`, 'base64url').slice(0, checkLength);
}

/** What tells a log from another one that has as many rows: the marks and ids that it has up to a place. */
export function fingerprint(texts: readonly string[]): string {
  return hash('sha256', JSON.stringify(texts), 'base64url').slice(0, historyLength);
}
