// Values that are entered elsewhere: each with its name and a button that copies it.

import type { JSX } from 'preact';
import { CopyButton } from '../../frame/copy.tsx';
import { frameTexts } from '../../frame/messages.ts';

interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export function Values({ values }: { readonly values: readonly NamedValue[] }): JSX.Element {
  return (
    <dl class="values">
      {values.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>{value}</code>
            <CopyButton text={value} label={frameTexts.t.copy} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
