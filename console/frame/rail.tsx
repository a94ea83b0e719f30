// The rail: where one can go, in which account one is, and who one is. On a narrow screen it folds into one line with a menu.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { findPage, type PageName, pathOf } from '../../src/domain/console/page-paths.ts';
import { loaders } from '../pages/loaders.ts';
import { Outcome, useDoing } from './action.tsx';
import { carriedQuery, path } from './address.ts';
import { Choices } from './choices.tsx';
import { frameTexts } from './messages.ts';
import { sees, session } from './session.ts';

/** They are needed before the first page, for what others have typed, and are no part of the frame for its size. */
export const waysOut = () => import('./sign-out.ts');

/** In the order of the rail. */
const groups: readonly {
  readonly name: 'insight' | 'collect' | 'people' | 'system';
  readonly pages: readonly PageName[];
}[] = [
  { name: 'insight', pages: ['overview', 'views'] },
  { name: 'collect', pages: ['surveys', 'refused'] },
  { name: 'people', pages: ['users', 'groups', 'providers'] },
  { name: 'system', pages: ['clients', 'webhooks', 'audit', 'operations', 'accounts'] },
];

/** Pages that one is at while one is at a page beneath them. */
const above: Readonly<Partial<Record<PageName, PageName>>> = {
  measure: 'overview',
  project: 'overview',
  comments: 'overview',
  responses: 'overview',
  response: 'overview',
  'new-survey': 'surveys',
  'edit-survey': 'surveys',
  survey: 'surveys',
  share: 'surveys',
  user: 'users',
  group: 'groups',
  provider: 'providers',
};

/** The pages that the rail leads to, for whoever is signed in. */
export function railPages(): readonly PageName[] {
  return groups.flatMap(({ pages }) => pages).filter(isThere);
}

function isThere(name: PageName): boolean {
  return loaders[name] !== undefined && sees(name);
}

export function Rail(): JSX.Element {
  const { t } = frameTexts;
  const [isOpen, setOpen] = useState(false);
  const at = findPage(path.value)?.name;
  const current = at === undefined ? undefined : (above[at] ?? at);
  const place = path.value;
  useEffect(() => {
    if (place !== '') setOpen(false);
  }, [place]);
  return (
    <header class={`rail ${isOpen ? 'open' : ''}`}>
      <div class="row between">
        <a class="brand" href="/console">
          <span class="mark" aria-hidden="true" />
          Soundings
        </a>
        <button type="button" class="menu small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t.menu}
        </button>
      </div>
      <div class="folds">
        <AccountSwitch />
        <nav aria-label={t.navigation}>
          {groups.map(({ name, pages }) => {
            const there = pages.filter(isThere);
            return there.length === 0 ? null : (
              <div key={name}>
                <p class="group" id={`rail-${name}`}>
                  {t.groups[name]}
                </p>
                <ul aria-labelledby={`rail-${name}`}>
                  {there.map((page) => (
                    <li key={page}>
                      <a
                        href={pathOf(page) + (page === 'overview' ? carriedQuery() : '')}
                        aria-current={page === current ? 'page' : undefined}
                      >
                        {t.pages[page as keyof typeof t.pages]}
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            );
          })}
        </nav>
        <Person />
      </div>
    </header>
  );
}

/** Users have one account. Operators enter one and leave it. */
function AccountSwitch(): JSX.Element | null {
  const { person, account } = session.value;
  const { t } = frameTexts;
  const doing = useDoing();
  if (account === null) return null;
  return (
    <div class="account">
      <p>
        <span class="hint">{t.account}</span>
        <strong>{account.name}</strong>
      </p>
      {person.kind === 'operator' && (
        <div class="row">
          <a class="button quiet small" href="/console/accounts">
            {t.switchAccount}
          </a>
          <button
            type="button"
            class="quiet small"
            aria-busy={doing.isBusy}
            onClick={() => doing.run(() => waysOut().then((out) => out.leaveAccount()))}
          >
            {t.leave}
          </button>
          <Outcome doing={doing} />
        </div>
      )}
    </div>
  );
}

function Person(): JSX.Element {
  const { person } = session.value;
  const { t } = frameTexts;
  const doing = useDoing();
  return (
    <div class="person">
      <a href="/console/me" aria-current={path.value === '/console/me' ? 'page' : undefined}>
        {person.name}
      </a>
      <a href="/help" hreflang="en" target="_blank" rel="noopener">
        {t.help}
      </a>
      <button
        type="button"
        class="quiet small"
        aria-busy={doing.isBusy}
        onClick={() => doing.run(() => waysOut().then((out) => out.signOut()))}
      >
        {t.signOut}
      </button>
      <Outcome doing={doing} />
      <Choices />
    </div>
  );
}
