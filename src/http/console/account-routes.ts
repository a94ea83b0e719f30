// /console/api/accounts: the accounts of the store, for operators who choose one to enter.

import type { FastifyInstance } from 'fastify';
import { accountsBehind, type ListedAccount } from '../../store/access/accounts.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import { pageLimit, pageOf, pageSchema } from './console-page.ts';
import type { ConsoleServices } from './console-services.ts';

const accountSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    created: Type.String({ format: 'date-time' }),
    apiClients: Type.Integer(),
    provisioningTokens: Type.Integer(),
  },
  { $id: 'Account' },
);

export function accountRoutes(app: FastifyInstance, { context }: ConsoleServices): void {
  addRoute(app, {
    method: 'GET',
    path: '/console/api/accounts',
    area: 'console',
    access: { people: 'signedIn', ability: 'operate' },
    query: Type.Object({
      after: Type.Optional(
        Type.Integer({ minimum: 0, description: '`next` of the page before; left out, the first page.' }),
      ),
      limit: pageLimit,
    }),
    document: consoleDocument({
      operationId: 'listAccounts',
      summary: 'Accounts of the store',
      description: 'For operators, in the order of their ids.',
      tag: 'Accounts',
      success: { status: 200, schema: pageSchema(accountSchema, 'Accounts'), description: 'A page of them.' },
    }),
    handle: ({ query: { after = 0, limit } }) =>
      pageOf(limit, (take) => accountsBehind(context.db, { after, take }), { idOf: ({ id }) => id, shown }),
  });
}

function shown({ createdAtMs, ...account }: ListedAccount) {
  return { ...account, created: new Date(createdAtMs).toISOString() };
}
