// A labelled control; hint and fault are read out with it.

import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** What is wrong with what was typed. */
  readonly fault?: string | null | undefined;
  /** The control, given its ids. */
  readonly children: (ids: {
    readonly id: string;
    readonly 'aria-describedby'?: string;
    readonly 'aria-invalid'?: true;
  }) => JSX.Element;
}

export function Field({ label, hint, fault, children }: FieldProps): JSX.Element {
  const id = useId();
  const described = [hint === undefined ? '' : `${id}-hint`, fault == null ? '' : `${id}-fault`]
    .join(' ')
    .trim();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described !== '' && { 'aria-describedby': described }),
        ...(fault != null && { 'aria-invalid': true as const }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault != null && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
