// The pages of the console as they were built into dist/console: the list of their files, and the bytes of each.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../domain/problem.ts';
import { SharedFile } from '../server/shared-file.ts';

export interface ConsoleManifest {
  readonly script: string;
  readonly firstPaint: string;
  readonly style: string;
  readonly icon: string;
  readonly preload: { readonly signIn: readonly string[]; readonly me: readonly string[] };
  readonly files: readonly string[];
}

export const assetTypes = { js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml' } as const;

export class ConsoleFiles {
  readonly #folder: string;
  /** By names that change with what is in them, so that one that was read stays right. */
  readonly #files = new Map<string, SharedFile>();

  constructor(folder: string = fileURLToPath(new URL('../../../dist/console', import.meta.url))) {
    this.#folder = folder;
  }

  /** Read at every page, so that pages built anew need no restart; null where none were built. */
  async manifest(): Promise<ConsoleManifest | null> {
    try {
      return JSON.parse(await readFile(`${this.#folder}/manifest.json`, 'utf8')) as ConsoleManifest;
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return null;
      throw error;
    }
  }

  /** Only what the list names is ever read. */
  async file(name: string): Promise<{ readonly file: SharedFile; readonly type: string }> {
    const kind = name.slice(name.lastIndexOf('.') + 1) as keyof typeof assetTypes;
    let file = this.#files.get(name);
    if (file === undefined) {
      const manifest = await this.manifest();
      if (manifest?.files.includes(name) !== true)
        throw new Problem('ROUTE_NOT_FOUND', 'The console has no such file: load the page again.');
      file = new SharedFile(() => readFile(`${this.#folder}/assets/${name}`));
      this.#files.set(name, file);
    }
    return { file, type: assetTypes[kind] };
  }
}
