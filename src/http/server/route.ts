// Serves what is declared in src/contract/. The gate, the input reader and the API document all work from that one declaration;
// without saying who may call, a route stops the start.

import type {
  ContextConfigDefault,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify';
import type { FastifyReplyType, ResolveFastifyReplyType } from 'fastify/types/type-provider.js';
import type {
  Access,
  Area,
  HandledAnswer,
  InputOf,
  Operation,
  OperationDocument,
  OperationKey,
  OperationSet,
  Operations,
  Request,
} from '../../contract/operation.ts';
import type { Caller } from '../../domain/access/account.ts';
import { type Code, codes, type Problem } from '../../domain/problem.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import { type InputReader, inputReader } from './input.ts';

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

type ShowProblem = (
  problem: Problem,
  status: number,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

/** An operation of the contract as the router, the API document and the list of allowed methods know it. */
export interface DeclaredEndpoint extends Request, Serving {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly area: Area;
  /** What the API document says about it; left out, the endpoint is not part of the interface. */
  readonly document?: RouteDocument;
  /** The code of each of the document's conditions, but for 304. */
  readonly refusals: readonly Code[];
}

/** What only the process that serves knows of an operation. */
interface Serving {
  readonly bodyLimitBytes?: number;
  readonly showProblem?: ShowProblem;
}

/** The success of an operation, and every status that it may refuse with. */
export interface RouteDocument extends OperationDocument {
  readonly conditions: readonly number[];
}

declare const hasGoneOut: unique symbol;

/** What an awaited reply is to the compiler: nothing that a declaration could ask for. */
interface SentReply {
  readonly [hasGoneOut]: true;
}

declare module 'fastify' {
  // A reply can be awaited, and Fastify's types say that nothing comes of it: an async handler that sends by itself would compile
  // for every value. The parameters are Fastify's own, as a second declaration must repeat them.
  interface FastifyReply<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    RawServer extends RawServerBase = RawServerDefault,
    RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
    RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    ReplyType extends FastifyReplyType = ResolveFastifyReplyType<TypeProvider, SchemaCompiler, RouteGeneric>,
  > {
    then(fulfilled: (sent: SentReply) => void, rejected: (error: Error) => void): void;
  }
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

const json = ['application/json'];

/** Serves an operation of the contract. */
export function addOperation<All extends Operations, Key extends keyof All & OperationKey>(
  app: FastifyInstance,
  set: OperationSet<All>,
  key: Key,
  handle: (
    input: InputOf<All[Key]>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => HandledAnswer<All[Key]> | Promise<HandledAnswer<All[Key]>>,
  serving: Serving = {},
): void {
  const endpoint: DeclaredEndpoint = { ...declaredEndpoint(set, key), ...serving };
  const read: InputReader = inputReader(endpoint);
  app.endpoints.push(endpoint);
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { facts: factsFrom(endpoint) },
    ...(endpoint.bodyLimitBytes === undefined ? {} : { bodyLimit: endpoint.bodyLimitBytes }),
    handler: async (request, reply) => {
      const input = read(request);
      // Requests of one turn take each step together (tick-batch.ts): what is read already is not waited for.
      const parts = (input instanceof Promise ? await input : input) as InputOf<All[Key]>;
      const answer: unknown = await handle(parts, request, reply);
      // An answer without a body has no type, and one that has gone out has its own.
      if (answer === null || answer === reply) return answer;
      if (request.answerType !== 'application/json') reply.type(request.answerType);
      // Fastify adds a charset to what it serialises itself; RFC 7644's type has none.
      if (request.answerType.endsWith('+json')) reply.serializer(JSON.stringify);
      return answer;
    },
  });
}

function factsFrom(endpoint: DeclaredEndpoint): RouteFacts {
  return {
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
}

export function declaredEndpoint(set: OperationSet, key: OperationKey): DeclaredEndpoint {
  const {
    document,
    refusals: own = [],
    answersUnmodified,
    area = set.area,
    ...declared
  }: Operation = set.all[key]!;
  const [method, path] = key.split(' ') as [DeclaredEndpoint['method'], string];
  const refusals = codeByStatus([...set.refusals, ...own]);
  return {
    ...declared,
    method,
    path: set.base + path,
    area,
    refusals: [...refusals.values()],
    ...(document === undefined
      ? {}
      : {
          document: {
            ...document,
            conditions: [...(answersUnmodified === true ? [304] : []), ...refusals.keys()],
          },
        }),
  };
}

/** One code for each status, the lowest first; what an operation says counts before what is said of all. */
function codeByStatus(refusals: readonly Code[]): ReadonlyMap<number, Code> {
  const found = new Map(refusals.map((code) => [Math.floor(codes[code].number / 100), code]));
  return new Map([...found].sort(([one], [other]) => one - other));
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
