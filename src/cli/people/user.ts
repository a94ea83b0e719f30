// soundings user: the users of an account.

import type { User } from '../../domain/provisioning/user.ts';
import { asValues, isList, isValues, type Values } from '../../domain/provisioning/value.ts';
import { windowOfStart } from '../../domain/window.ts';
import { demandFile, lineFaults } from '../frame/given-file.ts';
import { pageHint, wholeNumber } from '../frame/paging.ts';
import { argument, option, optionalArgument, toggle } from '../frame/takes.ts';
import { CommandError, table, visible } from '../frame/terminal.ts';
import { family, type Verb, verb } from '../frame/verb.ts';
import { userRoles } from './roles.ts';
import { invite, link, sessions, signOut } from './user-access.ts';
import { confirmAdmin, refused } from './user-admin.ts';
import { account, person, userHelp, userToChange, userToShow, userToShowHelp } from './user-options.ts';

const finding = () => import('./user-finding.ts');
const checks = () => import('../frame/account-check.ts');
const faces = () => import('../../scim/faces.ts');
const changes = async () => ({
  ...(await finding()),
  ...(await import('./user-changes.ts')),
  ...(await import('./admin-warning.ts')),
});

const list = verb({
  about: 'list the users in order of creation, or those whom a text may mean',
  takes: {
    account,
    user: optionalArgument('id, externalId, userName or mail address'),
    filter: option('<filter>', 'filter as in the API, such as \'userName eq "ada"\''),
    start: option('<number>', 'first one to show, counting from 1', wholeNumber),
    count: option('<number>', 'how many to show (default: 100, at most 200)', wholeNumber),
  },
  help: '\nExamples:\n  soundings user list ada@acme.example\n  soundings user list --account 4001 --filter \'name.familyName sw "Lov"\'\n',
  validate({ user, filter, start, count }) {
    if (user !== undefined && filter !== undefined)
      throw new CommandError('Name a user or --filter, not both.');
    return windowOfStart(start, count);
  },
  load: async () => ({
    ...(await faces()),
    ...(await import('../../scim/filter.ts')),
    ...(await import('../../store/engine/work/scan-slots.ts')),
    ...(await import('../../store/provisioning/users-search.ts')),
    ...(await checks()),
    ...(await finding()),
  }),
  async act({ context, input, valid: window }, loaded) {
    const { account: accountId, filter: text, user } = input;
    const { serviceFace, filterLimits } = loaded;
    const filter = text === undefined ? null : serviceFace.readFilter(text, filterLimits);
    const query = { filter, sort: null, window };
    const { total, users } =
      user === undefined
        ? await loaded.searchUsers(context.db, accountId, query, loaded.patientWork())
        : pageOf(await loaded.usersMeant(context, accountId, user), window);
    if (total === 0) await loaded.demandAccount(context, accountId);
    const resources = users.map((one) => serviceFace.show(one, context.config.publicUrl));
    const shown = serviceFace.showList({ totalResults: total, startIndex: window.skip + 1, resources });
    return { total, users, last: window.skip + users.length, shown };
  },
  json: ({ shown }) => shown,
  says: ({ users }) =>
    users.length === 0
      ? null
      : table([
          ['ADDRESS', 'STATE', 'USER NAME', 'CREATED'],
          ...users.map((user) => [
            user.profile.externalId ?? String(user.id),
            user.profile.active ? 'active' : 'suspended',
            user.profile.userName,
            new Date(user.createdMs).toISOString(),
          ]),
        ]),
  hint: ({ total, users, last }) => pageHint('users', users.length, last, total),
});

type Page = ReturnType<typeof windowOfStart>;

function pageOf(meant: readonly { readonly user: User }[], { skip, take }: Page) {
  return { total: meant.length, users: meant.slice(skip, skip + take).map(({ user }) => user) };
}

const show = verb({
  about: 'show one user in full',
  takes: { account, ...userToShow },
  help: `${userToShowHelp}Examples:\n  soundings user show ada\n  soundings user show e-1001 --account 4001\n`,
  load: async () => ({ ...(await finding()), ...(await faces()) }),
  async act(call, { userTo, serviceFace }) {
    const { user } = await userTo('show', call);
    return serviceFace.show(user, call.context.config.publicUrl);
  },
  piped: 'indented json',
  says: ({ schemas: _schemas, ...facts }) => table(factsIn(facts)),
});

/** What stands in a resource, one line for each value: "name.givenName", "emails (work)". */
function factsIn(values: Values, path = ''): string[][] {
  return Object.entries(values).flatMap(([name, value]) => {
    const at = `${path}${name}`;
    if (value === undefined) return [];
    if (isList(value))
      return value.flatMap((one) => {
        const { value: inner, type } = asValues(one);
        if (inner === undefined) return isValues(one) ? factsIn(one, `${at}.`) : [[at, String(one)]];
        return [[type === undefined ? at : `${at} (${type})`, String(inner)]];
      });
    // The name of an extension is of no use to a reader.
    if (isValues(value)) return factsIn(value, name.startsWith('urn:') ? '' : `${at}.`);
    return [[at, String(value)]];
  });
}

function setting(name: string, active: boolean, about: string): Verb {
  return verb({
    about,
    takes: { account, ...userToChange },
    help: `${userHelp}Example:\n  soundings user ${name} e-1001 --account 4001\n`,
    load: async () => ({ ...(await changes()), ...(await import('../../store/people/role-grants.ts')) }),
    async act(call, { userTo, changeState, holdsAdmin, warnWithoutAdmin }) {
      const { terminal, context, input } = call;
      const { user } = await userTo('change', call);
      const changed = await changeState(context, user, active);
      if (changed && !active && (await holdsAdmin(context.db, input.account, user.id)))
        await warnWithoutAdmin(terminal, context, input.account);
      return { address: input.user, active, changed };
    },
    says: ({ address, changed }) =>
      `${visible(address)} ${changed ? 'is' : 'was'} ${active ? 'active' : 'suspended'} ${changed ? 'now' : 'already'}.`,
  });
}

const deleteOne = verb({
  about: 'delete a user for good, with everything stored about them',
  takes: { account, ...person },
  help: `${userHelp}Their userName and externalId become available again and their memberships end. This cannot be undone; to keep the user,\nuse "suspend".\nExample:\n  soundings user delete e-1001 --account 4001\n`,
  load: changes,
  async act(call, { userTo, confirmPerson, removeUser, warnWithoutAdmin }) {
    const { terminal, context, input } = call;
    const found = await userTo('change', call);
    await confirmPerson(call, found, 'This deletes for good');
    const { id, wasAdmin } = await removeUser(context, found.user);
    if (wasAdmin) await warnWithoutAdmin(terminal, context, input.account);
    return { address: input.user, id, deleted: true };
  },
  says: ({ address }) => `${visible(address)} is deleted.`,
});

const importFile = verb({
  about: 'create users from a CSV or NDJSON file',
  takes: {
    account,
    file: argument('file whose name ends in .csv or .ndjson'),
    dryRun: toggle('check the file without creating anything'),
  },
  help: '\nIf the file has any fault, nothing is created; every fault is listed with its line number. Users whose userName or\nexternalId is taken are listed and skipped (exit status 2).\nCSV columns: userName, externalId, active, name.givenName, name.familyName, emails, phoneNumbers, clientId,\nauthenticationProvider; lists also by type: emails.work, phoneNumbers.mobile.\nExample:\n  soundings user import people.csv --account 4001 --dry-run\n',
  async validate({ file }) {
    const format = formatOf(file);
    await demandFile(file);
    return format;
  },
  load: async () => ({ ...(await import('./user-import.ts')), ...(await checks()) }),
  async act(call, { importUsers, demandAccount }) {
    const { terminal, context, input, valid: format } = call;
    const { account: accountId, file, dryRun: isDryRun } = input;
    await demandAccount(context, accountId);
    return importUsers(terminal, context, { accountId, file, format, isDryRun });
  },
  says: ({ created, users }, { dryRun }) =>
    dryRun
      ? `${users} users would be created; nothing was changed.`
      : `${created} of ${users} users created.`,
  failure: ({ passedOver, users, created, skipped }, { file, dryRun }) => {
    if (passedOver === 0 || dryRun) return null;
    const were = passedOver === 1 ? 'was' : 'were';
    const others = created === 0 ? 'nobody is created' : 'the others are created';
    const sentence = `${passedOver} of ${users} users ${were} passed over; ${others}:`;
    return new CommandError(`${sentence}\n${lineFaults(file, skipped)}`, { exitCode: 2 });
  },
});

function formatOf(file: string): 'csv' | 'ndjson' {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new CommandError(`The name of the file must end in .csv or .ndjson, not "${file}".`);
}

export const userFamily = family('user', 'the users of an account', {
  list,
  show,
  suspend: setting('suspend', false, 'deprovision a user: active becomes false, nothing is deleted'),
  reactivate: setting('reactivate', true, 'make a suspended user active again'),
  delete: deleteOne,
  import: importFile,
  confirmAdmin,
  refused,
  invite,
  link,
  sessions,
  signOut,
  roles: userRoles,
});
