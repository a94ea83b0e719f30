// What is in the links of invitations, and what the audit log says of them: another replica, which looks at the store for itself.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type OpenedToken, PageTokens } from '../../src/http/pages/page-tokens.ts';
import { auditEntries } from '../../src/store/engine/audit-log.ts';
import { openDb } from '../../src/store/open-db.ts';
import { noteOf } from '../../src/store/people/audit-reader.ts';
import { patient } from './open-db.ts';

export interface InvitationReader {
  /** What the token of a link to this survey of account 4001 is. */
  open(link: string, surveyId?: string): Promise<OpenedToken>;
  /** The newest entry of account 4001: action, subject, note. */
  lastAudit(): Promise<readonly (string | undefined)[]>;
  close(): Promise<void>;
}

export async function openInvitationReader(
  databaseUrl: string,
  now: () => number = Date.now,
): Promise<InvitationReader> {
  const db = await openDb(databaseUrl, patient);
  const tokens = new PageTokens({
    ...{ config: { sealKey: '' }, db, now, elapsedMs: now },
    ...{ newId: randomUUIDv7, newSecret: () => randomBytes(32).toString('base64url') },
  });
  return {
    open: (link, surveyId = 'acme-private') =>
      tokens.open(new URL(link).searchParams.get('i') ?? '', { accountId: 4001, surveyId }),
    async lastAudit() {
      const newest = { after: null, isNewestFirst: true, take: 1 };
      const [entry] = await auditEntries(db, { accountId: 4001 }, newest);
      return [entry?.action, entry?.subject, entry && noteOf(entry.details)];
    },
    close: () => db.close(),
  };
}
