// The editor of a survey: form, YAML and changes on one draft, with the true page beside it.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathOfKind, type SourceKind } from '../../../src/domain/feedback/source-kind.ts';
import { Refusal } from '../../call.ts';
import { parameter } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { frameTexts } from '../../frame/messages.ts';
import { Problem } from '../../frame/problem.tsx';
import { session } from '../../frame/session.ts';
import { language } from '../../language.ts';
import type { PageProps } from '../loaders.ts';
import { EditorProvider } from './bound.tsx';
import { ChangesPanel } from './changes-panel.tsx';
import { findQuestion } from './draft.ts';
import { type EditedSurvey, Editor, type EditorView } from './editor.ts';
import { type DraftName, draftKey, forgetDraft, type KeptDraft, readDraft } from './kept-drafts.ts';
import { LanguagesForm } from './languages-form.tsx';
import { Outline } from './outline.tsx';
import { Preview } from './preview.tsx';
import { askPlan, type Plan, PublishDialog } from './publish-dialog.tsx';
import { QuestionForm } from './question-form.tsx';
import { newSurvey } from './starters.ts';
import { PageForm, ParametersForm, SurveyForm } from './survey-form.tsx';
import { counted, editorTexts, faultTexts, fill } from './texts.ts';
import { ThemeForm } from './theme-form.tsx';
import { YamlPanel } from './yaml-panel.tsx';

export const texts = [faultTexts, editorTexts];

export default function EditSurvey({ params }: PageProps): JSX.Element {
  const kind: SourceKind = params.kind === 'projects' ? 'project' : 'measure';
  const key = Number(params.key);
  const version = parameter('version');
  const answer = useAnswer(`GET /surveys/${pathOfKind[kind]}/:key/document`, {
    params: { key: params.key ?? '' },
    query: { version: version ?? undefined },
  });
  const name: DraftName = { accountId: session.value.account?.id ?? 0, kind, key };
  const [kept] = useState(() => readDraft(name));
  const { t } = editorTexts;
  const isUnknown = answer.error instanceof Refusal && answer.error.status === 404;
  if (answer.data !== null) return <Loaded name={name} edited={answer.data} kept={kept} />;
  // What was never published is there in this browser alone.
  if (isUnknown && kept !== null) return <Loaded name={name} edited={null} kept={kept} />;
  if (isUnknown)
    return (
      <Heading title={t.notFound}>
        <p class="lead">{t.notFoundLead}</p>
        <p>
          <a class="button" href="/console/surveys">
            {t.surveys}
          </a>
        </p>
      </Heading>
    );
  return (
    <Heading title={t.title}>
      {answer.error === null ? (
        <p class="wait">{frameTexts.t.loading}</p>
      ) : (
        <Problem error={answer.error} retry={answer.reload} />
      )}
    </Heading>
  );
}

interface LoadedProps {
  readonly name: DraftName;
  /** What the service has now; null where there is nothing. */
  readonly edited: EditedSurvey | null;
  readonly kept: KeptDraft | null;
}

function Loaded({ name, edited, kept }: LoadedProps): JSX.Element {
  const { t } = editorTexts;
  const editor = useMemo(() => {
    const begun = kept === null || kept.base !== null ? edited : null;
    const first = kept ?? { document: withVersion(edited!.document), text: null, base: edited!.base };
    return new Editor(name, begun, first);
  }, []);
  useEffect(() => editor.start(), [editor]);
  const [isRestored, setRestored] = useState(kept !== null && kept.base !== null);
  const [plan, setPlan] = useState<Plan | null>(null);
  const [other, setOther] = useState<KeptDraft | null>(null);
  const [isPublishing, setPublishing] = useState(false);
  const { base } = editor;
  const nowBase = edited?.base ?? null;
  // A draft of something new is no older than what is not there yet.
  const isStale = nowBase !== base.value && nowBase !== null;

  // Who was first, and when.
  useEffect(() => {
    if (!isStale || !editor.isChanged.value) return;
    let isGone = false;
    askPlan(editor).then(
      (found) => !isGone && setPlan(found),
      () => {},
    );
    return () => {
      isGone = true;
    };
  }, [isStale, nowBase, editor]);

  // Nobody works on it here: it simply is as it is published.
  useEffect(() => {
    if (!isStale || edited === null || editor.isChanged.value) return;
    editor.published({ ...edited, document: withVersion(edited.document) });
  }, [isStale, edited, editor]);

  useEffect(() => {
    const listen = ({ key, newValue }: StorageEvent): void => {
      if (key === draftKey(name) && newValue !== null) setOther(readDraft(name));
    };
    addEventListener('storage', listen);
    return () => removeEventListener('storage', listen);
  }, [name.accountId, name.kind, name.key]);

  useShortcuts(editor);
  const document = editor.shaped.value;
  const title = document?.name ?? t.title;
  return (
    <EditorProvider value={editor}>
      <Heading
        title={title === '' ? t.title : title}
        over={<a href="/console/surveys">{t.surveys}</a>}
        actions={
          <>
            <span class={editor.isChanged.value ? 'badge' : 'badge off'}>
              {editor.isChanged.value ? t.unpublished : t.upToDate}
            </span>
            <button type="button" disabled={!editor.history.canUndo.value} onClick={() => editor.undo()}>
              {t.undo}
            </button>
            <button type="button" disabled={!editor.history.canRedo.value} onClick={() => editor.redo()}>
              {t.redo}
            </button>
            <button type="button" class="primary" onClick={() => setPublishing(true)}>
              {t.publish}
            </button>
          </>
        }
      />
      <div class="editor">
        {isRestored && kept !== null && editor.isChanged.value && (
          <Note text={fill(t.restored, { time: timeText(kept.savedAt) })}>
            <button
              type="button"
              class="small"
              onClick={() => {
                setRestored(false);
                if (edited !== null) editor.published({ ...edited, document: withVersion(edited.document) });
                else forgetDraft(name);
              }}
            >
              {t.discard}
            </button>
          </Note>
        )}
        {isStale && edited !== null && editor.isChanged.value && (
          <Note
            isBad
            text={
              plan?.lastChange == null
                ? t.newer
                : fill(t.newerBy, { who: plan.lastChange.by, time: timeText(plan.lastChange.at) })
            }
            hint={t.newerHint}
          >
            <button
              type="button"
              class="small"
              onClick={() => {
                editor.goOnFrom(edited);
                editor.view.value = 'changes';
              }}
            >
              {t.seeDifference}
            </button>
            <button
              type="button"
              class="small"
              onClick={() => editor.published({ ...edited, document: withVersion(edited.document) })}
            >
              {t.takeNewer}
            </button>
          </Note>
        )}
        {edited === null && base.value !== null && <Note isBad text={t.gone} />}
        {other !== null && (
          <Note isBad text={t.otherTab}>
            <button
              type="button"
              class="small"
              onClick={() => {
                editor.replace(other.document);
                setOther(null);
              }}
            >
              {t.takeOther}
            </button>
            <button type="button" class="small" onClick={() => setOther(null)}>
              {t.keepMine}
            </button>
          </Note>
        )}
        {!editor.isKept.value && <Note isBad text={t.notKept} />}
        <Bar editor={editor} />
        <div class="work">
          <div class="main">
            <Work editor={editor} />
          </div>
          <Preview />
        </div>
      </div>
      <PublishDialog
        isOpen={isPublishing}
        onClose={() => setPublishing(false)}
        onStale={() => {
          setPublishing(false);
          void loadNewer(editor, setPlan);
        }}
      />
    </EditorProvider>
  );
}

/** Somebody was first: what they published is looked at, and the note above the editor says so. */
async function loadNewer(editor: Editor, setPlan: (plan: Plan) => void): Promise<void> {
  forget(`/surveys/${editor.name.kind}s/${editor.name.key}/`);
  setPlan(await askPlan(editor));
}

/** A measure or project without any version gets a first one. */
function withVersion(document: EditedSurvey['document']): EditedSurvey['document'] {
  const { surveys } = document as { readonly surveys?: readonly unknown[] };
  return Array.isArray(surveys) && surveys.length > 0 ? document : { ...document, surveys: [newSurvey()] };
}

function Note({
  text,
  hint,
  isBad = false,
  children,
}: {
  readonly text: string;
  readonly hint?: string;
  readonly isBad?: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element {
  return (
    <div class={`${isBad ? 'bad' : 'good'} row between`} role="status">
      <span>
        {text} {hint !== undefined && hint}
      </span>
      <span class="row">{children}</span>
    </div>
  );
}

const views: readonly EditorView[] = ['form', 'yaml', 'changes'];

function Bar({ editor }: { readonly editor: Editor }): JSX.Element {
  const { t } = editorTexts;
  const count = editor.faults.value.length;
  const [first] = editor.faults.value;
  return (
    <div class="row between bar-of-editor">
      {/* biome-ignore lint/a11y/useSemanticElements: buttons of one kind, and no fields of a form */}
      <div class="row tight" role="group" aria-label={t.viewsLabel}>
        {views.map((view) => (
          <button
            key={view}
            type="button"
            class="small"
            aria-pressed={editor.view.value === view}
            onClick={() => {
              editor.commitTyped();
              editor.view.value = view;
            }}
          >
            {t.views[view]}
          </button>
        ))}
      </div>
      <div class="row" aria-live="polite">
        {editor.said.value !== null && (
          <span>
            {editor.said.value}{' '}
            <button type="button" class="quiet small" onClick={() => editor.undo()}>
              {t.undo}
            </button>
          </span>
        )}
        {count === 0 ? (
          <span class="badge off">{t.noFaults}</span>
        ) : (
          <button
            type="button"
            class="small badge bad"
            onClick={() => {
              if (editor.view.value === 'form' && first !== undefined) editor.choosePath(first.path);
              else editor.view.value = 'yaml';
            }}
          >
            {counted(t.faults, count)}
          </button>
        )}
      </div>
    </div>
  );
}

function Work({ editor }: { readonly editor: Editor }): JSX.Element {
  const { t } = editorTexts;
  const used = editor.usedVersion.value;
  const next = editor.begun.value?.nextVersion ?? null;
  if (editor.view.value === 'yaml') return <YamlPanel />;
  if (editor.view.value === 'changes') return <ChangesPanel />;
  if (editor.shaped.value === null)
    return (
      <Note isBad text={editor.isBroken.value ? t.broken : t.unshaped}>
        <button
          type="button"
          class="small"
          onClick={() => {
            editor.view.value = 'yaml';
          }}
        >
          {t.toYaml}
        </button>
      </Note>
    );
  return (
    <>
      {used !== null && next !== null && (
        <div class="notice-line row between">
          <span>{fill(t.used, { version: used.version })}</span>
          <button type="button" class="small" onClick={() => editor.beginNextVersion()}>
            {fill(t.beginVersion, { version: next.version })}
          </button>
        </div>
      )}
      <div class="form-view">
        <Outline />
        <div class="part">
          <ChosenPart editor={editor} />
        </div>
      </div>
    </>
  );
}

function ChosenPart({ editor }: { readonly editor: Editor }): JSX.Element {
  const chosen = editor.chosen.value;
  const document = editor.shaped.value!;
  if (typeof chosen === 'object' && findQuestion(document, chosen.question) !== undefined)
    return <QuestionForm key={chosen.question} id={chosen.question} />;
  if (chosen === 'page') return <PageForm />;
  if (chosen === 'languages') return <LanguagesForm />;
  if (chosen === 'theme') return <ThemeForm />;
  if (chosen === 'parameters') return <ParametersForm />;
  return <SurveyForm />;
}

/** Undo and redo by the keys that people know; within a text field the browser has its own. */
function useShortcuts(editor: Editor): void {
  const newest = useRef(editor);
  newest.current = editor;
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 'z') return;
      const isText = event.target instanceof Element && event.target.matches('.code textarea');
      if (isText) return;
      event.preventDefault();
      if (event.shiftKey) newest.current.redo();
      else newest.current.undo();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

function timeText(moment: string): string {
  return new Date(moment).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' });
}
