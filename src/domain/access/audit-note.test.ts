// The sentences of the API, the file and the command line, each as it was before there were codes: they never change.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditNoteCode, type AuditNoteWords, auditNoteCodes, noteSentence } from './audit-note.ts';

const until = '2026-11-15T08:00:00.000Z';
const from = '2026-11-14T08:00:00.000Z';
const near = { claim: 'oid', user: 7, nameClaim: 'upn' };
const noUser = 'the claim oid is the externalId of no user of the account';
const isNear = `${noUser}; user 7, whose userName is the claim upn,`;

type Said = {
  readonly [C in AuditNoteCode]: readonly (readonly [
    sentence: string,
    ...values: Parameters<AuditNoteWords[C]>,
  ])[];
};

const said: Said = {
  digestChanged: [['the digest of 2026-01-31 has changed', { day: '2026-01-31' }]],
  exported: [
    ['all days', { from: null, to: null, isFiltered: false }],
    ['all days, filtered', { from: null, to: null, isFiltered: true }],
    ['2026-01-01 to last', { from: '2026-01-01', to: null, isFiltered: false }],
    ['first to 2026-01-02, filtered', { from: null, to: '2026-01-02', isFiltered: true }],
    ['2026-01-01 to 2026-01-02', { from: '2026-01-01', to: '2026-01-02', isFiltered: false }],
  ],
  clockConfirmed: [[`from ${from} to ${until}`, { from, to: until }]],
  clockBelieved: [[`from ${from} to ${until}, after a week of serving`, { from, to: until }]],
  refusedAct: [
    ['suspend', { act: 'suspend' }],
    ['delete', { act: 'delete' }],
  ],
  grants: [['r_cx_users w_cx_users', { grants: 'r_cx_users w_cx_users' }]],
  connectionFacts: [['issuer https://id.example, claim oid', { issuer: 'https://id.example', claim: 'oid' }]],
  onlyWay: [['the only way into the account']],
  otherWays: [['other ways are open']],
  mayChangeAdmins: [['may change admins']],
  readOnly: [['read-only']],
  role: [['editor', { role: 'editor' }]],
  roleValues: [
    ['no value gives a role', { count: 0 }],
    ['1 values give a role', { count: 1 }],
    ['3 values give a role', { count: 3 }],
  ],
  sharedPage: [
    [
      `measure 10, 2026-01-01 to 2026-01-20, until ${until}`,
      { kind: 'measure', key: 10, from: '2026-01-01', to: '2026-01-20', isFiltered: false, until },
    ],
    [
      `project 20, 2026-01-01 to 2026-01-20, filtered, until ${until}`,
      { kind: 'project', key: 20, from: '2026-01-01', to: '2026-01-20', isFiltered: true, until },
    ],
  ],
  setupLink: [
    [`until ${until}`, { until, mayChangeAdmins: false }],
    [`until ${until}, may change admins`, { until, mayChangeAdmins: true }],
  ],
  setupLinkOpened: [['opened for the first time']],
  setupLinkTakenBack: [['taken back']],
  setupLinkDone: [['done']],
  messages: [['1 messages', { count: 1 }]],
  messageTaken: [['taken: 204', { status: 204 }]],
  messageFailed: [['answered 500', { reason: 'answered 500' }]],
  guardStruck: [['refused to suspend or delete more users']],
  guardLifted: [[`until ${until}`, { until }]],
  invitations: [[`5000 invitations until ${until}`, { count: 5000, until }]],
  invitationRevoked: [['invitation inv_1', { invitation: 'inv_1' }]],
  invitationsRevoked: [['2 invitations', { count: 2 }]],
  signedIn: [
    ['signed in by link', { way: 'link', connection: null }],
    ['signed in by provider ip_1', { way: 'provider', connection: 'ip_1' }],
  ],
  signedInAgain: [['signed in again by passkey', { way: 'passkey' }]],
  rolesGained: [['under a new secret, because roles were gained']],
  sessions: [
    ['one session', { count: 1 }],
    ['6 sessions', { count: 6 }],
  ],
  sessionsByProvider: [
    ['one session, told by the provider', { count: 1 }],
    ['2 sessions, told by the provider', { count: 2 }],
  ],
  sessionsEnded: [
    ['0 sessions ended', { count: 0 }],
    ['one session ended', { count: 1 }],
  ],
  otherSessionsEnded: [
    ['0 other sessions ended', { count: 0 }],
    ['one other session ended', { count: 1 }],
  ],
  link: [
    [`invite, until ${until}`, { purpose: 'invite', until, admitsAdmin: true }],
    [`reset, until ${until}, without admin`, { purpose: 'reset', until, admitsAdmin: false }],
    [`operator, until ${until}`, { purpose: 'operator', until, admitsAdmin: true }],
  ],
  linkOfNewOperator: [[`with a link until ${until}`, { until }]],
  linkOfStart: [[`shown by a start, until ${until}`, { until }]],
  belongsTo: [
    ['belongs to no connection', { connection: null }],
    ['belongs to ip_1', { connection: 'ip_1' }],
  ],
  testSignIn: [['a sign-in that lets nobody in']],
  passkey: [['passkey abc', { passkey: 'abc' }]],
  passkeyCounter: [['passkey abc counted 3 after 5: refused', { passkey: 'abc', counter: 3, before: 5 }]],

  authTimeMissing: [['the ID token has no auth_time, and a fresh sign-in was asked for']],
  notFresh: [['auth_time lies before the fresh sign-in that was asked for']],
  claimMissing: [['the ID token has no claim oid with a text', { claim: 'oid' }]],
  stateOther: [['the state of the answer is not the one that was sent']],
  issuerOther: [['the answer names another issuer than that of the connection (iss of the answer)']],
  issuerUnclear: [['response parameter "iss" missing', { reason: 'response parameter "iss" missing' }]],
  idTokenMissing: [['the provider gave no ID token']],
  idTokenFault: [['the ID token: unexpected "aud"', { reason: 'unexpected "aud"' }]],
  requestFailed: [['the request failed']],
  providerAnswered: [['the provider answered access_denied', { reason: 'access_denied' }]],
  codeNotTaken: [['the provider did not take the code: invalid_grant', { reason: 'invalid_grant' }]],
  tokenEndpointFault: [['the token endpoint: ECONNRESET', { reason: 'ECONNRESET' }]],
  connectionRemoved: [['the connection was removed meanwhile']],
  connectionChanged: [['user 7: the connection was changed meanwhile', { user: 7 }]],
  connectionGone: [['there is no connection ip_1 any more', { connection: 'ip_1' }]],
  connectionNotOnly: [['another connection is the only way into the account']],
  connectionWithoutSecret: [['the connection has no client secret yet']],
  noSignInBegun: [['the browser brought no sign-in that was begun']],
  notHttps: [['the authorization endpoint is not under https']],
  userSuspended: [['the claim oid is of user 7, who is suspended', { claim: 'oid', user: 7 }]],
  userOfOtherConnection: [
    [
      'user 7 belongs to the connection ip_1; "soundings connection assign" changes that',
      { user: 7, connection: 'ip_1' },
    ],
  ],
  noUser: [[noUser, { claim: 'oid' }]],
  noExternalId: [[`${isNear} has no externalId`, near]],
  otherCase: [[`${isNear} has it in another case`, near]],
  otherExternalId: [[`${isNear} has another externalId`, near]],
  metadataFailed: [
    [
      'the metadata of https://id.example: ECONNRESET',
      { issuer: 'https://id.example', reason: 'ECONNRESET' },
    ],
  ],
  issuerNamedOtherwise: [
    [
      'the provider calls itself https://a.example/, not https://a.example: enter the issuer as it writes it',
      { issuer: 'https://a.example', named: 'https://a.example/' },
    ],
  ],
  endpointMissing: [
    [
      'the metadata of https://id.example have no jwks_uri over https',
      { issuer: 'https://id.example', endpoint: 'jwks_uri' },
    ],
  ],
  codeNotOffered: [['the provider does not offer the response type code']],
  pkceNotOffered: [['the provider does not offer PKCE by S256']],
  signatureNotOffered: [['the provider signs by none of RS256, ES256', { algorithms: 'RS256, ES256' }]],
};

describe('what an entry of the audit log tells', () => {
  it('each code has the sentence that entries were kept with before there were codes [D-1040]', () => {
    assert.deepEqual(Object.keys(said).toSorted(), auditNoteCodes.toSorted());
    for (const [noteCode, sentences] of Object.entries(said) as [AuditNoteCode, Said[AuditNoteCode]][])
      for (const [sentence, noteValues = {}] of sentences)
        assert.equal(noteSentence({ noteCode, noteValues: { ...noteValues } }), sentence);
  });

  it('a code of a later release has none here', () => {
    const later = { noteCode: 'constructor' as AuditNoteCode, noteValues: {} };
    assert.equal(noteSentence(later), null);
  });
});
