// The image of the Dockerfile without a container engine: its steps are run in a clean folder, and what they leave is started in a
// root of its own, as the user and with the words that the Dockerfile names.

import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, globSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type DockerfileStep, dockerfileSteps } from '../../support/dockerfile.ts';
import { findTool } from '../../support/find-tool.ts';
import { walkInstallation } from '../../support/installed-walk.ts';
import { environment, type Program, startProcess } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-file.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);
const imageBytesMax = 200e6;
const outputMax = 64 * 1024 * 1024;

it('the steps of the Dockerfile make a root that serves, is healthy and stops, backs up and restores, as a user without rights [D-683]', async (test) => {
  const chroot = findTool('chroot');
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || chroot === null)
    return test.diagnostic('not tried: it takes a Linux, its root and chroot');
  const steps = dockerfileSteps(readFileSync(join(repository, 'Dockerfile'), 'utf8'));
  const last = steps.findLastIndex(({ word }) => word === 'FROM');
  const image = await buildRoot(steps.slice(0, last));
  const bytes = globSync('**', { cwd: image })
    .map((path) => lstatSync(join(image, path)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
  assert.ok(bytes < imageBytesMax, `${bytes} bytes`);

  const shipped = steps.slice(last);
  const restOf = (word: string): string => shipped.find((step) => step.word === word)!.rest;
  const env = {
    ...Object.fromEntries(
      [...restOf('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
    ),
    // What the runner has Node load lies outside of this root.
    NODE_OPTIONS: '',
  };
  const inRoot = [chroot, `--userspec=${restOf('USER')}`, image] as const;
  const healthCheck = JSON.parse(/CMD (\[.*\])/.exec(restOf('HEALTHCHECK'))![1]!) as string[];
  const entry = JSON.parse(restOf('ENTRYPOINT')) as [string, string];
  const program: Program = { command: [...inRoot, ...entry], folder: image };
  const inside = { ...env, HOST: '127.0.0.1', PATH: '' };
  const service = await startProcess(inside, [], program);
  try {
    const { port } = new URL(service.baseUrl);
    for (const path of ['/readyz', '/console/sign-in', '/docs', '/help'])
      assert.equal((await fetch(service.baseUrl.replace('127.0.0.1', 'localhost') + path)).status, 200, path);
    const [file, ...args] = [...inRoot, ...healthCheck];
    await run(file, args, { env: environment({ ...env, PORT: port }) });
    // Nobody answers there.
    await assert.rejects(run(file, args, { env: environment({ ...env, PORT: '1' }) }));
  } finally {
    assert.equal(await service.stop(), 0, service.output());
  }
  // What somebody does with it, by the commands of the image on its volume.
  const stoppedMs = await walkInstallation(program, {
    env: inside,
    clientFile: join(image, 'opt', 'soundings', 'dist', 'client', 'index.js'),
    pathOf: (name) => `/data/${name}`,
  });
  test.diagnostic(`stopped within ${Math.round(stoppedMs)} ms`);
});

/** Runs the steps of the first stage; what they name under /tmp and /image lies in folders of this test instead. */
async function buildRoot(steps: readonly DockerfileStep[]): Promise<string> {
  const folder = temporaryFolder('image');
  const places = {
    '/build': join(folder, 'build'),
    '/tmp': join(folder, 'tmp'),
    '/image': join(folder, 'image'),
  };
  for (const place of Object.values(places)) mkdirSync(place);
  const here = (words: string): string =>
    words.replaceAll(/(?<=\s)\/(?:build|tmp|image)\b/g, (place) => places[place as keyof typeof places]);
  for (const { word, rest } of steps)
    switch (word) {
      case 'ARG':
      case 'FROM':
        break;
      case 'WORKDIR':
        assert.equal(rest, '/build');
        break;
      case 'COPY':
        copy(rest.split(' ').slice(0, -1), places['/build']);
        break;
      case 'RUN':
        await run('sh', ['-c', here(rest)], { cwd: places['/build'], maxBuffer: outputMax });
        break;
      default:
        assert.fail(`The test does not know ${word}.`);
    }
  return places['/image'];
}

/** What git knows, less what .dockerignore names: the rest of this folder is of this machine. */
function copy(names: readonly string[], to: string): void {
  const known = execFileSync('git', ['ls-files', '-z', ...names], { cwd: repository, encoding: 'utf8' });
  for (const file of known.split('\0').filter((name) => name !== '')) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(repository, file), join(to, file));
  }
}
