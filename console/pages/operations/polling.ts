// Figures that renew themselves while somebody looks at them.

import { useEffect } from 'preact/hooks';
import type { AnswerTo, ConsoleKey, InputArguments } from '../../call.ts';
import { type Answer, useAnswer } from '../../frame/answers.ts';

/** As `useAnswer`, and asked for again every so often while the page is seen; what is shown stays until the next answer. */
export function usePolled<Key extends ConsoleKey & `GET ${string}`>(
  key: Key,
  everyMs: number | ((data: AnswerTo<Key> | null) => number | null),
  ...input: InputArguments<Key, null>
): Answer<AnswerTo<Key>> {
  const answer = useAnswer(key, ...input);
  const { data, isLoading, reload } = answer;
  const waitMs = typeof everyMs === 'number' ? everyMs : everyMs(data);
  useEffect(() => {
    if (waitMs === null || isLoading) return;
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void reload();
    }, waitMs);
    return () => clearTimeout(timer);
  }, [waitMs, isLoading, data]);
  useEffect(() => {
    const onSeen = (): void => {
      if (document.visibilityState === 'visible') void reload();
    };
    document.addEventListener('visibilitychange', onSeen);
    return () => document.removeEventListener('visibilitychange', onSeen);
  }, [key]);
  return answer;
}
