// How an endpoint is declared: its area, who may call it, what it reads and what it produces. The gate, the input reader
// and the API document all work from that one declaration; without saying who may call, a route stops the start.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import type { Caller, Grant } from '../../domain/access/account.ts';
import type { Ability } from '../../domain/access/role.ts';
import type { Problem } from '../../domain/problem.ts';
import type { WorkQueue } from '../../store/engine/work-budget.ts';
import type { Area } from './errors.ts';
import { type InputReader, inputReader } from './input.ts';

/**
 * Who may call: anyone, an API client that shows its own credentials, a caller whose token has the grant, or any
 * sender whom the survey in the body lets in (D-12), or whoever has the link of a shared view.
 */
export type Access =
  | 'anyone'
  | 'apiClient'
  | 'survey'
  | 'sharedView'
  | { readonly grant: Grant }
  | ConsoleAccess;

/** Endpoints of the console: people call them, by the cookie of their session. */
export interface ConsoleAccess {
  /** Whoever is about to sign in, or whoever has. */
  readonly people: 'signingIn' | 'signedIn';
  /** What one of their roles must let them do; of several, one is enough. */
  readonly ability?: Ability | readonly [Ability, ...Ability[]];
  /** A changing request that comes from elsewhere by its nature, such as a provider that tells of a sign-out. */
  readonly isExemptFromOrigin?: boolean;
}

export interface RouteFacts {
  /** The pattern of the path. It is logged and counted in place of the path, which may hold a name or a secret. */
  readonly path: string;
  readonly area: Area;
  readonly access: Access;
  /** The interface demands the header on some endpoints (D-25). */
  readonly accept: 'required' | 'optional';
  readonly produces: readonly string[];
  /** Browsers show it as a page. */
  readonly isPage: boolean;
  /** Content types of the JSON body. None: a body, if the endpoint reads one, is handed over as raw bytes. */
  readonly consumes: readonly string[];
  /** Operators' endpoints answer during maintenance and are counted under no caller. */
  readonly isOperational: boolean;
  /** A body of one of these content types is handed over as bytes too. */
  readonly readsBytes: boolean;
  /** The text of the body is wanted beside its value. */
  readonly keepsBodyText: boolean;
  /** Pages of other sites may call it (D-12). */
  readonly allowsCrossOrigin: boolean;
  /** Problems of a page for people are shown as a page too. */
  readonly showProblem: ShowProblem | null;
}

export type ShowProblem = (
  problem: Problem,
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

/** What the API document and the list of allowed methods need of an endpoint. */
export type DeclaredEndpoint = Omit<Endpoint<TObject, TObject, TSchema>, 'handle'>;

declare module 'fastify' {
  interface FastifyInstance {
    endpoints: DeclaredEndpoint[];
    workQueue: WorkQueue;
  }
  interface FastifyContextConfig {
    facts?: RouteFacts;
  }
  interface FastifyRequest {
    /** Of the route; looked up by factsOf. */
    facts: RouteFacts | null;
    caller: Caller | null;
    /** The content type that was negotiated. */
    answerType: string;
    /** The header as it came, for an endpoint that reads its body itself. */
    sentContentType: string | null;
    /** What grows with its body is done in slices. */
    hasLongBody: boolean;
    /** The body as sent, where the route keeps it. */
    bodyText: string | null;
  }
}

interface Parts<Query extends TObject, Params extends TObject, Body extends TSchema> {
  readonly query: Static<Query>;
  readonly params: Static<Params>;
  readonly body: Static<Body>;
}

export interface Endpoint<Query extends TObject, Params extends TObject, Body extends TSchema> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly area: Area;
  readonly access: Access;
  readonly accept?: RouteFacts['accept'];
  readonly produces?: readonly string[];
  readonly consumes?: readonly string[];
  readonly isOperational?: boolean;
  readonly readsBytes?: boolean;
  readonly keepsBodyText?: boolean;
  /** Pages of other sites may call it, and their browsers ask first (D-12). */
  readonly allowsCrossOrigin?: boolean;
  /** Refused unless said otherwise (D-24). */
  readonly unknownQuery?: 'refused' | 'ignored';
  readonly bodyLimitBytes?: number;
  readonly showProblem?: ShowProblem;
  readonly query?: Query;
  readonly params?: Params;
  readonly body?: Body;
  /** What the API document says about it; left out, the endpoint is not part of the interface. */
  readonly document?: RouteDocument;
  readonly handle: (
    input: Parts<Query, Params, Body>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => unknown;
}

export type AnswerHeader = 'ETag' | 'Link' | 'Location' | 'Export-Rows' | 'Export-End-Position';

export interface RouteDocument {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: string;
  /** Without a schema the answer has no body. */
  readonly success: {
    readonly status: number;
    readonly schema: TSchema | null;
    readonly description: string;
  };
  /** Examples for content types of the success that its recorded example is not of. */
  readonly typeExamples?: Readonly<Record<string, string>>;
  /** Headers of the success beside those that every answer has. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** When it is answered by 204 instead, and what that means. */
  readonly emptySuccess?: string;
  /** Parameters that the endpoint reads by itself, and that only the document must know. */
  readonly query?: TObject;
  readonly headers?: TObject;
  /** A body that the endpoint reads by itself. */
  readonly body?: TSchema;
  /** Examples for content types of the body that its recorded example is not of. */
  readonly bodyExamples?: Readonly<Record<string, string>>;
  readonly conditions: readonly number[];
}

const json = ['application/json'];

export function addRoute<Query extends TObject, Params extends TObject, Body extends TSchema>(
  app: FastifyInstance,
  endpoint: Endpoint<Query, Params, Body>,
): void {
  const facts: RouteFacts = {
    path: endpoint.path,
    area: endpoint.area,
    access: endpoint.access,
    accept: endpoint.accept ?? 'optional',
    produces: endpoint.produces ?? json,
    isPage: endpoint.produces?.includes('text/html') ?? false,
    consumes: endpoint.consumes ?? [],
    isOperational: endpoint.isOperational ?? false,
    readsBytes: endpoint.readsBytes ?? false,
    keepsBodyText: endpoint.keepsBodyText ?? false,
    allowsCrossOrigin: endpoint.allowsCrossOrigin ?? false,
    showProblem: endpoint.showProblem ?? null,
  };
  const read: InputReader = inputReader(endpoint);
  const { handle } = endpoint;
  app.endpoints.push(endpoint as unknown as DeclaredEndpoint);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { facts },
    ...(endpoint.bodyLimitBytes === undefined ? {} : { bodyLimit: endpoint.bodyLimitBytes }),
    handler: async (request, reply) => {
      const input = read(request);
      // Requests of one turn take each step together (tick-batch.ts): what is read already is not waited for.
      const parts = (input instanceof Promise ? await input : input) as Parts<Query, Params, Body>;
      const answer = await handle(parts, request, reply);
      // An answer without a body has no type, and one that has gone out has its own.
      if (answer === null || answer === reply) return answer;
      if (request.answerType !== 'application/json') reply.type(request.answerType);
      // Fastify adds a charset to what it serialises itself; RFC 7644's type has none.
      if (request.answerType.endsWith('+json')) reply.serializer(JSON.stringify);
      return answer;
    },
  });
}

const asItIs = (text: unknown): string => text as string;

/** Answers with JSON that is a text already. Without a serializer, Fastify would add a charset to RFC 7644's type. */
export function sendJsonText(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  return reply.type(jsonTypeOf(request)).serializer(asItIs).send(text);
}

export function jsonTypeOf({ answerType }: FastifyRequest): string {
  return answerType === 'application/json' ? 'application/json; charset=utf-8' : answerType;
}

/** The caller of a route that demands a grant: the gate has put it there. */
export function callerOfRequest(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('The route has no caller: its access is not a grant.');
  return request.caller;
}

/** What the route says of itself; nothing for a request that reached none. */
export function factsOf(request: FastifyRequest): RouteFacts | undefined {
  // Looked up once: the framework puts the options of the route together anew at every look.
  request.facts ??= request.routeOptions.config.facts ?? null;
  return request.facts ?? undefined;
}
