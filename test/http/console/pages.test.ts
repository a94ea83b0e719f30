// The pages of the console as files over HTTP: headers, caches, sizes, and where they lead.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { builtFiles, builtManifest } from '../../support/browser-build.ts';
import { writeCatalogue } from '../../support/catalogue.ts';
import { operatorAside } from '../../support/console.ts';
import { sqlite, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { endingWithUs, environment, type Service, setUp } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';
import { pageSurvey, surveyPageCatalogue } from '../../support/survey-page-catalogue.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Scripts of a page with its texts. */
const budgets = [
  ['/console/sign-in', 12_000],
  ['/console/me', 30_500],
  ['/console', 27_000],
  ['/console/measures/1', 31_500],
] as const;
/** What draws the frame of every page, with its texts. */
const shellBudget = 14_000;
const styleBudget = 7_500;

interface Shell {
  readonly files: readonly string[];
  readonly texts: Readonly<Record<string, readonly string[]>>;
}

describe('the pages of the console', () => {
  let store: TestStore;
  let service: Service;
  let base: string;

  before(async () => {
    store = await sqlite.readyStore();
    service = await startService({ DATABASE_URL: store.databaseUrl });
    base = service.baseUrl.replace('127.0.0.1', 'localhost');
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(base + path, { headers, redirect: 'manual' });

  it('a page takes scripts and styles from here alone, makes no text a script and is framed by nobody [D-381]', async () => {
    const cookie = { cookie: await operatorAside(store.databaseUrl) };
    for (const path of ['/console/sign-in', '/console', '/console/me']) {
      const answer = await get(path, cookie);
      assert.equal(answer.status, 200, path);
      assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      const policy = answer.headers.get('content-security-policy') ?? '';
      for (const part of [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
      ])
        assert.ok(policy.split('; ').includes(part), part);
      assert.doesNotMatch(policy, /unsafe|https?:|\*/);
      const text = await answer.text();
      // No script and no style stands within the page, and no address of elsewhere.
      assert.doesNotMatch(
        text,
        /<style|style=|<script(?! [^>]*src=| type="application\/json")|\bon\w+=|(src|href)="(?!\/console\/assets\/)/,
      );
    }
  });

  it('without a live session a page leads to the sign-in and back', async () => {
    const dead = { cookie: `soundings=1.${'A'.repeat(43)}` };
    const led = async (path: string, headers = {}): Promise<string | null> =>
      (await get(path, headers)).headers.get('location');
    assert.deepEqual(
      [
        await led('/console'),
        await led('/console/me'),
        await led('/console/measures/SAT?period=7d', dead),
        await led('/console', { cookie: 'soundings=1.x' }),
      ],
      [
        '/console/sign-in',
        '/console/sign-in?return=%2Fconsole%2Fme',
        '/console/sign-in?return=%2Fconsole%2Fmeasures%2FSAT%3Fperiod%3D7d',
        '/console/sign-in',
      ],
    );
  });

  it('a page says who is signed in and what tag they have; with that tag nothing has moved until something does [D-531]', async () => {
    const cookie = await operatorAside(store.databaseUrl);
    const text = await (await get('/console/me', { cookie })).text();
    const told = /<script type="application\/json" id="page-preload">(.*?)<\/script>/s.exec(text)![1]!;
    const { session, tag } = JSON.parse(told) as { session: { person: object }; tag: string };
    assert.match(JSON.stringify(session.person), /^\{"kind":"operator","id":"\d+","name":"aside-\d+"\}$/);
    const live = (known: string): Promise<Response> =>
      get('/console/api/live', { cookie, 'if-none-match': known });
    const same = await live(tag);
    assert.deepEqual(
      [same.status, same.headers.get('etag'), same.headers.get('cache-control')],
      [304, tag, 'no-store'],
    );
    assert.equal((await live('"another"')).status, 200);
    assert.equal((await get('/console/api/live')).status, 401);
  });

  it('every file of a page is kept for a year under a name that changes with it, compressed, and known again', async () => {
    const html = await (await get('/console/sign-in')).text();
    const named = [...html.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map((match) => match[1]!);
    assert.ok(named.length >= 4);
    for (const { name, bytes } of builtFiles('console').values()) {
      const path = `/console/assets/${name}`;
      const answer = await get(path, { 'accept-encoding': 'br' });
      assert.equal(answer.status, 200, name);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
      assert.equal(answer.headers.get('content-encoding'), bytes.length < 1024 ? null : 'br', name);
      const expected = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' };
      const kind = name.slice(name.lastIndexOf('.') + 1) as keyof typeof expected;
      assert.equal(answer.headers.get('content-type'), `${expected[kind]}; charset=utf-8`);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), bytes);
      const tag = answer.headers.get('etag')!;
      assert.equal((await get(path, { 'if-none-match': tag })).status, 304);
    }
    const files = new Set([...builtFiles('console').values()].map(({ name }) => `/console/assets/${name}`));
    assert.deepEqual(
      named.filter((path) => !files.has(path)),
      [],
    );
  });

  it('nothing but the files of the pages is read from the disk', async () => {
    for (const name of [
      'manifest.json',
      '..%2Fmanifest.json',
      '..%2f..%2f..%2Fpackage.json',
      'main.js',
      '%2e%2e',
    ])
      assert.equal((await get(`/console/assets/${name}`)).status, 404, name);
  });

  it('scripts and style of a page are small when compressed, in any language, and name no module of Node; the frame of every page is 14 kB [D-380, D-530, D-780]', async () => {
    const files = [...builtFiles('console').values()];
    const sizeOf = new Map(files.map(({ name, bytes }) => [name, gzipSync(bytes, { level: 9 }).length]));
    const cookie = await operatorAside(store.databaseUrl);
    for (const [path, budget] of budgets)
      for (const language of ['en', 'de', 'fr']) {
        const html = await (await get(path, { cookie, 'accept-language': language })).text();
        assert.match(html, new RegExp(`<html lang="${language}">`));
        const named = [...html.matchAll(/assets\/([^"]+\.js)"/g)].map((match) => match[1]!);
        const total = named.reduce((sum, name) => sum + sizeOf.get(name)!, 0);
        assert.ok(total <= budget, `${path} in ${language}: ${total} bytes`);
      }
    const { shell } = builtManifest<{ readonly shell: Shell }>('console');
    for (const [language, texts] of Object.entries(shell.texts)) {
      const names = [...shell.files, ...texts];
      const total = [...new Set(names)].reduce((sum, name) => sum + sizeOf.get(name)!, 0);
      assert.ok(total <= shellBudget, `the frame in ${language}: ${total} bytes`);
      const html = await (await get('/console/me', { cookie, 'accept-language': language })).text();
      assert.deepEqual(
        names.filter((name) => !html.includes(`assets/${name}"`)),
        [],
      );
    }
    const style = files.find(({ name }) => name.endsWith('.css'))!;
    assert.ok(sizeOf.get(style.name)! <= styleBudget, `${style.name}: ${sizeOf.get(style.name)} bytes`);
    for (const { name, bytes } of files) assert.doesNotMatch(bytes.toString(), /["'`]node:/, name);
  });

  it('on 127.0.0.1 the console leads to localhost, where passkeys work; no other Host leads anywhere [D-383]', async () => {
    const { port } = new URL(base);
    const at = async (host: string): Promise<string | null> =>
      (await exchange(`${base}/console/sign-in?account=7`, { headers: { host } })).headers.location ?? null;
    const target = `http://localhost:${port}/console/sign-in?account=7`;
    const numeric = await fetch(`${service.baseUrl}/console/sign-in?account=7`, { redirect: 'manual' });
    assert.deepEqual([numeric.status, numeric.headers.get('location')], [302, target]);
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1:1', `localhost:${port}`])
      assert.equal(await at(host), null, host);
  });
});

describe('the console over plain http beyond this machine', () => {
  it('says how to put it behind https, and shows no page to type a password into', async () => {
    const store = await sqlite.readyStore();
    const service = await startService({
      DATABASE_URL: store.databaseUrl,
      SOUNDINGS_PUBLIC_URL: 'http://feedback.example',
    });
    for (const path of ['/console', '/console/sign-in']) {
      const answer = await fetch(service.baseUrl + path, { redirect: 'manual' });
      assert.equal(answer.status, 403);
      const text = await answer.text();
      assert.match(text, /SOUNDINGS_CONSOLE_PLAIN_HTTP/);
      assert.doesNotMatch(text, /<script/);
    }
    await service.stop();
    await store.dispose();
  });
});

describe('an installation without the pages of the console', () => {
  it('says at /console and /docs how to build them, and serves everything else, surveys too [D-382, D-440, D-680]', async () => {
    // A copy of the program without dist/, as "npm ci --omit=dev" leaves a clone.
    const folder = temporaryFolder('unbuilt');
    for (const name of ['bin', 'src', 'package.json', 'openapi.json'])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const store = await sqlite.readyStore();
    await setUp(['apply', writeCatalogue(surveyPageCatalogue)], { DATABASE_URL: store.databaseUrl });
    const child = endingWithUs(
      spawn(process.execPath, [join(folder, 'bin', 'soundings.js'), 'serve', '--port', '0', '--json'], {
        cwd: folder,
        env: environment({ DATABASE_URL: store.databaseUrl }),
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    );
    const ended = new Promise((resolve) => child.once('close', resolve));
    const lines = createInterface({ input: child.stdout });
    const line = await new Promise<string>((resolve) => lines.once('line', resolve));
    const base = (JSON.parse(line) as { baseUrl: string }).baseUrl.replace('127.0.0.1', 'localhost');
    for (const path of [
      '/console',
      '/console/sign-in',
      '/console/me',
      '/help',
      '/help/surveys',
      '/docs',
      '/docs/',
    ]) {
      const answer = await fetch(base + path);
      assert.equal(answer.status, 503);
      assert.match(await answer.text(), /npm ci &amp;&amp; npm run build/);
    }
    assert.equal((await fetch(`${base}/docs/scalar.js`)).status, 404);
    assert.equal((await fetch(`${base}/readyz`)).status, 200);
    assert.equal((await fetch(`${base}/console/api/session`)).status, 401);
    // A survey does without script and style sheet, and is sent all the same.
    const survey = await fetch(`${base}/s/${pageSurvey}`);
    const html = await survey.text();
    assert.equal(survey.status, 200);
    assert.doesNotMatch(html, /\/assets\/|<script/);
    const fields = { token: /name="token" value="([^"]+)"/.exec(html)![1]!, 'q.Q-HOW': 'HOW-GOOD' };
    const sent = await fetch(`${base}/s/${pageSurvey}`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    });
    assert.equal(sent.status, 303, await sent.text());
    assert.equal((await fetch(`${base}/assets/survey.js`)).status, 404);
    child.kill('SIGTERM');
    await ended;
    await store.dispose();
  });
});
