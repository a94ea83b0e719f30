// Signing in by a password. Whether a name is not known, or its owner may not sign in, or the password is wrong: the
// questions to the store, the hash and the answer are the same (D-334).

import type { FastifyReply, FastifyRequest } from 'fastify';
import { comparePassword, hashPassword } from '../../../acts/access/password-hash.ts';
import { PasswordTries, type PasswordTry } from '../../../acts/access/password-tries.ts';
import type { ReplicaCount } from '../../../acts/access/throttle.ts';
import type { WrongCredentials } from '../../../acts/access/wrong-credentials.ts';
import type { Context } from '../../../context.ts';
import { passwordRefused } from '../../../domain/access/password-refusal.ts';
import { operatorsAccount, type PersonId } from '../../../domain/access/visitor.ts';
import { fold } from '../../../domain/fold.ts';
import { Problem } from '../../../domain/problem.ts';
import {
  nobody,
  onlyAccount,
  operatorWithPassword,
  type PasswordHolder,
  passwordOf,
  signInOrigins,
  userWithPassword,
} from '../../../store/people/passwords.ts';
import { HashingLine } from './hashing-line.ts';
import type { Proof } from './signing-in.ts';

interface PasswordSignIn {
  /** Left out: an operator, or a user of the one account that the store has. */
  readonly account?: number;
  readonly name: string;
  readonly password: string;
}

/** Whom a name stands for. */
interface Named {
  readonly holder: PasswordHolder | null;
  /** Where the name is looked for; the store itself where that is not clear. */
  readonly accountId: number;
  readonly refusal: () => Problem;
}

export class Passwords {
  readonly #context: Context;
  readonly #tries: PasswordTries;
  readonly #line = new HashingLine();

  constructor(context: Context, wrong: WrongCredentials, replicas: ReplicaCount) {
    this.#context = context;
    this.#tries = new PasswordTries(context, wrong, replicas);
  }

  /** Passwords can be switched off as a whole. */
  demandOn(): void {
    if (this.#context.config.consolePasswords) return;
    throw new Problem(
      'PASSWORDS_OFF',
      'Passwords are switched off here. Sign in by a passkey, through your identity provider or by a link.',
    );
  }

  /** Who signs in, or the refusal. */
  async prove(signIn: PasswordSignIn, request: FastifyRequest, reply: FastifyReply): Promise<Proof> {
    const { name, password } = signIn;
    const { holder, accountId, refusal } = await this.#find(signIn);
    const person = holder ?? { accountId, personId: nobody };
    const isKnown = await this.#isKnown(`${accountId} ${fold(name)}`, person, request.ip);
    const attempt = this.#tries.begin(`${accountId} ${fold(name)}`, request.ip, isKnown);
    const inLine = { answer: reply.raw, isKnown };
    const { isRight, isOutdated } = await this.#made(attempt, () =>
      this.#line.run(() => comparePassword(password, holder?.hash ?? null), inLine),
    );
    if (holder === null || holder.hash === null || !isRight) throw refusal();
    attempt.wasRight();
    const { personId, actor, hash, admitsAdmin } = holder;
    const newHash = isOutdated
      ? await this.#line.run(() => hashPassword(password), { answer: reply.raw, isKnown: true })
      : hash;
    return {
      accountId: holder.accountId,
      personId,
      actor,
      way: 'password',
      admitsAdmin,
      password: { personId, hash, newHash },
    };
  }

  /** What is kept of a new password of somebody who has a session. */
  hash(password: string, reply: FastifyReply): Promise<string> {
    return this.#line.run(() => hashPassword(password), { answer: reply.raw, isKnown: true });
  }

  /** Whether it is the password of somebody who has a session; wrong ones are counted all the same. */
  async isOwn(
    password: string,
    { name, ...person }: PersonId & { readonly name: string },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<boolean> {
    const attempt = this.#tries.begin(`${person.accountId} ${fold(name)}`, request.ip, true);
    const kept = await passwordOf(this.#context.db, person);
    const { isRight } = await this.#made(attempt, () =>
      this.#line.run(() => comparePassword(password, kept), { answer: reply.raw, isKnown: true }),
    );
    if (isRight) attempt.wasRight();
    return isRight;
  }

  async #find({ account, name }: PasswordSignIn): Promise<Named> {
    const { db } = this.#context;
    const nameKey = fold(name);
    if (account !== undefined)
      return {
        holder: await userWithPassword(db, account, nameKey),
        accountId: account,
        refusal: passwordRefused,
      };
    const only = await onlyAccount(db);
    const [operator, user] = await Promise.all([
      operatorWithPassword(db, name),
      only === null ? null : userWithPassword(db, only, nameKey),
    ]);
    return {
      holder: operator ?? user,
      accountId: only ?? operatorsAccount,
      refusal: only === null ? accountNeeded : passwordRefused,
    };
  }

  async #isKnown(name: string, person: PersonId, address: string): Promise<boolean> {
    const origins = await signInOrigins(this.#context.db, person, this.#context.now());
    return this.#tries.isKnown(name, address, origins);
  }

  /** What was refused before the password was looked at is not counted as wrong. */
  async #made<T>(attempt: PasswordTry, compare: () => Promise<T>): Promise<T> {
    try {
      return await compare();
    } catch (error) {
      attempt.wasNotMade();
      throw error;
    }
  }
}

/** The same for an operator's wrong password and for a name that nobody has. */
function accountNeeded(): Problem {
  return new Problem(
    'INVALID_REQUEST',
    'No operator has this name and password. Users of an account name it when they sign in.',
    { details: [{ field: 'account', code: 'MISSING', message: 'names the account of a user.' }] },
  );
}
