// What release 0.1.0 does to the store when it erases a response, statement by statement; it knows neither digests nor comments, neither
// the feed nor the marks of blocks. test/long/upgrade.test.ts runs that release itself.

import { eraseValues } from '../../src/domain/feedback/row-values.ts';
import { hashOfBody } from '../../src/store/feedback/log.ts';
import { storeRows } from './store-rows.ts';

export async function eraseAsBefore(
  databaseUrl: string,
  accountId: number,
  responseId: string,
): Promise<void> {
  const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;
  const [row] = await storeRows(
    databaseUrl,
    `select response.source_id, response.seq, row_values, kind, body
    from response
    join source on source.account_id = response.account_id and source.source_id = response.source_id
    join response_body on response_body.account_id = response.account_id
      and response_body.source_id = response.source_id and response_body.seq = response.seq
    where response.account_id = ${accountId} and response_id = ${quoted(responseId)} and hash is null`,
  );
  if (row === undefined) throw new Error(`There is no response ${responseId} to erase.`);
  const place = `account_id = ${accountId} and source_id = ${row.source_id} and seq = ${row.seq}`;
  const values = eraseValues(String(row.row_values), row.kind as 'measure' | 'project');
  const hash = hashOfBody(String(row.body));
  await storeRows(
    databaseUrl,
    `update response set row_values = ${quoted(values)}, hash = ${quoted(hash)} where ${place}`,
  );
  await storeRows(databaseUrl, `delete from response_body where ${place}`);
  await storeRows(databaseUrl, `delete from response_external where ${place}`);
}
