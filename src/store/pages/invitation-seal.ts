// Invitations to surveys: a link holds who is invited, sealed as a JWE, so that nobody can read or alter it and nothing of it
// has to be kept (D-446). The key is derived for one survey of one account, so it opens for no other.

import { CompactEncrypt, compactDecrypt } from 'jose';
import {
  type Invitation,
  type InvitationText,
  isInvitationId,
  linkCharactersMax,
} from '../../domain/pages/invitation.ts';
import { keyMarkBytes, type PageKey, type PageKeys } from './page-keys.ts';

/** Whose survey it is for. */
export interface InvitedSurvey {
  readonly accountId: number;
  readonly surveyId: string;
}

/** What is sealed together comes back in one turn of the event loop, and each takes it some 150 us (D-922). */
export const sealedAtOnce = 20;

// Header, no encrypted key, nonce, text and tag.
const form = /^([A-Za-z0-9_-]{62,64})\.\.([A-Za-z0-9_-]{16})\.([A-Za-z0-9_-]{40,1900})\.([A-Za-z0-9_-]{22})$/;

/** Whether a text could be an invitation at all; cheap. */
export function looksLikeInvitation(text: string): boolean {
  return text.length <= linkCharactersMax && form.test(text);
}

export class InvitationSeal {
  readonly #keys: PageKeys;

  constructor(keys: PageKeys) {
    this.#keys = keys;
  }

  /** The key that seals invitations that end then. Many are sealed by one. */
  keyUntil(endsAtMs: number): Promise<PageKey> {
    return this.#keys.until(endsAtMs);
  }

  /** Seals many of one survey, under a key of `keyUntil`. */
  async seal(
    key: PageKey,
    { accountId, surveyId }: InvitedSurvey,
    invitations: readonly Invitation[],
  ): Promise<readonly string[]> {
    const bytes = key.invitationKey(accountId, surveyId);
    return Promise.all(
      invitations.map((invitation) =>
        new CompactEncrypt(Buffer.from(JSON.stringify(sealedForm(invitation))))
          .setProtectedHeader(headerOf(key.mark))
          .encrypt(bytes),
      ),
    );
  }

  /** Null for what is no invitation to this survey, whatever it is. */
  async open(text: string, { accountId, surveyId }: InvitedSurvey): Promise<Invitation | null> {
    if (text.length > linkCharactersMax) return null;
    const parts = form.exec(text);
    // Other texts of the same bytes would be other tokens for the same thing.
    if (parts === null || !parts.slice(1).every(isPlainBase64url)) return null;
    const mark = markOf(parts[1]!);
    const key = mark === null ? null : await this.#keys.marked(mark);
    if (key === null) return null;
    try {
      const { plaintext } = await compactDecrypt(text, key.invitationKey(accountId, surveyId), {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      });
      return openedForm(JSON.parse(Buffer.from(plaintext).toString()) as InvitationText);
    } catch {
      // Altered, or sealed for another survey.
      return null;
    }
  }
}

function headerOf(mark: string): { alg: 'dir'; enc: 'A256GCM'; kid: string } {
  return { alg: 'dir', enc: 'A256GCM', kid: mark };
}

/** Nothing of a header is believed but the one place in which ours differ. */
function markOf(header: string): string | null {
  const match = /^\{"alg":"dir","enc":"A256GCM","kid":"([A-Za-z0-9_-]+)"\}$/.exec(
    Buffer.from(header, 'base64url').toString(),
  );
  const mark = match?.[1];
  return mark !== undefined && Buffer.from(mark, 'base64url').length === keyMarkBytes ? mark : null;
}

function isPlainBase64url(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function sealedForm({ invitationId, issuedAtMs, endsAtMs, parameters }: Invitation): InvitationText {
  if (!isInvitationId(invitationId)) throw new Error('The id of an invitation is a UUID.');
  const form = {
    i: Buffer.from(invitationId.replaceAll('-', ''), 'hex').toString('base64url'),
    t: Math.floor(issuedAtMs / 1000),
    e: Math.floor(endsAtMs / 1000),
  };
  return Object.keys(parameters).length === 0 ? form : { ...form, p: parameters };
}

function openedForm({ i, t, e, p }: InvitationText): Invitation {
  return {
    invitationId: uuidOf(Buffer.from(i, 'base64url')),
    issuedAtMs: t * 1000,
    endsAtMs: e * 1000,
    parameters: p ?? {},
  };
}

export function uuidOf(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
