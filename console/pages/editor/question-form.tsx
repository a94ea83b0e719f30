// The form of one question: what is asked, how it is answered, and when.

import type { JSX } from 'preact';
import { answersOf, customResponseTypes, latentTypes } from '../../../src/domain/feedback/definition.ts';
import { Field } from '../../frame/field.tsx';
import { Choice, faultAt, IdLine, NumberLine, TextLine, Tick, useEditor } from './bound.tsx';
import {
  type DraftAnswer,
  type DraftLatent,
  type DraftQuestion,
  type DraftScale,
  duplicateQuestion,
  findQuestion,
  freeId,
  getAt,
  listAt,
  moveWithin,
  type PlacedQuestion,
  placedQuestions,
  removeQuestion,
  renameAnswer,
  renameQuestion,
  setAt,
  survey,
} from './draft.ts';
import { RuleList } from './rule-list.tsx';
import { editorTexts, fill } from './texts.ts';

export function QuestionForm({ id }: { readonly id: string }): JSX.Element | null {
  const editor = useEditor();
  const document = editor.shaped.value;
  const found = document === null ? undefined : findQuestion(document, id);
  const { t } = editorTexts;
  if (document === null || found === undefined) return null;
  const { path, list, index, isMeasured, question } = found;
  const count = listAt(document, list).length;
  const move = (to: number): void => editor.edit((now) => moveWithin(now, list, index, to));
  return (
    <section class="panel" aria-labelledby="part-title" key={id}>
      <header>
        <h2 id="part-title" tabIndex={-1}>
          {t.question} <bdi>{id}</bdi>
        </h2>
        <div class="row">
          <button type="button" class="quiet small" disabled={index === 0} onClick={() => move(index - 1)}>
            {t.moveUp}
          </button>
          <button
            type="button"
            class="quiet small"
            disabled={index === count - 1}
            onClick={() => move(index + 1)}
          >
            {t.moveDown}
          </button>
          <button
            type="button"
            class="quiet small"
            onClick={() => {
              const copy = duplicateQuestion(document, id);
              editor.edit(() => copy.document);
              editor.chosen.value = { question: copy.id };
            }}
          >
            {t.duplicate}
          </button>
          <button
            type="button"
            class="quiet small danger-quiet"
            onClick={() => {
              const all = placedQuestions(document);
              const place = all.findIndex((one) => one.question.id === id);
              const next = all[place + 1] ?? all[place - 1];
              editor.edit((now) => removeQuestion(now, id));
              editor.said.value = fill(t.deleted, { name: question.name });
              editor.chosen.value = next === undefined ? 'survey' : { question: next.question.id };
            }}
          >
            {t.remove}
          </button>
        </div>
      </header>
      <TextLine at={[...path, 'name']} label={t.name} isLong rows={2} />
      <TextLine at={[...path, 'help']} label={t.help} />
      {!isMeasured && <KindOfAnswer found={found} />}
      {isMeasured ? <MeasuredParts found={found} /> : <CustomParts found={found} />}
      <Tick at={[...path, 'required']} label={t.required} />
      {!isMeasured && <RuleList found={found} />}
      <details>
        <summary>{t.more}</summary>
        <div class="stack">
          <IdLine
            at={[...path, 'id']}
            value={id}
            label={t.id}
            hint={t.idHint}
            onChange={(to) => {
              if (to === '' || findQuestion(document, to) !== undefined) return;
              editor.edit((now) => renameQuestion(now, id, to));
              editor.chosen.value = { question: to };
            }}
          />
          <TextLine at={[...path, 'phrase']} label={t.phrase} usual={t.usualName} />
          <TextLine at={[...path, 'label']} label={t.label} usual={t.usualName} />
          {!isMeasured && (
            <Choice
              at={[...path, 'role']}
              label={t.role}
              usual="none"
              options={{ none: t.roles.none, rating: t.roles.rating, topic: t.roles.topic }}
            />
          )}
        </div>
      </details>
    </section>
  );
}

function KindOfAnswer({ found }: { readonly found: PlacedQuestion }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const at = [...found.path, 'responseType'];
  return (
    <Field label={t.kind} fault={faultAt(editor, at)}>
      {(ids) => (
        <select
          {...ids}
          value={found.question.responseType ?? ''}
          onChange={({ currentTarget }) => {
            const kind = currentTarget.value;
            editor.edit((now) => setAt(now, found.path, ofKind(found.question, kind, t.newQuestion.answers)));
          }}
        >
          {customResponseTypes.map((kind) => (
            <option key={kind} value={kind}>
              {t.kinds[kind]}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** What the other kind does not have is taken away, and what it needs is there. */
function ofKind(question: DraftQuestion, kind: string, texts: readonly string[]): object {
  const isChoice = (type: string): boolean => ['RADIO', 'SELECT', 'CHECKBOX'].includes(type);
  const { answers, scale, maxLength, ...rest } = question as DraftQuestion & { maxLength?: number };
  const isText = kind.startsWith('TEXT');
  return {
    ...rest,
    responseType: kind,
    ...(isChoice(kind) && {
      answers: answers ?? texts.map((text, index) => ({ id: `A${index + 1}`, text })),
    }),
    ...(isText && maxLength !== undefined && { maxLength }),
    ...(kind === 'STAR_RATING' && scale !== undefined && { scale }),
    ...(kind === 'NPS' &&
      scale?.labels !== undefined && { scale: { min: 0, max: 10, labels: scale.labels } }),
  };
}

function ScaleParts({
  found,
  isFixed = false,
}: {
  readonly found: PlacedQuestion;
  readonly isFixed?: boolean;
}): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const at = [...found.path, 'scale'];
  const { min = '', max = '' } = found.question.scale?.labels ?? {};
  const usual: DraftScale = isFixed ? { min: 0, max: 10 } : { min: 1, max: 5 };
  const label = (name: 'min' | 'max', text: string): void => {
    const labels = { min, max, [name]: text };
    const isNone = labels.min === '' && labels.max === '';
    editor.edit((now) => {
      const scale = (getAt(now, at) as DraftScale | undefined) ?? usual;
      const { labels: _, ...bare } = scale;
      return setAt(now, at, isNone ? (isFixed ? undefined : bare) : { ...bare, labels });
    }, `labels ${name} ${found.question.id}`);
  };
  const fault = (name: 'min' | 'max') => faultAt(editor, [...at, 'labels', name]);
  return (
    <fieldset class="bare">
      <legend>{t.scale}</legend>
      <div class="pair">
        {!isFixed && <NumberLine at={[...at, 'min']} label={t.from} usual={String(usual.min)} />}
        {!isFixed && <NumberLine at={[...at, 'max']} label={t.to} usual={String(usual.max)} />}
        <Field label={t.endMin} fault={fault('min')}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              value={min}
              onInput={({ currentTarget }) => label('min', currentTarget.value)}
            />
          )}
        </Field>
        <Field label={t.endMax} fault={fault('max')}>
          {(ids) => (
            <input
              {...ids}
              type="text"
              value={max}
              onInput={({ currentTarget }) => label('max', currentTarget.value)}
            />
          )}
        </Field>
      </div>
      {faultAt(editor, at) !== null && <p class="fault">{faultAt(editor, at)}</p>}
    </fieldset>
  );
}

function MeasuredParts({ found }: { readonly found: PlacedQuestion }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const { path, question } = found;
  const { dontKnow = false } = question;
  const setDontKnow = (value: boolean | string): void =>
    editor.edit((now) => setAt(now, [...path, 'dontKnow'], value === false ? undefined : value), 'dontKnow');
  return (
    <>
      <ScaleParts found={found} />
      <LatentParts found={found} />
      <div class="pair">
        <NumberLine at={[...path, 'weight']} label={t.weight} usual="1" step="any" />
        {dontKnow !== false && (
          <Field label={t.dontKnowText} fault={faultAt(editor, [...path, 'dontKnow'])}>
            {(ids) => (
              <input
                {...ids}
                type="text"
                value={dontKnow === true ? '' : dontKnow}
                onInput={({ currentTarget: { value } }) => setDontKnow(value === '' ? true : value)}
              />
            )}
          </Field>
        )}
      </div>
      <label class="check">
        <input
          type="checkbox"
          checked={dontKnow !== false}
          onChange={({ currentTarget: { checked } }) => setDontKnow(checked)}
        />
        <span>{t.dontKnow}</span>
      </label>
    </>
  );
}

/** What the question measures, together with others. */
function LatentParts({ found }: { readonly found: PlacedQuestion }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const latents = editor.shaped.value?.surveys[0].latents ?? [];
  const at = found.list.slice(0, -1);
  const place = Number(at.at(-1));
  const moveTo = (target: string): void => {
    const { id } = found.question;
    editor.edit((now) => {
      const list = [...survey, 'latents'];
      let after: DraftLatent[] = listAt<DraftLatent>(now, list).map((latent, index) => {
        const rest = latent.questions.filter((question) => question.id !== id);
        return { ...latent, questions: index === Number(target) ? [...rest, found.question] : rest };
      });
      if (target === 'new') {
        const fresh = freeId(
          after.map((latent) => latent.id),
          'L',
        );
        after.push({ id: fresh, name: t.newLatent, type: 'ELEMENTS', questions: [found.question] });
      }
      // What measures nothing any more goes.
      after = after.filter(({ questions }) => questions.length > 0);
      return setAt(now, list, after);
    });
  };
  return (
    <fieldset class="bare">
      <legend>{t.latent}</legend>
      <div class="pair">
        <Field label={t.latent}>
          {(ids) => (
            <select
              {...ids}
              value={String(place)}
              onChange={({ currentTarget }) => moveTo(currentTarget.value)}
            >
              {latents.map((latent, index) => (
                <option key={latent.id} value={String(index)}>
                  {latent.name}
                </option>
              ))}
              <option value="new">{t.newLatent} …</option>
            </select>
          )}
        </Field>
        <TextLine at={[...at, 'name']} label={t.latentName} />
        <Choice
          at={[...at, 'type']}
          label={t.latentType}
          options={Object.fromEntries(latentTypes.map((type) => [type, t.latentTypes[type]]))}
        />
      </div>
    </fieldset>
  );
}

function CustomParts({ found }: { readonly found: PlacedQuestion }): JSX.Element | null {
  const { t } = editorTexts;
  const { responseType = '' } = found.question;
  if (['RADIO', 'SELECT', 'CHECKBOX'].includes(responseType)) return <AnswerList found={found} />;
  if (responseType === 'STAR_RATING') return <ScaleParts found={found} />;
  if (responseType === 'NPS') return <ScaleParts found={found} isFixed />;
  return <NumberLine at={[...found.path, 'maxLength']} label={t.maxLength} />;
}

function AnswerList({ found }: { readonly found: PlacedQuestion }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const list = [...found.path, 'answers'];
  const answers = found.question.answers ?? [];
  const fault = faultAt(editor, found.path) ?? faultAt(editor, list);
  return (
    <fieldset class="bare">
      <legend>{t.answers}</legend>
      <ol class="answers">
        {answers.map((answer, index) => (
          <li key={index}>
            <AnswerLine found={found} answer={answer} index={index} count={answers.length} />
          </li>
        ))}
      </ol>
      {fault !== null && <p class="fault">{fault}</p>}
      <p>
        <button
          type="button"
          class="small"
          onClick={() => {
            const id = freeId(
              answers.map((answer) => answer.id),
              'A',
            );
            editor.edit((now) => setAt(now, list, [...answers, { id, text: '' }]));
            requestAnimationFrame(() =>
              globalThis.document.querySelector<HTMLElement>('.answers li:last-child input')?.focus(),
            );
          }}
        >
          {t.addAnswer}
        </button>
      </p>
    </fieldset>
  );
}

function AnswerLine({
  found,
  answer,
  index,
  count,
}: {
  readonly found: PlacedQuestion;
  readonly answer: DraftAnswer;
  readonly index: number;
  readonly count: number;
}): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const list = [...found.path, 'answers'];
  const at = [...list, index];
  const number = index + 1;
  const faults = ['', 'id', 'text', 'value']
    .map((name) => faultAt(editor, name === '' ? at : [...at, name]))
    .filter((one) => one !== null);
  const move = (to: number): void => editor.edit((now) => moveWithin(now, list, index, to));
  const value = answer.value ?? '';
  return (
    <>
      <div class="answer">
        <input
          type="text"
          aria-label={`${t.answerText} ${number}`}
          value={answer.text ?? answer.id}
          aria-invalid={faults.length > 0}
          onInput={({ currentTarget }) =>
            editor.edit(
              (now) => setAt(now, [...at, 'text'], currentTarget.value),
              `answer ${found.question.id} ${index}`,
            )
          }
        />
        <input
          type="text"
          class="narrow"
          aria-label={`${t.answerValue} ${number}`}
          placeholder={t.answerValue}
          value={String(value)}
          onInput={({ currentTarget: { value: typed } }) => {
            const number = typed.trim() !== '' && Number.isFinite(Number(typed)) ? Number(typed) : typed;
            editor.edit(
              (now) => setAt(now, [...at, 'value'], typed === '' ? undefined : number),
              `value ${found.question.id} ${index}`,
            );
          }}
        />
        <input
          type="text"
          class="narrow"
          aria-label={`${t.id} ${number}`}
          value={answer.id}
          onChange={({ currentTarget }) => {
            const to = currentTarget.value.trim();
            if (to !== '') editor.edit((now) => renameAnswer(now, found, index, to));
          }}
        />
        <span class="row tight">
          <button
            type="button"
            class="quiet small"
            aria-label={`${t.moveUp}: ${number}`}
            disabled={index === 0}
            onClick={() => move(index - 1)}
          >
            ↑
          </button>
          <button
            type="button"
            class="quiet small"
            aria-label={`${t.moveDown}: ${number}`}
            disabled={index === count - 1}
            onClick={() => move(index + 1)}
          >
            ↓
          </button>
          <button
            type="button"
            class="quiet small danger-quiet"
            aria-label={`${t.remove}: ${number}`}
            onClick={() => editor.edit((now) => setAt(now, at, undefined))}
          >
            ×
          </button>
        </span>
      </div>
      {faults.map((fault) => (
        <p class="fault" key={fault}>
          {fault}
        </p>
      ))}
    </>
  );
}

/** What a rule may compare with. */
export function choicesOf(
  question: DraftQuestion,
  isMeasured: boolean,
): readonly { readonly id: string; readonly text: string }[] {
  const scale =
    question.responseType === 'NPS'
      ? { min: 0, max: 10 }
      : (question.scale ?? (question.responseType === 'STAR_RATING' ? { min: 1, max: 5 } : null));
  if (
    scale !== null &&
    (isMeasured || question.responseType === 'NPS' || question.responseType === 'STAR_RATING')
  ) {
    if (!(scale.max - scale.min <= 100)) return [];
    const made = {
      ...question,
      scale,
      dontKnow: question.dontKnow !== undefined && question.dontKnow !== false,
    };
    return answersOf(made as unknown as Parameters<typeof answersOf>[0]).map(({ id, text }) => ({
      // A number is what people would write.
      id: /-DK$/.test(id) ? id : text,
      text,
    }));
  }
  return (question.answers ?? []).map(({ id, text }) => ({ id, text: text ?? id }));
}
