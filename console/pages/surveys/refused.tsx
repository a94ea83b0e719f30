// Responses that were refused: by survey and cause, what to do about each, and judging again what waits.

import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { refusedDays, refusedPreload } from '../../../src/domain/console/page-preload/surveys.ts';
import { pathOfKind } from '../../../src/domain/feedback/source-kind.ts';
import { type AnswerTo, call } from '../../call.ts';
import { colon } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { changeQuery } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Dialog } from '../../frame/dialog.tsx';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { Problem } from '../../frame/problem.tsx';
import { can } from '../../frame/session.ts';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import { toSurvey } from './parts.tsx';
import { dayWords, momentWords, numberText, surveyTexts } from './texts.ts';

type RefusedGroups = AnswerTo<'GET /refused'>;
type RefusedGroup = RefusedGroups['groups'][number];
/** What waits to be judged again says nothing of its sender. */
type LastRefusal = AnswerTo<'GET /refused/bodies'>['items'][number] & { readonly sender?: string | null };
type Redriven = AnswerTo<'POST /refused/redrive'>;

export const texts = [surveyTexts];

export default function Refused(): JSX.Element {
  const { t } = surveyTexts;
  const { refused } = refusedPreload(pagePlace({}));
  const { days } = refused[1].query;
  const answer = useAnswer(...refused);
  const { data } = answer;
  return (
    <>
      <Heading
        title={t.refusedTitle}
        actions={
          <select
            aria-label={t.daysShown}
            value={days}
            onChange={({ currentTarget }) => changeQuery({ days: currentTarget.value })}
          >
            {refusedDays.map((one) => (
              <option value={one}>{t.lastDays(one)}</option>
            ))}
          </select>
        }
      >
        <p class="lead">{t.refusedLead}</p>
      </Heading>
      <Panel
        title={data === null ? t.refusedTitle : t.refusedCount(numberText(data.refused), days)}
        answer={answer}
      >
        {data?.groups.length === 0 && <p class="good">{t.nothingRefused}</p>}
        <ul class="groups">
          {data?.groups.map((group) => (
            <li key={`${group.surveyId} ${group.cause}`}>
              <Group group={group} range={data} />
            </li>
          ))}
        </ul>
        {data !== null && data.moreGroups > 0 && (
          <p class="hint">{t.moreGroups(numberText(data.moreGroups))}</p>
        )}
      </Panel>
    </>
  );
}

function Group({
  group,
  range,
}: {
  readonly group: RefusedGroup;
  readonly range: RefusedGroups;
}): JSX.Element {
  const { t } = surveyTexts;
  const [isOpen, setOpen] = useState(false);
  const { source, surveyId, cause, refused, waiting } = group;
  const [what, todo] = t.causes[cause] ?? [cause, t.otherCause];
  // What became of them is still said when none of them waits any more.
  const hasWaited = useRef(false);
  if (waiting > 0) hasWaited.current = true;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class="row between">
          <span>
            <strong>{what}</strong>
            <span class="hint">
              {source === null
                ? (surveyId ?? t.unknownSurvey)
                : `${source.name} · ${t.version(source.version)}`}
            </span>
          </span>
          <span class="row">
            <Spark group={group} range={range} />
            <span class="badge bad">{t.refusedSum(numberText(refused))}</span>
            {waiting > 0 && <span class="badge">{t.waitingSum(numberText(waiting))}</span>}
          </span>
        </span>
      </summary>
      {isOpen && (
        <div class="stack inner">
          <p>
            <strong>
              {t.todo}
              {colon()}
            </strong>
            {todo} <code>{cause}</code>
          </p>
          {source !== null && (
            <p class="row">
              <a href={toSurvey(source)}>{t.toVersions}</a>
            </p>
          )}
          {hasWaited.current && surveyId !== null && <Redrive group={group} surveyId={surveyId} />}
          {!hasWaited.current && surveyId !== null && source !== null && <p class="hint">{t.noQuarantine}</p>}
          <LastOnes group={group} />
          <details>
            <summary>{t.byDay}</summary>
            <DataTable
              caption={t.byDay}
              rows={group.days}
              keyOf={({ day }) => day}
              columns={[
                { title: t.day, isHead: true, cell: ({ day }) => dayWords(day) },
                { title: t.refused, isNumber: true, cell: (day) => numberText(day.refused) },
              ]}
            />
          </details>
        </div>
      )}
    </details>
  );
}

const dayMs = 86_400_000;

/** The days of the range as bars; the table says the same. */
function Spark({
  group,
  range: { from, to },
}: {
  readonly group: RefusedGroup;
  readonly range: RefusedGroups;
}): JSX.Element {
  const first = Date.parse(from);
  const count = Math.round((Date.parse(to) - first) / dayMs) + 1;
  const highest = Math.max(1, ...group.days.map(({ refused }) => refused));
  return (
    <svg class="day-bars" viewBox={`0 0 ${count} 10`} preserveAspectRatio="none" aria-hidden="true">
      {group.days.map(({ day, refused }) => {
        const height = Math.max(1, (10 * refused) / highest);
        return (
          <rect
            x={(Date.parse(day) - first) / dayMs}
            y={10 - height}
            width={0.8}
            height={height}
            fill="currentColor"
          />
        );
      })}
    </svg>
  );
}

function LastOnes({ group }: { readonly group: RefusedGroup }): JSX.Element {
  const { t } = surveyTexts;
  const query = { surveyId: group.surveyId ?? '', cause: group.cause, limit: 10 };
  const hasBodies = group.waiting > 0;
  const answer = useAnswer(hasBodies ? 'GET /refused/bodies' : 'GET /refused/responses', { query });
  const rows: readonly LastRefusal[] | undefined = answer.data?.items;
  const [shown, setShown] = useState<string | null>(null);
  return (
    <div class="stack">
      <h3>{t.lastOnes}</h3>
      <Problem error={answer.error} retry={answer.reload} />
      {rows !== undefined && (
        <DataTable
          caption={t.lastOnes}
          rows={rows}
          keyOf={({ id }) => id}
          empty={t.noneListed}
          columns={[
            { title: t.when, isHead: true, cell: ({ at }) => momentWords(at) },
            ...(hasBodies
              ? []
              : [{ title: t.sender, cell: ({ sender }: LastRefusal) => sender ?? t.noSender }]),
            {
              title: t.fields,
              cell: ({ faults, moreFaults }) =>
                `${faults.map(({ field, code }) => `${field} ${code}`.trim()).join(', ')}${moreFaults > 0 ? ' …' : ''}`,
            },
            {
              title: t.bodyTitle,
              cell: ({ id, at }) =>
                hasBodies &&
                can('see responses') && (
                  <button
                    type="button"
                    class="small"
                    onClick={() => setShown(id)}
                    aria-label={`${t.showBody}: ${momentWords(at)}`}
                  >
                    {t.showBody}
                  </button>
                ),
            },
          ]}
        />
      )}
      <Dialog title={t.bodyTitle} isOpen={shown !== null} onClose={() => setShown(null)}>
        {shown !== null && <Body id={shown} />}
      </Dialog>
    </div>
  );
}

function Body({ id }: { readonly id: string }): JSX.Element {
  const { t } = surveyTexts;
  const answer = useAnswer('GET /refused/bodies/:id', { params: { id } });
  const doing = useDoing();
  const { data } = answer;
  const judge = (): Promise<boolean> =>
    doing.run(async () => {
      if (data === null) return undefined;
      const body = { surveyId: data.surveyId, id };
      const outcome = await call('POST /refused/redrive', { body });
      forget('/refused?', '/surveys');
      return summary(outcome);
    });
  return (
    <>
      <Problem error={answer.error} />
      {data !== null && (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
          <pre tabIndex={0} class="body">
            <code>{pretty(data.body)}</code>
          </pre>
          <p class="hint">{t.bodyUntil(dayWords(data.until))}</p>
          <p>
            <button type="button" onClick={judge} aria-busy={doing.isBusy}>
              {t.judgeOne}
            </button>
          </p>
        </>
      )}
      <Outcome doing={doing} />
    </>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

interface Sum {
  accepted: number;
  keptBefore: number;
  refused: number;
}

function Redrive({
  group,
  surveyId,
}: {
  readonly group: RefusedGroup;
  readonly surveyId: string;
}): JSX.Element {
  const { t } = surveyTexts;
  const { source, cause, waiting, waitingUntil } = group;
  const versions = useAnswer(
    `GET /surveys/${pathOfKind[source?.kind ?? 'measure']}/:key`,
    source === null ? null : { params: { key: source.key } },
  );
  const [as, setAs] = useState('');
  const [sum, setSum] = useState<Sum | null>(null);
  const isStopped = useRef(false);
  const doing = useDoing();
  const judge = (): Promise<boolean> =>
    doing.run(async () => {
      isStopped.current = false;
      const total: Sum = { accepted: 0, keptBefore: 0, refused: 0 };
      setSum({ ...total });
      try {
        for (let after: string | null = ''; after !== null && !isStopped.current; ) {
          const body = { surveyId, cause, after, ...(as === '' ? {} : { as }) };
          const outcome: Redriven = await call('POST /refused/redrive', { body });
          total.accepted += outcome.accepted;
          total.keptBefore += outcome.keptBefore;
          total.refused += refusedIn(outcome);
          setSum({ ...total });
          after = outcome.next;
        }
      } finally {
        setSum(null);
        forget('/refused', '/surveys');
      }
      return sumWords(total);
    });
  const done = sum === null ? 0 : sum.accepted + sum.keptBefore + sum.refused;
  return (
    <div class="stack">
      <div class="row ends">
        <Field label={t.judgeBy}>
          {(ids) => (
            <select {...ids} value={as} onChange={({ currentTarget }) => setAs(currentTarget.value)}>
              <option value="">{t.asSent}</option>
              {versions.data?.versions
                .filter((version) => version.surveyId !== surveyId)
                .map((version) => (
                  <option value={version.surveyId}>
                    {t.version(version.version)} ({version.surveyId})
                  </option>
                ))}
            </select>
          )}
        </Field>
        <button type="button" class="primary" onClick={judge} aria-busy={doing.isBusy}>
          {t.judgeAgain}
        </button>
        {doing.isBusy && (
          <button
            type="button"
            onClick={() => {
              isStopped.current = true;
            }}
          >
            {t.stop}
          </button>
        )}
      </div>
      {sum !== null && (
        <p role="status">
          <progress max={waiting} value={done} aria-label={t.judgeAgain} /> {t.judging(numberText(done))}
        </p>
      )}
      {waitingUntil !== null && <p class="hint">{t.waitsUntil(dayWords(waitingUntil))}</p>}
      <Outcome doing={doing} />
    </div>
  );
}

function refusedIn({ refused }: Redriven): number {
  return refused.reduce((sum, { count }) => sum + count, 0);
}

function summary(outcome: Redriven): string {
  return sumWords({ ...outcome, refused: refusedIn(outcome) });
}

function sumWords({ accepted, keptBefore, refused }: Sum): string {
  return surveyTexts.t.judged(numberText(accepted), numberText(keptBefore), numberText(refused));
}
