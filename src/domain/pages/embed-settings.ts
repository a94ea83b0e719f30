// What `/embed.js` must know of a survey before it shows anything: a tenth of the whole definition (D-456).

import type { PageInvite, SurveyLanguage } from '../feedback/definition.ts';
import type { PreparedSurvey } from '../feedback/survey.ts';
import type { Messages } from './messages/messages.ts';
import { isOpenNow } from './public-definition.ts';
import { type Direction, directionOf } from './survey-language.ts';
import { surveyTexts } from './survey-texts.ts';
import { themeColours } from './theme.ts';

export interface EmbedSettings {
  readonly survey: string;
  readonly version: number;
  readonly language: SurveyLanguage;
  readonly direction: Direction;
  readonly title: string;
  /** Whether it takes responses now. */
  readonly isOpen: boolean;
  readonly invite: PageInvite;
  readonly texts: EmbedTexts;
  /** As custom properties of CSS. */
  readonly colours: string;
  /** The address of the script that shows the survey, loaded when it is opened. */
  readonly content: string;
}

const textNames = ['feedback', 'openSurvey', 'decline', 'invitation', 'close', 'openInNewTab'] as const;
type EmbedTexts = Pick<Messages, (typeof textNames)[number]>;

export function embedSettings(
  survey: PreparedSurvey,
  sourceName: string,
  language: SurveyLanguage,
  messages: Messages,
  content: string,
): EmbedSettings {
  const { definition } = survey;
  return {
    survey: definition.id,
    version: definition.version,
    language,
    direction: directionOf(language),
    title: surveyTexts(definition, language, sourceName).title.text,
    isOpen: isOpenNow(survey),
    invite: definition.page?.invite ?? {},
    texts: Object.fromEntries(textNames.map((name) => [name, messages[name]])) as EmbedTexts,
    colours: coloursText(themeColours(definition.page?.theme)),
    content,
  };
}

/** Those of the button, the offer and the dialog; the survey itself brings its own. */
const colourNames = {
  accent: '--accent',
  onAccent: '--on-accent',
  background: '--background',
  text: '--text',
  border: '--border',
  focus: '--focus',
} as const;

function coloursText({ light, dark }: ReturnType<typeof themeColours>): string {
  const names = Object.keys(colourNames) as (keyof typeof colourNames)[];
  return names.map((name) => `${colourNames[name]}:light-dark(${light[name]},${dark[name]})`).join(';');
}
