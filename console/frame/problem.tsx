// What went wrong, where it happened: a sentence, what to do, and the request to quote. How it is said is loaded behind the first look
// at a page, or when the first thing goes wrong.

import type { ComponentChildren, ComponentType, JSX } from 'preact';
import { frameTexts } from './messages.ts';
import { signal } from './signal.ts';

export interface ProblemProps {
  readonly error: unknown;
  /** Where another try makes sense. */
  readonly retry?: () => unknown;
  readonly children?: ComponentChildren;
}

const said = signal<ComponentType<ProblemProps> | null>(null);

export async function loadProblems(): Promise<void> {
  const { SaidProblem, loadTexts } = await import('./said-problem.tsx');
  await loadTexts();
  said.value = SaidProblem;
}

export function Problem(props: ProblemProps): JSX.Element | null {
  const Said = said.value;
  if (props.error == null) return null;
  if (Said !== null) return <Said {...props} />;
  // Where not even that can be loaded, the general word stays.
  void loadProblems().catch(() => {});
  return (
    <div class="bad" role="alert">
      <p>{frameTexts.t.failed}</p>
    </div>
  );
}
