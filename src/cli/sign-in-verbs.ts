// The verbs for operators as people who sign in, and what they say of themselves.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function signInVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const operator = root
    .command('operator')
    .description('people who manage the whole store in the console')
    .exitOverride();

  addVerb('create', 'create an operator, and print a link that signs them in once', operator)
    .argument('<name>', 'name in the audit log: lowercase letters, digits, and . _ @ -')
    .addHelpText(
      'after',
      '\nThe link works once, within 30 minutes. Whoever opens it adds a passkey or a password to sign in with later.\nExample:\n  soundings operator create ada\n',
    )
    .action(async (name: string, options: Common) => {
      const { addOperator } = await import('./operator.ts');
      await addOperator(terminal, flagsOf(options), name, options);
    });
  addVerb(
    'link',
    'create a new link for an operator: the emergency access when every passkey is lost',
    operator,
  )
    .argument('[name]', 'name of the operator; may be omitted if there is only one')
    .addHelpText(
      'after',
      '\nThe link works once, within 30 minutes, and ends the previous one. Passkeys and passwords are kept.\nExample:\n  soundings operator link ada\n',
    )
    .action(async (name: string | undefined, options: Common) => {
      const { linkOperator } = await import('./operator.ts');
      await linkOperator(terminal, flagsOf(options), name, options);
    });
  addVerb('list', 'list the operators, what they sign in with, and when they were last seen', operator)
    .addHelpText('after', '\nExample:\n  soundings operator list\n')
    .action(async (options: Common) => {
      const { showOperators } = await import('./operator.ts');
      await showOperators(terminal, flagsOf(options), options);
    });
  addVerb('disable', 'stop an operator from signing in; their sessions and links end at once', operator)
    .argument('<name>', 'name of the operator')
    .addHelpText(
      'after',
      '\nThis is permanent: the name stays theirs, because the audit log identifies them by it.\nExample:\n  soundings operator disable ada\n',
    )
    .action(async (name: string, options: Common) => {
      const { endOperator } = await import('./operator.ts');
      await endOperator(terminal, flagsOf(options), name, options);
    });
}
