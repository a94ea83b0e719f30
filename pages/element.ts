// How elements are made: from names and texts, never from markup, so that no text becomes an element.

import { page } from './unclobbered.ts';

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<Omit<HTMLElementTagNameMap[Tag], 'style'>>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(page.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function button(text: string, act: () => void, className = ''): HTMLButtonElement {
  return element('button', { type: 'button', className, onclick: act }, text);
}
