// What several of these pages show.

import type { JSX } from 'preact';
import { pathOf } from '../../../src/domain/console/page-paths.ts';
import { pathOfKind, type SourceKind } from '../../../src/domain/feedback/source-kind.ts';
import type { AnswerTo } from '../../call.ts';
import { surveyTexts } from './texts.ts';

export type SurveyVersions = AnswerTo<'GET /surveys/measures/:key'>;
export type SharedSurvey = AnswerTo<'GET /surveys/measures/:key/share'>;
type SurveyState = SurveyVersions['state'];

export interface SourcePlace {
  readonly kind: SourceKind;
  readonly key: number;
}

function paramsOf({ kind, key }: SourcePlace): Readonly<Record<string, string>> {
  return { kind: pathOfKind[kind], key: String(key) };
}

export const toSurvey = (place: SourcePlace): string => pathOf('survey', paramsOf(place));
export const toShare = (place: SourcePlace): string => pathOf('share', paramsOf(place));
export const toEditor = (place: SourcePlace): string => pathOf('edit-survey', paramsOf(place));
export const toResults = ({ kind, key }: SourcePlace): string => pathOf(kind, { key: String(key) });

export function StateBadge({ state }: { readonly state: SurveyState }): JSX.Element {
  const isOpen = state === 'open' || state === 'invited';
  return <span class={`badge ${isOpen ? '' : 'off'}`}>{surveyTexts.t.states[state]}</span>;
}

/** What a measure or project is, of the parameters of an address. */
export function placeOf(params: Readonly<Record<string, string>>): SourcePlace {
  return { kind: params.kind === 'measures' ? 'measure' : 'project', key: Number(params.key) };
}

export function QrCode({
  qr: { size, path },
  label,
}: {
  readonly qr: { readonly size: number; readonly path: string };
  readonly label: string;
}): JSX.Element {
  return (
    <svg
      class="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}

export function Check({
  label,
  isOn,
  onChange,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}): JSX.Element {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      {label}
    </label>
  );
}
