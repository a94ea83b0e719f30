import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { compressed, SliceStream, worthItBytes } from './compress.ts';

const unpack = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;

/** As far as it matters here, an answer is its headers. */
function compress(encoding: keyof typeof unpack, bytes: Buffer): unknown {
  const headers = new Map<string, unknown>();
  const reply = {
    getHeader: (name: string) => headers.get(name),
    hasHeader: (name: string) => headers.has(name),
    header: (name: string, value: unknown) => headers.set(name, value),
    removeHeader: (name: string) => headers.delete(name),
  };
  const request = { headers: { 'accept-encoding': encoding } };
  return compressed(request as unknown as FastifyRequest, reply as unknown as FastifyReply, bytes);
}

const respondents = Array.from({ length: 4_000 }, (_, index) => ({
  id: `r-${index * 7919}`,
  name: 'How would you rate the navigation of this site?',
  answers: [String(index % 11)],
}));
const page = Buffer.from(JSON.stringify(respondents)).subarray(0, 400_000);
const noise = Buffer.from(randomBytes(300_000).toString('base64')).subarray(0, 400_000);
// A page may begin like any other and hold whatever somebody sent behind that.
const mixed = Buffer.concat([page.subarray(0, 40_000), noise]);

describe('compressed answers', () => {
  for (const encoding of ['zstd', 'br', 'gzip'] as const)
    it(`${encoding} gives the same bytes back, in place or aside`, async () => {
      for (const bytes of [page, noise, mixed, page.subarray(0, 2_000), Buffer.concat([page, page, page])])
        assert.deepEqual(unpack[encoding]((await compress(encoding, bytes)) as Buffer), bytes);
    });

  it('gzip is done in place for a page that shrinks, and never for long on what does not shrink [D-199]', () => {
    assert.ok(Buffer.isBuffer(compress('gzip', page)));
    assert.ok(compress('gzip', noise) instanceof Promise);
    assert.ok(compress('gzip', mixed) instanceof Promise);
    assert.ok(Buffer.isBuffer(compress('gzip', noise.subarray(0, 100_000))));
  });

  it('nothing larger than a mebibyte is done in place [D-199]', () => {
    const large = Buffer.concat([page, page, page]);
    for (const encoding of ['zstd', 'br', 'gzip'] as const)
      assert.ok(compress(encoding, large) instanceof Promise, encoding);
  });
});

async function* slices(): AsyncGenerator<Buffer> {
  yield Buffer.alloc(worthItBytes, 'a');
}

describe('an answer that is compressed', () => {
  for (const [made, payload] of [
    ['whole', () => Buffer.alloc(worthItBytes, 'a')],
    ['in slices', () => new SliceStream(slices())],
  ] as const)
    it(`says beside what it varies by already that it varies by encoding, made ${made}`, async () => {
      const app = Fastify();
      app.addHook('onSend', async (request, reply, sent) => compressed(request, reply, sent));
      app.get('/', (_request, reply) => reply.header('vary', 'Origin').send(payload()));
      const answer = await app.inject({ url: '/', headers: { 'accept-encoding': 'gzip' } });
      assert.deepEqual(
        [answer.headers.vary, answer.headers['content-encoding']],
        ['Origin, Accept-Encoding', 'gzip'],
      );
      await app.close();
    });
});
