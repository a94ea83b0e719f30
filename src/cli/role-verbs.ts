// The verbs for roles and groups, and what they say of themselves.

import { type Command, Option } from 'commander';
import { grantableByIdentity, isRole, roles } from '../domain/access/role.ts';
import { type AddVerb, flagsOf, type OfAccount } from './options.ts';
import type { RoleOptions } from './roles.ts';
import { CommandError, type Terminal } from './terminal.ts';
import type { FindOptions } from './user-finding.ts';
import { namesPerson, userHelp } from './user-options.ts';

/** After those for users, below which one of them stands. */
export function roleVerbs(root: Command, addVerb: AddVerb, terminal: Terminal): void {
  const user = root.commands.find((command) => command.name() === 'user')!;
  const group = root.command('group').description('the groups of an account and their roles').exitOverride();
  const role = root.command('role').description('the roles of people who sign in').exitOverride();
  const account = '--account <id>';
  const changing = (command: Command): Command =>
    command
      .requiredOption(account, 'the account they belong to')
      .addOption(
        new Option('--grant <role>', 'role to grant; may be repeated')
          .choices(roles)
          .argParser(collectRole)
          .default([]),
      )
      .addOption(
        new Option('--take <role>', 'role to take away; may be repeated')
          .choices(roles)
          .argParser(collectRole)
          .default([]),
      );

  namesPerson(
    changing(
      addVerb(
        'roles',
        'show the roles of a user and why they have them; grant roles or take them away',
        user,
      ),
    ),
  )
    .addHelpText(
      'after',
      `${userHelp}Changes take effect with the next request.
To take away a role that comes from a group, take it from the group or have the user leave the group.

Examples:
  soundings user roles e-1001 --account 4001
  soundings user roles e-1001 --account 4001 --grant admin --take viewer
`,
    )
    .action(async (address: string, options: RoleOptions & FindOptions) => {
      const { userRoles } = await import('./roles.ts');
      await userRoles(terminal, flagsOf(options), address, options);
    });

  changing(addVerb('roles', 'show the roles of a group; grant roles or take them away', group))
    .argument('<group>', 'id or name of the group')
    .addHelpText(
      'after',
      `
Members of the group have its roles from the next request on; members of a group within the group do not. A group that
is deleted and created again has none.

Examples:
  soundings group roles "CX team" --account 4001 --grant analyst
  soundings group roles 1000000007 --account 4001
`,
    )
    .action(async (name: string, options: RoleOptions) => {
      const { groupRoles } = await import('./roles.ts');
      await groupRoles(terminal, flagsOf(options), name, options);
    });

  addVerb('list', 'list the groups and their roles, in order of creation', group)
    .requiredOption(account, 'the account they belong to')
    .option('--filter <filter>', 'filter as in /scim/v2, such as \'displayName sw "CX"\'')
    .option('--start <number>', 'first one to show, counting from 1')
    .option('--count <number>', 'how many to show (default: 100, at most 200)')
    .addHelpText('after', '\nExample:\n  soundings group list --account 4001\n')
    .action(async (options: OfAccount & { filter?: string; start?: string; count?: string }) => {
      const { listGroups } = await import('./roles.ts');
      await listGroups(terminal, flagsOf(options), options);
    });

  addVerb('values', 'show or set which values of the SCIM attribute "roles" map to a role', role)
    .requiredOption(account, 'the account')
    .addOption(
      new Option('--set <value=role>', `map a value to one of ${grantableByIdentity.join(', ')}`)
        .argParser(collect)
        .default([]),
    )
    .option('--clear', 'remove all mappings first; on its own, it turns roles by value off')
    .addHelpText(
      'after',
      `
Without any mapping, what an identity provider sends as "roles" gives nobody a role. No value can map to admin. Upper
and lower case are treated as the same.

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
