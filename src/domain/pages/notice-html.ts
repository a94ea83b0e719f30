// Pages that say one thing: thank you, closed, not open yet, answered already, no such survey, try again.

import type { SurveyLanguage } from '../feedback/definition.ts';
import { documentHtml, type PageAssets } from './document-html.ts';
import { escaped, textElement } from './html.ts';
import { messagesOf } from './messages/messages.ts';
import type { ShownText } from './survey-texts.ts';

export type NoticeKind = 'closed' | 'notOpen' | 'answered' | 'unknown' | 'busy' | 'invalid';

interface NoticeInput {
  readonly language: SurveyLanguage;
  readonly assets: PageAssets | null;
  /** The colours of the survey. */
  readonly css?: string;
}

export function noticeHtml(kind: NoticeKind, { language, assets, css = '' }: NoticeInput): string {
  const messages = messagesOf(language);
  const [title, text] = {
    closed: [messages.closedTitle, messages.closedText],
    notOpen: [messages.notOpenTitle, messages.notOpenText],
    answered: [messages.answeredTitle, messages.answeredText],
    unknown: [messages.unknownTitle, messages.unknownText],
    busy: [messages.busyTitle, messages.busyText],
    invalid: [messages.errorTitle, messages.faults.INVALID],
  }[kind] as [string, string];
  const body = `<h1>${escaped(title)}</h1>\n<p class="intro">${escaped(text)}</p>`;
  return documentHtml({ language, title, assets, css, body: `<div class="notice">${body}</div>` });
}

interface ThanksInput extends NoticeInput {
  /** What the survey says, instead of the words of the page. */
  readonly thanks: ShownText | null;
  /** Where people go on from here. */
  readonly url: string | undefined;
  readonly isTest: boolean;
}

export function thanksHtml({ language, assets, css = '', thanks, url, isTest }: ThanksInput): string {
  const messages = messagesOf(language);
  const words = isTest ? messages.testThanksText : messages.thanksText;
  const own = isTest || thanks === null ? { text: words, language } : thanks;
  const parts = [
    `<h1>${escaped(messages.thanksTitle)}</h1>`,
    textElement('p', own, language, ' class="intro"'),
    url === undefined
      ? ''
      : `<p class="actions"><a class="button" href="${escaped(url)}" rel="noreferrer">${escaped(messages.backToPage)}</a></p>`,
  ];
  const body = `<div class="notice">${parts.join('\n')}</div>`;
  return documentHtml({ language, title: messages.thanksTitle, assets, css, body });
}
