// The address that stands in links: the configured one, else where we listen. Never the Host header, which anyone
// can set.

import { findingWords } from './finding-words.ts';

export class PublicUrl {
  #base: string;
  #pages: string;
  readonly #lanHost: string;

  constructor(configured: string, lanHost = '') {
    this.#base = configured;
    this.#pages = configured;
    this.#lanHost = lanHost;
  }

  get base(): string {
    return this.#base;
  }

  /** Called once the port is known; a configured address stays. */
  listeningOn(host: string, port: number): void {
    if (this.#base !== '') return;
    this.#base = urlOf(host, port);
    this.#pages = this.#lanHost === '' ? addressForPeople(this.#base) : urlOf(this.#lanHost, port);
  }

  /** Of the pages of surveys: another one only where phones are to open them (D-893). */
  get pages(): string {
    return this.#pages;
  }

  to(path: string): string {
    return this.#base + path;
  }
}

/** Where a caller on this machine reaches what listens on this host. */
export function urlOf(host: string, port: number): string {
  return `http://${isEveryAddress(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

export function isLoopbackUrl(url: string): boolean {
  return loopbackNames.has(new URL(url).hostname);
}

/** Of a connection, as the system writes it. */
export function isLoopbackAddress(address: string): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(address);
}

/** An address as people should open it: passkeys cannot be made on 127.0.0.1, only on localhost or under https. */
export function addressForPeople(base: string): string {
  const url = new URL(base);
  if (loopbackNames.has(url.hostname)) url.hostname = 'localhost';
  return url.href.replace(/\/$/, '');
}

/** 0.0.0.0, :: and their other spellings: every address of the machine, and so none to put into a link. */
function isEveryAddress(host: string): boolean {
  return /^[0.:]+$/.test(host);
}

/** What is wrong with the links in answers, where no public address is configured; null where nothing is. */
export function linksFault(host: string, configured: string, lanHost = ''): string | null {
  if (configured !== '' || lanHost !== '' || !isEveryAddress(host)) return null;
  return findingWords.linksNowhere();
}
