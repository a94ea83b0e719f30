// Publishing: what would change, what is wrong, and then all of it at once.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { type AnswerTo, call, Refusal } from '../../call.ts';
import { forget } from '../../frame/answers.ts';
import { Dialog } from '../../frame/dialog.tsx';
import { askNow } from '../../frame/live.ts';
import { frameTexts } from '../../frame/messages.ts';
import { Problem } from '../../frame/problem.tsx';
import { useEditor } from './bound.tsx';
import type { EditedSurvey, Editor, PlacedFault } from './editor.ts';
import { faultText } from './fault-text.ts';
import { editorTexts, fill } from './texts.ts';

export type Plan = AnswerTo<'POST /surveys/measures/:key/plan'>;
type Change = Plan['changes'][number];

function draftOf({ name: { key }, document, base }: Editor) {
  return {
    params: { key },
    body: { document: document.value as EditedSurvey['document'], base: base.value },
  };
}

export function askPlan(editor: Editor): Promise<Plan> {
  return call(`POST /surveys/${pathOfKind[editor.name.kind]}/:key/plan`, draftOf(editor));
}

export function PublishDialog({
  isOpen,
  onClose,
  onStale,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Somebody else was first. */
  readonly onStale: () => void;
}): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const [plan, setPlan] = useState<Plan | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const [isDone, setDone] = useState(false);
  const document = editor.document.value;

  const look = async (): Promise<void> => {
    setError(null);
    try {
      const found = await askPlan(editor);
      editor.foreign.value = { document: editor.document.value, faults: foreignOf(editor, found.faults) };
      if (found.isStale) {
        onStale();
        return;
      }
      setPlan(found);
    } catch (failure) {
      setError(failure);
    }
  };

  useEffect(() => {
    if (!isOpen || isDone) return;
    editor.commitTyped();
    setPlan(null);
    void look();
  }, [isOpen, document]);

  const publish = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    setError(null);
    try {
      const { params, body } = draftOf(editor);
      const path = pathOfKind[editor.name.kind];
      await call(`POST /surveys/${path}/:key/publish`, { params, body });
      setDone(true);
      editor.published(await call(`GET /surveys/${path}/:key/document`, { params }));
      forget('/surveys', '/sources', '/overview');
      void askNow();
    } catch (failure) {
      // The draft is as it was, and can be sent once more.
      if (failure instanceof Refusal && failure.code === 'SURVEY_CHANGED') onStale();
      else setError(failure);
    } finally {
      setBusy(false);
    }
  };

  const close = (): void => {
    setDone(false);
    setPlan(null);
    onClose();
  };
  const next = editor.begun.value?.nextVersion ?? null;
  return (
    <Dialog title={t.publishTitle} isOpen={isOpen} onClose={close}>
      {error !== null && <Problem error={error} retry={plan === null ? look : publish} />}
      {isDone ? (
        <Done onClose={close} />
      ) : plan === null ? (
        error === null && <p class="wait">{t.planning}</p>
      ) : plan.faults.length > 0 ? (
        <>
          <p>{t.hasFaults}</p>
          <ul class="fault-list">
            {plan.faults.map((fault) => (
              <li key={keyOf(fault)}>
                <button
                  type="button"
                  class="quiet small"
                  onClick={() => {
                    close();
                    editor.choosePath(fault.path);
                  }}
                >
                  {frameTexts.t.show}
                </button>{' '}
                <span class="fault">{faultText(fault)}</span>
              </li>
            ))}
          </ul>
          {editor.usedVersion.value !== null &&
            next !== null &&
            plan.faults.some(({ code }) => code === 'usedVersion') && (
              <p>
                <button type="button" class="primary" onClick={() => editor.beginNextVersion()}>
                  {fill(t.asNewVersion, { version: next.version })}
                </button>
              </p>
            )}
        </>
      ) : plan.changes.length === 0 ? (
        <p>{t.nothingToPublish}</p>
      ) : (
        <>
          <p>{t.willChange}</p>
          <ul>
            {plan.changes.map((change) => (
              <li key={`${change.kind} ${change.name}`}>{wordsOf(change)}</li>
            ))}
          </ul>
          <div class="row">
            <button type="button" class="primary" aria-busy={isBusy} onClick={publish}>
              {t.publishNow}
            </button>
            <button type="button" onClick={close}>
              {frameTexts.t.cancel}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** Those that the browser has found are there already. */
function foreignOf(editor: Editor, faults: readonly PlacedFault[]): readonly PlacedFault[] {
  const own = new Set(editor.faults.value.map(keyOf));
  return faults.filter((fault) => !own.has(keyOf(fault)));
}

function keyOf({ path, code, values }: PlacedFault): string {
  return JSON.stringify([path, code, values]);
}

function wordsOf({ kind, action, name, changed }: Change): string {
  const { changeWords } = editorTexts.t;
  const members = changed.join(', ');
  if (kind === 'survey') {
    if (action === 'create') return fill(changeWords.createSurvey, { name });
    return fill(members === 'current' ? changeWords.stepBack : changeWords.updateSurvey, { name, members });
  }
  const isNew = action === 'create';
  const text =
    kind === 'measure'
      ? isNew
        ? changeWords.createMeasure
        : changeWords.updateMeasure
      : isNew
        ? changeWords.createProject
        : changeWords.updateProject;
  return fill(text, { name, members });
}

function Done({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const { kind, key } = editor.name;
  const id = editor.shaped.value?.surveys[0].id ?? '';
  return (
    <>
      <p class="good" role="status">
        {t.published}
      </p>
      <div class="row">
        <a class="button primary" href={`/console/surveys/${kind}s/${key}/share`}>
          {t.share}
        </a>
        <a class="button" href={`/s/${encodeURIComponent(id)}?test=1`} target="_blank" rel="noreferrer">
          {t.openPage}
        </a>
        <a class="button" href={`/console/${kind}s/${key}`}>
          {t.figures}
        </a>
        <button type="button" onClick={onClose}>
          {t.goOn}
        </button>
      </div>
    </>
  );
}
