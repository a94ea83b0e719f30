// A page that is drawn anew whenever a value that pages show was set.

import { type ComponentType, render } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { whenSet } from './signal.ts';

export function drawWhole(page: ComponentType): void {
  // Drawn from within, and not by another `render`: that would give the same ids once more.
  const Drawn: ComponentType = () => {
    const [, setRound] = useState(0);
    useLayoutEffect(() => whenSet(() => setRound((round) => round + 1)), []);
    const Page = page;
    return <Page />;
  };
  render(<Drawn />, document.querySelector('#app')!);
}
