// A catalogue cut into groups that are compared and changed together. A group is as large as is quick to write: on SQLite
// everybody else's changes wait while one is written.

import type { LineOf } from '../../domain/feedback/catalogue.ts';
import type {
  CatalogueAccount,
  Measure,
  Project,
  SurveyDefinition,
} from '../../domain/feedback/definition.ts';

/** Plain data, so that it can be put aside in a file. */
export interface WantedGroup {
  readonly accounts: readonly CatalogueAccount[];
  /** The lines of accounts, projects and versions, by `lineName`. */
  readonly lines: Readonly<Record<string, number>>;
  /** Accounts that an earlier group begins with; what is said of the account itself stands there. */
  readonly continued: readonly number[];
  /** The first line of the file that has to do with it. */
  readonly line: number;
}

const lineName = {
  account: ({ id }: CatalogueAccount) => `account ${id}`,
  project: (account: CatalogueAccount, { id }: Project) => `project ${account.id} ${id}`,
  survey: ({ id }: SurveyDefinition) => `survey ${id}`,
};

/** The lines at which the entries of a group stand in the file, also when it was put aside meanwhile. */
export function linesOf({ accounts, lines }: WantedGroup): LineOf {
  const found = new Map<object, number | undefined>();
  for (const account of accounts) {
    found.set(account, lines[lineName.account(account)]);
    for (const project of account.projects) found.set(project, lines[lineName.project(account, project)]);
    for (const { surveys } of [...account.measures, ...account.projects])
      for (const survey of surveys) found.set(survey, lines[lineName.survey(survey)]);
  }
  return (entry) => found.get(entry) ?? 0;
}

const sourcesMax = 1_000;
const bytesMax = 2 * 1024 * 1024;

interface GrowingAccount extends CatalogueAccount {
  readonly measures: Measure[];
  readonly projects: Project[];
}

export class GroupBuilder {
  readonly #begun = new Set<number>();
  #accounts = new Map<number, GrowingAccount>();
  #lines: Record<string, number> = {};
  #line = 0;
  #sources = 0;
  #bytes = 0;
  readonly #isOfOneAccount: boolean;

  /** Where accounts are spread over machines a group is of one account, so that it needs one of them. */
  constructor(isOfOneAccount: boolean) {
    this.#isOfOneAccount = isOfOneAccount;
  }

  /** Adds an account, and yields the groups that are full. */
  *add(account: CatalogueAccount, lineOf: LineOf): Generator<WantedGroup> {
    this.#grown(account, lineOf(account));
    for (const measure of account.measures) yield* this.#addSource(account, 'measures', measure, lineOf);
    for (const project of account.projects) yield* this.#addSource(account, 'projects', project, lineOf);
    this.#sources += 1;
    if (this.#isOfOneAccount || this.#sources >= sourcesMax) yield* this.end();
  }

  *end(): Generator<WantedGroup> {
    if (this.#accounts.size === 0) return;
    const accounts = [...this.#accounts.values()];
    const continued = accounts.flatMap(({ id }) => (this.#begun.has(id) ? [id] : []));
    yield { accounts, lines: this.#lines, continued, line: this.#line };
    for (const { id } of accounts) this.#begun.add(id);
    this.#accounts = new Map();
    this.#lines = {};
    this.#line = 0;
    this.#sources = 0;
    this.#bytes = 0;
  }

  /** A measure or project is never parted: which of its versions is current is one statement. */
  *#addSource<Kind extends 'measures' | 'projects'>(
    account: CatalogueAccount,
    kind: Kind,
    source: GrowingAccount[Kind][number],
    lineOf: LineOf,
  ): Generator<WantedGroup> {
    const bytes = JSON.stringify(source).length;
    if (this.#sources >= sourcesMax || (this.#sources > 0 && this.#bytes + bytes > bytesMax))
      yield* this.end();
    const sources: (Measure | Project)[] = this.#grown(account, lineOf(source))[kind];
    sources.push(source);
    if (kind === 'projects') this.#lines[lineName.project(account, source as Project)] = lineOf(source);
    for (const survey of source.surveys) this.#lines[lineName.survey(survey)] = lineOf(survey);
    this.#sources += 1;
    this.#bytes += bytes;
  }

  #grown(account: CatalogueAccount, line: number): GrowingAccount {
    const known = this.#accounts.get(account.id);
    if (known !== undefined) return known;
    const growing = { ...account, measures: [], projects: [] };
    this.#accounts.set(account.id, growing);
    this.#lines[lineName.account(account)] = line;
    if (this.#accounts.size === 1) this.#line = line;
    return growing;
  }
}
