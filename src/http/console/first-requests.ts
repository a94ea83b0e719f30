// What most pages begin with: the answers to their first requests, asked for here with the cookie of whoever opens the page. They go
// through the gate like those of a browser, so that a page holds nothing that its reader could not ask for (D-641).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageName } from '../../domain/console/page-paths.ts';
import { type ViewAddress, viewQuery } from '../../domain/console/view-address.ts';
import type { ConsoleServices } from './console-services.ts';
import type { FirstAnswers } from './first-answers.ts';

/** A page waits so long for them; then it comes without. */
const timeMs = 1_000;
/** A page is not made longer than this by one of them. */
const bytesMax = 256 * 1024;

interface Asked {
  readonly params: Readonly<Record<string, string>>;
  readonly view: ViewAddress;
  /** Of the address of the page. */
  readonly query: URLSearchParams;
}

/** What each page asks for first, letter by letter: test/browser/console-looks.test.ts sees that it asks for nothing more. */
const pathsOf: Readonly<Partial<Record<PageName, (asked: Asked) => readonly string[]>>> = {
  comments: (asked) => {
    const narrowed = new URLSearchParams(viewQuery(asked.view));
    return [
      sourceOf(asked),
      `${sourceOf(asked)}/comments?${copied(narrowed, asked.query, ['q', 'question'])}`,
    ];
  },
  responses: (asked) => {
    const { from, to } = asked.view;
    const source = sourceOf(asked);
    return [source, `${source}/responses?${viewQuery(asked.view)}`, `${source}/cost?from=${from}&to=${to}`];
  },
  response: (asked) => {
    const source = sourceOf(asked);
    const place = `${source}/responses/${encodeURIComponent(asked.params.id ?? '')}`;
    return [source, place, `${place}/asked`, ...(asked.params.kind === 'measures' ? [`${place}/trace`] : [])];
  },
  views: () => ['/views?limit=1000', '/sources'],
  'new-survey': () => ['/sources'],
  survey: (asked) => [`/surveys${sourceOf(asked)}`],
  users: ({ query }) => {
    const { start = '1', order = 'name' } = Object.fromEntries(query);
    const wanted = new URLSearchParams({ count: '50', start, order });
    return [`/users?${copied(wanted, query, ['search', 'state', 'role'])}`];
  },
  user: ({ params }) => {
    const path = `/users/${encodeURIComponent(params.id ?? '')}`;
    return [path, `${path}/sessions`, `${path}/timeline?limit=30`, '/roles'];
  },
  groups: ({ query }) => {
    const { start = '1', search = '' } = Object.fromEntries(query);
    return [`/groups?${new URLSearchParams({ count: '50', start, search })}`];
  },
  group: ({ params, query }) => {
    const after = query.get('after');
    const path = `/groups/${encodeURIComponent(params.id ?? '')}`;
    return [`${path}?count=50${after === null ? '' : `&after=${after}`}`, '/roles'];
  },
  clients: ({ query }) => {
    const after = query.get('after');
    return [`/api-clients?limit=100${after === null ? '' : `&after=${encodeURIComponent(after)}`}`];
  },
  audit: ({ query }) => {
    const wanted = copied(new URLSearchParams(), query, ['actor', 'action', 'subject', 'from', 'to']);
    wanted.set('limit', '50');
    return [`/audit?${copied(wanted, query, ['after'])}`];
  },
  webhooks: () => ['/webhooks'],
  operations: () => [
    '/operations',
    ...['settings', 'keys', 'doctor', 'webhooks?limit=20', 'audit?limit=20'].map(
      (part) => `/operations/${part}`,
    ),
  ],
  accounts: ({ query }) => {
    const wanted = new URLSearchParams({ figures: 'true', limit: '50' });
    return [`/accounts?${copied(wanted, query, ['search', 'after'])}`, '/accounts/removals'];
  },
};

export function firstRequests(app: FastifyInstance, { firstData }: ConsoleServices): void {
  for (const [page, paths] of Object.entries(pathsOf))
    firstData.set(page as PageName, ({ request, reply, params, view }): FirstAnswers => {
      const { searchParams: query } = new URL(request.url, 'http://page');
      const ask = (path: string) => () => within(timeMs, answerTo(app, request, reply, path));
      return Object.fromEntries(paths({ params, view, query }).map((path) => [path, ask(path)]));
    });
}

async function answerTo(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
): Promise<unknown> {
  const { cookie, host, 'x-forwarded-for': forwardedFor } = request.headers;
  const answer = await app.inject({
    method: 'GET',
    url: `/console/api${path}`,
    remoteAddress: request.raw.socket.remoteAddress ?? '',
    headers: {
      accept: 'application/json',
      ...(cookie !== undefined && { cookie }),
      ...(host !== undefined && { host }),
      ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
    },
  });
  // Whoever has gained roles meanwhile gets a session under a new secret, and the page must bring it.
  const renewed = answer.headers['set-cookie'];
  if (renewed !== undefined) reply.header('set-cookie', renewed);
  const isUsed = answer.statusCode === 200 && answer.rawPayload.length <= bytesMax;
  return isUsed ? (JSON.parse(answer.payload) as unknown) : undefined;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}

function sourceOf({ params: { kind = '', key = '' } }: Asked): string {
  return `/${kind}/${key}`;
}

function copied(to: URLSearchParams, from: URLSearchParams, names: readonly string[]): URLSearchParams {
  for (const name of names) {
    const value = from.get(name);
    if (value !== null && value !== '') to.set(name, value);
  }
  return to;
}
