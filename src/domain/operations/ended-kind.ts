// What ends by time.

export const endedKinds = [
  'responses',
  'changes',
  'refusedResponses',
  'auditEntries',
  'sessions',
  'links',
  'sharedViews',
  'invitations',
  'deliveries',
  'provisioningRequests',
] as const;

export type EndedKind = (typeof endedKinds)[number];
