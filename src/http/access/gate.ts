// What every request passes before its handler, in the order of D-24b: route, method, maintenance, credentials,
// grant, throttle, Accept, content type. The usual request (a token seen before, a client remembered) goes
// through without a promise.

import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type AccessToken,
  type AccessTokens,
  invalidToken,
  type SpokenFor,
} from '../../acts/access/access-token.ts';
import type { CredentialCache } from '../../acts/access/credential-cache.ts';
import { networkOf } from '../../acts/access/network.ts';
import { Buckets, type Limit, policyOf, shareOf, type Verdict } from '../../acts/access/throttle.ts';
import type { WrongCredentials } from '../../acts/access/wrong-credentials.ts';
import type { Context } from '../../context.ts';
import type { ConsoleAccess } from '../../contract/operation.ts';
import {
  type AccountLimits,
  type ApiClient,
  type Caller,
  callerOf,
  type Grant,
} from '../../domain/access/account.ts';
import { heldToPasskey } from '../../domain/access/passkey-demand.ts';
import { grantsOfPerson } from '../../domain/access/person-token.ts';
import { personIdOf, type Visitor } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import type { FoundSharedView } from '../../store/access/shared-views.ts';
import { storeProblem } from '../../store/engine/db.ts';
import { findSessionById } from '../../store/people/session-lookup.ts';
import { chooseType } from '../server/accept.ts';
import { hasBody } from '../server/bodies-under-way.ts';
import type { Heartbeat } from '../server/heartbeat.ts';
import { factsOf, type RouteFacts } from '../server/route.ts';
import { ProvisioningTokens } from './provisioning-token.ts';
import type { TokenUse } from './token-use.ts';

/** Judges who signed in in a browser, or has the link of a shared view. */
interface VisitorGate {
  /** What holds for everybody, signed in or not. */
  judgeSender(request: FastifyRequest, access: ConsoleAccess): void;
  judgeVisitor(request: FastifyRequest, reply: FastifyReply, access: ConsoleAccess): Promise<Visitor>;
  judgeSharedView(request: FastifyRequest): Promise<Pick<FoundSharedView, 'accountId' | 'id'>>;
}

export class Gate {
  readonly #context: Context;
  readonly #credentialCache: CredentialCache;
  readonly #tokens: AccessTokens;
  readonly #provisioning: ProvisioningTokens;
  readonly #heartbeat: Heartbeat;
  readonly #wrong: WrongCredentials;
  readonly #visitors: VisitorGate;
  readonly #callers = new WeakMap<AccessToken, { readonly client: ApiClient; readonly caller: Caller }>();
  readonly #clientBuckets = new Buckets();
  readonly #accountBuckets = new Buckets();
  readonly #use: TokenUse;
  readonly #addressBuckets = new Buckets();
  readonly #shares = new WeakMap<AccountLimits, Share>();

  constructor(
    context: Context,
    credentialCache: CredentialCache,
    tokens: AccessTokens,
    heartbeat: Heartbeat,
    wrong: WrongCredentials,
    tokenUse: TokenUse,
    visitors: VisitorGate,
  ) {
    this.#context = context;
    this.#credentialCache = credentialCache;
    this.#tokens = tokens;
    this.#use = tokenUse;
    this.#provisioning = new ProvisioningTokens(context, credentialCache, wrong, tokenUse);
    this.#heartbeat = heartbeat;
    this.#wrong = wrong;
    this.#visitors = visitors;
  }

  /** Judges a routed request; a promise only where something must be looked up. */
  judge(request: FastifyRequest, reply: FastifyReply): void | Promise<void> {
    const facts = factsOf(request);
    if (facts === undefined) throw new Error('The route does not say who may call it.');
    if (this.#heartbeat.isMaintenance && !facts.isOperational && !isOpenInMaintenance(facts)) {
      throw new Problem('MAINTENANCE', 'The service is in maintenance. Please come back later.', {
        headers: { 'retry-after': '60' },
      });
    }
    if (this.#heartbeat.isStarting && !facts.isOperational) throw storeProblem('STORE_UNREACHABLE', null);
    if (facts.access === 'anyone') return judgeMediaTypes(request, facts);
    // These credentials may stand in the body, so the endpoint reads them itself and then calls admitClient.
    if (facts.access === 'apiClient') return;
    if (facts.access === 'survey' && !request.headers.authorization) {
      return this.#admitAnonymous(facts, request, reply);
    }
    if (facts.access === 'sharedView') return this.#admitSharedView(facts, request, reply);
    if (typeof facts.access === 'object' && 'people' in facts.access)
      return this.#admitPerson(facts.access, facts, request, reply);
    const grant = facts.access === 'survey' ? 'w_cx_responses' : facts.access.grant;
    const caller = this.#callerOf(request, grant);
    if (caller instanceof Promise)
      return caller.then(
        (found) => this.#admit(found, grant, facts, request, reply),
        (error: unknown) => {
          throw this.#countIfWrongToken(error, request.ip);
        },
      );
    this.#admit(caller, grant, facts, request, reply);
  }

  /** An API client that has shown its own credentials: from here on it is judged like any caller. */
  admitClient(
    { id, accountId, accountLimits }: ApiClient,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    this.#throttle({ apiClientId: id, accountId, accountLimits }, reply);
    this.#use.note(id);
    judgeMediaTypes(request, factsOf(request)!);
  }

  #admitPerson(
    access: ConsoleAccess,
    facts: RouteFacts,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void | Promise<void> {
    this.#visitors.judgeSender(request, access);
    if (access.people === 'signingIn') return this.#admitAnonymous(facts, request, reply);
    return this.#visitors.judgeVisitor(request, reply, access).then((visitor) => {
      const { accountId, personId } = personIdOf(visitor.person);
      this.#throttle(
        {
          apiClientId: `person ${accountId}/${personId}`,
          // Apart from the bucket of the account's programs, whose limits may be others (D-395).
          accountId: `people ${accountId}`,
          accountLimits: limitsOfPeople,
          names: namesOfPeople,
        },
        reply,
      );
      judgeMediaTypes(request, facts);
    });
  }

  /** The address is throttled before its link is looked up, and then the view, whoever looks at it. */
  async #admitSharedView(facts: RouteFacts, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('x-robots-tag', 'noindex, nofollow');
    this.#admitAnonymous(facts, request, reply);
    const { accountId, id } = await this.#visitors.judgeSharedView(request);
    this.#throttle(
      {
        apiClientId: `view ${accountId}/${id}`,
        accountId: `views ${accountId}`,
        accountLimits: limitsOfSharedViews,
        names: namesOfSharedViews,
      },
      reply,
    );
  }

  /** Without a token: whether the survey lets it in is judged when the body is read (D-12). */
  #admitAnonymous(facts: RouteFacts, request: FastifyRequest, reply: FastifyReply): void {
    const { config } = this.#context;
    if (config.throttle) {
      const limit = { rate: config.throttlePublicRate, burst: config.throttlePublicBurst };
      const share = shareOf(limit, this.#heartbeat.liveReplicas);
      const network = networkOf(request.ip, config.throttleIpv6PrefixBits);
      const { isAllowed, remaining, waitSeconds } = this.#addressBuckets.take(
        facts.access === 'survey'
          ? network
          : `${facts.access === 'sharedView' ? 'shared' : 'console'} ${network}`,
        share,
        this.#context.elapsedMs(),
      );
      reply.header('ratelimit-policy', policyOf('address', share));
      reply.header('ratelimit', `"address";r=${remaining};t=${waitSeconds}`);
      if (!isAllowed) {
        throw new Problem('THROTTLED', 'Too many requests from this address.', {
          headers: { 'retry-after': String(waitSeconds) },
        });
      }
    }
    judgeMediaTypes(request, facts);
  }

  #throttle(caller: Throttled, reply: FastifyReply): void {
    if (!this.#context.config.throttle) return;
    const nowMs = this.#context.elapsedMs();
    const { client, account, policy } = this.#shareOf(caller);
    const [one, all] = caller.names ?? namesOfClients;
    reply.header('ratelimit-policy', policy);
    const ofClient = this.#clientBuckets.take(caller.apiClientId, client, nowMs);
    if (!ofClient.isAllowed) refuse(one, ofClient);
    const ofAccount = this.#accountBuckets.take(caller.accountId, account, nowMs);
    if (!ofAccount.isAllowed) refuse(all, ofAccount);
    // Of the two, the one that ends first.
    const [name, { remaining, waitSeconds }] =
      ofAccount.remaining < ofClient.remaining ? [all, ofAccount] : [one, ofClient];
    reply.header('ratelimit', `"${name}";r=${remaining};t=${waitSeconds}`);
  }

  /** What a request cost beyond its one token: rows scanned, bytes sent, operations of a bulk request. */
  charge(caller: Throttled, tokens: number): void {
    if (!this.#context.config.throttle || tokens <= 0) return;
    const nowMs = this.#context.elapsedMs();
    const { client, account } = this.#shareOf(caller);
    this.#clientBuckets.charge(caller.apiClientId, tokens, client, nowMs);
    this.#accountBuckets.charge(caller.accountId, tokens, account, nowMs);
  }

  #admit(
    caller: Caller,
    grant: Grant,
    facts: RouteFacts,
    request: FastifyRequest,
    reply: FastifyReply,
  ): void {
    // Set before the refusals below, so that the log names their caller too.
    request.caller = caller;
    if (!caller.grants.has(grant)) {
      const why = caller.isReadOnly
        ? 'This provisioning token only reads. Use one that was made without --read-only to change users.'
        : `This endpoint needs the scope ${grant}.`;
      throw new Problem('INSUFFICIENT_SCOPE', why, {
        headers: {
          'www-authenticate': `Bearer realm="soundings", error="insufficient_scope", scope="${grant}"`,
        },
      });
    }
    this.#throttle(caller, reply);
    judgeMediaTypes(request, facts);
  }

  #callerOf({ headers: { authorization }, ip }: FastifyRequest, grant: Grant): Caller | Promise<Caller> {
    // An empty header is what a variable without a value leaves behind.
    if (!authorization) {
      throw new Problem(
        'CREDENTIALS_REQUIRED',
        'This endpoint needs an access token: Authorization: Bearer ...',
      );
    }
    const text = bearerToken(authorization);
    if (text === null) throw this.#countIfWrongToken(invalidToken(), ip);
    if (this.#provisioning.isTakenFor(text, grant)) return this.#provisioning.callerOf(text, ip);
    const token = this.#tokens.remembered(text);
    const client =
      token === null || token.person !== null
        ? null
        : this.#credentialCache.rememberedClient(token.apiClientId);
    if (token === null || client === null || !mayCall(client, grant)) return this.#lookUp(text, grant, ip);
    this.#use.note(client.id);
    return this.#callerOfToken(token, client);
  }

  /** Whom the token speaks for, made once for each time that its client is read from the store. */
  #callerOfToken(token: AccessToken, client: ApiClient): Caller {
    const known = this.#callers.get(token);
    if (known !== undefined && known.client === client) return known.caller;
    const caller = callerOf(client, token.scopes);
    this.#callers.set(token, { client, caller });
    return caller;
  }

  /**
   * What to answer a request whose token was refused. Wrong tokens of either kind are counted by network, and too many
   * of them change the answer; a genuine token that has expired is not counted.
   */
  #countIfWrongToken(error: unknown, address: string): unknown {
    const isWrong = error instanceof Problem && error.code === 'INVALID_TOKEN';
    return isWrong ? this.#wrong.refusal(address, error) : error;
  }

  async #lookUp(text: string, grant: Grant, address: string): Promise<Caller> {
    const token = await this.#tokens.verify(text, address);
    if (token.person !== null) return this.#callerOfPerson(token.person, token);
    const client = await this.#credentialCache.client(token.apiClientId, (known) => mayCall(known, grant));
    if (client === null || client.disabled) throw invalidToken();
    this.#use.note(client.id);
    return this.#callerOfToken(token, client);
  }

  /**
   * Whoever got a token for themselves: their session and what it lets them do are asked each time, so that the token ends
   * with the session, when they are suspended, and for an operator when they leave the account (D-820).
   */
  async #callerOfPerson(
    { id, accountId, sessionId }: SpokenFor,
    { apiClientId, scopes }: AccessToken,
  ): Promise<Caller> {
    const { db } = this.#context;
    const visitor = await findSessionById(db, id, sessionId, this.#context.now());
    if (visitor === null || visitor.accountId !== accountId) throw invalidToken();
    const { abilities } = heldToPasskey(visitor, this.#context.config.requirePasskey);
    const grants = grantsOfPerson(abilities).filter((grant) => scopes.includes(grant));
    // None of these grants changes users.
    return { apiClientId, accountId, grants: new Set(grants), mayChangeAdmins: false, accountLimits: null };
  }

  /** What this replica allows: its share of the limits of the account, or of those of the settings (D-213). */
  #shareOf({ accountLimits, names: [one, all] = namesOfClients }: Throttled): Share {
    const limits = accountLimits ?? limitsOfSettings;
    const replicas = this.#heartbeat.liveReplicas;
    const known = this.#shares.get(limits);
    if (known !== undefined && known.replicas === replicas) return known;
    const { config } = this.#context;
    const client = shareOf(
      {
        rate: limits.clientRequestsPerSecond ?? config.throttleClientRate,
        burst: limits.clientRequestsAtOnce ?? config.throttleClientBurst,
      },
      replicas,
    );
    const account = shareOf(
      {
        rate: limits.requestsPerSecond ?? config.throttleAccountRate,
        burst: limits.requestsAtOnce ?? config.throttleAccountBurst,
      },
      replicas,
    );
    const policy = `${policyOf(one, client)}, ${policyOf(all, account)}`;
    const share = { replicas, client, account, policy };
    this.#shares.set(limits, share);
    return share;
  }
}

/** An API client and its account, a person and the people of the same account, or a shared view and all of its account. */
interface Throttled extends Pick<Caller, 'apiClientId' | 'accountLimits'> {
  readonly accountId: number | string;
  /** What the header of limits calls the one and all of them together. */
  readonly names?: ThrottledNames;
}

/** Limits divided by the replicas that were alive when it was made, and the header that says so. */
interface Share {
  readonly replicas: number;
  readonly client: Limit;
  readonly account: Limit;
  readonly policy: string;
}

const limitsOfSettings: AccountLimits = {};
// Those of the settings too, under a policy with names of its own.
const limitsOfPeople: AccountLimits = {};
const limitsOfSharedViews: AccountLimits = {};

const throttledNames = {
  client: 'this API client',
  account: 'this account',
  person: 'this person',
  people: 'the people of this account',
  view: 'this shared view',
  views: 'the shared views of this account',
};

type ThrottledNames = readonly [keyof typeof throttledNames, keyof typeof throttledNames];
const namesOfClients: ThrottledNames = ['client', 'account'];
const namesOfPeople: ThrottledNames = ['person', 'people'];
const namesOfSharedViews: ThrottledNames = ['view', 'views'];

function refuse(name: keyof typeof throttledNames, { waitSeconds }: Verdict): never {
  throw new Problem('THROTTLED', `Too many requests of ${throttledNames[name]}.`, {
    headers: {
      'retry-after': String(waitSeconds),
      ratelimit: `"${name}";r=0;t=${waitSeconds}`,
    },
  });
}

function mayCall(client: ApiClient, grant: Grant): boolean {
  return !client.disabled && client.grants.includes(grant);
}

function bearerToken(authorization: string): string | null {
  if (authorization.length < 8 || authorization.slice(0, 7).toLowerCase() !== 'bearer ') return null;
  return authorization.slice(7);
}

/** Accept, then Content-Type where there is a body. */
function judgeMediaTypes(request: FastifyRequest, facts: RouteFacts): void {
  request.answerType = chooseType(request.headers.accept, facts);
  if (facts.consumes.length === 0 || !hasBody(request)) return;
  judgeContentEncoding(request);
  const type = request.headers['content-type'];
  if (type === undefined || !isConsumed(type, facts.consumes)) {
    throw new Problem(
      'UNSUPPORTED_MEDIA_TYPE',
      `This endpoint reads ${facts.consumes.join(' or ')} in UTF-8.`,
    );
  }
}

/** Nothing is decompressed here, and a compressed body must not be refused as malformed JSON, which it is not (D-194). */
export function judgeContentEncoding(request: FastifyRequest): void {
  const coding = request.headers['content-encoding']?.trim().toLowerCase();
  if (coding === undefined || coding === '' || coding === 'identity') return;
  throw new Problem(
    'UNSUPPORTED_MEDIA_TYPE',
    'This endpoint reads bodies that are not compressed: leave Content-Encoding out.',
    { headers: { 'accept-encoding': 'identity' } },
  );
}

function isConsumed(header: string, consumes: readonly string[]): boolean {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  if (!consumes.includes(type)) return false;
  // JSON and forms are UTF-8; another charset would be read wrongly, so it is not read at all.
  return parameters.every(
    (parameter) => !parameter.startsWith('charset=') || /^charset="?utf-?8"?$/.test(parameter),
  );
}

/**
 * Whoever looks after the service must be able to end a maintenance by the console: its pages, the sign-in, and what operators do
 * there stay open (D-610).
 */
function isOpenInMaintenance({ path, access }: RouteFacts): boolean {
  // The pages of links too, which say in words what is the matter.
  if (path === '/setup' || path === '/shared') return true;
  if (path !== '/console' && !path.startsWith('/console/')) return false;
  // Whoever has a set-up link enters a connection, which is a change like any other.
  if (path.startsWith('/console/api/setup')) return false;
  if (access === 'anyone') return true;
  if (typeof access !== 'object' || !('people' in access)) return false;
  return access.people === 'signingIn' || access.ability === 'operate' || openToPeople.has(path);
}

const openToPeople: ReadonlySet<string> = new Set([
  '/console/api/session',
  '/console/api/live',
  '/console/api/me',
  '/console/api/me/passkeys',
]);
