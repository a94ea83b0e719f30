// Invites somebody: the form, and then the link, which is shown once. Whether it is open stands in the address, and what was typed
// is kept, so that a sign-in on the way loses nothing.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Role } from '../../../src/domain/access/role.ts';
import { type AnswerTo, call, Refusal } from '../../call.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { changeQuery, parameter } from '../../frame/address.ts';
import { forget, useAnswer } from '../../frame/answers.ts';
import { Dialog } from '../../frame/dialog.tsx';
import { Field } from '../../frame/field.tsx';
import { frameTexts } from '../../frame/messages.ts';
import { t } from '../../person-texts.ts';
import { useDraft } from './draft.ts';
import { ShownLink, userPath } from './parts.tsx';
import { people } from './texts.ts';

type Invited = AnswerTo<'POST /users/invite'> & {
  readonly name: string;
  readonly isRoleLacking: boolean;
};

const empty = { userName: '', givenName: '', familyName: '', email: '', role: '' };

export function openInvite(): void {
  changeQuery({ do: 'invite' }, { isReplacing: true });
}

export function InviteDialog(): JSX.Element | null {
  const { t: own } = people;
  const [invited, setInvited] = useState<Invited | null>(null);
  const isOpen = parameter('do') === 'invite';
  const close = (): void => {
    setInvited(null);
    changeQuery({ do: null }, { isReplacing: true });
  };
  if (!isOpen) return null;
  return (
    <Dialog title={invited === null ? own.inviteTitle : own.inviteDone(invited.name)} isOpen onClose={close}>
      {invited === null ? (
        <InviteForm whenInvited={setInvited} />
      ) : (
        <>
          {invited.isRoleLacking && <p class="bad">{own.inviteRoleFailed}</p>}
          <ShownLink link={invited} />
          <div class="row">
            <a class="button primary" href={userPath(invited.id)}>
              {own.openUser}
            </a>
            <button type="button" onClick={close}>
              {own.done}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

function InviteForm({ whenInvited }: { readonly whenInvited: (invited: Invited) => void }): JSX.Element {
  const { t: own } = people;
  const draft = useDraft('invite', empty);
  const doing = useDoing();
  const [isMissing, setMissing] = useState(false);
  const roles = useAnswer('GET /roles').data?.roles ?? [];
  const { values } = draft;
  const send = async (): Promise<undefined> => {
    const said = (name: 'givenName' | 'familyName' | 'email') =>
      values[name].trim() === '' ? {} : { [name]: values[name].trim() };
    const made = await call('POST /users/invite', {
      body: {
        userName: values.userName.trim(),
        ...said('givenName'),
        ...said('familyName'),
        ...said('email'),
      },
    });
    const role = roles.find((one) => one.role === values.role)?.role;
    const isRoleLacking = role !== undefined && !(await isGranted(made.id, role));
    draft.drop();
    forget('/users');
    whenInvited({ ...made, name: values.userName.trim(), isRoleLacking });
  };
  const text = (name: 'userName' | 'givenName' | 'familyName' | 'email') => ({
    name,
    value: values[name],
    maxLength: 1_000,
    autocomplete: 'off',
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      draft.change({ [name]: currentTarget.value });
      setMissing(false);
    },
  });
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (values.userName.trim() !== '') return void doing.run(send);
        setMissing(true);
        event.currentTarget.querySelector('input')?.focus();
      }}
    >
      <p class="hint">{own.inviteLead}</p>
      <Field
        label={own.userName}
        hint={own.userNameHint}
        fault={isMissing ? own.userNameMissing : faultOf(doing.error, 'userName')}
      >
        {(ids) => (
          <input
            {...ids}
            {...text('userName')}
            type="text"
            required
            autocapitalize="none"
            spellcheck={false}
          />
        )}
      </Field>
      <div class="grid two">
        <Field label={own.givenName}>{(ids) => <input {...ids} {...text('givenName')} type="text" />}</Field>
        <Field label={own.familyName}>
          {(ids) => <input {...ids} {...text('familyName')} type="text" />}
        </Field>
      </div>
      <Field label={own.email} fault={faultOf(doing.error, 'emails')}>
        {(ids) => <input {...ids} {...text('email')} type="email" />}
      </Field>
      <Field label={own.inviteRole} hint={own.inviteRoleHint}>
        {(ids) => (
          <select
            {...ids}
            value={values.role}
            onChange={({ currentTarget }) => draft.change({ role: currentTarget.value })}
          >
            <option value="">{own.noRole}</option>
            {roles
              .filter(({ mayGrant }) => mayGrant)
              .map(({ role }) => (
                <option key={role} value={role}>
                  {t.roles[role]}
                </option>
              ))}
          </select>
        )}
      </Field>
      <Outcome doing={doing} />
      <div class="row">
        <button type="submit" class="primary" aria-busy={doing.isBusy}>
          {own.invite}
        </button>
        <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
          {frameTexts.t.cancel}
        </button>
      </div>
    </form>
  );
}

async function isGranted(id: string, role: Role): Promise<boolean> {
  try {
    await call('PUT /users/:id/roles/:role', { params: { id, role } });
    return true;
  } catch {
    return false;
  }
}

/** What the service says of one field. */
function faultOf(error: unknown, field: string): string | null {
  if (!(error instanceof Refusal)) return null;
  return error.faults.find((fault) => fault.field?.startsWith(field))?.message ?? null;
}
