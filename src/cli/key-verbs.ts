// The verbs for the keys of the store, and what they say of themselves.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function keyVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const keys = root
    .command('keys')
    .description('keys that sign access tokens, and keys that seal secrets in the store')
    .exitOverride();
  addVerb(
    'rotate',
    'create a new signing key; tokens signed by the old one stay valid until they expire',
    keys,
  )
    .option('--sealing', 'create a sealing key instead; old ones can still open what they sealed')
    .addHelpText(
      'after',
      '\nThe new key signs after 10 seconds, when every replica knows it; a sealing key is used at once. No restart is needed.\nExamples:\n  soundings keys rotate\n  soundings keys rotate --sealing\n',
    )
    .action(async (options: Common & { sealing?: boolean }) => {
      const { rotateKeys } = await import('./keys.ts');
      await rotateKeys(terminal, flagsOf(options), {
        isSealing: options.sealing === true,
        isJson: options.json === true,
      });
    });
  addVerb('list', 'list the signing keys and the sealing keys, newest first, without their secrets', keys)
    .addHelpText(
      'after',
      '\nA signing key signs, waits for its time, or is retired: it no longer signs, but its tokens stay valid until they expire.\nA key that is over has no valid tokens left and is deleted within the hour. A sealing key seals, opens what it sealed\nbefore, or is missing: SOUNDINGS_SEAL_KEY no longer contains it.\nExample:\n  soundings keys list\n',
    )
    .action(async (options: Common) => {
      const { listKeys } = await import('./keys.ts');
      await listKeys(terminal, flagsOf(options), options.json === true);
    });
  addVerb('revoke', 'revoke a key: a signing key with every older one, or a sealing key', keys)
    .argument('<kid>', 'id of the key, as shown by "soundings keys list"')
    .option('--force', 'revoke even a sealing key that is still needed; what it sealed is lost')
    .addHelpText(
      'after',
      '\nFor a key that somebody else may know. Tokens of a signing key stop working within 5 seconds: callers get "invalid\ntoken" once and ask for a new one. If no other key is signing, a new one is created and signs at once. What a sealing\nkey has sealed can never be opened again, so the command says what that is and only proceeds with --force.\nExample:\n  soundings keys revoke 019a...\n',
    )
    .action(async (kid: string, options: Common & { force?: boolean }) => {
      const { revokeKey } = await import('./keys.ts');
      await revokeKey(terminal, flagsOf(options), {
        kid,
        isForced: options.force === true,
        isJson: options.json === true,
      });
    });
}
