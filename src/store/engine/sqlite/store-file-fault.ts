// Why the files of an embedded store are not used, as a code with values: whoever tells a person says it in the person's
// language (D-730).

import { readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import {
  type FindingCode,
  type FindingValues,
  findingWords,
} from '../../../domain/operations/finding-words.ts';
import { StoreFault } from '../store-fault.ts';
import { recordWrittenAt } from './store-record.ts';

type FileFaultCode = Extract<
  FindingCode,
  | 'storeFolderMissing'
  | 'storeFileMissing'
  | 'storeFileCut'
  | 'storeLogAlone'
  | 'storeLogLost'
  | 'storeLogForeign'
  | 'storePartLost'
  | 'storeManyNames'
  | 'storeLockFailed'
>;

export class StoreFileFault<Code extends FileFaultCode = FileFaultCode> extends StoreFault {
  readonly code: Code;
  readonly values: FindingValues<Code>;

  constructor(code: Code, values: FindingValues<Code>, cause?: unknown) {
    const words = findingWords[code] as (values: FindingValues<Code>) => string;
    super(words(values), cause);
    this.name = 'StoreFileFault';
    this.code = code;
    this.values = values;
  }
}

// What is saved may be noted in the record a moment later.
const slackNs = 5_000_000_000n;
const savedName = /\.saved-\d{8}T\d{9}Z$/;

/** What a service saved of a store whose files were lost under it, the newest last. */
export function savedCopies(place: string): readonly string[] {
  const name = basename(place);
  const folder = dirname(place);
  try {
    return readdirSync(folder)
      .filter((one) => one.startsWith(name) && savedName.test(one) && one.length === name.length + 26)
      .sort()
      .map((one) => join(folder, one));
  } catch {
    return [];
  }
}

/** The newest of them, unless it is of an earlier loss: the store went on after that. Empty where there is none. */
export function savedCopy(place: string): string {
  const newest = savedCopies(place).at(-1);
  if (newest === undefined) return '';
  const savedAt = statSync(newest, { bigint: true, throwIfNoEntry: false })?.mtimeNs ?? 0n;
  return savedAt + slackNs >= recordWrittenAt(place) ? newest : '';
}
