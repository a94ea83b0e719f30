// Every text of the survey beside its translation, and what is missing.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { surveyLanguages } from '../../../src/domain/feedback/definition.ts';
import { directionOf } from '../../../src/domain/pages/survey-language.ts';
import { faultAt, useEditor } from './bound.tsx';
import {
  type DraftDocument,
  type DraftSection,
  getAt,
  listAt,
  type Path,
  pathText,
  placedQuestions,
  setAt,
  survey,
} from './draft.ts';
import { languageName, Part } from './survey-form.tsx';
import { counted, editorTexts, fill } from './texts.ts';

/** A text that can be translated, and how its translation is written down. */
interface TranslatedText {
  readonly where: string;
  readonly original: string;
  readonly at: Path;
  /** The whole value of `at` for a text; '' takes it away. */
  readonly write: (document: DraftDocument, text: string) => DraftDocument;
  readonly text: string;
}

function translatedTexts(document: DraftDocument, language: string): readonly TranslatedText[] {
  const { t } = editorTexts;
  const of: Path = [...survey, 'translations', language];
  const pageOf: Path = [...survey, 'page', 'translations', language];
  const [version] = document.surveys;
  const texts: TranslatedText[] = [];
  const add = (where: string, original: unknown, at: Path): void => {
    if (typeof original !== 'string' || original === '') return;
    texts.push({
      where,
      original,
      at,
      text: String(getAt(document, at) ?? ''),
      write: (now, text) => setAt(now, at, text === '' ? undefined : text),
    });
  };
  add(t.surveyTitle, version.title, [...of, 'title']);
  add(t.intro, version.page?.intro, [...pageOf, 'intro']);
  add(t.thanks, version.page?.thanks?.text, [...pageOf, 'thanks']);
  const sections = listAt<DraftSection>(document, [...survey, 'page', 'sections']);
  for (const [index, { title }] of sections.entries()) {
    if (title === undefined) continue;
    const at: Path = [...pageOf, 'sections', index];
    const found = String(getAt(document, at) ?? '');
    texts.push({
      where: fill(t.section, { n: index + 1 }),
      original: title,
      at,
      text: found === title ? '' : found,
      // Titles are a list in the order of the sections: those before it say what they say in the original.
      write: (now, text) => {
        const list = sections.map((section, place) => {
          if (place === index) return text === '' ? title : text;
          return String(getAt(now, [...pageOf, 'sections', place]) ?? section.title ?? '');
        });
        const isNone = list.every((one, place) => one === (sections[place]?.title ?? ''));
        return setAt(now, [...pageOf, 'sections'], isNone ? undefined : list);
      },
    });
  }
  for (const { question, isMeasured } of placedQuestions(document)) {
    const { id } = question;
    const at: Path = [...of, 'questions', id];
    add(id, question.name, [...at, 'phrase']);
    add(`${id}: ${t.help}`, question.help, [...at, 'help']);
    const { labels } = question.scale ?? {};
    if (labels !== undefined)
      for (const [name, words] of [
        ['min', t.labelMin],
        ['max', t.labelMax],
      ] as const)
        texts.push({
          where: `${id}: ${words}`,
          original: labels[name],
          at: [...at, 'labels', name],
          text: String(getAt(document, [...at, 'labels', name]) ?? ''),
          // Both ends or none.
          write: (now, text) => {
            const other = name === 'min' ? 'max' : 'min';
            const said = String(getAt(now, [...at, 'labels', other]) ?? '');
            return text === '' && said === ''
              ? setAt(now, [...at, 'labels'], undefined)
              : setAt(now, [...at, 'labels'], { min: '', max: '', [other]: said, [name]: text });
          },
        });
    if (isMeasured && typeof question.dontKnow === 'string')
      add(`${id}: ${t.dontKnow}`, question.dontKnow, [...at, 'dontKnow']);
    for (const answer of question.answers ?? [])
      add(`${id}: ${answer.id}`, answer.text ?? answer.id, [...at, 'answers', answer.id]);
  }
  return texts;
}

export function LanguagesForm(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const document = editor.shaped.value!;
  const [version] = document.surveys;
  const own = version.language ?? 'en';
  const languages = surveyLanguages.filter(
    (one) =>
      one !== own &&
      (Object.hasOwn(version.translations ?? {}, one) ||
        Object.hasOwn(version.page?.translations ?? {}, one)),
  );
  const [begun, setBegun] = useState<readonly string[]>([]);
  const shown = [...new Set([...languages, ...begun])];
  const left = surveyLanguages.filter((one) => one !== own && !shown.includes(one));
  return (
    <Part title={t.parts.languages}>
      <p class="hint">{fill(t.languagesLead, { language: languageName(own) })}</p>
      {shown.map((language) => (
        <LanguageTable
          key={language}
          language={language}
          onRemove={() => {
            setBegun(begun.filter((one) => one !== language));
            editor.edit((now) =>
              setAt(
                setAt(now, [...survey, 'translations', language], undefined),
                [...survey, 'page', 'translations', language],
                undefined,
              ),
            );
          }}
        />
      ))}
      {left.length > 0 && (
        <div class="row">
          <label for="add-language">{t.addLanguage}</label>
          <select
            id="add-language"
            class="fitting"
            value=""
            onChange={({ currentTarget }) => {
              if (currentTarget.value === '') return;
              editor.language.value = currentTarget.value as (typeof surveyLanguages)[number];
              setBegun([...begun, currentTarget.value]);
            }}
          >
            <option value="">…</option>
            {left.map((one) => (
              <option key={one} value={one}>
                {languageName(one)}
              </option>
            ))}
          </select>
        </div>
      )}
    </Part>
  );
}

function LanguageTable({
  language,
  onRemove,
}: {
  readonly language: string;
  readonly onRemove: () => void;
}): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const texts = translatedTexts(editor.shaped.value!, language);
  const own = editor.shaped.value!.surveys[0].language ?? 'en';
  const missing = texts.filter(({ text }) => text === '').length;
  const name = languageName(language);
  return (
    <details open>
      <summary>
        {name}{' '}
        <span class={missing === 0 ? 'badge' : 'badge bad'}>
          {missing === 0 ? t.complete : counted(t.missing, missing)}
        </span>
      </summary>
      <div class="stack">
        {texts.map((one) => {
          const fault = faultAt(editor, one.at);
          return (
            <div class="translated" key={pathText(one.at)}>
              <div>
                <span class="hint">{one.where}</span>
                <p lang={own} dir={directionOf(own as 'en')}>
                  {one.original}
                </p>
              </div>
              <div>
                <textarea
                  rows={one.original.length > 80 ? 3 : 1}
                  lang={language}
                  dir={directionOf(language as 'en')}
                  aria-label={`${one.where}, ${name}`}
                  aria-invalid={fault !== null}
                  value={one.text}
                  onFocus={() => {
                    editor.language.value = language as 'en';
                  }}
                  onInput={({ currentTarget }) =>
                    editor.edit((now) => one.write(now, currentTarget.value), pathText(one.at))
                  }
                />
                {fault !== null && <p class="fault">{fault}</p>}
              </div>
            </div>
          );
        })}
        <p>
          <button type="button" class="small danger-quiet" onClick={onRemove}>
            {fill(t.removeLanguage, { language: name })}
          </button>
        </p>
      </div>
    </details>
  );
}
