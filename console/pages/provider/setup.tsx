// The page of a set-up link: the steps, and nothing else of the account. The code stays in the tab, so that it is still there after
// the test has led to the provider and back; it is sent in a header of each request and is in no address that is sent.

import type { JSX } from 'preact';
import { type AnswerTo, call, callFrom, Refusal } from '../../call.ts';
import { momentText } from '../../formats.ts';
import { Outcome, useDoing } from '../../frame/action.tsx';
import { Choices } from '../../frame/choices.tsx';
import { drawWhole } from '../../frame/drawn.tsx';
import { Heading } from '../../frame/heading.tsx';
import { frameTexts } from '../../frame/messages.ts';
import { Panel } from '../../frame/panel.tsx';
import { loadProblems, Problem } from '../../frame/problem.tsx';
import { signal } from '../../frame/signal.ts';
import { Log } from './log.tsx';
import type { Place } from './place.ts';
import { useEvery } from './polling.ts';
import { requestTexts } from './request-words.ts';
import { checkWhenOpened, Steps } from './steps.tsx';
import { providerTexts } from './texts.ts';

const keptUnder = 'soundings.setup';
const waitingMs = 2_000;
const heardMs = 10_000;

const setup = signal<AnswerTo<'GET /setup'> | null>(null);
const failure = signal<unknown>(null);
const isFinished = signal(false);

export async function startSetup(): Promise<void> {
  const [, code] = /^#(\d+\.[\w-]+)$/.exec(location.hash) ?? [];
  if (code !== undefined) {
    sessionStorage.setItem(keptUnder, code);
    // Out of the address and the history, as of any other link.
    history.replaceState(null, '', location.pathname + location.search);
  }
  callFrom({
    path: '/console/api',
    headers: { 'setup-code': sessionStorage.getItem(keptUnder) ?? '' },
  });
  await Promise.all([frameTexts.load(), providerTexts.load(), requestTexts.load(), reload()]);
  drawWhole(SetupPage);
  await loadProblems();
}

async function reload(): Promise<void> {
  try {
    setup.value = await call('GET /setup');
    failure.value = null;
  } catch (error) {
    failure.value = error;
    if (error instanceof Refusal && error.status === 401) setup.value = null;
  }
}

function SetupPage(): JSX.Element {
  return (
    <div class="setup">
      <header class="row between">
        <p class="brand">
          <span class="mark" aria-hidden="true" />
          Soundings
        </p>
        <Choices />
      </header>
      <main id="main">
        <Content />
      </main>
    </div>
  );
}

function Content(): JSX.Element {
  const { t } = providerTexts;
  const found = setup.value;
  const isHeard = found?.tokens.some((token) => token.isHeard) ?? false;
  const isLive = found !== null && !isFinished.value;
  useEvery(isLive ? (isHeard ? heardMs : waitingMs) : null, reload);
  if (isFinished.value)
    return (
      <Heading title={t.setup.finishedTitle}>
        <p class="lead">{t.setup.finished}</p>
      </Heading>
    );
  if (found === null) {
    const error = failure.value;
    const isRefused = error instanceof Refusal && error.status === 401;
    return (
      <Heading title={isRefused ? t.setup.refusedTitle : t.title}>
        {isRefused ? <p class="lead">{t.setup.refused}</p> : <Problem error={error} retry={reload} />}
      </Heading>
    );
  }
  const place: Place = {
    ...found,
    mayChange: found.connection === null || found.connection.testedAt === null,
    save: async (facts) => {
      const entered = await call('PUT /setup/connection', { body: facts });
      // The form of a connection that is there takes the place of the first one, and checks what was entered.
      if (found.connection === null && entered.connection !== null) checkWhenOpened(entered.connection.id);
      setup.value = entered;
    },
    check: async () => (await call('POST /setup/test')).findings,
    beginTest: async () => (await call('POST /setup/test-sign-in')).url,
    takeTest: () => call('POST /setup/test-sign-in/result'),
    // The link has what its maker said.
    mayMarkToken: false,
    makeToken: () => call('POST /setup/token'),
    readLog: (query) => call('GET /setup/log', { query }),
    reload,
  };
  const name = found.connection?.name ?? t.kinds[found.kind];
  return (
    <>
      <Heading title={found.kind === 'other' ? t.setup.titleOther : t.setup.title(t.kinds[found.kind])}>
        <p class="lead">{t.setup.lead(found.account)}</p>
        <p class="hint">{t.setup.until(momentText(found.expiresAt))}</p>
      </Heading>
      {failure.value !== null && <Problem error={failure.value} retry={reload} />}
      <Steps place={place} why={t.setup.locked} />
      <Panel title={t.logTitle(name)} lead={t.logLead}>
        <Log
          read={place.readLog}
          round={found.tokens.reduce((sum, token) => sum + token.requests, 0)}
          hasPages={false}
        />
      </Panel>
      <Finish />
    </>
  );
}

function Finish(): JSX.Element {
  const { t } = providerTexts;
  const doing = useDoing();
  const finish = (): Promise<boolean> =>
    doing.run(async () => {
      await call('POST /setup/finish');
      sessionStorage.removeItem(keptUnder);
      isFinished.value = true;
      return undefined;
    });
  return (
    <Panel title={t.setup.finishTitle} lead={t.setup.finishLead}>
      <Outcome doing={doing} />
      <p>
        <button type="button" class="primary" aria-busy={doing.isBusy} onClick={finish}>
          {t.setup.finish}
        </button>
      </p>
    </Panel>
  );
}
