// soundings/client: the service from a program, typed by its API document, without a library (docs/client.md).

import type { components } from './api.ts';
import { type Call, Caller } from './caller.ts';
import { ingestionBody } from './ingest.ts';
import { type CountedPage, countedPages, Listing, type Skipping, windowOf } from './listing.ts';
import { type BulkOptions, type Groups, Resources, sendBulk, type Users } from './provisioning.ts';
import type { CallOptions } from './retry.ts';
import { MeasureSource, ProjectSource } from './source.ts';
import { type Credentials, tokenSource } from './token.ts';
import type {
  BulkOperation,
  BulkResult,
  IngestionResult,
  Measure,
  Project,
  SurveyResponse,
} from './types.ts';

export type { Call, QueryValue } from './caller.ts';
export { type Fault, SoundingsError } from './error.ts';
export type { ExportedPlace, ExportFormat } from './export.ts';
export type { CountedPage, Listing, Skipping } from './listing.ts';
export type {
  BulkOptions,
  GroupDraft,
  Groups,
  PatchOperation,
  ResourcePage,
  ResourcesQuery,
  UserDraft,
  Users,
  VersionOptions,
} from './provisioning.ts';
export type { CallOptions } from './retry.ts';
export type {
  ChangesQuery,
  DataQuery,
  EntryPage,
  ExternalRow,
  MeasureSource,
  ProjectSource,
  RespondentPage,
} from './source.ts';
export type { Credentials } from './token.ts';
export type * from './types.ts';

type Schemas = components['schemas'];

export interface ConnectOptions extends Credentials, Omit<CallOptions, 'signal'> {
  /** Where the service is, such as https://feedback.example; it may lie under a path. */
  readonly url: string | URL;
  /** Instead of the one that is there. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Nothing is asked before the first call. What is said here of patience holds for every call that says nothing else. */
export function connect({
  url,
  clientId,
  clientSecret,
  scope,
  token,
  fetch: ask = (input, init) => globalThis.fetch(input, init),
  ...patience
}: ConnectOptions): Soundings {
  const { protocol, search, hash } = new URL(url);
  if (!/^https?:$/.test(protocol) || search !== '' || hash !== '')
    throw new TypeError(`${url} is no address of a service: it begins with https:// and has no query.`);
  const base = String(url).replace(/\/+$/, '');
  const tokens = tokenSource({ clientId, clientSecret, scope, token }, base, ask, patience);
  return new Soundings(new Caller(base, ask, tokens, patience));
}

export class Soundings {
  readonly #caller: Caller;
  readonly users: Users;
  readonly groups: Groups;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.users = new Resources(caller, 'Users');
    this.groups = new Resources(caller, 'Groups');
  }

  /**
   * Sends a response. Without a `responseId` it gets one before the first try, so that it counts once however often it arrives
   * (D-663).
   */
  send(response: SurveyResponse, options?: CallOptions): Promise<IngestionResult> {
    const body = ingestionBody(response);
    const call = { method: 'POST', path: '/v1/surveys/ingestion', body, isRepeatable: true } as const;
    return this.#caller.json(call, options);
  }

  measures(query: Skipping = {}, options?: CallOptions): Listing<Measure, CountedPage<Measure>> {
    const window = windowOf(query, 100);
    return new Listing(() =>
      countedPages<Measure, Schemas['MeasuresList']>(window, 'pages', (part) =>
        this.#caller.json({ path: '/v1/measures', query: part }, options),
      ),
    );
  }

  measure(key: number): MeasureSource {
    return new MeasureSource(this.#caller, `/v1/measures/${encodeURIComponent(key)}`);
  }

  projects(options?: CallOptions): Promise<readonly Project[]> {
    return this.#caller.json({ path: '/v1/projects' }, options);
  }

  project(id: number): ProjectSource {
    return new ProjectSource(this.#caller, `/v1/projects/${encodeURIComponent(id)}`);
  }

  /** Links to a survey, each for one person, in the sequence of the request. */
  async invite(
    surveyId: string,
    invitations: Schemas['NewInvitations'],
    options?: CallOptions,
  ): Promise<Schemas['InvitationList']['items']> {
    const path = `/v1/surveys/${encodeURIComponent(surveyId)}/invitations`;
    const call = { method: 'POST', path, body: invitations, isRepeatable: true } as const;
    return (await this.#caller.json<Schemas['InvitationList']>(call, options)).items;
  }

  /** Takes invitations back; says how many were not taken back before. */
  async revokeInvitations(
    surveyId: string,
    invitationIds: readonly string[],
    options?: CallOptions,
  ): Promise<number> {
    const path = `/v1/surveys/${encodeURIComponent(surveyId)}/invitations/revocations`;
    const call = { method: 'POST', path, body: { invitationIds }, isRepeatable: true } as const;
    return (await this.#caller.json<Schemas['InvitationRevocationResult']>(call, options)).revoked;
  }

  /** Changes of many users and groups in one request. */
  bulk(operations: readonly BulkOperation[], options?: BulkOptions): Promise<readonly BulkResult[]> {
    return sendBulk(this.#caller, operations, options);
  }

  /** Any other call of the service, with token and patience. */
  call<T = unknown>(call: Call, options?: CallOptions): Promise<T> {
    return this.#caller.json<T>(call, options);
  }
}
