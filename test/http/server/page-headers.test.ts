// What browsers are told with every page that they show: no other site shares its window, no device is asked for, no text
// becomes code, and over https nothing else is used again.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { declaredRoutes } from '../../support/declared-routes.ts';
import { sqlite, type TestStore } from '../../support/engines.ts';
import { exchange } from '../../support/exchange.ts';
import type { Service } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

const pages = (await declaredRoutes()).filter(
  ({ method, produces }) => method === 'GET' && produces.includes('text/html'),
);

describe('headers of pages', () => {
  let store: TestStore;
  let service: Service;
  const get = (path: string, at = service) =>
    exchange(at.baseUrl + path, { headers: { accept: 'text/html', 'sec-fetch-mode': 'navigate' } });

  before(async () => {
    store = await sqlite.readyStore();
    service = await startService({ DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off' });
  });
  after(async () => {
    await service?.stop();
    await store?.dispose();
  });

  it('every page, whatever its status, has an opener policy and asks for no device [D-824]', async () => {
    assert.ok(pages.length > 40);
    for (const { path } of pages) {
      const { status, headers } = await get(path.replaceAll(/[:*]\w*/g, '1'));
      assert.ok(status < 500 || status === 503, `${path}: ${status}`);
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin', path);
      const denied = String(headers['permissions-policy']);
      for (const feature of ['camera', 'microphone', 'geolocation', 'payment', 'usb'])
        assert.ok(denied.split(', ').includes(`${feature}=()`), `${path}: ${denied}`);
      const policy = String(headers['content-security-policy']);
      assert.match(policy, /default-src 'none'|object-src 'none'/, path);
      assert.match(policy, /base-uri 'none'/, path);
    }
    const nowhere = await get('/nothing/here');
    assert.deepEqual([nowhere.status, nowhere.headers['cross-origin-opener-policy']], [404, 'same-origin']);
  });

  it('answers for programs are spared them', async () => {
    for (const path of ['/v1/measures', '/livez', '/openapi.json'])
      assert.equal((await get(path)).headers['permissions-policy'], undefined, path);
  });

  it('pages of surveys, of the console and of the help take code from texts by no way but their own [D-824]', async () => {
    for (const [path, allowed] of [
      ['/s/nobody', 'soundings-code'],
      ['/console/sign-in', "'none'"],
      ['/help', "'none'"],
      ['/console/preview', 'soundings-code soundings-preview'],
    ] as const) {
      const policy = String((await get(path)).headers['content-security-policy']);
      assert.match(policy, /require-trusted-types-for 'script'/, path);
      assert.ok(policy.includes(`trusted-types ${allowed}`), `${path}: ${policy}`);
    }
  });

  it('over https a browser is told to stay there, for names below the host too where that is set [D-824]', async () => {
    const hsts = async (settings: Readonly<Record<string, string>>): Promise<string | undefined> => {
      const other = await startService({ DATABASE_URL: store.databaseUrl, ...settings });
      try {
        return (await get('/livez', other)).headers['strict-transport-security'];
      } finally {
        await other.stop();
      }
    };
    const https = { SOUNDINGS_PUBLIC_URL: 'https://feedback.example' };
    assert.equal(await hsts(https), 'max-age=31536000');
    assert.equal(
      await hsts({ ...https, SOUNDINGS_HSTS_SUBDOMAINS: 'on' }),
      'max-age=31536000; includeSubDomains',
    );
    assert.equal(await hsts({ SOUNDINGS_HSTS_SUBDOMAINS: 'on' }), undefined);
  });
});
