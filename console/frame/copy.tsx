// Copies a text, and says so.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { frameTexts } from './messages.ts';

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const { t } = frameTexts;
  const copy = async (): Promise<void> => {
    await copyText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <button type="button" class="small" onClick={copy}>
      <span aria-live="polite">{isCopied ? t.copied : (label ?? t.copy)}</span>
    </button>
  );
}

/** Over plain http browsers have no clipboard for pages; a field that is selected does. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // Within a dialog that is open nothing outside of it can be selected.
  const place = document.querySelector('dialog[open]') ?? document.body;
  place.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
