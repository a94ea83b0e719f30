// What can be asked of the service, declared once as data: who may, what it takes, what it answers, and how it refuses. The gate, the
// reading of requests, the API document and the types of handlers and callers all follow from the declaration. Nothing here runs: schemas
// are plain values, and typebox lends its types alone.

import type { Static, TObject, TSchema } from 'typebox';
import type { Grant } from '../domain/access/account.ts';
import type { Ability } from '../domain/access/role.ts';
import type { Code } from '../domain/problem.ts';

/** The areas of the interface, each with its own error body; `token` adds RFC 6749's pair to `service`. */
export const areas = ['service', 'token', 'ingestion', 'project', 'projectData', 'scim', 'console'] as const;
export type Area = (typeof areas)[number];

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

export type AnswerHeader = 'ETag' | 'Link' | 'Location' | 'Export-Rows' | 'Export-End-Position';

/** What an operation takes, and what it does with it before a handler sees it. */
export interface Request {
  readonly access: Access;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly body?: TSchema;
  /** The interface demands the header on some endpoints (D-25). */
  readonly accept?: 'required' | 'optional';
  readonly produces?: readonly string[];
  /** Content types of the JSON body. None: a body, if the endpoint reads one, is handed over as raw bytes. */
  readonly consumes?: readonly string[];
  /** Operators' endpoints answer during maintenance and are counted under no caller. */
  readonly isOperational?: boolean;
  /** A body of one of these content types is handed over as bytes too. */
  readonly readsBytes?: boolean;
  /** The text of the body is wanted beside its value. */
  readonly keepsBodyText?: boolean;
  /** Pages of other sites may call it, and their browsers ask first (D-12). */
  readonly allowsCrossOrigin?: boolean;
  /** Refused unless said otherwise (D-24). */
  readonly unknownQuery?: 'refused' | 'ignored';
}

export interface OperationWords {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** What the API document says of an operation, beside what it takes. */
export interface OperationDocument extends OperationWords {
  readonly tag: string;
  readonly success: Success;
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
}

export interface Success {
  readonly status: number;
  /** Null where the answer has no body. */
  readonly schema: TSchema | null;
  readonly description: string;
  /**
   * A handler returns a value of the schema, and does not compile when it differs. Else it sends the answer itself: a text that was made
   * before, slices, or a file. The tests hold those against the schema.
   */
  readonly as?: 'text' | 'slices' | 'file';
}

/** Of an operation that answers without a body. */
export const done = (description: string) => ({ status: 204, schema: null, description }) as const;

export interface Operation extends Request {
  /** Of the error bodies; that of its set unless said. */
  readonly area?: Area;
  /** Left out, the endpoint is not part of the interface. */
  readonly document?: OperationDocument;
  /** Answers 304 where If-None-Match names the tag of now. */
  readonly answersUnmodified?: true;
  /** How it refuses beyond what its set says of all; one code for each status. */
  readonly refusals?: readonly Code[];
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type OperationKey = `${Method} ${string}`;
export type Operations = Readonly<Record<OperationKey, Operation>>;

/** Operations that share the beginning of their paths, their error body and their usual refusals. */
export interface OperationSet<All extends Operations = Operations> {
  readonly base: string;
  readonly area: Area;
  readonly refusals: readonly Code[];
  readonly all: All;
}

/** How every operation may refuse, whatever it is about. */
export const usualRefusals = [
  'NOT_ACCEPTABLE',
  'THROTTLED',
  'INTERNAL_ERROR',
  'STORE_UNREACHABLE',
  'MAINTENANCE',
] as const satisfies readonly Code[];

/** How one that a token opens refuses. */
export const tokenRefusals = [
  'INVALID_REQUEST',
  'INVALID_TOKEN',
  'INSUFFICIENT_SCOPE',
  ...usualRefusals,
] as const satisfies readonly Code[];

export const bodyRefusals = ['BODY_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const satisfies readonly Code[];

const ofConsole: readonly Code[] = [
  'INVALID_REQUEST',
  'SIGN_IN_REQUIRED',
  'ABILITY_MISSING',
  ...bodyRefusals,
  ...usualRefusals,
];

/** What the pages of the console call. It changes with them and is no part of the interface. */
export function consoleOperations<const All extends Operations>(all: All): OperationSet<All> {
  return { base: '/console/api', area: 'console', refusals: ofConsole, all };
}

/** What browsers open on the way into the console, and what providers tell it of. */
export function consoleWayOperations<const All extends Operations>(all: All): OperationSet<All> {
  return { base: '/console', area: 'console', refusals: [], all };
}

/** What the page of a shared view calls: whoever has its link is told of it. It changes with the page and is no part of the interface. */
export function sharedPageOperations<const All extends Operations>(all: All): OperationSet<All> {
  return {
    base: '/shared/api',
    area: 'console',
    refusals: [...ofConsole, 'SHARED_VIEW_FIXED', 'SHARED_VIEW_NOT_FOUND', 'SHARED_VIEW_ENDED'],
    all,
  };
}

/** What programs call. */
export function serviceOperations<const All extends Operations>(all: All): OperationSet<All> {
  return { base: '', area: 'service', refusals: [], all };
}

/** What is read is not changed by whoever was handed it. */
export type ReadOnly<Value> = Value extends object
  ? { readonly [Name in keyof Value]: ReadOnly<Value[Name]> }
  : Value;

type TextsOf<Schema> = Schema extends TObject ? Static<Schema> : object;

export interface InputOf<Of extends Operation> {
  readonly params: TextsOf<Of['params']>;
  readonly query: TextsOf<Of['query']>;
  readonly body: Of['body'] extends TSchema ? Static<Of['body']> : unknown;
}

/** The answer of an operation; null where it has no body. */
export type AnswerOf<Of extends Operation> = Of['document'] extends {
  readonly success: { readonly schema: infer Schema };
}
  ? Schema extends TSchema
    ? ReadOnly<Static<Schema>>
    : null
  : unknown;

/** What a handler returns. */
export type HandledAnswer<Of extends Operation> = Of['document'] extends {
  readonly success: { readonly as: string };
}
  ? unknown
  : AnswerOf<Of> | (Of['answersUnmodified'] extends true ? null : never);
