// Which sentences of a page stay English though the page is shown in another language. What is the same in both and has more than
// two words is a suspect, unless somebody wrote it: names, questions and comments are shown as they are.

import type { Page } from 'playwright-core';

const wordsMin = 3;

/** What programs, providers and standards call things is the same in every language. */
const names = [
  /^curl -H /,
  /^Okta Workforce Identity$/,
  /^Test Connector Configuration$/,
  /^Applications, Create App Integration, OIDC, Web Application$/,
  // Attributes of SCIM, origins and paths of other systems.
  /\w\[type eq "/,
  // What was sent is shown as it was.
  /^[{["]/,
];

/** The parts of sentences that a page says or has in store for whoever hears it. */
export async function saidBy(page: Page): Promise<ReadonlySet<string>> {
  const texts = await page.evaluate<string[]>(`(() => {
    const said = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.parentElement.closest('script, noscript, style, template, pre, code, textarea, iframe') === null) said.push(node.data);
    for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll('[' + name + ']')) said.push(element.getAttribute(name));
    return said;
  })()`);
  return new Set(texts.flatMap(partsOf));
}

function partsOf(text: string): readonly string[] {
  return text
    .split(/[.;:!?()„“”«»]+(?=\s|$)|\s[–·(„«]/)
    .map((part) => part.replaceAll(/\s+/g, ' ').trim())
    .filter((part) => part.split(' ').filter((word) => /\p{L}{2}/u.test(word)).length >= wordsMin);
}

/** `written`: everything that people of the test's store have written, in one text. */
export function untranslated(
  english: ReadonlySet<string>,
  other: ReadonlySet<string>,
  written: string,
): readonly string[] {
  return [...other].filter(
    (part) => english.has(part) && !written.includes(part) && !names.some((name) => name.test(part)),
  );
}
