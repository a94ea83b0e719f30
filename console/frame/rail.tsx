// The rail: where one can go, in which account one is, and who one is. On a narrow screen it folds into one line with a menu.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import {
  consolePages,
  findPage,
  pathOf,
  type RailPage,
  railGroups,
  railPages,
  railPlaceOf,
} from '../../src/domain/console/page-paths.ts';
import { Outcome, useDoing } from './action.tsx';
import { carriedQuery, path } from './address.ts';
import { Choices } from './choices.tsx';
import { frameTexts } from './messages.ts';
import { sees, session } from './session.ts';

/** They are needed before the first page, for what others have typed, and are no part of the frame for its size. */
export const waysOut = () => import('./sign-out.ts');

/** The pages that the rail leads to, for whoever is signed in. */
export function shownRailPages(): readonly RailPage[] {
  return railPages.filter(sees);
}

export function Rail(): JSX.Element {
  const { t } = frameTexts;
  const [isOpen, setOpen] = useState(false);
  const at = findPage(path.value)?.name;
  const current = at === undefined ? undefined : railPlaceOf(at);
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
          {railGroups.map((name) => {
            const there = shownRailPages().filter((page) => consolePages[page].rail[0] === name);
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
                        {t.pages[page]}
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
