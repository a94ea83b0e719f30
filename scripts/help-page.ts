// The HTML of the pages of the help. Everything on them is read without a script; what needs one is added by it or shown where
// the browser says that it runs scripts.

import { escaped } from '../src/domain/pages/html.ts';
import type { HelpGroup } from './help-contents.ts';
import type { Heading } from './help-markdown.ts';

/** Names of files that change with what is in them. */
export interface HelpAssets {
  readonly style: string;
  readonly script: string;
  readonly firstPaint: string;
  readonly icon: string;
  readonly index: string;
}

export interface PlacedPage {
  readonly address: string;
  readonly title: string;
  readonly group: string;
  readonly isForDevelopers: boolean;
  /** Beneath another one in the navigation. */
  readonly isChild: boolean;
  readonly isListed: boolean;
}

interface PageParts {
  readonly address: string;
  readonly title: string;
  readonly description: string;
  readonly group: string | null;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly kind: 'start' | 'page' | 'nothing';
}

export function helpPage(parts: PageParts, pages: readonly PlacedPage[], assets: HelpAssets): string {
  const { address, title, description, group, html, headings, kind } = parts;
  const at = (file: string): string => `/help/assets/${file}`;
  const contents = kind === 'page' ? tableOfContents(headings) : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${kind === 'start' ? 'Help' : `${escaped(title)} · Help`} · Soundings</title>
<meta name="description" content="${escaped(description)}">
<link rel="icon" type="image/svg+xml" href="${at(assets.icon)}">
<script src="${at(assets.firstPaint)}"></script>
<link rel="stylesheet" href="${at(assets.style)}">
<script type="module" src="${at(assets.script)}"></script>
</head>
<body class="${kind}">
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="/help"><img src="${at(assets.icon)}" width="28" height="28" alt=""><span>Soundings <b>Help</b></span></a>
<search class="search" data-index="${at(assets.index)}">
<form action="/help">
<label class="unseen" for="search">Search the help</label>
<input id="search" name="q" type="search" placeholder="Search the help" autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="100" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
</form>
<p class="unseen" role="status"></p>
<div class="found" hidden></div>
</search>
<nav class="elsewhere" aria-label="Elsewhere">
<a href="/console">Console</a>
<a href="/docs">API</a>
</nav>
<div class="theme">
<label class="unseen" for="theme">Theme</label>
<select id="theme"><option value="">System</option><option value="light">Light</option><option value="dark">Dark</option></select>
</div>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages of the help">
<details><summary>All pages</summary>
<div class="inner">
${navigation(pages, address)}</div>
</details>
</nav>
${contents}<main id="content" tabindex="-1">
${group === null ? '' : `<p class="over">${escaped(group)}</p>\n`}<article>
${html}</article>
${kind === 'page' ? steps(pages, address) : ''}</main>
</div>
</body>
</html>
`;
}

function navigation(pages: readonly PlacedPage[], address: string): string {
  const listed = pages.filter(({ isListed }) => isListed);
  const groups = [...new Set(listed.map(({ group }) => group))];
  const link = (page: PlacedPage): string =>
    `<a href="${page.address}"${page.address === address ? ' aria-current="page"' : ''}>${escaped(page.title)}</a>`;
  return groups
    .map((group, index) => {
      const inGroup = listed.filter((page) => page.group === group);
      const items = inGroup
        .filter(({ isChild }) => !isChild)
        .map((page) => {
          const children = inGroup.filter(
            (other) => other.isChild && other.address.startsWith(`${page.address}/`),
          );
          // Pages beneath a page are listed where one of them is read.
          const isOpen = address === page.address || address.startsWith(`${page.address}/`);
          const below =
            isOpen && children.length > 0
              ? `\n<ul>${children.map((child) => `<li>${link(child)}</li>`).join('')}</ul>`
              : '';
          return `<li>${link(page)}${below}</li>`;
        });
      return `<p id="group-${index}">${escaped(group)}</p>\n<ul aria-labelledby="group-${index}">\n${items.join('\n')}\n</ul>\n`;
    })
    .join('');
}

function tableOfContents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3);
  if (shown.length < 2) return '';
  const items = shown.map(
    ({ depth, id, text }) =>
      `<li${depth === 3 ? ' class="deeper"' : ''}><a href="#${id}">${escaped(text)}</a></li>`,
  );
  return `<nav class="toc" aria-labelledby="toc">
<details><summary id="toc">On this page</summary>
<div class="inner">
<ul>
${items.join('\n')}
</ul>
</div>
</details>
</nav>
`;
}

function steps(pages: readonly PlacedPage[], address: string): string {
  const listed = pages.filter(({ isListed }) => isListed);
  const index = listed.findIndex((page) => page.address === address);
  if (index === -1) return '';
  const step = (page: PlacedPage | undefined, rel: 'prev' | 'next', word: string): string =>
    page === undefined
      ? ''
      : `<a rel="${rel}" href="${page.address}"><span>${word}</span> ${escaped(page.title)}</a>\n`;
  return `<nav class="steps" aria-label="Previous and next page">
${step(listed[index - 1], 'prev', 'Previous')}${step(listed[index + 1], 'next', 'Next')}</nav>
`;
}

export function startPage(groups: readonly HelpGroup[]): string {
  const parts = groups.map(({ title, about, tasks }) => {
    const items = tasks.map(({ words, to }) => `<li><a href="${to}">${escaped(words)}</a></li>`);
    return `<section>
<h2>${escaped(title)}</h2>
<p>${escaped(about)}</p>
<ul>
${items.join('\n')}
</ul>
</section>
`;
  });
  return `<h1>What would you like to do?</h1>
<p class="lead">Everything about this installation of Soundings, kept with it: these pages are those of its version.</p>
<div class="tasks">
${parts.join('')}</div>
`;
}

export const nothingHere = `<h1>There is no such page</h1>
<p class="lead">The address may be of another version. Search for it above, or choose one of these.</p>
<ul>
<li><a href="/help">Start of the help</a></li>
<li><a href="/docs">Reference of all endpoints</a></li>
<li><a href="/console">Console</a></li>
</ul>
`;
