// What stands around every page: the name of the product, and the choice of language and appearance.

import { h } from './html.ts';
import { keep, kept } from './kept.ts';
import { language, languages, switchLanguage } from './language.ts';
import { personTexts, t } from './person-texts.ts';
import { problemTexts } from './problem-texts.ts';

/** Pages without a frame say by themselves what went wrong. */
export async function loadTexts(): Promise<void> {
  await Promise.all([personTexts.load(), problemTexts.load()]);
}

type View = () => HTMLElement;

let current: View | null = null;

/** Draws a page, and draws it again when the language changes. */
export function show(view: View): void {
  current = view;
  draw();
  document.querySelector<HTMLElement>('[data-focus]')?.focus();
}

function draw(): void {
  document.querySelector('#app')?.replaceChildren(current!());
}

export function setTitle(title: string): void {
  document.title = `${title} · Soundings`;
}

function brand(): HTMLElement {
  return h('p', { class: 'brand' }, h('span', { class: 'mark', 'aria-hidden': 'true' }), 'Soundings');
}

function choices(): HTMLElement {
  return h(
    'footer',
    { class: 'choices' },
    choice('language', t.language, languages, language, async (chosen) => {
      const typed = [...document.querySelectorAll('input')].map(({ id, value }) => [id, value] as const);
      switchLanguage(chosen);
      await loadTexts();
      draw();
      for (const [id, value] of typed) {
        const input = document.getElementById(id);
        if (input instanceof HTMLInputElement) input.value = value;
      }
      document.getElementById('language')?.focus();
    }),
    choice('theme', t.theme, t.themes, kept('theme') ?? 'system', (chosen) => {
      keep('theme', chosen);
      const { dataset } = document.documentElement;
      if (chosen === 'system') delete dataset.theme;
      else dataset.theme = chosen;
    }),
  );
}

function choice(
  id: string,
  label: string,
  options: Readonly<Record<string, string>>,
  chosen: string,
  take: (value: string) => unknown,
): HTMLElement {
  const select: HTMLSelectElement = h(
    'select',
    { id, change: () => take(select.value) },
    Object.entries(options).map(([value, text]) => h('option', { value, selected: value === chosen }, text)),
  );
  return h('div', {}, h('label', { for: id }, label), select);
}

/** The pages that open the console: a picture on one side where there is room, and one thing to do. */
export function door(...content: readonly (HTMLElement | null)[]): HTMLElement {
  return h(
    'div',
    { class: 'door' },
    h('header', { class: 'sea' }, brand(), h('p', { class: 'claim' }, t.claim)),
    h('main', {}, h('div', { class: 'column' }, ...content), choices()),
  );
}
