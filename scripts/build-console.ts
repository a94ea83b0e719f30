// Builds the pages of the console for browsers: "node scripts/build-console.ts HASH", where the hash is of everything that
// they are made from. scripts/install.js runs it when that has changed.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OutputChunk, rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = join(root, 'console');
const target = join(root, 'dist', 'console');
const assets = join(target, 'assets');

const [hash] = process.argv.slice(2);
if (hash === undefined)
  throw new Error('The hash of the sources is missing: run scripts/install.js instead.');

const pages = await bundle('main.ts', 'es');
const firstPaint = await bundle('first-paint.ts', 'iife');
const main = pages.find(({ isEntry }) => isEntry)!;
const style = asset('style.css', smaller(readFileSync(join(sources, 'style.css'), 'utf8')));
const icon = asset('icon.svg', readFileSync(join(sources, 'icon.svg'), 'utf8'));

mkdirSync(assets, { recursive: true });
const files = [...pages, ...firstPaint, style, icon];
for (const file of files) writeFileSync(join(assets, file.fileName), 'code' in file ? file.code : file.text);

// The list of files is the last to take its place: whoever reads it meanwhile has all of the old or all of the new.
const manifest = {
  hash,
  script: main.fileName,
  firstPaint: firstPaint[0]!.fileName,
  style: style.fileName,
  icon: icon.fileName,
  /** What a page needs beside the script, so that the browser asks for it at once. */
  preload: { signIn: filesOf('sign-in.ts'), me: filesOf('me.ts') },
  files: files.map(({ fileName }) => fileName),
};
const aside = join(target, `manifest-${process.pid}.json`);
writeFileSync(aside, JSON.stringify(manifest, null, 2));
renameSync(aside, join(target, 'manifest.json'));
for (const name of readdirSync(assets))
  if (!manifest.files.includes(name)) rmSync(join(assets, name), { force: true });

async function bundle(entry: string, format: 'es' | 'iife'): Promise<readonly OutputChunk[]> {
  const build = await rolldown({ input: join(sources, entry), platform: 'browser', cwd: root });
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
  if (unbuilt.length > 0) throw new Error(`The pages import ${unbuilt.join(', ')}, which browsers have not.`);
  return chunks;
}

/** A page, and everything that it imports at once. */
function filesOf(source: string): readonly string[] {
  const found = pages.filter(({ facadeModuleId }) => facadeModuleId === join(sources, source));
  for (const chunk of found)
    found.push(...pages.filter((other) => chunk.imports.includes(other.fileName) && !found.includes(other)));
  if (found.length === 0) throw new Error(`There is no page ${source}.`);
  return found.map(({ fileName }) => fileName);
}

function asset(name: string, text: string): { readonly fileName: string; readonly text: string } {
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
