// How people get to a survey: its link, QR code and poster, the line for a site, invitations. It waits for the first response.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { sharePreload } from '../../../src/domain/console/page-preload/surveys.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { type EmbedMode, embedAttributes, embedModes } from '../../../src/domain/pages/embed-line.ts';
import { agoText } from '../../formats.ts';
import { parameter } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { CopyButton } from '../../frame/copy.tsx';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { pagePlace } from '../../frame/view.ts';
import type { PageProps } from '../loaders.ts';
import { Invitations } from './invitations.tsx';
import {
  Check,
  placeOf,
  QrCode,
  type SharedSurvey,
  type SourcePlace,
  StateBadge,
  toResults,
  toShare,
  toSurvey,
} from './parts.tsx';
import { Poster } from './poster.tsx';
import { counted, languageName, numberText, surveyTexts } from './texts.ts';

export const texts = [surveyTexts];

export default function Share({ params }: PageProps): JSX.Element {
  const { t } = surveyTexts;
  const place = placeOf(params);
  const answer = useAnswer(...sharePreload(pagePlace(params)).share);
  const { data } = answer;
  const poster = parameter('poster');
  if (poster !== null && data !== null && data.qr !== null)
    return <Poster survey={data} place={place} language={poster} />;
  return (
    <>
      <Heading
        title={data === null ? t.share : t.shareTitle(data.name)}
        over={
          <>
            <a href={pathOf('surveys')}>{t.title}</a> / <a href={toSurvey(place)}>{t.versionsTitle}</a>
          </>
        }
      >
        {data !== null && (
          <p class="row">
            <StateBadge state={data.state} />
            <span class="hint">
              {t.version(data.version)} · {counted(t.responsesOf, data.responses)}
            </span>
          </p>
        )}
      </Heading>
      {data === null ? (
        <Panel title={t.linkTitle} answer={answer} />
      ) : (
        <>
          <FirstResponse survey={data} place={place} />
          {data.page.link === null ? (
            <Panel title={t.privateTitle} lead={t.privateLead} />
          ) : (
            <div class="grid">
              <LinkPanel survey={data} place={place} link={data.page.link} />
              <EmbedPanel survey={data} />
            </div>
          )}
          <Invitations survey={data} place={place} />
        </>
      )}
    </>
  );
}

/** Waits while there is none; what is here when it comes turns green by itself. */
function FirstResponse({
  survey,
  place,
}: {
  readonly survey: SharedSurvey;
  readonly place: SourcePlace;
}): JSX.Element {
  const { t } = surveyTexts;
  const { state, responses, lastResponse } = survey;
  const hasWaited = useRef(false);
  useEffect(() => {
    if (responses === 0) hasWaited.current = true;
  }, [responses]);
  const isOpen = state === 'open' || state === 'invited';
  return (
    <div aria-live="polite">
      {!isOpen ? (
        <div class="bad">
          <p>{t.notOpen[state]}</p>
          <p>
            <a href={toSurvey(place)}>{t.toVersions}</a>
          </p>
        </div>
      ) : responses === 0 ? (
        <div class="panel waiting">
          <p class="row">
            <span class="pulse" aria-hidden="true" />
            <strong>{t.waiting}</strong>
          </p>
          <p class="hint">{t.waitingLead}</p>
        </div>
      ) : (
        <div class="good row between arrived">
          <p>
            {hasWaited.current ? <strong>✓ {t.arrived}</strong> : null}
            {!hasWaited.current &&
              lastResponse !== null &&
              t.arrivedAlready(numberText(responses), agoText(lastResponse))}
          </p>
          <a class="button" href={toResults(place)}>
            {t.toResults}
          </a>
        </div>
      )}
    </div>
  );
}

function LinkPanel({
  survey,
  place,
  link,
}: {
  readonly survey: SharedSurvey;
  readonly place: SourcePlace;
  readonly link: string;
}): JSX.Element {
  const { t } = surveyTexts;
  const [language, setLanguage] = useState('');
  const whole = language === '' ? link : `${link}?lang=${language}`;
  const stays = survey.page.name === survey.surveyId ? t.linkOfVersion : t.linkStays;
  return (
    <Panel title={t.linkTitle} lead={`${t.linkLead} ${stays}`}>
      <p class="row">
        <code>{whole}</code>
      </p>
      <p class="row">
        <CopyButton text={whole} />
        <a class="button small" href={whole} target="_blank" rel="noreferrer">
          {t.openPage}
        </a>
      </p>
      <LanguageField survey={survey} language={language} onChange={setLanguage} />
      {survey.isLocal && <p class="hint">{t.isLocal}</p>}
      {survey.qr !== null && (
        <div class="row qr">
          <QrCode qr={survey.qr} label={t.qrAlt} />
          <div class="stack">
            <h3>{t.qrTitle}</h3>
            <a
              class="button small"
              href={`/console/api/surveys/${pathOfKind[place.kind]}/${place.key}/qr.svg`}
              download
            >
              {t.qrDownload}
            </a>
            <a
              class="button small"
              href={`${toShare(place)}?poster=${language || survey.titles[0]?.language}`}
            >
              {t.poster}
            </a>
          </div>
        </div>
      )}
    </Panel>
  );
}

/** Which of its languages the survey begins in; nothing where it has one. */
function LanguageField({
  survey,
  language,
  onChange,
}: {
  readonly survey: SharedSurvey;
  readonly language: string;
  readonly onChange: (language: string) => void;
}): JSX.Element | null {
  const { t } = surveyTexts;
  if (survey.titles.length < 2) return null;
  return (
    <Field label={t.language}>
      {(ids) => (
        <select {...ids} value={language} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">{t.anyLanguage}</option>
          {survey.titles.map(({ language: tag }) => (
            <option value={tag}>{languageName(tag)}</option>
          ))}
        </select>
      )}
    </Field>
  );
}

function EmbedPanel({ survey }: { readonly survey: SharedSurvey }): JSX.Element {
  const { t } = surveyTexts;
  const [mode, setMode] = useState<EmbedMode>(survey.kind === 'project' ? 'badge' : 'popover');
  const [target, setTarget] = useState('#survey');
  const [language, setLanguage] = useState('');
  const [isFramed, setFramed] = useState(false);
  const [asksConsent, setConsent] = useState(false);
  const attributes = embedAttributes({
    ...{ base: survey.page.base, name: survey.page.name, mode, isFramed, target, asksConsent },
    ...(language === '' ? {} : { language }),
  });
  const line = `<script ${attributes} async></script>`;
  return (
    <Panel title={t.embedTitle} lead={t.embedLead}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0} class="wrapped">
        <code>{line}</code>
      </pre>
      <p class="row">
        <CopyButton text={line} />
      </p>
      <Field label={t.mode}>
        {(ids) => (
          <select
            {...ids}
            value={mode}
            onChange={({ currentTarget }) => setMode(currentTarget.value as EmbedMode)}
          >
            {embedModes.map((one) => (
              <option value={one}>{t.modes[one]}</option>
            ))}
          </select>
        )}
      </Field>
      {mode === 'inline' && (
        <Field label={t.target}>
          {(ids) => (
            <input
              {...ids}
              value={target}
              maxLength={200}
              onInput={({ currentTarget }) => setTarget(currentTarget.value)}
            />
          )}
        </Field>
      )}
      <LanguageField survey={survey} language={language} onChange={setLanguage} />
      <Check label={t.framed} isOn={isFramed} onChange={setFramed} />
      <Check label={t.consent} isOn={asksConsent} onChange={setConsent} />
      {survey.origins.length > 0 && <p class="hint">{t.originsAre(survey.origins.join(', '))}</p>}
    </Panel>
  );
}
