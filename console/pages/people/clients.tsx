// The API clients of the account. A secret is shown once, to whoever asked for it, and is kept nowhere in the browser.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { type Grant, grants } from '../../../src/domain/access/account.ts';
import { clientsPreload } from '../../../src/domain/console/page-preload/people.ts';
import { type AnswerTo, addressOf, call } from '../../call.ts';
import { agoText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { changeQuery, parameter } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { frameTexts } from '../../frame/messages.ts';
import { Problem } from '../../frame/problem.tsx';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import { personTexts } from '../../person-texts.ts';
import { useDraft } from './draft.ts';
import { Copied, FirstStep, NextPages } from './parts.tsx';
import { people } from './texts.ts';

export const texts = [people, personTexts];

type ApiClient = AnswerTo<'GET /api-clients'>['items'][number];
type Secret = AnswerTo<'POST /api-clients/:clientId/rotate'>;

const listPath = addressOf('GET /api-clients');

export default function Clients(): JSX.Element {
  const { t: own } = people;
  const after = parameter('after');
  const answer = useAnswer(...clientsPreload(pagePlace({})).clients);
  const [secret, setSecret] = useState<Secret | null>(null);
  const { data, error } = answer;
  const open = (): void => changeQuery({ do: 'create' }, { isReplacing: true });
  const close = (): void => changeQuery({ do: null, client: null }, { isReplacing: true });
  const show = (made: Secret): void => {
    close();
    setSecret(made);
    forget(listPath);
  };
  const chosen = data?.items.find(({ clientId }) => clientId === parameter('client'));
  return (
    <>
      <Heading
        title={own.clientsTitle}
        actions={
          <button type="button" class="primary" onClick={open}>
            {own.newClient}
          </button>
        }
      >
        <p class="hint">{own.clientsLead}</p>
      </Heading>
      {data !== null && data.items.length === 0 && after === null ? (
        <FirstStep title={own.noClients} lead={own.noClientsLead}>
          <button type="button" class="primary" onClick={open}>
            {own.newClient}
          </button>
        </FirstStep>
      ) : (
        <div class="panel">
          <Problem error={error} retry={answer.reload} />
          {data !== null && <List clients={data.items} show={show} reload={answer.reload} />}
          {data !== null && <NextPages next={data.next} />}
        </div>
      )}
      <Dialog title={own.newClient} isOpen={parameter('do') === 'create'} onClose={close}>
        <NewClient show={show} />
      </Dialog>
      <Dialog
        title={own.grantsOf(chosen?.name ?? '')}
        isOpen={parameter('do') === 'grants' && chosen !== undefined}
        onClose={close}
      >
        {chosen !== undefined && <Grants client={chosen} close={close} />}
      </Dialog>
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </>
  );
}

function List({
  clients,
  show,
  reload,
}: {
  readonly clients: readonly ApiClient[];
  readonly show: (secret: Secret) => void;
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { t: own } = people;
  return (
    <DataTable
      caption={own.clientsTitle}
      isLong
      rows={clients}
      keyOf={({ clientId }) => clientId}
      columns={[
        {
          title: own.clientName,
          isHead: true,
          cell: ({ name, clientId }) => (
            <>
              {name}
              <code class="hint below">{clientId}</code>
            </>
          ),
        },
        {
          title: own.state,
          cell: ({ disabled, liveSecrets }) => (
            <div class="row">
              <span class={`badge ${disabled ? 'off' : ''}`}>{disabled ? own.disabled : own.enabled}</span>
              {liveSecrets > 1 && <span class="badge">{own.twoSecrets}</span>}
            </div>
          ),
        },
        {
          title: own.grantsShort,
          isLong: true,
          cell: ({ scopes, mayChangeAdmins }) => (
            <>
              {scopes.map((grant) => own.grants[grant]).join(', ') || own.none}{' '}
              {mayChangeAdmins && scopes.includes('w_cx_users') && (
                <span class="badge">{own.mayChangeAdmins}</span>
              )}
            </>
          ),
        },
        {
          title: own.lastUsed,
          cell: ({ lastUsed }) =>
            lastUsed === null ? (
              own.never
            ) : (
              <time class="once" dateTime={lastUsed}>
                {agoText(lastUsed)}
              </time>
            ),
        },
        {
          title: own.actionsTitle,
          isLong: true,
          cell: (client) => <ClientActions client={client} show={show} reload={reload} />,
        },
      ]}
    />
  );
}

function ClientActions({
  client: { clientId, name, disabled, liveSecrets },
  show,
  reload,
}: {
  readonly client: ApiClient;
  readonly show: (secret: Secret) => void;
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { t: own } = people;
  const turn = (verb: 'finish-rotation' | 'enable' | 'disable') => async (): Promise<undefined> => {
    await call(`POST /api-clients/:clientId/${verb}`, { params: { clientId } });
    await reload();
  };
  return (
    <div class="row">
      {liveSecrets > 1 ? (
        <Confirm
          label={own.finish}
          title={own.finishTitle(name)}
          question={own.finishQuestion}
          isDangerous
          run={turn('finish-rotation')}
        />
      ) : (
        <Confirm
          label={own.rotate}
          title={own.rotateTitle(name)}
          question={own.rotateLead}
          yes={own.rotateStart}
          run={async () => {
            show(await call('POST /api-clients/:clientId/rotate', { params: { clientId } }));
            return undefined;
          }}
        />
      )}
      <button
        type="button"
        class="small"
        onClick={() => changeQuery({ do: 'grants', client: clientId }, { isReplacing: true })}
      >
        {own.grantsShort}
      </button>
      {disabled ? (
        <Confirm
          label={own.enable}
          title={own.enableTitle(name)}
          question={own.enableQuestion}
          run={turn('enable')}
        />
      ) : (
        <Confirm
          label={own.disable}
          title={own.disableTitle(name)}
          question={own.disableQuestion}
          isDangerous
          run={turn('disable')}
        />
      )}
    </div>
  );
}

// ---- Forms

function NewClient({ show }: { readonly show: (secret: Secret) => void }): JSX.Element {
  const { t: own } = people;
  const draft = useDraft('client', {
    name: '',
    scopes: [...grants] as readonly Grant[],
    mayChangeAdmins: false,
  });
  const doing = useDoing();
  const [isJudged, setJudged] = useState(false);
  const { name, scopes, mayChangeAdmins } = draft.values;
  const isMissing = name.trim() === '';
  const send = async (): Promise<undefined> => {
    const made = await call('POST /api-clients', { body: { name: name.trim(), scopes, mayChangeAdmins } });
    draft.drop();
    show(made);
  };
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setJudged(true);
        if (!isMissing && scopes.length > 0) void doing.run(send);
      }}
    >
      <Field
        label={own.clientName}
        hint={own.clientNameHint}
        fault={isJudged && isMissing ? own.clientNameMissing : null}
      >
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={255}
            autocomplete="off"
            value={name}
            onInput={({ currentTarget }) => draft.change({ name: currentTarget.value })}
          />
        )}
      </Field>
      <GrantChoice
        chosen={scopes}
        choose={(chosen) => draft.change({ scopes: chosen })}
        fault={isJudged && scopes.length === 0 ? own.grantsMissing : null}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={mayChangeAdmins}
          onChange={({ currentTarget }) => draft.change({ mayChangeAdmins: currentTarget.checked })}
        />
        <span>
          {own.mayChangeAdmins}
          <span class="hint below">{own.mayChangeAdminsHint}</span>
        </span>
      </label>
      <Outcome doing={doing} />
      <Buttons yes={own.create} isBusy={doing.isBusy} />
    </form>
  );
}

function Grants({ client, close }: { readonly client: ApiClient; readonly close: () => void }): JSX.Element {
  const { t: own } = people;
  const draft = useDraft(`grants-${client.clientId}`, { scopes: client.scopes });
  const doing = useDoing();
  const { scopes } = draft.values;
  const send = async (): Promise<undefined> => {
    await call('PUT /api-clients/:clientId/grants', {
      params: { clientId: client.clientId },
      body: { scopes },
    });
    draft.drop();
    forget(listPath);
    close();
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void doing.run(send);
      }}
    >
      <GrantChoice chosen={scopes} choose={(chosen) => draft.change({ scopes: chosen })} fault={null} />
      <Outcome doing={doing} />
      <Buttons yes={own.save} isBusy={doing.isBusy} />
    </form>
  );
}

function GrantChoice({
  chosen,
  choose,
  fault,
}: {
  readonly chosen: readonly Grant[];
  readonly choose: (chosen: readonly Grant[]) => void;
  readonly fault: string | null;
}): JSX.Element {
  const { t: own } = people;
  return (
    <fieldset class="choice">
      <legend>{own.grantsTitle}</legend>
      {grants.map((grant) => (
        <label key={grant}>
          <input
            type="checkbox"
            checked={chosen.includes(grant)}
            onChange={({ currentTarget: { checked } }) =>
              choose(grants.filter((one) => (one === grant ? checked : chosen.includes(one))))
            }
          />
          <span>
            {own.grants[grant]} <code class="hint">{grant}</code>
          </span>
        </label>
      ))}
      {fault !== null && <p class="fault">{fault}</p>}
    </fieldset>
  );
}

function Buttons({ yes, isBusy }: { readonly yes: string; readonly isBusy: boolean }): JSX.Element {
  return (
    <div class="row">
      <button type="submit" class="primary" aria-busy={isBusy}>
        {yes}
      </button>
      <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
        {frameTexts.t.cancel}
      </button>
    </div>
  );
}

// ---- The secret

function SecretDialog({
  secret,
  onClose,
}: {
  readonly secret: Secret | null;
  readonly onClose: () => void;
}): JSX.Element | null {
  const { t: own } = people;
  if (secret === null) return null;
  return (
    <Dialog title={own.secretTitle} isOpen onClose={onClose}>
      <p>{own.secretLead}</p>
      <Copied label={own.clientId} text={secret.clientId} />
      <Copied label={own.clientSecret} text={secret.clientSecret} />
      <Copied label={own.tokenCall} text={linesOf(secret)} />
      <div class="row">
        <button type="button" class="primary" onClick={onClose}>
          {own.done}
        </button>
      </div>
    </Dialog>
  );
}

/** Lines for a terminal. The secret is read from the keyboard: what stands in a line stays in the history of the shell. */
function linesOf({ clientId }: Secret): string {
  const { origin } = location;
  return [
    'read -rs SECRET   # paste the secret, then Enter',
    `TOKEN=$(curl -s -X POST -u "${clientId}:$SECRET" \\`,
    "  -H 'Content-Type: application/x-www-form-urlencoded' \\",
    `  '${origin}/v1/token?grant_type=client_credentials&scope=r_cx_basic' \\`,
    `  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -H "Authorization: Bearer $TOKEN" '${origin}/v1/measures'`,
  ].join('\n');
}
