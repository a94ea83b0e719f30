// Asks again and again while the page is seen: a provider's first request should turn the page green by itself.

import { useEffect, useRef } from 'preact/hooks';

export function useEvery(everyMs: number | null, ask: () => unknown): void {
  const newest = useRef(ask);
  newest.current = ask;
  useEffect(() => {
    if (everyMs === null) return;
    const timer = setInterval(() => document.visibilityState === 'visible' && newest.current(), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
}
