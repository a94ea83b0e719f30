// soundings token: the same judgement as POST /v1/token, without a server.

import { scopeNames, scopes, scopesNotGranted, unknownScopes } from '../../domain/access/account.ts';
import { needed, usual } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';
import { secretOf } from './client-secret.ts';

export const token = verb({
  about: 'print an access token, for trying things out',
  takes: {
    client: needed('<id>', 'the API client'),
    scope: usual('<scope>', 'one or more scopes, separated by spaces', 'r_cx_basic'),
  },
  help: '\nThe secret is read from SOUNDINGS_CLIENT_SECRET or the file named by SOUNDINGS_CLIENT_SECRET_FILE; otherwise you are\nprompted for it.\nExample:\n  TOKEN=$(soundings token --client sc_... --scope "r_cx_measures r_cx_users")\n',
  async validate({ client, scope }, terminal) {
    const names = scopeNames(scope);
    if (names.length === 0 || unknownScopes(names).length > 0)
      throw new CommandError(`--scope must be one or more of ${scopes.join(', ')}.`);
    return { names, clientSecret: await secretOf(terminal, client) };
  },
  load: async () => ({
    ...(await import('../../acts/access/access-token.ts')),
    ...(await import('../../acts/access/credential-cache.ts')),
    ...(await import('../../acts/access/credentials.ts')),
    ...(await import('../../acts/access/wrong-credentials.ts')),
    ...(await import('../../store/engine/audit.ts')),
  }),
  async act({ context, input, valid: { names, clientSecret } }, loaded) {
    const { client: clientId, scope } = input;
    const credentialCache = new loaded.CredentialCache(context);
    const wrong = new loaded.WrongCredentials(context, { liveReplicas: 1 });
    const signIn = new loaded.SignIn(credentialCache, wrong);
    const client = await signIn.authenticate([{ clientId, clientSecret }], loaded.commandLine);
    const notGranted = scopesNotGranted(names, client);
    if (notGranted.length > 0)
      throw new CommandError(
        `${clientId} was not granted ${notGranted.join(', ')}. See "soundings client grant".`,
      );
    const access_token = await new loaded.AccessTokens(context, credentialCache, wrong).issue(client, scope);
    const expires_in = context.config.tokenLifetimeSeconds;
    return { access_token, token_type: 'Bearer', expires_in, scope };
  },
  says: ({ access_token }) => access_token,
});
