// A link to what the help says of a page. It opens beside the page, so that nothing that was typed is lost.

import type { JSX } from 'preact';
import { findPage } from '../../src/domain/console/page-paths.ts';
import { path } from './address.ts';
import { frameTexts } from './messages.ts';

/** To what speaks of the page that is shown, which the service knows; or to the page of the help that is named. */
export function HelpLink({
  to,
  words,
}: {
  readonly to?: string;
  readonly words?: string;
}): JSX.Element | null {
  const place = to ?? findPage(path.value)?.name;
  if (place === undefined) return null;
  return (
    <a
      class="button quiet small"
      href={`/help/${to === undefined ? 'at/' : ''}${place}`}
      hreflang="en"
      target="_blank"
      rel="noopener"
    >
      {words ?? frameTexts.t.help}
    </a>
  );
}
