// The mean of one latent by day as one would ask the database for it: from the bodies, in one statement.

import { storeRows } from '../test/support/store-rows.ts';
import { accountId } from './processes.ts';

const questions = [1, 2, 3].map((number) => ({ id: `Q-SATISFACTION-${number}`, weight: 0.1 + number / 10 }));

export async function selectByDay(databaseUrl: string, measureKey: number): Promise<void> {
  const isSqlite = databaseUrl.startsWith('sqlite:');
  const answer = (id: string): string =>
    isSqlite
      ? `cast(json_extract(body, '$.responses."${id}"[0]') as real)`
      : `cast(body::json -> 'responses' -> '${id}' ->> 0 as double precision)`;
  const sum = questions.map(({ id, weight }) => `${weight} * (${answer(id)} - 1) / 9 * 100`).join(' + ');
  const weights = questions.reduce((total, { weight }) => total + weight, 0);
  const rows = await storeRows(
    databaseUrl,
    `select response.day, count(*) as count, avg((${sum}) / ${weights}) as mean
     from response
     join response_body on response_body.account_id = response.account_id
       and response_body.source_id = response.source_id and response_body.seq = response.seq
     where response.account_id = ${accountId} and response.source_id = (
       select source_id from source where account_id = ${accountId} and kind = 'measure' and source_key = ${measureKey})
     group by response.day
     order by response.day`,
  );
  if (rows.length === 0) throw new Error('The select has found nothing.');
}
