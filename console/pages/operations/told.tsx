// A finding of doctor in the language of the page. One without a code, or with a code that this page does not know, is of another
// version of the service: it is shown in the service's own words.

import type { JSX } from 'preact';
import type { FindingValue } from '../../../src/domain/operations/finding-words.ts';
import type { AnswerTo } from '../../call.ts';
import { Said } from './figures.tsx';
import { toldTexts } from './texts.ts';

export type ToldFinding = AnswerTo<'GET /operations/doctor'>['findings'][number];

type Words = (values: Readonly<Record<string, FindingValue>>) => string;

export function FindingText({ finding }: { readonly finding: ToldFinding }): JSX.Element {
  const { code = '', values, says } = finding;
  const { findings } = toldTexts.t;
  if (findings === null || values === undefined || !Object.hasOwn(findings, code)) return <Said>{says}</Said>;
  return <>{(findings[code as keyof typeof findings] as Words)(values)}</>;
}

export function CheckName({ check }: { readonly check: string }): JSX.Element {
  return <strong>{toldTexts.t.checks[check] ?? <Said>{check}</Said>}</strong>;
}
