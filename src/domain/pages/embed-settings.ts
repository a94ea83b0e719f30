// What `/embed.js` must know of a survey before it shows anything: a tenth of the whole definition (D-456).

import type { PageInvite, SurveyLanguage } from '../feedback/definition.ts';
import type { PreparedSurvey } from '../feedback/survey.ts';
import type { Messages } from './messages/messages.ts';
import { isOpenNow } from './public-definition.ts';
import { type Direction, directionOf } from './survey-language.ts';
import { surveyTexts } from './survey-texts.ts';

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
export type EmbedTexts = Pick<Messages, (typeof textNames)[number]>;

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
    colours: usualColours,
    content,
  };
}

/** Of the button, the offer and the dialog: those of the style sheet. */
const usualColours = [
  '--accent:light-dark(#0b6169,#6fd3d3)',
  '--on-accent:light-dark(#ffffff,#052a2d)',
  '--background:light-dark(#ffffff,#10191b)',
  '--text:light-dark(#16262a,#e7eeee)',
  '--border:light-dark(#77878b,#74898e)',
  '--focus:light-dark(#0b6169,#6fd3d3)',
].join(';');
