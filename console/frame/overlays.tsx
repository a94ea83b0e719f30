// What keys open in front of the page: `?` lists the keys, `/` finds a page or a source. Loaded when it is first asked for.

import type { ComponentType, JSX } from 'preact';
import { type PageName, pathOf } from '../../src/domain/console/page-paths.ts';
import { go } from './address.ts';
import { useKeys } from './keys.ts';
import { laterTexts } from './later-texts.ts';
import { frameTexts } from './messages.ts';
import { railPages } from './rail.tsx';
import { signal } from './signal.ts';

export interface OverlayProps {
  readonly close: () => void;
}

const overlay = signal<ComponentType<OverlayProps> | null>(null);

const open = async (name: 'KeyHelp' | 'Search'): Promise<void> => {
  const { [name]: component } = await import('./overlay-dialogs.tsx');
  overlay.value = component;
};

const letters: Readonly<Partial<Record<PageName, string>>> = {
  overview: 'o',
  surveys: 's',
  refused: 'r',
  users: 'u',
  groups: 'g',
  providers: 'i',
  clients: 'c',
  audit: 'a',
  operations: 'p',
  accounts: 'k',
  views: 'v',
  webhooks: 'w',
};

export function Overlays(): JSX.Element | null {
  const { t } = laterTexts;
  useKeys(
    [
      { keys: '?', label: t.keyHelp, run: () => void open('KeyHelp') },
      { keys: '/', label: t.keySearch, run: search },
      ...railPages()
        .filter((name) => letters[name] !== undefined)
        .map((name) => ({
          keys: `g ${letters[name]}`,
          label: t.keyGo(frameTexts.t.pages[name as keyof typeof frameTexts.t.pages]),
          run: () => go(pathOf(name)),
        })),
    ],
    'frame',
  );
  const Overlay = overlay.value;
  return (
    Overlay && (
      <Overlay
        close={() => {
          overlay.value = null;
        }}
      />
    )
  );
}

/** The search of the page itself comes first. */
function search(): void {
  const own = document.querySelector<HTMLInputElement>('[data-search]');
  if (own === null) void open('Search');
  else own.focus();
}
