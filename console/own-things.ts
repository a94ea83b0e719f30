// What is one's own and can be ended: passkeys, the password, sessions.

import { browserName } from './browser-name.ts';
import { type AnswerTo, call } from './call.ts';
import { freshly } from './credential-forms.ts';
import { momentText } from './formats.ts';
import { h } from './html.ts';
import { attempt, Notice } from './notice.ts';
import { t } from './person-texts.ts';

type Passkey = AnswerTo<'GET /me/passkeys'>['passkeys'][number];
type Session = AnswerTo<'GET /me/sessions'>['sessions'][number];

interface Own {
  readonly element: HTMLElement;
  /** Reads it anew, after something has changed it. */
  readonly load: () => Promise<void>;
}

export function ownPasskeys(): Own {
  const notice = new Notice();
  const list = h('ul', { class: 'list' });
  const load = loading(notice, async () => {
    const { passkeys } = await call('GET /me/passkeys');
    list.replaceChildren(...passkeys.map(entry));
    if (passkeys.length === 0) list.replaceChildren(h('li', { class: 'empty' }, t.noPasskeys));
  });
  const entry = ({ id, name, createdAt, usedAt }: Passkey): HTMLElement =>
    row(
      name,
      `${t.created(momentText(createdAt))} · ${usedAt === null ? t.neverUsed : t.lastUsed(momentText(usedAt))}`,
      ender(t.remove, t.removeNamed(name), notice, async () => {
        await call('DELETE /me/passkeys/:id', { params: { id } }).catch((error: unknown) => {
          throw freshly(error);
        });
        await load();
        notice.say(t.passkeyRemoved);
      }),
    );
  void load();
  return { element: h('div', {}, list, notice.element), load };
}

export function ownSessions(): Own {
  const notice = new Notice();
  const list = h('ul', { class: 'list' });
  const others = h('div', {});
  const load = loading(notice, async () => {
    const { sessions } = await call('GET /me/sessions');
    list.replaceChildren(...sessions.map(entry));
    others.replaceChildren(...(sessions.length > 1 ? [everywhereElse()] : []));
  });
  const entry = ({ id, way, usedAt, origin, browser, isThis }: Session): HTMLElement => {
    const name = browserName(browser);
    const facts = [t.ways[way], t.lastUsed(momentText(usedAt)), ...(origin === null ? [] : [origin])];
    return row(
      isThis ? `${name} · ${t.thisSession}` : name,
      facts.join(' · '),
      isThis
        ? null
        : ender(t.end, t.endNamed(name), notice, async () => {
            await call('DELETE /me/sessions/:id', { params: { id } });
            await load();
            notice.say(t.sessionEnded);
          }),
    );
  };
  const everywhereElse = (): HTMLElement =>
    ender(t.endAll, t.endAll, notice, async () => {
      await call('DELETE /me/sessions');
      await load();
      notice.say(t.othersEnded);
    });
  void load();
  return { element: h('div', {}, list, others, notice.element), load };
}

/** Whether there is one, since when, and its end. */
export function ownPassword(
  whenRemoved: () => Promise<void>,
  whenKnown: (hasPassword: boolean) => void,
): Own {
  const notice = new Notice();
  const place = h('div', { class: 'list' });
  const load = loading(notice, async () => {
    const { passwordChangedAt } = await call('GET /me');
    whenKnown(passwordChangedAt !== null);
    place.replaceChildren(
      passwordChangedAt === null
        ? h('p', { class: 'empty' }, t.noPassword)
        : h('div', { class: 'entry' }, t.passwordSince(momentText(passwordChangedAt)), remover),
    );
  });
  const remover = ender(t.remove, t.removePassword, notice, async () => {
    await call('DELETE /me/password').catch((error: unknown) => {
      throw freshly(error);
    });
    await Promise.all([load(), whenRemoved()]);
    notice.say(t.passwordRemoved);
  });
  void load();
  return { element: h('div', {}, place, notice.element), load };
}

function loading(notice: Notice, read: () => Promise<void>): () => Promise<void> {
  return () => read().catch((error: unknown) => notice.fail(error));
}

function row(title: string, facts: string, control: HTMLElement | null): HTMLElement {
  return h('li', {}, h('div', {}, h('strong', {}, title), h('p', { class: 'hint' }, facts)), control);
}

function ender(text: string, label: string, notice: Notice, end: () => Promise<void>): HTMLElement {
  const button: HTMLElement = h(
    'button',
    { type: 'button', class: 'quiet', 'aria-label': label, click: () => attempt(notice, button, end) },
    text,
  );
  return button;
}
