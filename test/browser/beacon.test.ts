// A page of another site sends a response to a public survey, by what a browser has for it.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { engines } from '../support/engines.ts';
import { acme, feedbackCatalogue } from '../support/feedback-catalogue.ts';
import { type FeedbackService, startFeedback } from '../support/feedback-service.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { until } from '../support/service.ts';

const burst = 20;

for (const engine of engines) {
  describe(`a page of another site on ${engine.name}`, () => {
    let service: FeedbackService;
    let token: string;
    let site: Server;
    let browser: Browser;
    let page: Page;

    before(async () => {
      site = createServer((_request, answer) => {
        answer.setHeader('content-type', 'text/html');
        answer.end('<!doctype html><title>A shop</title><link rel="icon" href="data:,">');
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      service = await startFeedback(engine, {
        catalogue: feedbackCatalogue,
        env: {
          SOUNDINGS_THROTTLE: 'on',
          SOUNDINGS_THROTTLE_PUBLIC_RATE: '1',
          SOUNDINGS_THROTTLE_PUBLIC_BURST: String(burst),
        },
      });
      token = await service.token(acme);
      browser = await launchBrowser();
      page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    });
    after(async () => {
      await browser?.close();
      await service?.stop();
      site?.close();
    });

    const totalOf = async (measure: number): Promise<unknown> => {
      const path = `/v1/measures/${measure}/data?from=1990-01-01&to=2100-01-01`;
      return (await service.get(path, token)).body.total;
    };
    const address = (): string => `${service.baseUrl}/v1/surveys/ingestion`;
    const body = (surveyDefinitionId: string): string =>
      JSON.stringify({ surveyDefinitionId, responses: { 'Q-SAT-1': ['8'] } });

    /** True when the browser has taken it; what became of it, a page never hears. */
    const sendBeacon = (surveyDefinitionId: string): Promise<boolean> =>
      page.evaluate(
        ([url, text]) => {
          const { sendBeacon: send } = navigator as unknown as {
            sendBeacon(to: string, content: Blob): boolean;
          };
          return send.call(navigator, url!, new Blob([text!], { type: 'application/json' }));
        },
        [address(), body(surveyDefinitionId)],
      );

    it('a beacon of JSON arrives, and its response is kept [D-12]', async () => {
      const faults: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(message.text());
      });
      const isQueued = await sendBeacon('acme-public');
      assert.equal(isQueued, true);
      await until(
        () => totalOf(703),
        (total) => total === 1,
      );
      assert.deepEqual(faults, []);
    });

    it('a survey with origins keeps no beacon of another page [D-12]', async () => {
      await sendBeacon('acme-shop');
      await until(
        async () => service.log(),
        (text) => /"status":403/.test(text),
      );
      assert.equal(await totalOf(704), 0);
    });

    it('a page that is refused reads why, the request id, and when to try again [D-12] [D-28]', async () => {
      const answers = await page.evaluate(
        async ([url, text, count]) => {
          const send = async (): Promise<Record<string, unknown>> => {
            const answer = await fetch(url as string, {
              method: 'POST',
              keepalive: true,
              headers: { 'content-type': 'application/json' },
              body: text as string,
            });
            const { errorCode } = (await answer.json()) as { errorCode?: string };
            const names = ['retry-after', 'x-request-id', 'ratelimit', 'ratelimit-policy'];
            return {
              status: answer.status,
              errorCode,
              ...Object.fromEntries(names.map((name) => [name, answer.headers.get(name)])),
            };
          };
          const all = [];
          for (let sent = 0; sent < (count as number); sent += 1) all.push(await send());
          return all;
        },
        [address(), body('acme-public'), burst + 1] as const,
      );
      const first = answers[0]!;
      assert.equal(first.status, 200);
      assert.match(String(first.ratelimit), /^"address";r=\d+/);
      const last = answers.at(-1)!;
      assert.deepEqual([last.status, last.errorCode], [429, 'THROTTLED']);
      assert.equal(last['retry-after'], '1');
      assert.match(String(last['x-request-id']), /^[0-9a-f-]{36}$/);
      assert.match(String(last['ratelimit-policy']), /^"address"/);
    });
  });
}
