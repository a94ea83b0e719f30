// What a catalogue defines, with every default filled in: plain data, the same in the file, in the store and
// in memory. How a definition judges a response is in survey.ts; how it is shown is in views.ts.

import type { AccountLimits } from '../access/account.ts';
import type { ConnectionFacts } from '../access/connection.ts';
import type { EventType } from '../webhooks/event-types.ts';

export const latentTypes = ['ELEMENTS', 'SATISFACTION', 'FUTURE_BEHAVIOR'] as const;
export type LatentType = (typeof latentTypes)[number];

export const channels = ['WEB', 'MOBILE', 'STORE', 'CONTACT_CENTER'] as const;
type Channel = (typeof channels)[number];

export const projectStatuses = ['DRAFT', 'ACTIVE', 'INACTIVE'] as const;
type ProjectStatus = (typeof projectStatuses)[number];

export const customResponseTypes = [
  'RADIO',
  'SELECT',
  'CHECKBOX',
  'STAR_RATING',
  'NPS',
  'TEXT',
  'TEXT_AREA',
] as const;
export type CustomResponseType = (typeof customResponseTypes)[number];
export type ResponseType = CustomResponseType | 'MEASURED_QUESTION';

export const valueTypes = ['STRING', 'NUMBER', 'BOOLEAN', 'DATE'] as const;
export type ValueType = (typeof valueTypes)[number];

export const ruleOperators = ['equals', 'lt', 'gt', 'contains'] as const;
export type RuleOperator = (typeof ruleOperators)[number];

export const roles = ['rating', 'topic'] as const;
type Role = (typeof roles)[number];

/** The languages that the page of a survey speaks by itself, and that a survey can be translated to (D-410). */
export const surveyLanguages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'pl',
  'sv',
  'ja',
  'zh',
  'ar',
] as const;
export type SurveyLanguage = (typeof surveyLanguages)[number];

export interface Scale {
  readonly min: number;
  readonly max: number;
  /** What its ends mean, for the page; absent where nothing is said, as in all definitions of before. */
  readonly labels?: ScaleLabels;
}

export interface ScaleLabels {
  readonly min: string;
  readonly max: string;
}

export interface Answer {
  readonly id: string;
  readonly text: string;
  readonly label: string;
  /** Null where the answer has none, as "Don't know" (D-32). */
  readonly value: number | string | null;
}

/** One of the conditions under which a custom question is asked (D-42). */
export interface Rule {
  readonly question: string;
  readonly operator: RuleOperator;
  readonly answer: string | number;
}

interface Question {
  readonly id: string;
  readonly name: string;
  readonly phrase: string;
  readonly label: string;
  readonly required: boolean;
  /** A sentence below the question, for the page. Absent where there is none. */
  readonly help?: string;
}

export interface MeasuredQuestion extends Question {
  readonly weight: number;
  readonly scale: Scale;
  readonly dontKnow: boolean;
  /** What the page calls that answer, instead of its own words. Rows go on saying "Don't know" (D-411). */
  readonly dontKnowText?: string;
}

export interface CustomQuestion extends Question {
  readonly responseType: CustomResponseType;
  /** As written in the catalogue; those of a rating are made from its scale by `answersOf`. */
  readonly answers: readonly Answer[];
  readonly scale: Scale | null;
  readonly maxLength: number | null;
  readonly role: Role | null;
  readonly rules: readonly Rule[];
}

export interface Latent {
  readonly id: string;
  readonly name: string;
  readonly type: LatentType;
  readonly questions: readonly MeasuredQuestion[];
}

/** A custom or an external passed parameter. */
export interface Parameter {
  readonly id: string;
  readonly name: string;
  readonly phrase: string;
  readonly label: string;
  readonly valueType: ValueType;
}

/** The texts of a version in another language; what is left out is shown in the survey's own (D-410). */
export interface SurveyTranslation {
  readonly title?: string;
  /** By the id of the question. */
  readonly questions?: Readonly<Record<string, QuestionTranslation>>;
}

export interface QuestionTranslation {
  readonly phrase?: string;
  readonly help?: string;
  readonly dontKnow?: string;
  readonly labels?: ScaleLabels;
  /** By the id of the answer. */
  readonly answers?: Readonly<Record<string, string>>;
}

export type ByLanguage<T> = { readonly [Language in SurveyLanguage]?: T };

/** How the page of a survey looks and behaves. It is no part of what was asked, so it may change at any time. */
export interface SurveyPage {
  readonly intro?: string;
  /** Steps of the page, in order. Questions that none of them names stand in a last one. */
  readonly sections?: readonly PageSection[];
  readonly thanks?: { readonly text?: string; readonly url?: string };
  readonly theme?: PageTheme;
  /** The address of the privacy notice. */
  readonly privacy?: string;
  /** Ids of questions and names of custom parameters that the address of the page may fill in. */
  readonly prefill?: readonly string[];
  /** Whom `/embed.js` shows the survey, and when. */
  readonly invite?: PageInvite;
  /** `page`: what is sent without an access token must carry the token of the page. */
  readonly protect?: 'page';
  /** The texts above in other languages. */
  readonly translations?: ByLanguage<PageTranslation>;
}

export interface PageSection {
  /** Names the section in translations; absent where it has no title. */
  readonly title?: string;
  /** Ids of questions. */
  readonly questions: readonly string[];
}

export interface PageTranslation {
  readonly intro?: string;
  readonly thanks?: string;
  /** Titles of the sections, in their order. */
  readonly sections?: readonly string[];
}

/** Colours as #rrggbb. What is left out is Soundings' own. */
export interface PageTheme extends PageColours {
  readonly dark?: PageColours;
}

export interface PageColours {
  readonly accent?: string;
  readonly background?: string;
  readonly text?: string;
}

export interface PageInvite {
  /** Of a hundred visitors so many are drawn, once for each visitor and period of `repeatDays`. */
  readonly sample?: number;
  /** Seconds on the page before the survey is offered. */
  readonly after?: number;
  /** Paths on which it is offered; `*` stands for any text. */
  readonly urls?: readonly string[];
  /** Days until this survey is offered again to whoever answered or declined it. */
  readonly repeatDays?: number;
  /** Days without any survey after one was answered or declined. */
  readonly quietDays?: number;
}

/** One version of the survey of a measure or project (D-30). */
export interface SurveyDefinition {
  readonly id: string;
  readonly modelInstanceId: string;
  readonly version: number;
  readonly current: boolean;
  /** Browsers may post without a token, from these origins, or from any when there are none (D-12). */
  readonly public: boolean;
  readonly origins: readonly string[];
  readonly closed: boolean;
  /**
   * Bodies that are refused for what they say are kept for a while, to be judged again (D-287). Absent instead of false, as in
   * all definitions that were kept before there was such a word.
   */
  readonly quarantine?: true;
  /** The heading of the page; the name of the measure or project where there is none. */
  readonly title?: string;
  /** The language that the texts are written in; English where nothing is said. */
  readonly language?: SurveyLanguage;
  readonly translations?: ByLanguage<SurveyTranslation>;
  readonly page?: SurveyPage;
  readonly latents: readonly Latent[];
  readonly questions: readonly CustomQuestion[];
  readonly parameters: { readonly custom: readonly Parameter[]; readonly external: readonly Parameter[] };
}

export interface Measure extends Retained {
  readonly key: number;
  readonly name: string;
  readonly channel: Channel;
  readonly active: boolean;
  readonly surveys: readonly SurveyDefinition[];
}

export interface Project extends Retained {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly siteKey: string;
  readonly status: ProjectStatus;
  /** Null means the time of the first apply. */
  readonly createdDateTime: string | null;
  readonly surveys: readonly SurveyDefinition[];
}

/** How long what people said is kept (D-271). */
interface Retained {
  /** Null as the account says; absent where the file says nothing. */
  readonly retainDays?: RetainDays;
}

export type RetainDays = number | 'forever' | null;

export const retainDaysMax = 36_500;

/** A webhook without its secret, which is never part of a catalogue. */
export interface CatalogueWebhook {
  readonly name: string;
  readonly url: string;
  readonly events: readonly EventType[];
}

/** A connection to an identity provider without its secret, and without a word about who may only enter by it. */
export type CatalogueConnection = ConnectionFacts;

/** What an account says about its figures. */
export interface AccountInsight {
  /** Figures of fewer responses are withheld. */
  readonly minimum: number;
}

export const insightMinimumMax = 1_000;

export interface CatalogueAccount {
  readonly id: number;
  readonly name: string;
  /** Null for none of its own; absent where the file says nothing of them. */
  readonly limits?: AccountLimits | null;
  /** Of every measure and project that says nothing of its own. Null for no end; absent where the file says nothing. */
  readonly retainDays?: number | null;
  /** Null where nothing is withheld; absent where the file says nothing. */
  readonly insight?: AccountInsight | null;
  /** In the order of their names. Those that the file does not name stay as they are. */
  readonly webhooks?: readonly CatalogueWebhook[];
  readonly connections?: readonly CatalogueConnection[];
  readonly measures: readonly Measure[];
  readonly projects: readonly Project[];
}

export interface Catalogue {
  readonly accounts: readonly CatalogueAccount[];
}

/** Every answer that a question offers: written in the catalogue, or made from the scale. */
export function answersOf(question: MeasuredQuestion | CustomQuestion): readonly Answer[] {
  if (question.scale === null) return 'answers' in question ? question.answers : [];
  const answers: Answer[] = [];
  for (let value = question.scale.min; value <= question.scale.max; value += 1) {
    answers.push({ id: `${question.id}-${value}`, text: `${value}`, label: `${value}`, value });
  }
  if ('dontKnow' in question && question.dontKnow) {
    answers.push({ id: `${question.id}-DK`, text: dontKnowText, label: dontKnowText, value: null });
  }
  return answers;
}

const dontKnowText = "Don't know";
