// The HTML of the console: its script fills it, or takes over what the server drew.

import type { ConsoleLanguage, ConsoleManifest, ConsoleView } from './console-files.ts';

// Scripts and styles come from here alone, no text becomes a script, nobody frames the page, and no form sends anything by
// itself: a password typed before the script has run goes nowhere (D-381).
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  // The editor shows a draft in a page of ours that is in a sandbox (D-571).
  "frame-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const withoutScript: Readonly<Record<ConsoleLanguage, string>> = {
  en: 'The console needs JavaScript: switch it on for this page and load it again.',
  de: 'Die Konsole braucht JavaScript: Schalten Sie es für diese Seite ein, und laden Sie sie noch einmal.',
  fr: 'La console a besoin de JavaScript : activez-le pour cette page et rechargez-la.',
};

export interface ConsolePage {
  readonly view: ConsoleView;
  readonly language: ConsoleLanguage;
  /** What the page is told at once, as JSON; null where nobody is signed in. */
  readonly told: string | null;
  /** Its first look, as HTML; empty where its script draws it. */
  readonly firstScreen?: string;
}

export function consolePage(
  manifest: ConsoleManifest,
  { view, language, told, firstScreen = '' }: ConsolePage,
): string {
  const at = (file: string): string => `/console/assets/${file}`;
  const wanted = manifest.preload[view];
  const preloads = [...(wanted?.files ?? []), ...(wanted?.texts[language] ?? [])]
    .filter((file) => file !== manifest.script)
    .map((file) => `<link rel="modulepreload" href="${at(file)}">\n`)
    .join('');
  const preload = told === null ? '' : `<script type="application/json" id="page-preload">${told}</script>\n`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${view === 'shared' ? '<meta name="robots" content="noindex, nofollow">\n' : ''}<title>Soundings</title>
<link rel="icon" type="image/svg+xml" href="${at(manifest.icon)}">
<script src="${at(manifest.firstPaint)}"></script>
<link rel="stylesheet" href="${at(manifest.style)}">
${preloads}<script type="module" src="${at(manifest.script)}"></script>
</head>
<body>
<div id="app">${firstScreen}</div>
${preload}<noscript>${withoutScript[language]}</noscript>
</body>
</html>
`;
}
