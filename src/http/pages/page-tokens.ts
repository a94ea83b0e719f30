// What a page sends back to say for which survey, under which id and when it was made (D-445). A public survey has a form
// token, made for every page that is shown: an HMAC, because it must cost next to nothing. An invitation is a sealed link
// (store/pages/invitation-seal.ts). Either names one response, so that one token is one row at most, however often it is sent.

import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { Sealer, type SealerContext } from '../../store/access/sealer.ts';
import { apartFromRequests, withinWaits } from '../../store/engine/work/request-waits.ts';
import {
  InvitationSeal,
  type InvitedSurvey,
  looksLikeInvitation,
  uuidOf,
} from '../../store/pages/invitation-seal.ts';
import { isRevokedInvitation } from '../../store/pages/invitations.ts';
import { type PageKey, PageKeys } from '../../store/pages/page-keys.ts';

export const formTokenLifetimeMs = 86_400_000;

interface NamedResponse {
  readonly responseId: string;
  /** Never later than now. */
  readonly issuedAtMs: number;
  /** Custom parameters by their names, which nobody but the inviter can have written. */
  readonly parameters: Readonly<Record<string, string>>;
}

export type OpenedToken =
  | ({ readonly kind: 'form' | 'invitation' } & NamedResponse)
  /** It was ours and its time is over: a page that is shown anew keeps the id, so that nothing is kept twice. */
  | ({ readonly kind: 'expired'; readonly of: 'form' | 'invitation' } & NamedResponse)
  | { readonly kind: 'revoked' }
  | { readonly kind: 'invalid' };

// Version, mark of the key, time, id, and half of the HMAC: 45 bytes are 60 characters with no bit to spare.
const formToken = /^[A-Za-z0-9_-]{60}$/;
const formVersion = 1;
const [markAt, timeAt, idAt, macAt, formBytes] = [1, 7, 13, 29, 45] as const;

// As long as a key is looked at again in the background, and after which nobody uses it without a look.
const renewEveryMs = 5_000;
const keyAgeMaxMs = 10_000;

interface SigningKey {
  readonly page: PageKey;
  readonly lookedAtMs: number;
  /** By the wall clock: it is kept in the store until a token of this moment has ended. */
  readonly signsUntilMs: number;
}

export class PageTokens {
  readonly #context: SealerContext;
  readonly keys: PageKeys;
  /** Seals the links of invitations, under the keys that `open` knows. */
  readonly invitations: InvitationSeal;
  #signing: SigningKey | null = null;
  #renewal: Promise<SigningKey> | null = null;

  constructor(context: SealerContext) {
    this.#context = context;
    this.keys = new PageKeys(new Sealer(context));
    this.invitations = new InvitationSeal(this.keys);
  }

  /**
   * A token for one showing of the page: at once where the key is known, as it nearly always is. With the id of a response,
   * such as that of an expired token, it names that one.
   */
  newFormToken(surveyId: string, responseId: string = this.#context.newId()): string | Promise<string> {
    const { now, elapsedMs } = this.#context;
    const nowMs = now();
    const signing = this.#signing;
    const ageMs = signing === null ? Number.POSITIVE_INFINITY : elapsedMs() - signing.lookedAtMs;
    if (signing === null || ageMs > keyAgeMaxMs || nowMs > signing.signsUntilMs)
      return this.#renew().then(({ page }) => formTokenOf(page, surveyId, responseId, now()));
    // A store that is away is told to those who need its answer.
    if (ageMs > renewEveryMs) this.#renew().catch(() => {});
    return formTokenOf(signing.page, surveyId, responseId, nowMs);
  }

  /** What a text is that came as the token of this survey. Garbage costs next to nothing. */
  async open(text: string, survey: InvitedSurvey): Promise<OpenedToken> {
    if (formToken.test(text)) return this.#openForm(text, survey.surveyId);
    return looksLikeInvitation(text) ? this.#openInvitation(text, survey) : { kind: 'invalid' };
  }

  async #openForm(text: string, surveyId: string): Promise<OpenedToken> {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes[0] !== formVersion) return { kind: 'invalid' };
    const key = await this.keys.marked(bytes.toString('base64url', markAt, timeAt));
    if (key === null) return { kind: 'invalid' };
    const mac = macOf(key.formKey, surveyId, bytes.subarray(0, macAt));
    if (!timingSafeEqual(mac, bytes.subarray(macAt))) return { kind: 'invalid' };
    const madeAtMs = bytes.readUIntBE(timeAt, 6);
    const nowMs = this.#context.now();
    const named = {
      responseId: uuidOf(bytes.subarray(idAt, macAt)),
      // A clock that was set back must not make a page seem to come from the future.
      issuedAtMs: Math.min(madeAtMs, nowMs),
      parameters: {},
    };
    // One of the future is good for as long as one of the past: else a clock that was wrong for a minute would leave tokens for years.
    const isOver = Math.abs(nowMs - madeAtMs) > formTokenLifetimeMs;
    return isOver ? { kind: 'expired', of: 'form', ...named } : { kind: 'form', ...named };
  }

  async #openInvitation(text: string, survey: InvitedSurvey): Promise<OpenedToken> {
    const opened = await this.invitations.open(text, survey);
    if (opened === null) return { kind: 'invalid' };
    const { invitationId, issuedAtMs, endsAtMs, parameters } = opened;
    const { db, now } = this.#context;
    if (await isRevokedInvitation(db, survey.accountId, invitationId)) return { kind: 'revoked' };
    const nowMs = now();
    const named = { responseId: invitationId, issuedAtMs: Math.min(issuedAtMs, nowMs), parameters };
    return nowMs >= endsAtMs
      ? { kind: 'expired', of: 'invitation', ...named }
      : { kind: 'invitation', ...named };
  }

  /** Asks for the key that signs, once for all who need it. */
  #renew(): Promise<SigningKey> {
    this.#renewal ??= apartFromRequests(() => this.#askForKey()).finally(() => {
      this.#renewal = null;
    });
    return withinWaits(this.#renewal);
  }

  async #askForKey(): Promise<SigningKey> {
    const lookedAtMs = this.#context.elapsedMs();
    const nowMs = this.#context.now();
    // A day longer than a token lives: the note in the store is one write a day, and no page waits for it while pages are shown.
    const page = await this.keys.until(nowMs + 2 * formTokenLifetimeMs);
    this.#signing = { page, lookedAtMs, signsUntilMs: nowMs + formTokenLifetimeMs };
    return this.#signing;
  }
}

function formTokenOf(key: PageKey, surveyId: string, responseId: string, nowMs: number): string {
  const bytes = Buffer.allocUnsafe(formBytes);
  bytes[0] = formVersion;
  bytes.write(key.mark, markAt, 'base64url');
  bytes.writeUIntBE(nowMs, timeAt, 6);
  if (bytes.write(responseId.replaceAll('-', ''), idAt, 'hex') !== macAt - idAt)
    throw new Error('The id of a response on a page is a UUID.');
  macOf(key.formKey, surveyId, bytes.subarray(0, macAt)).copy(bytes, macAt);
  return bytes.toString('base64url');
}

/** The id of the survey comes last, because it alone has no fixed length. */
function macOf(key: KeyObject, surveyId: string, head: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(head)
    .update(surveyId)
    .digest()
    .subarray(0, formBytes - macAt);
}
