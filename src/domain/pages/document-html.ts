// The HTML document around a survey or a notice. Scripts and styles come from files, and the few rules that belong to one survey
// stand in a `<style>` that the policy names by its hash: no attribute and no element says more than the policy lets it. The
// script is there before the first paint, so that nothing moves when it hides all steps but one (D-444).

import type { SurveyLanguage } from '../feedback/definition.ts';
import { escaped } from './html.ts';
import { directionOf } from './survey-language.ts';

/** Addresses of the files that every page loads; null where they were not built. */
export interface PageAssets {
  readonly style: string;
  readonly script: string;
}

interface DocumentInput {
  readonly language: SurveyLanguage;
  readonly title: string;
  readonly assets: PageAssets | null;
  /** Rules of this survey alone; '' for none. */
  readonly css?: string;
  /** Whether there is anything for the script to do. */
  readonly hasForm?: boolean;
  readonly body: string;
}

export function documentHtml({
  language,
  title,
  assets,
  css = '',
  hasForm = false,
  body,
}: DocumentInput): string {
  return [
    `<!doctype html>\n<html lang="${language}" dir="${directionOf(language)}">\n<head>\n<meta charset="utf-8">\n`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    '<meta name="color-scheme" content="light dark">\n',
    `<title>${escaped(title)}</title>\n<link rel="icon" href="data:,">\n`,
    assets === null ? '' : `<link rel="stylesheet" href="${escaped(assets.style)}">\n`,
    css === '' ? '' : `<style>${css}</style>\n`,
    assets === null || !hasForm ? '' : `<script type="module" src="${escaped(assets.script)}"></script>\n`,
    `</head>\n<body>\n<main class="page">\n${body}\n</main>\n</body>\n</html>\n`,
  ].join('');
}
