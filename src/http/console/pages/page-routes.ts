// The pages of the console, /console/sign-in among them, and the files that they are made of.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import type { OperationKey } from '../../../contract/operation.ts';
import { consolePageOperations, signedInPageOperations } from '../../../contract/pages/console-pages.ts';
import { findPage, maySee } from '../../../domain/console/page-paths.ts';
import { scriptJson } from '../../../domain/pages/html.ts';
import { BuiltFiles } from '../../server/built-files.ts';
import { plainPage } from '../../server/plain-page.ts';
import { logFailure } from '../../server/request-log.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import { cookieOf } from '../sign-in/session-cookie.ts';
import { shownSession } from '../sign-in/session-routes.ts';
import { type ConsoleLanguage, type ConsoleManifest, consoleLanguages } from './console-files.ts';
import { type ConsolePage, consolePage, consolePolicy } from './console-html.ts';
import { FirstScreen } from './first-screen.ts';
import { liveTag } from './live-tag.ts';
import { PagePreloader } from './page-preload.ts';

const html = 'text/html; charset=utf-8';

/** For whoever is not signed in. */
type UnsignedView = 'signIn' | 'setup' | 'shared';

export function pageRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, visitors } = services;
  const preloader = new PagePreloader(app, services);
  const files = new BuiltFiles<ConsoleManifest>('console');
  const firstScreen = new FirstScreen(files);

  for (const key of Object.keys(signedInPageOperations.all) as OperationKey[])
    addOperation(app, signedInPageOperations, key, (_input, request, reply) =>
      send(request, reply, (manifest) => pageOf(request, reply, manifest)),
    );

  const sendView = (
    view: UnsignedView,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> =>
    send(request, reply, async () => ({ view, language: languageOf(request), told: null }));

  addOperation(app, consolePageOperations, 'GET /console/sign-in', (_input, request, reply) =>
    sendView('signIn', request, reply),
  );

  addOperation(app, consolePageOperations, 'GET /setup', (_input, request, reply) =>
    sendView('setup', request, reply),
  );

  // No search engine shall know of it.
  addOperation(app, consolePageOperations, 'GET /shared', (_input, request, reply) =>
    sendView('shared', request, reply.header('x-robots-tag', 'noindex, nofollow')),
  );

  addOperation(
    app,
    consolePageOperations,
    'GET /console/assets/:file',
    ({ params: { file } }, request, reply) => files.send(file, request, reply),
  );

  /**
   * The page with whoever is signed in and its first figures. Without a session it leads to the sign-in: browsers carry the
   * fragment along, and with it the code of a one-time link.
   */
  async function pageOf(
    request: FastifyRequest,
    reply: FastifyReply,
    manifest: ConsoleManifest,
  ): Promise<ConsolePage | { readonly to: string }> {
    const { pathname, searchParams, search } = new URL(request.url, address.base);
    const found = findPage(pathname);
    const signedIn = found === null ? null : await visitors.find(request);
    if (found === null || signedIn === null) return { to: signInFor(pathname + search) };
    const { visitor } = signedIn;
    if (visitor.isPasskeyDue && found.name !== 'me') return { to: '/console/me' };
    const { abilities, account } = visitor;
    // Before the answers: what moves while they are made is asked for again.
    const tag = await liveTag(context, visitor);
    const isSeen = maySee(found.name, { abilities, hasAccount: account !== null });
    const nowMs = context.now();
    const opening = { request, reply, visitor, page: found, query: searchParams };
    const answers = isSeen ? await preloader.answers(opening) : {};
    const language = languageOf(request);
    const told = scriptJson({ session: shownSession(visitor), tag, answers });
    const look = { page: found.name, language, address: address.to(request.url), told, nowMs };
    // The script draws it then, as it draws most pages.
    const undrawn = (error: unknown): string => {
      logFailure(context.log, request, error, 'The first look at a page could not be drawn.');
      return '';
    };
    const drawn = isSeen ? await firstScreen.draw(manifest, look).catch(undrawn) : '';
    return { view: found.name, language, told, firstScreen: drawn };
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    choose: (manifest: ConsoleManifest) => Promise<ConsolePage | { readonly to: string }>,
  ): Promise<FastifyReply> {
    reply.headers({ 'content-security-policy': consolePolicy, 'cache-control': 'no-store' });
    const localhost = underLocalhost(request);
    if (localhost !== null) return reply.redirect(localhost, 302);
    if (!address.isServed) return reply.code(403).type(html).send(needsHttpsPage);
    const manifest = await files.manifest();
    if (manifest === null) return reply.code(503).type(html).send(notBuiltPage);
    const chosen = await choose(manifest);
    if ('to' in chosen) return reply.redirect(chosen.to, 302);
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

/** The one that was chosen on a page before, else the first of the browser's that there is. It only says which files to send ahead. */
function languageOf({ headers }: FastifyRequest): ConsoleLanguage {
  const chosen = cookieOf(headers.cookie, 'soundings-language');
  const known = consoleLanguages.find((language) => language === chosen);
  const wanted = new Negotiator({ headers }).languages().map((tag) => tag.slice(0, 2).toLowerCase());
  const offered: readonly string[] = consoleLanguages;
  return known ?? (wanted.find((tag) => offered.includes(tag)) as ConsoleLanguage | undefined) ?? 'en';
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
