// The verbs for roles and groups, and what they say of themselves.

import { type Command, Option } from 'commander';
import { grantableByIdentity, isRole, roles } from '../domain/access/role.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { RoleOptions } from './roles.ts';
import { CommandError, type Terminal } from './terminal.ts';

/** After those for users, below which one of them stands. */
export function roleVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const user = root.commands.find((command) => command.name() === 'user')!;
  const group = root.command('group').description('the groups of an account').exitOverride();
  const role = root.command('role').description('the roles of people who sign in').exitOverride();
  const account = '--account <id>';
  const named = `some of ${roles.join(', ')}; may be repeated`;
  const changing = (command: Command): Command =>
    command
      .requiredOption(account, 'the account they belong to')
      .addOption(
        new Option('--grant <role>', `grant it: ${named}`).choices(roles).argParser(collectRole).default([]),
      )
      .addOption(
        new Option('--take <role>', `take it: ${named}`).choices(roles).argParser(collectRole).default([]),
      );

  changing(addVerb('roles', 'the roles of a user and why they have them; grant and take them', user))
    .argument('<address>', 'its externalId, or its id where it has none')
    .addHelpText(
      'after',
      `
ADDRESS is the externalId, or the internal id of a user who has none. What changes holds from the next request on. A role
that comes through a group is taken from the group, or by leaving it.

Examples:
  soundings user roles e-1001 --account 4001
  soundings user roles e-1001 --account 4001 --grant admin --take viewer
`,
    )
    .action(async (address: string, options: RoleOptions) => {
      const { userRoles } = await import('./roles.ts');
      await userRoles(terminal, flagsOf(options), address, options);
    });

  changing(addVerb('roles', 'the roles that a group carries; grant and take them', group))
    .argument('<group>', 'its id, or its name')
    .addHelpText(
      'after',
      `
Whoever is a member has them, from the next request on; members of a group within the group do not. A group that is
deleted and made again carries none.

Examples:
  soundings group roles "CX team" --account 4001 --grant analyst
  soundings group roles 1000000007 --account 4001
`,
    )
    .action(async (name: string, options: RoleOptions) => {
      const { groupRoles } = await import('./roles.ts');
      await groupRoles(terminal, flagsOf(options), name, options);
    });

  addVerb('list', 'the groups, in the order of creation, with the roles that they carry', group)
    .requiredOption(account, 'the account they belong to')
    .option('--filter <filter>', 'as /scim/v2 takes it, such as \'displayName sw "CX"\'')
    .option('--start <number>', 'the first to show, from 1')
    .option('--count <number>', 'how many to show: 100 unless given, at most 200')
    .addHelpText('after', '\nExample:\n  soundings group list --account 4001\n')
    .action(async (options: OfAccount & { filter?: string; start?: string; count?: string }) => {
      const { listGroups } = await import('./roles.ts');
      await listGroups(terminal, flagsOf(options), options);
    });

  addVerb('values', 'which values of the SCIM attribute "roles" stand for a role', role)
    .requiredOption(account, 'the account')
    .addOption(
      new Option('--set <value=role>', `the value stands for one of ${grantableByIdentity.join(', ')}`)
        .argParser(collect)
        .default([]),
    )
    .option('--clear', 'forget all of them first; alone it switches roles by value off')
    .addHelpText(
      'after',
      `
While there are none, what an identity provider sends as "roles" gives nobody a role. No value can stand for admin. Upper
and lower case are one.

Examples:
  soundings role values --account 4001 --set "CX Analyst=analyst" --set Viewer=viewer
  soundings role values --account 4001 --clear
`,
    )
    .action(async (options: OfAccount & { set: readonly string[]; clear?: boolean }) => {
      const { roleValues } = await import('./roles.ts');
      await roleValues(terminal, flagsOf(options), options);
    });
}

function collectRole(value: string, before: string[]): string[] {
  if (isRole(value)) return [...before, value];
  throw new CommandError(`There is no role "${value}"; there are ${roles.join(', ')}.`);
}

function collect(value: string, before: string[]): string[] {
  return [...before, value];
}
