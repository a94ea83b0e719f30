// The whole page of a survey: heading, languages, introduction, form, privacy.

import type { SurveyLanguage } from '../feedback/definition.ts';
import { type Interruptible, inOneGo } from '../interruptible.ts';
import { documentHtml, type PageAssets } from './document-html.ts';
import { type FormInput, formInPieces } from './form-html.ts';
import { escaped, textElement } from './html.ts';
import { messagesOf } from './messages/messages.ts';
import { languagesOf } from './survey-language.ts';

interface PageInput extends FormInput {
  readonly assets: PageAssets | null;
  readonly css: string;
  /** What the script is told, as JSON that may stand in a script element. */
  readonly data: string;
  /** What links to other languages carry along, already escaped: an invitation, or that it is a test. */
  readonly linkSuffix: string;
}

export function pageHtml(input: PageInput): string {
  return inOneGo(pageInPieces(input));
}

export function* pageInPieces(input: PageInput): Interruptible<string> {
  const { prepared, texts, messages, language, assets, css, data, faults } = input;
  const { page } = prepared.definition;
  const title = texts.title.text;
  const form = yield* formInPieces(input);
  const body = [
    languagesHtml(input),
    textElement('h1', texts.title, language),
    texts.intro === null ? '' : textElement('p', texts.intro, language, ' class="intro"'),
    // Before the form, whose end is not the same for everybody.
    assets === null ? '' : `<script type="application/json" id="soundings-survey">${data}</script>`,
    form,
    page?.privacy === undefined
      ? ''
      : `<footer class="foot"><a href="${escaped(page.privacy)}" rel="noreferrer">${escaped(messages.privacy)}</a></footer>`,
  ];
  return documentHtml({
    language,
    // Whoever cannot see the page hears its title first.
    title: faults === undefined || faults.size === 0 ? title : `${messages.errorTitle}: ${title}`,
    assets,
    css,
    hasForm: true,
    body: body.filter((part) => part !== '').join('\n'),
  });
}

function languagesHtml({ prepared: { definition }, language, messages, linkSuffix }: PageInput): string {
  const languages = languagesOf(definition);
  if (languages.length < 2) return '';
  const items = languages.map((one: SurveyLanguage) => {
    const name = escaped(messagesOf(one).languageName);
    const attributes = `href="?lang=${one}${linkSuffix}" lang="${one}" hreflang="${one}"`;
    return `<li><a ${attributes}${one === language ? ' aria-current="true"' : ''}>${name}</a></li>`;
  });
  return `<nav class="languages" aria-label="${escaped(messages.language)}"><ul>${items.join('')}</ul></nav>`;
}
