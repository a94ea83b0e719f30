// One response as it was asked: the questions of its version, what became of each and why, why it has its scores, what came with it, and
// the body as it was sent.

import type { JSX } from 'preact';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { responsePreload } from '../../../src/domain/console/page-preload/reading.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { completionBin } from '../../../src/domain/insight/completion-times.ts';
import { type AnswerTo, addressOf, call } from '../../call.ts';
import { colon, momentText, numberText, shareText } from '../../formats.ts';
import { carriedQuery } from '../../frame/address.ts';
import { type Answer, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { CopyButton } from '../../frame/copy.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { Problem } from '../../frame/problem.tsx';
import { can } from '../../frame/session.ts';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import type { OfEither } from '../insight/figures.ts';
import { insightTexts } from '../insight/texts.ts';
import type { PageProps } from '../loaders.ts';
import { sourceOfParams } from './parts.tsx';
import { readingTexts } from './texts.ts';

export const texts = [insightTexts, readingTexts];

type ShownResponse = OfEither<
  AnswerTo<'GET /measures/:key/responses/:responseId'>,
  AnswerTo<'GET /projects/:key/responses/:responseId'>
>;

type AskedResponse = AnswerTo<'GET /measures/:key/responses/:responseId/asked'>;
type AskedQuestion = AskedResponse['sections'][number]['questions'][number];
type AskedRule = NonNullable<AskedQuestion['rules']>[number];

type ScoreTrace = AnswerTo<'GET /measures/:key/responses/:responseId/trace'>;
type TracedLatent = ScoreTrace['latents'][number];

export default function Response({ params }: PageProps): JSX.Element {
  const { t } = readingTexts;
  const of = sourceOfParams(params);
  const requests = responsePreload(pagePlace(params));
  const facts = useAnswer(...requests.facts);
  const shown = useAnswer(...requests.response);
  const asked = useAnswer(...requests.asked);
  const trace = useAnswer(...requests.trace);
  const api = `/v1${addressOf(...requests.response)}`;
  const name = facts.data?.name ?? of.key;
  const carried = carriedQuery();
  const { data } = shown;
  const reload = async (): Promise<void> => {
    await Promise.all([shown.reload(), asked.reload(), trace.reload()]);
  };
  return (
    <>
      <Heading
        title={t.response}
        tab={`${t.response}: ${name}`}
        over={
          <>
            <a href={pathOf(of.kind, { key: of.key }) + carried}>{name}</a>
            {' · '}
            <a href={pathOf('responses', { kind: pathOfKind[of.kind], key: of.key }) + carried}>
              {t.responses}
            </a>
          </>
        }
        actions={
          can('erase responses') &&
          data !== null &&
          !data.erased && (
            <Confirm
              label={t.erase}
              title={t.eraseTitle}
              question={t.eraseQuestion}
              yes={t.eraseYes}
              isDangerous
              run={async () => {
                await call(`DELETE /${pathOfKind[of.kind]}/:key/responses/:responseId`, requests.response[1]);
                await reload();
                return t.erased;
              }}
            />
          )
        }
      >
        {data !== null && (
          <p class="row">
            <time dateTime={data.responseTime}>{momentText(data.responseTime)}</time>
            <span class="badge">{t.versionOf(data.version)}</span>
            <span class="hint">{t.position(numberText(data.position))}</span>
            <code class="hint">{data.id}</code>
          </p>
        )}
        {data?.erased === true && <p class="hint">{t.erasedNote}</p>}
        {shown.error != null && <Problem error={shown.error} retry={shown.reload} />}
      </Heading>
      {shown.error == null && (
        <>
          <AskedPanel answer={asked} />
          {of.kind === 'measure' && <TracePanel answer={trace} api={`${api}/trace`} />}
          <FactsPanel answer={shown} api={api} />
          {asked.data?.body != null && (
            <Panel title={t.body} actions={<CopyButton text={asked.data.body} />}>
              <details>
                <summary>JSON</summary>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
                <pre tabIndex={0}>
                  <code>{readable(asked.data.body)}</code>
                </pre>
              </details>
            </Panel>
          )}
        </>
      )}
    </>
  );
}

/** With line ends and indents, as nobody sends it, and with every number as it was sent: also one whose digits a number loses. */
function readable(body: string): string {
  const { rawJSON } = JSON as { readonly rawJSON?: (text: string) => unknown };
  const asSent = (_name: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' && rawJSON !== undefined && context?.source !== undefined
      ? rawJSON(context.source)
      : value;
  // Browsers before 2025 do not tell how a number was written.
  if (rawJSON === undefined && /\d{16}/.test(body)) return body;
  try {
    return JSON.stringify(JSON.parse(body, asSent as Parameters<typeof JSON.parse>[1]), null, 2);
  } catch {
    return body;
  }
}

function AskedPanel({ answer }: { readonly answer: Answer<AskedResponse> }): JSX.Element {
  const { t } = readingTexts;
  const all = answer.data?.sections.flatMap(({ questions }) => questions) ?? [];
  const byId = new Map(all.map((question) => [question.id, question]));
  return (
    <Panel title={t.asked} answer={answer}>
      {answer.data?.sections.map(({ title, questions }) => (
        <section class="stack">
          {title !== null && <h3>{title}</h3>}
          <ol class="reading asked">
            {questions.map((question) => (
              <AskedItem key={question.id} question={question} all={byId} />
            ))}
          </ol>
        </section>
      ))}
    </Panel>
  );
}

interface AskedItemProps {
  readonly question: AskedQuestion;
  /** Of all questions, by their ids. */
  readonly all: ReadonlyMap<string, AskedQuestion>;
}

/** Of a rule that does not hold. */
function ruleWords({ question, operator, answerText }: AskedRule, source: AskedQuestion | undefined): string {
  const { t } = readingTexts;
  const asked = t.quoted(source === undefined ? question : questionWords(source));
  if (source?.state === 'notAsked') return t.ruleNotAsked(asked);
  if (source?.state === 'unanswered') return t.ruleUnanswered(asked);
  return t.ruleFails[operator](asked, t.quoted(answerText));
}

function questionWords({ phrase, name }: AskedQuestion): string {
  return phrase === '' ? name : phrase;
}

function AskedItem({ question, all }: AskedItemProps): JSX.Element {
  const { t } = readingTexts;
  const { state, answers, scale, rules } = question;
  const isNotAsked = state === 'notAsked';
  return (
    <li class={isNotAsked ? 'old-question' : ''}>
      <p class="hint">{questionWords(question)}</p>
      {answers.length > 0 ? (
        answers.map((answer) => (
          <p class="text" dir="auto">
            {scale !== null && state === 'answered' ? t.ofScale(answer, scale.min, scale.max) : answer}
          </p>
        ))
      ) : (
        <p>
          <span class="badge off">{t.states[state]}</span>
        </p>
      )}
      {isNotAsked && rules !== undefined && (
        <p class="hint">
          {t.because} {rules.map((rule) => ruleWords(rule, all.get(rule.question))).join(' ')}
        </p>
      )}
    </li>
  );
}

function TracePanel({
  answer,
  api,
}: {
  readonly answer: Answer<ScoreTrace>;
  readonly api: string;
}): JSX.Element {
  const { t } = readingTexts;
  return (
    <Panel title={t.trace} lead={t.traceLead} answer={answer} api={api}>
      {answer.data?.latents.map((latent, index) => (
        // Each is a table of its own: the first is enough to see how it is done.
        <details key={latent.id} open={index === 0}>
          <summary>
            {latent.name}
            {colon()}
            {latent.score === null ? t.noScore : numberText(latent.score, 2)}
          </summary>
          <LatentTable latent={latent} />
        </details>
      ))}
    </Panel>
  );
}

function LatentTable({ latent }: { readonly latent: TracedLatent }): JSX.Element {
  const { t } = readingTexts;
  const { name, score, questions } = latent;
  const number = (value: number | null, digits = 2): string =>
    value === null ? '–' : numberText(value, digits);
  return (
    <DataTable
      caption={`${t.trace}: ${name}`}
      rows={questions}
      keyOf={({ id }) => id}
      columns={[
        {
          title: t.question,
          isHead: true,
          cell: (question) => (
            <>
              {question.name}{' '}
              {question.state !== 'counted' && <span class="badge off">{t.states[question.state]}</span>}
            </>
          ),
        },
        { title: t.value, isNumber: true, cell: ({ answer }) => answer ?? '–' },
        { title: t.normalised, isNumber: true, cell: ({ normalised }) => number(normalised) },
        { title: t.weight, isNumber: true, cell: ({ weight }) => number(weight) },
        {
          title: t.share,
          isNumber: true,
          cell: ({ share }) => (share === null ? '–' : shareText(share, 1)),
        },
        { title: t.contribution, isNumber: true, cell: ({ contribution }) => number(contribution) },
      ]}
      sum={score === null ? null : { title: t.sum, value: numberText(score, 2) }}
    />
  );
}

/** Whether the figures of time count it. */
function isTime(value: string): boolean {
  return completionBin(`"${value}"`) >= 0;
}

function FactsPanel({
  answer,
  api,
}: {
  readonly answer: Answer<ShownResponse>;
  readonly api: string;
}): JSX.Element {
  const { t } = readingTexts;
  const { data } = answer;
  const own = [
    ['URL', data?.url],
    ['Locale', data?.locale],
    [t.rating, data?.rating],
    [t.topic, data?.topic],
  ].filter(([, value]) => value != null) as [string, string | number][];
  const passed = (data?.responses ?? []).filter(({ type }) => type === 'CPP' || type === 'EPP');
  return (
    <Panel title={t.facts} answer={answer} api={api}>
      <DataTable
        caption={t.facts}
        isLong
        rows={[
          ...own.map(([name, value]) => ({ name, value: String(value), type: '' })),
          ...passed.map(({ type, name, answers }) => ({ name, value: answers.join(', '), type })),
        ]}
        empty={t.noFacts}
        columns={[
          { title: t.name, isHead: true, cell: ({ name }) => name },
          {
            title: t.value,
            cell: ({ name, value, type }) => (
              <>
                {value}
                {type === 'CPP' && name === 'completionTimeInMs' && !isTime(value) && (
                  <span class="hint"> {t.noTime}</span>
                )}
              </>
            ),
          },
          { title: 'CPP · EPP', isTitleUnseen: true, cell: ({ type }) => <span class="hint">{type}</span> },
        ]}
      />
    </Panel>
  );
}
