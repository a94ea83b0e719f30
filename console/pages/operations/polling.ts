// Figures that renew themselves while somebody looks at them.

import { useEffect } from 'preact/hooks';
import { type Answer, useAnswer } from '../../frame/answers.ts';

/** As `useAnswer`, and asked for again every so often while the page is seen; what is shown stays until the next answer. */
export function usePolled<T>(path: string, everyMs: number | ((data: T | null) => number | null)): Answer<T> {
  const answer = useAnswer<T>(path);
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
  }, [path]);
  return answer;
}
