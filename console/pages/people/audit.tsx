// The audit log of the account.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { auditPreload } from '../../../src/domain/console/page-preload/people.ts';
import { type AnswerTo, addressOf } from '../../call.ts';
import { colon, momentText } from '../../formats.ts';
import { changeQuery, parameter } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Problem } from '../../frame/problem.tsx';
import { can } from '../../frame/session.ts';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import { personTexts } from '../../person-texts.ts';
import { noteText, subjectText, thing } from './note-text.ts';
import { actorText, groupPath, QuerySelect, userPath } from './parts.tsx';
import { people } from './texts.ts';

export const texts = [people, personTexts];

type AuditEntry = AnswerTo<'GET /audit'>['items'][number];

export default function Audit(): JSX.Element {
  const { t: own } = people;
  const request = auditPreload(pagePlace({})).audit;
  const { limit: _limit, after, ...filters } = request[1].query;
  const isFiltered = Object.values(filters).some((text) => text !== undefined);
  const file = `/console/api${addressOf('GET /audit.csv', { query: filters })}`;
  const answer = useAnswer(...request);
  const { data, error, isOld } = answer;
  const seesAll = can('see audit');
  const clear = (): void =>
    changeQuery({ actor: null, action: null, subject: null, from: null, to: null, after: null });
  return (
    <>
      <Heading
        title={own.auditTitle}
        actions={
          <a class="button" href={file} download title={own.csvNewest}>
            CSV
          </a>
        }
      >
        <p class="hint">{seesAll ? own.auditLead : `${own.auditLead} ${own.auditOwn}`}</p>
      </Heading>
      <div class="panel">
        <search class="filters">
          {seesAll && <PersonField />}
          <QuerySelect
            name="action"
            label={own.action}
            options={{ '': own.any, ...own.actionGroups, ...chosenAction() }}
          />
          <TextField name="subject" label={own.subject} />
          <DayField name="from" label={own.from} />
          <DayField name="to" label={own.to} />
        </search>
        <Problem error={error} retry={answer.reload} />
        {data !== null && (
          <div class={`stack ${isOld ? 'old' : ''}`}>
            <DataTable
              caption={own.auditTitle}
              rows={data.items}
              keyOf={({ changeId }) => changeId}
              columns={columns(seesAll)}
              empty={
                <p class="row">
                  {data.next === null ? own.auditEmpty : own.auditSearching}
                  {isFiltered && (
                    <button type="button" class="small" onClick={clear}>
                      {own.clear}
                    </button>
                  )}
                </p>
              }
            />
            {(data.next !== null || after !== undefined) && (
              <nav class="row" aria-label={own.pages}>
                {after !== undefined && (
                  <button type="button" class="small" onClick={() => changeQuery({ after: null })}>
                    {own.newest}
                  </button>
                )}
                {data.next !== null && (
                  <button type="button" class="small" onClick={() => changeQuery({ after: data.next })}>
                    {own.older}
                  </button>
                )}
              </nav>
            )}
          </div>
        )}
      </div>
    </>
  );
}

/** A whole action may stand in the address where the choice has only their first words. */
function chosenAction(): Readonly<Record<string, string>> {
  const { actions, actionGroups } = people.t;
  const action = parameter('action');
  return action === null || action in actionGroups ? {} : { [action]: actions[action] ?? action };
}

function columns(seesAll: boolean) {
  const { t: own } = people;
  return [
    {
      title: own.when,
      cell: (entry: AuditEntry) => <time dateTime={entry.at}>{momentText(entry.at)}</time>,
    },
    {
      title: own.who,
      cell: (entry: AuditEntry) =>
        seesAll ? (
          <a class="once" href={`/console/audit?${new URLSearchParams({ actor: entry.actor.id })}`}>
            {actorText(entry.actor)}
          </a>
        ) : (
          actorText(entry.actor)
        ),
    },
    { title: own.what, isLong: true, cell: (entry: AuditEntry) => <What entry={entry} /> },
    {
      title: own.where,
      cell: (entry: AuditEntry) => (
        <>
          {entry.from ?? ''}
          {entry.requestId !== null && (
            <details>
              <summary class="hint">{own.request}</summary>
              <code class="hint">{entry.requestId}</code>
            </details>
          )}
        </>
      ),
    },
  ];
}

function What({ entry }: { readonly entry: AuditEntry }): JSX.Element {
  const { t: own } = people;
  const { action, subject, attributes, joined, left, note } = entry;
  const [, kind, id] = /^(user|group) (\d+)$/.exec(subject) ?? [];
  const isOwn = subject === entry.actor.id;
  const label = subjectText(entry);
  const facts = [
    ...(attributes.length === 0 ? [] : [attributes.map(thing).join(', ')]),
    ...(joined === undefined ? [] : [own.membersJoined(joined.count)]),
    ...(left === undefined ? [] : [own.membersLeft(left.count)]),
    ...(note === undefined ? [] : [noteText(entry)]),
  ];
  return (
    <>
      {own.actions[action] ?? action}
      {!isOwn && colon()}
      {!isOwn &&
        (kind === undefined || !can('manage users') ? (
          label
        ) : (
          <a href={kind === 'user' ? userPath(id!) : groupPath(id!)}>{label}</a>
        ))}
      {facts.length > 0 && <span class="hint below">{facts.join(' · ')}</span>}
    </>
  );
}

// ---- Fields of the address

/** Whoever is typed is searched for; the choice puts the name of the log into the field. */
function PersonField(): JSX.Element {
  const { t: own } = people;
  const said = parameter('actor') ?? '';
  const [typed, setTyped] = useState(said);
  const [asked, setAsked] = useState('');
  useEffect(() => setTyped(said), [said]);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  const isChosen = /^(user \d+|operator .+|command line|sc_\w+|pt_\w+)$/.test(typed.trim());
  const { data } = useAnswer(
    'GET /users',
    asked.length < 2 || isChosen || !can('manage users')
      ? null
      : { query: { search: asked, count: 8, order: 'name' } },
  );
  const take = (text: string): void => {
    setTyped(text);
    const wanted = text.trim();
    if (wanted === '') changeQuery({ actor: null, after: null });
    else if (/^(user \d+|operator .+|command line|sc_\w+|pt_\w+)$/.test(wanted))
      changeQuery({ actor: wanted, after: null });
  };
  return (
    <Field label={own.person} hint={own.personHint}>
      {(ids) => (
        <>
          <input
            {...ids}
            type="search"
            list="audit-people"
            autocomplete="off"
            maxLength={300}
            value={typed}
            onInput={({ currentTarget }) => take(currentTarget.value)}
          />
          <datalist id="audit-people">
            {(data?.items ?? []).map((user) => (
              <option key={user.id} value={`user ${user.id}`}>
                {user.displayName === null ? user.userName : `${user.displayName} (${user.userName})`}
              </option>
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

/** Taken when the field is left, or by Enter. */
function TextField({ name, label }: { readonly name: string; readonly label: string }): JSX.Element {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          type="search"
          autocomplete="off"
          maxLength={300}
          value={parameter(name) ?? ''}
          onChange={({ currentTarget: { value } }) =>
            changeQuery({ [name]: value.trim() || null, after: null })
          }
        />
      )}
    </Field>
  );
}

function DayField({ name, label }: { readonly name: string; readonly label: string }): JSX.Element {
  return (
    <Field label={label}>
      {(ids) => (
        <input
          {...ids}
          type="date"
          value={parameter(name) ?? ''}
          onChange={({ currentTarget: { value } }) => changeQuery({ [name]: value || null, after: null })}
        />
      )}
    </Field>
  );
}
