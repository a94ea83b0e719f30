// A question or a form in front of the page. The browser holds the focus within it and gives it back.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { frameTexts } from './messages.ts';

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
}

export function Dialog({ title, isOpen, onClose, children }: DialogProps): JSX.Element | null {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    if (!isOpen || dialog === null || dialog.open) return;
    dialog.showModal();
    // Whoever opens a form wants its first field, and not the button that closes it.
    dialog.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus();
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <dialog ref={element} aria-labelledby={id} onClose={onClose} class="dialog">
      <header>
        <h2 id={id}>{title}</h2>
        <button
          type="button"
          class="quiet small"
          onClick={() => element.current?.close()}
          aria-label={frameTexts.t.close}
        >
          ×
        </button>
      </header>
      <div class="stack">{children}</div>
    </dialog>
  );
}
