// What keys open in front of the page: `?` lists the keys, `/` finds a page or a source. Loaded when it is first asked for.

import type { ComponentType, JSX } from 'preact';
import { consolePages, pathOf } from '../../src/domain/console/page-paths.ts';
import { go } from './address.ts';
import { useKeys } from './keys.ts';
import { laterTexts } from './later-texts.ts';
import { frameTexts } from './messages.ts';
import { shownRailPages } from './rail.tsx';
import { signal } from './signal.ts';

export interface OverlayProps {
  readonly close: () => void;
}

const overlay = signal<ComponentType<OverlayProps> | null>(null);

const open = async (name: 'KeyHelp' | 'Search'): Promise<void> => {
  const { [name]: component } = await import('./overlay-dialogs.tsx');
  overlay.value = component;
};

export function Overlays(): JSX.Element | null {
  const { t } = laterTexts;
  useKeys(
    [
      { keys: '?', label: t.keyHelp, run: () => void open('KeyHelp') },
      { keys: '/', label: t.keySearch, run: search },
      ...shownRailPages().map((name) => ({
        keys: `g ${consolePages[name].rail[1]}`,
        label: t.keyGo(frameTexts.t.pages[name]),
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
