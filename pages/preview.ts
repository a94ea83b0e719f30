// The page of a draft, as people would see it, in a frame of the editor. It is told the draft and renders it by the same code as
// the service; it sends nothing and keeps nothing (D-571).

import type { SurveyLanguage } from '../src/domain/feedback/definition.ts';
import { type PreparedSurvey, prepareSurvey } from '../src/domain/feedback/survey.ts';
import { type FormFields, questionPrefix } from '../src/domain/pages/form-fields.ts';
import { scriptJson } from '../src/domain/pages/html.ts';
import { messagesOf } from '../src/domain/pages/messages/messages.ts';
import { thanksHtml } from '../src/domain/pages/notice-html.ts';
import { pageHtml } from '../src/domain/pages/page-html.ts';
import type { PreviewDraft, PreviewMessage } from '../src/domain/pages/preview-message.ts';
import { scriptData } from '../src/domain/pages/script-data.ts';
import { surveyCss } from '../src/domain/pages/survey-css.ts';
import { directionOf, languagesOf } from '../src/domain/pages/survey-language.ts';
import { surveyTexts } from '../src/domain/pages/survey-texts.ts';
import { visibilityRules } from '../src/domain/pages/visibility-css.ts';
import { fieldsOf } from './form-values.ts';
import { startSurvey } from './survey.ts';
import { trustedDocument } from './trusted.ts';

// Nothing is loaded by these names: only the body of the document is taken.
const assets = { style: '', script: '' };
const sheet = new CSSStyleSheet();
document.adoptedStyleSheets = [sheet];

let given: FormFields = new Map();
let round = 0;

// The address of this page has the origin of the console although the page itself has none.
function tell(message: PreviewMessage): void {
  parent.postMessage(message, location.origin);
}

addEventListener('message', ({ source, origin, data }: MessageEvent<PreviewDraft>) => {
  if (source !== parent || origin !== location.origin || data?.soundings !== 'draft') return;
  if (data.round !== round) given = new Map();
  round = data.round;
  show(data);
});

function show(draft: PreviewDraft): void {
  const { definition, name, source, language: wanted, scheme, question } = draft;
  const language = languagesOf(definition).includes(wanted) ? wanted : languagesOf(definition)[0]!;
  const prepared = prepareSurvey(definition, source);
  const { css, shownAfterSend } = visibilityRules(prepared);
  const messages = messagesOf(language);
  const data = scriptData(definition, messages, language, null);
  sheet.replaceSync(surveyCss(definition.page, { css }));
  document.documentElement.style.colorScheme = scheme;
  const html = pageHtml({
    prepared,
    texts: surveyTexts(definition, language, name),
    messages,
    language,
    action: '#',
    token: '',
    shownAfterSend,
    given: withoutUnknown(prepared, given),
    assets,
    css: '',
    data: scriptJson(data),
    linkSuffix: '',
  });
  const place = scrollY;
  put(html, language, draft);
  const form = document.querySelector<HTMLFormElement>('form[data-survey]');
  if (form === null) return;
  const note = (): void => {
    given = fieldsOf(form);
    tell({ soundings: 'answers', fields: [...given] });
  };
  form.addEventListener('input', note);
  const started = startSurvey(document, {
    form,
    mayKeep: false,
    onSent: () => {},
    onSend: () => {
      tell({ soundings: 'sent' });
      thank(draft, language);
      return true;
    },
  });
  scrollTo(0, place);
  const box = started?.boxOf.get(question ?? '');
  // A question that a rule hides stays where it is.
  if (box !== undefined && !box.hidden) {
    started?.steps.showStepOf(box);
    box.scrollIntoView({ block: 'nearest' });
  }
  note();
}

function thank(draft: PreviewDraft, language: SurveyLanguage): void {
  const { definition } = draft;
  const { thanks } = surveyTexts(definition, language, '');
  const url = definition.page?.thanks?.url;
  put(thanksHtml({ language, assets, thanks, url, isTest: false }), language, draft);
}

/** Parsed apart from this page: nothing in it runs, and of the document the body alone is taken. */
function put(html: string, language: SurveyLanguage, draft: PreviewDraft): void {
  const parsed = new DOMParser().parseFromString(trustedDocument(html), 'text/html');
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
  document.title = parsed.title;
  document.body.replaceChildren(...parsed.body.childNodes);
  // A preview leads nowhere.
  for (const link of document.querySelectorAll('a')) {
    if (link.closest('.languages') !== null)
      link.onclick = (event) => {
        event.preventDefault();
        const chosen = link.lang as SurveyLanguage;
        tell({ soundings: 'language', language: chosen });
        show({ ...draft, language: chosen, question: null });
      };
    else if (link.getAttribute('href')?.startsWith('#') !== true)
      link.onclick = (event) => event.preventDefault();
  }
}

/** What was answered before the draft changed, as far as it can still be answered. */
function withoutUnknown({ byId }: PreparedSurvey, fields: FormFields): FormFields {
  return new Map(
    [...fields].filter(
      ([name]) => name.startsWith(questionPrefix) && byId.has(name.slice(questionPrefix.length)),
    ),
  );
}

tell({ soundings: 'ready' });
