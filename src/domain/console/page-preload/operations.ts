// Of the pages for operators, and of webhooks.

import type { PagePlace, PagePreloads } from './place.ts';

const newest = { query: { limit: 20 } } as const;

export const operationsPreload = () =>
  ({
    operations: ['GET /operations'],
    settings: ['GET /operations/settings'],
    keys: ['GET /operations/keys'],
    doctor: ['GET /operations/doctor'],
    webhooks: ['GET /operations/webhooks', newest],
    audit: ['GET /operations/audit', newest],
  }) as const;

export const webhooksPreload = () => ({ webhooks: ['GET /webhooks'] }) as const;

export const accountsPreload = ({ query }: Pick<PagePlace, 'query'>) =>
  ({
    accounts: [
      'GET /accounts',
      {
        query: {
          figures: true,
          limit: 50,
          search: query.get('search') || undefined,
          after: query.get('after') || undefined,
        },
      },
    ],
    removals: ['GET /accounts/removals'],
  }) as const;

export const operationsPreloads = {
  operations: operationsPreload,
  webhooks: webhooksPreload,
  accounts: accountsPreload,
} as const satisfies PagePreloads;
