// Settings, webhooks of all accounts, and the audit log of the store, as operators read them.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { agoText, momentText, numberText } from '../../formats.ts';
import { useAnswer } from '../../frame/answers.ts';
import { HelpLink } from '../../frame/help.tsx';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { Said } from './figures.tsx';
import { operationsTexts, toldTexts } from './texts.ts';
import { HookState, type Webhook } from './webhook-state.tsx';

interface Setting {
  readonly name: string;
  readonly value: string;
  readonly source: string;
  readonly why: string;
}

export function Settings(): JSX.Element {
  const { t } = operationsTexts;
  const answer = useAnswer<{ readonly items: readonly Setting[] }>('/operations/settings');
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

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export function AllWebhooks(): JSX.Element {
  const { t } = operationsTexts;
  const [after, setAfter] = useState('');
  const answer = useAnswer<Page<Webhook>>(
    `/operations/webhooks?limit=20${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
  );
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

interface Entry {
  readonly at: string;
  readonly actor: { readonly id: string; readonly name: string | null };
  readonly action: string;
  readonly subject: string;
  readonly changeId: string;
}

export function StoreAudit(): JSX.Element {
  const { t } = operationsTexts;
  const [after, setAfter] = useState('');
  const answer = useAnswer<Page<Entry>>(
    `/operations/audit?limit=20${after === '' ? '' : `&after=${encodeURIComponent(after)}`}`,
  );
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
  readonly page: Page<unknown> | null;
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
