// What the pages of the console are made of, as scripts/build-browser.ts lists it.

export interface ConsoleManifest {
  readonly script: string;
  readonly firstPaint: string;
  readonly style: string;
  readonly icon: string;
  readonly preload: { readonly signIn: readonly string[]; readonly me: readonly string[] };
}
