// What the endpoints of these pages answer.

export type SourceKind = 'measure' | 'project';
export type SurveyState = 'open' | 'invited' | 'closed' | 'inactive' | 'draft' | 'none';

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface ListedSurvey {
  readonly kind: SourceKind;
  readonly key: number;
  readonly name: string;
  readonly state: SurveyState;
  readonly surveyId: string | null;
  readonly version: number | null;
  readonly title: string | null;
  readonly versions: number;
  readonly languages: readonly string[];
  readonly questions: number;
  readonly responses: number;
  readonly lastResponse: string | null;
  readonly refusedToday: number;
}

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

export interface RefusedGroup {
  readonly surveyId: string | null;
  readonly source: {
    readonly kind: SourceKind;
    readonly key: number;
    readonly name: string;
    readonly version: number;
  } | null;
  readonly cause: string;
  readonly refused: number;
  readonly days: readonly { readonly day: string; readonly refused: number }[];
  readonly waiting: number;
  readonly waitingUntil: string | null;
}

export interface RefusedGroups {
  readonly from: string;
  readonly to: string;
  readonly refused: number;
  readonly groups: readonly RefusedGroup[];
  readonly moreGroups: number;
}

export interface RefusedResponse {
  readonly id: string;
  readonly at: string;
  readonly surveyId: string | null;
  readonly sender: string | null;
  readonly cause: string;
  readonly faults: readonly { readonly field: string; readonly code: string }[];
  readonly moreFaults: number;
}

export interface RefusedBody {
  readonly id: string;
  readonly surveyId: string;
  readonly until: string;
  readonly body: string;
}

export interface Redriven {
  readonly accepted: number;
  readonly keptBefore: number;
  readonly refused: readonly { readonly cause: string; readonly count: number }[];
  readonly next: string | null;
}

export interface Starter {
  readonly name: 'satisfaction' | 'badge' | 'nps';
  readonly kind: SourceKind;
  readonly key: number;
  readonly state: 'free' | 'published' | 'taken';
}

/** The part of the paths of a kind. */
export const partOf = { measure: 'measures', project: 'projects' } as const;
