// A device of a person: a browser context of its own with an authenticator that Chromium plays, seen through the pages of the
// console.

import assert from 'node:assert/strict';
import type { Browser, BrowserContext, CDPSession, Page, Response } from 'playwright-core';

interface VirtualCredential {
  readonly credentialId: string;
  readonly isResidentCredential: boolean;
  readonly rpId?: string;
  readonly privateKey: string;
  readonly userHandle?: string;
  readonly signCount: number;
}

export class BrowserDevice {
  readonly page: Page;
  readonly #origin: string;
  readonly #context: BrowserContext;
  readonly #chromium: CDPSession;
  readonly #authenticatorId: string;

  private constructor(
    origin: string,
    context: BrowserContext,
    page: Page,
    chromium: CDPSession,
    authenticatorId: string,
  ) {
    this.#origin = origin;
    this.#context = context;
    this.page = page;
    this.#chromium = chromium;
    this.#authenticatorId = authenticatorId;
  }

  static async open(browser: Browser, origin: string): Promise<BrowserDevice> {
    const context = await browser.newContext({ locale: 'en' });
    const page = await context.newPage();
    // Chromium's authenticator would answer what is offered within the field by itself; here the button is pressed.
    await page.addInitScript(() => {
      const { PublicKeyCredential: offered } = globalThis as unknown as {
        PublicKeyCredential: { isConditionalMediationAvailable(): Promise<boolean> };
      };
      offered.isConditionalMediationAvailable = async () => false;
    });
    const chromium = await context.newCDPSession(page);
    await chromium.send('WebAuthn.enable');
    const { authenticatorId } = await chromium.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new BrowserDevice(origin, context, page, chromium, authenticatorId);
  }

  /** The cookie of a session that came about some other way. */
  async bringSession(cookie: string): Promise<void> {
    const [name, value] = cookie.split('=');
    await this.#context.addCookies([{ name: name!, value: value!, url: this.#origin }]);
  }

  async forgetSession(): Promise<void> {
    await this.#context.clearCookies();
  }

  /** By the page of the person; gives what the service said. */
  async addPasskey(name: string): Promise<Response> {
    await this.page.goto(`${this.#origin}/console/me`);
    await this.page.getByLabel('Name of the passkey').fill(name);
    return this.#answerTo('/console/api/me/passkeys', () =>
      this.page.getByRole('button', { name: 'Add a passkey' }).click(),
    );
  }

  /** By the sign-in page, until it has left for where the person was going. */
  async signIn(): Promise<Response> {
    await this.page.goto(`${this.#origin}/console/sign-in`);
    const answer = await this.#answerTo('/console/api/sign-in/passkey', () =>
      this.page.getByRole('button', { name: 'Sign in with a passkey' }).click(),
    );
    if (answer.ok()) await this.page.waitForURL(({ pathname }) => pathname !== '/console/sign-in');
    return answer;
  }

  async removePasskey(name: string): Promise<Response> {
    await this.page.goto(`${this.#origin}/console/me`);
    const answer = this.page.waitForResponse((response) => response.request().method() === 'DELETE');
    await this.page.getByRole('button', { name: `Remove ${name}`, exact: true }).click();
    return answer;
  }

  /** Who the session of this browser belongs to; null without one. */
  async person(): Promise<string | null> {
    const answer = await this.#context.request.get(`${this.#origin}/console/api/session`);
    if (!answer.ok()) return null;
    return ((await answer.json()) as { person: { id: string } }).person.id;
  }

  async credentials(): Promise<readonly VirtualCredential[]> {
    const { credentials } = await this.#chromium.send('WebAuthn.getCredentials', {
      authenticatorId: this.#authenticatorId,
    });
    return credentials;
  }

  /** The authenticator counts on from here, as one that was copied before it was used. */
  async setCounter(signCount: number): Promise<void> {
    const [credential] = await this.credentials();
    assert.ok(credential);
    const authenticatorId = this.#authenticatorId;
    await this.#chromium.send('WebAuthn.clearCredentials', { authenticatorId });
    await this.#chromium.send('WebAuthn.addCredential', {
      authenticatorId,
      credential: { ...credential, signCount },
    });
  }

  /** Whether the authenticator knows its owner, by finger or PIN. */
  async setVerified(isUserVerified: boolean): Promise<void> {
    const authenticatorId = this.#authenticatorId;
    await this.#chromium.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  async close(): Promise<void> {
    await this.#context.close();
  }

  async #answerTo(path: string, act: () => Promise<void>): Promise<Response> {
    const answer = this.page.waitForResponse(
      (response) => new URL(response.url()).pathname === path && response.request().method() === 'POST',
    );
    await act();
    return answer;
  }
}
