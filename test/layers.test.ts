// Which folder may import which, and that what is written down is what is so. Each rule is checked on the text of the
// files, so that it holds for code that nothing runs.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from '../scripts/generated.ts';
import { readStructure } from '../scripts/structure.ts';
import { doorsByArea, doorsMax } from './doors.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const files = (pattern: string): string[] =>
  globSync(pattern, { cwd: root }).filter((file) => !file.includes('node_modules'));
const isTest = (file: string): boolean => file.endsWith('.test.ts') || file.endsWith('-samples.ts');
const sources = files('src/**/*.ts').filter((file) => !isTest(file));

/** From the bottom up: a layer may import itself and those below it. */
const layers = [
  'src/domain',
  'src/scim',
  'src/contract',
  'src/config.ts',
  'src/installation.ts',
  'src/store',
  'src/context.ts',
  'src/acts',
  'src/http',
  'src/cli',
  'src/main.ts',
];
/** Imports between areas of one layer, those of its foundations not counted. */
const crossingsMax = 150;

const heightOf = (file: string): number =>
  layers.findIndex((layer) => file === layer || file.startsWith(`${layer}/`));

const imports = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  // Not the word within a text.
  const pattern = /(?<!')(?:\bfrom|\bimport|\bimport\()\s*'([^'\n]+)'/g;
  const found =
    imports.get(file) ?? [...withoutComments(read(file)).matchAll(pattern)].map((match) => match[1]!);
  imports.set(file, found);
  return found;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"`\\])\/\/.*$/gm, '$1');
}

/** Of these something is there at run time, also where some of the names are types. */
function valueImportsOf(file: string, text: string): readonly string[] {
  const clean = withoutComments(text);
  const pattern = /(?<!')\b(?:import|export)\b(?!\s+type\b)(?:[^;'"()]*?\bfrom)?\s*\(?\s*'([^'\n]+)'/g;
  return [...clean.matchAll(pattern)].map(([, name]) =>
    name!.startsWith('.') ? normalize(join(dirname(file), name!)) : name!,
  );
}

/** Files of ours that a file imports, by their paths. */
const neighboursOf = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => normalize(join(dirname(file), name)));

const neighboursAtRunTime = (file: string): string[] =>
  valueImportsOf(file, read(file)).filter((target) => target.startsWith('src/'));

/** The way from a file back to itself along its imports, where there is one. */
function circleThrough(file: string, neighbours: typeof neighboursOf): string[] | null {
  const from = new Map<string, string>();
  const found = [file];
  for (const at of found) {
    for (const next of neighbours(at)) {
      if (next === file) {
        const way = [at];
        while (way[0] !== file) way.unshift(from.get(way[0]!)!);
        return [...way, file];
      }
      if (from.has(next)) continue;
      from.set(next, at);
      found.push(next);
    }
  }
  return null;
}

const offenders = (pattern: RegExp, among: readonly string[]): string[] =>
  among.filter((file) => pattern.test(withoutComments(read(file))));

describe('layers', () => {
  it('every source file belongs to a layer', () => {
    assert.deepEqual(
      sources.filter((file) => heightOf(file) === -1),
      [],
    );
  });

  it('a layer imports itself and those below it', () => {
    const upwards = sources.flatMap((file) =>
      neighboursOf(file)
        .filter((target) => heightOf(target) > heightOf(file))
        .map((target) => `${file} imports ${target} above it`),
    );
    assert.deepEqual(upwards, []);
  });

  it('what is imported as a value is told from what is imported as a type', () => {
    const of = (text: string): readonly string[] => valueImportsOf('console/a.ts', text);
    const target = 'src/contract/operation.ts';
    for (const text of [
      "import { areas } from '../src/contract/operation.ts';",
      "import {\n  type Area,\n  areas,\n} from '../src/contract/operation.ts';",
      "import { type Area } from '../src/contract/operation.ts';",
      "import * as operation from '../src/contract/operation.ts';",
      "import '../src/contract/operation.ts';",
      "const late = import('../src/contract/operation.ts');",
      "export * from '../src/contract/operation.ts';",
      "import type { Area } from './b.ts';\nimport { areas } from '../src/contract/operation.ts';",
    ])
      assert.deepEqual(of(text), [target], text);
    for (const text of [
      "import type { Area } from '../src/contract/operation.ts';",
      "import type {\n  Area,\n  Operation,\n} from '../src/contract/operation.ts';",
      "export type { Area } from '../src/contract/operation.ts';",
    ])
      assert.deepEqual(of(text), [], text);
  });

  it('the console names nothing of Node, whose types it sees through those of the contract', () => {
    const pages = files('console/**/*.{ts,tsx}');
    assert.deepEqual(
      offenders(/(?<![.\w'"`])(process|Buffer|require|__dirname|setImmediate)\b\s*[.(]/, pages),
      [],
    );
  });

  it('the pages of the console, of surveys and of the help import one another and the domain, which decides alike here and there, and the console types of the contract', () => {
    for (const folder of ['console', 'pages', 'help']) {
      const pages = files(`${folder}/**/*.{ts,tsx}`);
      assert.ok(pages.length > 0);
      // The console alone has libraries of others.
      const libraries =
        folder === 'console' ? ['@simplewebauthn/browser', 'preact', 'preact/hooks', 'yaml', 'lean-qr'] : [];
      // So may it take types of what it calls: nothing of them is there at run time.
      const isOfTypes = (file: string, name: string): boolean =>
        folder === 'console' && !valueImportsOf(file, read(file)).includes(name);
      const astray = pages.flatMap((file) => [
        ...neighboursOf(file)
          .filter((target) => !target.startsWith(`${folder}/`) && !target.startsWith('src/domain/'))
          .filter((target) => !(target.startsWith('src/contract/') && isOfTypes(file, target)))
          .map((target) => `${file} imports ${target}`),
        ...importsOf(file)
          .filter((name) => !name.startsWith('.') && !libraries.includes(name))
          .filter((name) => !(name === 'typebox' && isOfTypes(file, name)))
          .map((name) => `${file} imports ${name}`),
      ]);
      assert.deepEqual(astray, []);
    }
  });

  it('the client imports itself alone, so that it runs wherever there is fetch [D-660]', () => {
    const own = files('client/**/*.ts');
    assert.ok(own.length > 0);
    const astray = own.flatMap((file) =>
      importsOf(file)
        .filter((name) => !/^\.\/[\w-]+\.ts$/.test(name))
        .map((name) => `${file} imports ${name}`),
    );
    assert.deepEqual(astray, []);
    assert.deepEqual(offenders(/\b(process|Buffer|require|setImmediate)\b/, own), []);
  });

  it('what is declared of operations loads nothing but the domain and the language of provisioning, so that callers can have its types alone', () => {
    const declarations = sources.filter((file) => file.startsWith('src/contract/'));
    assert.ok(declarations.length > 0);
    const astray = declarations.flatMap((file) => [
      ...neighboursOf(file)
        .filter((target) => !/^src\/(contract|domain|scim)\//.test(target))
        .map((target) => `${file} imports ${target}`),
      ...importsOf(file)
        .filter((name) => !name.startsWith('.') && name !== 'typebox')
        .map((name) => `${file} imports ${name}`),
    ]);
    assert.deepEqual(astray, []);
    assert.deepEqual(offenders(/^import (?!type\b)[^;]*'typebox'/m, declarations), []);
  });

  it('the file that wires the endpoints is imported by the file that starts them and by no other', () => {
    const wiring = 'src/http/app.ts';
    assert.deepEqual(
      sources.filter((file) => neighboursOf(file).includes(wiring)),
      ['src/http/server/server.ts'],
    );
  });

  it('no file imports itself through others; in the store types may', () => {
    const circles = sources
      .map((file) => circleThrough(file, file.startsWith('src/store/') ? neighboursAtRunTime : neighboursOf))
      .flatMap((circle) => (circle === null ? [] : [circle.join(' > ')]));
    assert.deepEqual(circles, []);
  });

  it('no two areas of a layer import each other, directly or through others', () => {
    assert.deepEqual(readStructure(root).circles, []);
  });

  it('an area is entered by its doors, which stand in test/doors.ts', () => {
    const { areas } = readStructure(root);
    assert.deepEqual(
      Object.fromEntries(
        areas.map(({ name, doors }) => [name, doors.map((door) => door.slice(name.length + 1))]),
      ),
      Object.fromEntries(Object.entries(doorsByArea).map(([name, { doors }]) => [name, doors])),
    );
    const wide = Object.entries(doorsByArea).filter(
      ([name, { doors, reason }]) =>
        doors.length > doorsMax[dirname(name) as keyof typeof doorsMax] && reason === undefined,
    );
    assert.deepEqual(wide, []);
  });

  it('the areas of a layer import one another seldom', () => {
    const { crossings } = readStructure(root);
    assert.ok(crossings.length <= crossingsMax, `${crossings.length} imports, ${crossingsMax} may be`);
  });

  it('what is exported is used by another file', () => {
    const others = files('{src,test,bench,scripts,console,pages,help,client}/**/*.{ts,tsx}');
    const uses = new Map<string, Set<string>>();
    const whole = new Set<string>();
    for (const file of others) {
      const text = withoutComments(read(file));
      const target = (name: string): string => normalize(join(dirname(file), name));
      for (const [, , names, from] of text.matchAll(
        /\b(import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?(\{[^}]*\}|\*(?:\s+as\s+\w+)?)\s+from\s+'(\.[^']+)'/g,
      )) {
        if (names!.startsWith('*')) whole.add(target(from!));
        const used = uses.get(target(from!)) ?? new Set();
        for (const name of names!.slice(1, -1).split(','))
          used.add(
            name
              .trim()
              .replace(/^type\s+/, '')
              .split(' ')[0]!,
          );
        uses.set(target(from!), used);
      }
      for (const [, from] of text.matchAll(/\bimport\(\s*['"`](\.[^'"`]+)['"`]/g)) whole.add(target(from!));
    }
    // The bundler puts those of console/server/ in the place of others.
    const unused = others
      .filter((file) => !/^(test|bench|client|console\/server)\//.test(file) && !whole.has(file))
      .flatMap((file) =>
        [
          ...read(file).matchAll(
            /^export (?:async |abstract )*(?:function\*?|const|class|interface|type|let)\s+([\w$]+)/gm,
          ),
        ]
          .map(([, name]) => name!)
          .filter((name) => uses.get(file)?.has(name) !== true)
          .map((name) => `${file} exports ${name}`),
      );
    assert.deepEqual(unused, []);
  });

  it('the list of changes has every change that is handed to a store by its function', () => {
    const texts = sources
      .filter((file) => file !== 'src/store/changes.ts')
      .map((file) => withoutComments(read(file)).replaceAll(/^(import|export)\b[^;]*? from '[^']+';/gm, ''));
    const listed = read('src/store/changes.ts').split('export const changes')[1]!;
    const steps = texts.flatMap((text) =>
      [...text.matchAll(/^export function\* (\w+)[^{]*?(?:\{[^}]*\}[^{]*?)?\): Steps</gm)].map(
        ([, name]) => name!,
      ),
    );
    assert.ok(steps.length > 100);
    const handed = steps.filter((name) =>
      texts.some((text) => new RegExp(`(?<![.'])\\b${name}\\s*[,;)]`).test(text)),
    );
    assert.deepEqual(
      handed.filter((name) => !new RegExp(`\\b${name},`).test(listed)),
      [],
    );
  });

  it('the command line has the web interface for its start alone, and shares what both do with it [D-1020]', () => {
    const astray = sources
      .filter((file) => file.startsWith('src/cli/') && !file.startsWith('src/cli/start/'))
      .flatMap((file) =>
        neighboursOf(file)
          .filter((target) => target.startsWith('src/http/'))
          .map((target) => `${file} imports ${target}`),
      );
    assert.deepEqual(astray, []);
  });

  it('what decides is pure: no clock, no chance, no waiting, no input or output', () => {
    const pure = sources.filter((file) => heightOf(file) <= 2);
    assert.deepEqual(
      offenders(
        /\b(async|await|Promise|setTimeout|setInterval)\b|Date\.now|new Date\(\)|Math\.random|randomUUID/,
        pure,
      ),
      [],
    );
    const outside = pure.flatMap((file) =>
      importsOf(file)
        .filter((name) => !name.startsWith('.') && !['yaml', 'node:crypto'].includes(name))
        // Its types alone, as a test above asks.
        .filter((name) => !(name === 'typebox' && file.startsWith('src/contract/')))
        .map((name) => `${file} imports ${name}`),
    );
    assert.deepEqual(outside, []);
  });

  it('SQL stands only in the store, the web framework only in http, the environment only in main', () => {
    const elsewhere = (layer: string): string[] => sources.filter((file) => !file.startsWith(layer));
    const importing = (name: string, among: readonly string[]): string[] =>
      among.filter((file) => importsOf(file).includes(name));
    assert.deepEqual(importing('sql-template-tag', elsewhere('src/store/')), []);
    assert.deepEqual(importing('pg', elsewhere('src/store/')), []);
    assert.deepEqual(importing('node:sqlite', elsewhere('src/store/')), []);
    assert.deepEqual(importing('fastify', elsewhere('src/http/')), []);
    assert.deepEqual(offenders(/process\.env/, elsewhere('src/main.ts')), []);
  });

  it('the program finds its own files and starts its threads through one module, which knows how it was packed [D-650]', () => {
    const others = sources.filter((file) => file !== 'src/installation.ts');
    assert.deepEqual(
      offenders(/\bnew Worker\(|\bimport\.meta\b|\bcreateRequire\b|\b__dirname\b/, others),
      [],
    );
  });

  it('what differs between the engines stands in the engines: nothing else asks which one it is', () => {
    const outside = sources.filter((file) => !file.startsWith('src/store/engine/'));
    const asking =
      /\bengine\b\s*[!=]==?|[!=]==?\s*[\w.#?]*\bengine\b|\[[\w.#?]*\bengine\]|switch \([\w.#?]*engine\)|['"`](sqlite|postgres)['"`]/;
    assert.deepEqual(offenders(asking, outside), []);
  });

  it('tests of the interface know HTTP and the command line alone', () => {
    const inside = files('test/http/**/*.ts').flatMap((file) =>
      importsOf(file)
        .filter((name) => name.includes('/src/'))
        .map((name) => `${file} imports ${name}`),
    );
    assert.deepEqual(inside, []);
  });

  it('words of our own stay out where the field has a word', () => {
    const ours =
      /\b(House|Rooms|Turn|TurnQuestions|Pulse|Directory|ReadySource|besideResponse|Orderer|Order|narration|isParting|untilNobodyKnocks|strangers|keepUnsaid)\b/;
    const everything = [...files('{src,test,bench,scripts,console,pages,help,client}/**/*.{ts,tsx}')].filter(
      (file) => file !== 'test/layers.test.ts',
    );
    assert.deepEqual(offenders(ours, everything), []);
    assert.deepEqual(offenders(/House|Rooms/, everything), []);
    const names = everything.filter((file) =>
      /(^|\/)(shown|fields|conditions|narration|pulse|directory|house|turn)\.ts$/.test(file),
    );
    assert.deepEqual(names, []);
  });

  it('only syntax that can be erased, and nothing left open', () => {
    assert.deepEqual(
      offenders(/^\s*(export\s+)?(const\s+)?enum\s|^\s*namespace\s|\bas any\b|:\s*any\b/m, sources),
      [],
    );
    const everything = [
      ...sources,
      ...files('{test,bench,scripts,console,pages,help,client}/**/*.{ts,tsx}'),
    ].filter((file) => file !== 'test/layers.test.ts');
    const open = everything.filter((file) =>
      /\b(TODO|FIXME|XXX)\b|\b(it|test|describe)\.(only|skip|todo)\(/.test(read(file)),
    );
    assert.deepEqual(open, []);
  });

  it('everything made from the code is up to date: run "npm run openapi" otherwise', async () => {
    const stale = [...(await generatedFiles())]
      .filter(([file, text]) => read(file) !== text)
      .map(([file]) => file);
    assert.deepEqual(stale, []);
  });

  it('the API document passes the linter', () => {
    const redocly = join(root, 'node_modules', '.bin', 'redocly');
    const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const text = execFileSync(
      process.execPath,
      [redocly, 'lint', 'openapi.json', '--format=json', '--max-problems=100'],
      {
        cwd: root,
        encoding: 'utf8',
        env: environment,
      },
    );
    const { totals } = JSON.parse(text.slice(text.indexOf('{'))) as {
      totals: { errors: number; warnings: number };
    };
    assert.deepEqual(totals.errors + totals.warnings, 0, text);
  });
});

describe('the documentation', () => {
  const pages = [...files('*.md'), ...files('docs/**/*.md')].filter((file) => file !== 'CHANGELOG.md');

  it('every file that a page names is there', () => {
    // Pages name sources by their layer, as in `http/app.ts`, and other files from the root.
    const missing = pages.flatMap((page) =>
      [...read(page).matchAll(/`([\w-]+\/[\w./-]+\.(?:ts|md|yaml|json))`/g)]
        .map((match) => match[1]!)
        .filter((name) => !existsSync(join(root, name)) && !existsSync(join(root, 'src', name)))
        .map((name) => `${page} names ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  it('every link of a page leads to a page and to a heading that are there', () => {
    const anchorOf = (heading: string): string =>
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-');
    const astray = pages.flatMap((page) =>
      [...read(page).matchAll(/\]\(([^)\s]+)\)/g)]
        .map((match) => match[1]!)
        .filter((link) => !link.startsWith('http'))
        .filter((link) => {
          const [file, anchor] = link.split('#') as [string, string?];
          const target = file === '' ? page : join(dirname(page), file);
          if (!existsSync(join(root, target))) return true;
          if (anchor === undefined || !target.endsWith('.md')) return false;
          const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1]!));
          return !headings.includes(anchor);
        })
        .map((link) => `${page} links to ${link}`),
    );
    assert.deepEqual(astray, []);
  });
});

describe('the ledger of decisions', () => {
  const number = /\bD-\d+b?\b/g;
  const ledger = read('docs/decisions.md');
  const entries = new Set([...ledger.matchAll(/^\| (D-\d+b?) \|/gm)].map((match) => match[1]!));
  const inCode = new Set(sources.flatMap((file) => read(file).match(number) ?? []));
  const inTitles = new Set(
    files('{src,test}/**/*.ts')
      .filter((file) => isTest(file))
      .flatMap((file) => read(file).match(/\[D-\d+b?(?:[,\s]+D-\d+b?)*\]/g) ?? [])
      .flatMap((title) => title.match(number) ?? []),
  );

  it('every decision that the code names stands in the ledger', () => {
    assert.deepEqual(
      [...inCode].filter((entry) => !entries.has(entry)),
      [],
    );
  });

  it('every decision that the code names is proven by a test that names it', () => {
    assert.deepEqual(
      [...inCode].filter((entry) => !inTitles.has(entry)),
      [],
    );
  });
});
