// What is wrong with answers, as the server would show it: a summary on top with a link to each, and a sentence at the question.

import { plural } from '../src/domain/pages/messages/messages.ts';
import type { ScriptData } from '../src/domain/pages/script-data.ts';
import { element } from './element.ts';

export class ShownFaults {
  readonly #form: HTMLFormElement;
  readonly #boxOf: ReadonlyMap<string, HTMLElement>;
  readonly #data: ScriptData;
  /** Of the page, where it is ours. */
  readonly #title: string | null;
  readonly #reveal: (box: HTMLElement) => void;
  /** The sentence at a question and its line in the summary, by the id of the question. */
  readonly #shown = new Map<string, { readonly text: string; readonly line: HTMLElement }>();
  readonly #heading = element('h2', {});

  constructor(
    form: HTMLFormElement,
    boxOf: ReadonlyMap<string, HTMLElement>,
    data: ScriptData,
    title: string | null,
    reveal: (box: HTMLElement) => void,
  ) {
    this.#form = form;
    this.#boxOf = boxOf;
    this.#data = data;
    this.#title = title;
    this.#reveal = reveal;
  }

  /** These and no others; the focus goes to the summary. */
  show(texts: ReadonlyMap<string, string>): void {
    this.#clear();
    const list = element('ul', {});
    for (const [id, text] of texts) {
      const box = this.#boxOf.get(id);
      if (box === undefined) continue;
      const line = this.#mark(box, text);
      list.append(line);
      this.#shown.set(id, { text, line });
    }
    const [first] = this.#shown.keys();
    if (first === undefined) return;
    this.#count();
    if (this.#title !== null) document.title = `${this.#data.messages.errorTitle}: ${this.#title}`;
    this.#reveal(this.#boxOf.get(first)!);
    const summary = element(
      'div',
      { className: 'summary', role: 'alert', tabIndex: -1 },
      this.#heading,
      list,
    );
    this.#form.prepend(summary);
    summary.focus();
  }

  /** Takes away what is mended; says nothing new before the next send. */
  keepOnly(texts: ReadonlyMap<string, string>): void {
    for (const [id, { text, line }] of this.#shown) {
      if (texts.get(id) === text) continue;
      unmark(this.#boxOf.get(id)!);
      line.remove();
      this.#shown.delete(id);
      if (this.#shown.size === 0) this.#clear();
      else this.#count();
    }
  }

  #count(): void {
    const { messages, language } = this.#data;
    this.#heading.textContent = plural(messages.faultsHeading, this.#shown.size, language);
  }

  /** The sentence at the question; hands back the line of the summary. */
  #mark(box: HTMLElement, text: string): HTMLElement {
    const first = box.querySelector<HTMLElement>('[id^=q-]')!;
    const id = `fault-${first.id.slice(2)}`;
    const before = box.querySelector('.ends,.answers,:is(input,select,textarea):not([type=hidden])')!;
    before.before(element('p', { className: 'fault', id }, text));
    for (const one of markedIn(box)) one.ariaInvalid = 'true';
    const described = box.matches('fieldset') ? box : first;
    describe(described, [id, ...descriptionsOf(described)]);
    const phrase = box.querySelector('.phrase')?.textContent ?? '';
    const link = element('a', { href: `#${first.id}` }, element('bdi', {}, phrase), `: ${text}`);
    link.onclick = (event) => {
      event.preventDefault();
      this.#reveal(box);
      first.focus();
    };
    return element('li', {}, link);
  }

  /** Those of the server too. */
  #clear(): void {
    if (this.#title !== null) document.title = this.#title;
    this.#form.querySelector('.summary')?.remove();
    for (const box of this.#boxOf.values()) unmark(box);
    this.#shown.clear();
  }
}

function unmark(box: HTMLElement): void {
  const fault = box.querySelector('.fault');
  if (fault === null) return;
  fault.remove();
  for (const one of markedIn(box)) one.ariaInvalid = null;
  for (const one of [box, ...box.querySelectorAll('[aria-describedby]')])
    describe(
      one,
      descriptionsOf(one).filter((id) => id !== fault.id),
    );
}

/** What carries the mark of a fault: a group of radio buttons as a whole, everything else itself. */
function markedIn(box: HTMLElement): readonly Element[] {
  return box.role === 'radiogroup'
    ? [box]
    : [...box.querySelectorAll(':is(input,select,textarea):not([type=hidden])')];
}

function descriptionsOf(one: Element): readonly string[] {
  return (one.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== '');
}

function describe(one: Element, ids: readonly string[]): void {
  if (ids.length === 0) one.removeAttribute('aria-describedby');
  else one.setAttribute('aria-describedby', ids.join(' '));
}
