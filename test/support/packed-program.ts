// The program in a few files instead of a thousand: most of what a start costs is finding and loading its modules, and a run of
// all tests starts hundreds of services. What is packed is the program as it stands, nothing is made smaller or renamed; the
// commands that tests run as processes, and whatever npm starts, are the files themselves (D-405).

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Threads of their own, each a program beside the main one. */
const threads: Readonly<Record<string, string>> = {
  'backup-thread': 'src/store/engine/backup-thread.ts',
  'doctor-thread': 'src/http/operations/doctor-thread.ts',
  'scan-worker': 'src/store/insight/scan-worker.ts',
  'sqlite-writer': 'src/store/engine/sqlite-writer.ts',
  'table-worker': 'src/store/feedback/table-worker.ts',
};

/** What every service loads at its start. The others are loaded when they are used, some by the files beside them. */
const packedPackages = [
  '@opentelemetry/api',
  'commander',
  'fastify',
  'jose',
  'lru-cache',
  'negotiator',
  'pino',
  'prom-client',
  'sql-template-tag',
  'typebox',
];

/** Packs it into the folder, and gives the file to start. */
export async function packProgram(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  // Packages that are not packed are found as they are from the program's own files.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const apart = Object.keys(dependencies).filter((name) => !packedPackages.includes(name));
  const isApart = (name: string): boolean =>
    name.startsWith('node:') || apart.some((one) => name === one || name.startsWith(`${one}/`));
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      Object.entries({ main: 'src/main.ts', ...threads }).map(([name, file]) => [name, join(root, file)]),
    ),
    platform: 'node',
    external: isApart,
    plugins: [{ name: 'places', transform: (code, id) => withPlaces(code, id, folder) }],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: 'parts/[name]-[hash].mjs',
  });
  await bundle.close();
  return join(folder, 'main.mjs');
}

/** A file that looks for others beside itself finds them where it stood, and threads where they are packed. */
function withPlaces(code: string, id: string, folder: string): { code: string; map: null } | null {
  if (!code.includes('import.meta.url')) return null;
  const textOf = (path: string): string => JSON.stringify(pathToFileURL(path).href);
  const withThreads = code.replaceAll(
    /new URL\('\.\/([a-z-]+)\.ts', import\.meta\.url\)/g,
    (address, name: string) =>
      name in threads ? `new URL(${textOf(join(folder, `${name}.mjs`))})` : address,
  );
  return { code: withThreads.replaceAll('import.meta.url', textOf(id)), map: null };
}
