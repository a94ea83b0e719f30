// One user: state, roles and why, sessions, groups, profile, and what happened.

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import { userPreload } from '../../../src/domain/console/page-preload/people.ts';
import { browserName } from '../../browser-name.ts';
import { type AnswerTo, addressOf, call } from '../../call.ts';
import { agoText, momentText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { go } from '../../frame/address.ts';
import { type Answer, forget, useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Dialog } from '../../frame/dialog.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { Problem } from '../../frame/problem.tsx';
import { can } from '../../frame/session.ts';
import { personTexts, t } from '../../person-texts.ts';
import type { PageProps } from '../loaders.ts';
import { requestTexts } from '../provider/request-words.ts';
import { granterText, groupPath, ShownLink, StateBadge } from './parts.tsx';
import { inWords, RoleGrants, type RoleRow } from './role-grants.tsx';
import { people } from './texts.ts';
import { Timeline } from './timeline.tsx';

type WholeUser = AnswerTo<'GET /users/:id'>;
type RoleReason = WholeUser['roles'][number]['reasons'][number];

export const texts = [people, personTexts, requestTexts];

export default function UserPage({ params }: PageProps): JSX.Element {
  const { t: own } = people;
  const id = params.id ?? '';
  const requests = userPreload({ params });
  const answer = useAnswer(...requests.user);
  const sessions = useAnswer(...requests.sessions);
  const user = answer.data;
  const over = <a href="/console/users">{own.usersTitle}</a>;
  if (user === null)
    return (
      <Heading title={own.userOver} over={over}>
        <Problem error={answer.error} retry={answer.reload} />
      </Heading>
    );
  const name = user.displayName ?? user.userName;
  return (
    <>
      <Heading title={name} over={over} actions={<Actions user={user} name={name} />}>
        <p class="row">
          <StateBadge isActive={user.active} />
          <span class="hint">
            {user.userName} · {user.externalId === null ? own.fromInvitation : own.fromProvider}
          </span>
        </p>
      </Heading>
      <Protection user={user} name={name} />
      <div class="grid loose">
        <div class="pile">
          <Panel title={own.rolesTitle} answer={answer}>
            <RoleGrants
              of={{ kind: 'users', id }}
              rows={rowsOf(user)}
              empty={own.rolesEmpty}
              reload={answer.reload}
            />
          </Panel>
          <Groups user={user} />
        </div>
        <div class="pile">
          <SignIn user={user} name={name} sessions={sessions} />
          <Panel title={own.profileTitle} lead={own.profileLead}>
            <Profile user={user} />
          </Panel>
        </div>
      </div>
      <Timeline id={id} />
      <p>
        <a href={`/console/audit?actor=${encodeURIComponent(`user ${user.id}`)}`}>{own.auditOf}</a>
      </p>
    </>
  );
}

function rowsOf({ roles }: WholeUser): readonly RoleRow[] {
  return roles.map(({ role, reasons }) => ({
    role,
    isOwn: reasons.some(({ through }) => through === 'grant'),
    why: reasons.map((reason, index) => (
      <span key={`${reason.through}${reason.groupId ?? reason.value ?? ''}`}>
        {index > 0 && ' · '}
        {reasonWords(reason)}
      </span>
    )),
  }));
}

function reasonWords({ through, groupId, displayName, value, ...grant }: RoleReason): ComponentChildren {
  const { t: own } = people;
  if (through === 'value') return own.byValue(value ?? '');
  if (through === 'grant') return own.byGrant(granterText(grant), agoText(grant.grantedAt ?? ''));
  return (
    <>
      {own.byGroup} <a href={groupPath(groupId ?? '')}>{displayName}</a>
    </>
  );
}

// ---- What can be done

interface ActionsProps {
  readonly user: WholeUser;
  readonly name: string;
}

function Actions({ user, name }: ActionsProps): JSX.Element {
  const { t: own } = people;
  const params = { id: user.id };
  const [link, setLink] = useState<AnswerTo<'POST /users/:id/link'> | null>(null);
  const changeState = async (active: boolean): Promise<undefined> => {
    await inWords(call('PATCH /users/:id', { params, body: { active } }));
    forget('/users');
  };
  return (
    <>
      {user.active && !user.signsInBy.onlyProvider && (
        <Confirm
          label={own.newLink}
          title={own.newLinkTitle}
          question={own.newLinkQuestion}
          run={async () => {
            setLink(await call('POST /users/:id/link', { params }));
            return undefined;
          }}
        />
      )}
      {user.active ? (
        <Confirm
          label={own.suspend}
          title={own.suspendTitle(name)}
          question={own.suspendQuestion}
          isDangerous
          run={() => changeState(false)}
        />
      ) : (
        <Confirm
          label={own.reactivate}
          title={own.reactivateTitle(name)}
          question={own.reactivateQuestion}
          run={() => changeState(true)}
        />
      )}
      <Confirm
        label={own.delete}
        title={own.deleteTitle(name)}
        question={own.deleteQuestion}
        isDangerous
        run={async () => {
          await inWords(call('DELETE /users/:id', { params }));
          go('/console/users');
          forget('/users?');
          return undefined;
        }}
      />
      <Dialog title={own.newLinkTitle} isOpen={link !== null} onClose={() => setLink(null)}>
        {link !== null && <ShownLink link={link} />}
        <div class="row">
          <button type="button" class="primary" onClick={() => setLink(null)}>
            {own.done}
          </button>
        </div>
      </Dialog>
    </>
  );
}

// ---- What concerns an admin alone

/** A grant that rests, and what was refused: both wait for an admin or an operator. */
function Protection({ user, name }: ActionsProps): JSX.Element | null {
  const { t: own } = people;
  const params = { id: user.id };
  const doing = useDoing();
  const isAdmin = can('manage API clients');
  const { adminRests, refused } = user;
  if (!adminRests && refused.length === 0) return null;
  const drop = () =>
    doing.run(async () => {
      await call('DELETE /users/:id/refused', { params });
      forget(addressOf('GET /users/:id', { params }));
      return undefined;
    });
  return (
    <div class="pile">
      {adminRests && (
        <Panel title={own.adminRestsTitle}>
          <p class="bad" role="status">
            {own.adminRests}
          </p>
          {isAdmin && (
            <div>
              <Confirm
                label={own.confirmAdmin}
                title={own.confirmAdminTitle(name)}
                question={own.confirmAdminQuestion}
                run={async () => {
                  await call('POST /users/:id/confirm-admin', { params });
                  forget(addressOf('GET /users/:id', { params }));
                  return undefined;
                }}
              />
            </div>
          )}
        </Panel>
      )}
      {refused.length > 0 && (
        <Panel title={own.refusedTitle}>
          <ul class="list">
            {refused.map(({ act, by, byName, lastAt, times }) => (
              <li key={act}>
                <div>
                  {own.refusedActs[act](byName ?? by, times)}
                  <p class="hint">{own.refusedHint(agoText(lastAt))}</p>
                </div>
              </li>
            ))}
          </ul>
          {isAdmin && (
            <div>
              <button type="button" class="small" aria-busy={doing.isBusy} onClick={drop}>
                {own.dropRefused}
              </button>
            </div>
          )}
          <Outcome doing={doing} />
        </Panel>
      )}
    </div>
  );
}

// ---- Sign-in and sessions

function SignIn({
  user,
  name,
  sessions,
}: ActionsProps & {
  readonly sessions: Answer<AnswerTo<'GET /users/:id/sessions'>>;
}): JSX.Element {
  const { t: own } = people;
  const params = { id: user.id };
  const doing = useDoing();
  const { passkeys, password, connection, onlyProvider } = user.signsInBy;
  const ways = [
    ...(connection === null ? [] : [own.wayProvider(connection.name)]),
    ...(passkeys === 0 ? [] : [own.wayPasskeys(passkeys)]),
    ...(password ? [own.wayPassword] : []),
  ];
  const all = sessions.data?.sessions ?? [];
  const end = (id: string) =>
    doing.run(async () => {
      await call('DELETE /users/:id/sessions/:sessionId', { params: { ...params, sessionId: id } });
      await sessions.reload();
      return own.signedOut(1);
    });
  return (
    <Panel title={own.signInTitle} answer={sessions}>
      <p>{ways.length === 0 ? own.waysNone : ways.join(' · ')}</p>
      {onlyProvider && <p class="hint">{own.onlyProvider}</p>}
      <h3>{own.sessionsTitle}</h3>
      {all.length === 0 && <p class="hint">{own.noSessions}</p>}
      <ul class="list">
        {all.map((session) => {
          const browser = browserName(session.browser);
          return (
            <li key={session.id}>
              <div>
                <strong>{session.isThis ? own.thisSession : browser}</strong>
                <p class="hint">
                  {[t.ways[session.way], own.sessionUsed(agoText(session.usedAt)), session.origin]
                    .filter((fact) => fact !== null)
                    .join(' · ')}
                </p>
              </div>
              <button
                type="button"
                class="quiet small"
                aria-label={own.endSession(browser)}
                aria-busy={doing.isBusy}
                onClick={() => end(session.id)}
              >
                {own.end}
              </button>
            </li>
          );
        })}
      </ul>
      <Outcome doing={doing} />
      {all.length > 0 && (
        <div>
          <Confirm
            label={own.signOutAll}
            title={own.signOutAllTitle(name)}
            question={own.signOutAllQuestion}
            run={async () => {
              const { ended } = await call('DELETE /users/:id/sessions', { params });
              await sessions.reload();
              void doing.run(async () => own.signedOut(ended));
              return undefined;
            }}
          />
        </div>
      )}
    </Panel>
  );
}

function Groups({ user }: { readonly user: WholeUser }): JSX.Element {
  const { t: own } = people;
  return (
    <Panel title={own.groupsOfUser}>
      {user.groups.length === 0 ? (
        <p class="empty">{own.noGroups}</p>
      ) : (
        <ul class="list">
          {user.groups.map(({ id, displayName }) => (
            <li key={id}>
              <a href={groupPath(id)}>{displayName}</a>
            </li>
          ))}
        </ul>
      )}
      {user.hasMoreGroups && <p class="hint">{own.moreGroups}</p>}
    </Panel>
  );
}

// ---- The profile

const factsMax = 60;

function Profile({ user }: { readonly user: WholeUser }): JSX.Element {
  const facts = [
    ['id', user.id],
    ...factsIn(user.profile, ''),
    ['meta.created', momentText(user.createdAt)],
    ['meta.lastModified', momentText(user.modifiedAt)],
  ].slice(0, factsMax);
  return (
    <dl class="profile">
      {facts.map(([label, text]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Every value with the path of its attribute. */
function factsIn(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) {
    return value.flatMap((element, index) =>
      factsIn(element, value.length === 1 ? path : `${path}[${index}]`),
    );
  }
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([name, member]) =>
      factsIn(member, path === '' ? shortName(name) : `${path}.${name}`),
    );
  }
  if (typeof value === 'boolean') return [[path, value ? people.t.yes : people.t.no]];
  return [[path, String(value)]];
}

/** Of an extension the last part of its URN. */
const shortName = (name: string): string =>
  name.startsWith('urn:') ? (name.split(':').at(-1) ?? name) : name;
