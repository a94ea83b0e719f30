// Builds what browsers load: "node scripts/build-browser.ts FOLDER HASH", where the folder is `console`, `pages` or
// `reference`, and the hash is of everything that it is made from. scripts/install.js runs it when that has changed.

import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify from 'fastify';
import type { CodeSplittingGroup, OutputChunk } from 'rolldown';
import { pageEntries } from '../src/domain/pages/page-entries.ts';
import { type BuiltFile, bundle, keep, smaller, textFile } from './browser-files.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [folder = '', hash] = process.argv.slice(2);
const sources = join(root, folder);
const target = join(root, 'dist', folder);
if (hash === undefined)
  throw new Error('The hash of the sources is missing: run scripts/install.js instead.');
const place = { target, hash };

/**
 * Small modules that come together: what the frame of every page needs, what the sign-in needs, and the pieces that most pages are
 * made of. Each as a file of its own would be a request of its own, and compress worse.
 */
const together: readonly CodeSplittingGroup[] = [
  {
    name: 'frame',
    test: named(
      /node_modules\/preact\/|domain\/console\/page-paths\.ts|console\/(?:frame\/(?:action|address|app|choices|drawn|page-preload|heading|help|messages|problem|rail|session)\.tsx?|pages\/loaders\.ts)$/,
    ),
  },
  {
    name: 'door',
    test: named(
      /node_modules\/@simplewebauthn\/|console\/(?:door|html|notice|passkey|password-field|problem-texts|ways|words)\.ts$/,
    ),
  },
  {
    name: 'parts',
    test: named(
      /domain\/(?:dates|console\/view-address|feedback\/source-kind)\.ts|console\/(?:formats\.ts|frame\/(?:answers|confirm|copy|dialog|field|moved|panel|range-bar|table|view)\.tsx?)$/,
    ),
  },
];

/** Whatever stands between the parts of a path on this system. */
function named(pattern: RegExp): (id: string) => boolean {
  return (id) => pattern.test(id.replaceAll('\\', '/'));
}

/** The server draws the first look at a page by its own code, and has no preact (D-781). */
const preact = 'server/preact.ts';
const drawnByServer = {
  preact,
  'preact/hooks': preact,
  'preact/jsx-runtime': preact,
  'pages/loaders.ts': 'server/loaders.ts',
};

if (folder === 'console') await buildConsole();
else if (folder === 'pages') await buildPages();
else if (folder === 'reference') await buildReference();
else throw new Error(`Nothing is built from ${folder}.`);

async function buildConsole(): Promise<void> {
  const pages = await bundle(sources, 'main.ts', 'es', { groups: together });
  const [firstPaint] = (await bundle(sources, 'first-paint.ts', 'iife')) as [OutputChunk];
  const [docsToken] = (await bundle(sources, 'docs-token.ts', 'iife')) as [OutputChunk];
  const [firstScreen] = (await bundle(sources, 'server/first-screen.tsx', 'iife', {
    instead: drawnByServer,
    name: 'firstScreen',
  })) as [OutputChunk];
  const style = textFile(
    'style.css',
    smaller(
      consoleStyles()
        .map((name) => textOf(name))
        .join('\n'),
    ),
  );
  const icon = asset('icon.svg');
  keep(place, [...pages, firstPaint, docsToken, firstScreen, style, icon], {
    script: pages.find(({ isEntry }) => isEntry)!.fileName,
    firstPaint: firstPaint.fileName,
    docsToken: docsToken.fileName,
    firstScreen: firstScreen.fileName,
    style: style.fileName,
    icon: icon.fileName,
    shell: {
      files: [firstPaint.fileName, ...filesOf('frame/app.tsx', pages), ...filesOf('main.ts', pages)],
      texts: textsOf(['frame/messages'], pages),
    },
    preload: preloadsOf(pages),
  });
}

/** The colours and the shared style first; a folder of pages may add its own. */
function consoleStyles(): readonly string[] {
  const all = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  const first = ['tokens.css', 'style.css'];
  return [...first, ...all.filter((name) => !first.includes(name)).toSorted()];
}

/** What the sign-in and each page of the console need beside the script, so that the browser asks for all of it at once. */
function preloadsOf(pages: readonly OutputChunk[]): Readonly<Record<string, object>> {
  const modules = pages
    .map(({ facadeModuleId }) => relative(sources, facadeModuleId ?? ''))
    .filter((name) => /^pages\/[^/]+\/[^/]+\.tsx$/.test(name));
  const entries = modules.map((module) => {
    const folder = dirname(module);
    const files = [...new Set([...filesOf('frame/app.tsx', pages), ...filesOf(module, pages)])];
    return [
      basename(module, '.tsx'),
      { files, texts: textsOf([...textFolders(folder), 'frame/messages', `${folder}/messages`], pages) },
    ];
  });
  const signIn = {
    files: filesOf('sign-in.ts', pages),
    texts: textsOf(['messages', 'messages/problems'], pages),
  };
  return { signIn, ...Object.fromEntries(entries) };
}

/** Of the pages about people: roles, abilities, ways to sign in. */
function textFolders(folder: string): readonly string[] {
  if (folder === 'pages/me') return ['messages', 'messages/problems'];
  return folder === 'pages/people' ? ['messages'] : [];
}

/** The texts of these folders in each language. */
function textsOf(
  folders: readonly string[],
  pages: readonly OutputChunk[],
): Readonly<Record<string, readonly string[]>> {
  const of = (language: string): readonly string[] =>
    folders.flatMap((folder) =>
      pages
        .filter(({ facadeModuleId }) => facadeModuleId === join(sources, folder, `${language}.ts`))
        .map(({ fileName }) => fileName),
    );
  return { en: of('en'), de: of('de'), fr: of('fr') };
}

/** Every entry is one file, whatever it imports: nothing of a survey's page waits for a second round. */
async function buildPages(): Promise<void> {
  const files: BuiltFile[] = [];
  const entries: Record<string, string> = {};
  for (const [name, { file, format }] of Object.entries(pageEntries)) {
    const built = format === 'text' ? [asset(file)] : await bundle(sources, file, format);
    if (built.length > 1) throw new Error(`${file} became ${built.length} files instead of one.`);
    entries[name] = built[0]!.fileName;
    files.push(...built);
  }
  keep(place, files, { entries });
}

/** The script of the page at /docs, out of the package that brings it: it is one file, which needs nothing else of its tree (D-680). */
async function buildReference(): Promise<void> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const inner = Fastify({ logger: false });
  await inner.register(scalar, { routePrefix: '/', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await inner.inject('/js/scalar.js');
  await inner.close();
  if (statusCode !== 200) throw new Error(`The script of the reference is ${statusCode}.`);
  const script = textFile('scalar.js', body);
  keep(place, [script], { script: script.fileName });
}

/** A page, and everything that it imports at once. */
function filesOf(source: string, pages: readonly OutputChunk[]): readonly string[] {
  const found = pages.filter(({ moduleIds }) => moduleIds.includes(join(sources, source)));
  for (const chunk of found)
    found.push(...pages.filter((other) => chunk.imports.includes(other.fileName) && !found.includes(other)));
  if (found.length === 0) throw new Error(`There is no page ${source}.`);
  return found.map(({ fileName }) => fileName);
}

function asset(name: string): BuiltFile {
  return textFile(name, name.endsWith('.css') ? smaller(textOf(name)) : textOf(name));
}

function textOf(name: string): string {
  return readFileSync(join(sources, name), 'utf8');
}
