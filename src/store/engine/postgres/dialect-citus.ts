// PostgreSQL with the Citus extension: one address, behind which the rows of each account lie on one of many machines. A
// statement that names its account by equality goes to that machine alone; one that does not is sent to every shard, and
// some kinds are refused. So rows are held and written for one account at a time.

import sql, { empty, join, raw } from 'sql-template-tag';
import type { Dialect } from '../dialect.ts';
import { postgresDialect } from './dialect-postgres.ts';

export const citusDialect: Dialect = {
  ...postgresDialect,

  isSpread: true,

  nameParts: {
    ...postgresDialect.nameParts,
    idsWith: (accountId, parts) => sql`
      select user_id as id
      from user_name_part
      where account_id = ${accountId} and string_to_array(parts, ' ') @> array[${join(parts)}]::text[]`,
  },

  // Of a table on several machines only their coordinator can say it, and does not while one of them is away.
  tableSizes: sql`
    select relname as name, case
      when exists (select 1 from pg_dist_partition where logicalrelid = pg_class.oid)
        then citus_total_relation_size(oid, false)
      else pg_total_relation_size(oid)
    end as bytes
    from pg_class
    where relkind = 'r' and relnamespace = cast(current_schema() as regnamespace)`,

  // The first column of the key is the account, or the whole key of a table that is not spread.
  *holdRows({ table, key, keys, columns, mayWait }) {
    const [first, second] = key;
    const held = [];
    for (const [account, ofAccount] of Map.groupBy(keys, ([value]) => value!)) {
      const others = ofAccount.map((values) => values[1]!);
      const { rows } = yield sql`
        select ${raw(columns.join(', '))}
        from ${raw(table)}
        where ${raw(first!)} = ${account}
          ${second === undefined ? empty : sql`and ${this.isAmong(raw(second), others, 'integer')}`}
        order by ${raw(key.join(', '))}
        for update ${mayWait ? empty : sql`skip locked`}`;
      held.push(...rows);
    }
    return held;
  },
};
