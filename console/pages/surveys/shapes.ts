// What the endpoints of these pages answer that are not declared in src/contract/ yet.

import type { SourceKind } from '../../../src/domain/feedback/source-kind.ts';
import type { AnswerTo } from '../../call.ts';

export type SurveyState = AnswerTo<'GET /surveys'>['items'][number]['state'];

export interface Difference {
  readonly what: 'added' | 'removed' | 'changed' | 'moved';
  readonly of: 'survey' | 'latent' | 'question' | 'parameter' | 'language' | 'page';
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
}

export interface Version {
  readonly surveyId: string;
  readonly version: number;
  readonly current: boolean;
  readonly public: boolean;
  readonly closed: boolean;
  readonly languages: readonly string[];
  readonly questions: number;
  readonly responses: number | null;
  readonly firstDay: string | null;
  readonly lastDay: string | null;
  readonly differences: readonly Difference[];
  readonly moreDifferences: number;
}

export interface SurveyVersions {
  readonly kind: SourceKind;
  readonly key: number;
  readonly name: string;
  readonly state: SurveyState;
  readonly created: string;
  readonly responses: number;
  readonly lastResponse: string | null;
  readonly versions: readonly Version[];
  readonly moreVersions: number;
}

export interface SharedSurvey {
  readonly kind: SourceKind;
  readonly key: number;
  readonly name: string;
  readonly state: SurveyState;
  readonly surveyId: string;
  readonly version: number;
  readonly public: boolean;
  readonly titles: readonly {
    readonly language: string;
    readonly title: string;
    readonly intro: string | null;
  }[];
  readonly origins: readonly string[];
  readonly page: { readonly base: string; readonly name: string; readonly link: string | null };
  readonly isLocal: boolean;
  readonly qr: { readonly size: number; readonly path: string } | null;
  readonly parameters: readonly string[];
  readonly responses: number;
  readonly lastResponse: string | null;
}

export interface MadeInvitations {
  readonly invited: number;
  readonly isWhole: boolean;
  readonly answered: number | null;
  readonly items: readonly {
    readonly at: string;
    readonly by: string | null;
    readonly invited: number;
    readonly expires: string;
  }[];
}
