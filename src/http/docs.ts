// Pages for people: what this is, and the reference of the interface. Nothing on them comes from elsewhere.

import { readFile } from 'node:fs/promises';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { PublicUrl } from './public-url.ts';
import { addRoute } from './route.ts';

const documentFile = new URL('../../openapi.json', import.meta.url);
const pagePolicy =
  "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const html = 'text/html; charset=utf-8';

export function documentRoutes(app: FastifyInstance, publicUrl: PublicUrl): void {
  const page = { area: 'service', access: 'anyone', method: 'GET', unknownQuery: 'ignored' } as const;

  addRoute(app, {
    ...page,
    path: '/',
    produces: ['text/html'],
    handle: (_input, _request, reply) =>
      reply.type(html).header('content-security-policy', pagePolicy).send(rootPage(publicUrl.base)),
  });

  addRoute(app, {
    ...page,
    path: '/openapi.json',
    handle: async (_input, _request, reply) =>
      reply.type('application/json; charset=utf-8').send(await readFile(documentFile, 'utf8')),
  });

  // The reference is some megabytes of script: it is loaded when someone first looks.
  let reference: Promise<FastifyInstance> | null = null;
  async function show(path: string, reply: FastifyReply): Promise<FastifyReply> {
    reference ??= buildReference();
    const answer = await (await reference).inject({ method: 'GET', url: path });
    const type = String(answer.headers['content-type'] ?? 'text/plain');
    return reply
      .code(answer.statusCode)
      .type(type)
      .header('content-security-policy', pagePolicy)
      .send(answer.rawPayload);
  }
  const produces = ['text/html', 'application/javascript', 'application/json'];
  addRoute(app, {
    ...page,
    path: '/docs',
    produces,
    handle: (_input, _request, reply) => show('/docs/', reply),
  });
  addRoute(app, {
    ...page,
    path: '/docs/*',
    produces,
    handle: (_input, request, reply) => show(request.url, reply),
  });
}

async function buildReference(): Promise<FastifyInstance> {
  const [{ default: scalar }, text] = await Promise.all([
    import('@scalar/fastify-api-reference'),
    readFile(documentFile, 'utf8'),
  ]);
  const inner = Fastify({ logger: false });
  await inner.register(scalar, {
    routePrefix: '/docs',
    configuration: {
      content: text,
      title: 'Soundings API',
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });
  await inner.ready();
  return inner;
}

function rootPage(base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Soundings</title>
<style>
:root { color-scheme: light dark; }
body { font: 1rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 4rem auto; padding: 0 1.25rem; }
h1 { font-size: 2rem; line-height: 1.2; margin-bottom: .25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .9rem; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid #8886; border-radius: .5rem; }
a { color: LinkText; }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; }
</style>
</head>
<body>
<main>
<h1>Soundings</h1>
<p>This service collects customer feedback, measures it, and provisions the users who work with it.</p>
<h2>Where to go</h2>
<dl>
<dt><a href="/docs">API reference</a></dt><dd>Every endpoint, to read and to try.</dd>
<dt><a href="/openapi.json">openapi.json</a></dt><dd>The same as an OpenAPI 3.1 document.</dd>
<dt><a href="/.well-known/oauth-authorization-server">OAuth metadata</a></dt><dd>For OAuth libraries.</dd>
<dt><a href="/readyz">Readiness</a></dt><dd>Whether this replica takes requests.</dd>
</dl>
<h2>First call</h2>
<pre><code>curl -X POST -u CLIENT_ID:CLIENT_SECRET \\
  -H 'Content-Type: application/x-www-form-urlencoded' \\
  '${base}/v1/token?grant_type=client_credentials&amp;scope=r_cx_basic'</code></pre>
</main>
</body>
</html>
`;
}
