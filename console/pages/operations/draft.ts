// What somebody types into a form, kept for the tab: a step that asks for a fresh sign-in leads away, and back to an empty form.

import { useState } from 'preact/hooks';

interface Draft<T> {
  readonly value: T;
  readonly change: (changes: Partial<T>) => void;
  readonly clear: () => void;
}

export function useDraft<T extends object>(name: string, empty: T): Draft<T> {
  const key = `soundings.draft.${name}`;
  const [value, setValue] = useState<T>(() => ({ ...empty, ...keptUnder<T>(key) }));
  return {
    value,
    change: (changes) => {
      const next = { ...value, ...changes };
      sessionStorage.setItem(key, JSON.stringify(next));
      setValue(next);
    },
    clear: () => {
      sessionStorage.removeItem(key);
      setValue(empty);
    },
  };
}

function keptUnder<T>(key: string): Partial<T> {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<T>;
  } catch {
    return {};
  }
}
