import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inOneGo } from '../../src/domain/interruptible.ts';
import { Problem } from '../../src/domain/problem.ts';
import { createUser, type User } from '../../src/domain/provisioning/user.ts';
import { sameValue, type Values } from '../../src/domain/provisioning/value.ts';
import { type Face, serviceFace, standardFace } from '../../src/scim/faces.ts';
import { type Patch, readPatch as readOperations } from '../../src/scim/operations.ts';
import { userSchema } from '../../src/scim/urns.ts';
import type { PatchCase } from './patch-sample.ts';
import { patchCases } from './patch-samples.ts';

const birth = { accountId: 7, id: 1_000_000_001, nowMs: 1_000 };

function userWith(source: object): User {
  return createUser(standardFace.readDraft({ schemas: [userSchema], userName: 'ada', ...source }), birth);
}

function patch(user: User, operations: unknown, face: Face = standardFace): User {
  const read = readPatch(face, { [face.operationsMember]: operations });
  return inOneGo(face.patch(user, read.operations, 2_000, () => {}));
}

const readPatch = (face: Face, body: unknown): Patch => inOneGo(readOperations(body, face.schemaView));

function problemOf(act: () => unknown): Problem {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
  assert.fail('it was not refused');
}

const faceOf = ({ face }: PatchCase): Face => (face === 'service' ? serviceFace : standardFace);

describe('patches [D-160]', () => {
  it('the table has at least 200 cases for the standard face, no two of them the same', () => {
    const standardCases = patchCases.filter((one) => one.face !== 'service');
    const different = new Set(
      standardCases.map(({ source, operations }) => JSON.stringify([source, operations])),
    );
    assert.ok(different.size >= 200, `${different.size}`);
  });
  for (const one of patchCases) {
    it(`${one.title} [D-56]`, () => {
      const user = userWith(one.source);
      const before = structuredClone(user);
      if (typeof one.target === 'string') {
        const problem = problemOf(() => patch(user, one.operations, faceOf(one)));
        assert.equal(problem.code, one.target, problem.message);
      } else {
        const after = patch(user, one.operations, faceOf(one));
        assert.deepEqual(after.profile, userWith(one.target).profile);
        // A patch that changes nothing is the very same user; any other is a new revision.
        assert.equal(after === user, sameValue(after.profile, user.profile));
        assert.equal(after.revision, after === user ? 1 : 2);
        assert.equal(after.lastModifiedMs, after === user ? 1_000 : 2_000);
      }
      assert.deepEqual(user, before);
    });
  }
});

describe('what a patch passes over [D-161]', () => {
  it('is told by the names as they were sent', () => {
    const { operations, ignored } = readPatch(standardFace, {
      Operations: [
        { op: 'replace', value: { shoeSize: 43, active: false } },
        { op: 'add', value: { 'emails[type eq "work"].shoe': 1, 'urn:x': {} } },
      ],
    });
    assert.deepEqual(ignored, ['shoeSize', 'emails[type eq "work"].shoe', 'urn:x']);
    assert.equal(operations.length, 1);
  });
  it('counts against the limit of operations', () => {
    const value = Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`unknown${at}`, 1]));
    const body = {
      Operations: [
        { op: 'add', value },
        { op: 'add', value },
      ],
    };
    assert.equal(problemOf(() => readPatch(standardFace, body)).code, 'TOO_MANY_OPERATIONS');
  });
});

describe('the body of a patch', () => {
  const bodies: readonly (readonly [string, unknown, string])[] = [
    ['no object', null, 'INVALID_PATCH'],
    ['a list', [], 'INVALID_PATCH'],
    ['no operations', {}, 'INVALID_PATCH'],
    ['operations that are an object', { operations: {} }, 'INVALID_PATCH'],
    ['an empty list of operations', { operations: [] }, 'INVALID_PATCH'],
    ['an operation that is a text', { operations: ['x'] }, 'INVALID_PATCH'],
    ['an operation that is null', { operations: [null] }, 'INVALID_PATCH'],
    [
      'too many operations',
      { operations: Array(1001).fill({ op: 'remove', path: 'externalId' }) },
      'TOO_MANY_OPERATIONS',
    ],
  ];
  for (const [what, body, code] of bodies) {
    it(`${what} is refused`, () => assert.equal(problemOf(() => readPatch(serviceFace, body)).code, code));
  }
  it('may have a thousand operations [D-27]', () => {
    const operations = Array(1000).fill({ op: 'replace', path: 'name.givenName', value: 'x' });
    assert.equal(readPatch(serviceFace, { operations }).operations.length, 1000);
  });
  it('is read under both spellings [D-52]', () => {
    const operations = [{ op: 'remove', path: 'externalId' }];
    assert.equal(readPatch(serviceFace, { Operations: operations }).operations.length, 1);
    assert.equal(readPatch(standardFace, { operations }).operations.length, 1);
  });
  it('has all its faults told at once [D-22]', () => {
    const operations = [
      { op: 'move' },
      { op: 'add', path: 'nobody', value: 1 },
      { op: 'replace', path: 'userName' },
      5,
    ];
    const { details, code } = problemOf(() => readPatch(serviceFace, { operations }));
    assert.equal(code, 'INVALID_PATCH');
    assert.deepEqual(
      details.map((fault) => `${fault.field} ${fault.code}`),
      [
        'operations[0].op INVALID_PATCH',
        'operations[0].value INVALID_VALUE',
        'operations[1].path INVALID_PATH',
        'operations[2].value INVALID_VALUE',
        'operations[3] INVALID_PATCH',
      ],
    );
  });
  it('an object without a path cannot hide more operations than the limit', () => {
    const value = Object.fromEntries(
      Array.from({ length: 1001 }, (_, at) => [`emails[value eq "${at}"].value`, 'x']),
    );
    assert.equal(
      problemOf(() => readPatch(serviceFace, { operations: [{ op: 'add', value }] })).code,
      'TOO_MANY_OPERATIONS',
    );
  });
});

describe('the object machinery', () => {
  const names = [
    '__proto__',
    'constructor',
    'prototype',
    '__proto__.polluted',
    'constructor.prototype.polluted',
    'name.__proto__',
    'emails[__proto__ eq "x"].value',
    'emails[type eq "work"].__proto__',
    `${userSchema}:__proto__`,
  ];
  const user = userWith({ name: { givenName: 'A' }, emails: [{ value: 'a', type: 'work' }] });
  for (const name of names) {
    it(`${name} is a path that leads nowhere, and touches nothing [D-56]`, () => {
      for (const op of ['add', 'replace', 'remove']) {
        const problem = problemOf(() => patch(user, [{ op, path: name, value: { polluted: true } }]));
        assert.equal(problem.code, 'INVALID_PATH');
      }
      // Without a path it is passed over like any name that nobody knows, unless it stands in brackets.
      const value: unknown = JSON.parse(`{${JSON.stringify(name)}: {"polluted": true}}`);
      if (name.includes('[__proto__')) {
        assert.equal(problemOf(() => patch(user, [{ op: 'add', value }])).code, 'INVALID_PATH');
      } else assert.equal(patch(user, [{ op: 'add', value }]), user);
      assert.equal(({} as { polluted?: boolean }).polluted, undefined);
    });
  }
  it('and as names inside of values it is passed over', () => {
    const evil: unknown = JSON.parse(
      '{"givenName":"B","__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    const after = patch(user, [
      { op: 'add', path: 'name', value: evil },
      { op: 'add', path: 'emails', value: [JSON.parse('{"value":"b","__proto__":{"polluted":true}}')] },
    ]);
    assert.deepEqual(after.profile.name, { givenName: 'B' });
    assert.deepEqual(after.profile.emails, [{ value: 'a', type: 'work' }, { value: 'b' }]);
    assert.equal(({} as { polluted?: boolean }).polluted, undefined);
  });
  it('nor does an operation made of such names do anything', () => {
    const operation: unknown = JSON.parse(
      '{"__proto__":{"op":"remove","path":"name"},"op":"replace","path":"title","value":"x"}',
    );
    assert.equal(patch(user, [operation]).profile.title, 'x');
  });
});

describe('random patches', () => {
  it('never throw anything but a Problem and never touch the user', () => {
    const user = userWith({
      name: { givenName: 'A' },
      emails: [{ value: 'a', type: 'work', primary: true }],
      title: 't',
    });
    const before = structuredClone(user);
    const path = fc.constantFrom(
      'userName',
      'externalId',
      'active',
      'name',
      'name.givenName',
      'emails',
      'emails.value',
      'emails.primary',
      'emails[type eq "work"]',
      'emails[type eq "home"].value',
      'emails[primary eq true].type',
      'id',
      'meta',
      'groups',
      'schemas',
      'password',
      'addresses',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager',
      'nobody',
      '',
      '__proto__',
    );
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'replace', 'remove', 'Add', 'x'),
        path,
        value: fc.jsonValue({ maxDepth: 3 }),
      },
      { requiredKeys: ['op'] },
    );
    fc.assert(
      fc.property(
        fc.array(operation, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(serviceFace, standardFace),
        (operations, face) => {
          try {
            patch(user, operations, face);
          } catch (error) {
            assert.ok(error instanceof Problem, String(error));
          }
          assert.deepEqual(user, before);
        },
      ),
      { numRuns: 3_000 },
    );
  });

  // The model knows three kinds of places: a text, a part of an object, and the phone number of a type.
  interface Model {
    title: string | undefined;
    givenName: string | undefined;
    phones: Map<string, string>;
  }
  const types = ['work', 'home', 'mobile'] as const;
  const text = fc.constantFrom('a', 'b', 'c');
  const act = fc.oneof(
    fc.record({ kind: fc.constant('title'), value: fc.option(text) }),
    fc.record({ kind: fc.constant('givenName'), value: fc.option(text) }),
    fc.record({ kind: fc.constantFrom(...types), value: fc.option(text) }),
  );
  const operationFor = (kind: string, value: string | null, verb: string): object => {
    const path =
      kind === 'title'
        ? 'title'
        : kind === 'givenName'
          ? 'name.givenName'
          : `phoneNumbers[type eq "${kind}"].value`;
    // Removing what is not there is a fault of value paths; clearing it is not, so the model clears.
    return { op: value === null ? 'replace' : verb, path, value };
  };
  const modelled = (model: Model, kind: string, value: string | null): void => {
    if (kind === 'title') model.title = value ?? undefined;
    else if (kind === 'givenName') model.givenName = value ?? undefined;
    else if (value === null) model.phones.delete(kind);
    else model.phones.set(kind, value);
  };
  it('agree with a simple model', () => {
    fc.assert(
      fc.property(
        fc.array(act, { minLength: 1, maxLength: 12 }),
        fc.constantFrom('add', 'replace', 'ADD'),
        (acts, verb) => {
          const model: Model = { title: undefined, givenName: undefined, phones: new Map() };
          for (const { kind, value } of acts) modelled(model, kind, value);
          const operations = acts.map(({ kind, value }) => operationFor(kind, value, verb));
          const together = patch(userWith({}), operations);
          const oneByOne = operations.reduce<User>(
            (user, operation) => patch(user, [operation]),
            userWith({}),
          );
          for (const { profile } of [together, oneByOne]) {
            const phones = (profile.phoneNumbers ?? []) as readonly Values[];
            assert.equal(profile.title, model.title);
            assert.equal((profile.name as Values | undefined)?.givenName, model.givenName);
            // An element that is emptied and filled again within one patch keeps its place.
            assert.deepEqual(
              phones.map((phone) => [phone.type, phone.value]).sort(),
              [...model.phones].sort(),
            );
          }
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('the work of a patch', () => {
  const emails = Array.from({ length: 100 }, (_, at) => ({ value: `a${at}@x`, type: 'work' }));
  const operations = Array.from({ length: 500 }, () => ({
    op: 'replace',
    path: 'emails[value co "@x" and type eq "work" and display pr].display',
    value: 'd',
  }));
  const steps = (spend: (units: number) => void) => {
    const user = userWith({ emails: emails.map((one) => ({ ...one, display: 'e' })) });
    return standardFace.patch(user, readPatch(standardFace, { operations }).operations, 2_000, spend);
  };

  it('can be interrupted between any two elements that a condition is asked of', () => {
    let interruptions = 0;
    for (const _ of steps(() => {})) interruptions += 1;
    assert.ok(interruptions >= 500 * 100, `${interruptions}`);
  });
  it('is counted by the comparisons it makes, and ends where they are too many', () => {
    let units = 0;
    inOneGo(
      steps((more) => {
        units += more;
      }),
    );
    assert.ok(units >= 500 * 100 * 3, `${units}`);
    let left = 10_000;
    const enough = new Error('enough');
    assert.throws(
      () =>
        inOneGo(
          steps((more) => {
            left -= more;
            if (left < 0) throw enough;
          }),
        ),
      enough,
    );
  });
});

it('a thousand operations over a hundred long elements stay cheap [D-27]', () => {
  const emails = Array.from({ length: 100 }, (_, at) => ({
    value: `${'é'.repeat(1000)}${at}`,
    type: 'work',
  }));
  const operations = Array.from({ length: 1000 }, (_, at) => ({
    op: 'replace',
    path: `emails[value ew "é${at % 100}"].display`,
    value: `x${at}`,
  }));
  const before = process.cpuUsage();
  patch(userWith({ emails }), operations);
  const { user } = process.cpuUsage(before);
  assert.ok(user < 2_000_000, `${user}`);
});
