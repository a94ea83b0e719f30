// The commands of the program, made from what is declared of its verbs.

import { Command, Help, Option } from 'commander';
import { programVersion } from '../../domain/version.ts';
import { helpColumns, helpText } from './help-text.ts';
import type { Taken } from './takes.ts';
import type { Terminal } from './terminal.ts';
import { type Family, flagName, type Verb } from './verb.ts';

/** The verbs of each group of --help, in their order: families, and verbs that stand for themselves. */
export type Groups = Readonly<Record<string, readonly (Family | readonly [name: string, verb: Verb])[]>>;

export function commandOf(groups: Groups, terminal: Terminal): Command {
  const root: Command = new Command('soundings')
    .description('Collects customer feedback, measures it, and provisions the users who work with it.')
    .version(programVersion)
    .exitOverride()
    .configureOutput({
      outputError: () => {},
      writeOut: (text) => terminal.print(helpText(text, terminal.columns).replace(/\n$/, '')),
      getOutHelpWidth: () => terminal.columns ?? helpColumns,
    })
    .showHelpAfterError(false)
    // In the list of all verbs their names are enough; each tells what it takes.
    .configureHelp({
      subcommandTerm: (verb) =>
        verb.parent === null || verb.parent === root ? verb.name() : new Help().subcommandTerm(verb),
    })
    .addHelpText(
      'after',
      '\nStart here:\n  soundings serve --demo       start a service with a demo account\n  soundings doctor             find out what is wrong and how to fix it\n',
    );
  for (const [group, members] of Object.entries(groups))
    for (const member of members) addMember(root, member, terminal).helpGroup(`${group}:`);
  const help = new Command('help').argument('[command]').description('show the help of a command');
  root.addHelpCommand(help.helpOption(false).helpGroup(`${Object.keys(groups)[0]}:`));
  return root;
}

function addMember(root: Command, member: Groups[string][number], terminal: Terminal): Command {
  if (!('verbs' in member)) return addVerb(root, ...member, terminal);
  const { name, about, verbs } = member;
  const command = root.command(name).description(about).exitOverride();
  for (const [word, verb] of Object.entries(verbs)) addVerb(command, flagName(word), verb, terminal);
  return command;
}

/** What every verb takes. */
interface Common {
  readonly config?: string;
  readonly json?: boolean;
  readonly create?: boolean;
}

function addVerb(parent: Command, name: string, verb: Verb, terminal: Terminal): Command {
  const command = parent
    .command(name)
    .description(verb.about)
    .option(
      '--config <file>',
      'read settings from a YAML or JSON file; flags and environment take precedence',
    )
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .option('--json', 'print JSON, for scripts')
    .option('--create', 'make the folder of the store if it is not there');
  const words: string[] = [];
  for (const [word, taken] of Object.entries(verb.takes))
    if (taken.kind === 'flag') command.addOption(optionOf(word, taken));
    else {
      words.push(word);
      command.argument(argumentTerm(word, taken), taken.about);
    }
  return command.addHelpText('after', verb.help).action(async () => {
    const { config, json, create, ...options } = command.opts<Common>();
    const flags = { ...(config !== undefined && { config }), ...(create === true && { isCreating: true }) };
    const inPlaces = words.map((word, place) => [word, command.processedArgs[place] as unknown]);
    const values = { ...Object.fromEntries(inPlaces), ...options };
    await verb.run(terminal, flags, { isJson: json === true, values });
  });
}

function argumentTerm(word: string, { term = '', isNeeded }: Taken<unknown>): string {
  return isNeeded === true ? `<${word}${term}>` : `[${word}${term}]`;
}

function optionOf(word: string, taken: Taken<unknown>): Option {
  const { about, term, usual, choices, isNeeded, isRepeated, isOnlyAccount } = taken;
  const left = isOnlyAccount === true ? ' (default: the only one there is)' : '';
  const option = new Option(`--${flagName(word)}${term === undefined ? '' : ` ${term}`}`, `${about}${left}`);
  if (choices !== undefined) option.choices(choices);
  if (isRepeated === true) option.argParser((text: string, before: readonly string[]) => [...before, text]);
  if (usual !== undefined) option.default(usual.value, usual.text);
  return option.makeOptionMandatory(isNeeded === true && isOnlyAccount !== true);
}
