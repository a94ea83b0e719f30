// What just happened, where it happened: read out by screen readers, with the request to quote where it failed.

import { Refusal } from './call.ts';
import { h } from './html.ts';
import { t } from './language.ts';

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
    const { text, request } = wordsOf(error);
    const quoted =
      request === null ? null : h('p', { class: 'quoted' }, `${t.request} `, h('code', {}, request));
    this.element.replaceChildren(h('div', { class: 'bad', role: 'alert' }, h('p', {}, text), quoted));
  }
}

export function wordsOf(error: unknown): { readonly text: string; readonly request: string | null } {
  if (typeof error === 'string') return { text: error, request: null };
  if (!(error instanceof Refusal)) return { text: t.failed, request: null };
  const { code, message, faults, requestId } = error;
  const known =
    wordsIn(t.problems, code) ??
    faults
      .map((fault) => wordsIn(t.faults, fault.code))
      .join(' ')
      .trim();
  return { text: known || message || t.failed, request: requestId };
}

function wordsIn(texts: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(texts, code) ? texts[code] : undefined;
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
