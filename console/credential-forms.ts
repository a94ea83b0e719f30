// A passkey or a password of one's own, to come back with.

import { toSignIn } from './addresses.ts';
import { call, Refusal } from './call.ts';
import { field, h, submits } from './html.ts';
import { attempt, Notice } from './notice.ts';
import { addPasskey, canUsePasskeys, passkeyFault } from './passkey.ts';
import { passwordField } from './password-field.ts';
import { t } from './person-texts.ts';

const passwordLengthMin = 15;

export function passkeyForm(whenAdded: () => void): HTMLElement {
  if (!canUsePasskeys()) return h('p', { class: 'hint' }, t.passkeyInsecure);
  const notice = new Notice();
  const name = field({
    id: 'passkey-name',
    label: t.passkeyName,
    hint: t.passkeyNameHint,
    autocomplete: 'off',
    maxlength: 60,
    placeholder: t.passkeyDefault,
  });
  const button = h('button', { type: 'submit', class: 'primary' }, t.addPasskey);
  const add = async (): Promise<void> => {
    await addPasskey(name.input.value.trim() || t.passkeyDefault).catch((error: unknown) => {
      throw passkeyFault(freshly(error), t.passkeyNotMade);
    });
    name.input.value = '';
    notice.say(t.passkeyAdded);
    whenAdded();
  };
  return h(
    'form',
    { submit: submits(() => attempt(notice, button, add)) },
    h('p', { class: 'hint' }, t.passkeyLead),
    name.element,
    button,
    notice.element,
  );
}

interface PasswordForm {
  readonly element: HTMLElement;
  /** Whether the present password is asked for. */
  askPresent(isAsked: boolean): void;
}

export function passwordForm(userName: string, whenSet: () => void): PasswordForm {
  const notice = new Notice();
  // Password managers keep a password under the name beside it, and know the field by its type and name.
  const name = h('input', {
    type: 'text',
    name: 'username',
    autocomplete: 'username',
    value: userName,
    readonly: true,
    hidden: true,
  });
  const present = passwordField({
    id: 'present-password',
    label: t.presentPassword,
    autocomplete: 'current-password',
  });
  const password = passwordField({
    id: 'new-password',
    label: t.newPassword,
    hint: t.newPasswordHint,
    autocomplete: 'new-password',
  });
  const button = h('button', { type: 'submit' }, t.setPassword);
  const set = async (): Promise<void> => {
    const current = present.element.isConnected ? { current: present.input.value } : {};
    if (current.current === '') {
      present.input.focus();
      throw t.presentPasswordMissing;
    }
    if ([...password.input.value].length < passwordLengthMin) {
      password.input.focus();
      throw t.passwordShort;
    }
    await call('PUT /me/password', { body: { password: password.input.value, ...current } }).catch(
      (error: unknown) => {
        throw freshly(error);
      },
    );
    password.input.value = '';
    present.input.value = '';
    notice.say(t.passwordSet);
    whenSet();
  };
  const element = h(
    'form',
    { novalidate: true, submit: submits(() => attempt(notice, button, set)) },
    name,
    password.element,
    button,
    notice.element,
  );
  return {
    element,
    askPresent: (isAsked) => {
      if (isAsked) password.element.before(present.element);
      else present.element.remove();
    },
  };
}

/** What asks for a fresh sign-in leads to one, and back here. */
export function freshly(error: unknown): unknown {
  if (error instanceof Refusal && error.code === 'FRESH_SIGN_IN_REQUIRED') toSignIn(true);
  return error;
}
