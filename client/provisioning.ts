// Users and groups, on the face of RFC 7644, which has all of it (D-665).

import type { components } from './api.ts';
import type { Caller } from './caller.ts';
import { type CountedPage, Listing, type Skipping, windowOf } from './listing.ts';
import type { CallOptions } from './retry.ts';
import type { BulkOperation, BulkResult, Group, Query, User } from './types.ts';

type Schemas = components['schemas'];

/** What is created or replaced; `schemas` follows from what is there unless it is given. */
export type UserDraft = WithOptionalSchemas<Schemas['ScimUserDraft']>;
export type GroupDraft = WithOptionalSchemas<Schemas['ScimGroupDraft']>;
type WithOptionalSchemas<Draft extends { schemas: string[] }> = Omit<Draft, 'schemas'> & {
  schemas?: string[] | undefined;
};

export type PatchOperation = Schemas['ScimPatchRequest']['Operations'][number];
export type ResourcesQuery = Omit<Query<'scimListUsers'>, 'startIndex' | 'count'> & Skipping;

export interface ResourcePage<Resource> extends CountedPage<Resource> {
  /** All that match. */
  readonly total: number;
}

export interface VersionOptions extends CallOptions {
  /** The version (`meta.version`) that the resource must still have. */
  readonly ifMatch?: string | undefined;
}

const base = '/scim/v2';
const messages = 'urn:ietf:params:scim:api:messages:2.0';
const coreSchemas = {
  Users: 'urn:ietf:params:scim:schemas:core:2.0:User',
  Groups: 'urn:ietf:params:scim:schemas:core:2.0:Group',
} as const;

export class Resources<Resource, Draft extends { schemas?: string[] | undefined }, Patched> {
  readonly #caller: Caller;
  readonly #kind: keyof typeof coreSchemas;

  constructor(caller: Caller, kind: keyof typeof coreSchemas) {
    this.#caller = caller;
    this.#kind = kind;
  }

  create(draft: Draft, options?: CallOptions): Promise<Resource> {
    return this.#caller.json(
      { method: 'POST', path: `${base}/${this.#kind}`, body: this.#whole(draft), headers: headersOf() },
      options,
    );
  }

  get(id: string, options?: CallOptions): Promise<Resource> {
    return this.#caller.json({ path: this.#pathOf(id), headers: headersOf() }, options);
  }

  /** All that match the filter. Who changes the list meanwhile moves its rows: those of a page are asked for at once. */
  list(query: ResourcesQuery = {}, options?: CallOptions): Listing<Resource, ResourcePage<Resource>> {
    const { skip: _skip, limit: _limit, ...asked } = query;
    const { skip, limit } = windowOf(query, 200);
    const path = `${base}/${this.#kind}`;
    const caller = this.#caller;
    return new Listing(async function* () {
      for (let seen = skip; ; ) {
        const page = await caller.json<ListResponse<Resource>>(
          { path, query: { ...asked, startIndex: seen + 1, count: limit }, headers: headersOf() },
          options,
        );
        // A page may be shorter than was asked for.
        seen += page.Resources.length;
        yield { items: page.Resources, total: page.totalResults, seen };
        if (page.Resources.length === 0 || seen >= page.totalResults) return;
      }
    });
  }

  /** Puts the draft in the place of what is there. */
  replace(id: string, draft: Draft, { ifMatch, ...options }: VersionOptions = {}): Promise<Resource> {
    return this.#caller.json(
      {
        method: 'PUT',
        path: this.#pathOf(id),
        body: this.#whole(draft),
        headers: headersOf(ifMatch),
        // Its own first try may have made the version another one.
        isRepeatable: ifMatch === undefined,
      },
      options,
    );
  }

  patch(
    id: string,
    operations: readonly PatchOperation[],
    { ifMatch, ...options }: VersionOptions = {},
  ): Promise<Patched> {
    const body = { schemas: [`${messages}:PatchOp`], Operations: operations };
    return this.#caller.json(
      { method: 'PATCH', path: this.#pathOf(id), body, headers: headersOf(ifMatch) },
      options,
    );
  }

  /** For good, on both faces. */
  async remove(id: string, { ifMatch, ...options }: VersionOptions = {}): Promise<void> {
    await this.#caller.json(
      { method: 'DELETE', path: this.#pathOf(id), headers: headersOf(ifMatch) },
      options,
    );
  }

  #pathOf(id: string): string {
    return `${base}/${this.#kind}/${encodeURIComponent(id)}`;
  }

  /** The schema of the type, and those of the extensions that are there. */
  #whole(draft: Draft): object {
    const extensions = Object.keys(draft).filter((name) => name.startsWith('urn:'));
    return { ...draft, schemas: draft.schemas ?? [coreSchemas[this.#kind], ...extensions] };
  }
}

export type Users = Resources<User, UserDraft, User>;
/** A patch of a group answers without it, because it may have very many members. */
export type Groups = Resources<Group, GroupDraft, undefined>;

interface ListResponse<Resource> {
  readonly totalResults: number;
  readonly Resources: Resource[];
}

/** Many changes in one request; what each was answered with, in the same sequence. */
export async function sendBulk(
  caller: Caller,
  operations: readonly BulkOperation[],
  { failOnErrors, ...options }: BulkOptions = {},
): Promise<readonly BulkResult[]> {
  const body = { schemas: [`${messages}:BulkRequest`], failOnErrors, Operations: operations };
  const call = { method: 'POST', path: `${base}/Bulk`, body, headers: headersOf() } as const;
  const { Operations } = await caller.json<Schemas['BulkAnswer']>(call, options);
  return Operations;
}

export interface BulkOptions extends CallOptions {
  /** How many failures end the run; none unless given. */
  readonly failOnErrors?: number | undefined;
}

function headersOf(ifMatch?: string): Record<string, string> {
  return {
    accept: 'application/scim+json',
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
  };
}
