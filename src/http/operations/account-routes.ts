// /console/api/accounts: the accounts of the store, for operators: found, made, changed, removed, and chosen to be entered.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { accountIdMax, limitMaxima, limitNames } from '../../domain/access/account.ts';
import { Problem } from '../../domain/problem.ts';
import {
  type AccountFigures,
  accountFigures,
  accountsBehind,
  accountsLike,
  changeAccount,
  createAccount,
  findAccount,
  type ListedAccount,
} from '../../store/access/accounts.ts';
import { accountRemovedAt, countAccount } from '../../store/feedback/removal.ts';
import { consoleDocument } from '../console/console-document.ts';
import { nameSchema } from '../console/console-names.ts';
import { pageLimit, pageSchema, takeOf } from '../console/console-page.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import { invalidRequest, textOfPath } from '../server/input.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import type { AccountRemovals } from './account-removals.ts';

const tag = 'Accounts';
/** Figures are asked account by account. */
const withFiguresMax = 100;

const figuresMembers = {
  measures: Type.Integer(),
  projects: Type.Integer(),
  responses: Type.Integer(),
  users: Type.Integer(),
};
const accountSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created: Type.String({ format: 'date-time' }),
    apiClients: Type.Integer(),
    provisioningTokens: Type.Integer(),
    figures: Type.Optional(Type.Object(figuresMembers, { description: 'Where they were asked for.' })),
  },
  { $id: 'Account' },
);

const limitsSchema = Type.Union(
  [
    Type.Object(
      Object.fromEntries(
        limitNames.map((name) => [
          name,
          Type.Optional(Type.Integer({ minimum: 1, maximum: limitMaxima[name] })),
        ]),
      ),
      { additionalProperties: false },
    ),
    Type.Null(),
  ],
  { description: 'Those of its own; what is absent, or null for all, is as the settings say.' },
);

const oneSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    limits: limitsSchema,
    ...figuresMembers,
    groups: Type.Integer(),
    apiClients: Type.Integer(),
    provisioningTokens: Type.Integer(),
  },
  { $id: 'AccountDetails' },
);

const removalSchema = Type.Object(
  {
    accountId: Type.Integer(),
    state: Type.Enum(['runs', 'ended', 'failed', 'lost'], {
      description: '`lost`: the process that removed it is gone; removed again, it goes on.',
    }),
    actor: Type.String(),
    began: Type.String({ format: 'date-time' }),
    ended: Type.Union([Type.String(), Type.Null()]),
    rows: Type.Integer({ description: 'Deleted by now.' }),
    failure: Type.Union([Type.String(), Type.Null()]),
  },
  { $id: 'AccountRemoval' },
);

const params = Type.Object({ accountId: Type.Integer({ format: 'int64', minimum: 1 }) });

export interface AccountRouteServices {
  readonly context: Context;
  readonly accountRemovals: AccountRemovals;
}

export function accountRoutes(
  app: FastifyInstance,
  { context, accountRemovals }: AccountRouteServices,
): void {
  const access = { people: 'signedIn', ability: 'operate' } as const;
  const { db } = context;
  const notFound = (request: FastifyRequest): Problem =>
    new Problem('ACCOUNT_NOT_FOUND', `There is no account ${textOfPath(request, 'accountId')}.`);
  const find = async (accountId: number, request: FastifyRequest) => {
    // No account has a larger one (D-800).
    const account = Number.isSafeInteger(accountId) ? await findAccount(db, accountId) : undefined;
    if (account === undefined) throw notFound(request);
    return account;
  };
  const shownOne = async (accountId: number, request: FastifyRequest) => {
    const { name, limits } = await find(accountId, request);
    return { id: accountId, name, limits, ...(await countAccount(db, accountId)) };
  };

  addRoute(app, {
    method: 'GET',
    path: '/console/api/accounts',
    area: 'console',
    access,
    query: Type.Object({
      search: Type.Optional(
        Type.String({ maxLength: 255, description: 'A part of the name, or the first digits of the id.' }),
      ),
      figures: Type.Optional(
        Type.Boolean({ description: `With what each has; a page then holds ${withFiguresMax} at most.` }),
      ),
      after: Type.Optional(
        Type.Integer({ minimum: 0, description: '`next` of the page before; left out, the first page.' }),
      ),
      limit: pageLimit,
    }),
    document: consoleDocument({
      operationId: 'listAccounts',
      summary: 'Accounts of the store',
      description: 'For operators, in the order of their ids.',
      tag,
      success: { status: 200, schema: pageSchema(accountSchema, 'Accounts'), description: 'A page of them.' },
    }),
    handle: async ({ query: { after = 0, limit, search = '', figures = false } }) => {
      const take = figures ? Math.min(withFiguresMax, takeOf(limit)) : takeOf(limit);
      const wanted = search.trim();
      const place = { after, take: take + 1 };
      const rows = wanted === '' ? await accountsBehind(db, place) : await accountsLike(db, wanted, place);
      const items = rows.slice(0, take);
      const shown = figures
        ? await Promise.all(items.map(async (one) => shownOf(one, await accountFigures(db, one.id))))
        : items.map((one) => shownOf(one));
      return { items: shown, next: rows.length > take ? String(items.at(-1)!.id) : null };
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/accounts',
    area: 'console',
    access,
    consumes: ['application/json'],
    body: Type.Object({ id: Type.Integer({ minimum: 1, maximum: accountIdMax }), name: nameSchema }),
    document: consoleDocument({
      operationId: 'createAccount',
      summary: 'Make an account',
      description: 'The number of an account that was removed is given to nobody else.',
      tag,
      success: { status: 201, schema: oneSchema, description: 'The account.' },
      conditions: [409],
    }),
    handle: async ({ body: { id, name } }, request, reply) => {
      const change = { ...stampOf(context, request), accountId: id, name: name.trim() };
      if (!(await db.write(createAccount, change)))
        throw new Problem('CONFLICT', `There is an account ${id} already, or there was one.`);
      reply.code(201);
      return shownOne(id, request);
    },
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/accounts/removals',
    area: 'console',
    access,
    document: consoleDocument({
      operationId: 'listAccountRemovals',
      summary: 'Accounts that are being removed',
      description: 'And those that were, of the last month.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ items: Type.Array(removalSchema) }, { $id: 'AccountRemovals' }),
        description: 'The newest first.',
      },
    }),
    handle: async () => ({ items: await accountRemovals.list() }),
  });

  addRoute(app, {
    method: 'GET',
    path: '/console/api/accounts/:accountId',
    area: 'console',
    access,
    params,
    document: consoleDocument({
      operationId: 'getAccount',
      summary: 'An account',
      description: 'With its limits and with what it has.',
      tag,
      success: { status: 200, schema: oneSchema, description: 'The account.' },
      conditions: [404],
    }),
    handle: ({ params: { accountId } }, request) => shownOne(accountId, request),
  });

  addRoute(app, {
    method: 'PATCH',
    path: '/console/api/accounts/:accountId',
    area: 'console',
    access,
    params,
    consumes: ['application/json'],
    body: Type.Object({ name: Type.Optional(nameSchema), limits: Type.Optional(limitsSchema) }),
    document: consoleDocument({
      operationId: 'changeAccount',
      summary: 'Rename an account, or change its limits',
      description: 'What is left out stays. Limits are exactly those that are given.',
      tag,
      success: { status: 200, schema: oneSchema, description: 'The account as it is now.' },
      conditions: [404],
    }),
    handle: async ({ params: { accountId }, body: { name, limits } }, request) => {
      await find(accountId, request);
      await db.write(changeAccount, {
        ...stampOf(context, request),
        accountId,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(limits === undefined ? {} : { limits }),
      });
      return shownOne(accountId, request);
    },
  });

  addRoute(app, {
    method: 'POST',
    path: '/console/api/accounts/:accountId/remove',
    area: 'console',
    access,
    params,
    consumes: ['application/json'],
    body: Type.Object({
      confirm: Type.String({ maxLength: 20, description: 'The number of the account once more.' }),
    }),
    document: consoleDocument({
      operationId: 'removeAccount',
      summary: 'Remove an account with everything',
      description:
        'Nobody finds it from now on; its rows are deleted in the background. It cannot be undone. One whose removal stopped half-way goes on.',
      tag,
      success: {
        status: 202,
        schema: Type.Object({ accountId: Type.Integer() }, { $id: 'RemovedAccount' }),
        description: 'It is closed, and being emptied.',
      },
      conditions: [404, 409],
    }),
    handle: async ({ params: { accountId }, body: { confirm } }, request, reply) => {
      const digits = String(BigInt(textOfPath(request, 'accountId')));
      if (confirm.trim() !== digits)
        throw invalidRequest([
          { field: 'confirm', code: 'INVALID', message: `must be the number of the account, ${digits}.` },
        ]);
      const isThere =
        Number.isSafeInteger(accountId) && (await accountRemovedAt(db, accountId)) !== undefined;
      if (!isThere) throw notFound(request);
      await accountRemovals.start(stampOf(context, request), accountId);
      reply.code(202);
      return { accountId };
    },
  });
}

function shownOf({ createdAtMs, ...account }: ListedAccount, figures?: AccountFigures) {
  return {
    ...account,
    created: new Date(createdAtMs).toISOString(),
    ...(figures === undefined ? {} : { figures }),
  };
}
