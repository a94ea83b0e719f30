// What applying a catalogue would change: each thing created, updated or left alone, in words for the
// operator and in data for the store; or the faults that forbid it (D-47). What the file does not name is
// left alone, so the comparison walks the file and never the store.

import type { CatalogueFault, LineOf } from './catalogue.ts';
import { type Phrase, phrase } from './catalogue-fault.ts';
import type {
  AccountInsight,
  Catalogue,
  CatalogueAccount,
  CustomQuestion,
  Latent,
  Measure,
  MeasuredQuestion,
  Parameter,
  Project,
  RetainDays,
  SurveyDefinition,
} from './definition.ts';
import {
  isPageName,
  type KeptPageNames,
  type PageNameChange,
  type PageNameClaim,
  PageNameComparison,
} from './page-names.ts';

/** Which measure or project: `key` is the measure's key or the project's id. */
export interface SourceName {
  readonly accountId: number;
  readonly kind: 'measure' | 'project';
  readonly key: number;
}

interface ChangeFacts {
  readonly action: 'create' | 'update' | 'unchanged';
  /** The members that differ, for an update. */
  readonly changed: readonly string[];
  /** One sentence for the operator. */
  readonly words: string;
}

export type CatalogueChange = ChangeFacts &
  (
    | { readonly kind: 'account'; readonly value: CatalogueAccount }
    | { readonly kind: 'measure'; readonly source: SourceName; readonly value: Measure }
    | {
        readonly kind: 'project';
        readonly source: SourceName;
        readonly value: Project;
        readonly pageName: PageNameChange;
      }
    | { readonly kind: 'survey'; readonly source: SourceName; readonly value: SurveyDefinition }
  );

/** What the store holds: at least every account, measure and project that is wanted, with all its versions. */
export interface KeptCatalogue {
  readonly catalogue: Catalogue;
  readonly surveysWithResponses: ReadonlySet<string>;
  /** Of the survey ids that are wanted: those that belong to a measure or project beside the ones in `catalogue`. */
  readonly surveysElsewhere?: ReadonlySet<string>;
  /** Of the accounts that are wanted: those that were removed, whose numbers are not given again. */
  readonly removedAccounts?: ReadonlySet<number>;
  readonly pageNames?: KeptPageNames;
}

export interface CatalogueComparison {
  /** In an order in which they can be carried out: accounts before sources before surveys. */
  readonly changes: readonly CatalogueChange[];
  readonly faults: readonly CatalogueFault[];
  /** The names under /s/ that are wanted and not refused already. */
  readonly claims: readonly PageNameClaim[];
}

/** Compares what is with what is wanted. With faults, nothing may be applied. */
export function compareCatalogue(
  kept: KeptCatalogue,
  wanted: Catalogue,
  lineOf: LineOf,
): CatalogueComparison {
  const changes: CatalogueChange[] = [];
  const faults: CatalogueFault[] = [];
  const claims: PageNameClaim[] = [];
  const pageNames = new PageNameComparison(kept.pageNames, wanted);
  const owners = ownersOf(kept.catalogue);
  const keptAccounts = new Map(kept.catalogue.accounts.map((account) => [account.id, account]));

  for (const account of wanted.accounts) {
    if (kept.removedAccounts?.has(account.id)) {
      const what = phrase('accountRemoved', { account: account.id });
      faults.push({ line: lineOf(account), path: `account ${account.id}`, ...what });
      continue;
    }
    const keptAccount = keptAccounts.get(account.id);
    // What the file says nothing of stays as it is.
    const value = {
      ...account,
      limits: account.limits === undefined ? (keptAccount?.limits ?? null) : account.limits,
      retainDays: account.retainDays === undefined ? (keptAccount?.retainDays ?? null) : account.retainDays,
      insight: account.insight === undefined ? (keptAccount?.insight ?? null) : account.insight,
      webhooks: account.webhooks ?? [],
      connections: account.connections ?? [],
    };
    const before = keptAccount && {
      ...keptAccount,
      webhooks: namedBy(keptAccount.webhooks, value.webhooks),
      connections: namedBy(keptAccount.connections, value.connections),
    };
    const facts = factsOf(`account ${account.id} (${account.name})`, before, value, accountMembers);
    changes.push({ kind: 'account', ...facts, value });

    const keptMeasures = new Map(keptAccount?.measures.map((measure) => [measure.key, measure]));
    for (const measure of account.measures) {
      const before = keptMeasures.get(measure.key);
      const source: SourceName = { accountId: account.id, kind: 'measure', key: measure.key };
      const value = { ...measure, retainDays: retainDaysOf(measure, before) };
      const facts = factsOf(`measure ${measure.key} (${measure.name})`, before, value, measureMembers);
      changes.push({ kind: 'measure', ...facts, source, value });
      compareSurveys(source, before?.surveys ?? [], measure.surveys);
    }
    const keptProjects = new Map(keptAccount?.projects.map((project) => [project.id, project]));
    for (const project of account.projects) {
      const before = keptProjects.get(project.id);
      const source: SourceName = { accountId: account.id, kind: 'project', key: project.id };
      // Without a time in the file the one of the first apply stays.
      const value = {
        ...project,
        createdDateTime: project.createdDateTime ?? before?.createdDateTime ?? null,
        retainDays: retainDaysOf(project, before),
      };
      const facts = factsOf(`project ${project.id} (${project.name})`, before, value, projectMembers);
      const pageName = comparePageName(source, before, project);
      changes.push({ kind: 'project', ...withPageName(facts, pageName), source, value, pageName });
      compareSurveys(source, before?.surveys ?? [], project.surveys);
    }
  }
  return { changes, faults, claims };

  function comparePageName(
    { accountId }: SourceName,
    before: Project | undefined,
    project: Project,
  ): PageNameChange {
    const { id: projectId, siteKey } = project;
    const place = { line: lineOf(project), path: `project ${projectId}` };
    // What was there before names were unique stays.
    const isNew = before?.siteKey !== siteKey;
    if (isNew && pageNames.isTakenFor({ accountId, projectId }, siteKey))
      // Whose it is, is nobody's business (D-10).
      faults.push({ ...place, ...phrase('siteKeyNamed', { siteKey }) });
    else if (isPageName(siteKey)) claims.push({ ...place, name: siteKey, kind: 'project', isNew });
    return pageNames.changeOf({ accountId, projectId }, siteKey);
  }

  function compareSurveys(
    source: SourceName,
    before: readonly SurveyDefinition[],
    surveys: readonly SurveyDefinition[],
  ): void {
    // A file that names no version says nothing about versions.
    if (surveys.length === 0) return;
    const named = new Set(surveys.map(({ id }) => id));
    const keptSurveys = new Map(before.map((survey) => [survey.id, survey]));
    const latentTypes = new LatentTypes(before, kept.surveysWithResponses, named);
    // One version is current. The file names which, so a kept version that it does not name steps back.
    for (const survey of before) {
      if (!survey.current || named.has(survey.id)) continue;
      changes.push({
        kind: 'survey',
        action: 'update',
        changed: ['current'],
        words: `update survey ${survey.id}: current (another version takes its place)`,
        source,
        value: { ...survey, current: false },
      });
    }
    for (const survey of surveys) {
      const fault = (what: Phrase) => faults.push({ line: lineOf(survey), path: survey.id, ...what });
      const owner = owners.get(survey.id);
      const isElsewhere = owner !== undefined && !sameSource(owner, source);
      if (isElsewhere || kept.surveysElsewhere?.has(survey.id)) {
        // Another account's survey is nobody's business (D-10): the fault does not say whose it is.
        fault(phrase('surveyIdElsewhere', { survey: survey.id }));
        continue;
      }
      const keptSurvey = keptSurveys.get(survey.id);
      if (keptSurvey === undefined && pageNames.isTakenForSurvey(survey.id))
        fault(phrase('surveyIdNamed', { survey: survey.id }));
      else {
        const place = { line: lineOf(survey), path: survey.id };
        claims.push({ ...place, name: survey.id, kind: 'survey', isNew: keptSurvey === undefined });
      }
      if (keptSurvey !== undefined && kept.surveysWithResponses.has(survey.id)) {
        for (const change of forbiddenChanges(keptSurvey, survey))
          fault(phrase('usedVersion', { survey: survey.id, change }));
      }
      for (const contradiction of latentTypes.contradictions(survey)) fault(contradiction);
      const facts = factsOf(`survey ${survey.id}`, keptSurvey, survey, surveyMembers);
      changes.push({ kind: 'survey', ...facts, source, value: survey });
    }
  }
}

/** The sums of a latent are kept under its id, so the id keeps its type for ever (D-34). */
class LatentTypes {
  readonly #first = new Map<string, { readonly type: string; readonly surveyId: string }>();

  /** A kept version that the file rewrites counts only if responses were scored by it. */
  constructor(
    kept: readonly SurveyDefinition[],
    surveysWithResponses: ReadonlySet<string>,
    rewritten: ReadonlySet<string>,
  ) {
    for (const { id: surveyId, latents } of kept) {
      if (rewritten.has(surveyId) && !surveysWithResponses.has(surveyId)) continue;
      for (const { id, type } of latents) if (!this.#first.has(id)) this.#first.set(id, { type, surveyId });
    }
  }

  contradictions({ latents }: SurveyDefinition): Phrase[] {
    return latents.flatMap(({ id, type }) => {
      const first = this.#first.get(id);
      if (first === undefined || first.type === type) return [];
      return [phrase('latentTypeOfSurvey', { latent: id, type: first.type, survey: first.surveyId })];
    });
  }
}

function retainDaysOf({ retainDays }: Measure | Project, before: Measure | Project | undefined): RetainDays {
  return retainDays === undefined ? (before?.retainDays ?? null) : retainDays;
}

const accountMembers = ['name', 'limits', 'retainDays', 'insight', 'webhooks', 'connections'] as const;
const measureMembers = ['name', 'channel', 'active', 'retainDays'] as const;
const projectMembers = ['name', 'description', 'siteKey', 'status', 'createdDateTime', 'retainDays'] as const;
const surveyMembers = [
  'modelInstanceId',
  'version',
  'current',
  'public',
  'origins',
  'closed',
  'quarantine',
  'title',
  'language',
  'translations',
  'page',
  'latents',
  'questions',
  'parameters',
] as const;

/** Of the webhooks or connections that are kept, those that the file names: the others stay. */
function namedBy<T extends { readonly name: string }>(
  kept: readonly T[] | undefined,
  wanted: readonly T[],
): readonly T[] {
  const named = new Set(wanted.map(({ name }) => name));
  return kept?.filter(({ name }) => named.has(name)) ?? [];
}

function factsOf<T extends object>(
  name: string,
  before: T | undefined,
  after: T,
  members: readonly (keyof T & string)[],
): ChangeFacts {
  if (before === undefined)
    return { action: 'create', changed: [], words: `create ${name}${keptFor(after)}` };
  const changed = members.filter((member) => !same(before[member] ?? null, after[member] ?? null));
  if (changed.length === 0) return { action: 'unchanged', changed, words: `leave ${name} as it is` };
  const words = changed.map((member) =>
    member === 'retainDays'
      ? retainedWords(before, after)
      : member === 'insight'
        ? withheldWords(before, after)
        : member,
  );
  return { action: 'update', changed, words: `update ${name}: ${words.join(', ')}` };
}

/** Nothing of the project itself changes where only its name under /s/ has to be entered. */
function withPageName(facts: ChangeFacts, { frees, takes }: PageNameChange): ChangeFacts {
  if (facts.action !== 'unchanged' || (frees.length === 0 && takes === null)) return facts;
  const now = takes === null ? 'its site key has no page' : 'its site key has a page from now on';
  const words = facts.words.replace(/^leave (.*) as it is$/s, `update $1: siteKey (${now})`);
  return { action: 'update', changed: ['siteKey'], words };
}

interface MayRetain {
  readonly retainDays?: RetainDays;
}

function keptFor({ retainDays }: MayRetain): string {
  return typeof retainDays === 'number' ? `, retainDays ${retainDays}` : '';
}

// The one member whose change makes something go for good, so it is shown with both values.
function retainedWords(before: MayRetain, after: MayRetain): string {
  return `retainDays from ${before.retainDays ?? 'none'} to ${after.retainDays ?? 'none'}`;
}

interface MayWithhold {
  readonly insight?: AccountInsight | null;
}

// A lower one shows what was withheld until now, so it is shown with both values too.
function withheldWords(before: MayWithhold, after: MayWithhold): string {
  return `insight.minimum from ${before.insight?.minimum ?? 'none'} to ${after.insight?.minimum ?? 'none'}`;
}

// What shows in rows that are already in the log stays as it was (D-35, D-47). Parameters may still be added
// at the end: a row keeps the parameters that it was accepted with, and external ones come later anyway.
function forbiddenChanges(before: SurveyDefinition, after: SurveyDefinition): Phrase[] {
  const forbidden: Phrase[] = [];
  if (before.modelInstanceId !== after.modelInstanceId) forbidden.push(phrase('modelInstanceKept'));
  if (before.version !== after.version) forbidden.push(phrase('versionKept'));
  const withoutQuestions = (latents: readonly Latent[]) =>
    latents.map(({ questions: _, ...latent }) => latent);
  if (!same(withoutQuestions(before.latents), withoutQuestions(after.latents))) {
    forbidden.push(phrase('latentsKept'));
  }
  // What people were shown is said once (D-422).
  if (!isKept(before.title, after.title)) forbidden.push(phrase('titleKept'));
  if (!isKept(before.language, after.language)) forbidden.push(phrase('languageKept'));
  for (const path of lostTexts(before.translations, after.translations))
    forbidden.push(phrase('translationKept', { path }));
  forbidden.push(...changedQuestions(allQuestions(before), allQuestions(after)));
  for (const kind of ['custom', 'external'] as const) {
    if (!isBeginOf(before.parameters[kind], after.parameters[kind])) {
      forbidden.push(phrase(`${kind}ParametersKept`));
    }
  }
  return forbidden;
}

type AnyQuestion = Readonly<Record<string, unknown>> & { readonly id: string };

function allQuestions(survey: SurveyDefinition): AnyQuestion[] {
  const measured = survey.latents.flatMap(({ id, questions }) =>
    questions.map((question) => ({ ...withLabels(question), latent: id })),
  );
  return [...measured, ...survey.questions.map((question) => withLabels(question))];
}

/** The labels of a scale may come later than the scale. */
function withLabels(question: MeasuredQuestion | CustomQuestion): AnyQuestion {
  const { labels, ...scale } = question.scale ?? {};
  return {
    ...question,
    scale: question.scale === null ? null : scale,
    ...(labels !== undefined && { labels }),
  };
}

/** Texts of the page that a version may get although it has responses, each once (D-422). */
const addedOnce: ReadonlySet<string> = new Set(['help', 'labels', 'dontKnowText']);
const writtenNames: Readonly<Record<string, Phrase>> = {
  labels: phrase('labelsOfScale'),
  dontKnowText: phrase('textOfDontKnow'),
};

function isKept(before: unknown, after: unknown): boolean {
  return before === undefined || same(before, after);
}

/** Where a text that is there has gone or changed; what is added is right at any depth. */
function lostTexts(before: unknown, after: unknown, path = ''): string[] {
  if (before === undefined) return [];
  if (typeof before !== 'object' || before === null) return before === after ? [] : [path];
  const now = typeof after === 'object' && after !== null ? (after as Record<string, unknown>) : {};
  return Object.entries(before).flatMap(([name, value]) =>
    lostTexts(value, Object.hasOwn(now, name) ? now[name] : null, path === '' ? name : `${path}.${name}`),
  );
}

function changedQuestions(before: readonly AnyQuestion[], after: readonly AnyQuestion[]): Phrase[] {
  const forbidden: Phrase[] = [];
  for (const question of before) {
    const now = after.find(({ id }) => id === question.id);
    if (now === undefined) {
      forbidden.push(phrase('questionKept', { question: question.id }));
      continue;
    }
    for (const member of new Set([...Object.keys(question), ...Object.keys(now)])) {
      const isRight = addedOnce.has(member) ? isKept : same;
      if (!isRight(question[member], now[member]))
        forbidden.push(
          phrase('memberKept', { member: writtenNames[member] ?? member, question: question.id }),
        );
    }
  }
  for (const question of after) {
    if (!before.some(({ id }) => id === question.id))
      forbidden.push(phrase('questionAdded', { question: question.id }));
  }
  if (
    forbidden.length === 0 &&
    !same(
      before.map(({ id }) => id),
      after.map(({ id }) => id),
    )
  ) {
    forbidden.push(phrase('orderKept'));
  }
  return forbidden;
}

function isBeginOf(begin: readonly Parameter[], whole: readonly Parameter[]): boolean {
  return same(begin, whole.slice(0, begin.length));
}

function ownersOf(catalogue: Catalogue): Map<string, SourceName> {
  const owners = new Map<string, SourceName>();
  for (const { id: accountId, measures, projects } of catalogue.accounts) {
    for (const { key, surveys } of measures) {
      for (const survey of surveys) owners.set(survey.id, { accountId, kind: 'measure', key });
    }
    for (const { id, surveys } of projects) {
      for (const survey of surveys) owners.set(survey.id, { accountId, kind: 'project', key: id });
    }
  }
  return owners;
}

function sameSource(one: SourceName, other: SourceName): boolean {
  return one.accountId === other.accountId && one.kind === other.kind && one.key === other.key;
}

// Equal as data, whatever the order of members: the store may give a definition back through JSON.
export function same(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) =>
    same((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
  );
}
