// Calls to the service, and what it says when it refuses.

interface Fault {
  /** What of the request it is about. */
  readonly field?: string;
  readonly code: string;
  readonly message: string;
}

interface ProblemBody {
  readonly code?: string;
  readonly detail?: string;
  readonly requestId?: string | undefined;
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

export async function call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await send(
    method,
    path,
    body === undefined ? undefined : { type: 'application/json', content: JSON.stringify(body) },
  );
  const text = await answer.text();
  return (text === '' ? null : JSON.parse(text)) as Answer;
}

/** A call whose body or answer is no JSON. */
export async function send(
  method: string,
  path: string,
  body?: { readonly type: string; readonly content: BodyInit },
): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(`${base.path}${path}`, {
      method,
      headers: { ...base.headers, ...(body === undefined ? {} : { 'content-type': body.type }) },
      ...(body === undefined ? {} : { body: body.content }),
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
  const said = read(await answer.text());
  return new Refusal(status, {
    ...said,
    code: said.code ?? codeOf[status] ?? (status >= 500 ? noAnswer : 'UNKNOWN'),
    requestId: said.requestId ?? headers.get('x-request-id') ?? undefined,
  });
}

function read(text: string): ProblemBody {
  try {
    return (JSON.parse(text) ?? {}) as ProblemBody;
  } catch {
    return {};
  }
}
