// What somebody has typed into a form outlives the way to the sign-in and back. Never a secret: what is kept here can be read by
// whoever sits down at the same browser.

import { useState } from 'preact/hooks';

interface Draft<T> {
  readonly values: T;
  readonly change: (changes: Partial<T>) => void;
  readonly drop: () => void;
}

export function useDraft<T extends object>(name: string, empty: T): Draft<T> {
  const key = `soundings.draft.${name}`;
  const [values, setValues] = useState<T>(() => ({ ...empty, ...kept(key) }));
  return {
    values,
    change: (changes) => {
      const changed = { ...values, ...changes };
      setValues(changed);
      store(key, JSON.stringify(changed));
    },
    drop: () => {
      setValues(empty);
      store(key, null);
    },
  };
}

function kept(key: string): object {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as object;
  } catch {
    return {};
  }
}

function store(key: string, text: string | null): void {
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // A browser that keeps nothing asks again.
  }
}
