// Builds the client into dist/client: "node scripts/build-client.ts HASH", where the hash is of everything that it is made
// from. scripts/install.js runs it when that has changed. Each entry is one file of plain JavaScript; its types are beside it.

import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = join(root, 'client');
const target = join(root, 'dist', 'client');
const [hash] = process.argv.slice(2);
if (hash === undefined)
  throw new Error('The hash of the sources is missing: run scripts/install.js instead.');

/** Whoever reads index.js may want to see what it does; ingest.js goes to every visitor of a page. */
const entries = [
  { name: 'index', isSmall: false },
  { name: 'ingest', isSmall: true },
] as const;

// Made aside and then put in its place, so that nobody finds half of it.
mkdirSync(join(root, 'dist'), { recursive: true });
const aside = mkdtempSync(join(root, 'dist', 'client-'));
chmodSync(aside, 0o755);
try {
  for (const entry of entries) await bundle(entry);
  declareTypes();
  writeFileSync(join(aside, 'manifest.json'), JSON.stringify({ hash }));
  rmSync(target, { recursive: true, force: true });
  renameSync(aside, target);
} finally {
  rmSync(aside, { recursive: true, force: true });
}

async function bundle({ name, isSmall }: (typeof entries)[number]): Promise<void> {
  const build = await rolldown({
    input: join(sources, `${name}.ts`),
    platform: 'neutral',
    cwd: root,
    tsconfig: join(sources, 'tsconfig.json'),
  });
  const { output } = await build.generate({ format: 'es', minify: isSmall });
  await build.close();
  const [chunk, ...others] = output;
  if (others.length > 0 || chunk.imports.length > 0)
    throw new Error(`${name}.js would not stand alone: ${chunk.imports.join(', ')}`);
  writeFileSync(join(aside, `${name}.js`), chunk.code);
}

function declareTypes(): void {
  const compiler = join(root, 'node_modules', '.bin', 'tsc');
  const flags = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', aside];
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', sources, ...flags], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The client has wrong types:\n${stdout}`);
  for (const name of readdirSync(aside).filter((file) => file.endsWith('.d.ts'))) {
    const text = readFileSync(join(aside, name), 'utf8');
    // What a stranger imports ends as JavaScript does.
    writeFileSync(join(aside, name), text.replaceAll(/(from '\.\/[\w-]+)\.ts'/g, "$1.js'"));
  }
}
