// Pages of another site that show a survey of ours: a plain one, one with a strict policy, one whose styles are hostile.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const hostKinds = ['plain', 'strict', 'hostile'] as const;
export type HostKind = (typeof hostKinds)[number];

const hostileStyle = `
  * { all: unset !important; }
  html { font-size: 5px !important; direction: rtl !important; }
  div, dialog, button, iframe, form { display: none !important; z-index: -1 !important; transform: rotate(9deg) !important; }
  #wall { display: block !important; position: fixed !important; inset: 0 !important; z-index: 2147483647 !important; background: #c00 !important; pointer-events: none !important; }
  main, #before { display: block !important; }
  body { display: block !important; transform: scale(0.5) !important; opacity: 0.2 !important; overflow: hidden !important; }
`;

export interface HostPages {
  readonly origin: string;
  /** An address of the page: its scripts are those that the query lists as attributes, `data-survey="…"`. */
  address(kind: HostKind, scripts: readonly string[], path?: string): string;
  close(): void;
}

/** `base` is where the survey is; it is asked for at each page. `markup` is what stands in the page of a path besides. */
export async function startHostPages(
  base: () => string,
  markup: ReadonlyMap<string, string> = new Map(),
): Promise<HostPages> {
  const server = createServer((request, answer) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://host.example');
    const [, kind = ''] = pathname.split('/');
    if (pathname === '/embed.js') {
      // A site may have it under its own address.
      void fetch(base() + pathname)
        .then((script) => script.text())
        .then((text) => answer.setHeader('content-type', 'text/javascript').end(text));
      return;
    }
    answer.setHeader('content-type', 'text/html; charset=utf-8');
    if (kind === 'strict')
      answer.setHeader('content-security-policy', [
        [
          "default-src 'none'",
          `script-src ${base()}`,
          `frame-src ${base()}`,
          "style-src 'self'",
          "img-src 'self'",
        ].join('; '),
        "require-trusted-types-for 'script'; trusted-types 'none'",
      ]);
    const scripts = searchParams
      .getAll('script')
      .map((attributes) => `<script src="${base()}/embed.js" ${attributes} async></script>`);
    answer.end(`<!doctype html>
<html lang="en"><head><title>A shop</title><link rel="icon" href="/icon">
${kind === 'hostile' ? `<style>${hostileStyle}</style>` : ''}
</head><body><main><h1>A shop</h1><button id="before">Buy</button><div id="place"></div></main><div id="wall"></div>
${markup.get(pathname) ?? ''}
${scripts.join('\n')}</body></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    address(kind, scripts, path = '') {
      const query = new URLSearchParams(scripts.map((attributes) => ['script', attributes]));
      return `${origin}/${kind}${path}?${query}`;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
