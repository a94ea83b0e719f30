// What cannot be taken back is asked about: whoever sits at a terminal types a word, a script says --yes.

import { ask } from './questions.ts';
import { CommandError, type Terminal } from './terminal.ts';

interface Question {
  /** What is about to happen. */
  readonly sentence: string;
  /** What is typed to agree. */
  readonly word: string;
  /** What follows "Type yes". */
  readonly question?: string;
}

export async function confirm(
  { isInteractive }: Terminal,
  isAgreed: boolean,
  { sentence, word, question = 'to go on' }: Question,
): Promise<void> {
  if (isAgreed) return;
  if (!isInteractive)
    throw new CommandError(`${sentence} Nothing was changed: say --yes, or look first with --dry-run.`);
  const typed = await ask(`${sentence} Type ${word} ${question}`);
  if (typed !== word) throw new CommandError('Nothing was changed.');
}
