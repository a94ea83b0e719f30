// The page on which people sign in: passkey, password, or the identity providers of their account.

import { accountIdLength, accountIdPattern } from '../src/domain/access/account.ts';
import { call, Refusal } from './call.ts';
import { door, loadTexts, setTitle, show } from './door.ts';
import { field, h, submits } from './html.ts';
import { kept } from './kept.ts';
import { language } from './language.ts';
import { attempt, Notice } from './notice.ts';
import { canUsePasskeys, offerPasskeys, passkeyFault, signInByPasskey } from './passkey.ts';
import { passwordField } from './password-field.ts';
import { t } from './person-texts.ts';
import { returnPath } from './return-path.ts';
import { isAccount, type Ways, waysInto } from './ways.ts';

let ways: Ways;
const asked = new URLSearchParams(location.search);
let account = asked.get('account') ?? kept('account') ?? '';

let refusals: typeof import('./messages/refused.ts').refusals | null = null;

/** What the page shows is there before it is drawn, so that nothing jumps. */
export async function openSignIn(): Promise<void> {
  const texts = asked.has('refused') ? import('./messages/refused.ts') : null;
  [ways] = await Promise.all([waysInto(account), loadTexts()]);
  refusals = (await texts)?.refusals ?? null;
  show(signInPage);
}

function refusalText(code: string): string {
  const texts: Readonly<Record<string, string>> = refusals?.[language] ?? {};
  return (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? t.refusedOther;
}

function signInPage(): HTMLElement {
  const isFresh = asked.has('fresh');
  setTitle(isFresh ? t.freshTitle : t.signInTitle);
  const notice = new Notice();
  const refused = asked.get('refused');
  if (refused !== null) notice.fail(refusalText(refused));
  const choices = h('div', { class: 'ways' });
  drawWays(choices, notice);
  return door(
    h('h1', {}, isFresh ? t.freshTitle : t.signInTitle),
    isFresh ? h('p', { class: 'lead' }, t.freshLead) : null,
    notice.element,
    choices,
    h('details', {}, h('summary', {}, t.helpTitle), h('p', {}, t.help)),
  );
}

function drawWays(place: HTMLElement, notice: Notice): void {
  const passkeys = ways.passkeys && canUsePasskeys() && !ways.only ? passkeyButton(notice) : null;
  const providers = ways.connections.map(({ id, name }) =>
    h(
      'a',
      {
        class: 'button',
        href: `/console/sign-in/provider/${account}/${encodeURIComponent(id)}?${providerQuery()}`,
      },
      t.withProvider(name),
    ),
  );
  const form = nameForm(place, notice);
  const isSplit = passkeys !== null || providers.length > 0;
  place.replaceChildren(
    ...[
      passkeys,
      ...providers,
      ways.only ? h('p', { class: 'hint' }, t.onlyProvider) : null,
      isSplit && !ways.only ? h('p', { class: 'or' }, h('span', {}, t.or)) : null,
      form,
    ].filter((element) => element !== null),
  );
  if (passkeys !== null) void offerWithinField(notice);
}

function providerQuery(): URLSearchParams {
  return new URLSearchParams({ return: returnPath(), ...(asked.has('fresh') ? { fresh: '1' } : {}) });
}

function passkeyButton(notice: Notice): HTMLElement {
  const button: HTMLElement = h(
    'button',
    {
      type: 'button',
      class: 'primary',
      click: () =>
        attempt(notice, button, async () => {
          await signInByPasskey().catch((error: unknown) => {
            throw passkeyFault(error, t.passkeyRefused);
          });
          enter();
        }),
    },
    t.withPasskey,
  );
  return button;
}

/** Browsers that can, list passkeys among the names they fill in. */
async function offerWithinField(notice: Notice): Promise<void> {
  try {
    if (await offerPasskeys()) enter();
  } catch (error) {
    // Only of a passkey that somebody chose there: else another way was taken, and nobody asked for anything.
    if (!(error instanceof Refusal)) return;
    notice.fail(error);
    // What the browser was asked has ended with that choice, or was too old.
    await offerWithinField(notice);
  }
}

function nameForm(place: HTMLElement, notice: Notice): HTMLElement {
  const number = field({
    id: 'account',
    label: t.account,
    hint: t.accountHint,
    inputmode: 'numeric',
    autocomplete: 'off',
    pattern: accountIdPattern,
    maxlength: accountIdLength,
    value: account,
    change: async () => {
      const before = ways;
      account = number.input.value.trim();
      ways = await waysInto(account);
      if (JSON.stringify(before) === JSON.stringify(ways)) return;
      const name = document.querySelector<HTMLInputElement>('#name')?.value ?? '';
      drawWays(place, notice);
      const again = document.querySelector<HTMLInputElement>('#name');
      if (again !== null) again.value = name;
    },
  });
  if (!ways.passwords || ways.only) return h('form', { submit: submits(() => {}) }, number.element);
  const name = field({
    id: 'name',
    label: t.name,
    autocomplete: 'username webauthn',
    autocapitalize: 'none',
    spellcheck: 'false',
    maxlength: 255,
  });
  const password = passwordField({ id: 'password', label: t.password, autocomplete: 'current-password' });
  const isFirst = !canUsePasskeys() || !ways.passkeys;
  const button = h('button', { type: 'submit', class: isFirst ? 'primary' : null }, t.signIn);
  return h(
    'form',
    {
      novalidate: true,
      submit: submits(async () => {
        const missing = [name.input, password.input].find(({ value }) => value === '');
        if (missing !== undefined) {
          notice.fail(missing === name.input ? t.nameMissing : t.passwordMissing);
          missing.focus();
          return;
        }
        account = number.input.value.trim();
        const isIn = await attempt(notice, button, async () => {
          await call('POST /sign-in/password', {
            body: {
              ...(isAccount(account) ? { account: Number(account) } : {}),
              name: name.input.value,
              password: password.input.value,
            },
          });
          enter();
        });
        if (!isIn) password.input.select();
      }),
    },
    name.element,
    password.element,
    number.element,
    button,
  );
}

/** A page of its own, so that nothing that was typed here stays in memory. */
function enter(): void {
  location.replace(returnPath());
}
