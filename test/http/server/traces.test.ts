// Traces as a receiver of OTLP gets them, over HTTP.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { engines } from '../../support/engines.ts';
import { callStandard, patchOf, standardUser } from '../../support/scim.ts';
import { startProcess, until } from '../../support/service.ts';
import { type ProvisioningService, startProvisioning } from '../../support/users.ts';

interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly status: { readonly code?: number };
}

interface Receiver {
  readonly url: string;
  /** What arrived, as text. */
  readonly bodies: readonly string[];
  spans(): readonly SentSpan[];
  close(): void;
}

/** Answers like a collector, unless a test has something else in mind. */
async function startReceiver(
  answer = (reply: ServerResponse): void => void reply.end('{}'),
): Promise<Receiver> {
  const bodies: string[] = [];
  const server: Server = createServer((request, reply) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
    });
    request.on('end', () => {
      assert.equal(request.url, '/v1/traces');
      bodies.push(text);
      reply.setHeader('content-type', 'application/json');
      answer(reply);
    });
  });
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () =>
      bodies.flatMap((text) =>
        JSON.parse(text).resourceSpans.flatMap((one: { scopeSpans: { spans: SentSpan[] }[] }) =>
          one.scopeSpans.flatMap(({ spans }) => spans),
        ),
      ),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const valuesOf = ({ attributes }: SentSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const isRequest = ({ attributes }: SentSpan): boolean => attributes.some(({ key }) => key === 'http.route');

for (const engine of engines) {
  describe(`traces on ${engine.name}`, () => {
    let receiver: Receiver;
    let serving: ProvisioningService;
    before(async () => {
      receiver = await startReceiver();
      serving = await startProvisioning(
        engine,
        {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          OTEL_SERVICE_NAME: 'feedback of the shop',
          OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
          OTEL_BSP_SCHEDULE_DELAY: '50',
        },
        startProcess,
      );
    });
    after(async () => {
      await serving?.close();
      receiver?.close();
    });
    const call = (
      method: string,
      path: string,
      body?: object,
      headers: Readonly<Record<string, string>> = {},
    ) =>
      callStandard(serving.service.baseUrl, serving.token, method, path, {
        headers,
        ...(body === undefined ? {} : { body }),
      });

    it("a request is a part of the caller's trace, and what it asks of the store is below it [D-282]", async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
      const made = await call('POST', '/Users', standardUser('canary-of-names'), { traceparent });
      assert.equal(made.status, 201, made.text);
      const suspended = patchOf({ op: 'replace', path: 'active', value: false });
      await call('PATCH', `/Users/${made.body.id}`, suspended, { traceparent });
      const spans = await until(
        async () => receiver.spans().filter((span) => span.traceId === traceId),
        (found) =>
          found.filter(isRequest).length === 2 && found.some(({ name }) => name.includes('updateUser')),
      );
      const [first, second] = spans.filter(isRequest) as [SentSpan, SentSpan];
      assert.deepEqual([first.name, second.name], ['POST /scim/v2/Users', 'PATCH /scim/v2/Users/:id']);
      assert.equal(first.parentSpanId, '00f067aa0ba902b7');
      const facts = valuesOf(first);
      assert.equal(facts['http.response.status_code'], 201);
      assert.equal(facts['soundings.request.id'], made.headers.get('x-request-id'));
      assert.equal(Number(facts['soundings.account.id']), 1);
      const changes = spans.filter(({ name }) => name.startsWith('store change '));
      // The first user of an account needs a range of ids, and may take two changes.
      assert.ok(changes.length >= 2);
      for (const { name, parentSpanId } of changes)
        assert.equal(parentSpanId, name.includes('createUsers') ? first.spanId : second.spanId, name);
      const system = engine.name === 'sqlite' ? 'sqlite' : 'postgresql';
      assert.ok(changes.every((span) => valuesOf(span)['db.system.name'] === system));
      const reads = spans.filter(
        ({ name, parentSpanId }) => name === 'store read' && parentSpanId === second.spanId,
      );
      assert.ok(reads.some((span) => String(valuesOf(span)['db.query.text']).includes('account_user')));
      assert.match(receiver.bodies.join(''), /"feedback of the shop".*"deployment\.environment\.name"/s);
    });

    it('every request is there once, refused ones with their code, and no value, address or secret [D-282]', async () => {
      const before = receiver.spans().filter(isRequest).length;
      const asked = Array.from({ length: 200 }, (_, at) => {
        const name = `canary-${(at * 7) % 200}`;
        if (at % 4 === 0) return call('GET', `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`);
        if (at % 4 === 1) return call('GET', `/Users/${name}`);
        if (at % 4 === 2) return call('POST', '/Users', standardUser(name));
        return call('GET', `/Users?${name}=1`, undefined, { traceparent: `00-${'0'.repeat(32)}-canary` });
      });
      await Promise.all(asked);
      await fetch(`${serving.service.baseUrl}/metrics`);
      const spans = await until(
        async () => receiver.spans().filter(isRequest).slice(before),
        (found) => found.length >= 200,
      );
      assert.equal(spans.length, 200);
      const missing = spans.filter((span) => valuesOf(span)['error.type'] === 'USER_NOT_FOUND');
      assert.equal(missing.length, 50);
      assert.ok(missing.every((span) => span.name === 'GET /scim/v2/Users/:id' && !span.status.code));
      const sent = receiver.bodies.join('');
      assert.doesNotMatch(sent, /canary|metrics/i);
      assert.ok(!sent.includes(serving.token));
    });
  });
}

describe('traces and their receiver', () => {
  const [sqlite] = engines;
  const answersAndStops = async (env: Readonly<Record<string, string>>): Promise<string> => {
    const store = await sqlite!.readyStore();
    const service = await startProcess({
      DATABASE_URL: store.databaseUrl,
      OTEL_BSP_SCHEDULE_DELAY: '20',
      ...env,
    });
    try {
      for (let at = 0; at < 100; at += 1)
        assert.equal((await fetch(`${service.baseUrl}/v1/measures`)).status, 401);
    } finally {
      assert.equal(await service.stop(), 0);
      await store.dispose();
    }
    return service.output();
  };

  it('a receiver that hangs, fails or is not there costs no request, one line of the log, and no shutdown [D-282]', async () => {
    const hanging = await startReceiver(() => {});
    const failing = await startReceiver((reply) => void reply.writeHead(400).end('{}'));
    const said = await Promise.all([
      answersAndStops({ OTEL_EXPORTER_OTLP_ENDPOINT: hanging.url, OTEL_BSP_EXPORT_TIMEOUT: '200' }),
      answersAndStops({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${failing.url}/v1/traces` }),
      answersAndStops({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
        OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      }),
    ]);
    hanging.close();
    failing.close();
    assert.ok(hanging.bodies.length > 0 && failing.bodies.length > 0);
    for (const output of said) assert.equal(output.split('Traces could not be sent.').length, 2, output);
  });

  it('the sampler is the one of the variables, and what is off sends nothing [D-282]', async () => {
    const receiver = await startReceiver();
    const on = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url };
    const warned = await Promise.all([
      answersAndStops({ ...on, OTEL_TRACES_SAMPLER: 'always_off' }),
      answersAndStops({
        ...on,
        OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
        OTEL_TRACES_SAMPLER_ARG: '0',
      }),
      answersAndStops({ ...on, OTEL_SDK_DISABLED: 'true' }),
      answersAndStops({ ...on, OTEL_TRACES_EXPORTER: 'none' }),
    ]);
    assert.deepEqual(receiver.spans(), []);
    assert.ok(warned.every((output) => !output.includes('OTEL_')));
    const said = await answersAndStops({
      ...on,
      OTEL_TRACES_SAMPLER: 'sometimes',
      OTEL_TRACES_SAMPLER_ARG: '7',
    });
    assert.match(
      said,
      /OTEL_TRACES_SAMPLER is none of always_on.*OTEL_TRACES_SAMPLER_ARG must be|OTEL_TRACES_SAMPLER_ARG must be.*OTEL_TRACES_SAMPLER is none of/s,
    );
    assert.equal(receiver.spans().length, 100);
    receiver.close();
  });

  it('nothing of it is loaded where nobody asked: one file names the packages, and is imported when it is called', () => {
    const sources = globSync('src/**/*.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
    const naming = sources
      .filter(({ text }) => text.includes("from '@opentelemetry/"))
      .map(({ file }) => file);
    assert.deepEqual(naming, ['src/http/server/otel-tracing.ts']);
    const importing = sources.filter(({ text }) => text.includes('otel-tracing.ts'));
    const early = importing.filter(({ text }) => /from '[^']*otel-tracing\.ts'/.test(text));
    assert.deepEqual([importing.length > 0, early], [true, []]);
  });
});
