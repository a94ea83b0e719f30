// soundings token: the same judgement as POST /v1/token, without a server.

import { readFileSync } from 'node:fs';
import { AccessTokens } from '../acts/access/access-token.ts';
import { CredentialCache } from '../acts/access/credential-cache.ts';
import { SignIn } from '../acts/access/credentials.ts';
import { WrongCredentials } from '../acts/access/wrong-credentials.ts';
import { scopeNames, scopes, scopesNotGranted, unknownScopes } from '../domain/access/account.ts';
import { reasonOf } from '../domain/reason.ts';
import { commandLine } from '../store/engine/audit.ts';
import { type Flags, withContext } from './open-context.ts';
import { askHidden } from './questions.ts';
import { CommandError, type Terminal } from './terminal.ts';

interface TokenOptions {
  readonly clientId: string;
  readonly scope: string;
  readonly isJson: boolean;
}

export async function printToken(
  terminal: Terminal,
  flags: Flags,
  { clientId, scope, isJson }: TokenOptions,
): Promise<void> {
  const names = scopeNames(scope);
  if (names.length === 0 || unknownScopes(names).length > 0) {
    throw new CommandError(`--scope must be one or more of ${scopes.join(', ')}.`);
  }
  const clientSecret = await secretOf(terminal, clientId);
  await withContext(terminal, flags, async (context) => {
    const credentialCache = new CredentialCache(context);
    const wrong = new WrongCredentials(context, { liveReplicas: 1 });
    const signIn = new SignIn(credentialCache, wrong);
    const client = await signIn.authenticate([{ clientId, clientSecret }], commandLine);
    const notGranted = scopesNotGranted(names, client);
    if (notGranted.length > 0)
      throw new CommandError(
        `${clientId} was not granted ${notGranted.join(', ')}. See "soundings client grant".`,
      );
    const token = await new AccessTokens(context, credentialCache, wrong).issue(client, scope);
    const expiresIn = context.config.tokenLifetimeSeconds;
    terminal.print(
      isJson
        ? JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: expiresIn, scope })
        : token,
    );
  });
}

/** The secret of an API client, from the environment or asked for. */
export async function secretOf({ env, isInteractive }: Terminal, clientId: string): Promise<string> {
  if (env.SOUNDINGS_CLIENT_SECRET !== undefined) return env.SOUNDINGS_CLIENT_SECRET;
  if (env.SOUNDINGS_CLIENT_SECRET_FILE !== undefined) {
    try {
      return readFileSync(env.SOUNDINGS_CLIENT_SECRET_FILE, 'utf8').trim();
    } catch (error) {
      throw new CommandError(`SOUNDINGS_CLIENT_SECRET_FILE cannot be read: ${reasonOf(error)}.`, {
        cause: error,
      });
    }
  }
  if (!isInteractive) throw new CommandError('The secret is missing: put it into SOUNDINGS_CLIENT_SECRET.');
  const answer = await askHidden(`Secret of ${clientId}`);
  if (answer === null) throw new CommandError('No secret was given.');
  return answer;
}
