// A clock that has jumped: what nobody deletes by until it is set or confirmed.

import type { JSX } from 'preact';
import { type AnswerTo, call } from '../../call.ts';
import { momentText, numberText } from '../../formats.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Panel } from '../../frame/panel.tsx';
import { Fact, Facts, spanText } from './figures.tsx';
import { operationsTexts } from './texts.ts';

type ClockFacts = AnswerTo<'GET /operations'>['clock'];
type ClockCounts = AnswerTo<'GET /operations/clock'>;

export function ClockJump({ clock: facts }: { readonly clock: ClockFacts }): JSX.Element {
  const t = operationsTexts.t.clock;
  const { data: counts } = useAnswer('GET /operations/clock');
  const { clock, trusted, jumpSeconds, believedInSeconds } = facts;
  const span = spanText(Math.abs(jumpSeconds));
  const confirm = async (): Promise<undefined> => {
    await call('POST /operations/clock', { body: { clock: counts?.clock ?? clock } });
    forget('/operations');
  };
  return (
    <Panel
      title={t.title}
      lead={t.lead(spanText(believedInSeconds ?? 0))}
      actions={
        <Confirm
          label={t.confirm}
          title={t.confirm}
          question={<Question clock={clock} counts={counts} />}
          yes={t.yes}
          isDangerous
          run={confirm}
        />
      }
    >
      <p class="bad" role="status">
        {jumpSeconds > 0 ? t.ahead(span) : t.behind(span)}
      </p>
      <Facts>
        <Fact name={t.now}>
          <time dateTime={clock}>{momentText(clock)}</time>
        </Fact>
        <Fact name={t.trusted}>
          <time dateTime={trusted}>{momentText(trusted)}</time>
        </Fact>
      </Facts>
    </Panel>
  );
}

function Question({
  clock,
  counts,
}: {
  readonly clock: string;
  readonly counts: ClockCounts | null;
}): JSX.Element {
  const t = operationsTexts.t.clock;
  const some = Object.entries(counts?.deletes ?? {}).filter(([, count]) => count > 0);
  return (
    <>
      <p>{t.question(momentText(clock))}</p>
      {counts === null && <p aria-live="polite">{t.counting}</p>}
      {counts !== null && some.length === 0 && <p>{counts.isWhole ? t.nothing : t.atLeast}</p>}
      {some.length > 0 && (
        <Facts>
          {some.map(([kind, count]) => (
            <Fact key={kind} name={t.kinds[kind] ?? kind}>
              {numberText(count)}
            </Fact>
          ))}
        </Facts>
      )}
      {counts !== null && some.length > 0 && !counts.isWhole && <p>{t.atLeast}</p>}
    </>
  );
}
