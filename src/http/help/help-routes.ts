// /help: the pages of docs/ as scripts/build-help.ts made them, for whoever comes. They are the same for everybody, so that nothing is
// made here but a choice among files (D-670).

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { helpOperations } from '../../contract/pages/help.ts';
import { Problem } from '../../domain/problem.ts';
import { BuiltFiles } from '../server/built-files.ts';
import { plainPage } from '../server/plain-page.ts';
import { addOperation } from '../server/route.ts';

interface HelpManifest {
  /** The file of each page, by the rest of its address. */
  readonly pages: Readonly<Record<string, string>>;
  readonly notFound: string;
  /** The part of a page that speaks of a page of the console, by its name. */
  readonly places: Readonly<Record<string, string>>;
}

const html = 'text/html; charset=utf-8';
// Scripts, styles and pictures come from here alone, and no text becomes a script.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

export function helpRoutes(app: FastifyInstance): void {
  const files = new BuiltFiles<HelpManifest>('help');

  addOperation(app, helpOperations, 'GET /help', (_input, request, reply) => sendPage('', request, reply));

  addOperation(app, helpOperations, 'GET /help/*', ({ params: { '*': name } }, request, reply) =>
    sendPage(name, request, reply),
  );

  addOperation(app, helpOperations, 'GET /help/assets/:file', ({ params: { file } }, request, reply) => {
    // Pages are found at their addresses alone, with their headers.
    if (file.endsWith('.html')) throw new Problem('ROUTE_NOT_FOUND', 'There is no such file.');
    return files.send(file, request, reply);
  });

  async function sendPage(name: string, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    // Every installation has the same pages, and search engines need none of them (D-671).
    reply.headers({ 'content-security-policy': policy, 'x-robots-tag': 'noindex' });
    const manifest = await files.manifest();
    if (manifest === null)
      return reply.code(503).type(html).header('cache-control', 'no-store').send(notBuiltPage);
    // By the name of a page of the console, which need not know where it is spoken of (D-672).
    const consolePage = name.startsWith('at/') ? name.slice('at/'.length) : '';
    if (Object.hasOwn(manifest.places, consolePage))
      return reply.header('cache-control', 'no-store').redirect(`/help/${manifest.places[consolePage]}`, 302);
    const isPage = (wanted: string): boolean => Object.hasOwn(manifest.pages, wanted);
    if (isPage(name)) return files.send(manifest.pages[name]!, request, reply, 'no-cache');
    // People put a slash behind an address.
    const bare = name.replace(/\/$/, '');
    if (isPage(bare)) return reply.redirect(`/help/${bare}`, 308);
    return files.sendWhole(manifest.notFound, request, reply.code(404).header('cache-control', 'no-store'));
  }
}

const notBuiltPage = plainPage(
  'The help is not built yet',
  'This installation was made without what builds the pages of the help. The service itself works.',
  'To build them, run <code>npm ci &amp;&amp; npm run build</code> where Soundings is installed, then load this page again. Afterwards <code>npm prune --omit=dev</code> takes the tools away; the pages stay.',
  'Or read them where they are written: in the folder <code>docs</code> of Soundings.',
);
