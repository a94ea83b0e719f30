// The first look at a page of the console, as HTML: drawn here by the code of the page itself, which is built for it (D-781). The script
// of the page takes over what it finds.

import { compileFunction } from 'node:vm';
import type { PageName } from '../../../domain/console/page-paths.ts';
import type { BuiltFiles } from '../../server/built-files.ts';
import type { ConsoleLanguage, ConsoleManifest } from './console-files.ts';

/** Those that console/server/loaders.ts has. */
const drawnPages: readonly PageName[] = ['overview'];

interface Look {
  readonly page: PageName;
  readonly language: ConsoleLanguage;
  /** With its query. */
  readonly address: string;
  /** What stands in the page as its first data. */
  readonly told: string;
  /** When its first data were asked for: the look is of the same day. */
  readonly nowMs: number;
}

/** What of a browser the code of pages asks for before anybody has clicked, in the order of `browserOf`. */
const browserNames = ['location', 'document', 'navigator', 'localStorage', 'Date'];

type FirstScreenCode = (...browser: readonly unknown[]) => { drawFirst(): Promise<string> };

export class FirstScreen {
  readonly #files: BuiltFiles<ConsoleManifest>;
  #code: { readonly file: string; readonly run: FirstScreenCode } | null = null;

  constructor(files: BuiltFiles<ConsoleManifest>) {
    this.#files = files;
  }

  /** Empty where the page is drawn by its script alone. */
  async draw({ firstScreen }: ConsoleManifest, look: Look): Promise<string> {
    if (!drawnPages.includes(look.page)) return '';
    // Run anew for each look, so that nothing that one person sees is there for the next.
    const { drawFirst } = (await this.#load(firstScreen))(...browserOf(look));
    return drawFirst();
  }

  async #load(file: string): Promise<FirstScreenCode> {
    if (this.#code?.file !== file) {
      const text = (await this.#files.bytes(file)).toString('utf8');
      const run = compileFunction(`${text}\nreturn firstScreen;`, browserNames, { filename: file });
      this.#code = { file, run: run as FirstScreenCode };
    }
    return this.#code.run;
  }
}

function browserOf({ language, address, told, nowMs }: Look): readonly unknown[] {
  const document = {
    querySelector: (wanted: string) => (wanted === '#page-preload' ? { textContent: told } : null),
    documentElement: { lang: language, dataset: {} },
    cookie: '',
  };
  return [new URL(address), document, { languages: [language] }, undefined, clockAt(nowMs)];
}

function clockAt(nowMs: number): new () => Date {
  return class extends Date {
    static override now(): number {
      return nowMs;
    }
  };
}
