// Okta's published test suite for SCIM 2.0, request by request: twelve in the edition that was read in August 2026
// (an older one ended after ten), preceded by the one user that it wants to find.
//
// Source: https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json, explained at
// https://developer.okta.com/docs/guides/scim-provisioning-integration-test/main/

import {
  contains,
  counts,
  equals,
  errorOf,
  isNumber,
  type Json,
  listSchema,
  type ProviderSequence,
  present,
  step,
} from './sequence.ts';

const user = 'urn:ietf:params:scim:schemas:core:2.0:User';
const suite = 'https://developer.okta.com/standards/SCIM/SCIMFiles/Okta-SCIM-20-SPEC-Test.json';

const named = (name: string): Record<string, string> => ({ filter: `userName eq "${name}"` });

/** The user of the test suite; the second creation differs in the address alone. */
const suiteUser = (email: string): Json => ({
  schemas: [user],
  userName: 'okta.{{run}}@example.com',
  name: { givenName: 'Okta', familyName: 'Suite{{run}}' },
  emails: [{ primary: true, value: email, type: 'work' }],
  displayName: 'Okta Suite{{run}}',
  active: true,
});

/** The suite wants a user to be there before it begins. */
const somebodyIsThere = step(
  'a user is there before the suite begins',
  {
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [user],
      userName: 'before.{{run}}@example.com',
      name: { givenName: 'Be', familyName: 'Fore' },
      emails: [{ primary: true, value: 'before.{{run}}@example.com', type: 'work' }],
      active: true,
    },
  },
  201,
  [present('id')],
  { beforeId: 'id' },
);

const aWholeUser = (at: string): readonly ReturnType<typeof present>[] =>
  ['id', 'name.familyName', 'name.givenName', 'userName', 'active', 'emails[0].value'].map((one) =>
    present(`${at}${one}`),
  );

export const oktaSuite: ProviderSequence = {
  id: 'okta-spec',
  provider: 'Okta',
  name: 'the published SCIM 2.0 test suite',
  sources: [suite],
  leftovers: ['/Users/{{userId}}', '/Users/{{beforeId}}'],
  steps: [
    somebodyIsThere,
    step(
      'the users endpoint answers with a list',
      { method: 'GET', path: '/Users', query: { count: '1', startIndex: '1' } },
      200,
      [
        contains('schemas', listSchema),
        isNumber('itemsPerPage'),
        isNumber('startIndex'),
        isNumber('totalResults'),
        counts('Resources', 1),
        ...aWholeUser('Resources[0].'),
      ],
      { firstId: 'Resources[0].id' },
    ),
    step('one user by its id', { method: 'GET', path: '/Users/{{firstId}}' }, 200, [
      ...aWholeUser(''),
      equals('id', '{{firstId}}'),
    ]),
    step(
      'a name that nobody has',
      { method: 'GET', path: '/Users', query: named('nobody.{{run}}@example.com') },
      200,
      [contains('schemas', listSchema), equals('totalResults', 0)],
    ),
    step('an id that nobody has', { method: 'GET', path: '/Users/010101001010101011001010101011' }, 404, [
      present('detail'),
      contains('schemas', 'urn:ietf:params:scim:api:messages:2.0:Error'),
    ]),
    step(
      'the new user does not exist yet',
      { method: 'GET', path: '/Users', query: named('okta.{{run}}@example.com') },
      200,
      [equals('totalResults', 0), contains('schemas', listSchema)],
    ),
    step(
      'the new user is created',
      {
        method: 'POST',
        path: '/Users',
        contentType: 'application/json',
        body: suiteUser('okta.{{run}}@example.com'),
      },
      201,
      [
        equals('active', true),
        present('id'),
        equals('name.familyName', 'Suite{{run}}'),
        equals('name.givenName', 'Okta'),
        contains('schemas', user),
        equals('userName', 'okta.{{run}}@example.com'),
      ],
      { userId: 'id' },
    ),
    step('the new user is there', { method: 'GET', path: '/Users/{{userId}}' }, 200, [
      equals('userName', 'okta.{{run}}@example.com'),
      equals('name.familyName', 'Suite{{run}}'),
      equals('name.givenName', 'Okta'),
    ]),
    step(
      'the same user again is a conflict',
      {
        method: 'POST',
        path: '/Users',
        contentType: 'application/json',
        body: suiteUser('again.{{run}}@example.com'),
      },
      409,
      errorOf(409),
    ),
    step(
      'the name in capitals',
      { method: 'GET', path: '/Users', query: named('OKTA.{{run}}@EXAMPLE.COM') },
      200,
      // The suite is content with the status; names compare without regard to case here (D-51).
      [equals('totalResults', 1)],
    ),
    step('the groups endpoint answers', { method: 'GET', path: '/Groups' }, 200, [
      contains('schemas', listSchema),
      isNumber('totalResults'),
    ]),
    step(
      'credentials that are none',
      {
        method: 'GET',
        path: '/Users',
        query: named('OKTA.{{run}}@EXAMPLE.COM'),
        authorization: 'non-token',
      },
      401,
      errorOf(401),
    ),
    step(
      'another id that nobody has',
      { method: 'GET', path: '/Users/00919288221112222' },
      404,
      errorOf(404),
    ),
  ],
};
