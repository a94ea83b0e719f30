// A QR code for a terminal and as a picture (D-449).

import { correction, generate } from 'lean-qr';

/** Modules around the code that must be light, by the standard. */
const margin = 4;

export interface QrCode {
  /** Modules on each side, with the margin. */
  readonly size: number;
  isDark(x: number, y: number): boolean;
}

export function qrCodeOf(text: string): QrCode {
  const code = generate(text, { minCorrectionLevel: correction.M });
  return {
    size: code.size + 2 * margin,
    isDark: (x, y) => code.get(x - margin, y - margin),
  };
}

// Black on white by their numbers in the table of 256 colours, which themes of terminals leave alone.
const blackOnWhite = '\u001b[38;5;16;48;5;231m';
const plain = '\u001b[0m';
const halves = [' ', '▄', '▀', '█'] as const;

/**
 * Two modules a character, one above the other, because characters are twice as high as wide. With colours it is black on white
 * on every terminal; without, dark modules are what is printed, as on paper.
 */
export function qrLines(code: QrCode, isColoured: boolean): readonly string[] {
  const lines: string[] = [];
  for (let y = 0; y < code.size; y += 2) {
    let line = '';
    for (let x = 0; x < code.size; x += 1)
      line += halves[(code.isDark(x, y) ? 2 : 0) + (code.isDark(x, y + 1) ? 1 : 0)];
    lines.push(isColoured ? `${blackOnWhite}${line}${plain}` : line);
  }
  return lines;
}

/** All dark modules as one path of SVG, a unit each. */
export function qrPath(code: QrCode): string {
  let path = '';
  for (let y = 0; y < code.size; y += 1)
    for (let x = 0; x < code.size; x += 1) {
      let width = 0;
      while (code.isDark(x + width, y)) width += 1;
      if (width === 0) continue;
      path += `M${x} ${y}h${width}v1h-${width}z`;
      x += width;
    }
  return path;
}

/** On white, so that it can be scaled and printed as it is. */
export function qrSvg(code: QrCode): string {
  const { size } = code;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" width="${size * 8}" height="${size * 8}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${qrPath(code)}"/></svg>\n`;
}
