// What the service answers to the pages about figures, as they read it.

import type { SourceKind } from '../../../src/domain/feedback/source-kind.ts';
import type { ShownBreakdown } from '../../../src/domain/insight/breakdown-view.ts';
import type { Distribution } from '../../../src/domain/insight/distribution.ts';
import type { Drivers } from '../../../src/domain/insight/drivers.ts';
import type { OverviewFigure, OverviewRow } from '../../../src/domain/insight/overview.ts';
import type { Figures } from '../../../src/domain/insight/statistics.ts';
import type { Topics, WorstPage } from '../../../src/domain/insight/topics.ts';
import type { Break, LatentTrend, SeriesTrend } from '../../../src/domain/insight/trend.ts';
import type { ShownFigures, Withheld } from '../../../src/domain/insight/view-source.ts';

export interface Days {
  readonly from: string;
  readonly to: string;
}

export interface OverAnswer extends Days {
  readonly minimum: number;
  readonly complete: boolean;
  readonly covered: Days | null;
  readonly compared?: Days;
}

export type OverviewItem = Omit<OverviewRow, 'responses'> & {
  readonly kind: SourceKind;
  readonly key: number;
  readonly name: string;
  readonly active: boolean;
  readonly version: number | null;
  readonly responses?: number;
  readonly reached?: { readonly added: number; readonly of: number };
  readonly lastResponse: string | null;
  readonly refusedToday: number | null;
};

export interface OverviewAnswer extends Days {
  readonly minimum: number;
  readonly unit: string;
  readonly compared?: Days;
  readonly items: readonly OverviewItem[];
  readonly next: string | null;
}

export type Joined = OverviewFigure['joined'];
export type Scale = NonNullable<OverviewFigure['scale']>;

export interface SourceFacts {
  readonly key: number;
  readonly name: string;
  readonly active: boolean;
  readonly version: number | null;
  readonly versions: readonly number[];
  readonly hasTexts: boolean;
  readonly latents: readonly {
    readonly id: string;
    readonly name: string;
    readonly type: string;
    readonly joined: Joined;
  }[];
  readonly rating: OverviewFigure | null;
  readonly questions: readonly {
    readonly id: string;
    readonly name: string;
    readonly responseType: string;
    readonly role: string | null;
    readonly answers: readonly { readonly id: string; readonly text: string }[];
  }[];
  readonly parameters: { readonly custom: readonly string[]; readonly external: readonly string[] };
}

export type TrendAnswer = OverAnswer & {
  readonly latents?: readonly LatentTrend[];
  readonly rating?: SeriesTrend;
  readonly breaks: readonly Break[];
};

export type DistributionAnswer = OverAnswer & Distribution;
export type DriversAnswer = OverAnswer & Drivers;
export type BreakdownAnswer = OverAnswer & ShownBreakdown & { readonly by: string };
export type TopicsAnswer = OverAnswer &
  Topics & {
    readonly pages?: readonly WorstPage[];
    readonly pagesComplete?: boolean;
    readonly pagesCovered?: Days | null;
  };

export interface CommentsAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly responseTime: string;
    readonly question: string;
    readonly text: string;
    readonly scores?: readonly { readonly id: string; readonly score: number }[];
    readonly rating?: number | string | null;
    readonly topic?: string | number | null;
  }[];
  readonly next: string | null;
}

export function isShown(figures: ShownFigures): figures is Figures {
  return !('withheld' in figures);
}

export function isCount<T extends object>(cell: T | Withheld): cell is T {
  return !('withheld' in cell);
}

/** Points of fewer responses are drawn hollow. */
export const certainCount = 30;
