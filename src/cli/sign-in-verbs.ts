// The verbs for operators as people who sign in, and what they say of themselves.

import type { Command } from 'commander';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import type { Terminal } from './terminal.ts';

export function signInVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const operator = root
    .command('operator')
    .description('the people who look after the whole store in the console')
    .exitOverride();

  addVerb('create', 'a new operator; a link that signs them in once is printed', operator)
    .argument('<name>', 'as the audit log names them: small letters, digits, and . _ @ -')
    .addHelpText(
      'after',
      '\nThe link works once, within 30 minutes. Who opens it adds a passkey or a password to come back.\nExample:\n  soundings operator create ada\n',
    )
    .action(async (name: string, options: Common) => {
      const { addOperator } = await import('./operator.ts');
      await addOperator(terminal, flagsOf(options), name, options);
    });
  addVerb('link', 'a new link for an operator: the emergency door when every passkey is lost', operator)
    .argument('[name]', 'whose; may be left out where there is only one')
    .addHelpText(
      'after',
      '\nThe link works once, within 30 minutes, and ends the one before. Passkeys and passwords stay.\nExample:\n  soundings operator link ada\n',
    )
    .action(async (name: string | undefined, options: Common) => {
      const { linkOperator } = await import('./operator.ts');
      await linkOperator(terminal, flagsOf(options), name, options);
    });
  addVerb('list', 'the operators, what they sign in with, and when they were last there', operator)
    .addHelpText('after', '\nExample:\n  soundings operator list\n')
    .action(async (options: Common) => {
      const { showOperators } = await import('./operator.ts');
      await showOperators(terminal, flagsOf(options), options);
    });
  addVerb('disable', 'an operator can sign in no more; sessions and links end at once', operator)
    .argument('<name>', 'whose')
    .addHelpText(
      'after',
      '\nFor good: the name stays theirs, because the audit log names them by it.\nExample:\n  soundings operator disable ada\n',
    )
    .action(async (name: string, options: Common) => {
      const { endOperator } = await import('./operator.ts');
      await endOperator(terminal, flagsOf(options), name, options);
    });
}
