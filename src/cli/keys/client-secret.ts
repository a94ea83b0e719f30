// The secret of an API client that a verb calls as.

import { readFileSync } from 'node:fs';
import { reasonOf } from '../../domain/reason.ts';
import { askHidden } from '../frame/questions.ts';
import { CommandError, type Terminal } from '../frame/terminal.ts';

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
