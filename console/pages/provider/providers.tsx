// The identity providers of the account: how each stands, and how the next one is connected.

import type { JSX } from 'preact';
import { providerKinds } from '../../../src/domain/access/provider-kind.ts';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { providersPreload } from '../../../src/domain/console/page-preload/providers.ts';
import { type AnswerTo, call } from '../../call.ts';
import { agoText } from '../../formats.ts';
import { useAnswer } from '../../frame/answers.ts';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { can } from '../../frame/session.ts';
import { DataTable } from '../../frame/table.tsx';
import { HandOver } from './hand-over.tsx';
import { Log } from './log.tsx';
import { useEvery } from './polling.ts';
import { requestTexts } from './request-words.ts';
import { providerTexts } from './texts.ts';
import { Tokens } from './tokens.tsx';

export const texts = [providerTexts, requestTexts];

type Provider = AnswerTo<'GET /providers'>['providers'][number];

const everyMs = 10_000;

export default function ProvidersPage(): JSX.Element {
  const { t } = providerTexts;
  const answer = useAnswer(...providersPreload().providers);
  const { data, reload } = answer;
  useEvery(everyMs, reload);
  const isAdmin = can('manage API clients');
  const providers = data?.providers ?? [];
  const all = [...providers.flatMap(({ tokens }) => tokens), ...(data?.tokens ?? [])];
  return (
    <>
      <Heading title={t.title}>
        <p class="lead">{t.lead}</p>
      </Heading>
      {(data === null || providers.length > 0) && (
        <Panel title={t.connected} answer={answer}>
          <DataTable
            caption={t.connected}
            isLong
            rows={providers}
            keyOf={({ connection }) => connection.id}
            columns={[
              {
                title: t.name,
                isHead: true,
                cell: ({ connection }) => (
                  <a href={pathOf('provider', { id: connection.id })}>{connection.name}</a>
                ),
              },
              { title: t.signIn, cell: signInState },
              { title: t.provisioning, cell: provisioningState },
            ]}
          />
        </Panel>
      )}
      {data !== null && (
        <Panel title={t.connect} lead={isAdmin ? t.connectLead : t.noRights}>
          {isAdmin && (
            <ul class="kinds">
              {providerKinds.map((kind) => (
                <li key={kind}>
                  <a href={`${pathOf('provider', { id: 'new' })}?kind=${kind}`}>
                    <strong>{t.kinds[kind]}</strong>
                    <span class="hint">{t.kindHints[kind]}</span>
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Panel>
      )}
      {data !== null && isAdmin && <HandOver link={data.setupLink} connection={null} reload={reload} />}
      {data !== null && data.tokens.length > 0 && (
        <Panel title={t.otherTokens} lead={t.otherTokensLead}>
          <Tokens tokens={data.tokens} caption={t.otherTokens} reload={reload} />
        </Panel>
      )}
      {all.length > 0 && (
        <Panel title={t.logTitleAll} lead={t.logLead}>
          <Log
            read={(query) => call('GET /provisioning-log', { query })}
            round={all.reduce((sum, token) => sum + token.requests, 0)}
            hasPages
          />
        </Panel>
      )}
    </>
  );
}

function signInState({ connection }: Provider): JSX.Element {
  const { states } = providerTexts.t;
  const { hasSecret, testedAt, only } = connection;
  if (!hasSecret) return <span class="badge bad">{states.unready}</span>;
  if (testedAt === null) return <span class="badge off">{states.untested}</span>;
  return <span class="badge well">{only ? states.only : states.used}</span>;
}

function provisioningState({ tokens }: Provider): JSX.Element {
  const { states } = providerTexts.t;
  const live = tokens.filter(({ state }) => state === 'live');
  if (live.length === 0)
    return (
      <span class={`badge ${tokens.length > 0 ? 'bad' : 'off'}`}>
        {tokens.length > 0 ? states.ended : states.noToken}
      </span>
    );
  const last = live
    .map(({ lastRequest, lastUsed }) => lastRequest ?? lastUsed ?? '')
    .toSorted()
    .at(-1)!;
  const ends = live.every(({ endsSoon }) => endsSoon)
    ? live
        .map(({ expires }) => expires)
        .toSorted()
        .at(-1)!
    : null;
  return (
    <span class="row">
      {last === '' ? (
        <span class="badge off">{states.waiting}</span>
      ) : (
        <span class="badge well">{states.heard(agoText(last))}</span>
      )}
      {ends !== null && <span class="badge bad">{states.ends(agoText(ends))}</span>}
    </span>
  );
}
