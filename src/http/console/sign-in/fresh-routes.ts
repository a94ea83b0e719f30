// Every route that asks for a fresh sign-in, and why: the gate asks nothing but this table. A browser that was left open, or a
// cookie that was stolen, must yield no file with what people answered, nothing that opens the data later by itself, no rights,
// and nothing that cannot be undone (D-391, D-821). Shutting something out is never held up.

/** What somebody would have at the end of it. */
type FreshReason = 'file' | 'credential' | 'rights' | 'destruction' | 'operation';

export const freshRoutes: Readonly<Record<string, FreshReason>> = {
  'GET /console/api/measures/:key/comments.csv': 'file',
  'GET /console/api/measures/:key/responses.csv': 'file',
  'GET /console/api/projects/:key/comments.csv': 'file',
  'GET /console/api/projects/:key/responses.csv': 'file',

  'POST /console/api/access-token': 'credential',
  'POST /console/api/api-clients': 'credential',
  'POST /console/api/api-clients/:clientId/rotate': 'credential',
  'POST /console/api/api-clients/:clientId/finish-rotation': 'credential',
  'POST /console/api/api-clients/:clientId/enable': 'credential',
  'PUT /console/api/api-clients/:clientId/grants': 'credential',
  'POST /console/api/provisioning-tokens': 'credential',
  'DELETE /console/api/provisioning-tokens/:tokenId': 'credential',
  'POST /console/api/webhooks': 'credential',
  'POST /console/api/webhooks/:id/rotate': 'credential',
  'POST /console/api/webhooks/:id/finish-rotation': 'credential',
  'POST /console/api/views': 'credential',
  'POST /console/api/surveys/measures/:key/invitations': 'credential',
  'POST /console/api/surveys/projects/:key/invitations': 'credential',
  'POST /console/api/users/invite': 'credential',
  'POST /console/api/users/:id/link': 'credential',
  'POST /console/api/setup-link': 'credential',
  'POST /console/api/connections': 'credential',
  'PATCH /console/api/connections/:id': 'credential',
  'DELETE /console/api/connections/:id': 'credential',
  'POST /console/api/connections/:id/test': 'credential',
  'PUT /console/api/users/:id/connection': 'credential',
  'POST /console/api/me/passkeys/options': 'credential',
  'POST /console/api/me/passkeys': 'credential',
  'DELETE /console/api/me/passkeys/:id': 'credential',
  'PUT /console/api/me/password': 'credential',
  'DELETE /console/api/me/password': 'credential',

  'PUT /console/api/users/:id/roles/:role': 'rights',
  'DELETE /console/api/users/:id/roles/:role': 'rights',
  'PUT /console/api/groups/:id/roles/:role': 'rights',
  'DELETE /console/api/groups/:id/roles/:role': 'rights',
  'PUT /console/api/roles/values': 'rights',
  'POST /console/api/users/:id/confirm-admin': 'rights',

  'DELETE /console/api/users/:id': 'destruction',
  'DELETE /console/api/groups/:id': 'destruction',
  'DELETE /console/api/measures/:key/responses/:responseId': 'destruction',
  'DELETE /console/api/projects/:key/responses/:responseId': 'destruction',
  'POST /console/api/accounts/:accountId/remove': 'destruction',

  'PUT /console/api/operations/maintenance': 'operation',
  'POST /console/api/operations/clock': 'operation',
  'POST /console/api/operations/keys': 'operation',
  'POST /console/api/operations/keys/:kid/revoke': 'operation',
};

/** Routes that ask for it in some cases only; they ask by themselves (`demandFresh`), and say here when. */
export const freshAtTimes: Readonly<Record<string, string>> = {
  'PATCH /console/api/groups/:id': 'when members of a group that carries a role change',
};

/** A row whose route was renamed would guard nothing: the service does not start with one. */
export function demandFreshRoutes(
  endpoints: readonly { readonly method: string; readonly path: string }[],
): void {
  const declared = new Set(endpoints.map(({ method, path }) => `${method} ${path}`));
  const missing = Object.keys({ ...freshRoutes, ...freshAtTimes }).filter((name) => !declared.has(name));
  if (missing.length > 0)
    throw new Error(`No such route asks for a fresh sign-in any more: ${missing.join(', ')}.`);
}
