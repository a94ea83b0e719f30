// The top of a page; every page has one.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { HelpLink } from './help.tsx';

interface HeadingProps {
  readonly title: string;
  /** Of the tab; the title unless given. */
  readonly tab?: string;
  /** Above the title: where one is. */
  readonly over?: ComponentChildren;
  /** Beside it. */
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Heading({ title, tab, over, actions, children }: HeadingProps): JSX.Element {
  useEffect(() => {
    document.title = `${tab ?? title} · Soundings`;
  }, [title, tab]);
  return (
    <header class="top">
      {over !== undefined && <p class="over">{over}</p>}
      <div class="row between">
        <h1 tabIndex={-1}>{title}</h1>
        <div class="row">
          <HelpLink />
          {actions}
        </div>
      </div>
      {children}
    </header>
  );
}
