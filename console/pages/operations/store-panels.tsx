// Settings, webhooks of all accounts, and the audit log of the store, as operators read them.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { operationsPreload } from '../../../src/domain/console/page-preload/operations.ts';
import { agoText, momentText, numberText } from '../../formats.ts';
import { useAnswer } from '../../frame/answers.ts';
import { HelpLink } from '../../frame/help.tsx';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { Said } from './figures.tsx';
import { operationsTexts, toldTexts } from './texts.ts';
import { HookState } from './webhook-state.tsx';

export function Settings(): JSX.Element {
  const { t } = operationsTexts;
  const answer = useAnswer(...operationsPreload().settings);
  const [isAll, setAll] = useState(false);
  const items = (answer.data?.items ?? []).filter(({ source }) => isAll || source !== 'default');
  return (
    <Panel title={t.settings} lead={t.settingsLead} answer={answer}>
      <label class="check">
        <input
          type="checkbox"
          checked={isAll}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
        {t.alsoDefaults}
      </label>
      <p>
        <HelpLink to="settings" words={t.settingsHelp} />
      </p>
      <DataTable
        caption={t.settings}
        rows={items}
        keyOf={({ name }) => name}
        empty={t.noneSet}
        columns={[
          {
            title: t.setting,
            isHead: true,
            cell: ({ name, why }) => (
              <>
                <code>{name}</code>
                <p class="hint">{toldTexts.t.settings[name] ?? <Said>{why}</Said>}</p>
              </>
            ),
          },
          {
            title: t.value,
            cell: ({ value }) => (value === '' ? <span class="hint">{t.empty}</span> : <code>{value}</code>),
          },
          { title: t.source, cell: ({ source }) => t.sources[source] ?? source },
        ]}
      />
    </Panel>
  );
}

export function AllWebhooks(): JSX.Element {
  const { t } = operationsTexts;
  const [after, setAfter] = useState('');
  const [key, { query }] = operationsPreload().webhooks;
  const answer = useAnswer(key, { query: { ...query, after: after || undefined } });
  return (
    <Panel title={t.allWebhooks} lead={t.allWebhooksLead} answer={answer}>
      <DataTable
        caption={t.allWebhooks}
        rows={answer.data?.items ?? []}
        keyOf={({ id }) => id}
        empty={t.noWebhooks}
        columns={[
          { title: t.account, isNumber: true, cell: ({ accountId }) => accountId },
          { title: t.name, isHead: true, cell: ({ name }) => name },
          { title: t.state, cell: (webhook) => <HookState webhook={webhook} /> },
          { title: t.delivered, isNumber: true, cell: ({ delivered }) => numberText(delivered) },
          { title: t.waiting, isNumber: true, cell: ({ waiting }) => numberText(waiting) },
          { title: t.dead, isNumber: true, cell: ({ givenUp }) => numberText(givenUp) },
          {
            title: t.last,
            cell: ({ lastDelivered }) => (lastDelivered === null ? t.neverDelivered : agoText(lastDelivered)),
          },
        ]}
      />
      <Pager page={answer.data} isFirst={after === ''} onGo={setAfter} />
    </Panel>
  );
}

export function StoreAudit(): JSX.Element {
  const { t } = operationsTexts;
  const [after, setAfter] = useState('');
  const [key, { query }] = operationsPreload().audit;
  const answer = useAnswer(key, { query: { ...query, after: after || undefined } });
  return (
    <Panel title={t.storeAudit} lead={t.storeAuditLead} answer={answer}>
      <DataTable
        caption={t.storeAudit}
        rows={answer.data?.items ?? []}
        keyOf={({ changeId, action }) => changeId + action}
        columns={[
          { title: t.when, cell: ({ at }) => momentText(at) },
          {
            title: t.who,
            cell: ({ actor }) => (actor.id === 'command line' ? t.commandLine : (actor.name ?? actor.id)),
          },
          {
            title: t.what,
            isHead: true,
            cell: ({ action }) => t.auditActions[action] ?? <code>{action}</code>,
          },
          { title: t.about, cell: ({ subject }) => subject },
        ]}
      />
      <Pager page={answer.data} isFirst={after === ''} onGo={setAfter} />
    </Panel>
  );
}

export function Pager({
  page,
  isFirst,
  onGo,
}: {
  readonly page: { readonly next: string | null } | null;
  readonly isFirst: boolean;
  readonly onGo: (after: string) => void;
}): JSX.Element | null {
  const { t } = operationsTexts;
  const next = page?.next ?? null;
  if (isFirst && next === null) return null;
  return (
    <div class="row">
      {!isFirst && (
        <button type="button" class="small" onClick={() => onGo('')}>
          {t.first}
        </button>
      )}
      {next !== null && (
        <button type="button" class="small" onClick={() => onGo(next)}>
          {t.next}
        </button>
      )}
    </div>
  );
}
