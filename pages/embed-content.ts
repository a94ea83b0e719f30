// The HTML of a survey in a shadow root of another page. `/embed.js` loads this when the survey is opened, and shows the
// survey in a frame where that fails.

import { element } from './element.ts';
import type { startSurvey } from './survey.ts';
import { embeddedMark } from './unclobbered.ts';

export interface Content {
  readonly root: ShadowRoot;
  readonly place: HTMLElement;
  readonly address: string;
  /** Further fields of the form: what the page around passes along. */
  readonly fields: Readonly<Record<string, string>>;
  /** Whether answers may be kept in the browser until they are sent. */
  readonly mayKeep: boolean;
  readonly onAnswered: () => void;
}

export async function showContent(content: Content, address = content.address): Promise<void> {
  const { root, place, fields, mayKeep, onAnswered } = content;
  const survey = await documentAt(address);
  const absolute = (value: string | null): string => new URL(value ?? '', address).href;
  const all = <Found extends Element>(selector: string): readonly Found[] => [
    ...survey.querySelectorAll<Found>(selector),
  ];
  const texts = await Promise.all([
    ...all('link[rel=stylesheet]').map((link) => textAt(absolute(link.getAttribute('href')))),
    ...all('style').map(({ textContent }) => textContent),
  ]);
  const [script] = all('script[src]').map((one) => absolute(one.getAttribute('src')));
  // What is left are texts, fields and links: nothing that runs, loads or styles by itself.
  for (const one of all('head,style,script:not([type="application/json"])')) one.remove();
  const html = survey.documentElement;
  // A page has one main part, and this page has its own.
  const main = html.querySelector('main');
  main?.replaceWith(element('div', { className: main.className }, ...main.childNodes));
  const form = html.querySelector<HTMLFormElement>('form[data-survey]');
  if (form !== null) {
    form.setAttribute('action', absolute(form.getAttribute('action')));
    // Without its script it is sent as any form, and the page around must stay where it is.
    form.target = '_blank';
    for (const [name, value] of Object.entries(fields))
      form.append(element('input', { type: 'hidden', name, value }));
  }
  for (const link of html.querySelectorAll('a')) {
    link.href = absolute(link.getAttribute('href'));
    link.target = '_blank';
    if (link.closest('.languages') !== null)
      link.onclick = (event) => {
        event.preventDefault();
        void showContent(content, link.href);
      };
  }
  // Before the form is seen: one that is sent without it would leave the page around.
  const module =
    form === null || script === undefined
      ? null
      : ((await import(script + embeddedMark)) as { startSurvey: typeof startSurvey });
  root.adoptedStyleSheets = [
    ...root.adoptedStyleSheets.slice(0, 1),
    ...texts.map((text) => sheetOf(text, root)),
  ];
  place.replaceChildren(html);
  if (form === null || module === null) return;
  module.startSurvey(root, {
    form,
    mayKeep,
    onSent: (thanks) => {
      onAnswered();
      void showContent(content, absolute(thanks));
    },
  });
}

/** A request parses HTML without running anything in it, and without a text that Trusted Types would have to know. */
function documentAt(address: string): Promise<Document> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.onerror = reject;
    request.onload = () => {
      if (request.responseXML === null) reject(request.status);
      else resolve(request.responseXML);
    };
    request.send();
  });
}

async function textAt(address: string): Promise<string> {
  return (await fetch(address)).text();
}

function sheetOf(text: string, { host }: ShadowRoot): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  // There is no root of a document here; and a "rem" is the size that the reader chose, not that of the page around.
  const rem = Number.parseFloat(getComputedStyle(host).fontSize);
  sheet.replaceSync(
    text.replaceAll(':root', 'html').replaceAll(/([\d.]+)rem\b/g, (_, size) => `${Number(size) * rem}px`),
  );
  return sheet;
}
