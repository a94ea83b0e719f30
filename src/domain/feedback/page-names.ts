// The names under /s/, by which people reach the page of a survey: ids of surveys, and site keys of projects, unique together
// in the whole store (D-420).

import type { Catalogue } from './definition.ts';

/** As long as the id of a survey. A longer site key is none of these names, and its project has no page by it. */
const pageNameMax = 128;

export function isPageName(text: string): boolean {
  return text !== '' && text.length <= pageNameMax;
}

export interface PageProject {
  readonly accountId: number;
  readonly projectId: number;
}

/** What the store says of the names that a group of a file wants, and of those that its projects have. */
export interface KeptPageNames {
  /** The project that has each site key as its name. */
  readonly holders: ReadonlyMap<string, PageProject>;
  /** Of the site keys that are wanted: those that are ids of surveys. */
  readonly surveyIds: ReadonlySet<string>;
  /** Names of projects that are gone or have another site key: a replica of an older release knows no names (D-421). */
  readonly stale: ReadonlySet<string>;
}

/** A name that a file wants, for the check over the whole file. */
export interface PageNameClaim {
  readonly name: string;
  readonly kind: 'survey' | 'project';
  readonly line: number;
  /** How a fault says where it is. */
  readonly path: string;
  /** What was there before stays as it is, also where the same name is wanted twice (D-420). */
  readonly isNew: boolean;
}

/** What becomes of the names of a project. */
export interface PageNameChange {
  readonly frees: readonly string[];
  readonly takes: string | null;
}

const noChange: PageNameChange = { frees: [], takes: null };

/** Compares the names that a group wants with those of the store. */
export class PageNameComparison {
  readonly #kept: KeptPageNames | undefined;
  readonly #held = new Map<string, string[]>();
  readonly #free: Set<string>;
  readonly #taken = new Set<string>();

  constructor(kept: KeptPageNames | undefined, wanted: Catalogue) {
    this.#kept = kept;
    this.#free = new Set(kept?.stale);
    if (kept === undefined) return;
    const siteKeys = new Map<string, string>();
    for (const account of wanted.accounts)
      for (const { id, siteKey } of account.projects) siteKeys.set(`${account.id} ${id}`, siteKey);
    for (const [name, { accountId, projectId }] of kept.holders) {
      const project = `${accountId} ${projectId}`;
      this.#held.set(project, [...(this.#held.get(project) ?? []), name]);
      // Given up by a project of the same group: another one may have it at once.
      const siteKey = siteKeys.get(project);
      if (siteKey !== undefined && siteKey !== name) this.#free.add(name);
    }
  }

  isTakenForSurvey(surveyId: string): boolean {
    return this.#kept?.holders.has(surveyId) === true && !this.#free.has(surveyId);
  }

  isTakenFor({ accountId, projectId }: PageProject, siteKey: string): boolean {
    if (this.#kept === undefined || !isPageName(siteKey)) return false;
    if (this.#kept.surveyIds.has(siteKey)) return true;
    const holder = this.#kept.holders.get(siteKey);
    const isOthers =
      holder !== undefined && (holder.accountId !== accountId || holder.projectId !== projectId);
    return isOthers && !this.#free.has(siteKey);
  }

  /** A name that is missing is entered, also where the project itself stays as it is (D-421). */
  changeOf(project: PageProject, siteKey: string): PageNameChange {
    if (this.#kept === undefined) return noChange;
    const held = this.#held.get(`${project.accountId} ${project.projectId}`) ?? [];
    const frees = held.filter((name) => name !== siteKey);
    const isFree = isPageName(siteKey) && !this.isTakenFor(project, siteKey) && !this.#taken.has(siteKey);
    if (held.includes(siteKey) || !isFree) return { frees, takes: null };
    this.#taken.add(siteKey);
    // The row of whoever gave it up, or is gone, makes room first.
    return { frees: this.#free.has(siteKey) ? [...frees, siteKey] : frees, takes: siteKey };
  }
}
