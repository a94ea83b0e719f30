// Rows of every table whose rows end by time, and everything that deletes them, done at once: what is left tells what was
// taken for now.

import { randomUUID, randomUUIDv7 } from 'node:crypto';
import type { Config } from '../../src/config.ts';
import { dropEndedSealingKeys } from '../../src/store/access/sealing-keys.ts';
import { createSharedView } from '../../src/store/access/shared-views.ts';
import { dropRetiredKeys } from '../../src/store/access/signing-keys.ts';
import type { Db } from '../../src/store/engine/db.ts';
import {
  type BackgroundTask,
  findTask,
  type TaskScope,
  wholeStore,
} from '../../src/store/engine/work/background-task.ts';
import { retentionTask } from '../../src/store/erasure/retention.ts';
import { LogAppender } from '../../src/store/feedback/appender.ts';
import { changeEnd } from '../../src/store/feedback/change-end.ts';
import { forgetRefused } from '../../src/store/feedback/forget-refused.ts';
import { auditEnd } from '../../src/store/operations/audit-end.ts';
import { beginJob } from '../../src/store/operations/jobs.ts';
import { revokeInvitations } from '../../src/store/pages/invitations.ts';
import { createLink } from '../../src/store/people/one-time-links.ts';
import { createSession } from '../../src/store/people/sessions.ts';
import { logOutByProvider } from '../../src/store/people/user-connections.ts';
import { keepProvisioningRequests } from '../../src/store/provisioning/provisioning-log.ts';
import { deliveryEnd } from '../../src/store/webhooks/delivery-end.ts';
import type { OpenedLog } from './open-feedback-log.ts';
import { storeRows } from './store-rows.ts';

const dayMs = 86_400_000;
export const auditKeepDays = 30;
const retainDays = 30;
const accountId = 4001;
const operators = 0;

/** A measure whose responses have an end. */
export const retainingCatalogue = {
  accounts: [
    {
      id: 4001,
      name: 'Acme',
      measures: [
        {
          key: 1,
          name: 'Measure 1',
          retainDays,
          surveys: [
            {
              id: 'one',
              modelInstanceId: 'm',
              latents: [
                {
                  id: 'L-1',
                  name: 'Good',
                  type: 'SATISFACTION',
                  questions: [{ id: 'Q-1', name: 'How good?', scale: { min: 1, max: 10 } }],
                },
              ],
              questions: [],
            },
          ],
        },
      ],
    },
  ],
};

/** Two responses that end at a moment. */
export async function addResponses(log: OpenedLog, name: string, endsAtMs: number): Promise<void> {
  const appender = new LogAppender(log.db);
  for (const more of [0, 1]) {
    const submissionTimestamp = new Date(
      endsAtMs - (retainDays + 1) * dayMs - more * 3_600_000,
    ).toISOString();
    const body = { surveyDefinitionId: 'one', responseId: `${name}-${randomUUID()}`, submissionTimestamp };
    await appender.add(await log.item({ ...body, responses: { 'Q-1': ['7'] } }));
  }
}

/** One word for each response of a name that is not emptied. */
export async function responsesOf(databaseUrl: string, name: string): Promise<readonly string[]> {
  const rows = await storeRows(
    databaseUrl,
    `select 1 from response_body body join response on response.account_id = body.account_id
       and response.source_id = body.source_id and response.seq = body.seq
     where response.response_id like '${name}-%'`,
  );
  return rows.map(() => 'response');
}

/** Where rows are kept, the column that names them, and one row that ends at a moment, by its columns. */
const kinds: readonly {
  readonly table: string;
  readonly name: string;
  readonly row: (name: string, endsAtMs: number) => Readonly<Record<string, string | number | null>>;
}[] = [
  {
    table: 'session',
    name: 'id',
    row: (id, endsAtMs) => ({
      ...{ account_id: operators, token_hash: id, id, person_id: personOf(id), way: 'link' },
      ...{ created_at: 1, signed_in_at: 1, used_at: endsAtMs, ends_at: endsAtMs, admits_admin: 1 },
    }),
  },
  {
    table: 'one_time_link',
    name: 'code_hash',
    row: (id, endsAtMs) => ({
      ...{ account_id: operators, code_hash: id, person_id: personOf(id), purpose: 'operator' },
      ...{ created_at: 1, expires_at: endsAtMs, admits_admin: 1 },
    }),
  },
  {
    table: 'used_logout',
    name: 'jti',
    row: (id, endsAtMs) => ({ account_id: accountId, connection_id: 'c', jti: id, ends_at: endsAtMs }),
  },
  {
    table: 'shared_view',
    name: 'id',
    row: (id, endsAtMs) => ({
      ...{ account_id: accountId, id, code_hash: id, name: id, page: '{}', maker_account_id: 0, maker_id: 1 },
      ...{ created_by: 'test', created_at: 1, expires_at: endsAtMs - 90 * dayMs - 1 },
    }),
  },
  {
    table: 'provisioning_request',
    name: 'id',
    row: (id, endsAtMs) => ({
      ...{ account_id: accountId, id, at: endsAtMs - 7 * dayMs - 1, actor: 'a', method: 'GET', route: '/' },
      status: 200,
    }),
  },
  {
    table: 'revoked_invitation',
    name: 'invitation_id',
    row: (id, endsAtMs) => ({
      ...{ account_id: accountId, invitation_id: id, revoked_at: 1, ends_at: endsAtMs - 1 },
    }),
  },
  {
    table: 'refused_response',
    name: 'id',
    row: (id, endsAtMs) => ({
      ...{ account_id: accountId, id, at: endsAtMs - 30 * dayMs - 1, survey_id: 's', status: 400, code: 'C' },
      ...{ cause: 'c', faults: '[]', more_faults: 0 },
    }),
  },
  {
    table: 'refused_count',
    name: 'survey_id',
    row: (id, endsAtMs) => ({
      ...{ account_id: accountId, day: Math.floor(endsAtMs / dayMs) - 401, survey_id: id, cause: 'c' },
      ...{ refused: 1, quarantined: 0 },
    }),
  },
  {
    table: 'quarantined_response',
    name: 'id',
    row: (id, endsAtMs) => ({
      ...{ account_id: accountId, id, survey_id: 's', received_at: endsAtMs - 7 * dayMs - 1, cause: 'c' },
      ...{ faults: '[]', more_faults: 0, kid: 'k', sealed: 'sealed', bytes: 6 },
    }),
  },
  {
    table: 'webhook_delivery',
    name: 'id',
    row: (id, endsAtMs) => ({
      ...{ account_id: accountId, webhook_id: 'wh', id, type: 't', body: '{}', created_at: 1, attempts: 9 },
      ...{ give_up_at: 1, dead_at: endsAtMs - 30 * dayMs - 1 },
    }),
  },
  {
    table: 'audit',
    name: 'subject',
    row: (id, endsAtMs) => {
      const atMs = endsAtMs - auditKeepDays * dayMs - 1;
      const hex = atMs.toString(16).padStart(12, '0');
      const entry = `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000001`;
      return { account_id: accountId, id: entry, at: atMs, actor: 'a', action: 'test', subject: id };
    },
  },
  {
    table: 'job',
    name: 'name',
    row: (id, endsAtMs) => ({
      ...{ name: id, run_id: 'r', actor: 'a', began_at: 1, updated_at: 1, report: '{}' },
      ended_at: endsAtMs - 30 * dayMs - 1,
    }),
  },
  {
    table: 'sealing_key',
    name: 'kid',
    row: (id, endsAtMs) => ({ kid: id, secret: 'A'.repeat(43), created_at: 1, last_end: endsAtMs - 1 }),
  },
];

/** So that a person has one link, and each row another person. */
function personOf(name: string): number {
  return Number(BigInt(`0x${Buffer.from(name).toString('hex')}`) % 1_000_000n) + 10;
}

export const endingTables = kinds.map(({ table }) => table);

export async function addEndingRows(databaseUrl: string, name: string, endsAtMs: number): Promise<void> {
  for (const { table, row } of kinds) {
    const columns = Object.entries(row(name, Math.round(endsAtMs)));
    const values = columns.map(([, value]) => (typeof value === 'string' ? `'${value}'` : String(value)));
    await storeRows(
      databaseUrl,
      `insert into ${table} (${columns.map(([column]) => column).join(', ')}) values (${values.join(', ')})`,
    );
  }
}

/** The tables that still have the row of this name. */
export async function tablesWith(databaseUrl: string, name: string): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { table, name: column } of kinds)
    if ((await storeRows(databaseUrl, `select 1 from ${table} where ${column} = '${name}'`)).length > 0)
      left.push(table);
  return left;
}

export interface Deleting {
  readonly db: Db;
  readonly config: Config;
  readonly now: () => number;
}

/** Everything that deletes rows by time, each by what does it in the service. */
export async function deleteAll({ db, config, now }: Deleting): Promise<void> {
  const nowMs = now();
  const stamp = () => ({ changeId: randomUUIDv7(), nowMs, actor: 'test' });
  const id = randomUUIDv7();
  const ofAccount = { ...stamp(), accountId };
  const expiresAtMs = nowMs + 1000;
  for (const task of [auditEnd, forgetRefused, retentionTask, changeEnd])
    await runTask(task, { db, config, now });
  await db.write(createSession, {
    ...{ ...stamp(), accountId: operators, personId: 1, sessionId: id, tokenHash: id },
    ...{ way: 'link', admitsAdmin: true },
  });
  await db.write(createLink, {
    ...{ ...stamp(), accountId: operators, personId: 1, codeHash: id, purpose: 'operator' },
    ...{ expiresAtMs, admitsAdmin: true, subject: 'test' },
  });
  await db.write(logOutByProvider, { ...ofAccount, connectionId: 'c', jti: id, endsAtMs: expiresAtMs });
  await db.write(createSharedView, {
    ...{ ...ofAccount, changeId: randomUUIDv7(), id, codeHash: id, name: id, expiresAtMs },
    page: { page: 'overview', query: '' } as never,
    maker: { accountId: operators, personId: 1 },
  });
  await db.write(keepProvisioningRequests, {
    accountId,
    nowMs,
    requests: [
      {
        ...{ id, atMs: nowMs, actor: 'a', method: 'GET', route: '/', status: 200 },
        ...{ subject: null, understood: null, changed: null, refused: null },
      },
    ],
  });
  await db.write(revokeInvitations, {
    ...{ ...stamp(), accountId, surveyId: 's', invitationIds: [id] },
  } as never);
  // There is no such webhook: the task looks at those that there are.
  await stepsOf(deliveryEnd, { db, config, now }, { accountId, scope: 'wh' });
  await db.write(beginJob, { ...stamp(), name: id, runId: id, report: '{}', action: null });
  await db.write(dropEndedSealingKeys, { nowMs });
  await db.write(dropRetiredKeys, { nowMs, retiredBeforeMs: nowMs - 6 * 3_600_000 });
}

/** Until it has nothing to do. */
export async function runTask(task: BackgroundTask, { db, config, now }: Deleting): Promise<void> {
  const context = { db, config, now, newId: randomUUIDv7 };
  // A round begins an hour after the last one.
  for (let steps = 0; steps < 100; steps += 1) {
    const scopes = task.scopes === undefined ? [wholeStore] : await task.scopes(context);
    const outcomes = [];
    for (const scope of scopes) outcomes.push(await task.step(context, await findTask(db, task.name, scope)));
    if (!outcomes.includes('moved')) return;
  }
}

/** Of one part, until it has nothing to do. */
export async function stepsOf(task: BackgroundTask, deleting: Deleting, scope: TaskScope): Promise<void> {
  const context = { ...deleting, newId: randomUUIDv7 };
  while ((await task.step(context, await findTask(deleting.db, task.name, scope))) === 'moved') {
    // Some at a time.
  }
}
