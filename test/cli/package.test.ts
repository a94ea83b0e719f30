// The package that npm makes of this tree, installed in an empty folder and used as a stranger would.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { withoutHome } from '../support/installed-walk.ts';
import { type KeptView, keptFiles, viewOf } from '../support/kept-store.ts';
import {
  copyTree,
  installPackage,
  type Packed,
  packPackage,
  strangersPath,
} from '../support/packed-package.ts';
import { type Program, soundings, startProcess, tokenFor, until } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-file.ts';

const version = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
/** What a start may load of libraries; the others wait until they are used. */
const needed =
  /^(@fastify\/|fastify|commander|jose|lru-cache|negotiator|pino|sonic-boom|sql-template-tag|typebox)/;

describe('the package', () => {
  let packed: Packed;
  let installed: string;
  let program: Program;
  let env: Readonly<Record<string, string>>;

  before(async () => {
    packed = await packPackage();
    const folder = temporaryFolder('installed');
    installed = await installPackage(packed.tarball, join(folder, 'program'));
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    // The Node of the machine starts it, which may be as old as 20, and not the one that runs the tests.
    program = { command: [join(folder, 'program', 'node_modules', '.bin', 'soundings')], folder: empty };
    env = { ...withoutHome, PATH: strangersPath() };
  });

  it('holds the program, its threads and what they read, and nothing that only we need [D-651]', () => {
    const { files } = packed;
    const threads = [
      'backup-thread',
      'doctor-thread',
      'scan-worker',
      'size-thread',
      'sqlite-writer',
      'table-worker',
    ];
    for (const path of [
      'bin/soundings.js',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'openapi.json',
      'examples/demo.yaml',
      ...['main', ...threads].map((name) => `dist/program/${name}.mjs`),
      ...['console', 'help', 'pages', 'reference'].map((name) => `dist/${name}/manifest.json`),
    ])
      assert.ok(files.includes(path), path);
    const others = /^(src|test|bench|scripts|docs|console|pages|node_modules)\/|packing|(?<!\.d)\.ts$|\.map$/;
    assert.deepEqual(
      files.filter((path) => others.test(path)),
      [],
    );
  });

  it('needs nothing but the Node of the system, and runs nothing when it is installed [D-651]', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    for (const name of ['dependencies', 'devDependencies', 'peerDependencies', 'scripts', 'private'])
      assert.equal(manifest[name], undefined, name);
    assert.equal(manifest.version, version);
    for (const [name, wanted] of Object.entries(manifest.optionalDependencies)) {
      assert.match(name, /^node-/);
      assert.match(String(wanted), /^26\./);
    }
    // Every other module that its files name is part of Node.
    const outside = globSync('dist/program/*.mjs', { cwd: installed }).flatMap((file) =>
      [...readFileSync(join(installed, file), 'utf8').matchAll(/^(?:import|export)\b.*? from "([^"]+)";$/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !name.startsWith('./') && !name.startsWith('node:'))
        .filter((name) => !['fs', 'http', 'https', 'path', 'stream', 'util', 'zlib'].includes(name)),
    );
    assert.deepEqual(outside, []);
  });

  it('leaves the tree as it was, also where npm was killed half-way [D-652]', async () => {
    const own = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    const manifestIn = (tree: string): string => readFileSync(join(tree, 'package.json'), 'utf8');
    assert.equal(manifestIn(packed.tree), own);
    assert.equal(existsSync(join(packed.tree, 'dist', 'packing.json')), false);

    const tree = copyTree();
    // It stands for npm, waits for the script, and is killed before it packs.
    const script = `require('node:child_process').spawn(process.execPath, ['scripts/package.ts'], { stdio: 'ignore' });`;
    const npm = spawn(process.execPath, ['-e', script], { cwd: tree, stdio: 'ignore' });
    await until(
      async () => manifestIn(tree) !== own,
      (isReplaced) => isReplaced,
      60_000,
    );
    npm.kill('SIGKILL');
    await until(
      async () => manifestIn(tree) === own && !existsSync(join(tree, 'dist', 'packing.json')),
      (isBack) => isBack,
    );
  });

  it('loads libraries that a start does not need when they are used, not before, and what it needs is in few files [D-651] [D-785]', () => {
    const folder = join(installed, 'dist', 'program');
    const seen = new Set<string>();
    const follow = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, next] of textOf(file).matchAll(/^(?:import|export)\b[^;]*?"\.\/([^"]+)";$/gm))
        follow(next!);
    };
    const textOf = (file: string): string => readFileSync(join(folder, file), 'utf8');
    for (const file of [
      'main.mjs',
      ...globSync(['program-*.mjs', 'serve-*.mjs', 'sqlite-*.mjs'], { cwd: folder }),
    ])
      follow(file);
    const libraries = new Set(
      [...seen].flatMap((file) =>
        [...textOf(file).matchAll(/^\/\/ \S*?node_modules\/((?:@[\w.-]+\/)?[\w.-]+)\//gm)].map(
          ([, name]) => name!,
        ),
      ),
    );
    assert.ok(libraries.has('fastify'), [...libraries].join());
    for (const late of [
      'pg',
      'hyparquet-writer',
      'openid-client',
      '@simplewebauthn/server',
      'yaml',
      'prom-client',
      'csv-parse',
    ])
      assert.equal(libraries.has(late), false, late);
    assert.ok([...libraries].some((name) => needed.test(name)));
    assert.ok(seen.size < 30, `${seen.size} files`);
    // The verbs alone, as --help tells them, are in files that nothing of the store or the service is in (D-1020).
    seen.clear();
    for (const file of ['main.mjs', ...globSync('program-*.mjs', { cwd: folder })]) follow(file);
    const acting = [...seen].filter((file) => /^\/\/ src\/(acts|store|http)\//m.test(textOf(file)));
    assert.deepEqual(acting, []);
  });

  it('is started by the Node of the machine, which may be as old as 20, without a home [D-651]', async (test) => {
    const host = execFileSync('node', ['--version'], { encoding: 'utf8', env: { ...process.env, ...env } });
    test.diagnostic(`the Node of the machine is ${host.trim()}`);
    const { code, stdout } = await soundings(['--version'], env, '', program);
    assert.deepEqual([code, stdout.trim()], [0, version]);
  });

  it('takes over the store of the release before, with everything that it shows [D-651]', async () => {
    const { sqlite, expected } = keptFiles(25);
    const path = join(temporaryFolder('upgrade'), 'soundings.db');
    writeFileSync(path, gunzipSync(readFileSync(sqlite)));
    const { clients, seen } = JSON.parse(readFileSync(expected, 'utf8')) as Pick<KeptView, 'seen'> & {
      clients: Record<string, KeptView['client']>;
    };
    const upgraded = { ...env, DATABASE_URL: `sqlite:${path}`, SOUNDINGS_THROTTLE: 'off' };
    const service = await startProcess(upgraded, [], program);
    const token = await tokenFor(service.baseUrl, clients.sqlite!);
    assert.deepEqual(await viewOf(service, token), seen);
    assert.equal(await service.stop(), 0);
  });

  it('a clone with what "npm ci --omit=dev" brings serves, and says which pages are not built [D-722]', async () => {
    const { tree } = packed;
    rmSync(join(tree, 'dist'), { recursive: true });
    const lock = JSON.parse(readFileSync(join(tree, 'package-lock.json'), 'utf8')) as {
      packages: Readonly<Record<string, { readonly dev?: boolean }>>;
    };
    // Each is a link to ours, of a package or of a whole scope: the link goes where nothing of it stays.
    const used = new Set(
      Object.entries(lock.packages)
        .filter(([, { dev }]) => dev !== true)
        .map(([place]) => place.split('/')[1]),
    );
    const links = readdirSync(join(tree, 'node_modules')).filter((name) => !name.startsWith('.'));
    const leftOut = links.filter((name) => !used.has(name));
    assert.ok(leftOut.includes('rolldown') && !leftOut.includes('fastify'));
    for (const name of leftOut) unlinkSync(join(tree, 'node_modules', name));
    const clone: Program = { command: [join(tree, 'bin', 'soundings.js')], folder: program.folder };
    const store = { DATABASE_URL: `sqlite:${join(temporaryFolder('clone'), 'soundings.db')}` };
    const service = await startProcess({ ...env, ...store }, ['--demo'], clone);
    try {
      // It is said behind the announcement.
      const said = await until(
        async () => /^Warning: Not built here: .*$/m.exec(service.output())?.[0],
        (line) => line !== undefined,
      );
      assert.match(
        said!,
        /the console, the help, the reference of endpoints, style and scripts of surveys\./,
      );
      for (const [path, status] of [
        ['/console/sign-in', 503],
        ['/help', 503],
        ['/docs', 503],
        ['/openapi.json', 200],
        ['/s/acme-badge-1', 200],
      ] as const) {
        const answer = await fetch(service.baseUrl.replace('127.0.0.1', 'localhost') + path);
        const text = await answer.text();
        assert.equal(answer.status, status, path);
        if (status === 503) assert.match(text, /npm run build/, path);
      }
    } finally {
      assert.equal(await service.stop(), 0);
    }
  });
});
