// What a button or a form does when it changes something: once at a time, and what became of it stands beside it.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Problem } from './problem.tsx';

export interface Doing {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** What went well, in words. */
  readonly said: string | null;
  /** Gives whether it went well. */
  readonly run: (work: () => Promise<string | undefined>) => Promise<boolean>;
  readonly clear: () => void;
}

/** `run` does the work once at a time; a text that it gives is said. */
export function useDoing(): Doing {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown; said: string | null }>({
    isBusy: false,
    error: null,
    said: null,
  });
  return {
    ...state,
    run: async (work) => {
      if (state.isBusy) return false;
      setState({ isBusy: true, error: null, said: null });
      try {
        const said = (await work()) ?? null;
        setState({ isBusy: false, error: null, said });
        return true;
      } catch (error) {
        setState({ isBusy: false, error, said: null });
        return false;
      }
    },
    clear: () => setState({ isBusy: false, error: null, said: null }),
  };
}

/** What became of it. */
export function Outcome({ doing }: { readonly doing: Doing }): JSX.Element {
  return (
    <div class="notice" aria-live="polite">
      {doing.error !== null && <Problem error={doing.error} />}
      {doing.said !== null && <p class="good">{doing.said}</p>}
    </div>
  );
}
