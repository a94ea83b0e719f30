// How the whole service is doing, and what operators do there.

import type { JSX } from 'preact';
import { operationsPreload } from '../../../src/domain/console/page-preload/operations.ts';
import { type AnswerTo, call } from '../../call.ts';
import { agoText, momentText } from '../../formats.ts';
import { forget } from '../../frame/answers.ts';
import { Confirm } from '../../frame/confirm.tsx';
import { Heading } from '../../frame/heading.tsx';
import { Panel } from '../../frame/panel.tsx';
import { DataTable } from '../../frame/table.tsx';
import { ClockJump } from './clock.tsx';
import { Doctor } from './doctor.tsx';
import { bytesText, Fact, Facts, Said, spanText } from './figures.tsx';
import { Keys } from './keys.tsx';
import { usePolled } from './polling.ts';
import { ReplicaCard } from './replicas.tsx';
import { AllWebhooks, Settings, StoreAudit } from './store-panels.tsx';
import { operationsTexts, toldTexts } from './texts.ts';
import { FindingText } from './told.tsx';

type Overview = AnswerTo<'GET /operations'>;

export const texts = [operationsTexts, toldTexts];

const renewMs = 3_000;

export default function Operations(): JSX.Element {
  const { t } = operationsTexts;
  const answer = usePolled(operationsPreload().operations[0], renewMs);
  const { data } = answer;
  const isOn = data !== null && data.maintenanceSince !== null;
  const setMaintenance = (on: boolean) => async (): Promise<undefined> => {
    await call('PUT /operations/maintenance', { body: { on } });
    forget('/operations');
  };
  return (
    <>
      <Heading
        title={t.title}
        {...(data !== null && {
          actions: (
            <Confirm
              key={String(isOn)}
              label={isOn ? t.maintenance.off : t.maintenance.on}
              title={isOn ? t.maintenance.off : t.maintenance.on}
              question={isOn ? t.maintenance.offQuestion : t.maintenance.question}
              isDangerous={!isOn}
              isSmall={false}
              run={setMaintenance(!isOn)}
            />
          ),
        })}
      >
        {data !== null && <p class="lead">{t.lead(data.version, data.engine, data.schema)}</p>}
        {data !== null && data.maintenanceSince !== null && (
          <p class="bad" role="status">
            {t.maintenance.since(momentText(data.maintenanceSince))}
          </p>
        )}
      </Heading>
      {data !== null && data.clock.jumpSeconds !== 0 && <ClockJump clock={data.clock} />}
      <Panel title={t.replicas} lead={t.replicasLead} answer={answer}>
        <div class="grid machines">
          {data?.replicas.map((replica) => (
            <ReplicaCard key={replica.id} replica={replica} />
          ))}
        </div>
        {data !== null && data.otherReplicas > 0 && <p class="hint">{t.moreReplicas(data.otherReplicas)}</p>}
      </Panel>
      <Doctor />
      {data !== null && (
        <>
          <Backup backup={data.backup} />
          <Panel title={t.tasks}>
            <DataTable
              caption={t.tasks}
              isLong
              rows={data.tasks}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: t.task,
                  cell: ({ name, about, failure }) => (
                    <>
                      {toldTexts.t.tasks[name] ?? <Said>{about}</Said>}
                      {failure !== null && (
                        <p class="fault">
                          <Said>{failure}</Said>
                        </p>
                      )}
                    </>
                  ),
                },
                {
                  title: t.state,
                  cell: ({ state }) => (
                    <span class={`badge ${state === 'fails' ? 'bad' : 'off'}`}>
                      {t.taskStates[state] ?? state}
                    </span>
                  ),
                },
              ]}
            />
          </Panel>
          <Tables tables={data.tables} />
        </>
      )}
      <Keys />
      <AllWebhooks />
      <Settings />
      <StoreAudit />
    </>
  );
}

const tablesShown = 10;

function Tables({ tables }: { readonly tables: Overview['tables'] }): JSX.Element {
  const { t } = operationsTexts;
  const sizes = tables?.sizes ?? [];
  const bytes = sizes.reduce((sum, table) => sum + table.bytes, 0);
  return (
    <Panel
      title={t.tables}
      lead={
        tables === null
          ? t.tablesUnknown
          : t.tablesLead(sizes.length, bytesText(bytes), momentText(tables.measured))
      }
    >
      {tables !== null && (
        <DataTable
          caption={t.tables}
          rows={sizes.slice(0, tablesShown)}
          keyOf={({ name }) => name}
          columns={[
            { title: t.table, isHead: true, cell: ({ name }) => <code>{name}</code> },
            { title: t.size, isNumber: true, cell: (table) => bytesText(table.bytes) },
          ]}
        />
      )}
    </Panel>
  );
}

function Backup({ backup }: { readonly backup: Overview['backup'] }): JSX.Element {
  const { t } = operationsTexts;
  const { lastGood, lastFailure, everySeconds } = backup;
  const isGood = backup.isRight && backup.isWarning !== true;
  return (
    <Panel title={t.backup}>
      <Facts>
        <Fact
          name={t.backupGood}
          {...(lastGood !== null && {
            beside: lastGood.kind === 'reported' ? t.backupReported : t.backupChecked,
          })}
        >
          {lastGood === null ? (
            t.backupNever
          ) : (
            <time dateTime={lastGood.at} title={momentText(lastGood.at)}>
              {agoText(lastGood.at)}
            </time>
          )}
        </Fact>
        {lastGood !== null && lastGood.bytes !== null && (
          <Fact name={t.size}>{bytesText(lastGood.bytes)}</Fact>
        )}
        {lastFailure !== null && <Fact name={t.backupFailed}>{agoText(lastFailure.at)}</Fact>}
        <Fact name={t.backupEvery}>{everySeconds === null ? t.backupByHand : spanText(everySeconds)}</Fact>
      </Facts>
      <p>
        {!isGood && <span class="badge bad">{t.verdicts.warning}</span>} <FindingText finding={backup} />
      </p>
    </Panel>
  );
}
