// The program in a few files instead of a thousand: most of what a start costs is finding and loading its modules, and a run of
// all tests starts hundreds of services. It is bundled as for the package; whatever npm starts is the files themselves (D-405).

import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../scripts/bundle-program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the program reads beside itself, and the packages that it loads when they are used. */
const beside = [
  'openapi.json',
  'examples',
  'dist/console',
  'dist/help',
  'dist/pages',
  'dist/reference',
  'node_modules',
];

/** What every service loads at its start. */
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
  for (const path of beside) {
    if (!existsSync(join(root, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(root, path), join(folder, path), 'junction');
  }
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const apart = Object.keys(dependencies).filter((name) => !packedPackages.includes(name));
  await bundleProgram(join(folder, 'dist', 'program'), apart);
  return join(folder, 'dist', 'program', 'main.mjs');
}
