import assert from 'node:assert/strict';
import { argon2Sync } from 'node:crypto';
import { describe, it } from 'node:test';
import { comparePassword, hashPassword } from './password-hash.ts';

const password = 'the tall heron eats purple soup';

describe('how a password is kept', () => {
  it('as argon2id of 19 MiB, two passes and one lane, under a salt of its own [D-332]', async () => {
    const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
    assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.notEqual(one, other);
    assert.deepEqual(await comparePassword(password, one), { isRight: true, isOutdated: false });
    assert.equal((await comparePassword(`${password}s`, one)).isRight, false);
    assert.equal((await comparePassword(password, null)).isRight, false);
  });

  it('is the same password however its letters were composed, and another in other case [D-330]', async () => {
    const kept = await hashPassword('schöne Äpfel fallen spät');
    const composed = 'schöne Äpfel fallen spät'.normalize('NFD');
    assert.equal((await comparePassword(composed, kept)).isRight, true);
    assert.equal((await comparePassword('Schöne Äpfel fallen spät', kept)).isRight, false);
  });

  it('what was kept with other parameters is taken, and said to be outdated [D-332]', async () => {
    const nonce = Buffer.from('sixteen bytes...');
    const hash = argon2Sync('argon2id', {
      message: password,
      nonce,
      memory: 1024,
      passes: 3,
      parallelism: 1,
      tagLength: 32,
    });
    const text = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');
    const kept = `$argon2id$v=19$m=1024,t=3,p=1$${text(nonce)}$${text(hash)}`;
    assert.deepEqual(await comparePassword(password, kept), { isRight: true, isOutdated: true });
    assert.equal((await comparePassword('something else entirely', kept)).isRight, false);
    await assert.rejects(comparePassword(password, '$2b$10$unknown'), /not known/);
  });
});
