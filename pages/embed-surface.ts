// What an embedded survey is shown on: shadow roots, a corner of the window, a dialog. Corner and dialog stand in the top layer
// of the browser, above whatever the page around them draws, and no rule of that page reaches into a shadow root.

import type { EmbedSettings } from '../src/domain/pages/embed-settings.ts';
import { element } from './element.ts';
import { page } from './unclobbered.ts';

/** A button of ours, which the styles of the survey leave alone. */
export function ownButton(text: string, act: () => void, className = ''): HTMLButtonElement {
  return element('button', { className: `own ${className}`, onclick: act }, text);
}

export function shadowIn(place: Element, { colours }: EmbedSettings): ShadowRoot {
  const host = element('div', {});
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`.surface{${colours}}${style}`);
  root.adoptedStyleSheets = [sheet];
  // A form has its fields as members.
  Element.prototype.append.call(place, host);
  return root;
}

/** Something small in a corner. The function takes it away, and gives the focus back to where it was before. */
export function showCorner(
  settings: EmbedSettings,
  className: string,
  ...children: readonly (Node | string)[]
): { readonly box: HTMLElement; readonly remove: () => void } {
  const root = shadowIn(page.body, settings);
  const box = element(
    'div',
    { className: `surface corner ${className}`, lang: settings.language, dir: settings.direction },
    ...children,
  );
  let before: EventTarget | null = null;
  root.host.addEventListener('focusin', (event) => {
    before ??= (event as FocusEvent).relatedTarget;
  });
  root.append(box);
  box.popover = 'manual';
  box.showPopover?.();
  const remove = (): void => {
    const hadFocus = root.activeElement !== null;
    root.host.remove();
    try {
      if (hadFocus) (before as HTMLElement | null)?.focus();
    } catch {
      // It is a form with a field of this name.
    }
  };
  return { box, remove };
}

/** The browser keeps the focus inside, closes it by Escape and gives the focus back. */
export function showDialog(
  settings: EmbedSettings,
  content: HTMLElement,
  onClosed: () => void,
): { readonly root: ShadowRoot; readonly close: () => void } {
  const root = shadowIn(page.body, settings);
  const close = ownButton('×', () => dialog.close(), 'close');
  close.ariaLabel = settings.texts.close;
  const dialog = element(
    'dialog',
    {
      className: 'surface dialog',
      ariaLabel: settings.title,
      lang: settings.language,
      dir: settings.direction,
      autofocus: true,
      onclose: () => {
        root.host.remove();
        onClosed();
      },
    },
    close,
    content,
  );
  root.append(dialog);
  dialog.showModal();
  return { root, close: () => dialog.close() };
}

// Sizes are pixels and the reader's own size of text: "rem" would be the size of the page around. Every rule is about a class
// of its own, because the survey stands in the same root.
// Inherited styles end at the host. What the page says of all its elements is weaker there, even where it is important.
const style = `\
:host{all:initial!important;display:block!important}\
.surface,.surface>*{box-sizing:border-box}\
.surface{font:medium/1.5 system-ui,sans-serif;color-scheme:light dark;color:var(--text)}\
.corner{position:fixed;inset-block:auto 16px;inset-inline:auto 16px;margin:0;padding:0;border:0;background:none;overflow:visible}\
.card{padding:16px;width:max-content;max-width:min(22em,100vw - 32px);border:1px solid var(--border);border-radius:12px;background:var(--background);box-shadow:0 4px 24px #0003}\
.line{display:block;margin:0 0 12px}\
.own{min-height:44px;min-width:44px;padding:0 16px;margin-inline-end:8px;border:1px solid var(--accent);border-radius:8px;font:inherit;cursor:pointer;background:var(--accent);color:var(--on-accent)}\
.plain,.close{border-color:var(--border);background:var(--background);color:var(--text)}\
.badge .own{margin:0;border-radius:22px}\
.own:focus-visible{outline:3px solid var(--focus);outline-offset:2px}\
.dialog{width:min(46em,100vw);max-width:none;max-height:100dvh;margin:auto;padding:0;border:1px solid var(--border);border-radius:12px;outline:0;overflow:auto;background:var(--background)}\
.dialog::backdrop{background:#0008}\
.close{position:sticky;z-index:1;top:8px;float:inline-end;margin:8px;padding:0;font-size:20px}\
.frame{display:block;width:100%;height:70vh;border:0}\
.out{display:block;padding:12px 16px;color:inherit}\
@media(max-width:480px){.dialog{border:0;border-radius:0;min-height:100dvh}}`;
