// The survey as a whole, its page and sections, and the parameters that are passed along.

import type { ComponentChildren, JSX } from 'preact';
import {
  channels,
  projectStatuses,
  surveyLanguages,
  valueTypes,
} from '../../../src/domain/feedback/definition.ts';
import { Field } from '../../frame/field.tsx';
import { Choice, faultAt, IdLine, NumberLine, TextLine, Tick, useEditor } from './bound.tsx';
import {
  type DraftSection,
  freeId,
  getAt,
  listAt,
  moveWithin,
  type Path,
  placedQuestions,
  setAt,
  survey,
} from './draft.ts';
import { shortName } from './rule-list.tsx';
import { editorTexts, fill } from './texts.ts';

export function Part({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="panel" aria-labelledby="part-title">
      <header>
        <h2 id="part-title" tabIndex={-1}>
          {title}
        </h2>
      </header>
      {children}
    </section>
  );
}

/** In the language itself, as on the page. */
export function languageName(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

export function SurveyForm(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const { kind } = editor.name;
  const id = String(getAt(editor.document.value, [...survey, 'id']) ?? '');
  const siteKey = String(getAt(editor.document.value, ['siteKey']) ?? '');
  const isMeasure = kind === 'measure';
  return (
    <Part title={t.parts.survey}>
      <TextLine at={['name']} label={t.sourceName[kind]} />
      <TextLine at={[...survey, 'title']} label={t.surveyTitle} usual={t.usualTitle} />
      <div class="pair">
        <Choice
          at={[...survey, 'language']}
          label={t.language}
          usual="en"
          options={Object.fromEntries(surveyLanguages.map((one) => [one, languageName(one)]))}
        />
        {isMeasure ? (
          <Choice
            at={['channel']}
            label={t.channel}
            usual="WEB"
            options={Object.fromEntries(channels.map((one) => [one, one]))}
          />
        ) : (
          <Choice
            at={['status']}
            label={t.status}
            usual="ACTIVE"
            options={Object.fromEntries(projectStatuses.map((one) => [one, t.statuses[one]]))}
          />
        )}
      </div>
      <Tick at={[...survey, 'public']} label={t.public} />
      {isMeasure && <Tick at={['active']} label={t.active} usual />}
      <Tick at={[...survey, 'closed']} label={t.closed} />
      <div class="pair">
        <IdLine
          at={[...survey, 'id']}
          value={id}
          label={t.surveyId}
          hint={fill(t.surveyIdHint, { id })}
          onChange={(to) => editor.edit((now) => setAt(now, [...survey, 'id'], to))}
        />
        <NumberLine at={[...survey, 'version']} label={t.version} usual="1" />
      </div>
      {!isMeasure && (
        <>
          <IdLine
            at={['siteKey']}
            value={siteKey}
            label={t.siteKey}
            hint={fill(t.siteKeyHint, { key: siteKey === '' ? '…' : siteKey })}
            onChange={(to) => editor.edit((now) => setAt(now, ['siteKey'], to === '' ? undefined : to))}
          />
          <TextLine at={['description']} label={t.description} isLong rows={2} />
        </>
      )}
      <LineList at={[...survey, 'origins']} label={t.origins} hint={t.originsHint} />
      {faultAt(editor, survey) !== null && <p class="fault">{faultAt(editor, survey)}</p>}
    </Part>
  );
}

/** A list of texts, one in a line. */
function LineList({
  at,
  label,
  hint,
}: {
  readonly at: Path;
  readonly label: string;
  readonly hint: string;
}): JSX.Element {
  const editor = useEditor();
  const values = listAt<string>(editor.document.value, at);
  const faults = values.map((_, index) => faultAt(editor, [...at, index])).filter((one) => one !== null);
  return (
    <Field label={label} hint={hint} fault={faults.length === 0 ? null : faults.join(' ')}>
      {(ids) => (
        <textarea
          {...ids}
          rows={2}
          defaultValue={values.join('\n')}
          onChange={({ currentTarget }) => {
            const lines = currentTarget.value
              .split('\n')
              .flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
            editor.edit((now) => setAt(now, at, lines.length === 0 ? undefined : lines));
          }}
        />
      )}
    </Field>
  );
}

export function PageForm(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const page = [...survey, 'page'];
  const isProtected = getAt(editor.document.value, [...page, 'protect']) === 'page';
  return (
    <Part title={t.parts.page}>
      <TextLine at={[...page, 'intro']} label={t.intro} isLong />
      <TextLine at={[...page, 'thanks', 'text']} label={t.thanks} isLong rows={2} />
      <TextLine at={[...page, 'thanks', 'url']} label={t.thanksUrl} />
      <TextLine at={[...page, 'privacy']} label={t.privacy} />
      <label class="check">
        <input
          type="checkbox"
          checked={isProtected}
          onChange={({ currentTarget: { checked } }) =>
            editor.edit((now) => setAt(now, [...page, 'protect'], checked ? 'page' : undefined))
          }
        />
        <span>{t.protect}</span>
      </label>
      <Sections />
    </Part>
  );
}

function Sections(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const at = [...survey, 'page', 'sections'];
  const document = editor.shaped.value!;
  const questions = placedQuestions(document).map(({ question }) => question);
  const sections = listAt<DraftSection>(document, at);
  const owner = new Map(
    sections.flatMap((section, index) => (section.questions ?? []).map((id) => [id, index] as const)),
  );
  const loose = questions.filter(({ id }) => !owner.has(id));
  const put = (id: string, target: number): void =>
    editor.edit((now) => {
      const after = listAt<DraftSection>(now, at).map((section, index) => {
        const rest = (section.questions ?? []).filter((one) => one !== id);
        return { ...section, questions: index === target ? [...rest, id] : rest };
      });
      return setAt(now, at, after);
    });
  return (
    <fieldset class="bare">
      <legend>{t.sections}</legend>
      <p class="hint">{t.sectionsHint}</p>
      <ol class="sections">
        {sections.map((_, index) => (
          <li key={index} class="stack">
            <div class="row between">
              <strong>{fill(t.section, { n: index + 1 })}</strong>
              <span class="row tight">
                <button
                  type="button"
                  class="quiet small"
                  disabled={index === 0}
                  aria-label={`${t.moveUp}: ${fill(t.section, { n: index + 1 })}`}
                  onClick={() => editor.edit((now) => moveWithin(now, at, index, index - 1))}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="quiet small"
                  disabled={index === sections.length - 1}
                  aria-label={`${t.moveDown}: ${fill(t.section, { n: index + 1 })}`}
                  onClick={() => editor.edit((now) => moveWithin(now, at, index, index + 1))}
                >
                  ↓
                </button>
                <button
                  type="button"
                  class="quiet small danger-quiet"
                  aria-label={`${t.remove}: ${fill(t.section, { n: index + 1 })}`}
                  onClick={() =>
                    editor.edit((now) => {
                      const left = listAt(now, at).toSpliced(index, 1);
                      return setAt(now, at, left.length === 0 ? undefined : left);
                    })
                  }
                >
                  ×
                </button>
              </span>
            </div>
            <TextLine at={[...at, index, 'title']} label={t.sectionTitle} />
            <fieldset class="bare ticklist">
              <legend>{t.sectionQuestions}</legend>
              {questions.map((question) => (
                <label class="check" key={question.id}>
                  <input
                    type="checkbox"
                    checked={owner.get(question.id) === index}
                    onChange={({ currentTarget: { checked } }) => put(question.id, checked ? index : -1)}
                  />
                  <span>{shortName(question)}</span>
                </label>
              ))}
            </fieldset>
            {faultAt(editor, [...at, index]) !== null && (
              <p class="fault">{faultAt(editor, [...at, index])}</p>
            )}
          </li>
        ))}
      </ol>
      {sections.length > 0 && loose.length > 0 && (
        <p class="hint">{fill(t.inNoSection, { names: loose.map(shortName).join(', ') })}</p>
      )}
      <p>
        <button
          type="button"
          class="small"
          onClick={() =>
            editor.edit((now) =>
              setAt(now, at, [...listAt(now, at), { questions: loose.slice(0, 1).map(({ id }) => id) }]),
            )
          }
        >
          {t.addSection}
        </button>
      </p>
    </fieldset>
  );
}

export function ParametersForm(): JSX.Element {
  const { t } = editorTexts;
  return (
    <Part title={t.parts.parameters}>
      <p class="hint">{t.parametersLead}</p>
      <ParameterList kind="custom" />
      <ParameterList kind="external" />
    </Part>
  );
}

interface DraftParameter {
  readonly id: string;
  readonly name: string;
}

function ParameterList({ kind }: { readonly kind: 'custom' | 'external' }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const at = [...survey, 'parameters', kind];
  const parameters = listAt<DraftParameter>(editor.document.value, at);
  return (
    <fieldset class="bare">
      <legend>{t.parameterKinds[kind]}</legend>
      {parameters.map((parameter, index) => (
        <div class="triple" key={index}>
          <TextLine at={[...at, index, 'name']} label={t.parameterName} />
          <TextLine at={[...at, index, 'label']} label={t.parameterLabel} usual={parameter.name} />
          <Choice
            at={[...at, index, 'valueType']}
            label={t.valueType}
            usual="STRING"
            options={Object.fromEntries(valueTypes.map((type) => [type, t.valueTypes[type]]))}
          />
          <button
            type="button"
            class="quiet small danger-quiet"
            aria-label={`${t.remove}: ${parameter.name}`}
            onClick={() => editor.edit((now) => setAt(now, [...at, index], undefined))}
          >
            ×
          </button>
        </div>
      ))}
      <p>
        <button
          type="button"
          class="small"
          onClick={() => {
            const id = freeId(
              parameters.flatMap((one) => [one.id, one.name]),
              kind === 'custom' ? 'custom_' : 'external_',
            );
            editor.edit((now) => setAt(now, at, [...parameters, { id, name: id }]));
          }}
        >
          {t.addParameter}
        </button>
      </p>
    </fieldset>
  );
}
