// An API client, made by whoever sits at the terminal.

import type { Context } from '../../context.ts';
import type { Grant } from '../../domain/access/account.ts';
import { type NewApiClient, newApiClient } from '../../store/access/new-credentials.ts';
import { changeStamp } from '../frame/change-stamp.ts';

export function addApiClient(
  context: Context,
  accountId: number,
  name: string,
  granted: readonly Grant[],
): Promise<NewApiClient> {
  return newApiClient(context, changeStamp(context), { accountId, name, granted, mayChangeAdmins: false });
}
