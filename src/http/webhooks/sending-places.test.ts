import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { atOnce, failuresToSlowDown, SendingPlaces } from './sending-places.ts';

const webhook = (accountId: number, number: number) => ({ id: `wh_${accountId}_${number}`, accountId });

describe('places for webhooks', () => {
  it('a webhook, an account and the process have so many at once, and get them back', () => {
    const places = new SendingPlaces();
    const ended: ((wasTaken: boolean) => void)[] = [];
    const fill = (accountId: number, number: number): number => {
      const free = places.freeFor(webhook(accountId, number));
      for (let taken = 0; taken < free; taken += 1) ended.push(places.take(webhook(accountId, number)));
      return free;
    };
    assert.deepEqual([fill(1, 1), fill(1, 1), fill(1, 2), fill(1, 3)], [8, 0, 8, 0]);
    assert.deepEqual(
      [2, 3, 4, 5].map((account) => fill(account, 1) + fill(account, 2)),
      [16, 16, 16, 0],
    );
    for (const end of ended) end(true);
    assert.equal(fill(5, 1), 8);
  });

  it('receivers that fail leave places to the others, however many accounts they are of [D-243]', () => {
    const places = new SendingPlaces();
    const failing = Array.from({ length: 12 }, (_, account) =>
      Array.from({ length: 20 }, (_, number) => webhook(account, number)),
    ).flat();
    for (const one of failing)
      for (let failure = 0; failure < failuresToSlowDown; failure += 1) places.take(one)(false);
    let held = 0;
    for (const one of failing) {
      const free = places.freeFor(one);
      assert.ok(free <= 1);
      if (free === 1) places.take(one);
      if (free === 1) held += 1;
    }
    assert.equal(held, atOnce.ofAllFailing);
    assert.equal(places.freeFor(webhook(100, 1)), atOnce.ofWebhook);
    const first = failing[0]!;
    assert.equal(places.freeFor(first), 0);
  });

  it('one that takes a message again is no longer slowed down', () => {
    const places = new SendingPlaces();
    const one = webhook(1, 1);
    for (let failure = 0; failure < failuresToSlowDown; failure += 1) places.take(one)(false);
    assert.equal(places.freeFor(one), 1);
    places.take(one)(true);
    assert.equal(places.freeFor(one), atOnce.ofWebhook);
  });
});
