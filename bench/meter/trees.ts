// The program as it was at a commit: checked out beside this one and installed, once for each commit. Not under node_modules, where Node
// runs no TypeScript.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from '../../scripts/bundle-program.ts';
import type { Program } from '../../test/support/service.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const releases = JSON.parse(readFileSync(new URL('../releases.json', import.meta.url), 'utf8')) as Record<
  string,
  string
>;

export interface Tree {
  /** As it was asked for: a release, a commit, "package", or "now". */
  readonly name: string;
  readonly program: Program;
}

export const ownTree: Tree = treeIn('now', root);

/** What an older release lacks is left out and said. */
export function leaveOut(tree: Tree, error: unknown, say: (line: string) => void): void {
  if (tree === ownTree) throw error;
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  say(`  ${tree.name} is left out: ${reason.slice(0, 160)}`);
}

/** A release by its number, whatever Git understands as a commit, or this tree as the package has it. */
export async function treeOf(name: string, say: (line: string) => void): Promise<Tree> {
  if (name === 'package') {
    // Where npm pack has it made: the program finds its pages beside it.
    const bundle = join(root, 'dist', 'program');
    await bundleProgram(bundle);
    return { name, program: { command: [process.execPath, join(bundle, 'main.mjs')], folder: root } };
  }
  const commit = execFileSync('git', ['rev-parse', '--verify', `${releases[name] ?? name}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const folder = join(root, 'dist', 'bench', commit);
  if (!existsSync(folder)) {
    say(`Installing ${name} (${commit.slice(0, 7)}) beside this one ...`);
    const begun = `${folder}.begun`;
    rmSync(begun, { recursive: true, force: true });
    mkdirSync(begun, { recursive: true });
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['-x'], { cwd: begun, input: archive });
    execFileSync('npm', ['run', 'prestart'], { cwd: begun, stdio: ['ignore', 'ignore', 'inherit'] });
    // Whoever is broken off half way begins anew.
    renameSync(begun, folder);
  }
  return treeIn(name, folder);
}

function treeIn(name: string, folder: string): Tree {
  const node = join(folder, 'node_modules', '.bin', 'node');
  return { name, program: { command: [node, join(folder, 'bin', 'soundings.js')], folder } };
}
