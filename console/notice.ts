// What just happened, where it happened: read out by screen readers, with the request to quote where it failed.

import { h } from './html.ts';
import { t } from './person-texts.ts';
import { problemTexts } from './problem-texts.ts';
import { wordsOf } from './words.ts';

export class Notice {
  readonly element = h('div', { class: 'notice', 'aria-live': 'polite' });

  clear(): void {
    this.element.replaceChildren();
  }

  /** Something is under way; seen only where it takes a while. */
  wait(): void {
    this.element.replaceChildren(h('p', { class: 'wait' }, t.working));
  }

  say(text: string): void {
    this.element.replaceChildren(h('p', { class: 'good' }, text));
  }

  fail(error: unknown): void {
    const { text, toDo, request } = wordsOf(error);
    const quoted =
      request === null
        ? null
        : h('p', { class: 'quoted' }, `${problemTexts.t.request} `, h('code', {}, request));
    this.element.replaceChildren(
      h(
        'div',
        { class: 'bad', role: 'alert' },
        h('p', {}, text),
        toDo === '' ? null : h('p', {}, toDo),
        quoted,
      ),
    );
  }
}

/** Does what a button or form is for, once at a time; gives whether it went well. */
export async function attempt(
  notice: Notice,
  control: HTMLElement,
  work: () => Promise<void>,
): Promise<boolean> {
  if (control.getAttribute('aria-busy') === 'true') return false;
  control.setAttribute('aria-busy', 'true');
  notice.wait();
  try {
    await work();
    return true;
  } catch (error) {
    notice.fail(error);
    return false;
  } finally {
    control.removeAttribute('aria-busy');
  }
}
