// Sign-in by the identity provider of an account (OpenID Connect): the way there, and the way back. Both are pages that a
// browser opens, so a refusal leads to the sign-in page; whoever asks for JSON is told as elsewhere.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { userOfClaim } from '../../../acts/access/provider-match.ts';
import { SignInRefused } from '../../../acts/access/provider-refusal.ts';
import { providerSignInOperations } from '../../../contract/access/provider-sign-in.ts';
import { auditNote } from '../../../domain/access/audit-note.ts';
import { type Connection, findConnection, openConnections } from '../../../store/access/connections.ts';
import { unknownSignIn } from '../../../store/people/sessions.ts';
import { noteRefusedSignIn } from '../../../store/people/user-connections.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import { TestSignIns } from '../providers/test-sign-ins.ts';
import { stampOf } from '../visitor-stamp.ts';
import { claimsOf } from './provider-claims.ts';
import type { ProviderState } from './provider-state.ts';
import { beginAtProvider, callbackOf } from './provider-way.ts';

const sidLengthMax = 1_000;
// Anybody can begin a sign-in and come back with nonsense: so many of an account are told to its audit log a minute.
const notedPerMinute = 120;
const minuteMs = 60_000;

export function providerRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, address, providers, providerStates, idTokenHints, signingIn } = services;
  const testSignIns = new TestSignIns(services);
  const noted = new Map<number, { readonly minute: number; count: number }>();

  addOperation(
    app,
    providerSignInOperations,
    'GET /sign-in/provider/:account/:connection',
    async ({ params, query }, request, reply) => {
      const place = { accountId: params.account, connectionId: params.connection };
      try {
        const connection = await connectionAt(place.accountId, place.connectionId);
        const isFresh = query.fresh === '1';
        const returnTo = returnPath(query.return);
        const url = await beginAtProvider(services, reply, connection, { returnTo, isFresh, testOf: null });
        return reply.redirect(url, 302);
      } catch (error) {
        return refuse(request, reply, place, error);
      }
    },
  );

  addOperation(app, providerSignInOperations, 'GET /callback', async (_input, request, reply) => {
    const kept = await providerStates.open(request);
    providerStates.drop(reply);
    try {
      if (kept === null) throw new SignInRefused('stateMismatch', auditNote('noSignInBegun'));
      if (kept.testOf === null) await finish(request, reply, kept);
      else await testSignIns.finish(request, reply, kept, kept.testOf);
      return reply.redirect(address.to(kept.returnTo), 302);
    } catch (error) {
      return refuse(request, reply, kept, error);
    }
  });

  async function finish(request: FastifyRequest, reply: FastifyReply, kept: ProviderState): Promise<void> {
    const { accountId, connectionId } = kept;
    const connection = await connectionAt(accountId, connectionId);
    const callback = callbackOf(address, request);
    const answer = await providers.within(accountId, async () =>
      claimsOf(await providers.of(connection), connection, kept, callback),
    );
    const { subject, idToken, claims, authenticatedAtMs } = answer;
    const user = await userOfClaim(context.db, connection, subject, claims);
    const { sub, sid } = claims as { sub: string; sid?: unknown };
    const nowMs = context.now();
    const begun = await signingIn.beginByProvider(request, reply, {
      accountId,
      personId: user.id,
      actor: `user ${user.id}`,
      way: 'provider',
      admitsAdmin: true,
      connectionId,
      providerSubject: sub,
      ...(typeof sid === 'string' && sid.length <= sidLengthMax && { providerSession: sid }),
      // A provider lets people through who proved long ago who they are: that is no fresh sign-in (D-355).
      signedInAtMs: Math.min(authenticatedAtMs ?? unknownSignIn, nowMs),
    });
    if (begun.refusal !== null)
      throw new SignInRefused(begun.refusal, auditNote('connectionChanged', { user: user.id }));
    await idTokenHints.keep(reply, { accountId, connectionId, sessionId: begun.sessionId }, idToken);
  }

  /** A connection that may be entered through. */
  async function connectionAt(accountId: number, id: string): Promise<Connection> {
    const connections = await openConnections(context.db, accountId);
    const connection = connections.find((one) => one.id === id);
    if (connection === undefined)
      throw new SignInRefused('connectionGone', auditNote('connectionGone', { connection: id }));
    if (!connection.isOnly && connections.some(({ isOnly }) => isOnly))
      throw new SignInRefused('onlyOther', auditNote('connectionNotOnly'));
    return connection;
  }

  async function refuse(
    request: FastifyRequest,
    reply: FastifyReply,
    place: { readonly accountId: number; readonly connectionId: string } | null,
    error: unknown,
  ): Promise<FastifyReply> {
    if (!(error instanceof SignInRefused)) throw error;
    if (place !== null) await note(request, place, error);
    if (request.answerType === 'application/json') throw error.problem();
    const page = new URL(address.to('/console/sign-in'));
    page.searchParams.set('refused', error.code);
    if (place !== null) page.searchParams.set('account', String(place.accountId));
    return reply.redirect(page.href, 302);
  }

  /** Only for connections that are there: an account of somebody else's invention has no log. */
  async function note(
    request: FastifyRequest,
    { accountId, connectionId }: { readonly accountId: number; readonly connectionId: string },
    error: SignInRefused,
  ): Promise<void> {
    if ((await findConnection(context.db, accountId, connectionId)) === null) return;
    const minute = Math.floor(context.elapsedMs() / minuteMs);
    const before = noted.get(accountId);
    const now = before?.minute === minute ? before : { minute, count: 0 };
    if (noted.size > 10_000) noted.clear();
    noted.set(accountId, now);
    now.count += 1;
    if (now.count > notedPerMinute) return;
    await context.db.write(noteRefusedSignIn, {
      ...stampOf(context, request, 'identity provider'),
      accountId,
      connectionId,
      note: error.reason,
    });
  }

  /** Only pages of the console are returned to, whatever the address says. */
  function returnPath(asked: string | undefined): string {
    if (asked === undefined || !/^\/console(?:[/?#]|$)/.test(asked) || /[\\\p{Cc}]/u.test(asked))
      return '/console';
    const url = new URL(asked, address.origin);
    const isOwn = url.origin === address.origin && /^\/console(?:\/|$)/.test(url.pathname);
    return isOwn ? url.pathname + url.search + url.hash : '/console';
  }
}
