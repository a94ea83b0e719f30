// What doctor finds, and what to do.

import type { JSX } from 'preact';
import { operationsPreload } from '../../../src/domain/console/page-preload/operations.ts';
import { type AnswerTo, addressOf, call } from '../../call.ts';
import { agoText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { forget } from '../../frame/answers.ts';
import { Panel } from '../../frame/panel.tsx';
import { usePolled } from './polling.ts';
import { operationsTexts } from './texts.ts';
import { CheckName, FindingText, type ToldFinding } from './told.tsx';

type Report = AnswerTo<'GET /operations/doctor'>;

export function Doctor(): JSX.Element {
  const { t } = operationsTexts;
  const answer = usePolled(operationsPreload().doctor[0], (report) =>
    report?.state === 'runs' ? 1_000 : 30_000,
  );
  const doing = useDoing();
  const start = async (): Promise<undefined> => {
    await call('POST /operations/doctor');
    forget(addressOf('GET /operations/doctor'));
  };
  const report = answer.data;
  const isBusy = doing.isBusy || report?.state === 'runs';
  return (
    <Panel
      title={t.doctor}
      lead={t.doctorLead}
      answer={answer}
      actions={
        <button type="button" class="small" aria-busy={isBusy} onClick={() => !isBusy && doing.run(start)}>
          {report === null || report.state === 'never' ? t.look : t.lookAgain}
        </button>
      }
    >
      <Outcome doing={doing} />
      <p aria-live="polite">{report !== null && stateText(report)}</p>
      {report !== null && report.findings.length > 0 && <Findings findings={report.findings} />}
    </Panel>
  );
}

function stateText({ state, findings, ended, actor }: Report): string {
  const { t } = operationsTexts;
  if (state === 'never') return t.never;
  if (state === 'lost') return t.lost;
  if (state === 'runs') return t.looking(findings.length);
  const wrong = findings.filter(({ isRight }) => !isRight).length;
  const warnings = findings.filter(isWarning).length;
  const verdict = wrong + warnings === 0 ? t.allRight(findings.length) : t.someWrong(wrong, warnings);
  return ended === null ? verdict : `${verdict} ${t.looked(agoText(ended), actor ?? '')}`;
}

function isWarning({ isRight, isWarning: warns = false }: ToldFinding): boolean {
  return isRight && warns;
}

/** What is right is folded away. */
function Findings({ findings }: { readonly findings: readonly ToldFinding[] }): JSX.Element {
  const { t } = operationsTexts;
  const right = findings.filter((one) => one.isRight && !isWarning(one));
  const wrong = findings.filter(({ isRight }) => !isRight);
  const warnings = findings.filter(isWarning);
  return (
    <>
      <List findings={[...wrong, ...warnings]} />
      {right.length > 0 && (
        <details>
          <summary>{t.rightOnes(right.length)}</summary>
          <List findings={right} />
        </details>
      )}
    </>
  );
}

function List({ findings }: { readonly findings: readonly ToldFinding[] }): JSX.Element | null {
  const { verdicts } = operationsTexts.t;
  if (findings.length === 0) return null;
  return (
    <ul class="verdicts">
      {findings.map((finding, index) => (
        <li key={`${finding.check} ${index}`}>
          <span class={`badge ${finding.isRight ? (isWarning(finding) ? '' : 'off') : 'bad'}`}>
            {finding.isRight ? (isWarning(finding) ? verdicts.warning : verdicts.right) : verdicts.wrong}
          </span>
          <span>
            <CheckName check={finding.check} />: <FindingText finding={finding} />
          </span>
        </li>
      ))}
    </ul>
  );
}
