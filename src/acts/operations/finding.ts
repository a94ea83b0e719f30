// One thing that "soundings doctor" has looked at.

import {
  type FindingCode,
  type FindingValue,
  type FindingValues,
  findingWords,
} from '../../domain/operations/finding-words.ts';

export interface Finding {
  readonly check: string;
  readonly isRight: boolean;
  /** Not wrong by itself, and probably not what was meant. */
  readonly isWarning?: true;
  readonly says: string;
  /** The same for whoever says it in another language; a report of an older version has none. */
  readonly code?: string;
  readonly values?: Readonly<Record<string, FindingValue>>;
}

export function finding<Code extends FindingCode>(
  check: string,
  verdict: 'right' | 'warning' | 'wrong',
  code: Code,
  values: FindingValues<Code>,
): Finding {
  const words = findingWords[code] as (values: FindingValues<Code>) => string;
  return {
    check,
    isRight: verdict !== 'wrong',
    ...(verdict === 'warning' ? { isWarning: true as const } : {}),
    says: words(values),
    code,
    values: values as Readonly<Record<string, FindingValue>>,
  };
}
