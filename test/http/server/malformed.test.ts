// What no honest client sends. Every row must get an answer of the 4xx kind or a closed connection; never a 5xx, never
// silence, never a second answer to bytes that were meant to be taken for a request of someone else.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { mountAreas, readingPaths } from '../../support/area-routes.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import { addRoute, type Mounted, startMounted } from '../../support/mounted.ts';
import { rawRequest, sendRaw } from '../../support/raw-http.ts';
import { tokenFor } from '../../support/service.ts';

type Bytes = string | Uint8Array;
type Table = Readonly<Record<string, Bytes>>;

const host = 'Host: soundings.test';
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const get = (...headers: string[]): string => rawRequest('GET /livez HTTP/1.1', headers);
const line = (text: string): string => `${text}\r\n${host}\r\n\r\n`;
const posted = (headers: readonly string[], body = ''): string =>
  rawRequest('POST /mounted/echo HTTP/1.1', ['Content-Type: application/json', ...headers], body);
const chunked = (body: string): string => posted(['Transfer-Encoding: chunked'], body);
// A request inside the body of another: it must never be carried out.
const hidden = `GET /mounted/hidden HTTP/1.1\r\n${host}\r\n\r\n`;

const requestLines: Table = {
  'nothing but an end of line': '\r\n',
  'many ends of line': '\r\n'.repeat(500),
  'a word': 'GET\r\n\r\n',
  'a word and a space': 'GET \r\n\r\n',
  'no version': line('GET /livez'),
  'no version and no headers, as before HTTP/1.0': 'GET /livez\r\n',
  'tabs for spaces': line('GET\t/livez\tHTTP/1.1'),
  'a leading space': line(' GET /livez HTTP/1.1'),
  'a leading tab': line('\tGET /livez HTTP/1.1'),
  'a space in the target': line('GET /liv ez HTTP/1.1'),
  'a word too many': line('GET /livez HTTP/1.1 now'),
  'a target alone': line('/livez HTTP/1.1'),
  'no target': line('GET HTTP/1.1'),
  'no slash in the target': line('GET livez HTTP/1.1'),
  'a lower-case method': line('get /livez HTTP/1.1'),
  'a mixed-case method': line('Get /livez HTTP/1.1'),
  'an unknown method': line('FOO /livez HTTP/1.1'),
  'a method that goes on': line('GETS /livez HTTP/1.1'),
  'a coffee method': line('BREW /livez HTTP/1.1'),
  'a method with a NUL': line('G\0T /livez HTTP/1.1'),
  'a method with a sign': line('G@T /livez HTTP/1.1'),
  'a method of 10,000 letters': line(`${'A'.repeat(10_000)} /livez HTTP/1.1`),
  'a method without a name': line('"" /livez HTTP/1.1'),
  'a lower-case version': line('GET /livez http/1.1'),
  'half a version': line('GET /livez HTTP/1'),
  'a version that breaks off': line('GET /livez HTTP/1.'),
  'a version without a point': line('GET /livez HTTP/11'),
  'a version with a comma': line('GET /livez HTTP/1,1'),
  'version 0.9': line('GET /livez HTTP/0.9'),
  'version 1.2': line('GET /livez HTTP/1.2'),
  'version 1.10': line('GET /livez HTTP/1.10'),
  'version 2.0': line('GET /livez HTTP/2.0'),
  'version 3.0': line('GET /livez HTTP/3.0'),
  'version 9.9': line('GET /livez HTTP/9.9'),
  'another protocol in the line': line('GET /livez HTTPS/1.1'),
  'a made-up protocol': line('GET /livez FOO/1.1'),
  'a NUL in the target': line('GET /liv\0ez HTTP/1.1'),
  'a control in the target': line('GET /liv\u0001ez HTTP/1.1'),
  'a delete in the target': line('GET /liv\u007fez HTTP/1.1'),
  'a high byte in the target': latin1(line('GET /liv\u00ffez HTTP/1.1')),
  'UTF-8 in the target': line('GET /livéz HTTP/1.1'),
  'a carriage return in the target': line('GET /liv\rez HTTP/1.1'),
  'a line feed in the target': line('GET /liv\nez HTTP/1.1'),
  'bare line feeds': `GET /livez HTTP/1.1\n${host}\n\n`,
  'bare carriage returns': `GET /livez HTTP/1.1\r${host}\r\r`,
  'one bare line feed after the request line': `GET /livez HTTP/1.1\n${host}\r\n\r\n`,
  'an asterisk for OPTIONS': line('OPTIONS * HTTP/1.1'),
  'an asterisk for GET': line('GET * HTTP/1.1'),
  'an authority for GET': line('GET soundings.test:80 HTTP/1.1'),
  'an authority for CONNECT': line('CONNECT soundings.test:443 HTTP/1.1'),
  'a path for CONNECT': line('CONNECT /livez HTTP/1.1'),
  'an absolute target of another scheme': line('GET ftp://soundings.test/livez HTTP/1.1'),
  'an absolute target of a file': line('GET file:///etc/passwd HTTP/1.1'),
  'an absolute target without a server': line('GET http:///livez HTTP/1.1'),
  'an absolute target that breaks off': line('GET http:// HTTP/1.1'),
  'an absolute target that leads nowhere': line('GET http://soundings.test/nothing HTTP/1.1'),
  'a target that starts with a question': line('GET ?a=b HTTP/1.1'),
  'a fragment alone': line('GET #a HTTP/1.1'),
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'the preface of HTTP/2 and a frame': latin1('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0'),
  'a frame of HTTP/2': latin1('\0\0\0\u0004\0\0\0\0\0'),
  'a greeting of TLS': latin1(
    `\u0016\u0003\u0001\0\u00a5\u0001\0\0\u00a1\u0003\u0003${'\u00aa'.repeat(160)}`,
  ),
  'a greeting of SSH': 'SSH-2.0-OpenSSH_9.6\r\n',
  'a greeting of SMTP': 'EHLO soundings.test\r\n',
  'a header of the PROXY protocol': `PROXY TCP4 10.0.0.1 10.0.0.2 1234 80\r\n${get()}`,
  'a binary header of the PROXY protocol': latin1('\r\n\r\n\0\r\nQUIT\n\u0021\u0011\0\u000c'),
  'a command of Redis': '*1\r\n$4\r\nPING\r\n',
  'JSON alone': '{"a":1}',
  'a NUL': '\0',
  '10,000 NULs': '\0'.repeat(10_000),
  'random bytes': latin1('\u0080\u00ff\u0000\u00fe\u0090\r\n\u0012\u0099'),
  'an answer instead of a request': 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
  'an address of 8,193 bytes': line(`GET /livez?${'x'.repeat(8_186)} HTTP/1.1`),
  'an address of 30,000 bytes': line(`GET /livez?${'x'.repeat(30_000)} HTTP/1.1`),
  'an address of 200,000 bytes': line(`GET /livez?${'x'.repeat(200_000)} HTTP/1.1`),
  'an address that never ends': `GET /${'x'.repeat(100_000)}`,
};

const headerFields: Table = {
  'no Host': 'GET /livez HTTP/1.1\r\n\r\n',
  'two Hosts': get('Host: other.test'),
  'two Hosts of one name': get(host),
  'two Hosts in two spellings': get('HOST: other.test'),
  'three Hosts': get('Host: a', 'host: b'),
  'a space before the colon': get('X-Test : a'),
  'a space before the colon of Host': 'GET /livez HTTP/1.1\r\nHost : a\r\n\r\n',
  'a tab before the colon': get('X-Test\t: a'),
  'no colon': get('X-Test'),
  'no name': get(': a'),
  'a space in the name': get('X Test: a'),
  'a leading space': `GET /livez HTTP/1.1\r\n ${host}\r\n\r\n`,
  'a folded line': get('X-Test: a\r\n b'),
  'a folded line with a tab': get('X-Test: a\r\n\tb'),
  'a bracket in the name': get('X(Test): a'),
  'a quote in the name': get('"X": a'),
  'an at in the name': get('X@Test: a'),
  'a slash in the name': get('X/Test: a'),
  'a NUL in the name': get('X\0Test: a'),
  'a control in the name': get('X\u0001Test: a'),
  'a high byte in the name': latin1(get('X\u00e9Test: a')),
  'a NUL in the value': get('X-Test: a\0b'),
  'a control in the value': get('X-Test: a\u0001b'),
  'a delete in the value': get('X-Test: a\u007fb'),
  'a carriage return in the value': get('X-Test: a\rb'),
  'a carriage return and a header in the value': get('X-Test: a\rX-Other: b'),
  'a bare line feed after a header': `GET /livez HTTP/1.1\r\n${host}\nX-Test: a\r\n\r\n`,
  'a bare line feed at the end': `GET /livez HTTP/1.1\r\n${host}\r\n\n`,
  'a header of 40,000 bytes': get(`X-Test: ${'a'.repeat(40_000)}`),
  'a name of 40,000 bytes': get(`${'a'.repeat(40_000)}: a`),
  'a header of 1 MiB': get(`X-Test: ${'a'.repeat(1_048_576)}`),
  '5,000 headers': get(...Array.from({ length: 5_000 }, (_, index) => `X-Test-${index}: a`)),
  'headers that never end': `GET /livez HTTP/1.1\r\n${'X-Test: a\r\n'.repeat(10_000)}`,
  'an unreadable Accept': rawRequest('GET / HTTP/1.1', ['Accept: ////;;;===']),
};

const lengths: Table = Object.fromEntries(
  [
    '-1',
    '+1',
    '1,1',
    '1, 2',
    '1;2',
    '0x2',
    '2.0',
    '1e1',
    'two',
    '2 2',
    '2a',
    '"2"',
    '\u0662',
    'NaN',
    'Infinity',
    '18446744073709551616',
    '99999999999999999999999999',
    '-0',
  ].map((length) => [`Content-Length: ${length}`, posted([`Content-Length: ${length}`], '{}')]),
);

const framing: Table = {
  ...lengths,
  'an empty length': posted(['Content-Length:'], '{}'),
  'a length with a NUL': posted(['Content-Length: 2\0'], '{}'),
  'two lengths': posted(['Content-Length: 2', 'Content-Length: 3'], '{}'),
  'two lengths that agree': posted(['Content-Length: 2', 'Content-Length: 2'], '{}'),
  'a body shorter than its length': posted(['Content-Length: 10'], '{}'),
  'a body that never comes': posted(['Content-Length: 10']),
  'a body far beyond the limit that is announced': posted(['Content-Length: 1000000000']),
  'a body far beyond the limit that comes': posted(['Content-Length: 3000000'], 'x'.repeat(3_000_000)),
  'a length and chunks': posted(['Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  'chunks and a length': posted(['Transfer-Encoding: chunked', 'Content-Length: 5'], '0\r\n\r\n'),
  'a length and chunks with a request behind': posted(
    ['Content-Length: 5', 'Transfer-Encoding: chunked'],
    `0\r\n\r\n${hidden}`,
  ),
  'chunks and a length with a request behind': posted(
    ['Transfer-Encoding: chunked', `Content-Length: ${hidden.length}`],
    hidden,
  ),
  'a length of nothing and chunks': posted(['Content-Length: 0', 'Transfer-Encoding: chunked'], hidden),
  'two lengths with a request behind': posted(
    ['Content-Length: 2', `Content-Length: ${hidden.length + 2}`],
    `{}${hidden}`,
  ),
  'two codings': posted(
    ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
    '2\r\n{}\r\n0\r\n\r\n',
  ),
  'chunked before another coding': posted(['Transfer-Encoding: chunked, identity'], '2\r\n{}\r\n0\r\n\r\n'),
  'an unknown coding': posted(['Transfer-Encoding: xchunked'], '2\r\n{}\r\n0\r\n\r\n'),
  'an unknown coding and a length': posted(['Transfer-Encoding: xchunked', 'Content-Length: 2'], '{}'),
  'a coding in quotes': posted(['Transfer-Encoding: "chunked"'], '2\r\n{}\r\n0\r\n\r\n'),
  'a coding with a parameter': posted(['Transfer-Encoding: chunked;a=b'], '2\r\n{}\r\n0\r\n\r\n'),
  'a coding with a NUL': posted(['Transfer-Encoding: chunked\0'], '2\r\n{}\r\n0\r\n\r\n'),
  'a coding after a vertical tab': posted(['Transfer-Encoding: \u000bchunked'], '2\r\n{}\r\n0\r\n\r\n'),
  'a coding with a space before the colon': posted(['Transfer-Encoding : chunked'], '2\r\n{}\r\n0\r\n\r\n'),
  'a coding after a folded line': posted(['X: a\r\n Transfer-Encoding: chunked', 'Content-Length: 2'], '{}'),
  'identity for a coding': posted(['Transfer-Encoding: identity'], '{}'),
  'gzip for a coding': posted(['Transfer-Encoding: gzip'], '{}'),
  'no coding': posted(['Transfer-Encoding:'], '2\r\n{}\r\n0\r\n\r\n'),
  'chunked behind gzip that is none': posted(['Transfer-Encoding: gzip, chunked'], '2\r\n{{\r\n0\r\n\r\n'),
};

const chunks: Table = Object.fromEntries(
  [
    'ZZ\r\n{}\r\n0\r\n\r\n',
    '-2\r\n{}\r\n0\r\n\r\n',
    '+2\r\n{}\r\n0\r\n\r\n',
    '0x2\r\n{}\r\n0\r\n\r\n',
    ' 2\r\n{}\r\n0\r\n\r\n',
    '2 \r\n{}\r\n0\r\n\r\n',
    '2\t\r\n{}\r\n0\r\n\r\n',
    '\r\n2\r\n{}\r\n0\r\n\r\n',
    '2\n{}\r\n0\r\n\r\n',
    '2\r{}\r\n0\r\n\r\n',
    '2\r\n{}0\r\n\r\n',
    '2\r\n{}\n0\r\n\r\n',
    '2\r\n{}x\r\n0\r\n\r\n',
    '2\r\n{}\r\n0\n\n',
    '3\r\n{}\r\n0\r\n\r\n',
    '1\r\n{}\r\n0\r\n\r\n',
    '2\r\n{}\r\n',
    '2\r\n{}\r\n0\r\n',
    '2\r\n{',
    '2',
    'FFFFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n',
    '7FFFFFFFFFFFFFFF\r\n{}\r\n0\r\n\r\n',
    '80000000\r\n{}',
    '2;\0\r\n{}\r\n0\r\n\r\n',
    '2;a=\u0001\r\n{}\r\n0\r\n\r\n',
    '2;a="\r\n{}\r\n0\r\n\r\n',
    `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    '2\r\n{}\r\n0\r\nX Test: a\r\n\r\n',
    '2\r\n{}\r\n0\r\nno colon\r\n\r\n',
    `2\r\n{}\r\n0\r\nX-Test: ${'a'.repeat(40_000)}\r\n\r\n`,
    '2,2\r\n{}\r\n0\r\n\r\n',
    '\u0662\r\n{}\r\n0\r\n\r\n',
    '0\r\n\r\n',
  ].map((body) => [JSON.stringify(body.slice(0, 60)), chunked(body)]),
);

const escapes: Table = Object.fromEntries(
  [
    '/%',
    '/%2',
    '/%zz',
    '/%u0041',
    '/%ff',
    '/%c0%80',
    '/%c0%af',
    '/%e0%80%af',
    '/%ed%a0%80',
    '/%f4%90%80%80',
    '/%f8%88%80%80%80',
    '/%e2%82',
    '/%00',
    '/livez%00',
    '/livez%0d%0aX-Test:%20a',
    '/livez%20',
    '/livez/',
    '//livez',
    '/./livez/.',
    '/v1/../livez/..',
    '/v1/%2e%2e/livez',
    '/..%2f..%2fetc%2fpasswd',
    '/docs/..%2f..%2f..%2fetc%2fpasswd',
    '/docs/%2e%2e/%2e%2e/package.json',
    '/docs/..%5c..%5cpackage.json',
    '/LIVEZ',
    '/livez;a=b',
    '/livez,',
    '/v1/measures/%/definition',
    '/v1/measures/%ff/data',
    '/v1/projects/%/data',
    '/v1/surveys/ingestion/%',
    '/scim/v2/Users/%',
    '/v1/token/%',
    '/livez?a=%',
    '/livez?a=%zz',
    '/livez?a=%ff',
    '/livez?%=a',
    '/livez?a=%00',
    '/livez?a=%ed%a0%80',
    '/livez?a=%c0%80',
    `/${'a/'.repeat(3_000)}`,
    `/${'%41'.repeat(2_000)}`,
    `/v1/measures/${'9'.repeat(5_000)}/data`,
  ].map((target) => [target.slice(0, 60), line(`GET ${target} HTTP/1.1`)]),
);

/** Every way in which a good request may break off: after each of its bytes. */
function brokenOff(request: string): Table {
  return Object.fromEntries(
    Array.from({ length: request.length - 1 }, (_, index) => [
      `after ${index + 1} bytes of ${JSON.stringify(request.slice(0, 20))}`,
      request.slice(0, index + 1),
    ]),
  );
}

const truncated: Table = {
  ...brokenOff(posted(['Content-Length: 13'], '{"a":[1,"b"]}')),
  ...brokenOff(chunked('5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n')),
};

const parameters: readonly string[] = [
  'limit=0',
  'limit=-1',
  'limit=101',
  'limit=1000000',
  'limit=1.5',
  'limit=1e1',
  'limit=',
  'limit=%20',
  'limit=10%20',
  'limit=%0a10',
  'limit=+10',
  'limit=0x10',
  'limit=ten',
  'limit=null',
  'limit=NaN',
  'limit=Infinity',
  'limit=true',
  'limit=[10]',
  'limit={}',
  'limit=10;',
  'limit=10,20',
  'limit=%D9%A1',
  'limit=99999999999999999999',
  'limit=9007199254740993',
  'limit=-9223372036854775809',
  "limit=10'",
  'limit=10%20or%201=1',
  'limit=10;drop%20table%20measure',
  'limit=10&limit=20',
  'limit=10&limit=10',
  'limit[]=10',
  'limit[0]=10',
  'limit.a=10',
  'offset=-1',
  'offset=2147483648',
  'offset=99999999999999999999',
  'offset=1.0',
  'offset=',
  'offset=0&offset=0',
  'page=1',
  'Limit=10',
  'LIMIT=10',
  '=10',
  '&&a',
  'a',
  '%F0%9F%98%80=1',
  '__proto__=1',
  '__proto__[limit]=10',
  'constructor=1',
  'toString=1',
  'limit=10&__proto__=1',
  `a=${'x'.repeat(7_000)}`,
  `${'a&'.repeat(3_000)}`,
];

const credentials: readonly string[] = [
  '',
  'Bearer',
  'Bearer ',
  'Bearer  ',
  'Bearer a',
  'Bearer a.b',
  'Bearer a.b.c',
  'Bearer a.b.c.d',
  'Bearer ..',
  'Bearer eyJhbGciOiJub25lIn0.e30.',
  'Bearer null',
  'Bearer undefined',
  'Bearer {}',
  'Bearer a b c',
  'Bearer a,b',
  'Basic',
  'Basic ',
  'Basic !!!!',
  'Basic YQ==',
  'Basic Og==',
  'Basic YTo=',
  'Basic OmE=',
  'Basic AAA6AAA=',
  'Basic w4PDgzrDgw==',
  'Basic //86//8=',
  'Basic YTph YTph',
  'Digest username="a"',
  'Negotiate YQ==',
  'bearer',
  'Token a',
  'a',
  ':',
  'Bearer\ta.b.c',
  `Bearer ${'a'.repeat(5_000)}.b.c`,
  `Bearer ${'a.'.repeat(5_000)}`,
  `Basic ${'A'.repeat(20_000)}`,
  `Basic ${Buffer.from(`${'a'.repeat(9_000)}:b`).toString('base64')}`,
];

const notJson: readonly Bytes[] = [
  '{',
  '}',
  '[',
  ']',
  '{]',
  '[}',
  '{"a"',
  '{"a":',
  '{"a":}',
  '{"a":1,}',
  '{,}',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{"a"::1}',
  '{1:1}',
  '{a:1}',
  "{'a':1}",
  '{null:1}',
  '[1,]',
  '[,1]',
  '[1 2]',
  '[1,,2]',
  'nul',
  'nulll',
  'True',
  'FALSE',
  'undefined',
  'NaN',
  '-Infinity',
  'Infinity',
  '+1',
  '01',
  '-01',
  '1.',
  '.5',
  '1e',
  '1e+',
  '0x1',
  '1_000',
  '1n',
  '--1',
  '"',
  '"a',
  '"\\"',
  '"\\x41"',
  '"\\u12"',
  '"\\u{41}"',
  '"\\a"',
  '"\n"',
  '"\t"',
  '"\u0000"',
  '"\u001f"',
  '`a`',
  '1 2',
  '{}{}',
  '{} x',
  '{};',
  '// a\n{}',
  '/* a */{}',
  '{}# a',
  '\ufeff{}',
  '\u00a0{}',
  '\u2028{}',
  '\u000b{}',
  '<?xml version="1.0"?><a/>',
  'a=b&c=d',
  '--x\r\nContent-Disposition: form-data\r\n\r\n--x--',
  '"\\u0000"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '{"\\ud800":1}',
  '{"__proto__":1}',
  '{"constructor":1}',
  '{"a":{"b":[{"__proto__":null}]}}',
  '1e309',
  '-1e309',
  '[1e9999]',
  '['.repeat(33) + ']'.repeat(33),
  `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  '['.repeat(500_000),
  '{"a":'.repeat(100_000),
  '"'.repeat(100_001),
  latin1('"\u00ff"'),
  latin1('"\u00c0\u0080"'),
  latin1('"\u00ed\u00a0\u0080"'),
  latin1('"\u00f8\u0088\u0080\u0080\u0080"'),
  latin1('"\u00e2\u0082"'),
  latin1('\u0000\u0001\u0002'),
  Buffer.from('{"a":1}', 'utf16le'),
  latin1('\u00fe\u00ff\u0000{\u0000}'),
  latin1('\u001f\u008b\u0008\u0000\u0000\u0000'),
];

for (const engine of engines) {
  describe(`malformed requests on ${engine.name}`, () => {
    let store: TestStore;
    let service: Mounted;
    let authorization: string;
    let hiddenCalls = 0;
    let rows = 0;

    before(async () => {
      store = await engine.readyStore();
      service = await startMounted({
        databaseUrl: store.databaseUrl,
        mount(app, context) {
          mountAreas(app, context);
          addRoute(app, {
            method: 'GET',
            path: '/mounted/hidden',
            area: 'service',
            access: 'anyone',
            handle() {
              hiddenCalls += 1;
              return {};
            },
          });
          addRoute(app, {
            method: 'GET',
            path: '/mounted/slow',
            area: 'service',
            access: 'anyone',
            handle: () => new Promise((resume) => setTimeout(() => resume({ slow: true }), 100)),
          });
        },
      });
      authorization = `Bearer ${await tokenFor(service.baseUrl, await service.newClient())}`;
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    async function assertAlive(): Promise<void> {
      assert.equal((await exchange(`${service.baseUrl}/readyz`)).status, 200);
      const answer = await exchange(`${service.baseUrl}/v1/measures`, {
        headers: { authorization, accept: 'application/json' },
      });
      assert.equal(answer.status, 200);
      assert.equal(hiddenCalls, 0);
    }

    /** Sends every row, several at a time, and lists those that were not refused as they must be. */
    async function refuseAll(
      table: readonly (readonly [string, () => Promise<readonly number[]>])[],
    ): Promise<void> {
      const wrong: string[] = [];
      const waiting = [...table];
      const work = async (): Promise<void> => {
        for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) {
          const [name, send] = row;
          const statuses = await send();
          if (statuses.length > 1 || statuses.some((status) => status < 400 || status > 499))
            wrong.push(`${name}: ${statuses.join(' ')}`);
          rows += 1;
        }
      };
      await Promise.all(Array.from({ length: 8 }, work));
      assert.deepEqual(wrong, []);
      await assertAlive();
    }
    const rawRows = (table: Table): [string, () => Promise<readonly number[]>][] =>
      Object.entries(table).map(([name, bytes]) => [
        name,
        async () => {
          const { statuses, isHung } = await sendRaw(service.baseUrl, bytes);
          return isHung ? [0] : statuses;
        },
      ]);

    const tables: Readonly<Record<string, Table>> = {
      'a request line that is none': requestLines,
      'a header that is none': headerFields,
      'a body whose length is in doubt': framing,
      'chunks that are none': chunks,
      'an address that cannot be or lead anywhere': escapes,
      'a request that breaks off': truncated,
    };
    for (const [what, table] of Object.entries(tables)) {
      it(`${what} is refused or cut off, and the service still answers [D-20]`, async () => {
        await refuseAll(rawRows(table));
      });
    }

    it('a parameter that is none is a bad request, and the service still answers [D-24]', async () => {
      await refuseAll(
        parameters.map((query) => [
          query.slice(0, 60),
          async () => {
            const { status } = await exchange(`${service.baseUrl}/v1/measures?${query}`, {
              headers: { authorization, accept: 'application/json' },
            });
            return [status === 400 ? status : 0];
          },
        ]),
      );
    });

    it('credentials that are none are unauthenticated everywhere, and the service still answers [D-20]', async () => {
      const places: readonly [string, string][] = [
        ['GET', '/v1/measures'],
        ['GET', readingPaths.projectData],
        ['POST', '/v1/token?grant_type=client_credentials&scope=r_cx_basic'],
      ];
      await refuseAll(
        places.flatMap(([method, path]) =>
          credentials.map((text): [string, () => Promise<readonly number[]>] => [
            `${path} ${text.slice(0, 60)}`,
            async () => {
              const { statuses } = await sendRaw(
                service.baseUrl,
                rawRequest(`${method} ${path} HTTP/1.1`, [
                  `Authorization: ${text}`,
                  'Accept: application/json',
                  'Content-Type: text/plain',
                  'Connection: close',
                ]),
                { ends: false },
              );
              return statuses.length === 1 && statuses[0] === 401 ? statuses : [0];
            },
          ]),
        ),
      );
    });

    it('a body that is no JSON is a bad request, and the service still answers [D-26]', async () => {
      await refuseAll(
        notJson.map((body) => [
          body.toString().slice(0, 60),
          async () => {
            const { status } = await exchange(`${service.baseUrl}/mounted/echo`, {
              method: 'POST',
              headers: { 'content-type': 'application/json' },
              body,
            });
            return [status === 400 ? status : 0];
          },
        ]),
      );
    });

    it('a form that is none is refused, and the service still answers [D-14]', async () => {
      const forms: readonly string[] = [
        '%',
        '%zz',
        'grant_type',
        'grant_type=',
        'grant_type=%00',
        'grant_type=client_credentials&grant_type=client_credentials',
        'grant_type=password&username=a&password=b',
        'grant_type=client_credentials&client_id=a&client_secret=b',
        'grant_type=client_credentials&client_id=%00&client_secret=%00',
        'grant_type=client_credentials&client_id=%ff%fe&client_secret=%ed%a0%80',
        'client_secret=a',
        '{"grant_type":"client_credentials"}',
        '&&&&',
        '====',
        '\0\0\0',
        'a='.repeat(100_000),
        `grant_type=${'x'.repeat(500_000)}`,
      ];
      await refuseAll(
        forms.map((body) => [
          body.slice(0, 60),
          async () => {
            const { status } = await exchange(`${service.baseUrl}/v1/token`, {
              method: 'POST',
              headers: { 'content-type': 'application/x-www-form-urlencoded' },
              body,
            });
            return [status];
          },
        ]),
      );
    });

    it('nonsense behind a good request neither takes its answer nor gets one of its own', async () => {
      const good = rawRequest('GET /mounted/slow HTTP/1.1');
      for (const nonsense of ['NONSENSE\r\n\r\n', '\0\0\0', 'GET /\0 HTTP/1.1\r\n\r\n']) {
        const { statuses, text } = await sendRaw(service.baseUrl, good + nonsense, { ends: false });
        assert.deepEqual(statuses, [200], nonsense);
        assert.match(text, /\{"slow":true\}$/);
      }
      await assertAlive();
    });

    it('of two Authorization headers neither is passed over, in whatever order; an empty one is none [D-801]', async () => {
      const asked = async (...headers: readonly string[]) =>
        sendRaw(
          service.baseUrl,
          rawRequest('GET /v1/measures HTTP/1.1', [
            'Accept: application/json',
            'Connection: close',
            ...headers,
          ]),
          { ends: false },
        );
      const [good, wrong] = [`Authorization: ${authorization}`, 'Authorization: Bearer wrong'];
      assert.deepEqual((await asked(good)).statuses, [200]);
      for (const two of [
        [good, wrong],
        [wrong, good],
        [good, good],
      ])
        assert.deepEqual((await asked(...two)).statuses, [401], two.join(' '));
      const empty = await asked('Authorization:');
      assert.deepEqual(empty.statuses, [401]);
      assert.match(empty.text, /CREDENTIALS_REQUIRED/);
    });

    it('an expectation that is not known is passed over, and a tunnel refused in words [D-801]', async () => {
      for (const expectation of ['foo', '100-continue, foo', '200-ok']) {
        const { statuses, text } = await sendRaw(
          service.baseUrl,
          rawRequest('GET /livez HTTP/1.1', [`Expect: ${expectation}`, 'Connection: close']),
          { ends: false },
        );
        assert.equal(statuses.at(-1), 200, `${expectation}: ${text}`);
        assert.match(text, /x-request-id/i);
      }
      for (const target of ['/v1/projects', 'example.com:443']) {
        const { statuses, text } = await sendRaw(service.baseUrl, rawRequest(`CONNECT ${target} HTTP/1.1`), {
          ends: false,
        });
        assert.deepEqual(statuses, [400], text);
        assert.match(text, /MALFORMED_HTTP/);
      }
      await assertAlive();
    });

    it('that was more than 300 of them', () => {
      assert.ok(rows >= 300, String(rows));
    });

    it('none of it is a failure of ours in the log', () => {
      assert.doesNotMatch(service.log(), /"level":50|INTERNAL_ERROR/);
    });
  });
}
