// What tests of protected pages need beside HTTP: the work of a browser, a token of any account, and erasure.

import { hash } from 'node:crypto';
import { addApiClient } from '../../src/cli/keys/new-client.ts';
import { grants } from '../../src/domain/access/account.ts';
import { beginsWithZeros, puzzleCount, puzzleText, writeWork } from '../../src/domain/pages/work.ts';
import { eraseResponse } from '../../src/store/erasure/erase.ts';
import type { Mounted } from './mounted.ts';
import { tokenFor } from './service.ts';

export interface Challenge {
  readonly text: string;
  readonly bits: number;
  readonly waitSeconds: number;
}

export function workFor({ text, bits }: Pick<Challenge, 'text' | 'bits'>): string {
  const numbers = Array.from({ length: puzzleCount }, (_, place) => {
    for (let number = 0; ; number += 1) {
      const tried = number.toString(36);
      if (beginsWithZeros(hash('sha256', puzzleText(text, place, tried), 'buffer'), bits)) return tried;
    }
  });
  return writeWork(text, numbers);
}

export async function tokenOf({ baseUrl, context }: Mounted, accountId: number): Promise<string> {
  return tokenFor(baseUrl, await addApiClient(context, accountId, 'reader', grants));
}

export async function eraseOf({ context }: Mounted, accountId: number, responseId: string): Promise<void> {
  const order = { changeId: context.newId(), nowMs: context.now(), actor: 'test' };
  await context.db.write(eraseResponse, { ...order, accountId, responseId });
}
