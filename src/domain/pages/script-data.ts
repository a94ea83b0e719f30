// What the script of a survey's page is told, as JSON in the page: the rules of the survey without its texts, which stand in
// the HTML already, and the sentences that it says.

import type { Answer, CustomQuestion, SurveyDefinition, SurveyLanguage } from '../feedback/definition.ts';
import { type PreparedSurvey, prepareSurvey } from '../feedback/survey.ts';
import type { Messages } from './messages/messages.ts';

const messageNames = [
  'charactersLeft',
  'charactersOver',
  'clearAnswer',
  'send',
  'next',
  'back',
  'step',
  'progress',
  'errorTitle',
  'faultsHeading',
  'faults',
  'moreQuestions',
  'sending',
  'sendFailed',
  'offline',
  'retry',
  'restored',
  'startAgain',
  'working',
  'waitAndSend',
  'expired',
] as const satisfies readonly (keyof Messages)[];

type ScriptMessages = Pick<Messages, (typeof messageNames)[number]>;

export interface ScriptData {
  readonly language: SurveyLanguage;
  readonly messages: ScriptMessages;
  readonly survey: ScriptSurvey;
  /** The address of the worker that answers a proof of work; null where it is not built. */
  readonly work: string | null;
}

/** A definition without what judging does not read. */
interface ScriptSurvey {
  readonly latents: readonly {
    readonly questions: readonly Pick<
      SurveyDefinition['latents'][number]['questions'][number],
      'id' | 'required' | 'weight' | 'scale' | 'dontKnow'
    >[];
  }[];
  readonly questions: readonly (Pick<
    CustomQuestion,
    'id' | 'required' | 'responseType' | 'scale' | 'maxLength' | 'rules'
  > & { readonly answers: readonly Pick<Answer, 'id' | 'value' | 'text'>[] })[];
  readonly parameters: { readonly custom: readonly [] };
}

export function scriptData(
  definition: SurveyDefinition,
  messages: Messages,
  language: SurveyLanguage,
  work: string | null,
): ScriptData {
  // The text of an answer counts for the rules that look for a part of it.
  const searched = new Set(
    definition.questions.flatMap(({ rules }) =>
      rules.filter(({ operator }) => operator === 'contains').map(({ question }) => question),
    ),
  );
  return {
    language,
    messages: Object.fromEntries(messageNames.map((name) => [name, messages[name]])) as ScriptMessages,
    survey: {
      latents: definition.latents.map(({ questions }) => ({
        questions: questions.map(({ id, required, scale, dontKnow }) => ({
          id,
          required,
          weight: 1,
          scale: { min: scale.min, max: scale.max },
          dontKnow,
        })),
      })),
      questions: definition.questions.map(
        ({ id, required, responseType, scale, maxLength, rules, answers }) => ({
          id,
          required,
          responseType,
          scale: scale === null ? null : { min: scale.min, max: scale.max },
          maxLength,
          rules,
          answers: answers.map(({ id: answer, value, text }) => ({
            id: answer,
            value,
            text: searched.has(id) ? text : '',
          })),
        }),
      ),
      parameters: { custom: [] },
    },
    work,
  };
}

/** The survey as the page judges by it. Whether it takes responses is for the server to say. */
export function prepareScriptSurvey({ survey }: ScriptData): PreparedSurvey {
  return prepareSurvey(survey as unknown as SurveyDefinition, { kind: 'measure', active: true });
}
