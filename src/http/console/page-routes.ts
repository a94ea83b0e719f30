// The pages of the console: /console, /console/me, /console/sign-in, and the files that they are made of.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { assetTypes, BuiltFiles } from '../server/built-files.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import type { ConsoleManifest } from './console-files.ts';
import { type ConsoleView, consolePage, consolePolicy, plainPage } from './console-html.ts';
import type { ConsoleServices } from './console-services.ts';
import { cookieOf } from './session-cookie.ts';

const html = 'text/html; charset=utf-8';

export function pageRoutes(app: FastifyInstance, { address }: ConsoleServices): void {
  const files = new BuiltFiles<ConsoleManifest>('console');
  const page = { area: 'service', access: 'anyone', method: 'GET', unknownQuery: 'ignored' } as const;

  for (const path of ['/console', '/console/me'])
    addRoute(app, {
      ...page,
      path,
      produces: ['text/html'],
      handle: (_input, request, reply) => {
        // Whether the session is live is asked by the page. Browsers carry the fragment along, and with it the code of a
        // one-time link.
        const hasCookie = cookieOf(request.headers.cookie, address.cookieName) !== null;
        return send(request, reply, () => (hasCookie ? 'me' : { to: signInFor(path) }));
      },
    });

  addRoute(app, {
    ...page,
    path: '/console/sign-in',
    produces: ['text/html'],
    handle: (_input, request, reply) => send(request, reply, () => 'signIn'),
  });

  addRoute(app, {
    ...page,
    path: '/console/assets/:file',
    params: Type.Object({ file: Type.String({ maxLength: 100 }) }),
    produces: Object.values(assetTypes),
    handle: ({ params: { file } }, request, reply) => files.send(file, request, reply),
  });

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    choose: () => ConsoleView | { readonly to: string },
  ): Promise<FastifyReply> {
    reply.headers({ 'content-security-policy': consolePolicy, 'cache-control': 'no-store' });
    const localhost = underLocalhost(request);
    if (localhost !== null) return reply.redirect(localhost, 302);
    if (!address.isServed) return reply.code(403).type(html).send(needsHttpsPage);
    const manifest = await files.manifest();
    if (manifest === null) return reply.code(503).type(html).send(notBuiltPage);
    const chosen = choose();
    if (typeof chosen === 'object') return reply.redirect(chosen.to, 302);
    return reply.type(html).send(consolePage(manifest, chosen));
  }

  /** Passkeys work on localhost and not on 127.0.0.1. The Host header only tells that this is the case (D-383). */
  function underLocalhost(request: FastifyRequest): string | null {
    if (!address.isLoopback) return null;
    const { port } = new URL(address.base);
    const host = request.headers.host ?? '';
    const isNumber = [`127.0.0.1:${port}`, `[::1]:${port}`].includes(port === '' ? `${host}:` : host);
    return isNumber ? address.to(request.url) : null;
  }
}

function signInFor(path: string): string {
  return path === '/console' ? '/console/sign-in' : `/console/sign-in?return=${encodeURIComponent(path)}`;
}

const needsHttpsPage = plainPage(
  'The console needs https',
  'Over plain http, whoever listens beyond this machine would learn every password and session. The service itself works.',
  'Put it behind https and set <code>SOUNDINGS_PUBLIC_URL</code>, or set <code>SOUNDINGS_CONSOLE_PLAIN_HTTP=on</code> where the network is trusted.',
);

const notBuiltPage = plainPage(
  'The console is not built yet',
  'This installation was made without what builds the pages of the console. The service itself works.',
  'To build them, run <code>npm ci &amp;&amp; npm run build</code> where Soundings is installed, then load this page again. Afterwards <code>npm prune --omit=dev</code> takes the tools away; the pages stay.',
  'Or copy the folder <code>dist/console</code> from an installation of the same version.',
);
