// One survey: its versions, what changed between them, and whether they can be answered.

import type { JSX } from 'preact';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { surveyPreload } from '../../../src/domain/console/page-preload/surveys.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { call } from '../../call.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { pagePlace } from '../../frame/view.ts';
import type { PageProps } from '../loaders.ts';
import {
  placeOf,
  type SourcePlace,
  StateBadge,
  type SurveyVersions,
  toEditor,
  toResults,
  toShare,
} from './parts.tsx';
import { counted, dayWords, languageName, numberText, surveyTexts } from './texts.ts';

type Version = SurveyVersions['versions'][number];
type Difference = Version['differences'][number];

export const texts = [surveyTexts];

export default function Survey({ params }: PageProps): JSX.Element {
  const { t } = surveyTexts;
  const place = placeOf(params);
  const { kind, key } = place;
  const answer = useAnswer(...surveyPreload(pagePlace(params)).survey);
  const { data } = answer;
  return (
    <>
      <Heading
        title={data?.name ?? t.versionsTitle}
        over={<a href={pathOf('surveys')}>{t.title}</a>}
        actions={
          <>
            <a class="button" href={toResults(place)}>
              {t.dashboard}
            </a>
            <a class="button" href={toEditor(place)}>
              {t.edit}
            </a>
            <a class="button primary" href={toShare(place)}>
              {t.share}
            </a>
          </>
        }
      >
        {data !== null && (
          <p class="row">
            <StateBadge state={data.state} />
            <span class="hint">
              {t.kinds[kind]} {key} · {t.made(dayWords(data.created))} ·{' '}
              {counted(t.responsesOf, data.responses)}
            </span>
          </p>
        )}
      </Heading>
      <Panel
        title={t.versionsTitle}
        lead={t.versionLead}
        answer={answer}
        api={`/v1/${pathOfKind[kind]}/${key}`}
      >
        <ol class="versions">
          {data?.versions.map((version, index) => (
            <li key={version.surveyId}>
              <OneVersion
                place={place}
                version={version}
                isFirst={index === data.versions.length - 1 && data.moreVersions === 0}
              />
            </li>
          ))}
        </ol>
        {data !== null && data.moreVersions > 0 && (
          <p class="hint">{t.moreVersions(numberText(data.moreVersions))}</p>
        )}
      </Panel>
    </>
  );
}

function OneVersion({
  place,
  version,
  isFirst,
}: {
  readonly place: SourcePlace;
  readonly version: Version;
  readonly isFirst: boolean;
}): JSX.Element {
  const { t } = surveyTexts;
  const { surveyId, closed, responses, firstDay, lastDay } = version;
  const change = async (): Promise<string> => {
    await call(`PUT /surveys/${pathOfKind[place.kind]}/:key/versions/:surveyId/closed`, {
      params: { key: place.key, surveyId },
      body: { closed: !closed },
    });
    forget('/surveys');
    return closed ? t.openNow : t.closedNow;
  };
  return (
    <div class="stack">
      <div class="row between">
        <h3 class="row">
          {t.version(version.version)} <code>{surveyId}</code>
          {version.current && <span class="badge">{t.current}</span>}
          {closed && <span class="badge off">{t.states.closed}</span>}
        </h3>
        <Confirm
          label={closed ? t.reopen : t.close}
          title={closed ? t.reopenTitle(surveyId) : t.closeTitle(surveyId)}
          question={closed ? t.reopenQuestion : t.closeQuestion}
          run={change}
        />
      </div>
      <p class="hint">
        {[
          responses === null ? t.counting : counted(t.responsesOf, responses),
          ...(firstDay === null || lastDay === null ? [] : [t.days(dayWords(firstDay), dayWords(lastDay))]),
          counted(t.questions, version.questions),
          version.public ? t.audience.public : t.audience.private,
          version.languages.map((tag) => languageName(tag)).join(', '),
        ].join(' · ')}
      </p>
      {isFirst ? <p class="hint">{t.firstVersion}</p> : <Differences version={version} />}
    </div>
  );
}

function Differences({ version }: { readonly version: Version }): JSX.Element {
  const { t } = surveyTexts;
  const { differences, moreDifferences } = version;
  if (differences.length === 0) return <p class="hint">{t.sameAsBefore}</p>;
  return (
    <details open={version.current}>
      <summary>{t.changesFrom}</summary>
      <ul>
        {differences.map((difference) => (
          <li key={`${difference.of} ${difference.id} ${difference.what}`}>{differenceWords(difference)}</li>
        ))}
        {moreDifferences > 0 && <li>{t.moreChanges(numberText(moreDifferences))}</li>}
      </ul>
    </details>
  );
}

/** "Question changed: “How was it?” (scale, weight)". */
function differenceWords({ what, of, id, name, members }: Difference): string {
  const { differences: words } = surveyTexts.t;
  if (what === 'moved') return words.questionsMoved;
  const called = of === 'language' ? languageName(id) : name;
  const changed = [...new Set(members.map((member) => words.members[member] ?? member))].join(', ');
  return `${words.of[of]}, ${words.what[what]}${called === '' ? '' : `: ${called}`}${changed === '' ? '' : ` (${changed})`}`;
}
