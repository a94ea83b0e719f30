// The page of the person who is signed in: who they are here, what they may do, by what they come back, and where else they
// are signed in.

import type { Ability, Role } from '../src/domain/access/role.ts';
import type { SignInWay } from '../src/domain/access/sign-in-way.ts';
import { call, Refusal } from './call.ts';
import { passkeyForm, passwordForm } from './credential-forms.ts';
import { brand, choices, setTitle, show } from './frame.ts';
import { field, h, submits } from './html.ts';
import { momentText, t } from './language.ts';
import { attempt, Notice } from './notice.ts';
import { ownPasskeys, ownSessions } from './own-lists.ts';

interface Me {
  readonly person: { readonly kind: 'user' | 'operator'; readonly id: string; readonly name: string };
  readonly account: { readonly id: number; readonly name: string } | null;
  readonly roles: readonly Role[];
  readonly abilities: readonly Ability[];
  readonly way: SignInWay;
  readonly signedInAt: string;
}

let me: Me;

/** Whether somebody is signed in. */
export async function loadMe(): Promise<boolean> {
  try {
    me = await call<Me>('GET', '/session');
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return false;
    throw error;
  }
}

export function mePage(): HTMLElement {
  setTitle(t.meTitle);
  const passkeys = ownPasskeys();
  return h(
    'div',
    { class: 'page' },
    h('header', {}, brand(), signOut()),
    h(
      'main',
      {},
      h('p', { class: 'over' }, t.signedInAs),
      h('h1', {}, me.person.name),
      h('p', { class: 'lead' }, place()),
      h('p', { class: 'hint' }, t.since(t.ways[me.way], momentText(me.signedInAt))),
      me.person.kind === 'operator' ? accountSection() : null,
      section(
        t.mayTitle,
        me.abilities.length === 0
          ? h('p', {}, t.mayNothing)
          : h(
              'ul',
              { class: 'ticks' },
              me.abilities.map((ability) => h('li', {}, t.abilities[ability])),
            ),
      ),
      section(
        t.waysTitle,
        h('h3', {}, t.passkeys),
        passkeys.element,
        passkeyForm(() => void passkeys.load()),
        h('h3', {}, t.password),
        passwordForm(me.person.name, () => {}),
      ),
      section(t.sessionsTitle, ownSessions()),
    ),
    choices(),
  );
}

function place(): string {
  const { account, person, roles } = me;
  if (account === null) return t.operatorOutside;
  const held = person.kind === 'operator' ? t.operator : roles.map((role) => t.roles[role]).join(', ');
  const where = t.inAccount(account.name, account.id);
  return held === '' ? where : `${held}, ${where}`;
}

function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return h('section', {}, h('h2', {}, title), ...content);
}

function signOut(): HTMLElement {
  const notice = new Notice();
  const button: HTMLElement = h(
    'button',
    {
      type: 'button',
      class: 'quiet',
      click: () =>
        attempt(notice, button, async () => {
          await call('DELETE', '/session');
          location.assign('/console/sign-in');
        }),
    },
    t.signOut,
  );
  return h('div', { class: 'aside' }, notice.element, button);
}

/** Operators act within an account only after they have entered it. */
function accountSection(): HTMLElement {
  const notice = new Notice();
  const go = (control: HTMLElement, accountId: number | null): Promise<boolean> =>
    attempt(notice, control, async () => {
      await call('PUT', '/session/account', { accountId });
      await loadMe();
      show(mePage);
    });
  if (me.account !== null) {
    const leave: HTMLElement = h('button', { type: 'button', click: () => go(leave, null) }, t.leave);
    return section(
      t.inAccount(me.account.name, me.account.id),
      h('p', {}, t.enterLead),
      leave,
      notice.element,
    );
  }
  const number = field({
    id: 'enter-account',
    label: t.account,
    inputmode: 'numeric',
    autocomplete: 'off',
    pattern: '[1-9][0-9]{0,8}',
    maxlength: 9,
    required: true,
  });
  const button = h('button', { type: 'submit' }, t.enter);
  return section(
    t.enterTitle,
    h('p', {}, t.enterLead),
    h(
      'form',
      {
        class: 'line',
        submit: submits(() => go(button, Number(number.input.value))),
      },
      number.element,
      button,
    ),
    notice.element,
  );
}
