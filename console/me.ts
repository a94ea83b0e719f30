// The page of the person who is signed in: who they are here, what they may do, by what they come back, and where else they
// are signed in.

import type { Ability, Role } from '../src/domain/access/role.ts';
import type { SignInWay } from '../src/domain/access/sign-in-way.ts';
import { call, Refusal } from './call.ts';
import { passkeyForm, passwordForm } from './credential-forms.ts';
import { brand, choices, setTitle, show } from './frame.ts';
import { field, h, submits } from './html.ts';
import { keep } from './kept.ts';
import { language, momentText, t } from './language.ts';
import { attempt, Notice } from './notice.ts';
import { ownPasskeys, ownPassword, ownSessions } from './own-things.ts';
import { type Ways, waysInto } from './ways.ts';

interface Me {
  readonly person: { readonly kind: 'user' | 'operator'; readonly id: string; readonly name: string };
  readonly account: { readonly id: number; readonly name: string } | null;
  readonly roles: readonly Role[];
  readonly isAdminWithheld: boolean;
  readonly abilities: readonly Ability[];
  readonly way: SignInWay;
  readonly signedInAt: string;
}

interface AccountPage {
  readonly items: readonly { readonly id: number; readonly name: string }[];
  readonly next: string | null;
}

let me: Me;
let ways: Ways;
/** Those that an operator may enter; null where there are too many for a list, or none. */
let accounts: AccountPage['items'] | null = null;

/** Whether somebody is signed in. */
export async function loadMe(): Promise<boolean> {
  try {
    me = await call<Me>('GET', '/session');
    if (me.person.kind === 'user' && me.account !== null) keep('account', String(me.account.id));
    ways = await waysInto(me.person.kind === 'user' ? String(me.account?.id) : '');
    accounts = null;
    if (me.person.kind === 'operator' && me.account === null) {
      const { items, next } = await call<AccountPage>('GET', '/accounts');
      if (next === null && items.length > 0) accounts = items;
    }
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return false;
    throw error;
  }
}

export function mePage(): HTMLElement {
  setTitle(t.meTitle);
  const passkeys = ownPasskeys();
  const sessions = ownSessions();
  const password = ownPassword(sessions.load);
  const passwords = passwordForm(me.person.name, () => {
    void password.load();
    void sessions.load();
  });
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
      me.isAdminWithheld ? h('p', { class: 'bad' }, t.adminWithheld) : null,
      h('p', { class: 'hint' }, t.since(t.ways[me.way], momentText(me.signedInAt))),
      me.person.kind === 'operator' ? accountSection() : null,
      section(
        t.mayTitle,
        me.abilities.length === 0
          ? h('p', {}, t.mayNothing)
          : h(
              'ul',
              { class: 'ticks' },
              shownAbilities().map((ability) => h('li', {}, t.abilities[ability])),
            ),
      ),
      section(
        t.waysTitle,
        h('h3', {}, t.passkeys),
        passkeys.element,
        passkeyForm(() => void passkeys.load()),
        ...(ways.passwords ? [h('h3', {}, t.password), password.element, passwords] : []),
      ),
      section(t.sessionsTitle, sessions.element),
    ),
    choices(),
  );
}

function place(): string {
  const { account, person, roles } = me;
  if (account === null) return t.operatorOutside;
  const held = person.kind === 'operator' ? t.operator : roles.map((role) => t.roles[role]).join(', ');
  const where = t.inAccount(account.name, account.id);
  return held === '' ? begun(where) : `${held}, ${where}`;
}

/** As a sentence or a heading begins. */
function begun(text: string): string {
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

/** Whoever sees the whole audit log sees their own entries with it. */
function shownAbilities(): readonly Ability[] {
  const { abilities } = me;
  return abilities.includes('see audit') ? abilities.filter((one) => one !== 'see own audit') : abilities;
}

function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return h('section', {}, h('h2', {}, title), ...content);
}

function signOut(): HTMLElement {
  const notice = new Notice();
  const ender = (text: string, end: () => Promise<string>): HTMLElement => {
    const button: HTMLElement = h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        click: () => attempt(notice, button, async () => location.assign(await end())),
      },
      text,
    );
    return button;
  };
  const here = ender(t.signOut, async () => {
    await call('DELETE', '/session');
    return '/console/sign-in';
  });
  const there = ender(t.signOutThere, async () => {
    const { url } = await call<{ readonly url: string | null }>('POST', '/session/end-at-provider');
    return url ?? '/console/sign-in';
  });
  return h('div', { class: 'aside' }, notice.element, me.way === 'provider' ? there : null, here);
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
      begun(t.inAccount(me.account.name, me.account.id)),
      h('p', {}, t.enterLead),
      leave,
      notice.element,
    );
  }
  const chooser = accountChooser();
  const button = h('button', { type: 'submit' }, t.enter);
  return section(
    t.enterTitle,
    h('p', {}, t.enterLead),
    h(
      'form',
      {
        class: 'line',
        submit: submits(() => go(button, Number(chooser.value()))),
      },
      chooser.element,
      button,
    ),
    notice.element,
  );
}

/** A list where all accounts fit into one, else a field for the number. */
function accountChooser(): { readonly element: HTMLElement; readonly value: () => string } {
  if (accounts !== null) {
    const select = h(
      'select',
      { id: 'enter-account' },
      accounts.map(({ id, name }) => h('option', { value: id }, `${name} (${id})`)),
    );
    const label = h('label', { for: 'enter-account' }, t.accountChoice);
    return { element: h('div', { class: 'field' }, label, select), value: () => select.value };
  }
  const { element, input } = field({
    id: 'enter-account',
    label: t.account,
    inputmode: 'numeric',
    autocomplete: 'off',
    pattern: '[1-9][0-9]{0,8}',
    maxlength: 9,
    required: true,
  });
  return { element, value: () => input.value };
}
