import type { Answer } from './exchange.ts';

/** On a loaded machine `within` may not be enough for what takes a moment elsewhere, and the answer says so truthfully. */
const triesMax = 10;

/** What is looked through is little, so it is all looked through in the end; the last answer counts, whatever it says. */
export async function untilComplete(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    if (tries === triesMax || answer.body.complete !== false) return answer;
  }
}
