// soundings/client/ingest in a real browser: on a page of another site, on a bad network, and on a page that goes away.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { engines } from '../support/engines.ts';
import { type Fate, type FaultyProxy, startFaultyProxy } from '../support/faulty-proxy.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { until } from '../support/service.ts';

const script = new URL('../../dist/client/ingest.js', import.meta.url);
/** What the service says to pages, said by something in front of it. */
const readable = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after' };
const responses = 25;

for (const engine of engines)
  describe(`sending from a page, ${engine.name}`, () => {
    let service: FeedbackService;
    let proxy: FaultyProxy;
    let token: string;
    let site: Server;
    let browser: Browser;
    let page: Page;

    before(async () => {
      site = createServer((request, answer) => {
        const isScript = request.url === '/ingest.js';
        answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
        answer.end(
          isScript
            ? readFileSync(script)
            : '<!doctype html><title>A shop</title><link rel="icon" href="data:,">',
        );
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      service = await startFeedback(engine, { catalogue: feedbackCatalogue });
      proxy = await startFaultyProxy(service.baseUrl);
      token = await service.token(acme);
      browser = await launchBrowser();
      page = await browser.newPage();
    });
    after(async () => {
      await browser?.close();
      proxy?.close();
      await service?.stop();
      site?.close();
    });

    const open = (): Promise<unknown> =>
      page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    const posts = (): number => proxy.seen.filter(({ method }) => method === 'POST').length;
    const kept = async (): Promise<string[]> => {
      const { body } = await service.get(
        '/v1/measures/703/data?from=1990-01-01&to=2100-01-01&limit=100',
        token,
      );
      return (body.items as { id: string }[]).map(({ id }) => id);
    };
    const sending = (response: object): string =>
      `import('/ingest.js').then(({ send }) => send('${proxy.url}/', ${JSON.stringify(response)}, { backoffMs: 1 }))`;
    const response = (value = '8') => ({
      surveyDefinitionId: 'acme-public',
      responses: { 'Q-SAT-1': [value] },
    });
    /** Posts meet with these; what the browser asks before them passes. */
    const inSequence = (...fates: readonly Fate[]): void => {
      const left = [...fates];
      proxy.decide = ({ method }) => (method === 'OPTIONS' ? 'pass' : (left.shift() ?? 'pass'));
    };

    it('each response is kept once, however often it had to be sent [D-663]', async () => {
      await open();
      const fates: readonly Fate[] = [
        'answer lost',
        { status: 503, headers: { ...readable, 'retry-after': '0' } },
        'pass',
        { status: 502 },
        'request lost',
        'pass',
      ];
      inSequence(...Array.from({ length: responses * 3 }, (_, index) => fates[index % fates.length]!));
      const ids: string[] = [];
      for (let index = 0; index < responses; index += 1) {
        const result = (await page.evaluate(sending(response()))) as { responseId: string };
        ids.push(result.responseId);
      }
      assert.deepEqual(await kept(), ids);
      assert.equal(new Set(ids).size, responses);
      assert.ok(posts() > 2 * responses);
    });

    it('a refusal has its code and its faults', async () => {
      proxy.decide = () => 'pass';
      const seen = posts();
      const told = await page.evaluate(
        `${sending(response('11'))}.catch(({ name, status, code, faults }) => ({ name, status, code, fields: faults.map(({ field }) => field) }))`,
      );
      assert.deepEqual(told, {
        name: 'SoundingsError',
        status: 400,
        code: 'INVALID_RESPONSE',
        fields: ['responses.Q-SAT-1[0]'],
      });
      assert.equal(posts(), seen + 1);
    });

    it('a page that is left while it sends takes nothing with it', async () => {
      await open();
      const before = (await kept()).length;
      await page.evaluate("import('/ingest.js').then(({ send }) => void (globalThis.send = send))");
      const isGone = page.waitForURL('about:blank');
      await page.evaluate(`void setTimeout(() => {
        send('${proxy.url}', ${JSON.stringify({ ...response(), responseId: 'left' })});
        location.href = 'about:blank';
      })`);
      await isGone;
      const ids = await until(kept, (all) => all.length > before);
      assert.deepEqual(ids.slice(before), ['left']);
    });

    it('a page that is left while it waits for the next try makes it at once', async () => {
      await open();
      const before = (await kept()).length;
      const seen = posts();
      inSequence({ status: 503, headers: { ...readable, 'retry-after': '60' } });
      await page.evaluate(`{
        const listen = globalThis.addEventListener;
        globalThis.addEventListener = function (name, ...rest) {
          if (name === 'pagehide') globalThis.isWaiting = true;
          return listen.call(globalThis, name, ...rest);
        };
        void ${sending({ ...response(), responseId: 'waited' })};
      }`);
      await page.waitForFunction('globalThis.isWaiting');
      assert.equal(posts(), seen + 1);
      await page.goto('about:blank');
      const ids = await until(kept, (all) => all.length > before);
      assert.deepEqual(ids.slice(before), ['waited']);
      assert.equal(posts(), seen + 2);
    });
  });
