// How questions were answered: bars that can be clicked, for each version by itself.

import type { JSX } from 'preact';
import { numberText, shareText } from '../../formats.ts';
import { isFixed } from '../../frame/address.ts';
import type { Answer } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import {
  type Distribution,
  isWithheld,
  type QuestionDistribution,
  type VersionDistribution,
} from './figures.ts';
import { type Bar, Bars, Honesty, WithTable } from './parts.tsx';
import { type ViewRequest, viewPaths } from './source-page.tsx';
import { insightTexts } from './texts.ts';

interface AnswersPanelProps {
  readonly request: ViewRequest;
  readonly title: string;
  readonly lead?: string;
  readonly answer: Answer<Distribution>;
  readonly isIn: (question: QuestionDistribution) => boolean;
}

export function AnswersPanel({ request, title, lead, answer, isIn }: AnswersPanelProps): JSX.Element | null {
  const { data } = answer;
  const questions = (data?.questions ?? []).filter(
    (question) => isIn(question) && question.versions.length > 0,
  );
  if (data !== null && questions.length === 0) return null;
  return (
    <Panel
      title={title}
      lead={isFixed.value || lead === undefined ? undefined : <span class="use">{lead}</span>}
      answer={answer}
      {...viewPaths(request)}
    >
      <div class="questions">
        {questions.map((question) => (
          <Question key={`${question.id} ${question.responseType}`} question={question} />
        ))}
      </div>
      {data !== null && <Honesty answer={data} isWithheld={questions.some(hasWithheld)} />}
    </Panel>
  );
}

function hasWithheld({ versions }: QuestionDistribution): boolean {
  return versions.some((version) => isWithheld(version) || version.answers?.some(isWithheld));
}

function Question({ question }: { readonly question: QuestionDistribution }): JSX.Element {
  const { t } = insightTexts;
  const { name, phrase, versions } = question;
  // The newest one is what people look for; versions are never added up.
  const [newest, ...earlier] = versions.toReversed();
  return (
    <section aria-label={phrase === '' ? name : phrase}>
      <h3>{phrase === '' ? name : phrase}</h3>
      <Version question={question} version={newest!} isNamed={earlier.length > 0} />
      {earlier.length > 0 && (
        <details>
          <summary>{t.earlier}</summary>
          {earlier.map((version) => (
            <Version key={version.version} question={question} version={version} isNamed />
          ))}
        </details>
      )}
    </section>
  );
}

interface VersionProps {
  readonly question: QuestionDistribution;
  readonly version: VersionDistribution;
  readonly isNamed: boolean;
}

function Version({ question, version, isNamed }: VersionProps): JSX.Element {
  const { t } = insightTexts;
  const named = isNamed ? `${t.version(version.version)}: ` : '';
  const { asked, answered, mean, answers } = version;
  if (asked === undefined || answered === undefined)
    return (
      <p class="hint">
        {named}
        {t.withheld}
      </p>
    );
  const facts = `${named}${t.answered(numberText(answered), numberText(asked))}${
    mean === null || mean === undefined ? '' : `, ${t.average(numberText(mean, 2))}`
  }`;
  if (answers === undefined)
    return (
      <p class="hint">
        {named}
        {t.texts(numberText(answered))}
      </p>
    );
  const bars = answers.map((answer): Bar => {
    const count = answer.count ?? null;
    return {
      key: answer.id,
      text: answer.text,
      count,
      share: count === null ? null : answered === 0 ? 0 : count / answered,
      filter: [`question:${question.id}`, answer.id],
    };
  });
  const most = bars.reduce<Bar | null>(
    (best, one) => ((one.share ?? 0) > (best?.share ?? 0) ? one : best),
    null,
  );
  // A scale is drawn upright; of its answers at most one is no number.
  const words = bars.filter(({ text }) => !/^-?\d+$/.test(text));
  const isScale = bars.length > 5 && words.length <= 1;
  return (
    <WithTable
      sentence={
        <span class="hint">
          {facts}. {most !== null && t.shareSentence(most.text, shareText(most.share ?? 0))}{' '}
          {isScale && words.map(({ text }) => t.dontKnow(text))}
        </span>
      }
      table={() => (
        <DataTable
          caption={question.name}
          rows={bars}
          columns={[
            { title: t.answer, isHead: true, cell: ({ text }) => text },
            {
              title: t.share,
              isNumber: true,
              cell: ({ share }) => (share === null ? t.withheld : shareText(share, 1)),
            },
            {
              title: t.responses,
              isNumber: true,
              cell: ({ count }) => (count === null ? '–' : numberText(count)),
            },
          ]}
        />
      )}
    >
      <Bars bars={bars} isUpright={isScale} />
    </WithTable>
  );
}
