// A one-time link was opened: it is the sign-in. Then a way to come back is offered, because it works once.

import type { LinkCode } from './addresses.ts';
import { call, Refusal } from './call.ts';
import { passkeyForm, passwordForm } from './credential-forms.ts';
import { door, loadTexts, setTitle, show } from './door.ts';
import { h } from './html.ts';
import { noteCameByLink } from './kept.ts';
import { Notice } from './notice.ts';
import { t } from './person-texts.ts';
import { problemTexts } from './problem-texts.ts';
import { waysInto } from './ways.ts';

export async function openLink({ code, account }: LinkCode): Promise<void> {
  await loadTexts();
  show(() => {
    setTitle(t.signInTitle);
    return door(h('h1', {}, t.linkWorking));
  });
  try {
    const { person, mustAddCredential } = await call('POST /sign-in/link', { body: { code } });
    if (account !== null) {
      // Whoever needs a passkey first is led to it, and enters the account afterwards.
      await call('PUT /session/account', { body: { accountId: Number(account) } }).catch((error: unknown) => {
        if (!(error instanceof Refusal && error.code === 'PASSKEY_REQUIRED')) throw error;
      });
      if (mustAddCredential) noteCameByLink(true);
      return location.replace('/console');
    }
    if (!mustAddCredential) return location.replace('/console');
    history.replaceState(null, '', '/console');
    // The code begins with the account; that of operators is 0.
    const [ways, { isPasskeyDue }] = await Promise.all([
      waysInto(code.split('.')[0] ?? ''),
      call('GET /session'),
    ]);
    show(() => welcomePage(person.name, ways.passwords && !isPasskeyDue));
  } catch (error) {
    show(() => endedPage(error));
  }
}

function welcomePage(name: string, hasPasswords: boolean): HTMLElement {
  setTitle(t.welcome(name));
  const onwards = h('a', { class: 'button quiet', href: '/console' }, t.later);
  const whenAdded = (): void => {
    onwards.textContent = t.done;
    onwards.className = 'button primary';
    onwards.focus();
  };
  return door(
    h('h1', { tabindex: -1, 'data-focus': true }, t.welcome(name)),
    h('p', { class: 'lead' }, t.welcomeLead),
    passkeyForm(whenAdded),
    hasPasswords ? h('p', { class: 'or' }, h('span', {}, t.or)) : null,
    // Whoever came by a link may have forgotten the one that they had.
    hasPasswords ? passwordForm(name, whenAdded).element : null,
    onwards,
  );
}

function endedPage(error: unknown): HTMLElement {
  const isEnded = error instanceof Refusal && error.code === 'SIGN_IN_REFUSED';
  setTitle(isEnded ? t.linkEndedTitle : problemTexts.t.failed);
  const notice = new Notice();
  if (isEnded) {
    const said =
      error.requestId === null
        ? null
        : h('p', { class: 'quoted' }, `${problemTexts.t.request} `, h('code', {}, error.requestId));
    return door(
      h('h1', { tabindex: -1, 'data-focus': true }, t.linkEndedTitle),
      h('p', { class: 'lead' }, t.linkEnded),
      h('p', {}, t.linkEndedHelp),
      h('a', { class: 'button', href: '/console/sign-in' }, t.toSignIn),
      said,
    );
  }
  notice.fail(error);
  return door(
    h('h1', { tabindex: -1, 'data-focus': true }, problemTexts.t.failed),
    notice.element,
    h('a', { class: 'button', href: '/console/sign-in' }, t.toSignIn),
  );
}
