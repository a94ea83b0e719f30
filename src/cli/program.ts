// The verbs and what they say of themselves. Each verb's work is loaded when it is called.

import { Command, CommanderError, Help } from 'commander';
import { Problem } from '../domain/problem.ts';
import { programVersion } from '../domain/version.ts';
import { UnholdableText } from '../store/engine/postgres/text-encoding.ts';
import { StoreFault } from '../store/engine/store-fault.ts';
import { backupVerbs } from './backup-verbs.ts';
import { clientFamily } from './client.ts';
import { clockVerbs } from './clock-verbs.ts';
import { addMember } from './command-line.ts';
import { connectionFamily } from './connection.ts';
import { dataVerbs } from './data-verbs.ts';
import { helpColumns, helpText } from './help-text.ts';
import { insightVerbs } from './insight-verbs.ts';
import { invitationVerbs } from './invitation-verbs.ts';
import { keyVerbs } from './key-verbs.ts';
import { operatorVerbs } from './operator-verbs.ts';
import { type AddVerb, type Common, flagsOf } from './options.ts';
import { refusedVerbs } from './refused-verbs.ts';
import { retentionVerbs } from './retention-verbs.ts';
import { groupFamily, roleFamily } from './roles.ts';
import { provisioningVerbs } from './scim-verbs.ts';
import { setupLinkVerbs } from './setup-link-verbs.ts';
import { signInVerbs } from './sign-in-verbs.ts';
import { CommandError, processTerminal, type Terminal, visible } from './terminal.ts';
import { userFamily } from './user.ts';
import { viewVerbs } from './view-verbs.ts';
import { webhookFamily } from './webhook.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: string;
  readonly workers?: string;
  readonly demo?: boolean;
  readonly lan?: boolean;
}

export function run(args: readonly string[], env: Terminal['env']): Promise<number> {
  return runOn(processTerminal(env), args);
}

/** The same with whatever stands for a terminal. */
export async function runOn(terminal: Terminal, args: readonly string[]): Promise<number> {
  const root = program(terminal);
  try {
    await root.parseAsync(withKeyIdLast(args), { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return explainUsage(error, verbOf(root, args), terminal);
    return explain(error, terminal);
  }
}

/** The id of a key of the settings is a hash in 43 characters, and may begin with a dash: behind "--" it is no option. */
function withKeyIdLast(args: readonly string[]): string[] {
  const [family, verb] = args;
  const id =
    family === 'keys' && verb === 'revoke' ? args.find((arg) => /^-[\w-]{42}$/.test(arg)) : undefined;
  return id === undefined ? [...args] : [...args.filter((arg) => arg !== id && arg !== '--'), '--', id];
}

function explainUsage({ code, exitCode, message }: CommanderError, verb: string, terminal: Terminal): number {
  // Help and version have said what they had to say; help that nobody asked for came because a verb is missing.
  if (exitCode === 0 || code === 'commander.help') return exitCode;
  const [what = '', hint] = message.replace(/^error: /, '').split('\n');
  const sentence = hint === undefined ? what : `${what} ${hint.toLowerCase()}`;
  terminal.tell(`soundings: ${sentence.replace(/\.$/, '')}. See "${verb} --help".`);
  return exitCode;
}

/** The verb that was meant, as far as the arguments tell. */
function verbOf(root: Command, args: readonly string[]): string {
  let command = root;
  const words = [root.name()];
  for (const arg of args) {
    const next = command.commands.find((child) => child.name() === arg);
    if (next === undefined) break;
    words.push(arg);
    command = next;
  }
  return words.join(' ');
}

/** One sentence, and the next step; the exit status says that it failed. */
async function explain(error: unknown, terminal: Terminal): Promise<number> {
  if (error instanceof CommandError) {
    terminal.tell(`soundings: ${error.message}`);
    return error.exitCode;
  }
  if (error instanceof Problem || error instanceof StoreFault || error instanceof UnholdableText) {
    terminal.tell(`soundings: ${visible(error.message)}${causeOf(error)}`);
    return 1;
  }
  const { describeError } = await import('./log.ts');
  terminal.tell('soundings: this should not have happened; please report it with the lines below.');
  terminal.tell(JSON.stringify(describeError(error), null, 2));
  return 70;
}

/** What the database said of itself, or of a machine behind it: callers of the service are not told, whoever runs it has to know. */
function causeOf({ cause }: Error): string {
  return cause instanceof Error && cause.message !== ''
    ? ` (${visible(cause.message.replaceAll(/\s+/g, ' '))})`
    : '';
}

/** The help of every verb, for the docs. */
export function commandReference(): readonly { name: string; help: string }[] {
  const silent: Terminal = {
    env: {},
    isInteractive: false,
    isWatched: false,
    print: () => {},
    tell: () => {},
  };
  const visit = (command: Command, name: string): { name: string; help: string }[] =>
    command.commands.length > 0
      ? command.commands.flatMap((child) => visit(child, `${name} ${child.name()}`))
      : [{ name, help: fullHelp(command) }];
  return visit(program(silent), 'soundings');
}

/** helpInformation alone leaves the examples out, which come by an event. */
function fullHelp(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 100,
  });
  command.outputHelp();
  return text;
}

function program(terminal: Terminal): Command {
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

  const addVerb: AddVerb = (name, description, parent = root) =>
    parent
      .command(name)
      .description(description)
      .option(
        '--config <file>',
        'read settings from a YAML or JSON file; flags and environment take precedence',
      )
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .option('--json', 'print JSON, for scripts')
      .option('--create', 'make the folder of the store if it is not there');

  addVerb('serve', 'bring the schema up to date, then start the service')
    .option('--host <host>', 'the address to listen on')
    .option('--port <port>', 'the port to listen on; 0 picks a free one')
    .option('--workers <count>', 'number of processes that share the port')
    .option('--demo', 'load a demo account if the store has no accounts')
    .option('--lan', 'let a phone in the same network open surveys; the console stays on this machine')
    .addHelpText(
      'after',
      '\nExample:\n  DATABASE_URL=postgres://me@db/soundings SOUNDINGS_PUBLIC_URL=https://feedback.example \\\n    soundings serve --host 0.0.0.0 --workers 2\n',
    )
    .action(async (options: Common & ServeFlags) => {
      const { serve } = await import('./serve.ts');
      const { host, port, workers } = options;
      const settings = {
        ...(options.lan === true && (await import('./lan.ts')).lanSettings()),
        ...(host !== undefined && { host }),
        ...(port !== undefined && { port }),
        ...(workers !== undefined && { workers }),
      };
      await serve(
        terminal,
        { ...flagsOf(options), settings },
        { isDemo: options.demo === true, isJson: options.json === true },
      );
    });

  addVerb('apply', 'make the store match a catalogue file (YAML, JSON or NDJSON)')
    .argument('<file>', 'the catalogue file; - for standard input')
    .option('--account <id>', 'apply only this account')
    .option('--dry-run', 'show what would change without changing anything')
    .addHelpText(
      'after',
      `
Anything the file does not mention is left as it is. The whole file is compared with the store first; if it has any
fault, nothing is changed. Changes are then made in groups of up to 1,000 measures and projects, each all or nothing. If
the command stops halfway, it says how far it got; run it again to continue.
A file may contain many documents, separated by lines of three dashes, with one account in each, or one account per line
as JSON. A document may be up to 8 MB; an account may continue in the next one, under the same id and name.

Examples:
  soundings apply examples/demo.yaml --dry-run
  soundings apply all-accounts.yaml --account 4001
  soundings catalogue dump | DATABASE_URL=postgres://me@db/soundings soundings apply -
`,
    )
    .action(async (file: string, options: Common & { account?: string; dryRun?: boolean }) => {
      const { apply } = await import('./apply.ts');
      await apply(terminal, flagsOf(options), {
        file,
        account: options.account,
        isDryRun: options.dryRun === true,
        isJson: options.json === true,
      });
    });

  const catalogue = root.command('catalogue').description('export the catalogue').exitOverride();
  addVerb('dump', 'write the catalogue as a file that "soundings apply" accepts', catalogue)
    .option('--account <id>', 'only this account')
    .option('--format <format>', 'yaml: one document per account; ndjson: one line per account', 'yaml')
    .option('--out <file>', 'output file (default: standard output)')
    .option('--force', 'overwrite an existing file')
    .addHelpText(
      'after',
      `
Applied to the same store, the file changes nothing; applied to another, it creates the same catalogue there. A large
account is split into several documents. Responses, users and API clients are not included. An output file only appears
once it is complete.

Examples:
  soundings catalogue dump --out catalogue.yaml
  soundings catalogue dump --account 4001
`,
    )
    .action(async (options: Common & { account?: string; format: string; out?: string; force?: boolean }) => {
      const { dumpCatalogue } = await import('./catalogue-dump.ts');
      await dumpCatalogue(terminal, flagsOf(options), options);
    });

  addVerb('demo', 'load the demo account: a retailer whose visitors gave feedback over the last 90 days')
    .option('--responses <count>', 'load this many more (default: up to a total of 5,000)')
    .addHelpText(
      'after',
      '\nThe data is the same every time for the same day and the same commands. Progress goes to standard error.\nExamples:\n  soundings demo\n  soundings demo --responses 100000\n',
    )
    .action(async (options: Common & { responses?: string }) => {
      const { demo } = await import('./demo/demo.ts');
      await demo(terminal, flagsOf(options), {
        responses: options.responses,
        isJson: options.json === true,
      });
    });

  dataVerbs(addVerb, terminal);
  invitationVerbs(root, addVerb, terminal);
  retentionVerbs(root, addVerb, terminal);
  clockVerbs(root, addVerb, terminal);
  insightVerbs(root, addVerb, terminal);
  refusedVerbs(root, addVerb, terminal);
  backupVerbs(addVerb, terminal);

  for (const one of [clientFamily, userFamily, groupFamily, roleFamily, connectionFamily])
    addMember(root, one, terminal);
  provisioningVerbs(root, addVerb, terminal);
  viewVerbs(root, addVerb, terminal);
  setupLinkVerbs(root, addVerb, terminal);
  addMember(root, webhookFamily, terminal);
  operatorVerbs(root, addVerb, terminal);
  signInVerbs(root, addVerb, terminal);

  addVerb('token', 'print an access token, for trying things out')
    .requiredOption('--client <id>', 'the API client')
    .option('--scope <scope>', 'one or more scopes, separated by spaces', 'r_cx_basic')
    .addHelpText(
      'after',
      '\nThe secret is read from SOUNDINGS_CLIENT_SECRET or the file named by SOUNDINGS_CLIENT_SECRET_FILE; otherwise you are\nprompted for it.\nExample:\n  TOKEN=$(soundings token --client sc_... --scope "r_cx_measures r_cx_users")\n',
    )
    .action(async (options: Common & { client: string; scope: string }) => {
      const { printToken } = await import('./token.ts');
      await printToken(terminal, flagsOf(options), {
        clientId: options.client,
        scope: options.scope,
        isJson: options.json === true,
      });
    });

  keyVerbs(root, addVerb, terminal);

  addVerb('maintenance', 'maintenance mode: while on, every API endpoint answers "service unavailable"')
    .argument('<state>', 'on, off, or status to see which it is')
    .addHelpText(
      'after',
      '\nEvery replica follows within 5 seconds; /livez, /readyz and /metrics are not affected.\nExample:\n  soundings maintenance on\n',
    )
    .action(async (state: string, options: Common) => {
      const { maintenance } = await import('./maintenance.ts');
      await maintenance(terminal, flagsOf(options), state, options.json === true);
    });

  addVerb('migrate', "bring the store's schema up to date")
    .option('--status', 'only report whether it is up to date; exit status 1 if steps are missing')
    .option('--single-node', 'keep all accounts on the coordinator of a Citus that has no worker')
    .addHelpText(
      'after',
      '\n"soundings serve" does this by itself; use this command to do it before a roll-out. Running several at once is safe.\nExample:\n  soundings migrate --status\n',
    )
    .action(async (options: Common & { status?: boolean; singleNode?: boolean }) => {
      const { runMigrate } = await import('./migrate.ts');
      await runMigrate(terminal, flagsOf(options), {
        isStatus: options.status === true,
        isSingleNode: options.singleNode === true,
        isJson: options.json === true,
      });
    });

  addVerb('config', 'show the settings in force, with secrets hidden')
    .addHelpText(
      'after',
      '\nFlags take precedence over the environment, and the environment over the file. All settings: docs/settings.md.\nExample:\n  PORT=9000 soundings config --config soundings.yaml\n',
    )
    .action(async (options: Common) => {
      const { printConfig } = await import('./config.ts');
      await printConfig(terminal, flagsOf(options), options.json === true);
    });

  addVerb('doctor', 'check settings, store, schema, disk, clock and keys, and say how to fix problems')
    .addHelpText('after', '\nExit status 1 if something is wrong.\nExample:\n  soundings doctor\n')
    .action(async (options: Common) => {
      const { doctor } = await import('./doctor.ts');
      await doctor(terminal, flagsOf(options), options.json === true);
    });
  letAccountBeLeftOut(root, terminal);
  inGroups(root);
  return root;
}

/** Where a verb needs an account and none is named, the only one of the store is meant (D-892). */
function letAccountBeLeftOut(command: Command, terminal: Terminal): void {
  for (const child of command.commands) letAccountBeLeftOut(child, terminal);
  const option = command.options.find(({ long, mandatory }) => long === '--account' && mandatory);
  if (option === undefined) return;
  option.mandatory = false;
  option.description += ' (default: the only one there is)';
  command.hook('preAction', async (verb) => {
    const options = verb.opts<Common & { readonly account?: string }>();
    if (options.account !== undefined) return;
    const { onlyAccount } = await import('./account-check.ts');
    verb.setOptionValue('account', String(await onlyAccount(terminal, flagsOf(options))));
  });
}

/** What a newcomer looks for first stands first. */
const groups: Readonly<Record<string, readonly string[]>> = {
  Start: ['serve', 'demo', 'config', 'help'],
  Data: [
    'export',
    'report',
    'insight',
    'view',
    'webhook',
    'epp',
    'refused',
    'redrive',
    'retention',
    'erase',
    'source',
  ],
  Surveys: ['apply', 'catalogue', 'share', 'invite', 'invitation'],
  People: ['account', 'user', 'group', 'role', 'operator', 'connection', 'setup-link', 'scim'],
  Keys: ['client', 'token', 'provisioning-token', 'keys'],
  Care: ['doctor', 'audit', 'backup', 'verify', 'restore', 'migrate', 'repair', 'maintenance', 'clock'],
};

function inGroups(root: Command): void {
  const order = Object.values(groups).flat();
  const verbs = root.commands as Command[];
  verbs.sort((one, other) => order.indexOf(one.name()) - order.indexOf(other.name()));
  const help = new Command('help').argument('[command]').description('show the help of a command');
  root.addHelpCommand(help.helpOption(false).helpGroup('Start:'));
  for (const [group, names] of Object.entries(groups))
    for (const verb of verbs) if (names.includes(verb.name())) verb.helpGroup(`${group}:`);
}
