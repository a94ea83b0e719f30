// The styles of one survey alone: its colours, where the catalogue names any, and its rules.

import type { SurveyPage } from '../feedback/definition.ts';
import { type Colours, themeColours } from './theme.ts';
import type { VisibilityRules } from './visibility-css.ts';

const names: readonly (readonly [keyof Colours, string])[] = [
  ['accent', '--accent'],
  ['onAccent', '--on-accent'],
  ['background', '--background'],
  ['text', '--text'],
  ['muted', '--muted'],
  ['border', '--border'],
  ['focus', '--focus'],
  ['fault', '--fault'],
];

/** '' for a survey that has neither; the sheet of all pages has colours of its own. */
export function surveyCss(page: SurveyPage | undefined, { css }: Pick<VisibilityRules, 'css'>): string {
  return themeCss(page) + css;
}

function themeCss(page: SurveyPage | undefined): string {
  if (page?.theme === undefined) return '';
  const { light, dark } = themeColours(page.theme);
  const colours = names.map(([name, property]) => `${property}:light-dark(${light[name]},${dark[name]})`);
  return `:root,:host{${colours.join(';')}}`;
}
