// soundings verify: whether a backup would restore, or whether two sides hold the same responses, day by day (docs/digests.md).

import { resolve } from 'node:path';
import { dayText } from '../../domain/dates.ts';
import { type DayDifference, sourceText } from '../../domain/feedback/day-figures.ts';
import { LateProgress, numberText } from '../frame/progress.ts';
import { accountIfNamed, option, optionalArgument, toggle } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { plainVerb } from '../frame/verb.ts';

/** What only the manifest knows, for scripts; a caller may count on these words. */
const ofManifest = ['sha256', 'version', 'storeId', 'at'] as const;
const uncheckedStatus = 3;
const differsStatus = 2;

export const withoutManifest =
  'It has no manifest beside it (FILE.json): it is whole as far as SQLite and its own counts tell, and nobody can say whether a text in it has changed.';

export const verify = plainVerb({
  about: 'check a backup without restoring it, or compare two stores day by day',
  takes: {
    file: optionalArgument('the backup; the store of DATABASE_URL if only --against is given'),
    against: option('<other>', 'what to compare with: a backup, a store, a service, or a file of figures'),
    strict: toggle('without --against: a backup without its manifest is a failure'),
    account: accountIfNamed('with --against: only this account'),
    client: option('<id>', 'with the address of a service: the API client (default: SOUNDINGS_CLIENT_ID)'),
    fromRows: toggle('with --against: compute every digest from the responses instead of using stored ones'),
  },
  help: `
Without --against: compares the file with the SHA-256 in its manifest, reads every page of it, and recomputes its
counters from its rows. Nothing is written, not even next to the file. Without a manifest (FILE.json) it says what it could
not check: whether a byte has changed since, and which version, store and moment it is of.
Exit status: 0 it can be restored, 1 it cannot, 3 with --strict: it can, but there is no manifest.

With --against: compares the count and digest of every day (docs/digests.md) and lists the days that differ. The other
side is a backup file, a store in use (sqlite:FILE or postgres://...), a service (https://..., called as an API client
whose secret is read from SOUNDINGS_CLIENT_SECRET or the file named by SOUNDINGS_CLIENT_SECRET_FILE), or a file of
figures computed by a warehouse: CSV with the columns source, day, count, digest, or the same as NDJSON.
Exit status: 0 nothing differs, 1 could not compare, 2 days differ.

Examples:
  soundings verify /var/backups/soundings/soundings-000042-20260131T020000Z.db
  soundings verify --against /var/backups/soundings/soundings-000042-20260131T020000Z.db
  soundings verify --against https://feedback.example --client sc_...
  soundings verify --against warehouse.csv --account 4001
`,
  validate({ file, against, strict, account, client, fromRows }) {
    if (against !== undefined && strict)
      throw new CommandError('--strict goes without --against, which has an exit status of its own.');
    if (against !== undefined) return;
    if (account !== undefined || client !== undefined || fromRows)
      throw new CommandError('--account, --client and --from-rows go with --against.');
    if (file === undefined)
      throw new CommandError(
        'Name the backup to check, or say with --against what to compare this store with.',
      );
  },
  load: async () => ({
    ...(await import('./verify-against.ts')),
    ...(await import('../../store/operations/backup-check.ts')),
    ...(await import('../../store/engine/sqlite/backup-copy.ts')),
  }),
  async act({ terminal, flags, input }, { verifyAgainst, checkBackup, mebibytes }) {
    const { file = '', against } = input;
    if (against !== undefined)
      return { comparison: await verifyAgainst(terminal, flags, { ...input, against }), manifest: undefined };
    const path = resolve(file);
    const progress = new LateProgress(terminal);
    const checked = await checkBackup(path, (check) => progress.say(() => `Checking: ${check}`));
    return { path, ...checked, size: mebibytes(checked.content.bytes) };
  },
  json(answer) {
    if (answer.comparison !== undefined) {
      const { differences, ...counted } = answer.comparison;
      return { isSame: differences.length === 0, ...counted, differences: differences.map(shown) };
    }
    const { path, manifest, content } = answer;
    return {
      ...{ file: path, isGood: true, hasManifest: manifest !== null, at: manifest?.at ?? null },
      unchecked: manifest === null ? ofManifest : [],
      ...content,
    };
  },
  says(answer) {
    if (answer.comparison !== undefined) {
      const { differences } = answer.comparison;
      if (differences.length > 0) return differences.map(sentenceOf);
      return `The same on both sides: ${comparedText(answer.comparison)}.`;
    }
    const { path, manifest, content, size } = answer;
    const { responses, sources, users } = content.counts;
    return `${path} would restore: ${size}, schema ${content.schema}, ${numberText(responses)} responses of ${numberText(sources)} measures and projects, ${numberText(users)} users${manifest === null ? '' : `, as of ${manifest.at}`}.`;
  },
  hint: ({ manifest }) => (manifest === null ? withoutManifest : null),
  notice: ({ comparison }) =>
    comparison !== undefined && comparison.passedOver > 0
      ? `${numberText(comparison.passedOver)} measures and projects are not named on the other side, and were not compared.`
      : null,
  failure({ comparison, manifest }, { file, strict }) {
    if (comparison !== undefined && comparison.differences.length > 0)
      return new CommandError(
        `${numberText(comparison.differences.length)} of ${comparedText(comparison)} differ. See docs/digests.md for what that can mean.`,
        { exitCode: differsStatus },
      );
    if (manifest === null && strict)
      return new CommandError(
        `${resolve(file ?? '')} could not be checked whole, and --strict says that this is a failure.`,
        { exitCode: uncheckedStatus },
      );
    return null;
  },
});

function comparedText({ days, sources }: { readonly days: number; readonly sources: number }): string {
  return `${numberText(days)} days of ${numberText(sources)} measures and projects`;
}

function shown({ accountId, day, here, there, ...name }: DayDifference) {
  return { account: accountId, source: sourceText(name), day: dayText(day), here, there };
}

function sentenceOf({ accountId, day, here, there, ...name }: DayDifference): string {
  const place = `account ${accountId}, ${sourceText(name)}, ${dayText(day)}`;
  const [ours, theirs] = [here?.count ?? 0, there?.count ?? 0];
  if (ours !== theirs) return `${place}: ${numberText(ours)} responses here, ${numberText(theirs)} there`;
  return `${place}: ${numberText(ours)} responses on both sides, and they are not the same or in another order`;
}
