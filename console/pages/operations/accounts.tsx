// The accounts of the store: found, entered, made, changed and removed.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  accountIdLength,
  accountIdPattern,
  limitMaxima,
  limitNames,
} from '../../../src/domain/access/account.ts';
import { accountsPreload } from '../../../src/domain/console/page-preload/operations.ts';
import { type AnswerTo, addressOf, call } from '../../call.ts';
import { agoText, dayWords, numberText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { changeQuery, parameter } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Dialog } from '../../frame/dialog.tsx';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { frameTexts } from '../../frame/messages.ts';
import { Panel } from '../../frame/panel.tsx';
import { session } from '../../frame/session.ts';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import { useDraft } from './draft.ts';
import { Said } from './figures.tsx';
import { usePolled } from './polling.ts';
import { Pager } from './store-panels.tsx';
import { operationsTexts } from './texts.ts';

type Account = AnswerTo<'GET /accounts'>['items'][number];

export const texts = [operationsTexts];

const typingMs = 250;

export default function Accounts(): JSX.Element {
  const { t } = operationsTexts;
  const search = parameter('search') ?? '';
  const after = parameter('after') ?? '';
  const [asked, setAsked] = useState<{
    readonly kind: 'new' | 'change' | 'remove';
    readonly account?: Account;
  } | null>(null);
  const answer = useAnswer(...accountsPreload(pagePlace({})).accounts);
  const close = (): void => setAsked(null);
  const here = session.value.account?.id;
  return (
    <>
      <Heading
        title={t.accountsTitle}
        actions={
          <button type="button" class="primary" onClick={() => setAsked({ kind: 'new' })}>
            {t.newAccount}
          </button>
        }
      >
        <p class="lead">{t.accountsLead}</p>
      </Heading>
      <Removals />
      <Panel title={t.accountsTitle} answer={answer}>
        <Search value={search} />
        <DataTable
          caption={t.accountsTitle}
          rows={answer.data?.items ?? []}
          keyOf={({ id }) => id}
          empty={search === '' ? t.noneYet : t.noAccounts}
          columns={[
            { title: t.number, isNumber: true, cell: ({ id }) => id },
            { title: t.name, isHead: true, cell: ({ name }) => name },
            { title: t.measures, isNumber: true, cell: ({ figures }) => numberText(figures?.measures ?? 0) },
            { title: t.projects, isNumber: true, cell: ({ figures }) => numberText(figures?.projects ?? 0) },
            {
              title: t.responses,
              isNumber: true,
              cell: ({ figures }) => numberText(figures?.responses ?? 0),
            },
            { title: t.users, isNumber: true, cell: ({ figures }) => numberText(figures?.users ?? 0) },
            { title: t.clients, isNumber: true, cell: ({ apiClients }) => numberText(apiClients) },
            { title: t.created, cell: ({ created }) => dayWords(created.slice(0, 10)) },
            {
              title: t.actions,
              isLong: true,
              cell: (account) => (
                <div class="row">
                  {account.id === here ? <span class="badge">{t.entered}</span> : <Enter account={account} />}
                  <button
                    type="button"
                    class="small"
                    aria-label={`${t.change}: ${account.name}`}
                    onClick={() => setAsked({ kind: 'change', account })}
                  >
                    {t.change}
                  </button>
                  <button
                    type="button"
                    class="small danger-quiet"
                    aria-label={`${t.remove}: ${account.name}`}
                    onClick={() => setAsked({ kind: 'remove', account })}
                  >
                    {t.remove}
                  </button>
                </div>
              ),
            },
          ]}
        />
        <Pager
          page={answer.data}
          isFirst={after === ''}
          onGo={(next) => changeQuery({ after: next === '' ? null : next })}
        />
      </Panel>
      <Dialog title={t.newAccount} isOpen={asked?.kind === 'new'} onClose={close}>
        <NewAccount onDone={close} />
      </Dialog>
      <Dialog
        title={t.changeTitle(asked?.account?.id ?? 0)}
        isOpen={asked?.kind === 'change'}
        onClose={close}
      >
        {asked?.account !== undefined && <ChangeAccount account={asked.account} onDone={close} />}
      </Dialog>
      <Dialog
        title={t.removeTitle(asked?.account?.id ?? 0)}
        isOpen={asked?.kind === 'remove'}
        onClose={close}
      >
        {asked?.account !== undefined && <RemoveAccount account={asked.account} onDone={close} />}
      </Dialog>
    </>
  );
}

/** What is typed is looked for when the typing pauses, and stands in the address. */
function Search({ value }: { readonly value: string }): JSX.Element {
  const { t } = operationsTexts;
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed.trim() === value) return;
    const timer = setTimeout(
      () =>
        changeQuery(
          { search: typed.trim() === '' ? null : typed.trim(), after: null },
          { isReplacing: true },
        ),
      typingMs,
    );
    return () => clearTimeout(timer);
  }, [typed, value]);
  return (
    <Field label={t.search} hint={t.searchHint}>
      {(ids) => (
        <input
          {...ids}
          type="search"
          maxLength={255}
          data-search
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
    </Field>
  );
}

function Enter({ account }: { readonly account: Account }): JSX.Element {
  const { t } = operationsTexts;
  const doing = useDoing();
  const enter = async (): Promise<undefined> => {
    await call('PUT /session/account', { body: { accountId: account.id } });
    location.assign('/console');
  };
  return (
    <>
      <button
        type="button"
        class="small"
        aria-label={`${t.enter}: ${account.name}`}
        aria-busy={doing.isBusy}
        onClick={() => doing.run(enter)}
      >
        {t.enter}
      </button>
      <Outcome doing={doing} />
    </>
  );
}

function NewAccount({ onDone }: { readonly onDone: () => void }): JSX.Element {
  const { t } = operationsTexts;
  const doing = useDoing();
  const draft = useDraft('account', { id: '', name: '' });
  const make = async (): Promise<undefined> => {
    await call('POST /accounts', { body: { id: Number(draft.value.id), name: draft.value.name } });
    draft.clear();
    forget('/accounts');
  };
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await doing.run(make)) onDone();
      }}
    >
      <Field label={t.number} hint={t.numberHint}>
        {(ids) => (
          <input
            {...ids}
            inputMode="numeric"
            required
            pattern={accountIdPattern}
            maxLength={accountIdLength}
            value={draft.value.id}
            onInput={({ currentTarget }) => draft.change({ id: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t.name}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={255}
            value={draft.value.name}
            onInput={({ currentTarget }) => draft.change({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Outcome doing={doing} />
      <Buttons label={t.make} isBusy={doing.isBusy} onCancel={onDone} />
    </form>
  );
}

function ChangeAccount({
  account,
  onDone,
}: {
  readonly account: Account;
  readonly onDone: () => void;
}): JSX.Element {
  const { t } = operationsTexts;
  const doing = useDoing();
  const answer = useAnswer('GET /accounts/:accountId', { params: { accountId: account.id } });
  const [name, setName] = useState(account.name);
  const [typed, setTyped] = useState<Readonly<Record<string, string>> | null>(null);
  const limits =
    typed ??
    Object.fromEntries(Object.entries(answer.data?.limits ?? {}).map(([key, value]) => [key, String(value)]));
  const save = async (): Promise<undefined> => {
    const given = Object.entries(limits).filter(([, value]) => value.trim() !== '');
    await call('PATCH /accounts/:accountId', {
      params: { accountId: account.id },
      body: {
        name,
        limits:
          given.length === 0 ? null : Object.fromEntries(given.map(([key, value]) => [key, Number(value)])),
      },
    });
    forget('/accounts');
  };
  if (answer.data === null) return <p class="wait">{frameTexts.t.loading}</p>;
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await doing.run(save)) onDone();
      }}
    >
      <Field label={t.name}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={255}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        )}
      </Field>
      <h3>{t.limits}</h3>
      <p class="hint">{t.limitsHint}</p>
      {limitNames.map((limit) => (
        <Field key={limit} label={t.limitNames[limit] ?? limit}>
          {(ids) => (
            <input
              {...ids}
              type="number"
              min={1}
              max={limitMaxima[limit]}
              value={limits[limit] ?? ''}
              onInput={({ currentTarget }) => setTyped({ ...limits, [limit]: currentTarget.value })}
            />
          )}
        </Field>
      ))}
      <Outcome doing={doing} />
      <Buttons label={t.save} isBusy={doing.isBusy} onCancel={onDone} />
    </form>
  );
}

function RemoveAccount({
  account,
  onDone,
}: {
  readonly account: Account;
  readonly onDone: () => void;
}): JSX.Element {
  const { t } = operationsTexts;
  const doing = useDoing();
  const [confirm, setConfirm] = useState('');
  const { id, name, figures } = account;
  const remove = async (): Promise<undefined> => {
    await call('POST /accounts/:accountId/remove', { params: { accountId: id }, body: { confirm } });
    forget('/accounts');
  };
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault();
        if (await doing.run(remove)) onDone();
      }}
    >
      <p>{t.removeQuestion(name, numberText(figures?.responses ?? 0), numberText(figures?.users ?? 0))}</p>
      <Field label={t.typeNumber(id)}>
        {(ids) => (
          <input
            {...ids}
            inputMode="numeric"
            autocomplete="off"
            required
            value={confirm}
            onInput={({ currentTarget }) => setConfirm(currentTarget.value)}
          />
        )}
      </Field>
      <Outcome doing={doing} />
      <Buttons
        label={t.remove}
        isBusy={doing.isBusy}
        isDangerous
        isDisabled={confirm.trim() !== String(id)}
        onCancel={onDone}
      />
    </form>
  );
}

function Buttons({
  label,
  isBusy,
  isDangerous = false,
  isDisabled = false,
  onCancel,
}: {
  readonly label: string;
  readonly isBusy: boolean;
  readonly isDangerous?: boolean;
  readonly isDisabled?: boolean;
  readonly onCancel: () => void;
}): JSX.Element {
  return (
    <div class="row">
      <button
        type="submit"
        class={isDangerous ? 'danger' : 'primary'}
        aria-busy={isBusy}
        disabled={isDisabled}
      >
        {label}
      </button>
      <button type="button" onClick={onCancel}>
        {frameTexts.t.cancel}
      </button>
    </div>
  );
}

/** Seen only where there are any. */
function Removals(): JSX.Element | null {
  const { t } = operationsTexts;
  const answer = usePolled(accountsPreload(pagePlace({})).removals[0], (data) =>
    data?.items.some(({ state }) => state === 'runs') === true ? 1_000 : 15_000,
  );
  const items = answer.data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Panel title={t.removing} lead={t.removingLead} answer={answer}>
      <DataTable
        caption={t.removing}
        rows={items}
        keyOf={({ accountId }) => accountId}
        columns={[
          { title: t.account, isHead: true, cell: ({ accountId }) => accountId },
          {
            title: t.state,
            cell: ({ state, failure }) => (
              <>
                <span class={`badge ${state === 'ended' ? 'off' : state === 'runs' ? '' : 'bad'}`}>
                  {t.removalStates[state]}
                </span>
                {failure !== null && (
                  <p class="hint">
                    <Said>{failure}</Said>
                  </p>
                )}
              </>
            ),
          },
          { title: t.rows, isNumber: true, cell: ({ rows }) => numberText(rows) },
          { title: t.who, cell: ({ actor }) => actor },
          { title: t.when, cell: ({ began }) => agoText(began) },
          {
            title: t.actions,
            cell: ({ accountId, state }) =>
              state === 'failed' || state === 'lost' ? <GoOn accountId={accountId} /> : null,
          },
        ]}
      />
    </Panel>
  );
}

function GoOn({ accountId }: { readonly accountId: number }): JSX.Element {
  const { t } = operationsTexts;
  const doing = useDoing();
  const goOn = async (): Promise<undefined> => {
    await call('POST /accounts/:accountId/remove', {
      params: { accountId },
      body: { confirm: String(accountId) },
    });
    forget(addressOf('GET /accounts/removals'));
  };
  return (
    <>
      <button type="button" class="small" aria-busy={doing.isBusy} onClick={() => doing.run(goOn)}>
        {t.goOn}
      </button>
      <Outcome doing={doing} />
    </>
  );
}
