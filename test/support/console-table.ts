// Who may call which endpoint of the console, written down by hand: test/http/console/matrix.test.ts holds the service
// against it. An endpoint without a row fails there, and so does a row without an endpoint.

import { type VisitorKind, visitorKinds } from './console-roles.ts';

export interface Row {
  /** Everybody else is refused. */
  readonly who: readonly VisitorKind[] | 'anyone';
  /** What those are answered. Most rows send nothing useful, so that no row changes what another one sees. */
  readonly status: number | readonly number[];
  /** Of parts of the path; `nobody` unless given. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  /** A text that those see, and nobody else. */
  readonly shows?: string;
  /** The session ends or gets another secret by it. */
  readonly spendsSession?: true;
}

const everybody = visitorKinds;
const admins = ['admin', 'operator inside'] as const;
const editors = ['editor', ...admins] as const;
const managersOfUsers = ['identity', ...admins] as const;
const operators = ['operator outside', 'operator inside'] as const;
const seersOfScores = ['viewer', 'analyst', 'editor', ...admins] as const;
const nothing = {};
const ofNoSource = { who: seersOfScores, status: 404, params: { key: '1' } } as const;
const seersOfResponses = ['analyst', 'editor', ...admins] as const;
const responsesOfNoSource = { ...ofNoSource, who: seersOfResponses } as const;
const ofNoSurvey = { who: editors, status: 404, params: { key: '1' } } as const;
const someDays = '?from=2026-01-01&to=2026-01-31';

export const consoleTable: Readonly<Record<string, Row>> = {
  'GET /console/api/session': { who: everybody, status: 200 },
  'DELETE /console/api/session': { who: everybody, status: 204, spendsSession: true },
  'POST /console/api/access-token': { who: ['analyst', 'editor', ...managersOfUsers], status: 201 },
  'GET /console/api/live': { who: everybody, status: 200 },
  'PUT /console/api/session/account': { who: operators, status: 400, body: nothing },

  'GET /console/api/api-clients': { who: admins, status: 200, shows: 'canary client' },
  'POST /console/api/api-clients': { who: admins, status: 400, body: nothing },
  'POST /console/api/api-clients/:clientId/rotate': { who: admins, status: 404 },
  'POST /console/api/api-clients/:clientId/finish-rotation': { who: admins, status: 404 },
  'POST /console/api/api-clients/:clientId/disable': { who: admins, status: 404 },
  'POST /console/api/api-clients/:clientId/enable': { who: admins, status: 404 },
  'PUT /console/api/api-clients/:clientId/grants': { who: admins, status: 400, body: nothing },

  'GET /console/api/provisioning-tokens': { who: managersOfUsers, status: 200, shows: 'canary token' },
  'POST /console/api/provisioning-tokens': { who: managersOfUsers, status: 400, body: nothing },
  'DELETE /console/api/provisioning-tokens/:tokenId': { who: managersOfUsers, status: 404 },

  'GET /console/api/audit': { who: ['analyst', 'editor', ...managersOfUsers], status: 200 },
  'GET /console/api/audit.csv': { who: ['analyst', 'editor', ...managersOfUsers], status: 200 },
  'GET /console/api/accounts': { who: operators, status: 200, shows: 'canary account' },
  'POST /console/api/accounts': { who: operators, status: 400, body: nothing },
  'GET /console/api/accounts/removals': { who: operators, status: 200 },
  'GET /console/api/accounts/:accountId': { who: operators, status: 404, params: { accountId: '999' } },
  'PATCH /console/api/accounts/:accountId': {
    who: operators,
    status: 404,
    params: { accountId: '999' },
    body: nothing,
  },
  'POST /console/api/accounts/:accountId/remove': {
    who: operators,
    status: 400,
    params: { accountId: '999' },
    body: nothing,
  },
  'GET /console/api/operations': { who: operators, status: 200 },
  'PUT /console/api/operations/maintenance': { who: operators, status: 400, body: nothing },
  'GET /console/api/operations/clock': { who: operators, status: 200 },
  'POST /console/api/operations/clock': { who: operators, status: 400, body: nothing },
  'GET /console/api/operations/doctor': { who: operators, status: 200 },
  'POST /console/api/operations/doctor': { who: operators, status: 202 },
  'GET /console/api/operations/keys': { who: operators, status: 200 },
  'POST /console/api/operations/keys': { who: operators, status: 400, body: nothing },
  'POST /console/api/operations/keys/:kid/revoke': { who: operators, status: 400, body: nothing },
  'GET /console/api/operations/settings': { who: operators, status: 200 },
  'GET /console/api/operations/audit': { who: operators, status: 200 },
  'GET /console/api/operations/webhooks': { who: operators, status: 200 },

  'GET /console/api/webhooks': { who: admins, status: 200 },
  'POST /console/api/webhooks': { who: admins, status: 400, body: nothing },
  'DELETE /console/api/webhooks/:id': { who: admins, status: 404 },
  'POST /console/api/webhooks/:id/rotate': { who: admins, status: 404 },
  'POST /console/api/webhooks/:id/finish-rotation': { who: admins, status: 404 },
  'POST /console/api/webhooks/:id/test': { who: admins, status: 404 },
  'GET /console/api/webhooks/:id/deliveries': { who: admins, status: 404 },
  'POST /console/api/webhooks/:id/replay': { who: admins, status: 404, body: nothing },

  'GET /console/api/openapi.json': { who: everybody, status: 200 },

  'GET /console/api/users': { who: managersOfUsers, status: 200, shows: 'canary-viewer' },
  'GET /console/api/users/:id': { who: managersOfUsers, status: 404 },
  'PATCH /console/api/users/:id': { who: managersOfUsers, status: 400, body: nothing },
  'DELETE /console/api/users/:id': { who: managersOfUsers, status: 404 },
  'DELETE /console/api/users/:id/sessions/:sessionId': { who: managersOfUsers, status: 404 },
  'GET /console/api/users/:id/timeline': { who: managersOfUsers, status: 404 },
  'PUT /console/api/users/:id/roles/:role': { who: managersOfUsers, status: 404, params: { role: 'viewer' } },
  'DELETE /console/api/users/:id/roles/:role': {
    who: managersOfUsers,
    status: 404,
    params: { role: 'viewer' },
  },
  'GET /console/api/groups': { who: managersOfUsers, status: 200, shows: 'canary group' },
  'POST /console/api/groups': { who: managersOfUsers, status: 400, body: nothing },
  'GET /console/api/groups/:id': { who: managersOfUsers, status: 404 },
  'PATCH /console/api/groups/:id': { who: managersOfUsers, status: 404, body: nothing },
  'DELETE /console/api/groups/:id': { who: managersOfUsers, status: 404 },
  'PUT /console/api/groups/:id/roles/:role': {
    who: managersOfUsers,
    status: 404,
    params: { role: 'viewer' },
  },
  'DELETE /console/api/groups/:id/roles/:role': {
    who: managersOfUsers,
    status: 404,
    params: { role: 'viewer' },
  },
  'GET /console/api/roles': { who: managersOfUsers, status: 200 },
  'GET /console/api/roles/values': { who: managersOfUsers, status: 200 },
  'PUT /console/api/roles/values': { who: managersOfUsers, status: [400, 403], body: nothing },

  'GET /console/api/connections': { who: managersOfUsers, status: 200, shows: 'canary connection' },
  'POST /console/api/connections': { who: admins, status: 400, body: nothing },
  'PATCH /console/api/connections/:id': { who: admins, status: 404, body: nothing },
  'DELETE /console/api/connections/:id': { who: admins, status: 404 },
  'POST /console/api/connections/:id/test': { who: admins, status: 404 },
  'GET /console/api/providers': { who: managersOfUsers, status: 200, shows: 'canary connection' },
  'GET /console/api/providers/:id': { who: managersOfUsers, status: 404 },
  'GET /console/api/provisioning-log': { who: managersOfUsers, status: 200 },
  'POST /console/api/connections/:id/test-sign-in': { who: managersOfUsers, status: 404 },
  'POST /console/api/connections/:id/test-sign-in/result': { who: managersOfUsers, status: 404 },
  'POST /console/api/setup-link': { who: admins, status: 400, body: { days: 0 } },
  'DELETE /console/api/setup-link': { who: admins, status: 204 },
  'GET /console/api/setup': { who: 'anyone', status: 401 },
  'PUT /console/api/setup/connection': { who: 'anyone', status: 400, body: nothing },
  'POST /console/api/setup/test': { who: 'anyone', status: 401 },
  'POST /console/api/setup/token': { who: 'anyone', status: 401 },
  'GET /console/api/setup/log': { who: 'anyone', status: 401 },
  'POST /console/api/setup/test-sign-in': { who: 'anyone', status: 401 },
  'POST /console/api/setup/test-sign-in/result': { who: 'anyone', status: 401 },
  'POST /console/api/setup/finish': { who: 'anyone', status: 401 },
  'PUT /console/api/users/:id/connection': { who: admins, status: 400, body: nothing },
  'POST /console/api/session/end-at-provider': { who: everybody, status: 200, spendsSession: true },
  'GET /console/api/sign-in/ways': {
    who: 'anyone',
    status: 200,
    query: '?account=1',
    shows: 'canary connection',
  },
  'GET /console/sign-in/provider/:account/:connection': {
    who: 'anyone',
    status: [302, 303],
    params: { account: '1' },
  },
  'GET /console/callback': { who: 'anyone', status: [302, 303] },
  'POST /console/logout/:account/:connection': { who: 'anyone', status: 400, params: { account: '1' } },

  'POST /console/api/sign-in/password': { who: 'anyone', status: 400, body: nothing },
  'GET /console/api/me': { who: everybody, status: 200 },
  'PUT /console/api/me/password': { who: everybody, status: 400, body: nothing },
  'DELETE /console/api/me/password': { who: everybody, status: [204, 409] },
  'POST /console/api/sign-in/passkey/options': { who: 'anyone', status: 200, body: nothing },
  'POST /console/api/sign-in/passkey': { who: 'anyone', status: 400, body: nothing },
  'GET /console/api/me/passkeys': { who: everybody, status: 200 },
  'POST /console/api/me/passkeys/options': { who: everybody, status: 200, body: nothing },
  'POST /console/api/me/passkeys': { who: everybody, status: 400, body: nothing },
  'PATCH /console/api/me/passkeys/:id': { who: everybody, status: 400, body: nothing },
  'DELETE /console/api/me/passkeys/:id': { who: everybody, status: 404 },

  'POST /console/api/sign-in/link': { who: 'anyone', status: 401, body: { code: 'nobody' } },
  'GET /console/api/me/sessions': { who: everybody, status: 200 },
  'DELETE /console/api/me/sessions': { who: everybody, status: 200 },
  'DELETE /console/api/me/sessions/:id': { who: everybody, status: 204 },
  'POST /console/api/users/invite': { who: managersOfUsers, status: 400, body: nothing },
  'POST /console/api/users/:id/link': { who: managersOfUsers, status: 404 },
  'POST /console/api/users/:id/confirm-admin': { who: managersOfUsers, status: 404 },
  'DELETE /console/api/users/:id/refused': { who: managersOfUsers, status: 404 },
  'GET /console/api/users/:id/sessions': { who: managersOfUsers, status: 404 },
  'DELETE /console/api/users/:id/sessions': { who: managersOfUsers, status: 404 },

  'GET /console/api/sources': { who: seersOfScores, status: 200 },
  'GET /console/api/overview': { who: seersOfScores, status: 200, query: someDays },
  'GET /console/api/measures/:key': ofNoSource,
  'GET /console/api/measures/:key/trend': { ...ofNoSource, query: someDays },
  'GET /console/api/measures/:key/trend.csv': { ...ofNoSource, query: someDays },
  'GET /console/api/measures/:key/distribution': { ...ofNoSource, query: someDays },
  'GET /console/api/measures/:key/distribution.csv': { ...ofNoSource, query: someDays },
  'GET /console/api/measures/:key/drivers': { ...ofNoSource, query: someDays },
  'GET /console/api/measures/:key/drivers.csv': { ...ofNoSource, query: someDays },
  'GET /console/api/measures/:key/breakdown': { ...ofNoSource, query: `${someDays}&by=device` },
  'GET /console/api/measures/:key/breakdown.csv': { ...ofNoSource, query: `${someDays}&by=device` },
  'GET /console/api/projects/:key': ofNoSource,
  'GET /console/api/projects/:key/trend': { ...ofNoSource, query: someDays },
  'GET /console/api/projects/:key/trend.csv': { ...ofNoSource, query: someDays },
  'GET /console/api/projects/:key/distribution': { ...ofNoSource, query: someDays },
  'GET /console/api/projects/:key/distribution.csv': { ...ofNoSource, query: someDays },
  'GET /console/api/projects/:key/topics': { ...ofNoSource, query: someDays },
  'GET /console/api/projects/:key/topics.csv': { ...ofNoSource, query: someDays },
  'GET /console/api/projects/:key/breakdown': { ...ofNoSource, query: `${someDays}&by=device` },

  'GET /console/api/surveys/free-key': { who: editors, status: 200, query: '?kind=measure' },
  'GET /console/api/surveys/measures/:key/document': { who: editors, status: 404, params: { key: '9' } },
  'POST /console/api/surveys/measures/:key/plan': {
    who: editors,
    status: 400,
    params: { key: '9' },
    body: nothing,
  },
  'POST /console/api/surveys/measures/:key/publish': {
    who: editors,
    status: 400,
    params: { key: '9' },
    body: nothing,
  },
  'GET /console/api/surveys/projects/:key/document': { who: editors, status: 404, params: { key: '9' } },
  'POST /console/api/surveys/projects/:key/plan': {
    who: editors,
    status: 400,
    params: { key: '9' },
    body: nothing,
  },
  'POST /console/api/surveys/projects/:key/publish': {
    who: editors,
    status: 400,
    params: { key: '9' },
    body: nothing,
  },
  'GET /console/api/measures/:key/comments': responsesOfNoSource,
  'GET /console/api/measures/:key/comments.csv': responsesOfNoSource,
  'GET /console/api/measures/:key/responses': responsesOfNoSource,
  'GET /console/api/measures/:key/responses.csv': responsesOfNoSource,
  'GET /console/api/measures/:key/responses/:responseId': responsesOfNoSource,
  'GET /console/api/measures/:key/responses/:responseId/trace': responsesOfNoSource,
  'GET /console/api/measures/:key/responses/:responseId/asked': responsesOfNoSource,
  'GET /console/api/measures/:key/cost': { ...responsesOfNoSource, query: someDays },
  'DELETE /console/api/measures/:key/responses/:responseId': { ...responsesOfNoSource, who: admins },
  'GET /console/api/projects/:key/comments': responsesOfNoSource,
  'GET /console/api/projects/:key/comments.csv': responsesOfNoSource,
  'GET /console/api/projects/:key/responses': responsesOfNoSource,
  'GET /console/api/projects/:key/responses.csv': responsesOfNoSource,
  'GET /console/api/projects/:key/responses/:responseId': responsesOfNoSource,
  'GET /console/api/projects/:key/responses/:responseId/trace': responsesOfNoSource,
  'GET /console/api/projects/:key/responses/:responseId/asked': responsesOfNoSource,
  'GET /console/api/projects/:key/cost': { ...responsesOfNoSource, query: someDays },
  'DELETE /console/api/projects/:key/responses/:responseId': { ...responsesOfNoSource, who: admins },
  'GET /console/api/projects/:key/breakdown.csv': { ...ofNoSource, query: `${someDays}&by=device` },
  'GET /console/api/surveys': { who: editors, status: 200 },
  'GET /console/api/surveys/measures/:key': ofNoSurvey,
  'PUT /console/api/surveys/measures/:key/versions/:surveyId/closed': {
    ...ofNoSurvey,
    params: { key: '1', surveyId: 'nobody' },
    body: { closed: true },
  },
  'GET /console/api/surveys/measures/:key/share': ofNoSurvey,
  'GET /console/api/surveys/measures/:key/qr.svg': ofNoSurvey,
  'GET /console/api/surveys/measures/:key/invitations': ofNoSurvey,
  'POST /console/api/surveys/measures/:key/invitations': { ...ofNoSurvey, status: [404, 415] },
  'GET /console/api/surveys/projects/:key': ofNoSurvey,
  'PUT /console/api/surveys/projects/:key/versions/:surveyId/closed': {
    ...ofNoSurvey,
    params: { key: '1', surveyId: 'nobody' },
    body: { closed: true },
  },
  'GET /console/api/surveys/projects/:key/share': ofNoSurvey,
  'GET /console/api/surveys/projects/:key/qr.svg': ofNoSurvey,
  'GET /console/api/surveys/projects/:key/invitations': ofNoSurvey,
  'POST /console/api/surveys/projects/:key/invitations': { ...ofNoSurvey, status: [404, 415] },
  'GET /console/api/refused': { who: editors, status: 200 },
  'GET /console/api/refused/responses': { who: editors, status: 200 },
  'GET /console/api/refused/bodies': { who: editors, status: 200, query: '?surveyId=x&cause=y' },
  'GET /console/api/refused/bodies/:id': { who: editors, status: 404 },
  'POST /console/api/refused/redrive': { who: editors, status: 400, body: nothing },
  'GET /console/api/starters': { who: editors, status: 200 },
  'POST /console/api/starters/:name': { who: editors, status: 400, body: nothing },
  'GET /console/api/views': { who: seersOfResponses, status: 200 },
  'POST /console/api/views': { who: seersOfResponses, status: 400, body: nothing },
  'DELETE /console/api/views/:id': { who: seersOfResponses, status: 404 },
};

/** Changing requests that come from elsewhere by their nature. */
export const exemptFromOrigin: readonly string[] = [
  'GET /console/callback',
  'POST /console/logout/:account/:connection',
];

/** What anyone may open below /console: pages, and what they are made of. */
export const openPages: readonly string[] = [
  'GET /console',
  'GET /console/accounts',
  'GET /console/assets/:file',
  'GET /console/audit',
  'GET /console/clients',
  'GET /console/groups',
  'GET /console/groups/:id',
  'GET /console/me',
  'GET /console/preview',
  'GET /console/measures/:key',
  'GET /console/measures/:key/comments',
  'GET /console/measures/:key/responses',
  'GET /console/measures/:key/responses/:id',
  'GET /console/operations',
  'GET /console/projects/:key',
  'GET /console/projects/:key/comments',
  'GET /console/projects/:key/responses',
  'GET /console/projects/:key/responses/:id',
  'GET /console/provider',
  'GET /console/provider/:id',
  'GET /console/refused',
  'GET /console/sign-in',
  'GET /console/surveys',
  'GET /console/surveys/measures/:key',
  'GET /console/surveys/measures/:key/edit',
  'GET /console/surveys/measures/:key/share',
  'GET /console/surveys/new',
  'GET /console/surveys/projects/:key',
  'GET /console/surveys/projects/:key/edit',
  'GET /console/surveys/projects/:key/share',
  'GET /console/users',
  'GET /console/users/:id',
  'GET /console/views',
  'GET /console/webhooks',
];
