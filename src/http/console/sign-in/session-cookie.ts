// The cookie that holds a session: the account, so that one machine of many can be asked, and 256 random bits. The store
// keeps a keyed hash of them.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleAddress } from '../../../acts/access/console-address.ts';
import { accountIdPattern } from '../../../domain/access/account.ts';
import { hashSecret } from '../../../domain/access/secret.ts';
import { type SessionKey, sessionLongestMs } from '../../../store/people/sessions.ts';

// 256 bits are 43 characters of base64url.
const cookieValue = new RegExp(`^(0|${accountIdPattern})\\.([\\w-]{43})$`);

/** The key of the session that a request names; null where it names none that could be. */
export function sessionKeyOf(
  request: FastifyRequest,
  address: ConsoleAddress,
  secretKey: string,
): SessionKey | null {
  const value = cookieOf(request.headers.cookie, address.cookieName);
  const [, accountId, secret] = (value ?? '').match(cookieValue) ?? [];
  if (accountId === undefined || secret === undefined) return null;
  return { accountId: Number(accountId), tokenHash: hashSecret(secret, secretKey) };
}

export function setSessionCookie(
  reply: FastifyReply,
  address: ConsoleAddress,
  accountId: number,
  secret: string,
): void {
  addCookie(reply, address, address.cookieName, `${accountId}.${secret}`, sessionLongestMs / 1_000);
}

export function dropSessionCookie(reply: FastifyReply, address: ConsoleAddress): void {
  addCookie(reply, address, address.cookieName, '', 0);
}

/** A cookie that only the console is sent, and that no script reads. */
export function addCookie(
  reply: FastifyReply,
  address: ConsoleAddress,
  name: string,
  value: string,
  seconds: number,
  path = '/',
): void {
  const secure = address.isSecure ? '; Secure' : '';
  reply.header(
    'set-cookie',
    `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure}`,
  );
}

export function cookieOf(header: string | undefined, name: string): string | null {
  if (header === undefined) return null;
  for (const part of header.split(';')) {
    const text = part.trim();
    if (text.startsWith(`${name}=`)) return text.slice(name.length + 1);
  }
  return null;
}
