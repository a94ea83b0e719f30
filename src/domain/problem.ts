// What can go wrong, said once for every layer. A Problem knows its code; what a code becomes on the
// wire (status, body, headers) is decided in http/server/errors.ts and nowhere else (D-20, D-21).

import type { FaultCode } from './fault-codes.ts';

/** The kinds of failure the interface names, and the few that HTTP adds. */
export type Condition =
  | 'badRequest'
  | 'unauthenticated'
  | 'forbidden'
  | 'notFound'
  | 'methodNotSupported'
  | 'notAcceptable'
  | 'conflict'
  | 'gone'
  | 'preconditionFailed'
  | 'bodyTooLarge'
  | 'unsupportedMediaType'
  | 'throttled'
  | 'serverError'
  | 'notImplemented'
  | 'downstreamError'
  | 'serviceUnavailable';

interface CodeEntry {
  readonly number: number;
  readonly condition: Condition;
  readonly meaning: string;
}

// A code, once published, keeps its meaning and its number (D-21): add at the end of a group, never reuse.
// The number is the HTTP status of the condition, then two digits of its own.
export const codes = {
  INVALID_REQUEST: {
    number: 40001,
    condition: 'badRequest',
    meaning: 'One or more parameters or members of the body are not valid; every fault is listed.',
  },
  MALFORMED_JSON: {
    number: 40002,
    condition: 'badRequest',
    meaning:
      'The body is not strict JSON (syntax, UTF-8, NUL, lone surrogates, depth, forbidden member names), or has too many member names, lists, objects or values.',
  },
  MALFORMED_URL: {
    number: 40003,
    condition: 'badRequest',
    meaning: 'The request target cannot be decoded.',
  },
  URL_TOO_LONG: {
    number: 40004,
    condition: 'badRequest',
    meaning: 'The request target is longer than the limit.',
  },
  MALFORMED_HTTP: {
    number: 40005,
    condition: 'badRequest',
    meaning: 'The bytes are not a valid HTTP/1.1 request, or they took too long to arrive.',
  },
  ACCEPT_REQUIRED: {
    number: 40006,
    condition: 'badRequest',
    meaning: 'The endpoint needs an Accept header, and there is none.',
  },
  UNSUPPORTED_GRANT_TYPE: {
    number: 40007,
    condition: 'badRequest',
    meaning: 'The token endpoint knows the grant type client_credentials only.',
  },
  INVALID_SCOPE: {
    number: 40008,
    condition: 'badRequest',
    meaning: 'A scope that was asked for does not exist.',
  },
  INVALID_RESPONSE: {
    number: 40009,
    condition: 'badRequest',
    meaning: 'The survey response does not fit the survey definition that it names; every fault is listed.',
  },
  REQUEST_ABANDONED: {
    number: 40010,
    condition: 'badRequest',
    meaning: 'The caller went away before the answer was ready; nobody sees this but the log.',
  },
  // Those of user provisioning count from 20, so that they stand together.
  INVALID_FILTER: {
    number: 40020,
    condition: 'badRequest',
    meaning: 'The filter cannot be read, is too large, or asks for more than the endpoint supports.',
  },
  INVALID_PATH: {
    number: 40021,
    condition: 'badRequest',
    meaning: 'The path of a patch operation cannot be read or leads to no attribute.',
  },
  NO_TARGET: {
    number: 40022,
    condition: 'badRequest',
    meaning: 'The path of a patch operation selects nothing that could be changed.',
  },
  MUTABILITY: {
    number: 40023,
    condition: 'badRequest',
    meaning: 'A patch operation would change a read-only attribute or remove a required one.',
  },
  INVALID_VALUE: {
    number: 40024,
    condition: 'badRequest',
    meaning: 'The value of a patch operation is missing or does not fit its attribute.',
  },
  INVALID_PATCH: {
    number: 40025,
    condition: 'badRequest',
    meaning: 'The body of a patch is not a list of operations; every fault is listed.',
  },
  TOO_MANY_OPERATIONS: {
    number: 40026,
    condition: 'badRequest',
    meaning: 'The patch has more operations than the limit.',
  },
  INVALID_BULK: {
    number: 40027,
    condition: 'badRequest',
    meaning: 'The body of a bulk request is not a list of operations, or one of them cannot be read.',
  },
  TOO_MUCH_WORK: {
    number: 40028,
    condition: 'badRequest',
    meaning: 'The search, patch or bulk request asks for more work than one request may use.',
  },
  PRESENT_PASSWORD_REQUIRED: {
    number: 40029,
    condition: 'badRequest',
    meaning: 'A password is changed with the present one beside it.',
  },
  CREDENTIALS_REQUIRED: {
    number: 40101,
    condition: 'unauthenticated',
    meaning: 'No credentials came with the request.',
  },
  INVALID_CLIENT: {
    number: 40102,
    condition: 'unauthenticated',
    meaning: 'The client credentials are not valid.',
  },
  INVALID_TOKEN: {
    number: 40103,
    condition: 'unauthenticated',
    meaning: 'The access token is not valid.',
  },
  TOKEN_EXPIRED: {
    number: 40104,
    condition: 'unauthenticated',
    meaning: 'The access token was genuine and its time has run out; get a new one.',
  },
  SIGN_IN_REQUIRED: {
    number: 40105,
    condition: 'unauthenticated',
    meaning: 'The endpoint of the console needs a session, and there is none that is live.',
  },
  SIGN_IN_REFUSED: {
    number: 40106,
    condition: 'unauthenticated',
    meaning: 'Nobody can sign in with this; the message says what to do.',
  },
  PASSKEY_REFUSED: {
    number: 40107,
    condition: 'unauthenticated',
    meaning: 'The passkey opens nothing here, whatever the reason.',
  },
  PASSKEY_QUESTION_ENDED: {
    number: 40108,
    condition: 'unauthenticated',
    meaning: 'What the passkey has signed was asked too long ago, answered before, or for something else.',
  },
  PASSKEY_COUNTED_BACK: {
    number: 40109,
    condition: 'unauthenticated',
    meaning: 'The passkey has counted fewer uses than before, as a copy of it would.',
  },
  INSUFFICIENT_SCOPE: {
    number: 40301,
    condition: 'forbidden',
    meaning: 'The token does not open this endpoint; the message names the scope that would.',
  },
  SCOPE_NOT_GRANTED: {
    number: 40302,
    condition: 'forbidden',
    meaning: 'The API client asked for a scope that it was not granted.',
  },
  ORIGIN_NOT_ALLOWED: {
    number: 40303,
    condition: 'forbidden',
    meaning: 'The public survey takes responses from pages of other origins.',
  },
  ABILITY_MISSING: {
    number: 40304,
    condition: 'forbidden',
    meaning: 'None of the roles of the person who signed in allows this.',
  },
  FRESH_SIGN_IN_REQUIRED: {
    number: 40305,
    condition: 'forbidden',
    meaning: 'What is dangerous asks for a sign-in that is not older than 15 minutes.',
  },
  FOREIGN_ORIGIN: {
    number: 40306,
    condition: 'forbidden',
    meaning: 'A change in the console must come from a page of the console itself.',
  },
  CONSOLE_NEEDS_HTTPS: {
    number: 40307,
    condition: 'forbidden',
    meaning:
      'The console is served under https or on the machine itself, unless the operator allows plain http.',
  },
  PASSWORDS_OFF: {
    number: 40309,
    condition: 'forbidden',
    meaning: 'The operator has switched passwords off; people sign in by other ways.',
  },
  PAGE_TOKEN_REQUIRED: {
    number: 40310,
    condition: 'forbidden',
    meaning:
      'The survey takes responses without an access token only with a live token of its page, in the header Soundings-Page-Token.',
  },
  SHARED_VIEW_FIXED: {
    number: 40311,
    condition: 'forbidden',
    meaning: 'A shared view shows one measure or project, with its days and its filter, and nothing else.',
  },
  PASSKEY_REQUIRED: {
    number: 40312,
    condition: 'forbidden',
    meaning:
      'The operator demands a passkey of operators and admins: whoever came without one can only add one.',
  },
  FILTER_NOT_ALLOWED: {
    number: 40320,
    condition: 'forbidden',
    meaning: 'The documents that describe the service cannot be filtered.',
  },
  DEPROVISIONING_GUARDED: {
    number: 40321,
    condition: 'forbidden',
    meaning:
      'More users of the account would be suspended or deleted within an hour than its guard allows; an operator can lift it.',
  },
  ADMIN_PROTECTED: {
    number: 40322,
    condition: 'forbidden',
    meaning:
      'The user is an admin or the group carries admin, and the credential may not change admins; the attributes are named.',
  },
  ROUTE_NOT_FOUND: {
    number: 40401,
    condition: 'notFound',
    meaning: 'No endpoint has this path.',
  },
  MEASURE_NOT_FOUND: {
    number: 40402,
    condition: 'notFound',
    meaning: 'The account has no measure with this key.',
  },
  PROJECT_NOT_FOUND: {
    number: 40403,
    condition: 'notFound',
    meaning: 'The account has no project with this id.',
  },
  SURVEY_NOT_FOUND: {
    number: 40404,
    condition: 'notFound',
    meaning: 'The account has no survey definition with this id.',
  },
  USER_NOT_FOUND: {
    number: 40420,
    condition: 'notFound',
    meaning: 'The account has no user with this address.',
  },
  GROUP_NOT_FOUND: {
    number: 40421,
    condition: 'notFound',
    meaning: 'The account has no group with this id.',
  },
  SCHEMA_NOT_FOUND: {
    number: 40422,
    condition: 'notFound',
    meaning: 'No schema or resource type has this id.',
  },
  API_CLIENT_NOT_FOUND: {
    number: 40430,
    condition: 'notFound',
    meaning: 'The account has no API client with this id.',
  },
  PROVISIONING_TOKEN_NOT_FOUND: {
    number: 40431,
    condition: 'notFound',
    meaning: 'The account has no provisioning token with this id.',
  },
  PASSKEY_NOT_FOUND: {
    number: 40440,
    condition: 'notFound',
    meaning: 'The person has no passkey with this id.',
  },
  CONNECTION_NOT_FOUND: {
    number: 40450,
    condition: 'notFound',
    meaning: 'The account has no connection to an identity provider with this id.',
  },
  RESPONSE_NOT_FOUND: {
    number: 40460,
    condition: 'notFound',
    meaning: 'The measure or project has no response with this id.',
  },
  WEBHOOK_NOT_FOUND: {
    number: 40480,
    condition: 'notFound',
    meaning: 'The account has no webhook with this id, or the webhook no such delivery.',
  },
  ACCOUNT_NOT_FOUND: {
    number: 40481,
    condition: 'notFound',
    meaning: 'The store has no account with this id, or none any more.',
  },
  SHARED_VIEW_NOT_FOUND: {
    number: 40461,
    condition: 'notFound',
    meaning: 'No shared view has this link, or the account has none with this id.',
  },
  METHOD_NOT_SUPPORTED: {
    number: 40501,
    condition: 'methodNotSupported',
    meaning: 'The endpoint exists and does not take this method; Allow lists those it takes.',
  },
  NOT_ACCEPTABLE: {
    number: 40601,
    condition: 'notAcceptable',
    meaning: 'None of the content types in Accept can be produced.',
  },
  CONFLICT: {
    number: 40901,
    condition: 'conflict',
    meaning: 'The request contradicts what is kept; the message says what.',
  },
  RESPONSE_CONFLICT: {
    number: 40902,
    condition: 'conflict',
    meaning: 'Another response is kept under this responseId, with other content; the first stays.',
  },
  SURVEY_CHANGED: {
    number: 40903,
    condition: 'conflict',
    meaning:
      'Somebody else has changed the measure or project since it was read; the message says who and when.',
  },
  LAST_ADMIN: {
    number: 40904,
    condition: 'conflict',
    meaning:
      'The account would be left without an admin, and without an identity provider that could bring one back.',
  },
  USER_NAME_TAKEN: {
    number: 40920,
    condition: 'conflict',
    meaning: 'Another user of the account has this userName.',
  },
  EXTERNAL_ID_TAKEN: {
    number: 40921,
    condition: 'conflict',
    meaning: 'Another user of the account is addressed by this externalId.',
  },
  GROUP_NAME_TAKEN: {
    number: 40922,
    condition: 'conflict',
    meaning: 'Another group of the account has this displayName.',
  },
  GROUP_EXTERNAL_ID_TAKEN: {
    number: 40923,
    condition: 'conflict',
    meaning: 'No longer given: groups may share an externalId.',
  },
  CHANGES_GONE: {
    number: 41001,
    condition: 'gone',
    meaning:
      'What the cursor has seen is no longer there (the store was restored without it, or the measure or project was removed), or changes that it has not seen are no longer kept.',
  },
  SHARED_VIEW_ENDED: {
    number: 41002,
    condition: 'gone',
    meaning: 'The link shows nothing any more: its time is over, or it was revoked.',
  },
  PRECONDITION_FAILED: {
    number: 41201,
    condition: 'preconditionFailed',
    meaning: 'If-Match names another version than the one that is kept.',
  },
  BODY_TOO_LARGE: {
    number: 41301,
    condition: 'bodyTooLarge',
    meaning: 'The body is larger than the limit of the endpoint.',
  },
  TOO_MANY_BULK_OPERATIONS: {
    number: 41302,
    condition: 'bodyTooLarge',
    meaning: 'The bulk request has more operations than the limit.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    number: 41501,
    condition: 'unsupportedMediaType',
    meaning: 'The endpoint does not read this content type.',
  },
  THROTTLED: {
    number: 42901,
    condition: 'throttled',
    meaning: 'Too many requests; Retry-After says when to come back.',
  },
  TOO_MANY_FAILED_SIGN_INS: {
    number: 42902,
    condition: 'throttled',
    meaning:
      'Too many wrong credentials from this network, whatever their kind, or too many wrong passwords for one name; Retry-After says when to come back.',
  },
  TOO_MANY_WAITS: {
    number: 42903,
    condition: 'throttled',
    meaning: 'As many requests wait for changes as may wait at once, of the API client or in all.',
  },
  TOO_MANY_SIGN_INS: {
    number: 42904,
    condition: 'throttled',
    meaning: 'More people sign in by a password at this moment than the service takes; retry after a moment.',
  },
  PAGE_WORK_REQUIRED: {
    number: 42905,
    condition: 'throttled',
    meaning:
      'Very many responses are arriving at this survey: work for the challenge in the header Soundings-Page-Work, or bring it back after the time in Retry-After.',
  },
  INTERNAL_ERROR: {
    number: 50001,
    condition: 'serverError',
    meaning: 'A failure of the service; retry, and quote the request id if it stays.',
  },
  ME_NOT_SUPPORTED: {
    number: 50120,
    condition: 'notImplemented',
    meaning: 'Nobody signs in here, so that there is nobody whom /Me could stand for.',
  },
  STORE_UNREACHABLE: {
    number: 50201,
    condition: 'downstreamError',
    meaning: 'The store cannot be reached; retry.',
  },
  STORE_TIMEOUT: {
    number: 50202,
    condition: 'downstreamError',
    meaning: 'The store did not answer in time; retry.',
  },
  MAINTENANCE: {
    number: 50301,
    condition: 'serviceUnavailable',
    meaning: 'The service is in maintenance.',
  },
  STORE_FULL: {
    number: 50303,
    condition: 'serviceUnavailable',
    meaning: 'The disk of the store is full; nothing can be written until there is room.',
  },
  WRITE_QUEUE_FULL: {
    number: 50304,
    condition: 'serviceUnavailable',
    meaning:
      'More requests are waiting for the store than the service takes, or than could be served in time; retry after a moment.',
  },
  TOO_MANY_PAGES: {
    number: 50306,
    condition: 'serviceUnavailable',
    meaning: 'More pages of data are being read than the service holds at once; retry after a moment.',
  },
  TOO_MANY_BODIES: {
    number: 50310,
    condition: 'serviceUnavailable',
    meaning:
      'More bytes of request bodies are being received than the service has room for; Retry-After says when to come back.',
  },
  TOO_MANY_EXPORTS: {
    number: 50312,
    condition: 'serviceUnavailable',
    meaning:
      'As many exports are under way as the service takes at once; Retry-After says when to come back.',
  },
  STORE_MOVED: {
    number: 50305,
    condition: 'serviceUnavailable',
    meaning:
      'A file of the store was deleted, moved, replaced or cut short while it was open; nothing is changed until it is back.',
  },
  STORE_DAMAGED: {
    number: 50307,
    condition: 'serviceUnavailable',
    meaning: 'The file of the store is damaged; the operator has to restore it.',
  },
  DIGESTS_NOT_READY: {
    number: 50311,
    condition: 'serviceUnavailable',
    meaning:
      'The digests of responses from before an upgrade are still being worked out; Retry-After says when to come back.',
  },
  INSIGHT_NOT_READY: {
    number: 50313,
    condition: 'serviceUnavailable',
    meaning: 'The figures of older responses are still being added up; Retry-After says when to come back.',
  },
  SCAN_FAILED: {
    number: 50315,
    condition: 'serviceUnavailable',
    meaning: 'The scan of responses for a filter or for groups broke off; it can be asked for again at once.',
  },
} as const satisfies Record<string, CodeEntry>;

export type Code = keyof typeof codes;

/** One thing that is wrong with a request: where, what, and a sentence for the caller (D-22). */
export interface Fault {
  readonly field: string;
  /** Where one fault is all that is wrong with a filter, a patch or a bulk request, the code of the whole error. */
  readonly code: FaultCode | Code;
  readonly message: string;
}

interface ProblemOptions {
  readonly details?: readonly Fault[];
  readonly cause?: unknown;
  /** Further headers the answer carries: WWW-Authenticate, Allow, Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
}

export class Problem extends Error {
  readonly code: Code;
  readonly details: readonly Fault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: Code, message: string, options: ProblemOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.details = options.details ?? [];
    this.headers = options.headers ?? {};
  }

  get condition(): Condition {
    return codes[this.code].condition;
  }

  get number(): number {
    return codes[this.code].number;
  }
}

/** The refusal of a request for all of its faults at once. */
export function invalidRequest(faults: readonly Fault[]): Problem {
  const names = [...new Set(faults.map(({ field }) => field).filter((field) => field !== ''))];
  const message =
    names.length === 0 ? 'The request is not valid.' : `The request is not valid: see ${names.join(', ')}.`;
  return new Problem('INVALID_REQUEST', message, { details: faults });
}
