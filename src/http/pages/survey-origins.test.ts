import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFrameName, writeFrameName } from '../../domain/pages/frame-message.ts';
import { frameAncestors, isOriginAllowed } from './survey-origins.ts';

const shop = 'https://shop.example';
const own = 'https://feedback.example';

describe('a survey in pages of other sites', () => {
  it('is framed by its origins, or by any page if it is public and names none [D-458]', () => {
    const policies = [
      { public: true, origins: [] },
      { public: true, origins: [shop, 'https://b.example'] },
      { public: false, origins: [shop] },
      { public: false, origins: [] },
    ].map(frameAncestors);
    assert.deepEqual(policies, [
      'frame-ancestors *',
      `frame-ancestors 'self' ${shop} https://b.example`,
      `frame-ancestors 'self' ${shop}`,
      "frame-ancestors 'self'",
    ]);
  });

  it('is read by its origins and by the service itself [D-455]', () => {
    const survey = { public: true, origins: [shop] };
    for (const [origin, isAllowed] of [
      [shop, true],
      [own, true],
      [undefined, true],
      ['null', false],
      ['https://shop.example:8443', false],
    ] as const)
      assert.equal(isOriginAllowed(survey, origin, own), isAllowed, `${origin}`);
    assert.equal(isOriginAllowed({ public: true, origins: [] }, 'null', own), true);
  });

  it('reads what the page around says from the name of its frame, and nothing from other names [D-458]', () => {
    const said = { origin: shop, fields: { 'p.tier': 'gold' } };
    assert.deepEqual(readFrameName(writeFrameName(said)), said);
    for (const name of ['', 'soundings', 'soundings {', 'payment', 'soundings null'])
      assert.equal(readFrameName(name), null, name);
  });
});
