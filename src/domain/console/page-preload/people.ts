// Of the pages about people, groups, API clients and the audit log.

import { type PagePlace, type PagePreloads, said } from './place.ts';

/** Which roles there are, and what each lets people do. */
export const rolesRequest = ['GET /roles'] as const;

export const usersPreload = ({ query }: PagePlace) =>
  ({
    users: [
      'GET /users',
      {
        query: {
          count: 50,
          start: query.get('start') ?? 1,
          order: query.get('order') ?? 'name',
          search: said(query, 'search'),
          state: said(query, 'state'),
          role: said(query, 'role'),
        },
      },
    ],
  }) as const;

export const userPreload = ({ params: { id = '' } }: Pick<PagePlace, 'params'>) =>
  ({
    user: ['GET /users/:id', { params: { id } }],
    sessions: ['GET /users/:id/sessions', { params: { id } }],
    timeline: ['GET /users/:id/timeline', { params: { id }, query: { limit: 30 } }],
    roles: rolesRequest,
  }) as const;

export const groupsPreload = ({ query }: PagePlace) =>
  ({
    groups: [
      'GET /groups',
      // An empty search too, because then groups stand in the order of their names.
      { query: { count: 50, start: query.get('start') ?? 1, search: query.get('search') ?? '' } },
    ],
  }) as const;

export const groupPreload = ({ params: { id = '' }, query }: PagePlace) =>
  ({
    group: ['GET /groups/:id', { params: { id }, query: { count: 50, after: said(query, 'after') } }],
    roles: rolesRequest,
  }) as const;

export const clientsPreload = ({ query }: PagePlace) =>
  ({ clients: ['GET /api-clients', { query: { limit: 100, after: said(query, 'after') } }] }) as const;

export const auditPreload = ({ query }: PagePlace) =>
  ({
    audit: [
      'GET /audit',
      {
        query: {
          actor: said(query, 'actor'),
          action: said(query, 'action'),
          subject: said(query, 'subject'),
          from: said(query, 'from'),
          to: said(query, 'to'),
          limit: 50,
          after: said(query, 'after'),
        },
      },
    ],
  }) as const;

export const peoplePreloads = {
  users: usersPreload,
  user: userPreload,
  groups: groupsPreload,
  group: groupPreload,
  clients: clientsPreload,
  audit: auditPreload,
} as const satisfies PagePreloads;
