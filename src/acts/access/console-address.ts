// Where people reach the console, and what follows from it: the origin that changing requests come from, the name of the
// cookie, and whether the console is served at all. It is told by SOUNDINGS_PUBLIC_URL or the listening address, never
// by the Host header (D-311).

import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../../config.ts';
import { findingWords } from '../../domain/operations/finding-words.ts';
import {
  addressForPeople,
  isLoopbackAddress,
  isLoopbackUrl,
  PublicUrl,
  urlOf,
} from '../../domain/operations/public-url.ts';
import { Problem } from '../../domain/problem.ts';

/** Where identity providers send people back to: one address for ever. */
export const callbackPath = '/console/callback';

export class ConsoleAddress {
  readonly #publicUrl: PublicUrl;
  readonly #allowsPlainHttp: boolean;
  readonly #isForThisMachine: boolean;

  constructor(
    publicUrl: PublicUrl,
    { consolePlainHttp, lanHost = '' }: { readonly consolePlainHttp: boolean; readonly lanHost?: string },
  ) {
    this.#publicUrl = publicUrl;
    this.#allowsPlainHttp = consolePlainHttp;
    this.#isForThisMachine = lanHost !== '' && !consolePlainHttp;
  }

  get base(): string {
    return addressForPeople(this.#publicUrl.base);
  }

  /** The name under which passkeys are kept by browsers. */
  get relyingPartyId(): string {
    return new URL(this.base).hostname;
  }

  get origin(): string {
    return new URL(this.base).origin;
  }

  get isSecure(): boolean {
    return this.base.startsWith('https:');
  }

  get isLoopback(): boolean {
    return isLoopbackUrl(this.base);
  }

  /** Only under https can a browser be told that nobody else may set the cookie. */
  get cookieName(): string {
    return this.isSecure ? '__Host-soundings' : 'soundings';
  }

  /** Of what a sign-in keeps in the browser while it is under way. */
  cookieNameFor(what: string): string {
    return `${this.cookieName}-${what}`;
  }

  to(path: string): string {
    return this.base + path;
  }

  /** Whether people can sign in there at all. */
  get isServed(): boolean {
    return this.isSecure || this.isLoopback || this.#allowsPlainHttp;
  }

  /** What an operator should know of it; null where nothing is the matter. */
  get faultCode(): 'consoleOff' | 'consolePlain' | null {
    if (this.isSecure || this.isLoopback) return null;
    return this.#allowsPlainHttp ? 'consolePlain' : 'consoleOff';
  }

  /** The same in words. */
  get fault(): string | null {
    const code = this.faultCode;
    return code === null ? null : findingWords[code]({ base: this.base });
  }

  /** Whoever listens to a plain connection beyond this machine would learn every session. `peer` is who has connected. */
  demandSafety(peer: string | undefined): void {
    const isElsewhere = this.#isForThisMachine && !isLoopbackAddress(peer ?? '');
    if (this.isServed && !(isElsewhere && this.isLoopback)) return;
    throw new Problem(
      'CONSOLE_NEEDS_HTTPS',
      'The console is not served over plain http beyond this machine. Put it behind https and set SOUNDINGS_PUBLIC_URL, or set SOUNDINGS_CONSOLE_PLAIN_HTTP=on where the network is trusted.',
    );
  }

  /** A changing request must come from a page of the console itself (D-312). */
  demandOwnPage({ 'sec-fetch-site': site, origin }: IncomingHttpHeaders): void {
    if (site === 'same-origin') return;
    if (site === undefined && origin !== undefined && this.#isOwn(origin)) return;
    throw new Problem(
      'FOREIGN_ORIGIN',
      `Changes are taken from pages of ${this.origin} alone. Open the console there, or set SOUNDINGS_PUBLIC_URL to the address that people use.`,
    );
  }

  /** On this machine its names are one origin. */
  #isOwn(origin: string): boolean {
    if (origin === this.origin) return true;
    if (!this.isLoopback || !URL.canParse(origin)) return false;
    const url = new URL(origin);
    const own = new URL(this.base);
    return isLoopbackUrl(origin) && url.protocol === own.protocol && url.port === own.port;
  }
}

/** By the settings; a start knows better on which port it listens. */
export function consoleAddress(
  {
    publicUrl,
    host,
    port,
    consolePlainHttp,
  }: Pick<Config, 'publicUrl' | 'host' | 'port' | 'consolePlainHttp'>,
  listening = urlOf(host, port),
): ConsoleAddress {
  return new ConsoleAddress(new PublicUrl(publicUrl === '' ? listening : publicUrl), { consolePlainHttp });
}
