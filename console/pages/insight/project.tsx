// A feedback project: its rating and course, the stars that were given, topics, the worst pages, groups, times and comments.

import type { JSX } from 'preact';
import { projectPreload } from '../../../src/domain/console/page-preload/figures.ts';
import { colon, numberText, shareText } from '../../formats.ts';
import { type Answer, useAnswer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import type { PageProps } from '../loaders.ts';
import { AnswersPanel } from './answers-panel.tsx';
import { BreakdownPanel } from './breakdown-panel.tsx';
import { CommentsPanel } from './comments-panel.tsx';
import { isShown, type ProjectTrend, type SourceFacts, type Topic, type Topics } from './figures.ts';
import { type Bar, Bars, Change, Honesty, Mean, scaleText, Whisker, WithTable } from './parts.tsx';
import { SourceHeading, type SourceOf, type ViewRequest, viewInput, viewPaths } from './source-page.tsx';
import { insightTexts } from './texts.ts';
import { TimesPanel } from './times-panel.tsx';
import { type Course, TrendPanel } from './trend-panel.tsx';
import { digitsOf, saidChange, signedText } from './words.ts';

export const texts = [insightTexts];

const usualScale = { min: 1, max: 5 };
const digits = digitsOf.project;

export default function Project({ params }: PageProps): JSX.Element {
  const { t } = insightTexts;
  const of: SourceOf = { kind: 'project', key: params.key ?? '' };
  const requests = projectPreload(pagePlace(params));
  const facts = useAnswer(...requests.facts);
  const trend = useAnswer(...requests.trend);
  const distribution = useAnswer(...requests.distribution);
  const topics = useAnswer(...requests.topics);
  const scale = facts.data?.rating?.scale ?? usualScale;
  const topicIds = new Set(
    (facts.data?.questions ?? []).filter(({ role }) => role === 'topic').map(({ id }) => id),
  );
  const ratingIds = new Set(
    (facts.data?.questions ?? []).filter(({ role }) => role === 'rating').map(({ id }) => id),
  );
  return (
    <>
      <SourceHeading of={of} facts={facts} />
      <TrendPanel of={of} request={requests.trend} answer={trend} course={courseOf(trend.data, facts.data)} />
      <div class="grid">
        <AnswersPanel
          request={requests.distribution}
          title={t.ratings}
          answer={distribution}
          isIn={({ id }) => ratingIds.has(id)}
        />
        <TopicsPanel request={requests.topics} answer={topics} scale={scale} />
      </div>
      <AnswersPanel
        request={requests.distribution}
        title={t.answers}
        lead={t.answersLead}
        answer={distribution}
        isIn={({ id }) => !ratingIds.has(id) && !topicIds.has(id)}
      />
      <div class="grid">
        <PagesPanel of={of} />
        <CommentsPanel of={of} facts={facts.data} latent={null} />
      </div>
      <BreakdownPanel of={of} facts={facts.data} latent={null} scale={scale} />
      <TimesPanel request={requests.distribution} answer={distribution} />
    </>
  );
}

function courseOf(trend: ProjectTrend | null, facts: SourceFacts | null): Course | null {
  if (trend === null || facts === null) return null;
  const { rating } = facts;
  return {
    id: 'rating',
    name: insightTexts.t.rating,
    trend: trend.rating,
    joined: rating?.joined ?? [],
    scale: rating?.scale ?? usualScale,
  };
}

interface TopicsPanelProps {
  readonly request: ViewRequest;
  readonly answer: Answer<Topics>;
  readonly scale: { readonly min: number; readonly max: number };
}

function TopicsPanel({ request, answer }: TopicsPanelProps): JSX.Element {
  const { t } = insightTexts;
  const { data } = answer;
  return (
    <Panel title={t.topics} answer={answer} {...viewPaths(request)}>
      {data !== null && <TopicList answer={data} />}
    </Panel>
  );
}

function TopicList({ answer }: { readonly answer: Topics }): JSX.Element {
  const { t } = insightTexts;
  const { topics, other, withheld } = answer;
  const named = topics.filter(({ entries }) => entries > 0);
  if (named.length === 0) return <p class="empty">{t.topicsNone}</p>;
  const bars = named.map(
    ({ question, id, text, entries, share }): Bar => ({
      key: `${question} ${id ?? text}`,
      text,
      count: entries,
      share: share ?? 0,
      filter: ['topic', id ?? text],
    }),
  );
  const [first] = named;
  return (
    <>
      <WithTable
        sentence={t.topicsSentence(first!.text, shareText(first!.share ?? 0))}
        table={() => <TopicTable topics={named} />}
      >
        <Bars bars={bars} />
      </WithTable>
      <TopicChanges topics={named} />
      {other !== null && <p class="hint">{t.otherTopics(numberText(other.count))}</p>}
      {withheld !== null && (
        <p class="hint">{t.topicsWithheld(numberText(withheld.topics), numberText(withheld.count))}</p>
      )}
      <Honesty answer={answer} isWithheld={withheld !== null || named.some((topic) => !isShown(topic))} />
    </>
  );
}

/** Those that clearly changed. */
function TopicChanges({ topics }: { readonly topics: readonly Topic[] }): JSX.Element | null {
  const { t } = insightTexts;
  const changed = topics.filter(({ change }) =>
    [change?.share, change?.rating].some((one) => one != null && one.change !== 'unclear'),
  );
  if (changed.length === 0) return null;
  return (
    <ul class="plain">
      {changed.map((topic) => (
        <li key={topic.id ?? topic.text} class="row">
          <span>
            {topic.text}
            {colon()}
          </span>
          {topic.change?.share != null && topic.change.share.change !== 'unclear' && (
            <span class="row">
              {t.share} <Change change={shareChange(topic)} />
            </span>
          )}
          {topic.change?.rating != null && topic.change.rating.change !== 'unclear' && (
            <span class="row">
              {t.rating} <Change change={ratingChange(topic)} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function shareChange({ change }: Topic) {
  return change?.share == null ? null : saidChange(change.share, (value) => signedText(value * 100, 1));
}

function ratingChange({ change }: Topic) {
  return change?.rating == null ? null : saidChange(change.rating, (value) => signedText(value, digits));
}

function TopicTable({ topics }: { readonly topics: readonly Topic[] }): JSX.Element {
  const { t } = insightTexts;
  return (
    <DataTable
      caption={t.topics}
      rows={topics}
      columns={[
        { title: t.topic, isHead: true, cell: ({ text }) => text },
        { title: t.share, isNumber: true, cell: ({ share }) => (share === null ? '–' : shareText(share, 1)) },
        { title: t.shareChange, cell: (topic) => <Change change={shareChange(topic)} /> },
        { title: t.rating, isNumber: true, cell: (topic) => <Mean figures={topic} digits={digits} /> },
        { title: t.ratingChange, cell: (topic) => <Change change={ratingChange(topic)} /> },
        { title: t.responses, isNumber: true, cell: ({ entries }) => numberText(entries) },
      ]}
    />
  );
}

const pagesShown = '10';

/** They are found by looking through the entries, so they come by a request of their own. */
function PagesPanel({ of }: { readonly of: SourceOf }): JSX.Element {
  const { t } = insightTexts;
  const request = ['GET /projects/:key/topics', viewInput(of, { pages: pagesShown })] as const;
  const answer = useAnswer(...request);
  const { data } = answer;
  const pages = data?.pages ?? [];
  return (
    <Panel title={t.pages} lead={t.pagesLead} answer={answer} {...viewPaths(request)}>
      <DataTable
        caption={t.pages}
        rows={pages}
        keyOf={({ url }) => url}
        empty={t.pagesNone}
        columns={[
          {
            title: t.page,
            isHead: true,
            cell: ({ url }) => <PageName url={url} />,
          },
          { title: t.rating, isNumber: true, cell: (page) => <Mean figures={page} digits={digits} /> },
          { title: scaleText(usualScale), cell: (page) => <Whisker figures={page} scale={usualScale} /> },
          {
            title: 'n',
            isNumber: true,
            cell: ({ count }) => (count === undefined ? '–' : numberText(count)),
          },
        ]}
      />
      {data !== null && data.pagesComplete === false && (
        <Honesty answer={{ ...data, complete: false, covered: data.pagesCovered ?? null }} />
      )}
    </Panel>
  );
}

/** It breaks behind a slash, where it must. */
function PageName({ url }: { readonly url: string }): JSX.Element {
  const parts = url.replace(/^https?:\/\//, '').split('/');
  return (
    <span class="cut" title={url}>
      {parts.map((part, at) => (
        <>
          {part}
          {at < parts.length - 1 && (
            <>
              /<wbr />
            </>
          )}
        </>
      ))}
    </span>
  );
}
