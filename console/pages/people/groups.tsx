// The groups of the account.

import type { JSX } from 'preact';
import { groupsPreload } from '../../../src/domain/console/page-preload/people.ts';
import { call } from '../../call.ts';
import { agoText, numberText } from '../../formats.ts';
import { changeQuery, go, parameter } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Dialog } from '../../frame/dialog.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Problem } from '../../frame/problem.tsx';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import { personTexts } from '../../person-texts.ts';
import { GroupNameForm } from './group-name-form.tsx';
import { FirstStep, groupPath, RoleBadges, SearchField, WindowPages } from './parts.tsx';
import { people } from './texts.ts';

export const texts = [people, personTexts];

export default function Groups(): JSX.Element {
  const { t: own } = people;
  const { groups } = groupsPreload(pagePlace({}));
  const { count, search } = groups[1].query;
  const answer = useAnswer(...groups);
  const { data, error, isOld } = answer;
  const open = (): void => changeQuery({ do: 'create' }, { isReplacing: true });
  return (
    <>
      <Heading
        title={own.groupsTitle}
        actions={
          <button type="button" class="primary" onClick={open}>
            {own.newGroup}
          </button>
        }
      >
        <p class="hint">{own.groupsLead}</p>
      </Heading>
      {data !== null && data.total === 0 && search === '' ? (
        <FirstStep title={own.noGroupsYet} lead={own.noGroupsLead}>
          <button type="button" class="primary" onClick={open}>
            {own.newGroupTitle}
          </button>
          <a class="button" href="/console/provider">
            {own.connectProvider}
          </a>
        </FirstStep>
      ) : (
        <div class="panel">
          <search class="filters">
            <SearchField name="search" label={own.groupsSearch} />
          </search>
          <Problem error={error} retry={answer.reload} />
          {data !== null && (
            <div class={`stack ${isOld ? 'old' : ''}`}>
              <DataTable
                caption={own.groupsTitle}
                rows={data.items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: own.groupName,
                    isHead: true,
                    cell: (group) => <a href={groupPath(group.id)}>{group.displayName}</a>,
                  },
                  { title: own.roles, cell: (group) => <RoleBadges roles={group.roles} /> },
                  {
                    title: own.members,
                    isNumber: true,
                    cell: (group) => numberText(group.memberCount),
                  },
                  {
                    title: own.created,
                    cell: (group) => <time dateTime={group.createdAt}>{agoText(group.createdAt)}</time>,
                  },
                ]}
                empty={
                  <p class="row">
                    {own.noGroupMatch}
                    <button type="button" class="small" onClick={() => changeQuery({ search: null })}>
                      {own.clear}
                    </button>
                  </p>
                }
              />
              <WindowPages start={data.start} shown={data.items.length} total={data.total} size={count} />
            </div>
          )}
        </div>
      )}
      <Dialog
        title={own.newGroupTitle}
        isOpen={parameter('do') === 'create'}
        onClose={() => changeQuery({ do: null }, { isReplacing: true })}
      >
        <NewGroup />
      </Dialog>
    </>
  );
}

function NewGroup(): JSX.Element {
  return (
    <GroupNameForm
      draftName="group"
      name=""
      label={people.t.create}
      send={async (displayName) => {
        const { id } = await call('POST /groups', { body: { displayName } });
        forget('/groups?');
        go(groupPath(id));
      }}
    />
  );
}
