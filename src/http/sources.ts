// What a replica remembers of measures, projects and surveys. It may be a few seconds old; a miss asks the store, so
// that what was just applied works at once (D-13). What is made ready from a definition is made once a revision.

import type { SourceName } from '../domain/catalogue-change.ts';
import { prepareTexts, type VersionTexts } from '../domain/respondent.ts';
import { type PreparedSurvey, prepareSurvey } from '../domain/survey.ts';
import type { House } from '../house.ts';
import { findSource, findSourceOfSurvey, type KeptSurvey, type Source } from '../store/catalogue.ts';

const ageMaxMs = 4_000;
const rememberedMax = 10_000;

/** A source with everything that judging and showing need. */
export class ReadySource {
  readonly source: Source;
  readonly #prepared = new Map<number, PreparedSurvey>();
  readonly #texts = new Map<number, VersionTexts>();

  constructor(source: Source) {
    this.source = source;
  }

  survey(surveyId: string): KeptSurvey | null {
    return this.source.surveys.find(({ definition }) => definition.id === surveyId) ?? null;
  }

  get current(): KeptSurvey | null {
    return this.source.surveys.find(({ definition }) => definition.current) ?? null;
  }

  prepared({ number, definition }: KeptSurvey): PreparedSurvey {
    let prepared = this.#prepared.get(number);
    if (prepared === undefined) {
      prepared = prepareSurvey(definition, stateOf(this.source));
      this.#prepared.set(number, prepared);
    }
    return prepared;
  }

  texts(surveyNumber: number): VersionTexts {
    let texts = this.#texts.get(surveyNumber);
    if (texts === undefined) {
      const kept = this.source.surveys.find(({ number }) => number === surveyNumber);
      if (kept === undefined) throw new Error('A row of the log names a version that is not there.');
      texts = prepareTexts(kept.definition);
      this.#texts.set(surveyNumber, texts);
    }
    return texts;
  }
}

function stateOf(source: Source): PreparedSurvey['source'] {
  return source.kind === 'measure'
    ? { kind: 'measure', active: source.measure.active }
    : { kind: 'project', status: source.project.status };
}

interface Remembered {
  readonly ready: ReadySource;
  readonly readAtMs: number;
}

export class Sources {
  readonly #house: House;
  readonly #bySurvey = new Map<string, Remembered>();
  readonly #byName = new Map<string, Remembered>();

  constructor(house: House) {
    this.#house = house;
  }

  /** The source of a survey if it is remembered and fresh: the way of nearly every response. */
  rememberedOfSurvey(surveyId: string): ReadySource | null {
    return this.#fresh(this.#bySurvey.get(surveyId));
  }

  async ofSurvey(surveyId: string): Promise<ReadySource | null> {
    return this.rememberedOfSurvey(surveyId) ?? (await this.freshOfSurvey(surveyId));
  }

  async freshOfSurvey(surveyId: string): Promise<ReadySource | null> {
    const readAtMs = this.#house.elapsedMs();
    const before = this.#bySurvey.get(surveyId);
    return this.#remember(
      this.#bySurvey,
      surveyId,
      before,
      await findSourceOfSurvey(this.#house.db, surveyId),
      readAtMs,
    );
  }

  async byName(name: SourceName): Promise<ReadySource | null> {
    const key = nameText(name);
    const before = this.#byName.get(key);
    const fresh = this.#fresh(before);
    if (fresh !== null) return fresh;
    const readAtMs = this.#house.elapsedMs();
    return this.#remember(this.#byName, key, before, await findSource(this.#house.db, name), readAtMs);
  }

  /**
   * The source with a definition that explains every row up to this revision. Another replica may have taken a
   * response to a version that this one does not remember yet (D-119).
   */
  async atLeast(ready: ReadySource, revision: number): Promise<ReadySource> {
    const { source } = ready;
    if (source.revision >= revision) return ready;
    const key = source.kind === 'measure' ? source.measure.key : source.project.id;
    const name = { accountId: source.accountId, kind: source.kind, key };
    this.#byName.delete(nameText(name));
    return (await this.byName(name)) ?? ready;
  }

  #fresh(remembered: Remembered | undefined): ReadySource | null {
    if (remembered === undefined) return null;
    return this.#house.elapsedMs() - remembered.readAtMs < ageMaxMs ? remembered.ready : null;
  }

  #remember(
    map: Map<string, Remembered>,
    key: string,
    before: Remembered | undefined,
    source: Source | null,
    readAtMs: number,
  ): ReadySource | null {
    if (source === null) {
      map.delete(key);
      return null;
    }
    // The same revision: what was made ready from it still holds.
    const isSame = before !== undefined && before.ready.source.revision === source.revision;
    const ready = isSame ? before.ready : new ReadySource(source);
    if (map.size >= rememberedMax) map.clear();
    map.set(key, { ready, readAtMs });
    return ready;
  }
}

function nameText({ accountId, kind, key }: SourceName): string {
  return `${accountId} ${kind} ${key}`;
}
