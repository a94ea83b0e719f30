// The search of the help. It asks no server: the index is one file, which is loaded when somebody first goes to the field.

import { type FoundSection, type HelpIndex, SectionFinder } from './find-sections.ts';

export function startSearch(): void {
  const search = document.querySelector<HTMLElement>('.search')!;
  const form = search.querySelector('form')!;
  const input = search.querySelector('input')!;
  const status = search.querySelector<HTMLElement>('[role="status"]')!;
  const results = search.querySelector<HTMLElement>('.found')!;
  let loading: Promise<SectionFinder> | null = null;

  input.addEventListener('focus', () => void finder().catch(() => {}));
  input.addEventListener('input', () => void show());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void show().then(() => results.querySelector('a')?.click());
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return leave(event);
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops = [input, ...results.querySelectorAll('a')];
    const at = stops.indexOf(document.activeElement as HTMLInputElement);
    const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (results.hidden || next === undefined) return;
    event.preventDefault();
    next.focus();
  });
  // Links to a heading of the same page leave the page as it is.
  results.addEventListener('click', (event) => {
    if ((event.target as Element).closest('a') !== null) close();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!search.contains(event.target as Node)) close();
  });
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget !== null && !search.contains(relatedTarget as Node)) close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as Element).closest('input, select, textarea') !== null) return;
    event.preventDefault();
    input.focus();
    input.select();
  });

  // The console and people may link to a search.
  const asked = new URLSearchParams(location.search).get('q');
  if (asked !== null) {
    input.value = asked.slice(0, input.maxLength);
    input.focus();
    void show();
  }

  function finder(): Promise<SectionFinder> {
    loading ??= load(search.dataset.index!).catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  }

  async function show(): Promise<void> {
    const query = input.value;
    if (query.trim() === '') return close();
    let answer: ReturnType<SectionFinder['find']>;
    try {
      const sections = await finder();
      // Typed on while the index was loaded: the last letter asks.
      if (input.value !== query) return;
      answer = sections.find(query);
    } catch {
      say('The search could not be loaded. Try again.');
      return;
    }
    const { found, count } = answer;
    if (count === 0) return say(`Nothing is called “${query.trim()}”, and no page speaks of it.`);
    const list = document.createElement('ul');
    list.append(...found.map(itemOf));
    results.replaceChildren(list);
    results.hidden = false;
    status.textContent = count === 1 ? 'One place' : `${count} places, the first ${found.length} shown`;
  }

  function say(words: string): void {
    const text = document.createElement('p');
    text.textContent = words;
    results.replaceChildren(text);
    results.hidden = false;
    status.textContent = words;
  }

  function close(): void {
    results.hidden = true;
    status.textContent = '';
  }

  /** The first time the results go, the second time the words. */
  function leave(event: KeyboardEvent): void {
    if (results.hidden) input.value = '';
    event.preventDefault();
    close();
    input.focus();
  }
}

async function load(address: string): Promise<SectionFinder> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The index is ${answer.status}.`);
  return new SectionFinder((await answer.json()) as HelpIndex);
}

function itemOf({ address, heading, page, group, excerpt }: FoundSection): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  link.append(
    element('strong', heading),
    element('small', heading === page ? group : `${group} › ${page}`),
    excerptElement(excerpt),
  );
  item.append(link);
  return item;
}

function excerptElement(parts: readonly string[]): HTMLElement {
  const text = document.createElement('span');
  text.append(...parts.map((part, index) => (index % 2 === 1 ? element('mark', part) : part)));
  return text;
}

function element(name: 'strong' | 'small' | 'mark', words: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = words;
  return made;
}
