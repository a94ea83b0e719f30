// Notes what identity providers ask for, beside the requests and never in their way: a note is a few words in memory,
// and what has gathered is written once a second. A crash loses that second; a store that is away loses more; a request
// notices neither.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import type { Grant } from '../../domain/access/account.ts';
import { Problem } from '../../domain/problem.ts';
import { brief, bulkInWords, draftInWords, filterInWords, patchInWords } from '../../scim/explain.ts';
import { filterLimits } from '../../scim/filter.ts';
import type { Patch } from '../../scim/operations.ts';
import { isObject } from '../../scim/values.ts';
import {
  keepProvisioningRequests,
  type ProvisioningRequest,
  requestsKept,
} from '../../store/provisioning/provisioning-log.ts';
import { withFaults } from '../server/errors.ts';
import { GatheredWrites } from '../server/gathered-writes.ts';
import { type BudgetServices, budgetOf } from '../server/request-budget.ts';
import { callerOfRequest, factsOf } from '../server/route.ts';
import type { Actor, ResourceType } from './resource-type.ts';

const writeEveryMs = 1_000;
const subjectMax = 255;
// A provider may have as many accounts as it likes; what waits in memory has an end all the same.
const waitingMax = 10 * requestsKept;
// A body or an address of this size may wait to be put into words until it is known that the note will be kept at all.
// As values a body takes many times as much.
const waitingTextMax = 1_024;
// What was cut out of a longer text keeps all of that in memory, unless it is copied.
const copiedFrom = 256;

declare module 'fastify' {
  interface FastifyRequest {
    /** What the request changed, in words: see actorOf. */
    changed: string | null;
    /** The patch that it asked for, once it has been read. */
    patch: Patch | null;
    refusal: Problem | null;
  }
}

/** The caller, as the work is done for it: what was read and changed is told to the log. */
export function actorOf(services: BudgetServices, request: FastifyRequest, reply: FastifyReply): Actor {
  const { accountId, apiClientId, connectionId, accountLimits, mayChangeAdmins } = callerOfRequest(request);
  return {
    accountId,
    apiClientId,
    ...(connectionId !== undefined && { connectionId }),
    accountLimits,
    mayChangeAdmins,
    requestId: request.id,
    origin: request.ip,
    // Only work that can be long needs one.
    get budget() {
      return budgetOf(services, request, reply);
    },
    tellPatch: (patch) => {
      request.patch = patch;
    },
    tell: (change) => noteChange(request, change),
  };
}

/** Several changes of one request stand behind one another, as far as there is room. */
function noteChange(request: FastifyRequest, words: string | null): void {
  if (words === null || request.changed?.endsWith('…') === true) return;
  request.changed = request.changed === null ? brief(words) : brief(`${request.changed}; ${words}`);
}

/** What the words of a note are made of. */
type Asked = Pick<FastifyRequest, 'method' | 'body' | 'query' | 'patch'> & { readonly route: string };

/** A request as it waits. Most notes of a busy provider are never written, so the words are found last. */
interface Note {
  readonly request: ProvisioningRequest;
  /** Null where it has been put into words already. */
  readonly asked: Asked | null;
}

/** The types of a face: their readers tell how a request was read. */
type KnownTypes = readonly Pick<ResourceType, 'endpoint' | 'schemaView' | 'readFilter'>[];

export class ProvisioningLog {
  readonly #context: Context;
  readonly #typesByPath = new Map<string, KnownTypes>();
  readonly #waiting = new Map<number, Note[]>();
  #count = 0;
  readonly #writes = new GatheredWrites(
    writeEveryMs,
    () => this.#waiting.size > 0,
    () => this.#write(),
  );

  constructor(context: Context) {
    this.#context = context;
  }

  /** Notes in memory, with those that are being written. */
  get waiting(): number {
    return this.#count;
  }

  /** Tells which types are served below a path, before the first request. */
  willServe(facePath: string, types: KnownTypes): void {
    this.#typesByPath.set(facePath, types);
  }

  /** Called when the answer has gone out. */
  note(request: FastifyRequest, reply: FastifyReply): void {
    const { caller } = request;
    const facts = factsOf(request);
    if (caller === null || facts === undefined || !isOfUsers(facts.access)) return;
    if (this.#count >= waitingMax) return;
    const { method, body, query, patch, refusal } = request;
    const asked = { method, body, query, patch, route: facts.path };
    const bodyBytes = Number(request.headers['content-length'] ?? (body === undefined ? 0 : Infinity));
    const isLarge = bodyBytes + (request.raw.url?.length ?? 0) > waitingTextMax;
    const understood = isLarge ? copyOf(this.#understandingOf(asked)) : null;
    this.#keep(caller.accountId, {
      asked: isLarge ? null : asked,
      request: {
        id: request.id,
        atMs: this.#context.now(),
        actor: caller.apiClientId,
        method,
        route: facts.path,
        status: reply.statusCode,
        subject: subjectOf(request),
        understood,
        changed: copyOf(request.changed),
        // At once: a refusal may have thousands of faults, and the words have an end.
        refused: copyOf(refusalOf(refusal)),
      },
    });
  }

  /** Writes what is waiting; nothing is noted afterwards. */
  async stop(): Promise<void> {
    await this.#writes.now();
  }

  #inWords({ request, asked }: Note): ProvisioningRequest {
    return asked === null ? request : { ...request, understood: this.#understandingOf(asked) };
  }

  /** Words of ours have an ellipsis, and those of a refused request what it was refused for: not every database holds them (D-856). */
  async #holdable(requests: readonly ProvisioningRequest[]): Promise<readonly ProvisioningRequest[]> {
    const { encoding } = this.#context.db;
    if (encoding == null) return requests;
    const masked = async (text: string | null) => (text === null ? null : encoding.masked(text));
    return Promise.all(
      requests.map(async (request) => ({
        ...request,
        subject: await masked(request.subject),
        understood: await masked(request.understood),
        changed: await masked(request.changed),
        refused: await masked(request.refused),
      })),
    );
  }

  #understandingOf(asked: Asked): string | null {
    for (const [path, types] of this.#typesByPath)
      if (asked.route.startsWith(`${path}/`))
        return understandingOf(asked, asked.route.slice(path.length), types);
    return null;
  }

  #keep(accountId: number, one: Note): void {
    const waiting = this.#waiting.get(accountId) ?? [];
    this.#waiting.set(accountId, waiting);
    waiting.push(one);
    this.#count += 1;
    // No more than the store would keep; in one cut, so that a busy provider does not shift the list at every note.
    if (waiting.length >= 2 * requestsKept) {
      waiting.splice(0, requestsKept);
      this.#count -= requestsKept;
    }
    this.#writes.soon();
  }

  async #write(): Promise<void> {
    const batches = [...this.#waiting];
    this.#waiting.clear();
    let lost = 0;
    let failure: unknown = null;
    for (const [accountId, requests] of batches) {
      // When the store is away the next account's would only wait for it as long, unless they lie on another machine.
      if (failure instanceof Problem && !this.#context.db.dialect.isSpread) lost += requests.length;
      else
        try {
          const inWords = requests.slice(-requestsKept).map((note) => this.#inWords(note));
          const kept = await this.#holdable(inWords);
          const stamp = { accountId, requests: kept, nowMs: this.#context.now() };
          await this.#context.db.write(keepProvisioningRequests, stamp);
        } catch (error) {
          failure = error;
          lost += requests.length;
        }
      this.#count -= requests.length;
    }
    if (lost > 0)
      this.#context.log.warn({ err: failure, requests: lost }, 'The log of provisioning requests lost some.');
  }
}

function copyOf(text: string | null): string | null {
  return text === null || text.length < copiedFrom ? text : Buffer.from(text).toString();
}

function isOfUsers(access: unknown): boolean {
  const grant = isObject(access) ? (access.grant as Grant) : null;
  return grant === 'r_cx_users' || grant === 'w_cx_users';
}

function subjectOf({ params }: FastifyRequest): string | null {
  const id = isObject(params) ? params.id : undefined;
  return typeof id === 'string' ? id.slice(0, subjectMax) : null;
}

/** The code and its sentence: sentences name attributes and positions, and not what was sent. */
function refusalOf(problem: Problem | null): string | null {
  return problem === null ? null : brief(`${problem.code}: ${withFaults(problem)}`);
}

/** How the request was read, by the same readers that served it; null where it could not be read. */
function understandingOf(asked: Asked, path: string, types: KnownTypes): string | null {
  const endpoint = path.split('/')[1];
  // Where the path names no type, the request is about the first, which are users.
  const type = types.find((one) => one.endpoint === endpoint) ?? types[0]!;
  try {
    return endpoint === 'Bulk' ? bulkInWords(asked.body, types) : readingOf(asked, type);
  } catch {
    return null;
  }
}

function readingOf({ route, method, body, query, patch }: Asked, type: KnownTypes[number]): string | null {
  if (route.endsWith('/.search')) return questionInWords(body, type);
  if (method === 'POST' || method === 'PUT') return draftInWords(body, type.schemaView);
  // Read once, where it was carried out: a large one takes longer than a note may.
  if (method === 'PATCH') return patch === null ? null : patchInWords(patch);
  return questionInWords(query, type);
}

const plainParameters = ['startIndex', 'count', 'sortBy', 'sortOrder', 'attributes', 'excludedAttributes'];

function questionInWords(asked: unknown, type: KnownTypes[number]): string | null {
  if (!isObject(asked)) return null;
  const { filter } = asked;
  const words: string[] = [];
  if (typeof filter === 'string') words.push(filterInWords(type.readFilter(filter, filterLimits)));
  for (const name of plainParameters) {
    const value = asked[name];
    if (value !== undefined) words.push(`${name} ${String(value).slice(0, 100)}`);
  }
  return words.length === 0 ? null : brief(words.join('; '));
}
