// What the documents of one file say together: an account may go on in a further document, and everything else has its
// name once in the whole file. Within a document the reader has seen to that.

import type { CatalogueFault, LineOf } from './catalogue.ts';
import { type Phrase, phrase } from './catalogue-fault.ts';
import type { Catalogue, CatalogueAccount } from './definition.ts';
import type { PageNameClaim } from './page-names.ts';

// Some hundred bytes each are in memory until the file is read.
const namesMax = 1_000_000;

export class CatalogueNames {
  readonly #accounts = new Map<number, { readonly account: AccountFacts; readonly line: number }>();
  readonly #sources = new Map<string, number>();
  readonly #surveys = new Map<string, number>();
  readonly #newSurveys = new Set<string>();
  readonly #siteKeys = new Map<string, SiteKeyFacts>();

  /** What contradicts earlier documents. */
  add({ accounts }: Catalogue, lineOf: LineOf): CatalogueFault[] {
    const faults: CatalogueFault[] = [];
    for (const account of accounts) {
      const path = `account ${account.id}`;
      const fault = (entry: object, what: Phrase) => faults.push({ line: lineOf(entry), path, ...what });
      const first = this.#accounts.get(account.id);
      if (first === undefined)
        this.#accounts.set(account.id, { account: factsOf(account), line: lineOf(account) });
      else if (isOther(first.account, account)) fault(account, phrase('accountGoesOn', { line: first.line }));
      for (const [code, entries] of [
        ['measureKeyTaken', account.measures.map((measure) => ({ key: measure.key, entry: measure }))],
        ['projectIdTaken', account.projects.map((project) => ({ key: project.id, entry: project }))],
      ] as const)
        for (const { key, entry } of entries) {
          const taken = this.#taken(this.#sources, `${account.id} ${code} ${key}`, lineOf(entry));
          if (taken !== null) fault(entry, phrase(code, { value: key, line: taken }));
          for (const survey of entry.surveys) {
            const line = this.#taken(this.#surveys, survey.id, lineOf(survey));
            if (line !== null) fault(survey, phrase('surveyIdTaken', { value: survey.id, line }));
          }
        }
    }
    if (this.#accounts.size + this.#sources.size + this.#surveys.size > namesMax)
      faults.push({
        line: lineOf(accounts[0] ?? {}),
        path: '',
        ...phrase('namesTooMany', { most: namesMax.toLocaleString('en-US') }),
      });
    return faults;
  }

  /**
   * Names under /s/ that the file wants twice, once they were held against the store: what has both already keeps both
   * (D-420).
   */
  addPageNames(claims: readonly PageNameClaim[]): CatalogueFault[] {
    const faults: CatalogueFault[] = [];
    for (const claim of claims) {
      const { name, kind, line, path, isNew } = claim;
      const other = kind === 'project' ? this.#beforeSiteKey(claim) : this.#beforeSurvey(claim);
      if (other !== null)
        faults.push({
          line,
          path,
          ...phrase(kind === 'project' ? 'siteKeyWantedTwice' : 'surveyIdWantedTwice', { name, line: other }),
        });
      if (kind === 'survey') {
        if (isNew) this.#newSurveys.add(name);
      } else if (!this.#siteKeys.has(name))
        this.#siteKeys.set(name, { line, isNew, isRefused: other !== null });
    }
    return faults;
  }

  #beforeSiteKey({ name, isNew }: PageNameClaim): number | null {
    const siteKey = this.#siteKeys.get(name);
    if (siteKey !== undefined && (isNew || siteKey.isNew)) return siteKey.line;
    return isNew || this.#newSurveys.has(name) ? (this.#surveys.get(name) ?? null) : null;
  }

  #beforeSurvey({ name, isNew }: PageNameClaim): number | null {
    const siteKey = this.#siteKeys.get(name);
    return isNew && siteKey !== undefined && !siteKey.isRefused ? siteKey.line : null;
  }

  /** The line of whoever has the name already. */
  #taken<Name>(names: Map<Name, number>, name: Name, line: number): number | null {
    const first = names.get(name);
    if (first === undefined) names.set(name, line);
    return first ?? null;
  }
}

interface SiteKeyFacts {
  readonly line: number;
  readonly isNew: boolean;
  /** Said once is enough. */
  readonly isRefused: boolean;
}

type AccountFacts = Pick<CatalogueAccount, 'name' | 'limits' | 'retainDays' | 'insight'>;

function factsOf({ name, limits, retainDays, insight }: CatalogueAccount): AccountFacts {
  return {
    name,
    ...(limits !== undefined && { limits }),
    ...(retainDays !== undefined && { retainDays }),
    ...(insight !== undefined && { insight }),
  };
}

function isOther(first: AccountFacts, { name, limits, retainDays, insight }: CatalogueAccount): boolean {
  if (first.name !== name) return true;
  if (retainDays !== undefined && retainDays !== (first.retainDays ?? null)) return true;
  if (insight !== undefined && insight?.minimum !== first.insight?.minimum) return true;
  return limits !== undefined && JSON.stringify(limits) !== JSON.stringify(first.limits ?? null);
}
