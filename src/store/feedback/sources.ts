// What a replica remembers of measures, projects and surveys. It may be a few seconds old; a miss asks the store, so
// that what was just applied works at once (D-13). Definitions change only when a catalogue is applied, and every such
// change counts its generation up: that one number is asked for every few seconds, and while it stays, so does
// everything that is remembered. When it moves on, only revisions are compared, many in one question (D-182).

import type { Config } from '../../config.ts';
import type { SourceName } from '../../domain/feedback/catalogue-change.ts';
import { isPageName } from '../../domain/feedback/page-names.ts';
import { prepareTexts, type VersionTexts } from '../../domain/feedback/respondent.ts';
import { type PreparedSurvey, prepareSurvey } from '../../domain/feedback/survey.ts';
import type { Db } from '../engine/db.ts';
import { Cache } from '../engine/work/cache.ts';
import { apartFromRequests, withinWaits } from '../engine/work/request-waits.ts';
import {
  catalogueGeneration,
  findSource,
  findSourceOfSurvey,
  findSources,
  type KeptSurvey,
  type NumberedName,
  type Source,
  sourceRevision,
} from './catalogue.ts';
import { findPageTarget, type PageTarget } from './page-names.ts';

const generationAgeMaxMs = 4_000;
/** Asked for again before it is too old, so that nobody has to wait for it. */
const generationRenewMs = 2_000;
// However the numbers are: a store that took over without its last changes may have counted to the same ones again.
const definitionAgeMaxMs = 120_000;
const namesBytesMax = 8 * 1024 * 1024;

/** A source with everything that judging and showing need. */
export class PreparedSource {
  readonly source: Source;
  readonly #prepared = new Map<number, PreparedSurvey>();
  readonly #texts = new Map<number, VersionTexts>();
  readonly #onGrown: () => void;
  #bytes: number;

  /** What is made ready later takes memory then; whoever remembers it is told. */
  constructor(source: Source, onGrown: () => void = () => {}) {
    this.source = source;
    this.#onGrown = onGrown;
    this.#bytes = 2_000 + 2 * JSON.stringify(source.surveys).length;
  }

  /** In memory, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  survey(surveyId: string): KeptSurvey | null {
    return this.source.surveys.find(({ definition }) => definition.id === surveyId) ?? null;
  }

  /** The version that is asked now; null while there is none. */
  currentSurvey(): KeptSurvey | null {
    return this.source.surveys.find(({ definition }) => definition.current) ?? null;
  }

  prepared({ number, definition }: KeptSurvey): PreparedSurvey {
    let prepared = this.#prepared.get(number);
    if (prepared === undefined) {
      prepared = prepareSurvey(definition, stateOf(this.source));
      this.#prepared.set(number, prepared);
      this.#grow(preparedBytes(prepared));
    }
    return prepared;
  }

  /** The version that a row of the log names by its number. */
  version(surveyNumber: number): PreparedSurvey {
    return this.#prepared.get(surveyNumber) ?? this.prepared(this.#version(surveyNumber));
  }

  texts(surveyNumber: number): VersionTexts {
    let texts = this.#texts.get(surveyNumber);
    if (texts === undefined) {
      texts = prepareTexts(this.#version(surveyNumber).definition);
      this.#texts.set(surveyNumber, texts);
      this.#grow(textsBytes(texts));
    }
    return texts;
  }

  #version(surveyNumber: number): KeptSurvey {
    const version = this.source.surveys.find(({ number }) => number === surveyNumber);
    if (version === undefined) throw new Error('A row of the log names a version that is not there.');
    return version;
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    this.#onGrown();
  }
}

// Measured on the demo's surveys (24 questions, 210 answers: 54 KB and 100 KB), and rounded up.
function preparedBytes({ questions }: PreparedSurvey): number {
  return questions.reduce((sum, { answers }) => sum + 700 + 250 * answers.length, 2_000);
}

function textsBytes({ choices, custom, scores, customParameters, externalParameters }: VersionTexts): number {
  const entries = [...choices.flat(), ...custom.map(({ entry }) => entry), ...scores];
  return [...entries, ...customParameters, ...externalParameters].reduce(
    (sum, { byteLength }) => sum + 250 + byteLength,
    2_000,
  );
}

function stateOf(source: Source): PreparedSurvey['source'] {
  return source.kind === 'measure'
    ? { kind: 'measure', active: source.measure.active }
    : { kind: 'project', status: source.project.status };
}

interface Remembered {
  readonly ready: PreparedSource;
  readonly askedAtMs: number;
  /** Of the catalogue: at this one it was certainly so. */
  generation: number;
}

/** What a name under /s/ leads to. */
export interface PageSurvey {
  readonly ready: PreparedSource;
  readonly survey: KeptSurvey;
}

interface RememberedPage {
  readonly target: PageTarget;
  /** Of the catalogue: at this one the name certainly led there. */
  readonly generation: number;
}

interface SourcesInput {
  readonly db: Db;
  readonly elapsedMs: () => number;
  readonly config: Pick<Config, 'definitionsMemoryBytes'>;
}

export class Sources {
  readonly #db: Db;
  readonly #elapsedMs: () => number;
  readonly #remembered: Cache<string, Remembered>;
  /** Which source a survey id or a name leads to; both are for ever. */
  readonly #bySurvey: Cache<string, string>;
  readonly #byName: Cache<string, string>;
  /** What a name under /s/ leads to: a survey id for ever, a site key while the catalogue stays as it is. */
  readonly #byPage: Cache<string, RememberedPage>;
  #generation = -1;
  #generationAskedAtMs = Number.NEGATIVE_INFINITY;
  #generationUnderWay: Promise<number> | null = null;

  constructor({ db, elapsedMs, config }: SourcesInput) {
    this.#db = db;
    this.#elapsedMs = elapsedMs;
    this.#remembered = new Cache({
      bytesMax: config.definitionsMemoryBytes,
      bytesOf: ({ ready }) => ready.bytes,
      ageMaxMs: definitionAgeMaxMs,
      elapsedMs,
    });
    const names = { bytesMax: namesBytesMax, bytesOf: (key: string) => 2 * key.length };
    this.#bySurvey = new Cache(names);
    this.#byName = new Cache(names);
    this.#byPage = new Cache({ bytesMax: namesBytesMax, bytesOf: () => 200 });
  }

  /** What is remembered now takes so many bytes, for the metrics. */
  get bytes(): number {
    return this.#remembered.bytes;
  }

  /** The source of a survey if it is remembered and fresh: the way of nearly every response. */
  rememberedOfSurvey(surveyId: string): PreparedSource | null {
    return this.#fresh(this.#bySurvey.get(surveyId));
  }

  #fresh(key: string | undefined): PreparedSource | null {
    const remembered = key === undefined ? undefined : this.#remembered.get(key);
    if (remembered === undefined) return null;
    const ageMs = this.#elapsedMs() - this.#generationAskedAtMs;
    if (ageMs >= generationAgeMaxMs || remembered.generation !== this.#generation) return null;
    if (ageMs >= generationRenewMs && this.#generationUnderWay === null) {
      // A store that is away is told to those who need its answer.
      this.#askGeneration().catch(() => {});
    }
    return remembered.ready;
  }

  /** What is remembered of it, held against the store where it is not fresh; null where nothing is. */
  async ofSurvey(surveyId: string): Promise<PreparedSource | null> {
    return this.rememberedOfSurvey(surveyId) ?? this.#checked(this.#bySurvey.get(surveyId));
  }

  async freshOfSurvey(surveyId: string): Promise<PreparedSource | null> {
    return this.#ask(this.#bySurvey, surveyId, () => findSourceOfSurvey(this.#db, surveyId));
  }

  /** What a name under /s/ leads to, a survey id or a site key, if it is remembered and fresh. */
  rememberedOfPage(name: string): PageSurvey | null {
    const page = this.#byPage.get(name);
    if (page === undefined) return null;
    const { project } = page.target;
    if (project === null) return ofSurveyId(this.rememberedOfSurvey(name), name);
    const ready = this.#fresh(this.#byName.get(nameText(project)));
    // Asked after the source, which says that the generation is that of now.
    return ready !== null && page.generation === this.#generation ? ofSiteKey(ready, name) : null;
  }

  /** What is remembered of it, held against the store where it is not fresh; null where nothing is. */
  async ofPage(name: string): Promise<PageSurvey | null> {
    const remembered = this.rememberedOfPage(name);
    if (remembered !== null) return remembered;
    const page = this.#byPage.get(name);
    if (page === undefined) return null;
    if (page.target.project === null) return ofSurveyId(await this.ofSurvey(name), name);
    // A site key may belong to another project by now.
    const isSame = page.generation === (await this.generation());
    const target = isSame ? page.target : await this.#askPage(name);
    return target === null ? null : this.#ofTarget(target, name);
  }

  async freshOfPage(name: string): Promise<PageSurvey | null> {
    if (!isPageName(name)) return null;
    const target = await this.#askPage(name);
    if (target === null) return null;
    const { project } = target;
    return project === null
      ? ofSurveyId(await this.freshOfSurvey(name), name)
      : ofSiteKey(await this.#freshByName(project), name);
  }

  async #ofTarget({ project }: PageTarget, name: string): Promise<PageSurvey | null> {
    return project === null
      ? ofSurveyId((await this.ofSurvey(name)) ?? (await this.freshOfSurvey(name)), name)
      : ofSiteKey(await this.byName(project), name);
  }

  async #askPage(name: string): Promise<PageTarget | null> {
    const page = await this.#byPage.ask(name, async () => {
      // Before the name, as with definitions.
      const generation = await this.generation();
      const target = await findPageTarget(this.#db, name);
      return target === null ? null : { target, generation };
    });
    return page?.target ?? null;
  }

  async byName(name: SourceName): Promise<PreparedSource | null> {
    const text = nameText(name);
    return (await this.#checked(this.#byName.get(text))) ?? this.#freshByName(name);
  }

  /** Several of one account, in the order of their names; what is not remembered is asked for at once. One that is gone is left out. */
  async several(accountId: number, names: readonly NumberedName[]): Promise<readonly PreparedSource[]> {
    const remembered = await Promise.all(
      names.map((name) => this.#checked(this.#byName.get(nameText(name)))),
    );
    const missing = names.filter((_, place) => remembered[place] === null);
    // Before the definitions, as with one.
    const generation = await this.generation();
    const askedAtMs = this.#elapsedMs();
    const ids = missing.map(({ sourceId }) => sourceId);
    const found = new Map<number, PreparedSource>();
    for (const source of await findSources(this.#db, accountId, ids))
      found.set(source.sourceId, this.#remember(source, generation, askedAtMs));
    for (const name of missing) {
      const ready = found.get(name.sourceId);
      if (ready !== undefined) this.#byName.set(nameText(name), keyOf(ready.source));
    }
    return names.flatMap(({ sourceId }, place) => remembered[place] ?? found.get(sourceId) ?? []);
  }

  /**
   * The source with a definition that explains every row up to this revision. Another replica may have taken a
   * response to a version that this one does not remember yet (D-119).
   */
  async atLeast(ready: PreparedSource, revision: number): Promise<PreparedSource> {
    const { source } = ready;
    if (source.revision >= revision) return ready;
    const key = source.kind === 'measure' ? source.measure.key : source.project.id;
    return (await this.#freshByName({ accountId: source.accountId, kind: source.kind, key })) ?? ready;
  }

  #freshByName(name: SourceName): Promise<PreparedSource | null> {
    return this.#ask(this.#byName, nameText(name), () => findSource(this.#db, name));
  }

  /** Remembered, and of the generation of now, or else of the same revision. */
  async #checked(key: string | undefined): Promise<PreparedSource | null> {
    const remembered = key === undefined ? undefined : this.#remembered.get(key);
    if (remembered === undefined) return null;
    const generation = await this.generation();
    if (remembered.generation === generation) return remembered.ready;
    const { accountId, sourceId, revision } = remembered.ready.source;
    if ((await sourceRevision(this.#db, accountId, sourceId)) !== revision) return null;
    remembered.generation = generation;
    return remembered.ready;
  }

  /** Asks for the whole definition, once for all who ask for it at the same time. */
  async #ask(
    index: Cache<string, string>,
    name: string,
    question: () => Promise<Source | null>,
  ): Promise<PreparedSource | null> {
    let found: PreparedSource | null = null;
    const key = await index.ask(name, async () => {
      // Before the definition: what is read after it may be newer than this generation, and is never older.
      const generation = await this.generation();
      const askedAtMs = this.#elapsedMs();
      const source = await question();
      if (source === null) return null;
      found = this.#remember(source, generation, askedAtMs);
      return keyOf(source);
    });
    if (key === null) return null;
    // Somebody else's question: its answer is remembered, unless it is too large for that.
    return found ?? this.#remembered.get(key)?.ready ?? this.#unremembered(question);
  }

  async #unremembered(question: () => Promise<Source | null>): Promise<PreparedSource | null> {
    const source = await question();
    return source === null ? null : new PreparedSource(source);
  }

  #remember(source: Source, generation: number, askedAtMs: number): PreparedSource {
    const key = keyOf(source);
    const before = this.#remembered.get(key);
    // The same revision: what was made ready from it still holds.
    const isSame = before !== undefined && before.ready.source.revision === source.revision;
    const ready = isSame
      ? before.ready
      : new PreparedSource(source, () => {
          const now = this.#remembered.get(key);
          // Counted anew. Where it has been forgotten meanwhile, it is no longer ours to count.
          if (now?.ready === ready) this.#remembered.set(key, { ...now }, now.askedAtMs);
        });
    this.#remembered.set(key, { ready, generation, askedAtMs }, askedAtMs);
    return ready;
  }

  /** Counted up by every change of the catalogue; a few seconds old at most. */
  async generation(): Promise<number> {
    const isFresh = this.#elapsedMs() - this.#generationAskedAtMs < generationAgeMaxMs;
    return isFresh ? this.#generation : this.#askGeneration();
  }

  #askGeneration(): Promise<number> {
    this.#generationUnderWay ??= apartFromRequests(() => this.#readGeneration()).finally(() => {
      this.#generationUnderWay = null;
    });
    return withinWaits(this.#generationUnderWay);
  }

  async #readGeneration(): Promise<number> {
    const askedAtMs = this.#elapsedMs();
    this.#generation = await catalogueGeneration(this.#db);
    this.#generationAskedAtMs = askedAtMs;
    return this.#generation;
  }
}

function ofSurveyId(ready: PreparedSource | null, surveyId: string): PageSurvey | null {
  const survey = ready?.survey(surveyId);
  return ready && survey ? { ready, survey } : null;
}

/** The current version of a project. A replica of an older release may have given it another site key (D-421). */
function ofSiteKey(ready: PreparedSource | null, siteKey: string): PageSurvey | null {
  if (ready?.source.kind !== 'project' || ready.source.project.siteKey !== siteKey) return null;
  const survey = ready.currentSurvey();
  return survey === null ? null : { ready, survey };
}

function keyOf({ accountId, sourceId }: Source): string {
  return `${accountId} ${sourceId}`;
}

function nameText({ accountId, kind, key }: SourceName): string {
  return `${accountId} ${kind} ${key}`;
}
