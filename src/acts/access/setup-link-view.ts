import type { SetupLink } from '../../store/access/setup-links.ts';

export function shownSetupLink(link: SetupLink) {
  const { id, kind, connectionId, createdBy, createdAtMs, expiresAtMs, usedAtMs, mayChangeAdmins } = link;
  return {
    id,
    kind,
    connectionId,
    mayChangeAdmins: mayChangeAdmins === 1,
    createdBy,
    createdAt: new Date(createdAtMs).toISOString(),
    expiresAt: new Date(expiresAtMs).toISOString(),
    usedAt: usedAtMs === null ? null : new Date(usedAtMs).toISOString(),
  };
}
