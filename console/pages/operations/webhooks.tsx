// The webhooks of the account: where messages go, how that is going, and what was given up.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { webhooksPreload } from '../../../src/domain/console/page-preload/operations.ts';
import { type EventType, eventTypes } from '../../../src/domain/webhooks/event-types.ts';
import { type AnswerTo, addressOf, call } from '../../call.ts';
import { agoText, momentText, numberText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { CopyButton } from '../../frame/copy.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { frameTexts } from '../../frame/messages.ts';
import { Panel } from '../../frame/panel.tsx';
import { Problem } from '../../frame/problem.tsx';
import { DataTable } from '../../frame/table.tsx';
import { useDraft } from './draft.ts';
import { Fact, Facts, Said } from './figures.tsx';
import { usePolled } from './polling.ts';
import { Pager } from './store-panels.tsx';
import { operationsTexts } from './texts.ts';
import { HookState, type Webhook } from './webhook-state.tsx';

export const texts = [operationsTexts];

const path = addressOf('GET /webhooks');
const renewMs = 4_000;

type Secret = Pick<AnswerTo<'POST /webhooks'>, 'name' | 'secret'>;

export default function Webhooks(): JSX.Element {
  const { t } = operationsTexts;
  const answer = usePolled(webhooksPreload().webhooks[0], renewMs);
  const [isMaking, setMaking] = useState(false);
  const [shown, setShown] = useState<Secret | null>(null);
  const items = answer.data?.items ?? [];
  const make = (
    <button type="button" class="primary" onClick={() => setMaking(true)}>
      {t.newWebhook}
    </button>
  );
  return (
    <>
      <Heading title={t.webhooksTitle} {...(items.length > 0 && { actions: make })}>
        <p class="lead">{t.webhooksLead}</p>
      </Heading>
      {shown !== null && <ShownSecret shown={shown} onClose={() => setShown(null)} />}
      {answer.data === null && <Problem error={answer.error} retry={answer.reload} />}
      {answer.data !== null && items.length === 0 && (
        <Panel title={t.noWebhook} lead={t.noWebhookLead}>
          <p>{make}</p>
          <p class="hint">{t.copyHint}</p>
        </Panel>
      )}
      {items.map((webhook) => (
        <Hook key={webhook.id} webhook={webhook} onSecret={setShown} />
      ))}
      <Dialog title={t.newWebhook} isOpen={isMaking} onClose={() => setMaking(false)}>
        <NewWebhook
          onDone={(made) => {
            setMaking(false);
            if (made !== null) setShown(made);
          }}
        />
      </Dialog>
    </>
  );
}

function ShownSecret({
  shown,
  onClose,
}: {
  readonly shown: Secret;
  readonly onClose: () => void;
}): JSX.Element {
  const { t } = operationsTexts;
  return (
    <Panel title={`${shown.name}: ${t.secretTitle}`} lead={t.secretLead}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>
        <code>{shown.secret}</code>
      </pre>
      <div class="row">
        <CopyButton text={shown.secret} />
        <button type="button" class="quiet small" onClick={onClose}>
          {frameTexts.t.close}
        </button>
      </div>
    </Panel>
  );
}

function Hook({
  webhook,
  onSecret,
}: {
  readonly webhook: Webhook;
  readonly onSecret: (secret: Secret) => void;
}): JSX.Element {
  const { t } = operationsTexts;
  const { id, name, url, events, lastDelivered, lastFailed, lastFailure } = webhook;
  const params = { id };
  const testing = useDoing();
  const [isDeadSeen, setDeadSeen] = useState(false);
  const test = async (): Promise<string> => {
    const { status, failure } = await call('POST /webhooks/:id/test', { params });
    return failure === null ? t.taken(status ?? 0) : t.notTaken(failure);
  };
  const rotate = async (): Promise<undefined> => {
    const { secret } = await call('POST /webhooks/:id/rotate', { params });
    onSecret({ name, secret });
    forget(path);
  };
  const finish = async (): Promise<undefined> => {
    await call('POST /webhooks/:id/finish-rotation', { params });
    forget(path);
  };
  const remove = async (): Promise<undefined> => {
    await call('DELETE /webhooks/:id', { params });
    forget(path);
  };
  return (
    <Panel
      title={name}
      actions={<HookState webhook={webhook} />}
      lead={
        <>
          <code>{url}</code>
          <br />
          {events.join(', ')}
        </>
      }
    >
      <Facts>
        <Fact name={t.delivered}>{numberText(webhook.delivered)}</Fact>
        <Fact name={t.waiting}>{numberText(webhook.waiting)}</Fact>
        <Fact
          name={t.dead}
          beside={webhook.givenUp > webhook.dead ? t.deadKept(numberText(webhook.dead)) : undefined}
        >
          {numberText(webhook.givenUp)}
        </Fact>
        <Fact name={t.last}>{lastDelivered === null ? t.neverDelivered : agoText(lastDelivered)}</Fact>
        {lastFailed !== null && (
          <Fact name={t.lastFailure} beside={<Said>{lastFailure}</Said>}>
            {agoText(lastFailed)}
          </Fact>
        )}
      </Facts>
      <Outcome doing={testing} />
      <div class="row">
        {webhook.hasSecret && (
          <button type="button" class="small" aria-busy={testing.isBusy} onClick={() => testing.run(test)}>
            {t.test}
          </button>
        )}
        {(webhook.dead > 0 || isDeadSeen) && (
          <button
            type="button"
            class="small"
            aria-expanded={isDeadSeen}
            onClick={() => setDeadSeen(!isDeadSeen)}
          >
            {t.showDead}
          </button>
        )}
        <Confirm
          label={webhook.hasSecret ? t.rotate : t.makeSecret}
          title={`${webhook.hasSecret ? t.rotate : t.makeSecret}: ${name}`}
          question={t.rotateQuestion}
          run={rotate}
        />
        {webhook.isRotating && (
          <Confirm label={t.finish} title={`${t.finish}: ${name}`} question={t.finishQuestion} run={finish} />
        )}
        <Confirm
          label={t.remove}
          title={t.removeHook(name)}
          question={t.removeHookQuestion}
          isDangerous
          run={remove}
        />
      </div>
      {isDeadSeen && <DeadLetters webhook={webhook} />}
    </Panel>
  );
}

function DeadLetters({ webhook }: { readonly webhook: Webhook }): JSX.Element {
  const { t } = operationsTexts;
  const [after, setAfter] = useState('');
  const params = { id: webhook.id };
  const query = { dead: true, limit: 20, after: after || undefined };
  const answer = useAnswer('GET /webhooks/:id/deliveries', { params, query });
  const doing = useDoing();
  const replay = (delivery?: string) => async (): Promise<string> => {
    const body = delivery === undefined ? {} : { delivery };
    const { queued } = await call('POST /webhooks/:id/replay', { params, body });
    forget(path);
    return t.queued(queued);
  };
  return (
    <div class="stack">
      <div class="row between">
        <h3>{t.deadTitle(webhook.name)}</h3>
        {(answer.data?.items.length ?? 0) > 0 && (
          <button type="button" class="small" aria-busy={doing.isBusy} onClick={() => doing.run(replay())}>
            {t.replayAll}
          </button>
        )}
      </div>
      <Outcome doing={doing} />
      <Problem error={answer.error} retry={answer.reload} />
      {answer.data !== null && (
        <DataTable
          caption={t.deadTitle(webhook.name)}
          rows={answer.data.items}
          keyOf={({ id }) => id}
          empty={t.noDead}
          columns={[
            { title: t.when, cell: ({ created }) => momentText(created) },
            { title: t.event, isHead: true, cell: ({ type }) => <code>{type}</code> },
            { title: t.attempts, isNumber: true, cell: ({ attempts }) => numberText(attempts) },
            { title: t.lastFailure, cell: ({ lastFailure }) => <Said>{lastFailure ?? '–'}</Said> },
            {
              title: t.actions,
              cell: ({ id }) => (
                <button type="button" class="small" onClick={() => doing.run(replay(id))}>
                  {t.replay}
                </button>
              ),
            },
          ]}
        />
      )}
      <Pager page={answer.data} isFirst={after === ''} onGo={setAfter} />
    </div>
  );
}

function NewWebhook({ onDone }: { readonly onDone: (made: Secret | null) => void }): JSX.Element {
  const { t } = operationsTexts;
  const doing = useDoing();
  const draft = useDraft<{ name: string; url: string; events: readonly EventType[] }>('webhook', {
    name: '',
    url: '',
    events: eventTypes,
  });
  const { name, url, events } = draft.value;
  const make = async (): Promise<undefined> => {
    const made = await call('POST /webhooks', { body: { name, url, events } });
    draft.clear();
    forget(path);
    onDone(made);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void doing.run(make);
      }}
    >
      <Field label={t.name}>
        {(ids) => (
          <input
            {...ids}
            required
            maxLength={255}
            value={name}
            onInput={({ currentTarget }) => draft.change({ name: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={t.url} hint={t.urlHint}>
        {(ids) => (
          <input
            {...ids}
            type="url"
            required
            maxLength={2_000}
            placeholder="https://example.com/soundings"
            value={url}
            onInput={({ currentTarget }) => draft.change({ url: currentTarget.value })}
          />
        )}
      </Field>
      <fieldset class="field">
        <legend>{t.events}</legend>
        {eventTypes.map((type) => (
          <label key={type} class="check">
            <input
              type="checkbox"
              checked={events.includes(type)}
              onChange={({ currentTarget }) =>
                draft.change({
                  events: eventTypes.filter((one) =>
                    one === type ? currentTarget.checked : events.includes(one),
                  ),
                })
              }
            />
            <code>{type}</code>
          </label>
        ))}
      </fieldset>
      <Outcome doing={doing} />
      <div class="row">
        <button type="submit" class="primary" aria-busy={doing.isBusy} disabled={events.length === 0}>
          {t.make}
        </button>
        <button type="button" onClick={() => onDone(null)}>
          {frameTexts.t.cancel}
        </button>
      </div>
    </form>
  );
}
