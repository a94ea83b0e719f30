// soundings account: the accounts in the store.

import { noSuchAccount } from '../frame/account-and-source.ts';
import { accountIdOf, argument, countOf, newName, toggle, usual } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { family, listing, verb } from '../frame/verb.ts';

const id = argument('number of the account', accountIdOf);
const store = () => import('../../store/access/accounts.ts');
const removal = () => import('../data/removal.ts');
const dryRun = toggle('show what there is without deleting anything');
const yes = toggle('do not ask for confirmation');

const list = verb({
  about: 'list the accounts, with how many API clients and provisioning tokens each has',
  help: '\nExample:\n  soundings account list\n',
  load: store,
  act: async ({ context }, { listAccounts }) =>
    (await listAccounts(context.db)).map(({ createdAtMs, ...account }) => ({
      ...account,
      created: new Date(createdAtMs).toISOString(),
    })),
  says: (shown) =>
    listing(
      'There are no accounts yet. Make one with "soundings account create" or "apply".',
      ['ACCOUNT', 'CREATED', 'API CLIENTS', 'TOKENS', 'NAME'],
      shown.map((one) => [
        String(one.id),
        one.created.slice(0, 10),
        String(one.apiClients),
        String(one.provisioningTokens),
        one.name,
      ]),
    ),
});

const create = verb({
  about: 'create an account without measures or projects',
  takes: {
    id: argument('number of the account, which callers see as the clientId of users', accountIdOf),
    name: newName('name of the account'),
  },
  help: '\nFor an account that only has users, or before its catalogue is written; "soundings apply" creates accounts too.\nExample:\n  soundings account create 4002 --name "Acme"\n',
  load: store,
  async act({ context, stamp, input: { id: accountId, name } }, { createAccount }) {
    const change = stamp();
    const isNew = await context.db.write(createAccount, { ...change, accountId, name });
    if (!isNew)
      throw new CommandError(`There is an account ${accountId} already. See "soundings account list".`);
    return { id: accountId, name, created: new Date(change.nowMs).toISOString() };
  },
  says: (made) =>
    `Account ${made.id} is there. Next: soundings provisioning-token create --account ${made.id}, or client create.`,
});

const remove = verb({
  about: 'delete an account with everything in it: measures, projects, responses, users, credentials',
  takes: { id, dryRun, yes },
  help: `
Its API clients and tokens stop working within 5 seconds and its surveys accept nothing more; then its rows are deleted
in batches of 1,000 while everybody else is served. If the command stops halfway, run it again to continue. The account
number and the ids of its surveys are never reused; audit log entries are kept until they expire.

Examples:
  soundings account remove 4001 --dry-run
  soundings account remove 4001 --yes
`,
  load: removal,
  act: (call, { removeAccount }) => removeAccount(call),
  json: ({ accountId, counts, removed }) => ({ accountId, ...counts, removed }),
  says: ({ accountId, removed, sentence }) =>
    removed
      ? `Account ${accountId} is removed, with everything that it had.`
      : `Account ${accountId} would be removed, with ${sentence}. Nothing was changed.`,
});

const minutesMax = 1_440;
const minuteMs = 60_000;

const guard = verb({
  about: 'show or lift the guard against mass deprovisioning',
  takes: {
    id,
    lift: toggle('let providers suspend and delete users for a while; counting then restarts from zero'),
    minutes: usual('<count>', 'how long to lift it: 1 to 1440', '60', countOf(1, minutesMax)),
  },
  help: `
The guard is set by SOUNDINGS_GUARD_PERCENT, or by limits.deprovisionedPercentPerHour of the account in the catalogue.
Once identity providers have suspended or deleted that percentage of users, and at least 20, within an hour, they are
refused with 403. "soundings user suspend" and "soundings user delete" are never refused.

Examples:
  soundings account guard 4001
  soundings account guard 4001 --lift --minutes 30
`,
  load: async () => ({
    ...(await store()),
    ...(await import('../../acts/provisioning/user-guard.ts')),
    ...(await import('../../store/provisioning/user-guard.ts')),
  }),
  async act({ context, stamp, input: { id: accountId, lift, minutes } }, loaded) {
    const limits = await loaded.accountLimits(context.db, accountId);
    if (limits === undefined) throw noSuchAccount(accountId);
    const percent = loaded.guardPercentOf(context.config, limits) ?? null;
    if (lift) {
      const change = stamp();
      const untilMs = change.nowMs + minutes * minuteMs;
      await context.db.write(loaded.liftGuard, { ...change, accountId, untilMs });
    }
    const state = await loaded.guardState(context.db, accountId, context.now(), percent);
    const { users, limit, liftedUntilMs, struckAtMs } = state;
    return {
      ...{ accountId, percent, users, limit },
      liftedUntil: timeOf(liftedUntilMs),
      struckAt: timeOf(struckAtMs),
    };
  },
  says: ({ accountId, percent, users, limit, liftedUntil, struckAt }) =>
    percent === null
      ? `Account ${accountId} is not guarded: set SOUNDINGS_GUARD_PERCENT, or limits.deprovisionedPercentPerHour in its catalogue.`
      : [
          `Providers suspended or deleted ${users} users of account ${accountId} within the last hour; ${limit} are allowed (${percent} %, 20 at least).`,
          ...(struckAt === null
            ? []
            : [
                `It has refused more since ${struckAt}. If they are meant: soundings account guard ${accountId} --lift`,
              ]),
          ...(liftedUntil === null ? [] : [`It is lifted until ${liftedUntil}.`]),
        ],
});

function timeOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export const accountFamily = family('account', 'the accounts in the store', { list, create, remove, guard });
