// A browser that signs in by an identity provider: it follows the redirects and keeps its cookies.

import { type Answer, exchange } from './exchange.ts';

export interface SignInOutcome {
  /** Where the browser is sent in the end, as path and query. */
  readonly location: string;
  /** The session of the console, where there is one. */
  readonly cookie: string | null;
  readonly answer: Answer;
  /** The address of the callback as the provider wrote it. */
  readonly callback: string;
}

export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  async get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await exchange(`${this.#baseUrl}${path}`, {
      headers: { accept: 'text/html,*/*;q=0.8', ...(cookie === '' ? {} : { cookie }), ...headers },
    });
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const at = pair.indexOf('=');
      if (/Max-Age=0\b/.test(line)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return answer;
  }

  /** To the provider, and what it answers: the address of the callback. */
  async go(account: number, connection: string, query = ''): Promise<string> {
    const begun = await this.get(`/console/sign-in/provider/${account}/${connection}${query}`);
    const location = String(begun.headers.location ?? '');
    if (begun.status !== 302 || location.includes('/console/sign-in?'))
      throw new Error(`The sign-in did not begin: ${begun.status} ${location} ${begun.text}`);
    const there = await exchange(location);
    return String(there.headers.location);
  }

  async comeBack(callback: string, headers: Readonly<Record<string, string>> = {}): Promise<SignInOutcome> {
    const { pathname, search } = new URL(callback);
    const answer = await this.get(pathname + search, headers);
    const location = String(answer.headers.location ?? '');
    const place = URL.canParse(location) ? new URL(location) : null;
    const session = this.cookies.get('soundings');
    return {
      location: place === null ? location : place.pathname + place.search,
      cookie: session === undefined ? null : `soundings=${session}`,
      answer,
      callback,
    };
  }

  async signIn(account: number, connection: string, query = ''): Promise<SignInOutcome> {
    return this.comeBack(await this.go(account, connection, query));
  }
}
