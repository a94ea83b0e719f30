// The help over HTTP: every page of docs/ is there, every link on it leads somewhere, and nothing on it runs.

import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { consolePlaces, helpAddress, helpGroups } from '../../../scripts/help-contents.ts';
import { renderMarkdown } from '../../../scripts/help-markdown.ts';
import { builtFiles } from '../../support/browser-build.ts';
import { sqlite, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import type { Service } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const indexBudget = 200_000;

describe('the help', () => {
  let store: TestStore;
  let service: Service;
  /** Every page that a link of the help leads to, by its address. */
  const pages = new Map<string, string>();

  before(async () => {
    store = await sqlite.newStore();
    service = await startService({ DATABASE_URL: store.databaseUrl });
    const waiting = ['/help'];
    for (const path of waiting) {
      const answer = await get(path);
      assert.equal(answer.status, 200, path);
      pages.set(path, await answer.text());
      const further = linksOf(pages.get(path)!)
        .map((link) => link.split('#')[0]!)
        .filter((link) => link.startsWith('/help') && !link.startsWith('/help/assets/'));
      waiting.push(...new Set(further.filter((link) => !waiting.includes(link))));
    }
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(service.baseUrl + path, { headers, redirect: 'manual' });

  it('every page of docs/ is found by links from the start, under its own heading [D-670]', () => {
    const files = globSync('docs/**/*.md', { cwd: root }).map((file) => file.replaceAll('\\', '/'));
    assert.ok(files.length >= 28);
    for (const file of files) {
      const html = pages.get(helpAddress(file));
      assert.ok(html !== undefined, file);
      assert.equal(html.match(/<h1[ >]/g)?.length, 1, file);
      assert.match(html, /<html lang="en">/);
      // Where it is in the navigation, and nowhere else.
      assert.equal(html.match(/aria-current="page"/g)?.length, 1, file);
    }
    const listed = helpGroups.flatMap((group) =>
      group.pages.flatMap((page) => [page, ...(page.pages ?? [])]),
    );
    assert.deepEqual(
      listed.filter(({ file }) => !existsSync(`${root}${file}`)),
      [],
    );
  });

  it('every link leads to a page and a heading that are there, and every file that a page loads is there', async () => {
    const ids = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));
    const others = new Set<string>();
    const dead: string[] = [];
    for (const [path, html] of pages) {
      assert.equal(new Set(ids.get(path)).size, ids.get(path)!.length, `${path} has an id twice`);
      for (const link of linksOf(html)) {
        const [target, anchor] = link.split('#') as [string, string?];
        const page = target === '' ? path : target;
        if (!pages.has(page)) others.add(page);
        else if (anchor !== undefined && !ids.get(page)!.includes(anchor)) dead.push(`${path}: ${link}`);
      }
      for (const [, source] of html.matchAll(/<(?:img|script)[^>]* src="([^"]+)"/g)) others.add(source!);
      for (const [, source] of html.matchAll(/<link[^>]* href="([^"]+)"/g)) others.add(source!);
    }
    assert.deepEqual(dead, []);
    for (const path of others) {
      if (path.startsWith('https://')) continue;
      const { status } = await get(path);
      // The console leads on to its own address.
      assert.ok(status === 200 || (path === '/console' && status === 302), `${path}: ${status}`);
    }
  });

  it('every place of the help that the console names is there [D-672]', async () => {
    const isThere = (place: string): boolean => {
      const [page, anchor] = place.split('#') as [string, string?];
      const html = pages.get(page);
      return html !== undefined && (anchor === undefined || idsOf(html).includes(anchor));
    };
    for (const name of Object.keys(consolePlaces)) {
      const { status, headers } = await get(`/help/at/${name}`);
      assert.equal(status, 302, name);
      assert.ok(isThere(headers.get('location')!), `${name}: ${headers.get('location')}`);
    }
    for (const name of ['nothing', 'constructor', ''])
      assert.equal((await get(`/help/at/${name}`)).status, 404);
  });

  it('a page takes scripts, styles and pictures from here alone, and is known again [D-671]', async () => {
    for (const path of ['/help', '/help/decisions', '/help/identity-providers/okta', '/help/nothing']) {
      const answer = await get(path, { 'accept-encoding': 'br' });
      const policy = answer.headers.get('content-security-policy') ?? '';
      assert.ok(policy.split('; ').includes("default-src 'none'"), policy);
      assert.doesNotMatch(policy, /unsafe|https?:|data:|\*/);
      assert.match(policy, /require-trusted-types-for 'script'/);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(answer.headers.get('content-encoding'), 'br');
      assert.equal(answer.headers.get('x-robots-tag'), 'noindex');
      assert.equal(answer.headers.get('vary'), 'Accept-Encoding');
      const text = await answer.text();
      assert.doesNotMatch(
        text,
        /<style|style="|\son\w+="|<script(?! (type="module" )?src="\/help\/assets\/)/,
      );
      if (path === '/help/nothing') continue;
      const tag = answer.headers.get('etag')!;
      assert.equal(answer.headers.get('cache-control'), 'no-cache');
      const again = await get(path, { 'if-none-match': tag });
      assert.deepEqual([again.status, await again.text()], [304, '']);
      const head = await exchange(service.baseUrl + path, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.etag, head.text], [200, tag, '']);
    }
    for (const { name, bytes } of builtFiles('help').values()) {
      const answer = await get(`/help/assets/${name}`, { 'accept-encoding': 'identity' });
      if (name.endsWith('.html')) {
        assert.equal(answer.status, 404, name);
        continue;
      }
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
    }
  });

  it('what is not there is a page that says so; nothing but the files of the help is read from the disk', async () => {
    for (const path of [
      '/help/nothing',
      '/help/a/b/c',
      '/help/..%2f..%2fpackage.json',
      '/help/%2e%2e%2fmanifest.json',
      '/help/constructor',
      '/help/__proto__',
      '/help/surveys.md',
    ]) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.match(await answer.text(), /<h1>There is no such page<\/h1>/);
    }
    for (const name of ['manifest.json', '..%2Fmanifest.json', '..%2f..%2f..%2Fpackage.json', 'index.json'])
      assert.equal((await get(`/help/assets/${name}`)).status, 404, name);
    assert.equal((await get(`/help/${'a'.repeat(201)}`)).status, 400);
    const slash = await get('/help/surveys/');
    assert.deepEqual([slash.status, slash.headers.get('location')], [308, '/help/surveys']);
    assert.equal((await get('/help/')).status, 200);
    for (const path of ['/help//evil.example/', '/help/a%0d%0ab/', '/help/%2f%2fevil.example/'])
      assert.equal((await get(path)).status, 404, path);
  });

  it('the index of the search holds every page, every heading and every setting, in one small file', async () => {
    const [, address] = /data-index="([^"]+)"/.exec(pages.get('/help')!)!;
    const text = await (await get(address!)).text();
    const index = JSON.parse(text) as { pages: [string][]; sections: [number, string, string, string][] };
    assert.ok(gzipSync(text).length < indexBudget, `${gzipSync(text).length} bytes`);
    const known = index.sections.map(([page, id]) => `${index.pages[page]![0]}#${id}`);
    const missing = [...pages].flatMap(([path, html]) =>
      path === '/help' || path.startsWith('/help/examples')
        ? []
        : idsOf(/<article>[\s\S]*<\/article>/.exec(html)![0])
            .slice(1)
            .map((id) => `${path}#${id}`)
            .filter((place) => !known.includes(place)),
    );
    assert.deepEqual(missing, []);
    assert.ok(known.includes('/help/settings#soundings_public_url'));
    assert.ok(known.includes('/help/decisions#d-670'));
  });

  it('HTML in a page is text, and no link of it runs anything [D-670]', () => {
    const hostile = [
      '# A <script>alert(1)</script> page',
      'Text <img src=x onerror=alert(1)> and <b onclick="x">bold</b>, `<i>code</i>`, &lt;u&gt; and &#60;s&#62;.',
      '<pre>\n<script>alert(2)</script>\n</pre>',
      '<div onmouseover=alert(3)>**b**</div>',
      '[one](javascript:alert(4)) [two](JAVASCRIPT:alert(4)) [three](data:text/html,x) [four](vbscript:x) [five](//evil.example/x)',
      '![picture](javascript:alert(5)) ![six](https://evil.example/x.png) [seven]("><script>)',
      '| <script> | b |\n|---|---|\n| "><svg onload=alert(6)> | x |',
      '```"><script>\n</code></pre><script>alert(7)</script>\n```',
      '<javascript:alert(8)> <https://example.com/"onclick=x>',
    ].join('\n\n');
    const warnings: string[] = [];
    const { html } = renderMarkdown(
      { file: 'docs/hostile.md', text: hostile, hasNamedRows: true },
      {
        root,
        addressOf: () => null,
        titleOf: () => null,
        imageOf: () => null,
        hasDecision: () => false,
        warn: (words) => warnings.push(words),
      },
    );
    const elements = new Set([...html.matchAll(/<\/?([a-z][\w-]*)/gi)].map((match) => match[1]!));
    const allowed =
      'h1 p code pre div a span table thead tbody tr th td strong em ul ol li br hr blockquote del'.split(
        ' ',
      );
    assert.deepEqual(
      [...elements].filter((name) => !allowed.includes(name)),
      [],
    );
    assert.doesNotMatch(html, /<[^>]*\son\w+\s*=/);
    assert.equal(warnings.length, 1);
    assert.deepEqual(
      linksOf(html).filter((link) => !link.startsWith('https://example.com/') && !link.startsWith('#')),
      [],
    );
  });
});

function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map((match) =>
    match[1]!.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
}

function idsOf(html: string): readonly string[] {
  return [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]!);
}
