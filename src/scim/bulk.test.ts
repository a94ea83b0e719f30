import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { codes, Problem } from '../domain/problem.ts';
import { type BulkCall, type BulkOutcome, runBulk } from './bulk.ts';
import { isFault, readBulk } from './bulk-request.ts';
import { standardFace } from './faces.ts';
import { describeUsers, groupDescription } from './resource-type.ts';
import { bulkRequestSchema, bulkResponseSchema } from './urns.ts';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const ent = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const types = [describeUsers(standardFace), groupDescription];
const bodyOf = (Operations: unknown, rest: object = {}) => ({
  schemas: [bulkRequestSchema],
  Operations,
  ...rest,
});
const post = (bulkId: string, data: object, path = '/Users') => ({ method: 'POST', path, bulkId, data });

interface Done {
  readonly calls: readonly BulkCall[];
  readonly entries: readonly Record<string, unknown>[];
}

/** A service that gives ids 101, 102, ... and fails where the data or the path says `fail`. */
function run(body: unknown): Done {
  const calls: BulkCall[] = [];
  const bulk = runBulk(readBulk(body, types), {
    locationOf: (type, id) => `https://x/scim/v2/${type}s/${id}`,
    describe: (problem) => ({
      status: Math.floor(codes[problem.code].number / 100),
      body: { detail: problem.message },
    }),
  });
  let nextId = 100;
  let step = bulk.next();
  while (!step.done) {
    calls.push(step.value);
    step = bulk.next(answer(step.value, () => String(++nextId)));
  }
  assert.deepEqual(step.value.schemas, [bulkResponseSchema]);
  return { calls, entries: step.value.Operations as unknown as readonly Record<string, unknown>[] };
}

function answer({ method, id, data }: BulkCall, newId: () => string): BulkOutcome {
  const said = JSON.stringify(data);
  // A quoted reference is one in the paths of a patch; elsewhere it is a text like any other.
  const isPath = method !== 'PATCH' && said.includes('\\"bulkId:');
  assert.ok(isPath || !said.includes('"bulkId:'), said);
  if (said.includes('"fail"') || id === 'fail') return { problem: new Problem('USER_NAME_TAKEN', 'Taken.') };
  if (method === 'DELETE') return { status: 204, id: null, version: null };
  return method === 'POST'
    ? { status: 201, id: newId(), version: 'W/"1"' }
    : { status: 200, id, version: 'W/"2"' };
}

const statuses = ({ entries }: Done) => entries.map((entry) => entry.status).join(' ');

describe('a bulk request', () => {
  it('runs in its order and tells of every operation', () => {
    const done = run(
      bodyOf([
        post('a', { userName: 'a' }),
        { method: 'put', path: 'Users/7', version: 'W/"3"', data: { userName: 'b' } },
        { method: 'PATCH', path: '/Groups/8', data: { Operations: [] } },
        { method: 'DELETE', path: '/users/9', bulkId: 'z' },
      ]),
    );
    assert.deepEqual(
      done.calls.map(({ method, type, id, version }) => [method, type, id, version]),
      [
        ['POST', 'User', null, null],
        ['PUT', 'User', '7', 'W/"3"'],
        ['PATCH', 'Group', '8', null],
        ['DELETE', 'User', '9', null],
      ],
    );
    assert.deepEqual(done.entries, [
      {
        method: 'POST',
        bulkId: 'a',
        location: 'https://x/scim/v2/Users/101',
        version: 'W/"1"',
        status: '201',
      },
      { method: 'PUT', location: 'https://x/scim/v2/Users/7', version: 'W/"2"', status: '200' },
      { method: 'PATCH', location: 'https://x/scim/v2/Groups/8', version: 'W/"2"', status: '200' },
      { method: 'DELETE', bulkId: 'z', location: 'https://x/scim/v2/Users/9', status: '204' },
    ]);
  });
  it('puts ids in the place of references: in data, in paths and in value paths', () => {
    const { calls } = run(
      bodyOf([
        post('ada', { schemas: [user], userName: 'ada' }),
        post('staff', { displayName: 'Staff', members: [{ value: 'bulkId:ada', type: 'User' }] }, '/Groups'),
        {
          method: 'PATCH',
          path: '/Groups/bulkId:staff',
          data: {
            Operations: [
              { op: 'remove', path: 'members[value eq "bulkId:ada"]' },
              { op: 'add', path: 'members', value: ['bulkId:ada'] },
              { op: 'replace', path: `${ent}:manager`, value: 'bulkId:ada' },
            ],
          },
        },
      ]),
    );
    assert.deepEqual(calls[1]?.data, { displayName: 'Staff', members: [{ value: '101', type: 'User' }] });
    assert.equal(calls[2]?.id, '102');
    assert.deepEqual(calls[2]?.data, {
      Operations: [
        { op: 'remove', path: 'members[value eq "101"]' },
        { op: 'add', path: 'members', value: ['101'] },
        { op: 'replace', path: `${ent}:manager`, value: '101' },
      ],
    });
  });
  it('lets an operation wait for what is created later', () => {
    const done = run(
      bodyOf([
        post(
          'staff',
          { displayName: 'Staff', members: [{ value: 'bulkId:b' }, { value: 'bulkId:a' }] },
          '/Groups',
        ),
        post('a', { userName: 'a' }),
        post('b', { userName: 'b', [ent]: { manager: { value: 'bulkId:a' } } }),
      ]),
    );
    assert.deepEqual(
      done.calls.map((call) => call.index),
      [1, 2, 0],
    );
    assert.deepEqual(done.calls[2]?.data, {
      displayName: 'Staff',
      members: [{ value: '102' }, { value: '101' }],
    });
    assert.deepEqual(
      done.entries.map((entry) => entry.bulkId),
      ['staff', 'a', 'b'],
    );
  });
  it('breaks a circle by making one without the reference and completing it', () => {
    const done = run(
      bodyOf([
        post('a', { displayName: 'A', members: [{ value: 'bulkId:b' }, { value: '7' }] }, '/Groups'),
        post('b', { displayName: 'B', members: [{ value: '8' }, { value: 'bulkId:a' }] }, '/Groups'),
      ]),
    );
    assert.deepEqual(
      done.calls.map(({ method, id, data }) => [method, id, data]),
      [
        ['POST', null, { displayName: 'B', members: [{ value: '8' }] }],
        ['POST', null, { displayName: 'A', members: [{ value: '101' }, { value: '7' }] }],
        [
          'PATCH',
          '101',
          {
            schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
            Operations: [{ op: 'add', path: 'members', value: [{ value: '102' }] }],
          },
        ],
      ],
    );
    assert.equal(statuses(done), '201 201');
    assert.equal(done.entries[1]?.version, 'W/"2"');
  });
  it('lets somebody be their own manager', () => {
    const { calls } = run(
      bodyOf([post('a', { userName: 'a', [ent]: { department: 'd', manager: 'bulkId:a' } })]),
    );
    assert.deepEqual(calls[0]?.data, { userName: 'a', [ent]: { department: 'd' } });
    assert.deepEqual(calls[1]?.data, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'add', path: `${ent}:manager`, value: '101' }],
    });
  });
  it('goes on after a failure, and what refers to it fails, too', () => {
    const done = run(
      bodyOf([
        post('a', { userName: 'fail' }),
        post('g', { displayName: 'G', members: [{ value: 'bulkId:a' }] }, '/Groups'),
        post('b', { userName: 'b' }),
        { method: 'DELETE', path: '/Users/bulkId:a' },
        { method: 'PUT', path: '/Users/fail', data: {} },
        { method: 'PATCH', path: '/Users/5', data: { Operations: [{ value: 'bulkId:nobody' }] } },
      ]),
    );
    assert.equal(statuses(done), '409 400 201 400 409 400');
    assert.deepEqual(
      done.calls.map((call) => call.index),
      [0, 2, 4],
    );
    // A creation that failed has no location; everything else that has an address does.
    assert.deepEqual(
      done.entries.map((entry) => 'location' in entry),
      [false, false, true, false, true, true],
    );
    for (const at of [0, 1, 3, 4, 5]) assert.ok(done.entries[at]?.response, `${at}`);
    assert.equal('response' in done.entries[2]!, false);
  });
  it('ends after as many failures as failOnErrors says, and is silent about the rest', () => {
    const operations = [
      post('a', { userName: 'a' }),
      post('b', { userName: 'fail' }),
      post('c', { userName: 'c' }),
      post('d', { userName: 'fail' }),
      post('e', { userName: 'e' }),
    ];
    assert.equal(statuses(run(bodyOf(operations, { failOnErrors: 1 }))), '201 409');
    assert.equal(statuses(run(bodyOf(operations, { failOnErrors: 2 }))), '201 409 201 409');
    assert.equal(statuses(run(bodyOf(operations))), '201 409 201 409 201');
  });
  it('tells where a circle could not be closed, and that the one half exists', () => {
    const done = run(
      bodyOf([
        post('a', { userName: 'fail', [ent]: { manager: 'bulkId:b' } }),
        post('b', { userName: 'b', [ent]: { manager: 'bulkId:a' } }),
      ]),
    );
    assert.equal(statuses(done), '409 409');
    assert.equal(done.entries[1]?.location, 'https://x/scim/v2/Users/101');
  });
  it('tells a fault of one operation in its place', () => {
    const faults: readonly (readonly [unknown, string])[] = [
      [5, '400'],
      [{ method: 'GET', path: '/Users/1' }, '400'],
      [{ method: 'POST', path: '/Users', data: {} }, '400'],
      [{ method: 'POST', path: '/Users', bulkId: 'a"b', data: {} }, '400'],
      [{ method: 'POST', path: '/Users/1', bulkId: 'x', data: {} }, '400'],
      [{ method: 'PUT', path: '/Users', data: {} }, '400'],
      [{ method: 'PUT', path: '/Cats/1', data: {} }, '400'],
      [{ method: 'PUT', path: '/Users/1?x=y', data: {} }, '400'],
      [{ method: 'PUT', path: '/Users/1/2', data: {} }, '400'],
      [{ method: 'PUT', path: 7, data: {} }, '400'],
      [{ method: 'PUT', path: '/Users/1' }, '400'],
      [{ method: 'PUT', path: '/Users/1', data: [] }, '400'],
      [{ method: 'PUT', path: '/Users/1', data: {}, version: 5 }, '400'],
    ];
    const done = run(bodyOf([...faults.map(([one]) => one), post('ok', {}), post('ok', {})]));
    assert.equal(statuses(done), [...faults.map(([, status]) => status), '201', '400'].join(' '));
    assert.equal(done.calls.length, 1);
  });
});

describe('the body of a bulk request', () => {
  const codeOf = (body: unknown): string => {
    try {
      readBulk(body, types);
    } catch (error) {
      assert.ok(error instanceof Problem, String(error));
      return error.code;
    }
    return 'none';
  };
  const one = post('a', {});
  it('that is no list of operations is refused as a whole', () => {
    for (const body of [
      null,
      [],
      {},
      bodyOf({}),
      bodyOf([]),
      { Operations: [one] },
      bodyOf([one], { schemas: ['x'] }),
    ]) {
      assert.equal(codeOf(body), 'INVALID_BULK', JSON.stringify(body));
    }
    for (const failOnErrors of [0, -1, 1.5, '1', true]) {
      assert.equal(codeOf(bodyOf([one], { failOnErrors })), 'INVALID_BULK', String(failOnErrors));
    }
    assert.equal(codeOf(bodyOf([one], { failOnErrors: null })), 'none');
  });
  it('may have a thousand operations and not one more', () => {
    assert.equal(codeOf(bodyOf(Array(1000).fill({ method: 'DELETE', path: '/Users/1' }))), 'none');
    assert.equal(
      codeOf(bodyOf(Array(1001).fill({ method: 'DELETE', path: '/Users/1' }))),
      'TOO_MANY_BULK_OPERATIONS',
    );
    assert.equal(codes.TOO_MANY_BULK_OPERATIONS.condition, 'bodyTooLarge');
  });
  it('is not fooled by names of the object machinery', () => {
    const body: unknown = JSON.parse(
      `{"schemas":["${bulkRequestSchema}"],"Operations":[{"method":"POST","path":"/Users","bulkId":"__proto__","data":{"__proto__":{"polluted":true},"userName":"bulkId:constructor"}}]}`,
    );
    assert.equal(statuses(run(body)), '400');
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
});

describe('random bulk requests', () => {
  it('make every reference come true, whatever the order and the circles', () => {
    const graph = fc
      .integer({ min: 1, max: 8 })
      .chain((size) => fc.array(fc.subarray([...Array(size).keys()]), { minLength: size, maxLength: size }));
    fc.assert(
      fc.property(graph, (edges) => {
        const operations = edges.map((to, at) =>
          post(
            `g${at}`,
            { displayName: `${at}`, members: to.map((one) => ({ value: `bulkId:g${one}` })) },
            '/Groups',
          ),
        );
        const done = run(bodyOf(operations));
        assert.equal(done.entries.length, edges.length);
        assert.ok(done.entries.every((entry) => entry.status === '201'));
        const idOf = done.entries.map((entry) => String(entry.location).split('/').at(-1));
        const members = edges.map(() => new Set<string>());
        for (const { index, data } of done.calls) {
          const said = data as {
            members?: { value: string }[];
            Operations?: { value: { value: string }[] }[];
          };
          const lists = [said.members ?? [], ...(said.Operations ?? []).map((operation) => operation.value)];
          for (const { value } of lists.flat()) members[index]?.add(value);
        }
        for (const [at, to] of edges.entries()) {
          assert.deepEqual([...members[at]!].sort(), to.map((one) => String(idOf[one])).sort());
        }
        // Without circles nothing is done twice.
        if (edges.every((to, at) => to.every((one) => one < at)))
          assert.equal(done.calls.length, edges.length);
      }),
      { numRuns: 500 },
    );
  });
  it('a chain of a thousand forward references stays cheap', () => {
    const operations = Array.from({ length: 1000 }, (_, at) =>
      post(`u${at}`, { userName: `${at}`, ...(at < 999 ? { [ent]: { manager: `bulkId:u${at + 1}` } } : {}) }),
    );
    const startMs = performance.now();
    const { calls } = run(bodyOf(operations));
    assert.equal(calls[0]?.index, 999);
    assert.ok(performance.now() - startMs < 1_000);
  });
  it('never throw anything but a Problem', () => {
    const operation = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.record({
        method: fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE', 'GET'),
        path: fc.constantFrom('/Users', '/Groups', '/Users/1', '/Users/bulkId:a', '/Groups/bulkId:b', 'x'),
        bulkId: fc.constantFrom('a', 'b', 'c'),
        data: fc.record({
          value: fc.constantFrom('bulkId:a', 'bulkId:b', 'x'),
          path: fc.constant('m[value eq "bulkId:c"]'),
        }),
      }),
    );
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 6 }), (operations) => {
        const { entries } = run(bodyOf(operations));
        assert.equal(entries.length, operations.length);
      }),
      { numRuns: 1_000 },
    );
    assert.ok(readBulk(bodyOf([5]), types).operations.every(isFault));
  });
});
