// A new one-time link, as the console and the command line make it. The code stands in the fragment of the address, which
// no browser sends: it is in no log and in no referrer.

import type { Context } from '../../context.ts';
import { type LinkPurpose, linkCodeOf, linkLifetimeMs } from '../../domain/access/one-time-link.ts';
import { hashSecret } from '../../domain/access/secret.ts';
import { Problem } from '../../domain/problem.ts';
import type { User } from '../../domain/provisioning/user.ts';
import type { ChangeStamp } from '../../store/engine/audit.ts';
import { type CreateLink, createLink } from '../../store/people/one-time-links.ts';
import { isOnlyByProvider } from '../../store/people/passwords.ts';
import type { ConsoleAddress } from './console-address.ts';

export interface PreparedLink {
  readonly url: string;
  readonly code: string;
  readonly codeHash: string;
  readonly expiresAtMs: number;
}

export interface LinkMaker {
  readonly context: Context;
  readonly address: ConsoleAddress;
  /** The key of the store for its hashes. */
  readonly secretKey: string;
}

export function prepareLink(
  { context, address, secretKey }: LinkMaker,
  accountId: number,
  purpose: LinkPurpose,
  nowMs: number,
): PreparedLink {
  const secret = context.newSecret();
  const code = linkCodeOf({ accountId, secret });
  return {
    url: address.to(`/console#${code}`),
    code,
    codeHash: hashSecret(secret, secretKey),
    expiresAtMs: nowMs + linkLifetimeMs[purpose],
  };
}

export async function issueLink(
  maker: LinkMaker,
  stamp: ChangeStamp,
  {
    accountId,
    personId,
    subject,
    purpose,
    admitsAdmin,
  }: Omit<CreateLink, keyof ChangeStamp | 'codeHash' | 'expiresAtMs'>,
): Promise<PreparedLink> {
  const link = prepareLink(maker, accountId, purpose, stamp.nowMs);
  const { codeHash, expiresAtMs } = link;
  await maker.context.db.write(createLink, {
    ...stamp,
    accountId,
    personId,
    subject,
    purpose,
    admitsAdmin,
    codeHash,
    expiresAtMs,
  });
  return link;
}

/** Of a user. One that could not be used is refused when it is made. */
export async function issueUserLink(
  maker: LinkMaker,
  stamp: ChangeStamp,
  user: User,
  { purpose, admitsAdmin }: { readonly purpose: 'invite' | 'reset'; readonly admitsAdmin: boolean },
): Promise<PreparedLink> {
  const { accountId, id } = user;
  await demandLinks(maker.context, accountId);
  if (!user.profile.active)
    throw new Problem(
      'CONFLICT',
      'The user is suspended, and a link would not let them in. Reactivate them first.',
    );
  return issueLink(maker, stamp, { accountId, personId: id, subject: `user ${id}`, purpose, admitsAdmin });
}

/** Where an identity provider is the only way in, nobody gets past it by a link. */
export async function demandLinks({ db }: Context, accountId: number): Promise<void> {
  if (!(await isOnlyByProvider(db, accountId))) return;
  throw new Problem(
    'CONFLICT',
    'The identity provider is the only way into this account, so its users have no links. Let them sign in there.',
  );
}
