// The list of keys, and the search for a page or a source.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { pathOf } from '../../src/domain/console/page-paths.ts';
import { fold } from '../../src/domain/fold.ts';
import { carriedQuery, go } from './address.ts';
import { useAnswer } from './answers.ts';
import { Dialog } from './dialog.tsx';
import { HelpLink } from './help.tsx';
import { keys } from './keys.ts';
import { laterTexts } from './later-texts.ts';
import { frameTexts } from './messages.ts';
import type { OverlayProps } from './overlays.tsx';
import { shownRailPages } from './rail.tsx';
import { sees } from './session.ts';

export function KeyHelp({ close }: OverlayProps): JSX.Element {
  return (
    <Dialog title={laterTexts.t.keysTitle} isOpen={true} onClose={close}>
      <dl class="keys">
        {keys.value.map(({ keys: name, label }) => (
          <div key={`${name}${label}`}>
            <dt>
              {name.split(' ').map((one) => (
                <kbd key={one}>{one}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
      <p>
        <HelpLink />
      </p>
    </Dialog>
  );
}

const shownMax = 12;

export function Search({ close }: OverlayProps): JSX.Element {
  return (
    <Dialog title={laterTexts.t.searchTitle} isOpen={true} onClose={close}>
      <SearchForm close={close} />
    </Dialog>
  );
}

function SearchForm({ close }: OverlayProps): JSX.Element {
  const { t } = laterTexts;
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const { data: sources } = useAnswer('GET /sources', sees('overview') ? {} : null);
  useEffect(() => input.current?.focus(), []);
  const places = [
    ...(sources?.measures ?? []).map(({ key, name }) => ({
      name,
      to: pathOf('measure', { key: String(key) }) + carriedQuery(),
    })),
    ...(sources?.projects ?? []).map(({ key, name }) => ({
      name,
      to: pathOf('project', { key: String(key) }) + carriedQuery(),
    })),
    ...shownRailPages().map((name) => ({ name: frameTexts.t.pages[name], to: pathOf(name) })),
  ];
  const wanted = fold(typed.trim());
  const found = places.filter(({ name }) => fold(name).includes(wanted)).slice(0, shownMax);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const [best] = found;
        if (best === undefined) return;
        close();
        go(best.to);
      }}
    >
      <label class="unseen" for="search">
        {t.searchTitle}
      </label>
      <input
        id="search"
        ref={input}
        type="search"
        autocomplete="off"
        placeholder={t.searchHint}
        value={typed}
        onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <ul class="list found" aria-live="polite">
        {found.map(({ name, to }) => (
          <li key={to}>
            <a href={to} onClick={close}>
              {name}
            </a>
          </li>
        ))}
        {found.length === 0 && <li class="empty">{t.nothingFound}</li>}
      </ul>
    </form>
  );
}
