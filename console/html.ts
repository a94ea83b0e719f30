// Elements made by hand: nothing here reads a text as HTML, so that no text can become a script.

type Child = Node | string | null | readonly Child[];
type Value = string | number | boolean | null | ((event: Event) => unknown);

export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, Value>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== false)
      element.setAttribute(name, value === true ? '' : String(value));
  }
  add(element, children);
  return element;
}

function add(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null) continue;
    if (typeof child === 'string' || child instanceof Node) element.append(child);
    else add(element, child);
  }
}

/** For a form whose script does the sending. */
export function submits(work: () => unknown): (event: Event) => unknown {
  return (event) => {
    event.preventDefault();
    return work();
  };
}

export interface FieldOptions {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly [attribute: string]: Value | undefined;
}

/** A labelled input; its hint is read out with it. */
export function field({ id, label, hint, ...attributes }: FieldOptions): {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
} {
  const hintId = `${id}-hint`;
  const described = hint === undefined ? {} : { 'aria-describedby': hintId };
  const input = h('input', { id, name: id, ...described, ...(attributes as Record<string, Value>) });
  const element = h(
    'div',
    { class: 'field' },
    h('label', { for: id }, label),
    input,
    hint === undefined ? null : h('p', { class: 'hint', id: hintId }, hint),
  );
  return { element, input };
}
