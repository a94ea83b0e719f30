// The keys that sign and seal.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { operationsPreload } from '../../../src/domain/console/page-preload/operations.ts';
import { addressOf, call } from '../../call.ts';
import { momentText, numberText } from '../../formats.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { operationsTexts, toldTexts } from './texts.ts';

const path = addressOf('GET /operations/keys');

export function Keys(): JSX.Element {
  const { t } = operationsTexts;
  const answer = useAnswer(...operationsPreload().keys);
  const rotate = (kind: 'signing' | 'sealing') => async (): Promise<undefined> => {
    await call('POST /operations/keys', { body: { kind } });
    forget(path);
  };
  return (
    <Panel title={t.keys} lead={t.keysLead} answer={answer}>
      <div class="row between">
        <h3>{t.signing}</h3>
        <Confirm
          label={t.newSigning}
          title={t.newSigning}
          question={t.newSigningQuestion}
          run={rotate('signing')}
        />
      </div>
      <DataTable
        caption={t.signing}
        rows={answer.data?.signing ?? []}
        keyOf={({ kid }) => kid}
        columns={[
          { title: t.key, isHead: true, cell: ({ kid }) => <code>{kid}</code> },
          { title: t.state, cell: ({ state }) => <State state={state} /> },
          { title: t.from, cell: ({ signsFrom }) => momentText(signsFrom) },
          { title: t.until, cell: ({ signsUntil }) => (signsUntil === null ? '–' : momentText(signsUntil)) },
          { title: t.actions, cell: ({ kid }) => <Revoke kid={kid} isSealing={false} /> },
        ]}
      />
      <div class="row between">
        <h3>{t.sealing}</h3>
        <Confirm
          label={t.newSealing}
          title={t.newSealing}
          question={t.newSealingQuestion}
          run={rotate('sealing')}
        />
      </div>
      <DataTable
        caption={t.sealing}
        isLong
        rows={answer.data?.sealing ?? []}
        keyOf={({ kid }) => kid}
        empty={t.nothingSealed}
        columns={[
          { title: t.key, isHead: true, cell: ({ kid }) => <code>{kid}</code> },
          { title: t.state, cell: ({ state }) => <State state={state} /> },
          { title: t.keptIn, cell: ({ keptIn }) => t.places[keptIn] ?? keptIn },
          { title: t.needed, cell: ({ neededUntil }) => neededText(neededUntil) },
          {
            title: t.holds,
            isLong: true,
            cell: ({ sealed }) =>
              Object.entries(sealed)
                .map(([name, count]) => `${toldTexts.t.sealed[name] ?? name} (${numberText(count)})`)
                .join(', ') || '–',
          },
          {
            title: t.actions,
            cell: ({ kid, keptIn }) => (keptIn === 'settings' ? null : <Revoke kid={kid} isSealing />),
          },
        ]}
      />
    </Panel>
  );
}

function neededText(until: string | null): string {
  const { t } = operationsTexts;
  if (until === null) return '–';
  return until === 'further notice' ? t.furtherNotice : momentText(until);
}

function State({ state }: { readonly state: string }): JSX.Element {
  const look = ['signs', 'seals'].includes(state) ? '' : state === 'missing' ? 'bad' : 'off';
  return <span class={`badge ${look}`}>{operationsTexts.t.keyStates[state] ?? state}</span>;
}

function Revoke({ kid, isSealing }: { readonly kid: string; readonly isSealing: boolean }): JSX.Element {
  const { t } = operationsTexts;
  const [isForced, setForced] = useState(false);
  const run = async (): Promise<undefined> => {
    await call('POST /operations/keys/:kid/revoke', {
      params: { kid },
      body: isForced ? { force: true } : {},
    });
    forget(path);
  };
  return (
    <Confirm
      label={t.revoke}
      title={t.revokeTitle(kid)}
      isDangerous
      run={run}
      question={
        <div class="stack">
          <p>{isSealing ? t.revokeSealing : t.revokeSigning}</p>
          {isSealing && (
            <label class="check">
              <input
                type="checkbox"
                checked={isForced}
                onChange={({ currentTarget }) => setForced(currentTarget.checked)}
              />
              {t.force}
            </label>
          )}
        </div>
      }
    />
  );
}
