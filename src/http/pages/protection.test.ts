import assert from 'node:assert/strict';
import { createSecretKey, hash, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { beginsWithZeros, puzzleCount, puzzleText, writeWork } from '../../domain/pages/work.ts';
import { PageProtection, type SendFacts } from './protection.ts';
import type { WorkKey } from './work-challenges.ts';

const key: WorkKey = { mark: 'AAAAAAAA', workKey: createSecretKey(randomBytes(32)) };
const keys = {
  until: async () => key,
  marked: async (mark: string) => (mark === key.mark ? key : null),
};

const minuteMs = 60_000;

class Clock {
  nowMs = Date.UTC(2026, 0, 1);
  readonly now = (): number => this.nowMs;
  readonly elapsedMs = (): number => this.nowMs;
}

const hotPerMinute = 120;

function protect(
  clock: Clock,
  limits = {},
  replicas: { liveReplicas: number } = { liveReplicas: 1 },
): PageProtection {
  const config = {
    throttle: true,
    throttlePublicRate: 10,
    throttlePublicBurst: 50,
    pageHotPerMinute: hotPerMinute,
    ...limits,
  };
  return new PageProtection({ config, now: clock.now, elapsedMs: clock.elapsedMs }, replicas, keys);
}

let next = 0;
function sendOf(facts: Partial<SendFacts> = {}): SendFacts {
  next += 1;
  return {
    network: `198.51.${(next >> 8) & 255}.${next & 255}`,
    surveyId: 'SV-1',
    responseId: `R-${next}`,
    honeypot: '',
    elapsedMs: minuteMs,
    answeredCount: 24,
    work: '',
    ...facts,
  };
}

async function heat(protection: PageProtection, count: number, surveyId = 'SV-1'): Promise<void> {
  for (let sent = 0; sent < count; sent += 1) await protection.judge(sendOf({ surveyId }));
}

function workFor(challenge: string, bits: number): string {
  const numbers = Array.from({ length: puzzleCount }, (_, place) => {
    for (let number = 0; ; number += 1) {
      const text = number.toString(36);
      if (beginsWithZeros(hash('sha256', puzzleText(challenge, place, text), 'buffer'), bits)) return text;
    }
  });
  return writeWork(challenge, numbers);
}

describe('what is sent to the page of a survey', () => {
  it('is taken without a word where nothing speaks against it', async () => {
    const protection = protect(new Clock());
    assert.deepEqual(await protection.judge(sendOf()), { verdict: 'take', quality: null });
  });

  it('is taken and flagged for the honeypot and for its pace [D-465]', async () => {
    const protection = protect(new Clock());
    const suspectOf = async (facts: Partial<SendFacts>): Promise<readonly string[] | null> => {
      const verdict = await protection.judge(sendOf(facts));
      assert.equal(verdict.verdict, 'take');
      return verdict.verdict === 'take' ? (verdict.quality?.suspect ?? null) : null;
    };
    assert.deepEqual(await suspectOf({ honeypot: 'http://spam.example' }), ['HONEYPOT']);
    assert.deepEqual(await suspectOf({ elapsedMs: 5_999 }), ['TOO_FAST']);
    assert.deepEqual(await suspectOf({ elapsedMs: 6_000 }), null);
    assert.deepEqual(await suspectOf({ elapsedMs: 300, answeredCount: 1 }), null);
    assert.deepEqual(await suspectOf({ elapsedMs: 10_000, answeredCount: 500 }), null);
    // The clock of another replica may be behind ours.
    assert.deepEqual(await suspectOf({ elapsedMs: -1 }), null);
    assert.deepEqual(await suspectOf({ elapsedMs: 0, honeypot: 'x' }), ['HONEYPOT', 'TOO_FAST']);
    assert.deepEqual(protection.counts, { take: 4, suspect: 3, wait: 0, work: 0 });
  });

  it('waits beyond what one network may send, and others do not', async () => {
    const protection = protect(new Clock(), { throttlePublicBurst: 5 });
    const network = '203.0.113.1';
    for (let sent = 0; sent < 5; sent += 1)
      assert.equal((await protection.judge(sendOf({ network }))).verdict, 'take');
    assert.deepEqual(await protection.judge(sendOf({ network })), { verdict: 'wait', seconds: 1 });
    assert.equal((await protection.judge(sendOf())).verdict, 'take');
  });

  it('asks for work while the survey runs hot, and neither before nor after, nor of another survey [D-466]', async () => {
    const clock = new Clock();
    const protection = protect(clock);
    await heat(protection, hotPerMinute);
    assert.equal(protection.hotSurveys, 0);
    await heat(protection, 1);
    assert.equal(protection.hotSurveys, 1);
    assert.equal((await protection.judge(sendOf())).verdict, 'work');
    assert.equal((await protection.judge(sendOf({ surveyId: 'SV-2' }))).verdict, 'take');
    clock.nowMs += 2 * minuteMs;
    assert.equal((await protection.judge(sendOf())).verdict, 'take');
  });

  it('takes more of a survey that is used to more before it runs hot [D-466]', async () => {
    const clock = new Clock();
    const protection = protect(clock);
    for (let minute = 0; minute < 60; minute += 1) {
      await heat(protection, hotPerMinute / 2);
      clock.nowMs += minuteMs;
    }
    await heat(protection, hotPerMinute / 2);
    assert.equal(protection.hotSurveys, 0);
    await heat(protection, 4 * hotPerMinute);
    assert.equal(protection.hotSurveys, 1);
  });

  it('takes what was worked for without a word, and flags what has waited instead', async () => {
    const clock = new Clock();
    const protection = protect(clock);
    await heat(protection, 4 * hotPerMinute);
    const send = sendOf();
    const asked = await protection.judge(send);
    assert.ok(asked.verdict === 'work');
    const { text, bits, waitSeconds } = asked.challenge;
    assert.deepEqual(await protection.judge({ ...send, work: workFor(text, bits) }), {
      verdict: 'take',
      quality: null,
    });
    assert.equal((await protection.judge({ ...send, work: text })).verdict, 'work');
    clock.nowMs += waitSeconds * 1000;
    assert.deepEqual(await protection.judge({ ...send, work: text }), {
      verdict: 'take',
      quality: { suspect: ['NO_WORK'] },
    });
  });

  it('takes work for the survey and the response alone that it was asked for, and for an hour', async () => {
    const clock = new Clock();
    const protection = protect(clock);
    await heat(protection, 8 * hotPerMinute);
    await heat(protection, 8 * hotPerMinute, 'SV-2');
    const send = sendOf();
    const asked = await protection.judge(send);
    assert.ok(asked.verdict === 'work');
    const { text, bits } = asked.challenge;
    const work = workFor(text, bits);
    const [challenge = '', numbers = ''] = work.split('~');
    const refused: readonly SendFacts[] = [
      { ...send, work, responseId: 'R-other' },
      { ...send, work, surveyId: 'SV-2' },
      { ...send, work: `${challenge}~${numbers.replace(/^[^,]*/, 'zzzzzzzzz')}` },
      { ...send, work: `${challenge}~${numbers},0` },
      { ...send, work: `${challenge.replace(/\.\d+\./, '.0.')}~${numbers}` },
      { ...send, work: `${challenge.replace('AAAAAAAA', 'BBBBBBBB')}~${numbers}` },
      { ...send, work: `${'0'.repeat(1_000_000)}~${numbers}` },
      { ...send, work: 'no challenge' },
    ];
    for (const one of refused) assert.equal((await protection.judge(one)).verdict, 'work');
    assert.equal((await protection.judge({ ...send, work })).verdict, 'take');
    clock.nowMs += 60 * minuteMs + 1_000;
    await heat(protection, 16 * hotPerMinute);
    assert.equal((await protection.judge({ ...send, work })).verdict, 'work');
  });

  it('makes a network that sends much work by itself, before it heats the survey of others [D-466]', async () => {
    const clock = new Clock();
    const protection = protect(clock);
    const network = '203.0.113.1';
    let asked = 0;
    // Ten minutes at just what one network may send.
    for (let sent = 0; sent < 6_000; sent += 1) {
      const { verdict } = await protection.judge(sendOf({ network }));
      if (verdict === 'work') asked += 1;
      clock.nowMs += 100;
    }
    assert.ok(asked > 5_700, `${asked} of 6,000 were asked to work`);
    assert.equal(protection.hotSurveys, 0);
    assert.equal((await protection.judge(sendOf())).verdict, 'take');
  });

  it('has its share of every limit where there are several replicas', async () => {
    const protection = protect(new Clock(), {}, { liveReplicas: 4 });
    await heat(protection, hotPerMinute / 4 + 1);
    assert.equal(protection.hotSurveys, 1);
  });

  it('asks for nothing where the throttle is off, and flags all the same', async () => {
    const protection = protect(new Clock(), { throttle: false, throttlePublicBurst: 1 });
    await heat(protection, 10 * hotPerMinute);
    assert.deepEqual(await protection.judge(sendOf({ network: 'one', honeypot: 'x' })), {
      verdict: 'take',
      quality: { suspect: ['HONEYPOT'] },
    });
  });
});
