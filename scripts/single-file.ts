// One file with Node, the program and all it reads: node scripts/single-file.ts [FILE]. For the system that it is built on.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleProgram } from './bundle-program.ts';
import { filesAtRunTime, type Manifest, root } from './package-files.ts';

const loaderFile = join(root, 'scripts', 'single-file-loader.cjs');

/** Out of what is built in dist/. */
export async function buildSingleFile(output: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'soundings-single-file-'));
  try {
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
    await bundleProgram(join(root, 'dist', 'program'));
    const main = join(folder, 'main.cjs');
    // An error in what is loaded ends the process as it does anywhere else.
    writeFileSync(
      main,
      `${readFileSync(loaderFile, 'utf8')}\nvoid load(\`\${folder}dist/program/main.mjs\`);\n`,
    );
    const paths = filesAtRunTime(manifest);
    const config = {
      main,
      output: resolve(output),
      disableExperimentalSEAWarning: true,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      assets: {
        'loader.cjs': loaderFile,
        ...Object.fromEntries(paths.map((path) => [path, join(root, path)])),
      },
    };
    const configFile = join(folder, 'config.json');
    writeFileSync(configFile, JSON.stringify(config));
    mkdirSync(dirname(config.output), { recursive: true });
    // In place, a file that runs just now could not be replaced.
    rmSync(config.output, { force: true });
    const { status } = spawnSync(process.execPath, ['--build-sea', configFile], {
      cwd: root,
      stdio: ['ignore', 2, 2],
    });
    if (status !== 0) throw new Error('Node could not build the single file: see the lines above.');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const file = process.argv[2] ?? join('dist', 'single', `soundings${suffix}`);
  process.stderr.write('Bundling the program and putting it into a copy of Node ...\n');
  await buildSingleFile(file);
  console.log(file);
}
