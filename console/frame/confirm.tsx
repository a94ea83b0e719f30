// A button that asks before it acts.

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Outcome, useDoing } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { frameTexts } from './messages.ts';

interface ConfirmProps {
  /** On the button that opens the question. */
  readonly label: string;
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly question: ComponentChildren;
  /** On the button that does it; `label` unless given. */
  readonly yes?: string;
  readonly isDangerous?: boolean;
  readonly isSmall?: boolean;
  readonly run: () => Promise<string | undefined>;
}

export function Confirm({
  label,
  title,
  question,
  yes,
  isDangerous = false,
  isSmall = true,
  run,
}: ConfirmProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const doing = useDoing();
  const look = isDangerous ? 'danger' : 'primary';
  return (
    <>
      <button
        type="button"
        class={`${isSmall ? 'small' : ''} ${isDangerous ? 'danger-quiet' : ''}`}
        onClick={() => {
          doing.clear();
          setOpen(true);
        }}
      >
        {label}
      </button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <div>{question}</div>
        <Outcome doing={doing} />
        <div class="row">
          <button
            type="button"
            class={look}
            aria-busy={doing.isBusy}
            onClick={async () => {
              if (await doing.run(run)) setOpen(false);
            }}
          >
            {yes ?? label}
          </button>
          <button type="button" onClick={() => setOpen(false)}>
            {frameTexts.t.cancel}
          </button>
        </div>
      </Dialog>
    </>
  );
}
