// The page of the person who is signed in: who they are here, what they may do, by what they come back, and where else they
// are signed in.

import type { Ability } from '../src/domain/access/role.ts';
import { signInPath } from './addresses.ts';
import { call } from './call.ts';
import { passkeyForm, passwordForm } from './credential-forms.ts';
import { setTitle } from './door.ts';
import { momentText } from './formats.ts';
import type { Session } from './frame/session.ts';
import { h } from './html.ts';
import { language } from './language.ts';
import { attempt, Notice } from './notice.ts';
import { ownPasskeys, ownPassword, ownSessions } from './own-things.ts';
import { t } from './person-texts.ts';
import { type Ways, waysInto } from './ways.ts';

let me: Session;
let ways: Ways;

export async function loadMe(person: Session): Promise<void> {
  me = person;
  ways = await waysInto(me.person.kind === 'user' ? String(me.account?.id) : '');
}

/** Draws it, and draws it again when something has changed. */
export function showMe(place: HTMLElement): void {
  place.replaceChildren(...content());
}

function content(): readonly (HTMLElement | string)[] {
  setTitle(t.meTitle);
  const passkeys = ownPasskeys();
  if (me.isPasskeyDue) return passkeyAlone(passkeys);
  const sessions = ownSessions();
  const passwords = passwordForm(me.person.name, () => {
    void password.load();
    void sessions.load();
  });
  // Whoever came by a link may have forgotten it, and whoever came through a provider may never have had one (D-825).
  const isPresentAsked = me.way !== 'link' && me.way !== 'provider';
  const password = ownPassword(sessions.load, (hasPassword) =>
    passwords.askPresent(isPresentAsked && hasPassword),
  );
  return [
    h('p', { class: 'over' }, t.signedInAs),
    h('h1', { tabindex: -1 }, me.person.name),
    h('p', { class: 'lead' }, place()),
    me.isAdminWithheld ? h('p', { class: 'bad' }, t.adminWithheld) : '',
    h('p', { class: 'hint' }, t.since(t.ways[me.way], momentText(me.signedInAt))),
    me.way === 'provider' ? signOutThere() : '',
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
      ...(ways.passwords ? [h('h3', {}, t.password), password.element, passwords.element] : []),
    ),
    section(t.sessionsTitle, sessions.element),
  ];
}

/** A passkey is demanded of them, and until they come by one there is nothing else here (D-826). */
function passkeyAlone(passkeys: ReturnType<typeof ownPasskeys>): readonly (HTMLElement | string)[] {
  const again = h('a', { class: 'button', href: signInPath }, t.toSignIn);
  return [
    h('p', { class: 'over' }, t.signedInAs),
    h('h1', { tabindex: -1 }, me.person.name),
    h('p', { class: 'bad' }, t.passkeyDue),
    section(
      t.passkeys,
      passkeys.element,
      passkeyForm(() => {
        again.className = 'button primary';
        again.focus();
        void passkeys.load();
      }),
      h('p', {}, again),
    ),
  ];
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

/** Here, and where they came from. */
function signOutThere(): HTMLElement {
  const notice = new Notice();
  const button: HTMLElement = h(
    'button',
    {
      type: 'button',
      click: () =>
        attempt(notice, button, async () => {
          const { url } = await call('POST /session/end-at-provider');
          await import('./frame/sign-out.ts').then((out) => out.dropDrafts());
          location.assign(url ?? '/console/sign-in');
        }),
    },
    t.signOutThere,
  );
  return h('div', { class: 'stack' }, button, notice.element);
}
