// Makes a few files of the program and its libraries, for the package and the single file (D-650): most of what a start costs is
// finding and loading a thousand modules. Nothing is made smaller or renamed, so that a stack in a log can be read. What is
// imported by a call stays a file of its own, and is loaded when it is called for.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { threadFiles } from '../src/installation.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** What starts, and its threads. */
const programs: Readonly<Record<string, string>> = { main: 'main.ts', ...threadFiles };

/**
 * Each with everything that it imports, less what is in those before it. Left to itself the bundler makes a file of every set of
 * modules that the same programs and calls share, 152 for a service, and to find and link those is a fifth of its start (D-785).
 */
const groups = [
  // What the program itself begins with: left to 'service', every verb would load the whole of it.
  { name: 'entry', test: /[/\\]cli[/\\](frame[/\\]stop-signal|start[/\\]memory-bounds)\.ts$/, priority: 5 },
  { name: 'verbs', test: /[/\\]cli[/\\]program\.ts$/, priority: 4 },
  {
    name: 'changes',
    test: /[/\\](store[/\\]changes|sqlite-connection|disk-reserve)\.ts$/,
    priority: 3,
  },
  { name: 'context', test: /[/\\]open-context\.ts$/, priority: 2 },
  { name: 'service', test: /[/\\]cli[/\\]start[/\\]serve\.ts$/, priority: 1 },
];

/** Writes them into the folder; packages that are named as apart are found in node_modules when they are asked for. */
export async function bundleProgram(folder: string, apart: readonly string[] = []): Promise<void> {
  // Names of files change with what is in them: those of before would stay.
  rmSync(folder, { recursive: true, force: true });
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(
      Object.entries(programs).map(([name, file]) => [name, join(root, 'src', file)]),
    ),
    platform: 'node',
    external: (name) =>
      name.startsWith('node:') || apart.some((one) => name === one || name.startsWith(`${one}/`)),
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].mjs',
    // All of them side by side: src/installation.ts finds the others by the place of whichever file it became part of.
    chunkFileNames: '[name]-[hash].mjs',
    codeSplitting: { groups },
  });
  await bundle.close();
}
