// The part of lean-qr that is used. Its own types speak of documents and canvases, which the service does not have.

declare module 'lean-qr' {
  export interface Bitmap2D {
    /** Modules on each side, without a margin. */
    readonly size: number;
    /** Whether a module is dark; false outside of the code. */
    get(x: number, y: number): boolean;
  }

  export const correction: { readonly M: number };

  export function generate(text: string, options?: { readonly minCorrectionLevel?: number }): Bitmap2D;
}
