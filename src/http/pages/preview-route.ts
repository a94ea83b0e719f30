// The page in which the editor of the console shows a draft. It is the same for everybody and holds nothing: the editor tells it
// the draft. It is in a sandbox by its own policy, wherever it is opened, so that whatever stands in a draft runs nowhere, reads no
// cookie and reaches nobody (D-571).

import type { FastifyInstance } from 'fastify';
import { surveyPageOperations } from '../../contract/pages/survey-pages.ts';
import { Problem } from '../../domain/problem.ts';
import { addOperation } from '../server/route.ts';
import { assetPath, type PageFiles } from './page-files.ts';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  // A form may be sent as far as its script hears of it; `form-action` lets nothing out.
  'sandbox allow-scripts allow-forms',
  "require-trusted-types-for 'script'",
  'trusted-types soundings-code soundings-preview',
].join('; ');

export function previewRoute(app: FastifyInstance, { pageFiles }: { readonly pageFiles: PageFiles }): void {
  addOperation(app, surveyPageOperations, 'GET /console/preview', async (_input, _request, reply) => {
    const manifest = await pageFiles.manifest();
    if (manifest === null) throw new Problem('ROUTE_NOT_FOUND', 'The pages of surveys are not built.');
    const { style, preview } = manifest.entries;
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'content-security-policy': policy,
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      })
      .send(pageOf(assetPath(style), assetPath(preview)));
  });
}

function pageOf(style: string, script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Preview</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
</head>
<body></body>
</html>
`;
}
