import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inOneGo } from '../../domain/interruptible.ts';
import { codes, Problem } from '../../domain/problem.ts';
import {
  createGroup,
  type Group,
  groupKeysOf,
  groupNotFound,
  type KnownMember,
  replaceGroup,
  touchGroup,
} from '../../domain/provisioning/group.ts';
import { readResourceId } from '../../domain/provisioning/resource.ts';
import { createUser, keysOf, type User, userNotFound } from '../../domain/provisioning/user.ts';
import type { Value, Values } from '../../domain/provisioning/value.ts';
import { resourceTypes, schemas, serviceProviderConfig } from '../discovery.ts';
import { elementMatches, matches } from '../evaluate.ts';
import { standardFace } from '../faces.ts';
import { parseFilter } from '../filter.ts';
import { groupElement, memberElement, patchGroup, readGroupDraft, showGroup } from '../groups.ts';
import { exactly, type MemberStep } from '../members.ts';
import { readPatch } from '../operations.ts';
import { project, readProjection } from '../projection.ts';
import { describeUsers, groupDescription } from '../resource-type.ts';
import { groupSchemaView, standardFaceSchemaView } from '../schema-view.ts';
import { providerSequences } from './provider-sequences.ts';
import {
  captureFrom,
  type FilledRequest,
  fillRequest,
  judgeAnswer,
  namesUsedBy,
  valueAt,
} from './sequence.ts';

const base = 'https://x';
const facts = {
  baseUrl: base,
  documentationUri: base,
  maxResults: 200,
  bulk: { maxOperations: 1_000, maxPayloadBytes: 1_000_000 },
};
const types = [describeUsers(standardFace), groupDescription];
const free = (): void => {};

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** A service in memory, made of the pure parts alone: what the sequences find here, the real one must give, too. */
class MemoryService {
  readonly users = new Map<number, User>();
  readonly groups = new Map<number, Group>();
  readonly members = new Map<number, Set<number>>();
  nextId = 1_000_000_001;

  answer(request: FilledRequest): Answer {
    try {
      return this.route(request);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return refused(Math.floor(codes[error.code].number / 100), error.message);
    }
  }

  route({ method, target, body, authorization }: FilledRequest): Answer {
    if (authorization !== undefined) return refused(401, 'Not with these credentials.');
    const url = new URL(`${base}${target}`);
    const [, name, segment] = url.pathname.split('/');
    if (name === 'Schemas') return { status: 200, body: schemas(standardFace, types, base) };
    if (name === 'ResourceTypes') return { status: 200, body: resourceTypes(standardFace, types, base) };
    if (name === 'ServiceProviderConfig') {
      return { status: 200, body: serviceProviderConfig(standardFace, facts) };
    }
    const isUsers = name === 'Users';
    const schemaView = isUsers ? standardFaceSchemaView : groupSchemaView;
    const query = Object.fromEntries(url.searchParams);
    const projection = readProjection(query, schemaView);
    const show = (id: number): Values => project(this.show(isUsers, id), projection);
    if (segment === undefined && method === 'GET') {
      const filter = query.filter === undefined ? null : parseFilter(query.filter, schemaView);
      const all = [...(isUsers ? this.users : this.groups).keys()].sort((a, b) => a - b);
      const found = all.filter((id) => filter === null || matches(filter, this.show(isUsers, id)));
      const startIndex = Number(query.startIndex ?? 1);
      const page = found.slice(startIndex - 1, startIndex - 1 + Number(query.count ?? 100));
      const resources = page.map((id) => show(id) as Record<string, Value>);
      return {
        status: 200,
        body: standardFace.showList({ totalResults: found.length, startIndex, resources }),
      };
    }
    if (method === 'POST') {
      const id = this.nextId++;
      if (isUsers) this.saveUser(createUser(standardFace.readDraft(body), { accountId: 7, id, nowMs: 1 }));
      else {
        const draft = inOneGo(readGroupDraft(body));
        this.saveGroup(
          createGroup(draft.profile, { accountId: 7, id, nowMs: 1 }),
          exactly(draft.members, true),
        );
      }
      return { status: 201, body: show(id) };
    }
    const id = this.find(isUsers, decodeURIComponent(segment ?? ''));
    if (method === 'DELETE') {
      for (const list of this.members.values()) list.delete(id);
      (isUsers ? this.users : this.groups).delete(id);
      this.members.delete(id);
      return { status: 204, body: undefined };
    }
    if (method !== 'GET') this.change(isUsers, id, method, body);
    if (method === 'PATCH' && !isUsers && query.attributes === undefined) {
      return { status: 204, body: undefined };
    }
    return { status: 200, body: show(id) };
  }

  change(isUsers: boolean, id: number, method: string, body: unknown): void {
    const user = this.users.get(id);
    const group = this.groups.get(id);
    if (isUsers && user !== undefined) {
      const after =
        method === 'PUT'
          ? standardFace.replace(user, standardFace.readReplacement(body), 2)
          : inOneGo(
              standardFace.patch(user, inOneGo(readPatch(body, standardFaceSchemaView)).operations, 2, free),
            );
      this.saveUser(after);
    } else if (group !== undefined && method === 'PUT') {
      const draft = inOneGo(readGroupDraft(body));
      this.saveGroup(replaceGroup(group, draft.profile, 2), exactly(draft.members, false));
    } else if (group !== undefined) {
      const after = inOneGo(patchGroup(group, inOneGo(readPatch(body, groupSchemaView)).operations, 2, free));
      this.saveGroup(after.group, after.members);
    }
  }

  find(isUsers: boolean, segment: string): number {
    const id = readResourceId(segment);
    if (id !== null && (isUsers ? this.users : this.groups).has(id)) return id;
    throw isUsers ? userNotFound(segment) : groupNotFound(segment);
  }

  saveUser(user: User): void {
    for (const other of this.users.values()) {
      if (other.id === user.id) continue;
      if (keysOf(other).userNameKey === keysOf(user).userNameKey)
        throw new Problem('USER_NAME_TAKEN', 'Taken.');
    }
    this.users.set(user.id, user);
  }

  saveGroup(group: Group, steps: readonly MemberStep[]): void {
    for (const other of this.groups.values()) {
      if (other.id === group.id) continue;
      if (groupKeysOf(other).displayNameKey !== groupKeysOf(group).displayNameKey) continue;
      throw new Problem('GROUP_NAME_TAKEN', 'Taken.');
    }
    const list = this.members.get(group.id) ?? new Set();
    for (const step of steps) {
      if (step.kind === 'clear') list.clear();
      else if (step.kind === 'change') {
        for (const id of step.remove) list.delete(id);
        for (const { id } of step.add) list.add(id);
      } else {
        const leaves = (id: number) => elementMatches(step.where, memberElement(this.known(id), base));
        for (const id of list) if (leaves(id)) list.delete(id);
      }
    }
    this.members.set(group.id, list);
    this.groups.set(group.id, steps.length > 0 ? touchGroup(group, 2) : group);
  }

  known(id: number): KnownMember {
    const type = this.users.has(id) ? 'User' : 'Group';
    return { id, type, display: this.users.get(id)?.profile.userName ?? null };
  }

  show(isUsers: boolean, id: number): Record<string, Value> {
    const group = this.groups.get(id);
    if (!isUsers && group !== undefined) {
      return showGroup(
        group,
        [...(this.members.get(id) ?? [])].map((one) => this.known(one)),
        base,
      );
    }
    const joined = [...this.groups.values()].filter((one) => this.members.get(one.id)?.has(id));
    const user = this.users.get(id);
    assert.ok(user !== undefined);
    return standardFace.show({ ...user, groups: joined.map((one) => groupElement(one, base)) }, base);
  }
}

function refused(status: number, detail: string): Answer {
  const urn = 'urn:ietf:params:scim:api:messages:2.0:Error';
  return { status, body: { schemas: [urn], status: String(status), detail } };
}

describe('the documented requests of identity providers', () => {
  for (const sequence of providerSequences) {
    it(`${sequence.provider}: ${sequence.name}: every answer is as documented`, () => {
      const service = new MemoryService();
      const variables = new Map([['run', 'r1']]);
      for (const one of sequence.steps) {
        const { status, body } = service.answer(fillRequest(one.request, variables));
        const faults = judgeAnswer(one, status, body, variables);
        assert.deepEqual(faults, [], `${one.name}: ${JSON.stringify(body)}`);
        const captured = captureFrom(one, body);
        assert.ok(captured !== null, one.name);
        for (const [name, value] of captured) variables.set(name, value);
      }
    });
    it(`${sequence.provider}: ${sequence.name}: can be played`, () => {
      const known = new Set(['run']);
      for (const one of sequence.steps) {
        for (const name of namesUsedBy(one)) assert.ok(known.has(name), `${one.name} needs ${name}`);
        for (const name of Object.keys(one.captures ?? {})) known.add(name);
      }
      for (const path of sequence.leftovers) {
        for (const [, name] of path.matchAll(/\{\{(\w+)\}\}/g)) assert.ok(known.has(String(name)), path);
      }
      assert.ok(sequence.sources.every((address) => address.startsWith('https://')));
    });
  }
  it('have names of their own', () => {
    const ids = providerSequences.map((sequence) => sequence.id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { steps } of providerSequences) assert.ok(steps.length >= 2);
  });
  it('hold the twelve requests of the published suite, after the user that it expects', () => {
    assert.equal(providerSequences.find((one) => one.id === 'okta-spec')?.steps.length, 13);
  });
});

describe('a sequence', () => {
  const one = providerSequences[0]!.steps[0]!;
  it('is filled in and encoded', () => {
    const { target } = fillRequest(
      { method: 'GET', path: '/Users/{{a}}', query: { flag: '', filter: 'userName eq "{{b}}"' } },
      new Map([
        ['a', 'x/y'],
        ['b', 'ü'],
      ]),
    );
    assert.equal(target, '/Users/x%2Fy?flag&filter=userName%20eq%20%22%C3%BC%22');
    assert.throws(
      () => fillRequest({ method: 'GET', path: '/{{nobody}}' }, new Map()),
      /before it is captured/,
    );
  });
  it('says in words what is wrong with an answer', () => {
    assert.deepEqual(judgeAnswer(one, 500, {}, new Map()), ['status 500 instead of 200']);
    const faults = judgeAnswer(
      one,
      200,
      { schemas: [], totalResults: '0', startIndex: 1, Resources: [1] },
      new Map(),
    );
    assert.equal(faults.length, 4);
    assert.match(faults.join('\n'), /totalResults is "0" instead of 0/);
  });
  it('finds values by their path, and only own ones', () => {
    const body = { a: [{ 'urn:x:2.0:y': { b: 1 } }], c: null };
    assert.equal(valueAt(body, 'a[0]["urn:x:2.0:y"].b'), 1);
    assert.equal(valueAt(body, 'a[1].b'), undefined);
    assert.equal(valueAt(body, 'constructor.name'), undefined);
    assert.equal(valueAt(body, ''), body);
  });
});
