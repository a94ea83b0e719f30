// How passwords are kept: argon2id, as a PHC string that names its own parameters, so that they can change later (D-332).

import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { normalPassword } from '../../domain/access/password-rules.ts';

interface Parameters {
  /** In KiB. */
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

const current: Parameters = { memory: 19 * 1024, passes: 2, parallelism: 1 };
const saltBytes = 16;
const hashBytes = 32;
// The one version of Argon2 that is in use, and that node:crypto makes.
const version = 19;

const phcString =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

const derive = promisify(argon2);

export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(saltBytes);
  return written(current, salt, await hashOf(password, current, salt, hashBytes));
}

interface Comparison {
  readonly isRight: boolean;
  /** It was kept with other parameters than those of now. */
  readonly isOutdated: boolean;
}

// Compared with where nobody or no password was found, so that it takes as long.
const nobody = written(current, randomBytes(saltBytes), randomBytes(hashBytes));

/** Null where there is none to compare with: the same work is done, and the answer is no. */
export async function comparePassword(password: string, kept: string | null): Promise<Comparison> {
  const { parameters, salt, hash } = read(kept ?? nobody);
  const presented = await hashOf(password, parameters, salt, hash.length);
  const isRight = timingSafeEqual(presented, hash) && kept !== null;
  const isOutdated =
    parameters.memory !== current.memory ||
    parameters.passes !== current.passes ||
    parameters.parallelism !== current.parallelism ||
    hash.length !== hashBytes;
  return { isRight, isOutdated };
}

function hashOf(password: string, parameters: Parameters, nonce: Buffer, tagLength: number): Promise<Buffer> {
  const message = Buffer.from(normalPassword(password), 'utf8');
  return derive('argon2id', { ...parameters, message, nonce, tagLength });
}

function written({ memory, passes, parallelism }: Parameters, salt: Buffer, hash: Buffer): string {
  return `$argon2id$v=${version}$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

function read(text: string): {
  readonly parameters: Parameters;
  readonly salt: Buffer;
  readonly hash: Buffer;
} {
  const [, memory, passes, parallelism, salt, hash] = text.match(phcString) ?? [];
  if (salt === undefined || hash === undefined)
    throw new Error('A password is kept in a form that is not known here.');
  return {
    parameters: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}
