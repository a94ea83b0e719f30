// One step of the set-up: its number, what it is, and how it stands.

import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { providerTexts } from './texts.ts';

type StepState = 'done' | 'open' | 'waiting' | 'later';

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly state: StepState;
  /** Open although it is done: something is to be seen in it. */
  readonly isNews?: boolean;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}

export function Step({ number, title, state, isNews = false, lead, children }: StepProps): JSX.Element {
  const id = useId();
  const { t } = providerTexts;
  // What is done when the page opens is folded; what turns green meanwhile stays as it is.
  const [isOpen, setOpen] = useState(state !== 'done' || isNews);
  return (
    <section class={`panel step ${state}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          <span class="over">{t.step(number)}</span> {title}
        </h2>
        <span class="row">
          <span
            class={`badge ${state === 'done' ? 'well' : state === 'later' ? 'off' : ''}`}
            aria-live="polite"
          >
            {t.stepStates[state]}
          </span>
          <button type="button" class="quiet small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t.fold : t.unfold}
            <span class="unseen"> {title}</span>
          </button>
        </span>
      </header>
      {isOpen && lead !== undefined && <p class="hint">{lead}</p>}
      {isOpen && <div class="stack">{children}</div>}
    </section>
  );
}

/** What to do there, one after the other. */
export function Instructions({ steps }: { readonly steps: readonly string[] }): JSX.Element {
  return (
    <ol class="todo">
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}
