// What the caller wants back, in type and in encoding.

import Negotiator from 'negotiator';
import { Problem } from '../../domain/problem.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import type { RouteFacts } from './route.ts';

/** The content type to answer with (D-25): the endpoint's usual one, where the caller names none. */
export function chooseType(
  accept: string | undefined,
  { accept: need, produces }: Pick<RouteFacts, 'accept' | 'produces'>,
): string {
  const [usual = 'application/json'] = produces;
  if (accept === undefined) {
    if (need === 'required')
      throw new Problem('ACCEPT_REQUIRED', `This endpoint needs the header Accept, for example ${usual}.`, {
        details: [{ field: 'Accept', code: 'MISSING', message: 'is required.' }],
      });
    return usual;
  }
  if (accept === usual || accept === '*/*') return usual;
  // Many send "application/json; charset=utf-8". Parameters choose nothing here, so all but q are dropped.
  const ranges = accept.replaceAll(/;\s*(?!q\s*=)[^;,="\s]+\s*=\s*("[^"]*"|[^;,\s"]*)/gi, '');
  const chosen = new Negotiator({ headers: { accept: ranges } }).mediaType([...produces]);
  if (chosen === undefined) {
    throw new Problem(
      'NOT_ACCEPTABLE',
      `None of the content types in Accept can be produced; there is ${produces.join(' and ')}.`,
    );
  }
  return chosen;
}

export const encodings = ['zstd', 'br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

// The published types are of an older version that had no second argument.
interface PreferringNegotiator {
  encoding(available: string[], options: { preferred: string[] }): string | undefined;
}

const remembered = new Cache<string, Encoding | 'identity'>({ bytesMax: 256 * 1024, bytesOf: () => 16 });

/** Callers send the same few headers over and over, so the choice is remembered. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | null {
  if (acceptEncoding === undefined) return null;
  const known = remembered.get(acceptEncoding);
  if (known !== undefined) return known === 'identity' ? null : known;
  const negotiator = new Negotiator({
    headers: { 'accept-encoding': acceptEncoding },
  }) as unknown as PreferringNegotiator;
  const chosen = negotiator.encoding([...encodings, 'identity'], { preferred: [...encodings] });
  const encoding = encodings.find((candidate) => candidate === chosen) ?? null;
  remembered.set(acceptEncoding, encoding ?? 'identity');
  return encoding;
}

const rememberedGzip = new Cache<string, 'gzip' | 'other'>({ bytesMax: 256 * 1024, bytesOf: () => 16 });

/** Whether the caller takes gzip, whatever it would like better: for bytes that are there in gzip and in nothing else. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  if (acceptEncoding === undefined) return false;
  let known = rememberedGzip.get(acceptEncoding);
  if (known === undefined) {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': acceptEncoding } });
    known = negotiator.encodings(['gzip']).length > 0 ? 'gzip' : 'other';
    rememberedGzip.set(acceptEncoding, known);
  }
  return known === 'gzip';
}
