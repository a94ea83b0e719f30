// The verbs for webhooks, and what they say of themselves.

import type { Command } from 'commander';
import { eventTypes } from '../domain/webhooks/event-types.ts';
import { type AddVerb, type Common, flagsOf, type OfAccount } from './options.ts';
import type { Terminal } from './terminal.ts';
import type { ReplayOptions } from './webhook-replay.ts';

export function webhookVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const webhook = root
    .command('webhook')
    .description('where events of an account are sent, signed')
    .exitOverride();
  const account = ['--account <id>', 'the account it belongs to'] as const;

  addVerb('create', 'a new webhook; its secret is shown once', webhook)
    .requiredOption(...account)
    .requiredOption('--name <name>', 'what it is for; unique in the account')
    .requiredOption('--url <url>', 'where events are posted to')
    .option('--event <types...>', `some of ${eventTypes.join(', ')}; all of them otherwise`)
    .addHelpText(
      'after',
      '\nIt hears of what happens from now on; "soundings webhook replay" brings what is in the logs already. What a receiver\nhas to check stands in docs/webhooks.md.\nExample:\n  soundings webhook create --account 4001 --name warehouse --url https://example.com/soundings \\\n    --event response.created --event response.erased\n',
    )
    .action(async (options: OfAccount & { name: string; url: string; event?: string[] }) => {
      const { createOne } = await import('./webhook.ts');
      await createOne(terminal, flagsOf(options), options);
    });
  addVerb('list', 'the webhooks and how they are doing, without their secrets', webhook)
    .option('--account <id>', 'of one account only')
    .addHelpText('after', '\nExample:\n  soundings webhook list --account 4001\n')
    .action(async (options: Common & { account?: string }) => {
      const { listAll } = await import('./webhook.ts');
      await listAll(terminal, flagsOf(options), options);
    });
  addVerb('rotate', 'a second secret beside the old one, until --finish ends the old one', webhook)
    .argument('<webhook>', 'its id')
    .requiredOption(...account)
    .option('--finish', 'end the old secret')
    .addHelpText(
      'after',
      '\nMessages carry a signature of each secret meanwhile. One that came from a catalogue has no secret, and sends nothing,\nuntil this makes one.\nExample:\n  soundings webhook rotate wh_... --account 4001\n',
    )
    .action(async (id: string, options: OfAccount & { finish?: boolean }) => {
      const { rotateOne } = await import('./webhook.ts');
      await rotateOne(terminal, flagsOf(options), id, options);
    });
  addVerb('remove', 'end a webhook; what is on its way to it is dropped', webhook)
    .argument('<webhook>', 'its id')
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings webhook remove wh_... --account 4001\n')
    .action(async (id: string, options: OfAccount) => {
      const { removeOne } = await import('./webhook.ts');
      await removeOne(terminal, flagsOf(options), id, options);
    });
  addVerb('test', 'send one event of the type webhook.test from here, and say what came back', webhook)
    .argument('<webhook>', 'its id')
    .requiredOption(...account)
    .addHelpText(
      'after',
      '\nExit status 1 where it was not taken.\nExample:\n  soundings webhook test wh_... --account 4001\n',
    )
    .action(async (id: string, options: OfAccount) => {
      const { testOne } = await import('./webhook.ts');
      await testOne(terminal, flagsOf(options), id, options);
    });
  addVerb('deliveries', 'what is on its way, and what was given up, the oldest first', webhook)
    .argument('<webhook>', 'its id')
    .requiredOption(...account)
    .option('--dead', 'only what was given up')
    .option('--limit <count>', 'at most so many', '50')
    .addHelpText(
      'after',
      '\nWhat was delivered is not kept. What failed is tried again for 3 days, then kept for 30.\nExample:\n  soundings webhook deliveries wh_... --account 4001 --dead\n',
    )
    .action(async (id: string, options: OfAccount & { dead?: boolean; limit: string }) => {
      const { showDeliveries } = await import('./webhook.ts');
      await showDeliveries(terminal, flagsOf(options), id, options);
    });
  addVerb('replay', 'send again: what was given up, or the responses from any position on', webhook)
    .argument('<webhook>', 'its id')
    .requiredOption(...account)
    .option('--dead', 'everything that was given up')
    .option('--delivery <id>', 'one delivery')
    .option('--measure <key>', 'the responses of a measure')
    .option('--project <id>', 'the responses of a project')
    .option('--from <position>', 'the first position; 1 otherwise')
    .option('--to <position>', 'the last position; that of the last response otherwise')
    .addHelpText(
      'after',
      '\nMessages have the ids that they had before. A large range waits while 10,000 messages of the account are on their way.\nExamples:\n  soundings webhook replay wh_... --account 4001 --dead\n  soundings webhook replay wh_... --account 4001 --measure 7 --from 5000\n',
    )
    .action(async (id: string, options: ReplayOptions) => {
      const { replay } = await import('./webhook-replay.ts');
      await replay(terminal, flagsOf(options), id, options);
    });
}
