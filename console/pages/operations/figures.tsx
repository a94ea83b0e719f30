// Figures of machines, as people read them.

import type { ComponentChildren, JSX } from 'preact';
import { numberText } from '../../formats.ts';
import { language } from '../../language.ts';

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return value.toLocaleString(language, {
    style: 'unit',
    unit: units[unit]!,
    maximumFractionDigits: value < 10 && unit > 0 ? 1 : 0,
  });
}

const spans = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "3 minutes", "2 days". */
export function spanText(seconds: number): string {
  const [unit, length] = spans.find(([, long]) => seconds >= long) ?? (['second', 1] as const);
  return Math.round(seconds / length).toLocaleString(language, { style: 'unit', unit, unitDisplay: 'long' });
}

/** Milliseconds with as many digits as say something. */
export function msText(ms: number): string {
  return numberText(ms, ms < 10 ? 1 : 0);
}

export function Facts({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <dl class="told">{children}</dl>;
}

export function Fact({
  name,
  beside,
  children,
}: {
  readonly name: string;
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <strong>{children}</strong>
        {beside !== undefined && <span class="hint"> {beside}</span>}
      </dd>
    </div>
  );
}

/** Server's own words, which are English. */
export function Said({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return <span lang="en">{children}</span>;
}
