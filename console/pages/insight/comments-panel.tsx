// The newest comments, for whoever may read them.

import type { JSX } from 'preact';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { agoText, momentText, numberText } from '../../formats.ts';
import { carriedQuery } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { can } from '../../frame/session.ts';
import type { Comment, SourceFacts } from './figures.ts';
import { type SourceOf, viewInput, viewPaths } from './source-page.tsx';
import { insightTexts } from './texts.ts';

const shownCount = '6';

interface CommentsPanelProps {
  readonly of: SourceOf;
  readonly facts: SourceFacts | null;
  readonly latent: string | null;
}

export function CommentsPanel({ of, facts, latent }: CommentsPanelProps): JSX.Element | null {
  const { t } = insightTexts;
  const isRead = can('see responses') && facts?.hasTexts === true;
  const request = [
    `GET /${pathOfKind[of.kind]}/:key/comments`,
    viewInput(of, { limit: shownCount }),
  ] as const;
  const answer = useAnswer(request[0], isRead ? request[1] : null);
  if (!isRead) return null;
  const params = { kind: pathOfKind[of.kind], key: of.key };
  const query = carriedQuery();
  const { data } = answer;
  return (
    <Panel
      title={t.comments}
      answer={answer}
      api={viewPaths(request).api}
      actions={
        <a class="button quiet small" href={pathOf('comments', params) + query}>
          {t.allComments}
        </a>
      }
    >
      {data !== null && data.items.length === 0 && <p class="empty">{t.commentsNone}</p>}
      <ul class="comments">
        {data?.items.map(({ id, responseTime, question, text, scores, rating, topic }: Comment) => {
          const score =
            scores?.find((one) => one.id === latent)?.score ?? (typeof rating === 'number' ? rating : null);
          return (
            <li key={`${id} ${question}`}>
              <p>{text}</p>
              <p class="hint row">
                {score !== null && <span class="badge">{numberText(score, 0)}</span>}
                {topic != null && <span>{topic}</span>}
                <a href={pathOf('response', { ...params, id }) + query}>
                  <span class="unseen">{t.openResponse}: </span>
                  <time dateTime={responseTime} title={momentText(responseTime)}>
                    {agoText(responseTime)}
                  </time>
                </a>
              </p>
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
