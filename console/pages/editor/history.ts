// Steps that can be taken back and made again. What is typed into one field within a moment is one step.

import { computed, type ReadonlySignal, type Signal, signal } from '../../frame/signal.ts';

const stepsMax = 200;
const sameStepMs = 1_000;

interface Step {
  /** The last state that could be read. */
  readonly document: unknown;
  /** What was written as YAML; null where the form was used last. */
  readonly text: string | null;
}

export class History {
  readonly now: Signal<Step>;
  readonly #before = signal<readonly Step[]>([]);
  readonly #after = signal<readonly Step[]>([]);
  readonly canUndo: ReadonlySignal<boolean> = computed(() => this.#before.value.length > 0);
  readonly canRedo: ReadonlySignal<boolean> = computed(() => this.#after.value.length > 0);
  #field: string | null = null;
  #atMs = 0;

  constructor(first: Step) {
    this.now = signal(first);
  }

  /** `field` names what is being typed into; null is a step by itself. */
  add(step: Step, field: string | null): void {
    const nowMs = Date.now();
    const isSame = field !== null && field === this.#field && nowMs - this.#atMs < sameStepMs;
    if (!isSame) this.#before.value = [...this.#before.value.slice(1 - stepsMax), this.now.value];
    this.#after.value = [];
    this.#field = field;
    this.#atMs = nowMs;
    this.now.value = step;
  }

  undo(): void {
    const step = this.#before.value.at(-1);
    if (step === undefined) return;
    this.#after.value = [this.now.value, ...this.#after.value];
    this.#before.value = this.#before.value.slice(0, -1);
    this.#field = null;
    this.now.value = step;
  }

  redo(): void {
    const [step, ...left] = this.#after.value;
    if (step === undefined) return;
    this.#before.value = [...this.#before.value, this.now.value];
    this.#after.value = left;
    this.#field = null;
    this.now.value = step;
  }
}
