// Sections as steps: one is shown at a time, with the way so far above it. Every step is an entry in the history of the browser,
// so that its back button goes a step back instead of leaving the survey.

import { fill } from '../src/domain/pages/messages/messages.ts';
import type { ScriptData } from '../src/domain/pages/script-data.ts';
import { button, element } from './element.ts';

interface StepState {
  readonly step?: number;
  /** The step from which this one was reached. */
  readonly from?: number;
}

export class Steps {
  readonly #sections: readonly HTMLElement[];
  readonly #data: ScriptData;
  readonly #send: HTMLButtonElement;
  readonly #usesHistory: boolean;
  readonly #back: HTMLButtonElement;
  readonly #bar = element('progress', {});
  readonly #words = element('span', { id: 'step' });
  readonly #progress = element('div', { className: 'progress' }, this.#bar, this.#words);
  /** Questions that stood on a step when it was left. */
  readonly #seen = new Set<Element>();
  /** The section that is shown, by its place. */
  at = 0;

  constructor(form: HTMLFormElement, send: HTMLButtonElement, data: ScriptData, usesHistory: boolean) {
    this.#sections = [...form.querySelectorAll<HTMLElement>('.section')];
    this.#send = send;
    this.#data = data;
    this.#usesHistory = usesHistory;
    const { messages } = data;
    this.#bar.ariaLabel = messages.progress;
    this.#back = button(messages.back, () => this.#goBack());
    send.before(this.#back);
    this.#sections[0]?.before(this.#progress);
    for (const section of this.#sections) {
      const heading = headingOf(section);
      heading.tabIndex = -1;
      heading.setAttribute('aria-describedby', this.#words.id);
    }
    if (usesHistory)
      addEventListener('popstate', ({ state }) => this.#show((state as StepState | null)?.step ?? 0, true));
  }

  /** A page that is loaded again with its answers opens where it was; one with faults, at the first of them. */
  start(isRestored: boolean): void {
    const faulty = this.#sections.findIndex((section) => section.querySelector('.fault') !== null);
    const { step = 0 } = (history.state as StepState | null) ?? {};
    const at = faulty >= 0 ? faulty : this.#usesHistory && isRestored ? step : 0;
    for (const section of this.#sections.slice(0, at)) this.#leave(section);
    this.#show(at, false);
  }

  get isLast(): boolean {
    return (this.#shown().at(-1) ?? 0) === this.at;
  }

  isOnStep(box: HTMLElement): boolean {
    return this.#sections[this.at]?.contains(box) === true;
  }

  /** Goes to a question that came to be asked on a step before, by an answer on a later one; false where there is none. */
  showUnseen(): boolean {
    const unseen = this.#sections.findIndex(
      (section, index) => index < this.at && asked(section).some((box) => !this.#seen.has(box)),
    );
    if (unseen >= 0) this.show(unseen, true);
    return unseen >= 0;
  }

  next(): void {
    this.show(this.#shown().find((index) => index > this.at)!, true);
  }

  /** The step that a question stands on. */
  showStepOf(box: HTMLElement): void {
    const index = this.#sections.findIndex((section) => section.contains(box));
    if (index >= 0 && index !== this.at) this.show(index, false);
  }

  show(index: number, isFocused: boolean): void {
    if (this.#usesHistory && index !== this.at) history.pushState({ step: index, from: this.at }, '');
    this.#show(index, isFocused);
  }

  /** What follows from the answers: which steps there are, and how many. */
  look(): void {
    const { messages, language } = this.#data;
    const shown = this.#shown();
    const place = shown.indexOf(this.at);
    this.#bar.max = shown.length;
    this.#bar.value = place + 1;
    this.#words.textContent = fill(messages.step, { step: place + 1, steps: shown.length }, language);
    this.#progress.hidden = shown.length < 2;
    this.#back.hidden = place <= 0;
    this.#send.textContent = this.isLast ? messages.send : messages.next;
  }

  #goBack(): void {
    const before = this.#shown().findLast((index) => index < this.at) ?? 0;
    // Back along the history where that leads there, so that it does not grow with every turn.
    if (this.#usesHistory && (history.state as StepState | null)?.from === before) history.back();
    else this.show(before, true);
  }

  #show(wanted: number, isFocused: boolean): void {
    this.#leave(this.#sections[this.at]);
    const shown = this.#shown();
    this.at = shown.findLast((index) => index <= wanted) ?? shown[0] ?? 0;
    for (const [index, section] of this.#sections.entries()) section.hidden = index !== this.at;
    this.look();
    const section = this.#sections[this.at];
    if (isFocused && section !== undefined) headingOf(section).focus();
  }

  #leave(section: HTMLElement | undefined): void {
    if (section !== undefined && !section.hidden) for (const box of asked(section)) this.#seen.add(box);
  }

  /** Sections with a question that is asked. */
  #shown(): readonly number[] {
    return [...this.#sections.keys()].filter((index) => asked(this.#sections[index]!).length > 0);
  }
}

function asked(section: HTMLElement): readonly Element[] {
  return [...section.querySelectorAll('.question:not([hidden])')];
}

function headingOf(section: HTMLElement): HTMLElement {
  return section.querySelector<HTMLElement>('h2') ?? section;
}
