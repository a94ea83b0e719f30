// What callers really use: the libraries of others, as they come.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { ClientCredentials } from 'simple-oauth2';
import { writeCatalogue } from '../../support/catalogue.ts';
import { engines, type TestStore } from '../../support/engines.ts';
import { patience } from '../../support/patience.ts';
import { type ApiClientCredentials, createClient, type Service, setUp } from '../../support/service.ts';
import { startService } from '../../support/service-here.ts';

for (const engine of engines) {
  describe(`OAuth libraries on ${engine.name}`, () => {
    let store: TestStore;
    let service: Service;
    let client: ApiClientCredentials;

    before(async () => {
      store = await engine.readyStore();
      const env = { DATABASE_URL: store.databaseUrl, SOUNDINGS_THROTTLE: 'off', ...patience };
      const measures = [{ key: 7, name: 'Seven' }];
      await setUp(['apply', writeCatalogue({ accounts: [{ id: 1, name: 'One', measures }] })], env);
      [client, service] = await Promise.all([createClient(env, 1, ['r_cx_measures']), startService(env)]);
    });
    after(async () => {
      await service?.stop();
      await store?.dispose();
    });

    const measuresUrl = (): URL => new URL('/v1/measures', service.baseUrl);
    const json = (): Headers => new Headers({ accept: 'application/json' });
    const assertSeven = async (answer: globalThis.Response): Promise<void> => {
      assert.equal(answer.status, 200);
      const { items } = (await answer.json()) as { items: { id: number }[] };
      assert.deepEqual(
        items.map(({ id }) => id),
        [7],
      );
    };
    const scopes: readonly [string, Record<string, string>, string][] = [
      ['the scope of the interface', { scope: 'r_cx_basic' }, 'r_cx_basic'],
      ['a narrow scope', { scope: 'r_cx_measures' }, 'r_cx_measures'],
      ['no scope', {}, 'r_cx_basic'],
    ];

    describe('openid-client', () => {
      const discover = (how: openid.ClientAuth): Promise<openid.Configuration> =>
        openid.discovery(new URL(service.baseUrl), client.clientId, undefined, how, {
          algorithm: 'oauth2',
          execute: [openid.allowInsecureRequests],
        });
      for (const [way, authentication] of [
        ['ClientSecretBasic', openid.ClientSecretBasic],
        ['ClientSecretPost', openid.ClientSecretPost],
      ] as const) {
        for (const [what, asked, granted] of scopes) {
          it(`discovers the endpoint, gets a token by ${way} with ${what} and uses it [D-13] [D-14]`, async () => {
            const configuration = await discover(authentication(client.clientSecret));
            assert.equal(configuration.serverMetadata().token_endpoint, `${service.baseUrl}/v1/token`);
            const token = await openid.clientCredentialsGrant(configuration, asked);
            assert.equal(token.scope, granted);
            assert.equal(token.expires_in, 7200);
            assert.ok(Number(token.expiresIn()) > 7000);
            await assertSeven(
              await openid.fetchProtectedResource(
                configuration,
                token.access_token,
                measuresUrl(),
                'GET',
                null,
                json(),
              ),
            );
          });
        }
      }

      it('understands a refusal [D-14]', async () => {
        const configuration = await discover(openid.ClientSecretPost(client.clientSecret));
        await assert.rejects(
          openid.clientCredentialsGrant(configuration, { scope: 'r_cx_users' }),
          (error) =>
            error instanceof openid.ResponseBodyError &&
            error.error === 'invalid_scope' &&
            error.status === 403 &&
            /r_cx_users/.test(String(error.error_description)),
        );
      });
    });

    describe('oauth4webapi', () => {
      const insecure = { [oauth.allowInsecureRequests]: true };
      const discover = async (): Promise<oauth.AuthorizationServer> => {
        const issuer = new URL(service.baseUrl);
        const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
        return oauth.processDiscoveryResponse(issuer, answer);
      };
      const grant = async (
        how: oauth.ClientAuth,
        parameters: Record<string, string>,
      ): Promise<oauth.TokenEndpointResponse> => {
        const server = await discover();
        const known = { client_id: client.clientId };
        const answer = await oauth.clientCredentialsGrantRequest(server, known, how, parameters, insecure);
        return oauth.processClientCredentialsResponse(server, known, answer);
      };
      for (const [way, authentication] of [
        ['ClientSecretBasic', oauth.ClientSecretBasic],
        ['ClientSecretPost', oauth.ClientSecretPost],
      ] as const) {
        for (const [what, asked, granted] of scopes) {
          it(`discovers the endpoint, gets a token by ${way} with ${what} and uses it [D-13] [D-14]`, async () => {
            const token = await grant(authentication(client.clientSecret), asked);
            assert.equal(token.scope, granted);
            assert.equal(token.expires_in, 7200);
            assert.equal(token.token_type, 'bearer');
            const { access_token: text } = token;
            await assertSeven(
              await oauth.protectedResourceRequest(text, 'GET', measuresUrl(), json(), null, insecure),
            );
          });
        }
      }

      it('understands that a scope does not exist [D-11] [D-14]', async () => {
        await assert.rejects(
          grant(oauth.ClientSecretBasic(client.clientSecret), { scope: 'r_cx_nothing' }),
          (error) =>
            error instanceof oauth.ResponseBodyError &&
            error.error === 'invalid_scope' &&
            error.status === 400,
        );
      });

      it('understands the challenge to a wrong secret [D-14] [D-20]', async () => {
        await assert.rejects(grant(oauth.ClientSecretBasic('wrong'), {}), (error) => {
          assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
          assert.equal(error.status, 401);
          assert.equal(error.cause[0]?.scheme, 'basic');
          return true;
        });
      });

      it('understands the challenge to a bad token [D-13]', async () => {
        const { access_token: text } = await grant(oauth.ClientSecretBasic(client.clientSecret), {});
        const bad = `${text.slice(0, -4)}AAAA`;
        const answer = oauth.protectedResourceRequest(bad, 'GET', measuresUrl(), json(), null, insecure);
        await assert.rejects(answer, (error) => {
          assert.ok(error instanceof oauth.WWWAuthenticateChallengeError);
          assert.equal(error.cause[0]?.scheme, 'bearer');
          assert.equal(error.cause[0]?.parameters.error, 'invalid_token');
          return true;
        });
      });
    });

    describe('simple-oauth2', () => {
      const library = (
        authorizationMethod: 'header' | 'body',
        credentialsEncodingMode: 'strict' | 'loose',
        secret = client.clientSecret,
      ): ClientCredentials =>
        new ClientCredentials({
          client: { id: client.clientId, secret },
          auth: { tokenHost: service.baseUrl, tokenPath: '/v1/token' },
          options: { authorizationMethod, credentialsEncodingMode },
        });
      for (const [method, encoding] of [
        ['header', 'strict'],
        ['header', 'loose'],
        ['body', 'strict'],
      ] as const) {
        for (const [what, asked, granted] of scopes) {
          it(`gets a token in the ${method} (${encoding}) with ${what} and uses it [D-14]`, async () => {
            const answer = await library(method, encoding).getToken(asked);
            assert.equal(answer.token.scope, granted);
            assert.equal(answer.expired(7100), false);
            assert.equal(answer.expired(7300), true);
            await assertSeven(
              await fetch(measuresUrl(), {
                headers: { accept: 'application/json', authorization: `Bearer ${answer.token.access_token}` },
              }),
            );
          });
        }
      }

      it('understands a refusal [D-14]', async () => {
        await assert.rejects(library('header', 'strict', 'wrong').getToken({}), (error) => {
          const { payload } = (error as { data: { payload: Record<string, unknown> } }).data;
          assert.equal(payload.error, 'invalid_client');
          assert.equal(payload.errorCode, 'INVALID_CLIENT');
          return true;
        });
      });
    });
  });
}
