// The verbs for the keys of the store, and what they say of themselves.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import { CommandError, type Terminal } from './terminal.ts';

export function keyVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const keys = root
    .command('keys')
    .description('the keys that sign access tokens, and those that seal secrets in the store')
    .exitOverride();
  addVerb('rotate', 'a new signing key; tokens signed by the old one live out their time', keys)
    .option('--sealing', 'a new sealing key instead; the old ones still open what they sealed')
    .addHelpText(
      'after',
      '\nThe new key signs after 10 seconds, when every replica knows it; a sealing key seals at once. No restart is needed.\nExamples:\n  soundings keys rotate\n  soundings keys rotate --sealing\n',
    )
    .action(async (options: Common & { sealing?: boolean }) => {
      const { rotateKeys } = await import('./keys.ts');
      await rotateKeys(terminal, flagsOf(options), {
        isSealing: options.sealing === true,
        isJson: options.json === true,
      });
    });
  addVerb('list', 'the signing keys and the sealing keys, newest first, without their secrets', keys)
    .addHelpText(
      'after',
      '\nA signing key signs, waits for its time, or is retired: it signs no more, and what it signed lives out its time. One\nthat is over has no living token left, and is deleted within the hour. A sealing key seals, or opens what it sealed\nbefore, or is missing: then SOUNDINGS_SEAL_KEY no longer has it.\nExample:\n  soundings keys list\n',
    )
    .action(async (options: Common) => {
      const { listKeys } = await import('./keys.ts');
      await listKeys(terminal, flagsOf(options), options.json === true);
    });
  addVerb('revoke', 'take a key away: a signing key with every older one, or a sealing key', keys)
    .argument('<kid>', 'its id, as "soundings keys list" shows it')
    // The id of a key of the settings is a hash, and may begin with a dash.
    .allowUnknownOption()
    .option('--force', 'also a sealing key that is still needed; what it sealed is lost')
    .addHelpText(
      'after',
      '\nFor a key that somebody else may know. Tokens of a signing key stop within 5 seconds: callers get "invalid token" once\nand ask for a new one. Where no other key signs now, a new one is made and signs at once. What a sealing key has sealed\ncan never be opened again, so it says what that is, and does it with --force alone.\nExample:\n  soundings keys revoke 019a...\n',
    )
    .action(async (kid: string, options: Common & { force?: boolean }) => {
      if (kid.startsWith('--'))
        throw new CommandError(`Unknown option ${kid}. See "soundings keys revoke --help".`);
      const { revokeKey } = await import('./keys.ts');
      await revokeKey(terminal, flagsOf(options), {
        kid,
        isForced: options.force === true,
        isJson: options.json === true,
      });
    });
}
