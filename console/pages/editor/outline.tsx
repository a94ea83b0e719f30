// The parts of the survey and its questions, to choose from and to bring into order.

import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { useEditor } from './bound.tsx';
import {
  addQuestion,
  moveWithin,
  type Path,
  type PlacedQuestion,
  pathText,
  placedQuestions,
  type QuestionKind,
  questionKinds,
} from './draft.ts';
import type { Chosen } from './editor.ts';
import { shortName } from './rule-list.tsx';
import { editorTexts, fill } from './texts.ts';

export function Outline(): JSX.Element | null {
  const editor = useEditor();
  const { t } = editorTexts;
  const document = editor.shaped.value;
  if (document === null) return null;
  const placed = placedQuestions(document);
  const latents = document.surveys[0].latents ?? [];
  const groups = latents.map((latent, index) => ({
    title: fill(t.measured, { name: latent.name }),
    questions: placed.filter(({ list }) => list[3] === index && list[2] === 'latents'),
  }));
  const further = placed.filter(({ isMeasured }) => !isMeasured);
  if (further.length > 0)
    groups.push({ title: latents.length === 0 ? t.questions : t.further, questions: further });
  return (
    <nav class="outline" aria-label={t.outline}>
      <PartButton chosen="survey" text={t.parts.survey} />
      {(['page', 'languages', 'theme', 'parameters'] as const).map((part) => (
        <PartButton key={part} chosen={part} text={t.parts[part]} />
      ))}
      {groups.map(({ title, questions }) => (
        <div key={title}>
          <h2>{title}</h2>
          <QuestionItems questions={questions} />
        </div>
      ))}
      {placed.length === 0 && <p class="hint">{t.noQuestions}</p>}
      <AddQuestion />
    </nav>
  );
}

function isChosen(now: Chosen, chosen: Chosen): boolean {
  return typeof now === 'object' && typeof chosen === 'object'
    ? now.question === chosen.question
    : now === chosen;
}

function PartButton({ chosen, text }: { readonly chosen: Chosen; readonly text: string }): JSX.Element {
  const editor = useEditor();
  return (
    <button
      type="button"
      class="item"
      aria-current={isChosen(editor.chosen.value, chosen)}
      onClick={() => {
        editor.chosen.value = chosen;
      }}
    >
      {text}
    </button>
  );
}

function QuestionItems({ questions }: { readonly questions: readonly PlacedQuestion[] }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const dragged = useRef<{ readonly list: Path; readonly index: number } | null>(null);
  const faulty = (path: Path): boolean => {
    const text = pathText(path);
    return editor.faults.value.some((fault) => fault.path === text || fault.path.startsWith(`${text}.`));
  };
  return (
    <ol title={t.moveHint}>
      {questions.map(({ question, path, list, index }) => (
        <li
          key={question.id}
          draggable
          onDragStart={(event) => {
            dragged.current = { list, index };
            event.dataTransfer?.setData('text/plain', question.id);
          }}
          onDragOver={(event) => {
            if (dragged.current !== null) event.preventDefault();
          }}
          onDrop={(event) => {
            event.preventDefault();
            const from = dragged.current;
            dragged.current = null;
            if (from !== null) editor.edit((now) => moveWithin(now, from.list, from.index, index));
          }}
        >
          <button
            type="button"
            class="item"
            aria-current={isChosen(editor.chosen.value, { question: question.id })}
            onClick={() => {
              editor.chosen.value = { question: question.id };
            }}
            onKeyDown={(event) => {
              if (!event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
              event.preventDefault();
              editor.edit((now) => moveWithin(now, list, index, index + (event.key === 'ArrowUp' ? -1 : 1)));
            }}
          >
            <span class="kind">{question.id}</span> {shortName(question)}
            {faulty(path) && <span class="mark-fault" role="img" aria-label={t.faults.one} />}
          </button>
        </li>
      ))}
    </ol>
  );
}

function AddQuestion(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const kinds = questionKinds.filter((kind) => kind !== 'MEASURED' || editor.name.kind === 'measure');
  const [kind, setKind] = useState<QuestionKind>(kinds[0]!);
  return (
    <form
      class="add"
      onSubmit={(event) => {
        event.preventDefault();
        const document = editor.shaped.value;
        if (document === null) return;
        const added = addQuestion(document, kind, t.newQuestion);
        editor.edit(() => added.document);
        editor.chosen.value = { question: added.id };
        // Whoever adds a question goes on by writing it, unless they have gone elsewhere before it was drawn.
        const { activeElement } = globalThis.document;
        requestAnimationFrame(() => {
          if (globalThis.document.activeElement !== activeElement) return;
          const field = globalThis.document.querySelector<HTMLTextAreaElement>('.part textarea');
          field?.focus();
          field?.select();
        });
      }}
    >
      <label for="new-kind">{t.addQuestion}</label>
      <div class="row tight">
        <select
          id="new-kind"
          value={kind}
          onChange={({ currentTarget }) => setKind(currentTarget.value as QuestionKind)}
        >
          {kinds.map((one) => (
            <option key={one} value={one}>
              {t.kinds[one]}
            </option>
          ))}
        </select>
        <button type="submit" class="small">
          {t.add}
        </button>
      </div>
    </form>
  );
}
