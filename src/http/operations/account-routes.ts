// /console/api/accounts: the accounts of the store, for operators: found, made, changed, removed, and chosen to be entered.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccountRemovals } from '../../acts/operations/account-removals.ts';
import type { Context } from '../../context.ts';
import { accountOperations, withFiguresMax } from '../../contract/operations/accounts.ts';
import { invalidRequest, Problem } from '../../domain/problem.ts';
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
import { takeOf } from '../console/console-page.ts';
import { stampOf } from '../console/visitor-stamp.ts';
import { textOfPath } from '../server/input.ts';
import { addOperation } from '../server/route.ts';

interface AccountRouteServices {
  readonly context: Context;
  readonly accountRemovals: AccountRemovals;
}

export function accountRoutes(
  app: FastifyInstance,
  { context, accountRemovals }: AccountRouteServices,
): void {
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

  addOperation(
    app,
    accountOperations,
    'GET /accounts',
    async ({ query: { after = 0, limit, search = '', figures = false } }) => {
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
  );

  addOperation(app, accountOperations, 'POST /accounts', async ({ body: { id, name } }, request, reply) => {
    const change = { ...stampOf(context, request), accountId: id, name: name.trim() };
    if (!(await db.write(createAccount, change)))
      throw new Problem('CONFLICT', `There is an account ${id} already, or there was one.`);
    reply.code(201);
    return shownOne(id, request);
  });

  addOperation(app, accountOperations, 'GET /accounts/removals', async () => ({
    items: await accountRemovals.list(),
  }));

  addOperation(app, accountOperations, 'GET /accounts/:accountId', ({ params: { accountId } }, request) =>
    shownOne(accountId, request),
  );

  addOperation(
    app,
    accountOperations,
    'PATCH /accounts/:accountId',
    async ({ params: { accountId }, body: { name, limits } }, request) => {
      await find(accountId, request);
      await db.write(changeAccount, {
        ...stampOf(context, request),
        accountId,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(limits === undefined ? {} : { limits }),
      });
      return shownOne(accountId, request);
    },
  );

  addOperation(
    app,
    accountOperations,
    'POST /accounts/:accountId/remove',
    async ({ params: { accountId }, body: { confirm } }, request, reply) => {
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
  );
}

function shownOf({ createdAtMs, ...account }: ListedAccount, figures?: AccountFigures) {
  return {
    ...account,
    created: new Date(createdAtMs).toISOString(),
    ...(figures === undefined ? {} : { figures }),
  };
}
