// What the editor of the console and the preview of a draft tell each other. The preview is a page in a sandbox: it has no
// origin, no cookie and no connection, so that nothing that is written into a draft can reach the console (D-571).

import type { SurveyDefinition, SurveyLanguage } from '../feedback/definition.ts';
import type { SourceState } from '../feedback/survey.ts';

export const colourSchemes = ['light dark', 'light', 'dark'] as const;
export type ColourScheme = (typeof colourSchemes)[number];

/** To the preview. */
export interface PreviewDraft {
  readonly soundings: 'draft';
  readonly definition: SurveyDefinition;
  /** Of the measure or project. */
  readonly name: string;
  readonly source: SourceState;
  readonly language: SurveyLanguage;
  readonly scheme: ColourScheme;
  /** The question that is being written: the preview shows its step. */
  readonly question: string | null;
  /** A number that changes when the answers are to be forgotten. */
  readonly round: number;
}

/** From the preview. */
export type PreviewMessage =
  | { readonly soundings: 'ready' }
  | { readonly soundings: 'language'; readonly language: SurveyLanguage }
  | { readonly soundings: 'sent' }
  /** The fields of the form, by name. */
  | { readonly soundings: 'answers'; readonly fields: readonly (readonly [string, readonly string[]])[] };
