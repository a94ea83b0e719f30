// Surveys to begin with: one click publishes one, and leads to where it is shared and waits for its first response.

import type { JSX } from 'preact';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { type AnswerTo, call } from '../../call.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { go } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { language } from '../../language.ts';
import { toShare, toSurvey } from './parts.tsx';
import { surveyTexts } from './texts.ts';

type Starter = AnswerTo<'GET /starters'>['items'][number];

/** To be loaded before it is drawn. */
export const startersTexts = surveyTexts;

export function Starters(): JSX.Element {
  const { t } = surveyTexts;
  const { data } = useAnswer('GET /starters');
  const doing = useDoing();
  const publish = (starter: Starter): Promise<boolean> =>
    doing.run(async () => {
      const place = await call('POST /starters/:name', {
        params: { name: starter.name },
        body: { language },
      });
      forget('/surveys', '/starters', '/overview', '/sources');
      go(toShare(place));
      return undefined;
    });
  return (
    <div class="stack">
      <ul class="starters">
        {(data?.items ?? []).map((starter) => (
          <li key={starter.name} class="stack">
            <h3>{t.starters[starter.name].title}</h3>
            <p class="hint">{t.starters[starter.name].text}</p>
            <StarterButton starter={starter} isBusy={doing.isBusy} publish={() => publish(starter)} />
          </li>
        ))}
      </ul>
      <Outcome doing={doing} />
      <p>
        <a href={pathOf('new-survey')}>{t.startOwn}</a>
      </p>
    </div>
  );
}

function StarterButton({
  starter,
  isBusy,
  publish,
}: {
  readonly starter: Starter;
  readonly isBusy: boolean;
  readonly publish: () => unknown;
}): JSX.Element {
  const { t } = surveyTexts;
  const { title } = t.starters[starter.name];
  if (starter.state === 'published')
    return (
      <p class="row">
        <span class="badge">{t.published}</span>
        <a href={toShare(starter)} aria-label={`${t.share}: ${title}`}>
          {t.share}
        </a>
      </p>
    );
  if (starter.state === 'taken') return <a href={toSurvey(starter)}>{t.taken}</a>;
  return (
    <p>
      <button
        type="button"
        class="primary"
        aria-busy={isBusy}
        onClick={publish}
        aria-label={`${t.startWith}: ${title}`}
      >
        {t.startWith}
      </button>
    </p>
  );
}
