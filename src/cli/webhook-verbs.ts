// The verbs for webhooks, and what they say of themselves.

import type { Command } from 'commander';
import { eventTypes } from '../domain/webhooks/event-types.ts';
import { type AddVerb, type Common, flagsOf, type OfAccount } from './options.ts';
import type { Terminal } from './terminal.ts';
import type { ReplayOptions } from './webhook-replay.ts';

export function webhookVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const webhook = root
    .command('webhook')
    .description('where signed events of an account are sent')
    .exitOverride();
  const account = ['--account <id>', 'the account it belongs to'] as const;

  addVerb('create', 'create a webhook; its secret is shown once', webhook)
    .requiredOption(...account)
    .requiredOption('--name <name>', 'what it is for; unique in the account')
    .requiredOption('--url <url>', 'address to post events to')
    .option('--event <types...>', `one or more of ${eventTypes.join(', ')} (default: all of them)`)
    .addHelpText(
      'after',
      '\nIt receives what happens from now on; "soundings webhook replay" sends what is already in the logs. What a receiver has\nto check is described in docs/webhooks.md.\nExample:\n  soundings webhook create --account 4001 --name warehouse --url https://example.com/soundings \\\n    --event response.created --event response.erased\n',
    )
    .action(async (options: OfAccount & { name: string; url: string; event?: string[] }) => {
      const { createOne } = await import('./webhook.ts');
      await createOne(terminal, flagsOf(options), options);
    });
  addVerb('list', 'list the webhooks and their state, without their secrets', webhook)
    .option('--account <id>', 'only this account')
    .addHelpText('after', '\nExample:\n  soundings webhook list --account 4001\n')
    .action(async (options: Common & { account?: string }) => {
      const { listAll } = await import('./webhook.ts');
      await listAll(terminal, flagsOf(options), options);
    });
  addVerb(
    'rotate',
    'create a second secret; the old one keeps working until you run this with --finish',
    webhook,
  )
    .argument('<webhook>', 'id of the webhook')
    .requiredOption(...account)
    .option('--finish', 'stop using the old secret')
    .addHelpText(
      'after',
      '\nIn the meantime, messages carry a signature for each secret. A webhook that came from a catalogue has no secret, and\nsends nothing, until this command creates one.\nExample:\n  soundings webhook rotate wh_... --account 4001\n',
    )
    .action(async (id: string, options: OfAccount & { finish?: boolean }) => {
      const { rotateOne } = await import('./webhook.ts');
      await rotateOne(terminal, flagsOf(options), id, options);
    });
  addVerb('remove', 'remove a webhook; its pending deliveries are dropped', webhook)
    .argument('<webhook>', 'id of the webhook')
    .requiredOption(...account)
    .addHelpText('after', '\nExample:\n  soundings webhook remove wh_... --account 4001\n')
    .action(async (id: string, options: OfAccount) => {
      const { removeOne } = await import('./webhook.ts');
      await removeOne(terminal, flagsOf(options), id, options);
    });
  addVerb('test', 'send one event of type webhook.test from here, and show what came back', webhook)
    .argument('<webhook>', 'id of the webhook')
    .requiredOption(...account)
    .addHelpText(
      'after',
      '\nExit status 1 if it was not accepted.\nExample:\n  soundings webhook test wh_... --account 4001\n',
    )
    .action(async (id: string, options: OfAccount) => {
      const { testOne } = await import('./webhook.ts');
      await testOne(terminal, flagsOf(options), id, options);
    });
  addVerb('deliveries', 'list deliveries that are pending or were given up, oldest first', webhook)
    .argument('<webhook>', 'id of the webhook')
    .requiredOption(...account)
    .option('--dead', 'only those that were given up')
    .option('--limit <count>', 'list at most this many', '50')
    .addHelpText(
      'after',
      '\nSuccessful deliveries are not kept. Failed ones are retried for 3 days, then kept for 30.\nExample:\n  soundings webhook deliveries wh_... --account 4001 --dead\n',
    )
    .action(async (id: string, options: OfAccount & { dead?: boolean; limit: string }) => {
      const { showDeliveries } = await import('./webhook.ts');
      await showDeliveries(terminal, flagsOf(options), id, options);
    });
  addVerb('replay', 'resend deliveries that were given up, or the responses from any position on', webhook)
    .argument('<webhook>', 'id of the webhook')
    .requiredOption(...account)
    .option('--dead', 'all deliveries that were given up')
    .option('--delivery <id>', 'one delivery')
    .option('--measure <key>', 'the responses of a measure')
    .option('--project <id>', 'the responses of a project')
    .option('--from <position>', 'first position (default: 1)')
    .option('--to <position>', 'last position (default: that of the last response)')
    .addHelpText(
      'after',
      '\nMessages keep their original ids. A large range waits while 10,000 messages of the account are pending.\nExamples:\n  soundings webhook replay wh_... --account 4001 --dead\n  soundings webhook replay wh_... --account 4001 --measure 7 --from 5000\n',
    )
    .action(async (id: string, options: ReplayOptions) => {
      const { replay } = await import('./webhook-replay.ts');
      await replay(terminal, flagsOf(options), id, options);
    });
}
