// All surveys of the account.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { surveysPreload } from '../../../src/domain/console/page-preload/surveys.ts';
import { type AnswerTo, call } from '../../call.ts';
import { agoText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { useAnswer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { StateBadge, toResults, toShare, toSurvey } from './parts.tsx';
import { Starters } from './starters.tsx';
import { languageName, numberText, surveyTexts } from './texts.ts';

export const texts = [surveyTexts];

type SurveyPage = AnswerTo<'GET /surveys'>;
type ListedSurvey = SurveyPage['items'][number];

export default function Surveys(): JSX.Element {
  const { surveys: first } = surveysPreload();
  const { t } = surveyTexts;
  const answer = useAnswer(...first);
  const [further, setFurther] = useState<SurveyPage>({ items: [], next: null });
  const doing = useDoing();
  const { data } = answer;
  const items = [...(data?.items ?? []), ...further.items];
  const next = further.items.length > 0 ? further.next : (data?.next ?? null);
  const more = (): Promise<boolean> =>
    doing.run(async () => {
      if (next === null) return undefined;
      const page = await call('GET /surveys', { query: { ...first[1].query, after: next } });
      setFurther({ items: [...further.items, ...page.items], next: page.next });
      return undefined;
    });
  return (
    <>
      <Heading
        title={t.title}
        actions={
          <a class="button primary" href={pathOf('new-survey')}>
            {t.newSurvey}
          </a>
        }
      >
        <p class="lead">{t.lead}</p>
      </Heading>
      {data !== null && items.length === 0 ? (
        <Panel title={t.nothingYet}>
          <Starters />
        </Panel>
      ) : (
        <Panel
          title={t.listOf(numberText(items.length) + (next === null ? '' : '+'))}
          answer={answer}
          api="/v1/measures"
        >
          <List items={items} />
          {next !== null && (
            <p>
              <button type="button" onClick={more} aria-busy={doing.isBusy}>
                {t.more}
              </button>
            </p>
          )}
          <Outcome doing={doing} />
        </Panel>
      )}
    </>
  );
}

function List({ items }: { readonly items: readonly ListedSurvey[] }): JSX.Element {
  const { t } = surveyTexts;
  return (
    <DataTable
      caption={t.title}
      rows={items}
      keyOf={({ kind, key }) => `${kind} ${key}`}
      columns={[
        {
          title: t.columns.survey,
          isHead: true,
          cell: (survey) => (
            <>
              <a href={toSurvey(survey)}>{survey.name}</a>
              <p class="hint">
                {t.kinds[survey.kind]}
                {survey.title !== null && ` · ${survey.title}`}
              </p>
            </>
          ),
        },
        { title: t.columns.state, cell: ({ state }) => <StateBadge state={state} /> },
        {
          title: t.columns.responses,
          isNumber: true,
          cell: (survey) =>
            survey.responses === 0 ? (
              <span class="hint">{t.never}</span>
            ) : (
              <a href={toResults(survey)}>{numberText(survey.responses)}</a>
            ),
        },
        {
          title: t.columns.last,
          cell: ({ lastResponse }) => (lastResponse === null ? '' : agoText(lastResponse)),
        },
        {
          title: t.columns.refused,
          isNumber: true,
          cell: ({ refusedToday }) =>
            refusedToday === 0 ? '0' : <a href={pathOf('refused')}>{numberText(refusedToday)}</a>,
        },
        { title: t.columns.versions, isNumber: true, cell: ({ versions }) => numberText(versions) },
        {
          title: t.columns.languages,
          cell: ({ languages }) => languages.map((tag) => languageName(tag)).join(', '),
        },
        {
          title: t.share,
          isTitleUnseen: true,
          cell: (survey) =>
            survey.surveyId !== null && (
              <a class="button small" href={toShare(survey)} aria-label={`${t.share}: ${survey.name}`}>
                {t.share}
              </a>
            ),
        },
      ]}
    />
  );
}
