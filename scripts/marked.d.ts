// What is used of marked, so that types hold where what builds the help is not installed.

declare module 'marked' {
  export interface Token {
    readonly type: string;
    readonly text?: string;
    readonly tokens?: readonly Token[];
  }
  export class Marked {
    constructor(options: { readonly gfm: boolean; readonly renderer: object });
    lexer(text: string): readonly Token[];
    parser(tokens: readonly Token[]): string;
  }
}
