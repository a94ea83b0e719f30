// A test sign-in: the whole way to the identity provider and back, and nobody is signed in by it. Whoever tests sees once what
// the provider said and whom it means here, or why nobody. What came back is sealed in a cookie of theirs until they have read
// it, so that any replica can show it and the store keeps nothing of it (D-603).

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IDToken } from 'openid-client';
import { userOfClaim } from '../../../acts/access/provider-match.ts';
import { SignInRefused } from '../../../acts/access/provider-refusal.ts';
import type { matchFaults } from '../../../contract/providers/refusal.ts';
import { auditNote } from '../../../domain/access/audit-note.ts';
import type { User } from '../../../domain/provisioning/user.ts';
import { type Connection, findConnection } from '../../../store/access/connections.ts';
import { Sealer } from '../../../store/access/sealer.ts';
import type { ChangeStamp } from '../../../store/engine/audit.ts';
import { noteTestSignIn } from '../../../store/people/user-connections.ts';
import { findUserById } from '../../../store/provisioning/user-lookup.ts';
import type { ConsoleServices } from '../console-services.ts';
import { exchangeCode, subjectOf } from '../sign-in/provider-claims.ts';
import { type ProviderState, stateSeconds, type TestOwner } from '../sign-in/provider-state.ts';
import { beginAtProvider, callbackOf } from '../sign-in/provider-way.ts';
import { addCookie, cookieOf } from '../sign-in/session-cookie.ts';

// A cookie has 4,096 bytes with its name; sealing makes a text longer by a third.
const sealedLengthMax = 3_900;
const claimsBytesMax = 1_500;
const nameLengthMax = 60;
const valueBytesMax = 160;
const textBytesMax = 200;
const noteBytesMax = 300;

/** What tells most comes first: there is room for some. */
const firstClaims = [
  'sub',
  'oid',
  'preferred_username',
  'upn',
  'email',
  'name',
  'iss',
  'aud',
  'auth_time',
  'sid',
  'groups',
  'roles',
];

interface TestResult {
  readonly connectionId: string;
  readonly subjectClaim: string;
  readonly subject: string | null;
  readonly claims: readonly ShownClaim[];
  readonly claimsLeftOut: number;
  readonly user: {
    readonly id: string;
    readonly userName: string;
    readonly externalId: string | null;
  } | null;
  readonly refusal: {
    readonly code: string;
    readonly match: (typeof matchFaults)[number] | null;
    readonly note: string;
  } | null;
}

interface ShownClaim {
  readonly name: string;
  readonly value: string;
  readonly isCut: boolean;
}

type Services = Pick<ConsoleServices, 'context' | 'address' | 'providers' | 'providerStates'>;

export class TestSignIns {
  readonly #services: Services;
  readonly #sealer: Sealer;

  constructor(services: Services) {
    this.#services = services;
    this.#sealer = new Sealer(services.context);
  }

  /** Where the browser goes; it comes back to a page of the console or of the set-up. */
  async begin(
    reply: FastifyReply,
    connection: Connection,
    { owner, returnTo, stamp }: { owner: TestOwner; returnTo: string; stamp: ChangeStamp },
  ): Promise<{ readonly url: string }> {
    let url: string;
    try {
      url = await beginAtProvider(this.#services, reply, connection, {
        returnTo,
        isFresh: false,
        testOf: owner,
      });
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      // It ends before it has begun; the page reads why, as of any other test.
      const { id: connectionId } = connection;
      await this.#keep(reply, owner, {
        ...resultOf(connection, null),
        connectionId,
        refusal: refusalOf(error),
      });
      return { url: this.#services.address.to(returnTo) };
    }
    const { accountId, id: connectionId } = connection;
    await this.#services.context.db.write(noteTestSignIn, { ...stamp, accountId, connectionId });
    return { url };
  }

  /** On the way back. Whatever went wrong is what the test has found. */
  async finish(
    request: FastifyRequest,
    reply: FastifyReply,
    kept: ProviderState,
    owner: TestOwner,
  ): Promise<void> {
    const { accountId, connectionId } = kept;
    const connection = await findConnection(this.#services.context.db, accountId, connectionId);
    if (connection === null) throw new SignInRefused('connectionGone', auditNote('connectionRemoved'));
    await this.#keep(reply, owner, await this.#test(request, kept, connection));
  }

  /** What the last test has found, once; null where there was none, or it is somebody else's. */
  async take(
    request: FastifyRequest,
    reply: FastifyReply,
    owner: TestOwner,
    connectionId: string,
  ): Promise<TestResult | null> {
    const sealed = cookieOf(request.headers.cookie, this.#cookie);
    if (sealed === null || sealed === '' || sealed.length > sealedLengthMax) return null;
    addCookie(reply, this.#services.address, this.#cookie, '', 0);
    const plain = await this.#sealer.open(purposeOf(owner), sealed).then(String, () => null);
    if (plain === null) return null;
    const result = JSON.parse(plain) as TestResult;
    return result.connectionId === connectionId ? result : null;
  }

  async #test(request: FastifyRequest, kept: ProviderState, connection: Connection): Promise<TestResult> {
    const { context, address, providers } = this.#services;
    let claims: IDToken | null = null;
    try {
      const answer = await providers.within(connection.accountId, async () =>
        exchangeCode(await providers.of(connection), connection, kept, callbackOf(address, request)),
      );
      ({ claims } = answer);
      const subject = subjectOf(connection, claims);
      const user = await userOfClaim(context.db, connection, subject, claims);
      return { ...resultOf(connection, claims), user: shownUser(user) };
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      const nearly =
        error.match === null || error.match.userId === null
          ? null
          : await findUserById(context.db, connection.accountId, error.match.userId);
      return {
        ...resultOf(connection, claims),
        user: nearly === null ? null : shownUser(nearly),
        refusal: refusalOf(error),
      };
    }
  }

  async #keep(reply: FastifyReply, owner: TestOwner, result: TestResult): Promise<void> {
    const endsAtMs = this.#services.context.now() + stateSeconds * 1_000;
    const { text: sealed } = await this.#sealer.seal(purposeOf(owner), JSON.stringify(result), endsAtMs);
    if (sealed.length > sealedLengthMax) throw new Error('The result of a test sign-in has no room.');
    addCookie(reply, this.#services.address, this.#cookie, sealed, stateSeconds);
  }

  get #cookie(): string {
    return this.#services.address.cookieNameFor('test');
  }
}

function purposeOf(owner: TestOwner): string {
  return `result of a test sign-in for ${owner}`;
}

function resultOf(connection: Connection, claims: IDToken | null): TestResult {
  const { id: connectionId, subjectClaim } = connection;
  const shown = claims === null ? [] : shownClaims(claims, subjectClaim);
  const subject = claims?.[subjectClaim];
  return {
    connectionId,
    subjectClaim,
    subject: typeof subject === 'string' ? cut(subject, textBytesMax) : null,
    claims: shown,
    claimsLeftOut: claims === null ? 0 : Object.keys(claims).length - shown.length,
    user: null,
    refusal: null,
  };
}

function shownUser({ id, profile }: User): TestResult['user'] {
  const { userName, externalId } = profile;
  return {
    id: String(id),
    userName: cut(userName, textBytesMax),
    externalId: externalId === undefined ? null : cut(externalId, textBytesMax),
  };
}

function refusalOf({ code, message, match }: SignInRefused): TestResult['refusal'] {
  return { code, match: match?.code ?? null, note: cut(message, noteBytesMax) };
}

/** As many as there is room for; a provider may send megabytes of them. */
function shownClaims(claims: IDToken, subjectClaim: string): readonly ShownClaim[] {
  const wanted = [...new Set([subjectClaim, ...firstClaims, ...Object.keys(claims)])];
  const shown: ShownClaim[] = [];
  let bytes = 0;
  for (const name of wanted) {
    const claim = claims[name];
    if (claim === undefined || name.length > nameLengthMax) continue;
    const whole = typeof claim === 'string' ? claim : (JSON.stringify(claim) ?? '');
    const value = cut(whole, valueBytesMax);
    const one = { name, value, isCut: value.length < whole.length };
    bytes += Buffer.byteLength(JSON.stringify(one));
    if (bytes > claimsBytesMax) break;
    shown.push(one);
  }
  return shown;
}

/** So many bytes at most, as JSON writes them. */
function cut(whole: string, bytesMax: number): string {
  let piece = whole.slice(0, bytesMax);
  while (Buffer.byteLength(JSON.stringify(piece)) > bytesMax + 2) piece = piece.slice(0, -8);
  // Never between the two halves of a character.
  return piece.length < whole.length ? piece.replace(/[\uD800-\uDBFF]$/, '') : piece;
}
