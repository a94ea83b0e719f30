// Builds what browsers load: "node scripts/build-browser.ts FOLDER HASH", where the folder is `console` or `pages` and the
// hash is of everything that it is made from. scripts/install.js runs it when that has changed.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';
import { pageEntries } from '../src/domain/pages/page-entries.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const [folder = '', hash] = process.argv.slice(2);
const sources = join(root, folder);
const target = join(root, 'dist', folder);
const assets = join(target, 'assets');
if (hash === undefined)
  throw new Error('The hash of the sources is missing: run scripts/install.js instead.');

type BuiltFile = OutputChunk | { readonly fileName: string; readonly text: string };

if (folder === 'console') await buildConsole();
else if (folder === 'pages') await buildPages();
else throw new Error(`Nothing is built from ${folder}.`);

async function buildConsole(): Promise<void> {
  const pages = await bundle('main.ts', 'es');
  const [firstPaint] = (await bundle('first-paint.ts', 'iife')) as [OutputChunk];
  const [docsToken] = (await bundle('docs-token.ts', 'iife')) as [OutputChunk];
  const style = textFile(
    'style.css',
    smaller(
      consoleStyles()
        .map((name) => textOf(name))
        .join('\n'),
    ),
  );
  const icon = asset('icon.svg');
  keep([...pages, firstPaint, docsToken, style, icon], {
    script: pages.find(({ isEntry }) => isEntry)!.fileName,
    firstPaint: firstPaint.fileName,
    docsToken: docsToken.fileName,
    style: style.fileName,
    icon: icon.fileName,
    preload: preloadsOf(pages),
  });
}

/** The shared style first; a folder of pages may add its own. */
function consoleStyles(): readonly string[] {
  const all = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.css'),
  );
  return ['style.css', ...all.filter((name) => name !== 'style.css').toSorted()];
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
      { files, texts: textsOf(['messages', 'frame/messages', `${folder}/messages`], pages) },
    ];
  });
  const signIn = { files: filesOf('sign-in.ts', pages), texts: textsOf(['messages'], pages) };
  return { signIn, ...Object.fromEntries(entries) };
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
    const built = format === 'text' ? [asset(file)] : await bundle(file, format);
    if (built.length > 1) throw new Error(`${file} became ${built.length} files instead of one.`);
    entries[name] = built[0]!.fileName;
    files.push(...built);
  }
  keep(files, { entries });
}

/** Writes the files, and then the list of them. */
function keep(files: readonly BuiltFile[], members: Readonly<Record<string, unknown>>): void {
  mkdirSync(assets, { recursive: true });
  for (const file of files)
    writeFileSync(join(assets, file.fileName), 'code' in file ? withoutNotes(file.code) : file.text);
  // The list of files is the last to take its place: whoever reads it meanwhile has all of the old or all of the new.
  const manifest = { hash, ...members, files: files.map(({ fileName }) => fileName) };
  const aside = join(target, `manifest-${process.pid}.json`);
  writeFileSync(aside, JSON.stringify(manifest, null, 2));
  renameSync(aside, join(target, 'manifest.json'));
  for (const name of readdirSync(assets))
    if (!manifest.files.includes(name)) rmSync(join(assets, name), { force: true });
}

/** Notes for bundlers, which a browser only loads. Behind a word, such as `return`, a space stays. */
function withoutNotes(code: string): string {
  return code.replaceAll(/([\w$]?)\/\* @__PURE__ \*\/ /g, (_, word: string) =>
    word === '' ? '' : `${word} `,
  );
}

async function bundle(entry: string, format: 'es' | 'iife'): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    input: join(sources, entry),
    platform: 'browser',
    cwd: root,
    // How TSX is read.
    tsconfig: join(sources, 'tsconfig.json'),
  });
  const { output } = await build.generate({
    format,
    minify: true,
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  const chunks = output.filter((piece) => piece.type === 'chunk');
  // What a browser cannot load by that name must not leave here: the modules of Node above all.
  const names = new Set(chunks.map(({ fileName }) => fileName));
  const foreign = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const unbuilt = foreign.filter((name) => !names.has(name));
  if (unbuilt.length > 0) throw new Error(`${entry} imports ${unbuilt.join(', ')}, which browsers have not.`);
  return chunks;
}

/** A page, and everything that it imports at once. */
function filesOf(source: string, pages: readonly OutputChunk[]): readonly string[] {
  const found = pages.filter(({ facadeModuleId }) => facadeModuleId === join(sources, source));
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

function textFile(name: string, text: string): BuiltFile {
  const digest = createHash('sha256').update(text).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8);
  return { fileName: name.replace('.', `-${digest}.`), text };
}

/** Without comments and what is there for the eye; the rest is left to compression. */
function smaller(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .trim();
}
