// What stands in the place of figures where nothing is measured yet: surveys to begin with. They are loaded only then, so that the
// overview of everybody else is as small as before.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

type Shown = () => JSX.Element;

export function Starters(): JSX.Element | null {
  const [Loaded, setLoaded] = useState<Shown | null>(null);
  useEffect(() => {
    void import('../surveys/starters.tsx').then(async (module) => {
      await module.startersTexts.load();
      setLoaded(() => module.Starters);
    });
  }, []);
  return Loaded === null ? null : <Loaded />;
}
