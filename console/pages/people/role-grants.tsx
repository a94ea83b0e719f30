// Roles of a user or a group: what was granted, why it is there, and granting and taking.

import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Role } from '../../../src/domain/access/role.ts';
import { rolesRequest } from '../../../src/domain/console/page-preload/people.ts';
import { type AnswerTo, call, Refusal } from '../../call.ts';
import { type Doing, Outcome, useDoing } from '../../frame/action.tsx';
import { useAnswer } from '../../frame/answers.ts';
import { t } from '../../person-texts.ts';
import { people } from './texts.ts';

type RoleFacts = AnswerTo<'GET /roles'>['roles'][number];

export interface RoleRow {
  readonly role: Role;
  readonly why: ComponentChildren;
  /** Whether it was granted here, and can be taken. */
  readonly isOwn: boolean;
}

export function RoleGrants({
  of: { kind, id },
  rows,
  empty,
  reload,
}: {
  /** Whose roles they are. */
  readonly of: { readonly kind: 'users' | 'groups'; readonly id: string };
  readonly rows: readonly RoleRow[];
  readonly empty: string;
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { t: own } = people;
  const doing = useDoing();
  const facts = useAnswer(...rolesRequest).data?.roles ?? [];
  const mayGrant = (role: Role): boolean => facts.some((one) => one.role === role && one.mayGrant);
  const change = (method: 'PUT' | 'DELETE', role: Role, said: string): Promise<boolean> =>
    doing.run(async () => {
      await inWords(call(`${method} /${kind}/:id/roles/:role`, { params: { id, role } }));
      await reload();
      return said;
    });
  return (
    <>
      {rows.length === 0 && <p class="empty">{empty}</p>}
      <ul class="list">
        {rows.map(({ role, why, isOwn }) => (
          <li key={role}>
            <div>
              <strong>{t.roles[role]}</strong>
              <p class="hint">{why}</p>
            </div>
            {isOwn && mayGrant(role) && (
              <button
                type="button"
                class="quiet small"
                aria-label={own.takeRole(t.roles[role])}
                aria-busy={doing.isBusy}
                onClick={() => change('DELETE', role, own.taken(t.roles[role]))}
              >
                {own.remove}
              </button>
            )}
          </li>
        ))}
      </ul>
      {rows.length > 0 && (
        <p class="hint">
          {mayWords(
            facts,
            rows.map(({ role }) => role),
          )}
        </p>
      )}
      <GrantForm
        facts={facts}
        held={rows.filter(({ isOwn }) => isOwn).map(({ role }) => role)}
        doing={doing}
        grant={(role) => change('PUT', role, own.granted(t.roles[role]))}
      />
      <Outcome doing={doing} />
    </>
  );
}

function GrantForm({
  facts,
  held,
  doing,
  grant,
}: {
  readonly facts: readonly RoleFacts[];
  readonly held: readonly Role[];
  readonly doing: Doing;
  readonly grant: (role: Role) => Promise<boolean>;
}): JSX.Element {
  const { t: own } = people;
  const open = facts.filter(({ role, mayGrant }) => mayGrant && !held.includes(role));
  const [chosen, setChosen] = useState<Role | null>(null);
  const role = open.find((one) => one.role === chosen)?.role ?? open[0]?.role;
  const isAdminBarred = facts.some((one) => one.role === 'admin' && !one.mayGrant);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        if (role !== undefined) void grant(role);
      }}
    >
      {role !== undefined && (
        <div class="field">
          <label for="grant-role">{own.grantLabel}</label>
          <div class="row">
            <select
              id="grant-role"
              class="auto"
              value={role}
              onChange={({ currentTarget }) => setChosen(currentTarget.value as Role)}
            >
              {open.map((one) => (
                <option key={one.role} value={one.role}>
                  {t.roles[one.role]}
                </option>
              ))}
            </select>
            <button type="submit" aria-busy={doing.isBusy}>
              {own.grant}
            </button>
          </div>
          <p class="hint">{mayWords(facts, [role])}</p>
        </div>
      )}
      {isAdminBarred && <p class="hint">{own.adminOnly}</p>}
    </form>
  );
}

/** What these roles together let somebody do. */
function mayWords(facts: readonly RoleFacts[], roles: readonly Role[]): string {
  const held = new Set(
    facts.filter(({ role }) => roles.includes(role)).flatMap(({ abilities }) => abilities),
  );
  return held.size === 0
    ? ''
    : `${people.t.may}: ${[...held].map((ability) => t.abilities[ability]).join(' · ')}`;
}

/** The rule of the last admin is said in the language of the page. */
export async function inWords<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    const isLastAdmin = error instanceof Refusal && error.code === 'LAST_ADMIN';
    throw isLastAdmin ? people.t.lastAdmin : error;
  }
}
