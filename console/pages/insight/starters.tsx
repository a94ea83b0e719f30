// What stands in the place of figures where nothing is measured yet: the way to a first survey.

import type { JSX } from 'preact';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { frameTexts } from '../../frame/messages.ts';

export function Starters(): JSX.Element {
  return (
    <p>
      <a class="button primary" href={pathOf('surveys')}>
        {frameTexts.t.pages.surveys}
      </a>
    </p>
  );
}
