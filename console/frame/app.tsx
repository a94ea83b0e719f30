// The frame around every page of whoever is signed in: it chooses the page by the address and draws it.

import { Component, type ComponentChildren, type JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { type FoundPage, findPage, pathOf } from '../../src/domain/console/page-paths.ts';
import { toSignIn } from '../addresses.ts';
import { call, Refusal } from '../call.ts';
import { loaders, type PageModule } from '../pages/loaders.ts';
import { followLinks, go, path } from './address.ts';
import { drawWhole } from './drawn.tsx';
import { Heading } from './heading.tsx';
import { frameTexts } from './messages.ts';
import { preloadedSession } from './page-preload.ts';
import { Problem } from './problem.tsx';
import { Rail, waysOut } from './rail.tsx';
import { sees, session } from './session.ts';
import { signal, whenSet } from './signal.ts';
import { spoken } from './texts.ts';

type Shown =
  | { readonly kind: 'page'; readonly found: FoundPage; readonly module: PageModule }
  | { readonly kind: 'nothing' | 'forbidden' }
  | { readonly kind: 'failed'; readonly error: unknown };

const shown = signal<Shown | null>(null);
const later = signal<typeof import('./later.tsx') | null>(null);
const laterMs = 4_000;

export async function startApp(): Promise<void> {
  try {
    session.value = preloadedSession ?? (await call('GET /session'));
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) return toSignIn(false);
    throw error;
  }
  await Promise.all([waysOut().then((out) => out.noteSession(session.value)), frameTexts.load()]);
  followLinks();
  whenSet(followAddress);
  followAddress();
}

let chosenFor = '';
let isDrawn = false;

/** Nothing is drawn before there is a page: until then the browser shows what the server drew. */
function followAddress(): void {
  const wanted = `${path.value} ${spoken.value}`;
  if (wanted !== chosenFor) {
    chosenFor = wanted;
    void choose(path.value);
  }
  if (isDrawn || shown.value === null) return;
  isDrawn = true;
  drawWhole(App);
  addEventListener('keydown', noteKey);
  void loadLater();
}

/** What cannot be loaded now is tried again: whoever has lost the connection must be told so. */
async function loadLater(): Promise<void> {
  try {
    const module = await import('./later.tsx');
    await module.startLater();
    later.value = module;
    removeEventListener('keydown', noteKey);
    // When what they open has been drawn.
    setTimeout(() => {
      for (const event of early) event.target?.dispatchEvent(new KeyboardEvent('keydown', event));
    });
  } catch {
    setTimeout(loadLater, laterMs);
  }
}

/** Keys that were pressed before anybody could listen. */
const early: KeyboardEvent[] = [];
const noteKey = (event: KeyboardEvent): void => void early.push(event);

/** The page of the address. */
export async function choosePage(): Promise<Shown> {
  await choose(path.value);
  return shown.value!;
}

async function choose(pathname: string): Promise<void> {
  const found = findPage(pathname);
  if (found === null) {
    shown.value = { kind: 'nothing' };
    return;
  }
  if (!sees(found.name)) {
    const home = homeOf();
    // Whoever opens the console without a page in mind is led to one that is for them.
    if (found.name === 'overview' && home !== pathname) go(home, { isReplacing: true });
    else shown.value = { kind: 'forbidden' };
    return;
  }
  try {
    const module = await loaders[found.name]();
    await Promise.all((module.texts ?? []).map((texts) => texts.load()));
    if (pathname === path.value) shown.value = { kind: 'page', found, module };
  } catch (error) {
    // The files of a page have other names after an upgrade: the new page knows them.
    if (error instanceof TypeError && canReload()) location.reload();
    else shown.value = { kind: 'failed', error };
  }
}

/** At most once in a minute, so that a file that is away for good makes no circle. */
function canReload(): boolean {
  const lastMs = Number(sessionStorage.getItem('soundings.reloaded') ?? 0);
  sessionStorage.setItem('soundings.reloaded', String(Date.now()));
  return Date.now() - lastMs > 60_000;
}

/** Where somebody begins. */
export function homeOf(): string {
  const { account } = session.value;
  const begins = ['overview', 'users', 'accounts', 'operations', 'me'] as const;
  const wanted = account === null ? (['accounts', 'operations', 'me'] as const) : begins;
  return pathOf(wanted.find(sees) ?? 'me');
}

export function App(): JSX.Element {
  const { t } = frameTexts;
  const Later = later.value;
  return (
    <div class="frame">
      <a class="skip" href="#main">
        {t.skip}
      </a>
      <Rail />
      <main id="main" tabIndex={-1}>
        <div class="notice" aria-live="polite">
          {Later && <Later.LinesAbove />}
        </div>
        <Guard key={path.value}>
          <Page />
        </Guard>
      </main>
      {Later && <Later.Overlays />}
    </div>
  );
}

function Page(): JSX.Element | null {
  const state = shown.value;
  const { t } = frameTexts;
  if (state === null) return null;
  if (state.kind === 'page') return <ShownPage {...state} />;
  if (state.kind === 'failed')
    return (
      <Heading title={t.failedTitle}>
        <Problem error={state.error} retry={() => location.reload()} />
      </Heading>
    );
  return (
    <Heading title={state.kind === 'nothing' ? t.nothingTitle : t.forbiddenTitle}>
      <p class="lead">{state.kind === 'nothing' ? t.nothing : t.forbidden}</p>
      <p>
        <a class="button" href={homeOf()}>
          {t.toBegin}
        </a>
      </p>
    </Heading>
  );
}

function ShownPage({
  found,
  module,
}: {
  readonly found: FoundPage;
  readonly module: PageModule;
}): JSX.Element {
  const { default: Shown } = module;
  const place = pathOf(found.name, found.params);
  // Whoever goes to another page by keyboard begins at its top; the first page begins where the browser does.
  useEffect(() => {
    if (isFirst) isFirst = false;
    else document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
  }, [place]);
  return <Shown key={place} params={found.params} />;
}

let isFirst = true;

/** A page that fails is said to have failed, and the rest of the console goes on. */
class Guard extends Component<{ readonly children: ComponentChildren }, { readonly error: unknown }> {
  override state = { error: null as unknown };

  static override getDerivedStateFromError(error: unknown): { readonly error: unknown } {
    return { error };
  }

  override render(): ComponentChildren {
    if (this.state.error === null) return this.props.children;
    return (
      <Heading title={frameTexts.t.failedTitle}>
        <Problem error={this.state.error} retry={() => location.reload()} />
      </Heading>
    );
  }
}
