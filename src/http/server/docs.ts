// Pages for people: what this is, and the reference of the interface. Nothing on them comes from elsewhere.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { referenceOperations } from '../../contract/pages/reference.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { demoSurveyId } from '../../domain/pages/demo-survey.ts';
import { Problem } from '../../domain/problem.ts';
import { readInstalled } from '../../installation.ts';
import type { Sources } from '../../store/feedback/sources.ts';
import { BuiltFiles } from './built-files.ts';
import { plainPage } from './plain-page.ts';
import { addOperation } from './route.ts';
import { SharedFile } from './shared-file.ts';

const common = "img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
const pagePolicy = `default-src 'none'; style-src 'unsafe-inline'; ${common}; require-trusted-types-for 'script'; trusted-types 'none'`;
// Scalar writes its styles into the page; its scripts and everything it fetches come from here alone. It has no
// Trusted Types: the editor that it shows answers in writes texts into the page, and fails with them (D-824).
const referencePolicy = `default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; ${common}`;
const html = 'text/html; charset=utf-8';

interface DocumentServices {
  readonly context: Pick<Context, 'elapsedMs'>;
  readonly publicUrl: PublicUrl;
  readonly sources: Sources;
}

export function documentRoutes(
  app: FastifyInstance,
  { context, publicUrl, sources }: DocumentServices,
): void {
  const demo = new DemoSurvey(sources, context.elapsedMs);
  const consoleFiles = new BuiltFiles<{ readonly docsToken: string }>('console');
  const referenceFiles = new BuiltFiles<{ readonly script: string }>('reference');

  addOperation(app, referenceOperations, 'GET /', async (_input, request, reply) => {
    // Browsers say that they want a page for somebody to look at; tools that fetch the address get words about it.
    if (isNavigation(request)) return reply.redirect('/console', 302);
    const page = rootPage(publicUrl.base, await demo.isThere());
    return reply.type(html).header('content-security-policy', pagePolicy).send(page);
  });

  addOperation(app, referenceOperations, 'GET /openapi.json', (_input, request, reply) =>
    interfaceDocument.send(request, reply.type('application/json; charset=utf-8')),
  );

  for (const key of ['GET /docs', 'GET /docs/'] as const)
    addOperation(app, referenceOperations, key, async (_input, request, reply) => {
      if ((await referenceFiles.manifest()) === null)
        return reply
          .code(503)
          .type(html)
          .headers({ 'content-security-policy': pagePolicy, 'cache-control': 'no-store' })
          .send(notBuiltPage);
      const isKnown = request.headers.cookie !== undefined;
      const tokenScript = isKnown ? ((await consoleFiles.manifest())?.docsToken ?? null) : null;
      return reply
        .type(html)
        .headers({ 'content-security-policy': referencePolicy, 'cache-control': 'no-store' })
        .send(referencePage(tokenScript));
    });

  addOperation(app, referenceOperations, 'GET /docs/start.js', (_input, _request, reply) =>
    reply.type('text/javascript').send(referenceStart),
  );

  addOperation(app, referenceOperations, 'GET /docs/scalar.js', async (_input, request, reply) => {
    const manifest = await referenceFiles.manifest();
    if (manifest === null)
      throw new Problem('ROUTE_NOT_FOUND', 'The reference is not built here: run "npm run build".');
    // Its address stays the same, so a browser asks each time whether it has the right one.
    return referenceFiles.send(manifest.script, request, reply, 'no-cache');
  });
}

/** Whether the survey of the demo can be answered here. Asked now and then, however often the page is. */
class DemoSurvey {
  readonly #sources: Sources;
  readonly #elapsedMs: () => number;
  #answer: Promise<boolean> = Promise.resolve(false);
  #askedAtMs = Number.NEGATIVE_INFINITY;

  constructor(sources: Sources, elapsedMs: () => number) {
    this.#sources = sources;
    this.#elapsedMs = elapsedMs;
  }

  isThere(): Promise<boolean> {
    const now = this.#elapsedMs();
    if (now - this.#askedAtMs < demoAgeMaxMs) return this.#answer;
    this.#askedAtMs = now;
    // The page tells where to go without the store too.
    this.#answer = this.#sources.freshOfPage(demoSurveyId).then(
      (found) => found?.survey.definition.public === true,
      () => false,
    );
    return this.#answer;
  }
}

const demoAgeMaxMs = 5_000;

const interfaceDocument = new SharedFile(() => readInstalled('openapi.json'));

function isNavigation({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
}

const notBuiltPage = plainPage(
  'The reference is not built yet',
  'This installation was made without what builds the pages for people. The service itself works.',
  'What it would show is in <a href="/openapi.json">openapi.json</a>, for any reader of OpenAPI documents.',
  'To build it, run <code>npm ci &amp;&amp; npm run build</code> where Soundings is installed, then load this page again. Afterwards <code>npm prune --omit=dev</code> takes the tools away; the pages stay.',
  'Or copy the folder <code>dist/reference</code> from an installation of the same version.',
);

/** With the button for a token of one's own, for whoever may be signed in; its script asks. */
const referencePage = (tokenScript: string | null): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Soundings API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="app"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>
${tokenScript === null ? '' : `<script src="/console/assets/${tokenScript}"></script>\n`}</body>
</html>
`;

const referenceStart = `globalThis.soundingsReference = Scalar.createApiReference('#app', ${JSON.stringify({
  url: '/openapi.json',
  authentication: { preferredSecurityScheme: 'oauth2' },
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})});
`;

function rootPage(base: string, isDemo: boolean): string {
  const survey = isDemo
    ? `<dt><a href="/s/${demoSurveyId}">A survey</a></dt><dd>Of the demo account: answer it, as a customer would.</dd>\n`
    : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Soundings</title>
<link rel="icon" href="data:,">
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
<dt><a href="/console">Console</a></dt><dd>For people: sign in, and look after your account.</dd>
${survey}<dt><a href="/help">Help</a></dt><dd>How everything works, to read and to search.</dd>
<dt><a href="/docs">API reference</a></dt><dd>Every endpoint, to read and to try.</dd>
<dt><a href="/openapi.json">openapi.json</a></dt><dd>The same as an OpenAPI 3.1 document.</dd>
<dt><a href="/.well-known/oauth-authorization-server">OAuth metadata</a></dt><dd>For OAuth libraries.</dd>
<dt><a href="/readyz">Readiness</a></dt><dd>Whether this replica takes requests.</dd>
</dl>
<h2>First call</h2>
<pre tabindex="0"><code>curl -X POST -u CLIENT_ID:CLIENT_SECRET \\
  -H 'Content-Type: application/x-www-form-urlencoded' \\
  '${base}/v1/token?grant_type=client_credentials&amp;scope=r_cx_basic'</code></pre>
</main>
</body>
</html>
`;
}
