// One group: its roles and its members.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { groupPreload } from '../../../src/domain/console/page-preload/people.ts';
import { type AnswerTo, type CallInput, call } from '../../call.ts';
import { agoText, colon, numberText } from '../../formats.ts';
import { type Doing, Outcome, useDoing } from '../../frame/action.tsx';
import { changeQuery, go, parameter } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Field } from '../../frame/field.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { Problem } from '../../frame/problem.tsx';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import { personTexts } from '../../person-texts.ts';
import type { PageProps } from '../loaders.ts';
import { GroupNameForm } from './group-name-form.tsx';
import { granterText, groupPath, NextPages, userPath } from './parts.tsx';
import { inWords, RoleGrants } from './role-grants.tsx';
import { people } from './texts.ts';

export const texts = [people, personTexts];

type WholeGroup = AnswerTo<'GET /groups/:id'>;

const foundMax = 8;

export default function GroupPage({ params }: PageProps): JSX.Element {
  const { t: own } = people;
  const id = params.id ?? '';
  const answer = useAnswer(...groupPreload(pagePlace(params)).group);
  const group = answer.data;
  const over = <a href="/console/groups">{own.groupsTitle}</a>;
  if (group === null)
    return (
      <Heading title={own.groupOver} over={over}>
        <Problem error={answer.error} retry={answer.reload} />
      </Heading>
    );
  const { displayName: name } = group;
  return (
    <>
      <Heading
        title={name}
        over={over}
        actions={
          <>
            <button
              type="button"
              class="small"
              onClick={() => changeQuery({ do: 'rename' }, { isReplacing: true })}
            >
              {own.rename}
            </button>
            <Confirm
              label={own.delete}
              title={own.deleteTitle(name)}
              question={own.deleteGroupQuestion}
              isDangerous
              run={async () => {
                await inWords(call('DELETE /groups/:id', { params: { id } }));
                go('/console/groups');
                forget('/groups?');
                return undefined;
              }}
            />
          </>
        }
      >
        <p class="hint">
          {group.externalId === null ? own.createdHere : own.fromProvider} · {own.members}
          {colon()}
          {numberText(group.memberCount)}
        </p>
      </Heading>
      <div class="grid loose">
        <Panel title={own.roles} answer={answer}>
          <RoleGrants
            of={{ kind: 'groups', id }}
            empty={own.groupRolesEmpty}
            reload={answer.reload}
            rows={group.roles.map(({ role, ...grant }) => ({
              role,
              isOwn: true,
              why: own.byGrant(granterText(grant), agoText(grant.grantedAt)),
            }))}
          />
        </Panel>
        <Members group={group} reload={answer.reload} />
      </div>
      <Dialog
        title={own.rename}
        isOpen={parameter('do') === 'rename'}
        onClose={() => changeQuery({ do: null }, { isReplacing: true })}
      >
        <Rename group={group} reload={answer.reload} />
      </Dialog>
    </>
  );
}

interface MembersProps {
  readonly group: WholeGroup;
  readonly reload: () => Promise<void>;
}

function Members({ group, reload }: MembersProps): JSX.Element {
  const { t: own } = people;
  const doing = useDoing();
  const change = (body: CallInput<'PATCH /groups/:id'>['body'], said: string): Promise<boolean> =>
    doing.run(async () => {
      await inWords(call('PATCH /groups/:id', { params: { id: group.id }, body }));
      await reload();
      return said;
    });
  return (
    <Panel title={own.members}>
      <AddMember group={group} doing={doing} add={(id, name) => change({ add: [id] }, own.added(name))} />
      <Outcome doing={doing} />
      <DataTable
        caption={own.members}
        rows={group.members}
        keyOf={({ id }) => id}
        empty={<p>{own.membersEmpty}</p>}
        columns={[
          {
            title: own.name,
            isHead: true,
            cell: ({ id, kind, displayName }) => (
              <>
                <a href={kind === 'group' ? groupPath(id) : userPath(id)}>{displayName ?? id}</a>
                {kind === 'group' && <span class="hint below">{own.kindGroup}</span>}
              </>
            ),
          },
          {
            title: own.actionsTitle,
            isNumber: true,
            cell: ({ id, displayName }) => (
              <button
                type="button"
                class="quiet small"
                aria-label={own.removeNamed(displayName ?? id)}
                aria-busy={doing.isBusy}
                onClick={() => change({ remove: [id] }, own.removed(displayName ?? id))}
              >
                {own.remove}
              </button>
            ),
          },
        ]}
      />
      <NextPages next={group.next} />
    </Panel>
  );
}

/** Whoever is searched for stands below the field, with a button each. */
function AddMember({
  group,
  doing,
  add,
}: {
  readonly group: WholeGroup;
  readonly doing: Doing;
  readonly add: (id: string, name: string) => Promise<boolean>;
}): JSX.Element {
  const { t: own } = people;
  const [typed, setTyped] = useState('');
  const [asked, setAsked] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), 250);
    return () => clearTimeout(timer);
  }, [typed]);
  const answer = useAnswer(
    'GET /users',
    asked === '' ? null : { query: { search: asked, count: foundMax, order: 'name' } },
  );
  const known = new Set(group.members.map(({ id }) => id));
  const found = asked === '' ? [] : (answer.data?.items ?? []).filter(({ id }) => !known.has(id));
  return (
    <div class="stack">
      <Field label={own.addMember} hint={own.addMemberHint}>
        {(ids) => (
          <input
            {...ids}
            type="search"
            autocomplete="off"
            maxLength={200}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        )}
      </Field>
      <Problem error={answer.error} />
      <div aria-live="polite">
        {asked !== '' && answer.data !== null && found.length === 0 && <p class="hint">{own.noMatch}</p>}
        <ul class="list">
          {found.map((user) => (
            <li key={user.id}>
              <div>
                {user.displayName ?? user.userName}
                {user.displayName !== null && <p class="hint">{user.userName}</p>}
              </div>
              <button
                type="button"
                class="small"
                aria-label={own.addNamed(user.userName)}
                aria-busy={doing.isBusy}
                onClick={async () => {
                  if (await add(user.id, user.displayName ?? user.userName)) setTyped('');
                }}
              >
                {own.add}
              </button>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Rename({ group, reload }: MembersProps): JSX.Element {
  return (
    <GroupNameForm
      draftName={`rename-${group.id}`}
      name={group.displayName}
      label={people.t.save}
      send={async (displayName) => {
        await call('PATCH /groups/:id', { params: { id: group.id }, body: { displayName } });
        await reload();
        changeQuery({ do: null }, { isReplacing: true });
      }}
    />
  );
}
