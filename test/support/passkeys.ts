// Passkeys as a browser handles them: the options, what the authenticator makes of them, and the cookies in between.

import assert from 'node:assert/strict';
import type { Authenticator, Bent, CreationOptions, RequestOptions } from './authenticator.ts';
import { consoleCall, cookieSetBy } from './console.ts';
import type { Answer } from './exchange.ts';

export const challengeCookie = 'soundings-passkey';

export interface Asked<Options> {
  readonly options: Options;
  /** The cookie that holds the challenge. */
  readonly cookie: string;
}

/** The console of one service, seen from browsers. */
export class PasskeyBrowser {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  call(method: string, path: string, cookies: readonly string[] = [], body?: unknown): Promise<Answer> {
    return consoleCall(this.#baseUrl, method, path, {
      ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }),
      ...(body === undefined ? {} : { body }),
    });
  }

  async askToAdd(session: string): Promise<Asked<CreationOptions>> {
    const answer = await this.call('POST', '/me/passkeys/options', [session], {});
    assert.equal(answer.status, 200, answer.text);
    return {
      options: answer.body as unknown as CreationOptions,
      cookie: cookieSetBy(answer, challengeCookie)!,
    };
  }

  async add(session: string, authenticator: Authenticator, name = 'a device', bent?: Bent): Promise<Answer> {
    const { options, cookie } = await this.askToAdd(session);
    const body = { name, response: authenticator.create(options, bent) };
    return this.call('POST', '/me/passkeys', [session, cookie], body);
  }

  async askToSignIn(): Promise<Asked<RequestOptions>> {
    const answer = await this.call('POST', '/sign-in/passkey/options', [], {});
    assert.equal(answer.status, 200, answer.text);
    return {
      options: answer.body as unknown as RequestOptions,
      cookie: cookieSetBy(answer, challengeCookie)!,
    };
  }

  async signIn(authenticator: Authenticator, bent?: Bent, session?: string): Promise<Answer> {
    const { options, cookie } = await this.askToSignIn();
    const cookies = session === undefined ? [cookie] : [session, cookie];
    return this.call('POST', '/sign-in/passkey', cookies, { response: authenticator.get(options, bent) });
  }
}
