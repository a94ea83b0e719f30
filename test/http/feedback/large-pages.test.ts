// Responses with parameters without measure: what is refused today, and what is shown of those that were kept before
// there were limits. A page holds exactly its rows, however large they are, and breaks where it cannot.

import assert from 'node:assert/strict';
import { get, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import zlib from 'node:zlib';
import { engines } from '../../support/engines.ts';
import { acme, bolt, feedbackCatalogue } from '../../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../../support/feedback-service.ts';
import { storeRows } from '../../support/store-rows.ts';

const range = 'from=2025-05-01&to=2025-05-31';
const largeCount = 60;
const nameCount = 1500;
// As before there were any.
const noLimits = {
  SOUNDINGS_PARAMETER_LIMIT: '100000',
  SOUNDINGS_PARAMETER_NAME_LIMIT: '10000',
  SOUNDINGS_PARAMETER_VALUE_LIMIT: '1000000',
};

interface Item {
  readonly id: string;
  readonly responses: readonly { readonly id: string; readonly answers: readonly string[] }[];
}
interface Page {
  readonly hasMore: boolean;
  readonly total: number;
  readonly items: readonly Item[];
}

const sent = '2025-05-05T10:00:00Z';
const namesOf = (index: number): string[] =>
  Array.from({ length: nameCount }, (_, name) => `p${name}-${index}${'x'.repeat(name % 50)}`);

function largeBody(index: number): object {
  const data = Object.fromEntries(namesOf(index).map((name) => [name, `é"${name.length}`]));
  return {
    surveyDefinitionId: 'acme-badge',
    responseId: `large-${String(index).padStart(3, '0')}`,
    submissionTimestamp: sent,
    responses: { 'Q-STARS': ['5'] },
    cpps: { data },
  };
}

for (const engine of engines) {
  describe(`large rows on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let boltToken: string;

    before(async () => {
      const keeping = await startFeedback(engine, { catalogue: feedbackCatalogue, env: noLimits });
      const keepingToken = await keeping.token(acme);
      for (let index = 0; index < largeCount; index += 1) {
        const { status, text } = await keeping.post(largeBody(index), keepingToken);
        assert.equal(status, 200, text.slice(0, 500));
      }
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        databaseUrl: keeping.databaseUrl,
        env: {
          SOUNDINGS_WRITE_TIMEOUT_MS: '1000',
          SOUNDINGS_ANSWER_MEMORY_BYTES: '4194304',
        },
      });
      const stopService = service.stop;
      service.stop = async () => {
        await stopService();
        await keeping.stop();
      };
      token = await service.token(acme);
      boltToken = await service.token(bolt);
    });
    after(() => service?.stop());

    const path = (query: string): string => `/v1/projects/300/data?${range}${query}`;

    const fetched = async (
      query: string,
      encoding: string,
    ): Promise<{ response: Response; bytes: Buffer }> => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'accept-encoding': encoding,
      };
      const response = await fetch(service.baseUrl + path(query), { headers });
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    };

    it('a page holds exactly the rows that offset and limit name, however large they are [D-175]', async () => {
      const windows = [
        ['&limit=1000', 0, largeCount, false],
        ['&limit=25', 0, 25, true],
        ['&limit=25&offset=50', 50, 10, false],
        ['&limit=1&offset=59', 59, 1, false],
      ] as const;
      for (const [query, first, count, hasMore] of windows) {
        const { response, bytes } = await fetched(query, 'identity');
        const { items, ...page } = JSON.parse(bytes.toString()) as Page;
        assert.deepEqual(page, { hasMore, total: largeCount });
        assert.equal(response.headers.has('link'), hasMore);
        const indexes = Array.from({ length: count }, (_, index) => first + index);
        assert.deepEqual(
          items.map(({ id }) => id),
          indexes.map((index) => `large-${String(index).padStart(3, '0')}`),
        );
        for (const [place, { responses }] of items.entries()) {
          const names = namesOf(first + place).sort();
          assert.deepEqual(
            responses.slice(1).map(({ id, answers }) => [id, ...answers]),
            names.map((name) => [name, `é"${name.length}`]),
          );
        }
      }
    });

    it('a large page is the same bytes in every encoding [D-29]', async () => {
      const { bytes: plain } = await fetched('&limit=1000', 'identity');
      assert.ok(plain.length > 10 * 1024 * 1024, String(plain.length));
      for (const encoding of ['gzip', 'br', 'zstd'] as const) {
        const headers = {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          'accept-encoding': encoding,
        };
        const answer = await rawExchange(service.baseUrl + path('&limit=1000'), headers);
        assert.equal(answer.headers['content-encoding'], encoding);
        const decode = {
          gzip: zlib.gunzipSync,
          br: zlib.brotliDecompressSync,
          zstd: zlib.zstdDecompressSync,
        };
        assert.ok(decode[encoding](answer.bytes).equals(plain), encoding);
      }
    });

    it('names, values and numbers of parameters have limits, and every one that is beyond is named [D-175]', async () => {
      const wide = (count: number): object =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, index]));
      const plain = {
        surveyDefinitionId: 'acme-badge',
        submissionTimestamp: '2025-06-01T10:00:00Z',
        responses: { 'Q-STARS': ['5'] },
      };
      const right = {
        ...plain,
        responseId: 'within',
        url: 'u'.repeat(4096),
        cpps: {
          data: { ['😀'.repeat(128)]: '😀'.repeat(4096) },
          properties: { list: ['v'.repeat(2047), 'v'.repeat(2048)] },
          metrics: wide(197),
        },
      };
      assert.equal((await service.post(right, token)).status, 200);
      const long = 'n'.repeat(129);
      const wrong = {
        ...plain,
        responseId: 'beyond',
        url: 'u'.repeat(4097),
        cpps: {
          data: { [long]: '1', a: 'v'.repeat(4097) },
          properties: { list: ['v'.repeat(2048), 'v'.repeat(2048)], [long]: ['1'] },
          metrics: { ...wide(200), [long]: 1 },
        },
      };
      const { status, body } = await service.post(wrong, token);
      assert.equal(status, 400);
      const faults = body.detailedErrors as { field: string; code: string }[];
      const shortened = `${'n'.repeat(80)}...`;
      assert.deepEqual(
        faults.map(({ field, code }) => [field, code]).sort(),
        [
          ['cpps', 'TOO_MANY_PARAMETERS'],
          ['cpps.data.a', 'VALUE_TOO_LONG'],
          [`cpps.data.${shortened}`, 'NAME_TOO_LONG'],
          [`cpps.metrics.${shortened}`, 'NAME_TOO_LONG'],
          ['cpps.properties.list', 'VALUE_TOO_LONG'],
          [`cpps.properties.${shortened}`, 'NAME_TOO_LONG'],
          ['url', 'VALUE_TOO_LONG'],
        ].sort(),
      );
    });

    it('a response that was kept before there were limits is still the same success when it is sent again [D-41]', async () => {
      const { status, body } = await service.post(largeBody(7), token);
      assert.deepEqual([status, body.message], [200, 'The response was kept before.']);
      assert.equal((await service.post({ ...largeBody(7), responseId: 'new' }, token)).status, 400);
    });

    it('without a token a body has at most 32 KiB, with one more [D-175]', async () => {
      const body = (id: string, bytes: number): string => {
        const whole = {
          surveyDefinitionId: 'acme-public',
          responseId: id,
          responses: { 'Q-SAT-1': ['5'] },
          pad: '',
        };
        whole.pad = 'p'.repeat(bytes - JSON.stringify(whole).length);
        return JSON.stringify(whole);
      };
      assert.equal((await service.post(body('small', 32 * 1024), null)).status, 200);
      const refused = await service.post(body('large', 32 * 1024 + 1), null);
      assert.deepEqual([refused.status, refused.body.errorCode], [413, 'BODY_TOO_LARGE']);
      assert.equal((await service.post(body('large', 32 * 1024 + 1), token)).status, 200);
    });

    it('a connection that takes nothing of its page is broken, also when requests go on arriving on it [D-176]', async () => {
      const socket = ask(path('&limit=1000'));
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.pause();
      const signs = setInterval(() => socket.write('G'), 100);
      await closed.finally(() => clearInterval(signs));
    });

    it('whoever does not read its pages keeps no other account from reading theirs [D-176]', async () => {
      const idle = Array.from({ length: 20 }, () => ask(path('&limit=1000')).pause());
      try {
        for (let turn = 0; turn < 20; turn += 1) {
          const { status } = await service.get(`/v1/projects/300/data?${range}`, boltToken);
          assert.equal(status, 200);
        }
      } finally {
        for (const socket of idle) socket.destroy();
      }
    });

    it('requests that are sent before the answer is read are answered in their order [D-176]', async () => {
      const ids = Array.from({ length: largeCount }, (_, index) => index).reverse();
      const one = (offset: number, rest: string): string =>
        `GET ${path(`&limit=1&offset=${offset}`)} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n${rest}\r\n`;
      const requests = ids.map((offset, place) =>
        one(offset, place === largeCount - 1 ? 'connection: close\r\n' : ''),
      );
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      socket.write(requests.join(''));
      const pieces: Buffer[] = [];
      for await (const piece of socket) pieces.push(piece as Buffer);
      const answered = Buffer.concat(pieces)
        .toString()
        .matchAll(/"items":\[\{"id":"large-(\d+)"/g);
      assert.deepEqual(
        [...answered].map(([, number]) => Number(number)),
        ids,
      );
    });

    it('a page that cannot be written to its end breaks off, and is never JSON [D-175]', async () => {
      service.expectErrors('INTERNAL_ERROR');
      const lastButOne = `seq = ${largeCount - 1} and account_id = ${acme} and source_id = (
        select source_id from source where account_id = ${acme} and kind = 'project' and source_key = 300)`;
      const change = (what: string, where = lastButOne): Promise<unknown> =>
        storeRows(service.databaseUrl, `update response set ${what} where ${where}`);
      // A row that nothing explains.
      await change('survey_no = survey_no + 1000');
      try {
        for (const encoding of ['identity', 'gzip', 'zstd'])
          await assert.rejects(() => fetched('&limit=1000', encoding), /terminated|aborted|closed/);
        // Where it is in the first slice, there is still an answer to give.
        const { status, body } = await service.get(path('&limit=1&offset=58'), token);
        assert.deepEqual([status, body.status], [500, 500]);
      } finally {
        await change('survey_no = survey_no - 1000');
      }
      // A row that is not there is missed before the first byte, while many are read at once.
      await change('seq = -seq');
      try {
        for (const query of ['&limit=1000', '&limit=1&offset=58']) {
          const { status, body } = await service.get(path(query), token);
          assert.deepEqual([status, body.status], [500, 500]);
        }
      } finally {
        await change('seq = -seq', lastButOne.replace('seq =', 'seq = -'));
      }
      assert.equal((await fetched('&limit=1000', 'identity')).response.status, 200);
    });

    function ask(target: string): Socket {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
      socket.on('error', () => {});
      socket.write(`GET ${target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`);
      return socket;
    }
  });

  describe(`the throttle and large rows on ${engine.name}`, () => {
    it('what a page has beyond a mebibyte is paid for like further requests [D-175]', async () => {
      const env = {
        ...noLimits,
        SOUNDINGS_THROTTLE: 'on',
        SOUNDINGS_THROTTLE_CLIENT_RATE: '1',
        SOUNDINGS_THROTTLE_CLIENT_BURST: '60',
      };
      const service = await startFeedback(engine, { catalogue: feedbackCatalogue, env });
      try {
        const sender = await service.token(acme);
        for (let index = 0; index < 25; index += 1)
          assert.equal((await service.post(largeBody(index), sender)).status, 200);
        const reader = await service.token(acme);
        const small = `/v1/projects/300/data?${range}&limit=1`;
        assert.equal((await service.get(small, reader)).status, 200);
        assert.equal((await service.get(small, reader)).status, 200);
        const { text } = await service.get(`/v1/projects/300/data?${range}`, reader);
        assert.ok(text.length > 5 * 1024 * 1024, String(text.length));
        const { headers } = await service.get(small, reader);
        const left = Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]);
        const paid = Math.floor((Buffer.byteLength(text) - 1024 * 1024) / (256 * 1024));
        assert.ok(Math.abs(60 - 5 - paid - left) <= 2, `${left} left after ${paid}`);
      } finally {
        await service.stop();
      }
    });
  });
}

/** The bytes as they came; fetch would decode them. */
function rawExchange(
  url: string,
  headers: Record<string, string>,
): Promise<{ readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const asked = get(url, { headers }, async (incoming) => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      resolve({ headers: incoming.headers, bytes: Buffer.concat(pieces) });
    });
    asked.on('error', reject);
  });
}
