// The page behind the link of a shared view: the page of its measure or project, with days and filters that stay, and nothing else of
// the console. The code of the link stays in the tab and is sent in a header of each request (D-554).

import type { JSX } from 'preact';
import { type AnswerTo, type CallBase, call, callFrom, Refusal } from '../../call.ts';
import { momentText } from '../../formats.ts';
import { Choices } from '../../frame/choices.tsx';
import { drawWhole } from '../../frame/drawn.tsx';
import { Heading } from '../../frame/heading.tsx';
import { followKeys } from '../../frame/keys.ts';
import { frameTexts } from '../../frame/messages.ts';
import { loadProblems, Problem } from '../../frame/problem.tsx';
import { session } from '../../frame/session.ts';
import { fix } from '../../frame/view.ts';
import { insightTexts } from '../insight/texts.ts';
import type { PageModule } from '../loaders.ts';
import { readingTexts } from './texts.ts';

type OpenedView = AnswerTo<'GET /view'>;

const keptUnder = 'soundings.view';

export async function startShared(): Promise<void> {
  const [, code] = /^#(\d+\.[\w-]+)$/.exec(location.hash) ?? [];
  if (code !== undefined) {
    sessionStorage.setItem(keptUnder, code);
    // Out of the address and the history, as of any other link.
    history.replaceState(null, '', location.pathname);
  }
  const base: CallBase = {
    path: '/shared/api',
    headers: { 'soundings-view': sessionStorage.getItem(keptUnder) ?? '' },
  };
  callFrom(base);
  await Promise.all([frameTexts.load(), readingTexts.load(), insightTexts.load()]);
  try {
    const opened = await call('GET /view');
    session.value = {
      person: { kind: 'user', id: '', name: '' },
      account: { id: 0, name: opened.account },
      roles: ['viewer'],
      isAdminWithheld: false,
      isPasskeyDue: false,
      abilities: ['see scores'],
      way: 'link',
      signedInAt: '',
    };
    fix(opened);
    const module: PageModule = await (opened.kind === 'measure'
      ? import('../insight/measure.tsx')
      : import('../insight/project.tsx'));
    followKeys();
    drawWhole(() => <SharedPage opened={opened} module={module} />);
  } catch (error) {
    drawWhole(() => <FailedPage error={error} />);
  }
  await loadProblems();
}

function SharedPage({
  opened,
  module,
}: {
  readonly opened: OpenedView;
  readonly module: PageModule;
}): JSX.Element {
  const { t } = readingTexts;
  const { default: Shown } = module;
  return (
    <Sheet>
      <p class="row between">
        <span>
          <strong>{opened.name}</strong> · {t.sharedFrom(opened.account)}
        </span>
        <span class="hint">{t.sharedUntil(momentText(opened.expiresAt))}</span>
      </p>
      <Shown params={{ key: String(opened.key) }} />
    </Sheet>
  );
}

function FailedPage({ error }: { readonly error: unknown }): JSX.Element {
  const { t } = readingTexts;
  const words =
    error instanceof Refusal && error.status === 410
      ? t.viewEnded
      : error instanceof Refusal && error.status === 404
        ? t.viewUnknown
        : null;
  return (
    <Sheet>
      <Heading title={t.sharedFailed}>
        {words === null ? (
          <Problem error={error} retry={() => location.reload()} />
        ) : (
          <p class="lead">{words}</p>
        )}
      </Heading>
    </Sheet>
  );
}

function Sheet({ children }: { readonly children: JSX.Element | JSX.Element[] }): JSX.Element {
  return (
    <div class="frame sheet">
      <main id="main">
        {children}
        <footer>
          <Choices />
        </footer>
      </main>
    </div>
  );
}
