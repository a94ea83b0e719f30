// The true page of the draft beside it, in a sandbox, and the scores of what is answered there.

import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type SurveyLanguage, surveyLanguages } from '../../../src/domain/feedback/definition.ts';
import {
  type ColourScheme,
  colourSchemes,
  type PreviewDraft,
  type PreviewMessage,
} from '../../../src/domain/pages/preview-message.ts';
import { languagesOf } from '../../../src/domain/pages/survey-language.ts';
import { colon } from '../../formats.ts';
import { DataTable } from '../../frame/table.tsx';
import { language as spokenLanguage } from '../../language.ts';
import { useEditor } from './bound.tsx';
import { stateOf } from './editor.ts';
import { type LiveLatent, liveScores, type PreviewFields } from './live-scores.ts';
import { languageName } from './survey-form.tsx';
import { counted, editorTexts, fill } from './texts.ts';

const fieldsMax = 2_000;
const restMs = 150;

export function Preview(): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [scheme, setScheme] = useState<ColourScheme>('light dark');
  const [isPhone, setPhone] = useState(false);
  const [round, setRound] = useState(0);
  const source = editor.source.value;
  const [definition] = source?.surveys ?? [];
  const chosen = editor.chosen.value;
  const question = typeof chosen === 'object' ? chosen.question : null;
  const languages = definition === undefined ? [] : languagesOf(definition);
  const wanted = editor.language.value;
  const language = languages.includes(wanted) ? wanted : (languages[0] ?? 'en');

  // Before anything else can happen: a frame that is ready before somebody listens says so to nobody, and stays empty.
  useLayoutEffect(() => {
    const listen = ({ source: from, data }: MessageEvent<unknown>): void => {
      // The page in the sandbox has no origin by which it could be told; which window it is, nobody can forge.
      if (from === null || from !== frame.current?.contentWindow) return;
      const message = readMessage(data);
      if (message === null) return;
      if (message.soundings === 'ready') setReady(true);
      else if (message.soundings === 'language') editor.language.value = message.language;
      else if (message.soundings === 'answers') editor.fields.value = message.fields;
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, [editor]);

  useEffect(() => {
    if (!isReady || source === null || definition === undefined) return;
    const draft: PreviewDraft = {
      soundings: 'draft',
      definition,
      name: source.name,
      source: stateOf(source),
      language,
      scheme,
      question,
      round,
    };
    // A page without an origin can be told only like this. It holds nothing but the draft.
    const timer = setTimeout(() => frame.current?.contentWindow?.postMessage(draft, '*'), restMs);
    return () => clearTimeout(timer);
  }, [isReady, source, definition, language, scheme, question, round]);

  return (
    <section class="panel preview" aria-labelledby="preview-title">
      <header>
        <h2 id="preview-title">{t.preview}</h2>
        <div class="row tight">
          {languages.length > 1 && (
            <select
              class="fitting"
              aria-label={t.previewLanguage}
              value={language}
              onChange={({ currentTarget }) => {
                editor.language.value = currentTarget.value as SurveyLanguage;
              }}
            >
              {languages.map((one) => (
                <option key={one} value={one}>
                  {languageName(one)}
                </option>
              ))}
            </select>
          )}
          <select
            class="fitting"
            aria-label={t.scheme}
            value={scheme}
            onChange={({ currentTarget }) => setScheme(currentTarget.value as ColourScheme)}
          >
            {colourSchemes.map((one) => (
              <option key={one} value={one}>
                {t.schemes[one]}
              </option>
            ))}
          </select>
          <button type="button" class="quiet small" aria-pressed={isPhone} onClick={() => setPhone(!isPhone)}>
            {t.phone}
          </button>
          <button type="button" class="quiet small" onClick={() => setRound(round + 1)}>
            {t.startAgain}
          </button>
        </div>
      </header>
      <p class="hint">
        {definition === undefined
          ? t.previewNothing
          : editor.isPreviewOld.value
            ? t.previewOld
            : t.previewLead}
      </p>
      <iframe
        ref={frame}
        title={t.preview}
        src="/console/preview"
        sandbox="allow-scripts allow-forms"
        class={isPhone ? 'phone' : undefined}
        hidden={definition === undefined}
      />
      {definition !== undefined && <Scores />}
    </section>
  );
}

/** Whatever the frame says is looked at: what is in it was written by somebody. */
function readMessage(data: unknown): PreviewMessage | null {
  if (typeof data !== 'object' || data === null || !('soundings' in data)) return null;
  const { soundings, language, fields } = data as {
    soundings: unknown;
    language?: unknown;
    fields?: unknown;
  };
  if (soundings === 'ready' || soundings === 'sent') return { soundings };
  if (soundings === 'language') {
    const known = surveyLanguages.find((one) => one === language);
    return known === undefined ? null : { soundings, language: known };
  }
  const isField = (one: unknown): boolean =>
    Array.isArray(one) &&
    typeof one[0] === 'string' &&
    Array.isArray(one[1]) &&
    one[1].every((value) => typeof value === 'string');
  if (soundings === 'answers' && Array.isArray(fields) && fields.length <= fieldsMax && fields.every(isField))
    return { soundings, fields: fields as PreviewFields };
  return null;
}

function Scores(): JSX.Element | null {
  const editor = useEditor();
  const { t } = editorTexts;
  const prepared = editor.prepared.value;
  if (prepared === null) return null;
  const { latents, rating, asked, questions, missing } = liveScores(prepared, editor.fields.value);
  return (
    <div class="stack" aria-live="polite">
      <h3>{t.scores}</h3>
      <p class="hint">
        {fill(t.askedOf, { asked, all: questions })} {missing > 0 && counted(t.missingAnswers, missing)}
      </p>
      {prepared.rating !== null && (
        <p>
          {t.rating}
          {colon()}
          <strong>{rating === null ? t.noScore : number(rating)}</strong>
        </p>
      )}
      {latents.map((latent) => (
        <LatentScore key={latent.id} latent={latent} />
      ))}
    </div>
  );
}

function number(value: number, digits = 2): string {
  return value.toLocaleString(spokenLanguage, { maximumFractionDigits: digits });
}

function LatentScore({ latent: { name, score, questions } }: { readonly latent: LiveLatent }): JSX.Element {
  const { t } = editorTexts;
  const cell = (value: number | null, digits = 2): string => (value === null ? '' : number(value, digits));
  return (
    <details>
      <summary>
        {name}
        {colon()}
        <strong>{score === null ? t.noScore : number(score, 1)}</strong>
      </summary>
      <DataTable
        caption={name}
        rows={questions}
        keyOf={({ id }) => id}
        columns={[
          { title: t.question, isHead: true, cell: ({ id }) => id },
          {
            title: t.trace.value,
            isNumber: true,
            cell: ({ state, value }) => (state === 'counted' ? cell(value) : t.states[state]),
          },
          { title: t.trace.normalised, isNumber: true, cell: ({ normalised }) => cell(normalised, 1) },
          { title: t.trace.weight, isNumber: true, cell: ({ weight }) => cell(weight) },
          {
            title: t.trace.share,
            isNumber: true,
            cell: ({ share }) => (share === null ? '' : `${number(share * 100, 0)} %`),
          },
          { title: t.trace.contribution, isNumber: true, cell: ({ contribution }) => cell(contribution, 1) },
        ]}
      />
    </details>
  );
}
