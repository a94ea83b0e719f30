// The processes that serve, each as it told of itself.

import type { JSX } from 'preact';
import type { AnswerTo } from '../../call.ts';
import { agoText, momentText, numberText, shareText } from '../../formats.ts';
import { DataTable } from '../../frame/table.tsx';
import { bytesText, Fact, Facts, msText, spanText } from './figures.tsx';
import { operationsTexts } from './texts.ts';

type Replica = AnswerTo<'GET /operations'>['replicas'][number];
type ShownFacts = NonNullable<Replica['facts']>;

export function ReplicaCard({ replica }: { readonly replica: Replica }): JSX.Element {
  const { t } = operationsTexts;
  const { facts } = replica;
  return (
    <article>
      <div class="row between">
        <h3>{facts?.name ?? replica.id}</h3>
        <span class="row">
          {replica.isThis && <span class="badge off">{t.thisOne}</span>}
          {replica.isLive ? (
            <span class="badge">{t.live}</span>
          ) : (
            <span class="badge bad">{t.silent(spanText(replica.silentSeconds))}</span>
          )}
        </span>
      </div>
      {facts === null ? <p class="hint">{t.saysNothing}</p> : <Told facts={facts} />}
    </article>
  );
}

function Told({ facts }: { readonly facts: ShownFacts }): JSX.Element {
  const { t } = operationsTexts;
  const lags = facts.lags.filter(({ seconds }) => seconds >= 1);
  return (
    <>
      <Facts>
        <Fact name={t.version}>{facts.version}</Fact>
        <Fact name={t.since}>
          <time dateTime={facts.started} title={momentText(facts.started)}>
            {agoText(facts.started)}
          </time>
        </Fact>
        <Fact name={t.requests} {...(facts.failures > 0 && { beside: t.failed(numberText(facts.failures)) })}>
          {numberText(facts.requests)}
        </Fact>
        <Fact name={t.queue}>{numberText(facts.writesWaiting)}</Fact>
        <Fact
          name={t.connections}
          {...(facts.connectionsWaiting > 0 && {
            beside: t.connectionsWaiting(numberText(facts.connectionsWaiting)),
          })}
        >
          {numberText(facts.connections)}
        </Fact>
        <Fact name={t.memory} beside={t.heap(bytesText(facts.heapBytes))}>
          {bytesText(facts.memoryBytes)}
        </Fact>
        <Fact name={t.loop} beside={t.delay(msText(facts.delayP99Ms))}>
          {shareText(facts.busy)}
        </Fact>
        {facts.diskFreeBytes !== null && (
          <Fact
            name={t.disk}
            {...(facts.diskBytes !== null && { beside: t.diskOf(bytesText(facts.diskBytes)) })}
          >
            {bytesText(facts.diskFreeBytes)}
          </Fact>
        )}
        <Fact name={t.lags}>
          {lags.length === 0
            ? t.noLag
            : lags
                .map(({ of, seconds }) => `${t.lagNames[of] ?? of} ${t.seconds(numberText(seconds))}`)
                .join(', ')}
        </Fact>
      </Facts>
      <details>
        <summary>{t.slowest}</summary>
        <p class="hint">{t.slowestLead}</p>
        <DataTable
          caption={`${t.slowest}: ${facts.name}`}
          rows={facts.routes}
          keyOf={({ method, route }) => `${method} ${route}`}
          columns={[
            {
              title: t.route,
              isHead: true,
              cell: ({ method, route }) => (
                <code>
                  {method} {route}
                </code>
              ),
            },
            { title: t.count, isNumber: true, cell: ({ count }) => numberText(count) },
            { title: t.p50, isNumber: true, cell: ({ p50Ms }) => msText(p50Ms) },
            { title: t.p99, isNumber: true, cell: ({ p99Ms }) => msText(p99Ms) },
          ]}
        />
      </details>
    </>
  );
}
