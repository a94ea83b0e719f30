// What the scripts that build for browsers share: bundles, names that change with what is in a file, and how a folder of dist/ is
// written.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CodeSplittingGroup, type OutputChunk, rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../', import.meta.url));

export type BuiltFile = OutputChunk | { readonly fileName: string; readonly bytes: string | Buffer };

interface BundleOptions {
  /** Modules that come together. */
  readonly groups?: readonly CodeSplittingGroup[];
  /** Files in the place of others, which are named by their place in the folder, and of packages. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Under which an iife keeps what its entry exports. */
  readonly name?: string;
}

/** What a browser loads, made of an entry in a folder and of all that it imports. */
export async function bundle(
  sources: string,
  entry: string,
  format: 'es' | 'iife',
  { groups, instead = {}, name }: BundleOptions = {},
): Promise<readonly OutputChunk[]> {
  const build = await rolldown({
    input: join(sources, entry),
    platform: 'browser',
    cwd: root,
    // How TSX is read.
    tsconfig: join(sources, 'tsconfig.json'),
    plugins: [
      {
        name: 'instead',
        resolveId: (source, importer) => {
          const place = source.startsWith('.')
            ? relative(sources, join(dirname(importer ?? sources), source))
            : source;
          const found = Object.hasOwn(instead, place) ? instead[place]! : null;
          return found === null ? null : join(sources, found);
        },
      },
    ],
    ...(groups !== undefined && { preserveEntrySignatures: 'allow-extension' as const }),
  });
  const { output } = await build.generate({
    format,
    minify: true,
    ...(name !== undefined && { name }),
    entryFileNames: '[name]-[hash].js',
    chunkFileNames: '[name]-[hash].js',
    ...(groups !== undefined && {
      codeSplitting: { groups: [...groups], includeDependenciesRecursively: false },
    }),
  });
  await build.close();
  const chunks = output.filter((piece) => piece.type === 'chunk');
  // What a browser cannot load by that name must not leave here: the modules of Node above all.
  const names = new Set(chunks.map(({ fileName }) => fileName));
  const foreign = chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]);
  const unbuilt = foreign.filter((name) => !names.has(name));
  if (unbuilt.length > 0) throw new Error(`${entry} imports ${unbuilt.join(', ')}, which browsers have not.`);
  // Of the contract browsers need the types alone; its schemas would be most of what they load.
  const modules = chunks.flatMap(({ moduleIds }) => moduleIds.map((id) => id.replaceAll('\\', '/')));
  const declared = modules.filter((id) => /\/src\/contract\/|\/node_modules\/typebox\//.test(id));
  if (declared.length > 0)
    throw new Error(`${entry} holds ${declared.join(', ')}: import the types of it alone.`);
  return chunks;
}

export function textFile(name: string, text: string | Buffer): BuiltFile {
  const digest = createHash('sha256').update(text).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8);
  return { fileName: name.replace(/(?=\.\w+$)/, `-${digest}`), bytes: text };
}

/** Without comments and what is there for the eye; the rest is left to compression. */
export function smaller(css: string): string {
  return css
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .replaceAll(/(?<=[ :(,-])0\./g, '.')
    .replaceAll(' > ', '>')
    .replaceAll(' ~ ', '~')
    .trim();
}

/** Writes the files, and then the list of them. */
export function keep(
  { target, hash }: { readonly target: string; readonly hash: string },
  files: readonly BuiltFile[],
  members: Readonly<Record<string, unknown>>,
): void {
  const assets = join(target, 'assets');
  mkdirSync(assets, { recursive: true });
  for (const file of files)
    writeFileSync(join(assets, file.fileName), 'code' in file ? withoutNotes(file.code) : file.bytes);
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
