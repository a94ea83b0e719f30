// Calls to the service, and what it says when it refuses. What a call takes and what it is answered follow from the declaration of
// its operation in src/contract/, of which only types come here.

import type { TObject, TSchema } from 'typebox';
import type { PageOperations } from '../src/contract/console.ts';
import type { AnswerOf, InputOf, Operation, ReadOnly } from '../src/contract/operation.ts';
import { type QueryValue, requestPath } from '../src/domain/console/request-path.ts';

/** The method and the path of an operation of the console, such as `GET /users/:id`. */
export type ConsoleKey = keyof PageOperations & string;

export type AnswerTo<Key extends ConsoleKey> = AnswerOf<PageOperations[Key]>;

// What stands in an address is text, and often comes from the address of the page, which may say anything: the service validates it.
type Params<Declared> = { readonly [Name in keyof Declared]: string | number };

type None = Record<never, never>;

type Query<Declared> = {
  readonly [Name in keyof Declared]: None extends Pick<Declared, Name> ? QueryValue | undefined : QueryValue;
};

type CallInputOf<Of extends Operation> = (Of['params'] extends TObject
  ? { readonly params: Params<InputOf<Of>['params']> }
  : { readonly params?: never }) &
  (Of['query'] extends TObject
    ? None extends InputOf<Of>['query']
      ? { readonly query?: Query<InputOf<Of>['query']> }
      : { readonly query: Query<InputOf<Of>['query']> }
    : { readonly query?: never }) &
  (Of['body'] extends TSchema ? { readonly body: ReadOnly<InputOf<Of>['body']> } : { readonly body?: never });

/** `params`, `query` and `body`, each required where the declaration requires it. */
export type CallInput<Key extends ConsoleKey> = CallInputOf<PageOperations[Key]>;

/** The input may be left out where nothing of it is required. */
export type InputArguments<Key extends ConsoleKey, Otherwise = never> =
  None extends CallInput<Key> ? [input?: CallInput<Key> | Otherwise] : [input: CallInput<Key> | Otherwise];

interface Fault {
  /** What of the request it is about. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
}

interface ProblemBody {
  readonly code?: string | undefined;
  readonly detail?: string;
  readonly requestId?: string | null;
  readonly faults?: readonly Fault[];
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly faults: readonly Fault[];

  constructor(status: number, { code = 'UNKNOWN', detail = '', requestId, faults = [] }: ProblemBody) {
    super(detail);
    this.status = status;
    this.code = code;
    this.requestId = requestId ?? null;
    this.faults = faults;
  }
}

/** The code of a call that got no answer at all. */
export const unreachable = 'UNREACHABLE';

/** The code of a failure that nobody has given one. */
export const noAnswer = 'NO_ANSWER';

/** Of an answer that is not the service's own. */
const codeOf: Readonly<Record<number, string>> = {
  401: 'SIGN_IN_REQUIRED',
  403: 'ABILITY_MISSING',
  409: 'CONFLICT',
  429: 'THROTTLED',
};

/** Where calls go, and what is sent with each. */
export interface CallBase {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

let base: CallBase = { path: '/console/api', headers: {} };

/** The page of a shared view asks elsewhere, and says by which link. */
export function callFrom(other: CallBase): void {
  base = other;
}

/** What is behind `/console/api`. */
export const addressOf: <Key extends ConsoleKey>(
  key: Key,
  ...input: readonly [...InputArguments<Key>]
) => string = requestPath;

export async function call<Key extends ConsoleKey>(
  key: Key,
  ...input: InputArguments<Key>
): Promise<AnswerTo<Key>> {
  const body = input[0]?.body;
  const content = body && { type: 'application/json', content: JSON.stringify(body) };
  const answer = await send(key, input, content);
  return JSON.parse((await answer.text()) || 'null');
}

interface Content {
  readonly type: string;
  readonly content: BodyInit;
}

/** A call whose answer is no JSON, or whose body is none. */
export async function send<Key extends ConsoleKey>(
  key: Key,
  input: InputArguments<Key>,
  body?: Content,
): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(base.path + addressOf(key, ...input), {
      method: key.split(' ')[0]!,
      headers: { ...base.headers, ...(body && { 'content-type': body.type }) },
      body: body?.content ?? null,
    });
  } catch {
    throw new Refusal(0, { code: unreachable });
  }
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** What stands in between may answer by itself, with a page of its own. */
async function refusalOf(answer: Response): Promise<Refusal> {
  const { status, headers } = answer;
  const said: ProblemBody = (await answer.json().catch(() => null)) ?? {};
  return new Refusal(status, {
    ...said,
    code: said.code ?? codeOf[status] ?? (status >= 500 ? noAnswer : undefined),
    requestId: said.requestId ?? headers.get('x-request-id'),
  });
}
