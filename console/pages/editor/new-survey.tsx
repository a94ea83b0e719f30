// A new survey: what it is for, and what it begins with. The rest is done in the editor.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { newSurveyPreload } from '../../../src/domain/console/page-preload/surveys.ts';
import { pathOfKind, type SourceKind } from '../../../src/domain/feedback/source-kind.ts';
import {
  type StarterName,
  starterFile,
  starterNames,
  starterPlaces,
} from '../../../src/domain/feedback/starters.ts';
import { call, Refusal } from '../../call.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { go } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { session } from '../../frame/session.ts';
import { language } from '../../language.ts';
import { forgetDraft, keepDraft, keptDrafts } from './kept-drafts.ts';
import { copyOf, newSource } from './starters.ts';
import { editorTexts, faultTexts } from './texts.ts';

export const texts = [faultTexts, editorTexts];

const kinds = ['measure', 'project'] as const;
const begins = ['starter', 'empty', 'copy'] as const;

export default function NewSurvey(): JSX.Element {
  const { t } = editorTexts;
  const [kind, setKind] = useState<SourceKind>('measure');
  const [begin, setBegin] = useState<(typeof begins)[number]>('starter');
  const [starter, setStarter] = useState<StarterName>('satisfaction');
  const [copied, setCopied] = useState('');
  const [name, setName] = useState('');
  const doing = useDoing();
  const sources = useAnswer(...newSurveyPreload().sources);
  const accountId = session.value.account?.id ?? 0;
  const [unfinished, setUnfinished] = useState(() => keptDrafts(accountId));
  const offered = starterNames.filter((one) => starterPlaces[one].kind === kind);
  const chosen = offered.includes(starter) ? starter : offered[0]!;
  const ofKind = sources.data?.[`${kind}s`] ?? [];

  const start = async (): Promise<undefined> => {
    const { key } = await call('GET /surveys/free-key', { query: { kind } });
    if (key === null) throw new Refusal(409, { code: 'CONFLICT' });
    const called = name.trim() === '' ? t.starterNames[chosen] : name.trim();
    const begun =
      begin === 'copy'
        ? (
            await call(`GET /surveys/${pathOfKind[kind]}/:key/document`, {
              params: { key: copied || (ofKind[0]?.key ?? '') },
            })
          ).document
        : begin === 'starter'
          ? starterOf(chosen)
          : null;
    const document = begun === null ? newSource(kind, key, called) : copyOf(begun, kind, key, called);
    keepDraft({ accountId, kind, key }, { base: null, document, text: null });
    go(`/console/surveys/${kind}s/${key}/edit`);
  };

  return (
    <>
      <Heading title={t.newTitle} over={<a href="/console/surveys">{t.surveys}</a>}>
        <p class="lead">{t.newLead}</p>
      </Heading>
      {unfinished.length > 0 && (
        <Panel title={t.unfinished}>
          <ul class="list">
            {unfinished.map(({ kind: of, key, draft }) => (
              <li key={`${of} ${key}`}>
                <a href={`/console/surveys/${of}s/${key}/edit`}>
                  {String((draft.document as { name?: unknown }).name ?? key)}
                </a>
                <span class="hint">{new Date(draft.savedAt).toLocaleString(language)}</span>
                <button
                  type="button"
                  class="quiet small"
                  aria-label={`${t.discard}: ${String((draft.document as { name?: unknown }).name ?? key)}`}
                  onClick={() => {
                    forgetDraft({ accountId, kind: of, key });
                    setUnfinished(keptDrafts(accountId));
                  }}
                >
                  {t.discard}
                </button>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <section class="panel new-survey" aria-label={t.newTitle}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void doing.run(start);
          }}
        >
          <fieldset class="bare">
            <legend>{t.whatFor}</legend>
            {kinds.map((one) => (
              <label class="check" key={one}>
                <input type="radio" name="kind" checked={kind === one} onChange={() => setKind(one)} />
                <span>
                  <strong>{t.kindNames[one]}</strong> <span class="hint">{t.kindHints[one]}</span>
                </span>
              </label>
            ))}
          </fieldset>
          <fieldset class="bare">
            <legend>{t.beginWith}</legend>
            {begins.map((one) => (
              <label class="check" key={one}>
                <input
                  type="radio"
                  name="begin"
                  checked={begin === one}
                  disabled={one === 'copy' && ofKind.length === 0}
                  onChange={() => setBegin(one)}
                />
                <span>{t.begins[one]}</span>
              </label>
            ))}
          </fieldset>
          {begin === 'starter' && (
            <Field label={t.begins.starter}>
              {(ids) => (
                <select
                  {...ids}
                  value={chosen}
                  onChange={({ currentTarget }) => setStarter(currentTarget.value as StarterName)}
                >
                  {offered.map((one) => (
                    <option key={one} value={one}>
                      {t.starterNames[one]}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          {begin === 'copy' && (
            <Field label={t.copyOf}>
              {(ids) => (
                <select
                  {...ids}
                  value={copied}
                  onChange={({ currentTarget }) => setCopied(currentTarget.value)}
                >
                  {ofKind.map((one) => (
                    <option key={one.key} value={String(one.key)}>
                      {one.name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
          )}
          <Field label={t.nameIt}>
            {(ids) => (
              <input
                {...ids}
                type="text"
                value={name}
                placeholder={t.starterNames[chosen]}
                maxLength={200}
                autocomplete="off"
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            )}
          </Field>
          <Outcome doing={doing} />
          <p>
            <button type="submit" class="primary" aria-busy={doing.isBusy}>
              {t.begin}
            </button>
          </p>
        </form>
      </section>
    </>
  );
}

/** As the starter's file has it. */
function starterOf(name: StarterName): unknown {
  const file = starterFile(name, { account: { id: 1, name: '' }, language, mark: '' });
  const { accounts } = JSON.parse(file) as {
    readonly accounts: readonly {
      readonly measures?: readonly unknown[];
      readonly projects?: readonly unknown[];
    }[];
  };
  return accounts[0]?.measures?.[0] ?? accounts[0]?.projects?.[0];
}
