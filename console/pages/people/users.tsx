// The users of the account.

import type { JSX } from 'preact';
import { roles } from '../../../src/domain/access/role.ts';
import { usersPreload } from '../../../src/domain/console/page-preload/people.ts';
import type { AnswerTo } from '../../call.ts';
import { agoText } from '../../formats.ts';
import { changeQuery } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { Problem } from '../../frame/problem.tsx';
import { DataTable } from '../../frame/table.tsx';
import { pagePlace } from '../../frame/view.ts';
import { personTexts, t } from '../../person-texts.ts';
import { InviteDialog, openInvite } from './invite.tsx';
import {
  FirstStep,
  QuerySelect,
  RoleBadges,
  SearchField,
  StateBadge,
  userPath,
  WindowPages,
} from './parts.tsx';
import { people } from './texts.ts';

export const texts = [people, personTexts];

type ListedUser = AnswerTo<'GET /users'>['items'][number];

export default function Users(): JSX.Element {
  const { t: own } = people;
  const { users } = usersPreload(pagePlace({}));
  const { count, search, state, role } = users[1].query;
  const isSearched = [search, state, role].some((text) => text !== undefined);
  const answer = useAnswer(...users);
  const { data, error, isOld } = answer;
  const clear = (): void => changeQuery({ search: null, state: null, role: null, start: null });
  const isNobody = data !== null && data.total === 0 && !isSearched;
  return (
    <>
      <Heading
        title={own.usersTitle}
        actions={
          <button type="button" class="primary" onClick={openInvite}>
            {own.invite}
          </button>
        }
      >
        <p class="hint">{own.usersLead}</p>
      </Heading>
      {isNobody ? (
        <FirstStep title={own.nobody} lead={own.nobodyLead}>
          <button type="button" class="primary" onClick={openInvite}>
            {own.inviteTitle}
          </button>
          <a class="button" href="/console/provider">
            {own.connectProvider}
          </a>
        </FirstStep>
      ) : (
        <div class="panel">
          <search class="filters">
            <SearchField name="search" label={own.usersSearch} />
            <QuerySelect name="state" label={own.state} options={{ '': own.any, ...own.states }} />
            <QuerySelect
              name="role"
              label={own.role}
              options={{
                '': own.any,
                ...Object.fromEntries(roles.map((role) => [role, t.roles[role]])),
                none: own.noRole,
              }}
            />
            <QuerySelect name="order" label={own.order} usual="name" options={own.orders} />
          </search>
          <Problem error={error} retry={answer.reload} />
          {data !== null && (
            <div class={`stack ${isOld ? 'old' : ''}`}>
              <DataTable
                caption={own.usersTitle}
                rows={data.items}
                keyOf={({ id }) => id}
                columns={columns()}
                empty={
                  <p class="row">
                    {own.noMatch}
                    <button type="button" class="small" onClick={clear}>
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
      <InviteDialog />
    </>
  );
}

function columns() {
  const { t: own } = people;
  return [
    {
      title: own.name,
      isHead: true,
      cell: (user: ListedUser) => (
        <>
          <a href={userPath(user.id)}>{user.displayName ?? user.userName}</a>
          {user.displayName !== null && <span class="hint below">{user.userName}</span>}
        </>
      ),
    },
    { title: own.state, cell: (user: ListedUser) => <StateBadge isActive={user.active} /> },
    {
      title: own.roles,
      cell: (user: ListedUser) =>
        user.roles === null ? (
          <a href={userPath(user.id)}>{own.rolesUnknown}</a>
        ) : (
          <RoleBadges roles={user.roles} />
        ),
    },
    {
      title: own.source,
      cell: (user: ListedUser) => (user.externalId === null ? own.fromInvitation : own.fromProvider),
    },
    {
      title: own.created,
      cell: (user: ListedUser) => <time dateTime={user.createdAt}>{agoText(user.createdAt)}</time>,
    },
  ];
}
