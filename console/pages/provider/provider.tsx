// One identity provider: the steps of its set-up, its tokens, what it did, and whether it is the only way in. `new` is one that is
// not entered yet.

import type { JSX } from 'preact';
import { providerKinds } from '../../../src/domain/access/provider-kind.ts';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { providerPreload, providersPreload } from '../../../src/domain/console/page-preload/providers.ts';
import { call, Refusal } from '../../call.ts';
import { go, parameter } from '../../frame/address.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { Problem } from '../../frame/problem.tsx';
import { can } from '../../frame/session.ts';
import type { PageProps } from '../loaders.ts';
import { HandOver } from './hand-over.tsx';
import { Log } from './log.tsx';
import type { Connection, Place } from './place.ts';
import { useEvery } from './polling.ts';
import { requestTexts } from './request-words.ts';
import { checkWhenOpened, Steps } from './steps.tsx';
import { providerTexts } from './texts.ts';
import { Tokens } from './tokens.tsx';

export const texts = [providerTexts, requestTexts];

const waitingMs = 2_000;
const heardMs = 10_000;

export default function ProviderPage({ params }: PageProps): JSX.Element {
  return params.id === 'new' ? <NewProvider /> : <KnownProvider id={params.id ?? ''} />;
}

function Above(): JSX.Element {
  return <a href={pathOf('providers')}>{providerTexts.t.title}</a>;
}

function NewProvider(): JSX.Element {
  const { t } = providerTexts;
  const answer = useAnswer(...providersPreload().providers);
  const asked = parameter('kind');
  const kind = providerKinds.find((one) => one === asked) ?? 'other';
  const title = t.connectNew(t.kinds[kind]);
  if (answer.data === null)
    return (
      <Heading title={title} over={<Above />}>
        <Problem error={answer.error} retry={answer.reload} />
      </Heading>
    );
  const later = (): Promise<never> => Promise.reject(new Refusal(0, { code: 'UNKNOWN' }));
  const place: Place = {
    kind,
    connection: null,
    tokens: [],
    addresses: answer.data.addresses,
    mayChange: can('manage API clients'),
    save: async (facts) => {
      const { id } = await call('POST /connections', { body: facts });
      checkWhenOpened(id);
      go(pathOf('provider', { id }), { isReplacing: true });
    },
    check: () => Promise.resolve([]),
    beginTest: later,
    takeTest: () => Promise.resolve(null),
    // Users whom it makes belong to the first connection that they sign in by.
    mayMarkToken: can('manage API clients'),
    makeToken: (mayChangeAdmins) =>
      call('POST /provisioning-tokens', { body: { name: t.kinds[kind], mayChangeAdmins } }),
    readLog: later,
    reload: answer.reload,
  };
  return (
    <>
      <Heading title={title} over={<Above />}>
        <p class="lead">{t.connectLead}</p>
      </Heading>
      <Steps place={place} why={t.noRights} />
    </>
  );
}

function KnownProvider({ id }: { readonly id: string }): JSX.Element {
  const { t } = providerTexts;
  const answer = useAnswer(...providerPreload({ params: { id } }).provider);
  const { data, reload } = answer;
  const isHeard = data?.tokens.some((token) => token.isHeard) ?? true;
  useEvery(isHeard ? heardMs : waitingMs, reload);
  if (data === null)
    return (
      <Heading title={t.title} over={<Above />}>
        <Problem error={answer.error} retry={reload} />
      </Heading>
    );
  const { connection, tokens } = data;
  const params = { id };
  const isAdmin = can('manage API clients');
  const place: Place = {
    kind: data.kind,
    connection,
    tokens,
    addresses: data.addresses,
    mayChange: isAdmin,
    save: async (facts) => {
      await call('PATCH /connections/:id', { params, body: facts });
      await reload();
    },
    check: async () => (await call('POST /connections/:id/test', { params })).findings,
    beginTest: async () => (await call('POST /connections/:id/test-sign-in', { params })).url,
    takeTest: () => call('POST /connections/:id/test-sign-in/result', { params }),
    mayMarkToken: isAdmin,
    makeToken: (mayChangeAdmins) =>
      call('POST /provisioning-tokens', {
        body: { name: connection.name, connection: id, mayChangeAdmins },
      }),
    readLog: (query) => call('GET /provisioning-log', { query: { ...query, connection: id } }),
    reload,
  };
  const requests = tokens.reduce((sum, token) => sum + token.requests, 0);
  return (
    <>
      <Heading title={connection.name} over={<Above />}>
        <p class="lead">{t.lead}</p>
      </Heading>
      {answer.error !== null && <Problem error={answer.error} retry={reload} />}
      <Steps place={place} why={t.noRights} />
      <Panel title={t.logTitle(connection.name)} lead={t.logLead}>
        <Log read={place.readLog} round={requests} hasPages />
      </Panel>
      {tokens.length > 0 && (
        <Panel title={t.tokensTitle} lead={t.tokensLead}>
          <Tokens tokens={tokens} caption={t.tokensTitle} reload={reload} />
        </Panel>
      )}
      {isAdmin && <Only connection={connection} reload={reload} />}
      {isAdmin && connection.testedAt === null && (
        <HandOver link={data.setupLink} connection={id} reload={reload} />
      )}
      {isAdmin && (
        <Panel title={t.removeTitle} lead={t.removeLead}>
          <p>
            <Confirm
              label={t.remove}
              title={t.removeTitle}
              question={<p>{t.removeQuestion(connection.name)}</p>}
              isDangerous
              run={async () => {
                await call('DELETE /connections/:id', { params });
                go(pathOf('providers'));
                return undefined;
              }}
            />
          </p>
        </Panel>
      )}
    </>
  );
}

function Only({
  connection,
  reload,
}: {
  readonly connection: Connection;
  readonly reload: () => Promise<void>;
}): JSX.Element {
  const { t } = providerTexts;
  const set = async (only: boolean): Promise<string> => {
    await call('PATCH /connections/:id', { params: { id: connection.id }, body: { only } });
    await reload();
    return t.onlyDone;
  };
  return (
    <Panel title={t.onlyTitle} lead={t.onlyLead}>
      {connection.only ? (
        <>
          <p class="good">{t.onlyIs}</p>
          <p>
            <Confirm
              label={t.onlyOff}
              title={t.onlyOff}
              question={<p>{t.onlyIs}</p>}
              run={() => set(false)}
            />
          </p>
        </>
      ) : connection.testedAt === null ? (
        <p class="hint">{t.onlyFirst}</p>
      ) : (
        <p>
          <Confirm
            label={t.onlyOn}
            title={t.onlyOnTitle}
            question={<p>{t.onlyOnQuestion}</p>}
            isDangerous
            run={() => set(true)}
          />
        </p>
      )}
    </Panel>
  );
}
