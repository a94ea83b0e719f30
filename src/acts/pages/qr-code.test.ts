import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type QrCode, qrCodeOf, qrLines, qrSvg } from './qr-code.ts';

const links = Array.from(
  { length: 40 },
  (_, index) => `https://feedback.example/s/${'survey-'.repeat(index + 1)}`,
);

describe('a QR code', () => {
  it('has its three corner marks and a margin of four light modules, however long the link is [D-449]', () => {
    for (const link of links) {
      const code = qrCodeOf(link);
      const last = code.size - 4 - 7;
      for (const [left, top] of [
        [4, 4],
        [last, 4],
        [4, last],
      ] as const)
        for (let y = 0; y < 7; y += 1)
          for (let x = 0; x < 7; x += 1) {
            const ring = Math.max(Math.abs(x - 3), Math.abs(y - 3));
            assert.equal(code.isDark(left + x, top + y), ring !== 2, `${x} ${y}`);
          }
      for (let along = 0; along < code.size; along += 1)
        for (const [x, y] of [
          [along, 3],
          [3, along],
          [along, code.size - 4],
          [code.size - 4, along],
        ] as const)
          assert.equal(code.isDark(x, y), false);
    }
  });

  it('is the same in the terminal, with and without colours, and as a picture [D-449]', () => {
    for (const link of links) {
      const code = qrCodeOf(link);
      const drawn = qrLines(code, false);
      assert.equal(drawn.length, Math.ceil(code.size / 2));
      assert.deepEqual(modulesOf(drawn, code.size), modules(code));
      const coloured = qrLines(code, true);
      for (const line of coloured) assert.match(line, /^\u001b\[38;5;16;48;5;231m[ ▀▄█]+\u001b\[0m$/);
      assert.deepEqual(
        coloured.map((line) => line.replaceAll(/\u001b\[[\d;]*m/g, '')),
        drawn,
      );
      assert.deepEqual(modulesOfPath(qrSvg(code), code.size), modules(code));
    }
  });
});

function modules({ size, isDark }: QrCode): string[] {
  return Array.from({ length: size }, (_, y) =>
    Array.from({ length: size }, (_, x) => (isDark(x, y) ? '#' : '.')).join(''),
  );
}

function modulesOf(lines: readonly string[], size: number): string[] {
  const upper = (line: string) => line.replaceAll(/[▀█]/g, '#').replaceAll(/[^#]/g, '.');
  const lower = (line: string) => line.replaceAll(/[▄█]/g, '#').replaceAll(/[^#]/g, '.');
  return lines.flatMap((line) => [upper(line), lower(line)]).slice(0, size);
}

function modulesOfPath(svg: string, size: number): string[] {
  const rows = Array.from({ length: size }, () => Array<string>(size).fill('.'));
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    rows[Number(y)]!.fill('#', Number(x), Number(x) + Number(width));
  return rows.map((row) => row.join(''));
}
