// A page that is the same for everybody but for a few holes, such as the token of its form. It is made and compressed once; for
// each reader the pieces are put together with what fills the holes between them. In gzip (RFC 1952) that costs no compression:
// each piece is a run of deflate blocks that ends at a whole byte and refers to nothing outside of itself, and what fills a hole
// is a stored block (RFC 1951 3.2.4) (D-433).

import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';

const deflate = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.deflateRaw);

interface Piece {
  /** Which hole stands before it; -1 for the first piece. */
  readonly hole: number;
  readonly plain: Buffer;
  readonly deflated: Buffer;
}

/** Texts that stand for the holes while the page is made: nobody can guess one, so nobody can write one into a survey. */
export function holeMarks(count: number): readonly string[] {
  return Array.from({ length: count }, () => `hole-${randomBytes(18).toString('hex')}`);
}

// No name, no time, best compression, unknown system.
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
const storedMax = 0xffff;

export class SplicedPage {
  readonly #pieces: readonly Piece[];
  readonly #firstCrc: number;

  private constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
    this.#firstCrc = zlib.crc32(pieces[0]!.plain);
  }

  /** Compressed as small as can be, which takes a large page tens of milliseconds: the thread pool does it. */
  static async of(text: string, marks: readonly string[]): Promise<SplicedPage> {
    const texts = piecesOf(text, marks);
    const pieces = texts.map(async ({ hole, text: piece }, index) => {
      const plain = Buffer.from(piece);
      const isLast = index === texts.length - 1;
      return { hole, plain, deflated: await deflate(plain, isLast ? lastOptions : options) };
    });
    return new SplicedPage(await Promise.all(pieces));
  }

  /** In memory. */
  get bytes(): number {
    return this.#pieces.reduce((sum, { plain, deflated }) => sum + plain.length + deflated.length + 300, 300);
  }

  plain(fillings: readonly string[]): Buffer {
    return Buffer.concat(
      this.#pieces.flatMap(({ hole, plain }) =>
        hole === -1 ? [plain] : [Buffer.from(fillings[hole] ?? ''), plain],
      ),
    );
  }

  gzip(fillings: readonly string[]): Buffer {
    const parts: Buffer[] = [gzipHead];
    let crc = this.#firstCrc;
    let length = 0;
    for (const { hole, plain, deflated } of this.#pieces) {
      if (hole !== -1) {
        const filling = Buffer.from(fillings[hole] ?? '');
        crc = zlib.crc32(filling, crc);
        length += filling.length;
        addStored(parts, filling);
        crc = zlib.crc32(plain, crc);
      }
      length += plain.length;
      parts.push(deflated);
    }
    const tail = Buffer.allocUnsafe(8);
    tail.writeUInt32LE(crc, 0);
    tail.writeUInt32LE(length % 2 ** 32, 4);
    parts.push(tail);
    return Buffer.concat(parts);
  }
}

const lastOptions = { level: 9 };
// Ends at a whole byte, and more blocks may follow.
const options = { ...lastOptions, finishFlush: zlib.constants.Z_SYNC_FLUSH };

function addStored(parts: Buffer[], bytes: Buffer): void {
  for (let at = 0; at < bytes.length; at += storedMax) {
    const part = bytes.subarray(at, at + storedMax);
    const head = Buffer.allocUnsafe(5);
    head[0] = 0;
    head.writeUInt16LE(part.length, 1);
    head.writeUInt16LE(part.length ^ 0xffff, 3);
    parts.push(head, part);
  }
}

function piecesOf(
  text: string,
  marks: readonly string[],
): { readonly hole: number; readonly text: string }[] {
  const places = marks
    .flatMap((mark, hole) => allPlaces(text, mark).map((at) => ({ at, hole, length: mark.length })))
    .sort((one, other) => one.at - other.at);
  const pieces: { readonly hole: number; readonly text: string }[] = [];
  let from = 0;
  let hole = -1;
  for (const place of places) {
    pieces.push({ hole, text: text.slice(from, place.at) });
    from = place.at + place.length;
    hole = place.hole;
  }
  pieces.push({ hole, text: text.slice(from) });
  return pieces;
}

function allPlaces(text: string, mark: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + mark.length)) places.push(at);
  return places;
}
