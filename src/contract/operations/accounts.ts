// /console/api/accounts: the accounts of the store, for operators: found, made, changed, removed, and chosen to be entered.

import { accountIdMax, limitMaxima, limitNames } from '../../domain/access/account.ts';
import { nameSchema } from '../name.ts';
import { consoleOperations } from '../operation.ts';
import { pageLimit, pageSchema } from '../page.ts';
import { Type } from '../schema.ts';

const tag = 'Accounts';

/** Figures are asked account by account. */
export const withFiguresMax = 100;

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

const access = { people: 'signedIn', ability: 'operate' } as const;

export const accountOperations = consoleOperations({
  'GET /accounts': {
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
    document: {
      operationId: 'listAccounts',
      summary: 'Accounts of the store',
      description: 'For operators, in the order of their ids.',
      tag,
      success: { status: 200, schema: pageSchema(accountSchema, 'Accounts'), description: 'A page of them.' },
    },
  },
  'POST /accounts': {
    access,
    consumes: ['application/json'],
    body: Type.Object({ id: Type.Integer({ minimum: 1, maximum: accountIdMax }), name: nameSchema }),
    document: {
      operationId: 'createAccount',
      summary: 'Make an account',
      description: 'The number of an account that was removed is given to nobody else.',
      tag,
      success: { status: 201, schema: oneSchema, description: 'The account.' },
    },
    refusals: ['CONFLICT'],
  },
  'GET /accounts/removals': {
    access,
    document: {
      operationId: 'listAccountRemovals',
      summary: 'Accounts that are being removed',
      description: 'And those that were, of the last month.',
      tag,
      success: {
        status: 200,
        schema: Type.Object({ items: Type.Array(removalSchema) }, { $id: 'AccountRemovals' }),
        description: 'The newest first.',
      },
    },
  },
  'GET /accounts/:accountId': {
    access,
    params,
    document: {
      operationId: 'getAccount',
      summary: 'An account',
      description: 'With its limits and with what it has.',
      tag,
      success: { status: 200, schema: oneSchema, description: 'The account.' },
    },
    refusals: ['ACCOUNT_NOT_FOUND'],
  },
  'PATCH /accounts/:accountId': {
    access,
    params,
    consumes: ['application/json'],
    body: Type.Object({ name: Type.Optional(nameSchema), limits: Type.Optional(limitsSchema) }),
    document: {
      operationId: 'changeAccount',
      summary: 'Rename an account, or change its limits',
      description: 'What is left out stays. Limits are exactly those that are given.',
      tag,
      success: { status: 200, schema: oneSchema, description: 'The account as it is now.' },
    },
    refusals: ['ACCOUNT_NOT_FOUND'],
  },
  'POST /accounts/:accountId/remove': {
    access,
    params,
    consumes: ['application/json'],
    body: Type.Object({
      confirm: Type.String({ maxLength: 20, description: 'The number of the account once more.' }),
    }),
    document: {
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
    },
    refusals: ['ACCOUNT_NOT_FOUND', 'CONFLICT'],
  },
});
