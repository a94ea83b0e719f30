// Lives of measures and projects, played by chance: they are made, answered, renamed, closed, given new versions,
// switched off and on; responses are erased and get external parameters. What is read in between must be what a model
// says that remembers every row in the order of arrival.

import assert from 'node:assert/strict';
import type { Answer } from './exchange.ts';
import type { FeedbackService } from './feedback-service.ts';
import type { Seeded } from './seeded.ts';

export type SourceKind = 'measure' | 'project';

interface Version {
  readonly id: string;
  readonly number: number;
  isClosed: boolean;
}

interface Row {
  readonly id: string;
  readonly day: string;
  readonly versionId: string;
  readonly value: number;
  readonly body: object;
  text: string | null;
  tier: string | null;
  isErased: boolean;
}

export interface Source {
  readonly accountId: number;
  readonly kind: SourceKind;
  readonly key: number;
  name: string;
  isActive: boolean;
  /** The last one is current. */
  readonly versions: Version[];
  readonly rows: Row[];
}

const days = ['2026-01-10', '2026-01-11', '2026-01-12', '2026-01-20', '2026-02-01'];
const firstDay = '2026-01-01';
const lastDay = '2026-12-31';
const texts = ['fine', 'ünïcode "quoted"', 'a\\b', '😀', 'line\nbreak'];

interface Item {
  readonly id: string;
  readonly experienceDate: string;
  readonly modelInstanceId: string;
  readonly erased?: boolean;
  readonly rating?: number | null;
  readonly latentScores?: readonly { readonly id: string; readonly score: number }[];
  readonly responses: readonly { readonly id: string; readonly answers: readonly string[] }[];
}

export class SourceLife {
  readonly sources: Source[] = [];
  readonly #service: FeedbackService;
  readonly #chance: Seeded;
  readonly #tokens = new Map<number, string>();
  readonly #sentTo = new Map<number, number>();
  #renamed = 0;

  constructor(service: FeedbackService, chance: Seeded) {
    this.#service = service;
    this.#chance = chance;
  }

  /** So many measures and projects in each account, with the same keys everywhere, all in one file. */
  async populate(accountIds: readonly number[], measures: number, projects: number): Promise<void> {
    for (const accountId of accountIds) {
      for (const [kind, count] of [['measure', measures] as const, ['project', projects] as const])
        for (let key = 1; key <= count; key += 1)
          this.sources.push({
            accountId,
            kind,
            key,
            name: `${kind} ${key} of ${accountId}`,
            isActive: true,
            versions: [this.#newVersion(accountId, kind, key, 1)],
            rows: [],
          });
    }
    await this.#service.apply(catalogueOf(this.sources));
    for (const accountId of accountIds) this.#tokens.set(accountId, await this.#service.token(accountId));
  }

  async step(): Promise<void> {
    const shares: readonly [number, () => Promise<void>][] = [
      [30, () => this.respond(this.#likelySource())],
      [6, () => this.playBurst()],
      [6, () => this.playRetry()],
      [5, () => this.playRename()],
      [4, () => this.playNewVersion()],
      [4, () => this.playClose()],
      [4, () => this.playSwitch()],
      [5, () => this.playErase()],
      [5, () => this.playExternal()],
      [22, () => this.playPage()],
      [4, () => this.playLists()],
      [5, () => this.playWalk()],
    ];
    let point = this.#chance.below(shares.reduce((sum, [share]) => sum + share, 0));
    for (const [share, play] of shares) {
      point -= share;
      if (point < 0) return play();
    }
  }

  /** One response to any version: taken while it is open and its source is on, refused by name otherwise. */
  async respond(source: Source): Promise<void> {
    const chance = this.#chance;
    const version = chance.pick(source.versions);
    const row = this.#newRow(source, version);
    const answer = await this.#post(source, row.body);
    const isTaken = source.isActive && !version.isClosed;
    assert.equal(answer.status, isTaken ? 200 : 400, answer.text);
    if (isTaken) source.rows.push(row);
  }

  /** Many at once, each to another source, so that the order within each is known. */
  async playBurst(size = 40): Promise<void> {
    const open = this.sources.filter(({ isActive }) => isActive);
    await Promise.all(this.#chance.some(open, size).map((source) => this.respond(source)));
  }

  /** The same again is the same success, for ever; other content under the same id is a conflict. */
  async playRetry(): Promise<void> {
    const source = this.#answeredSource();
    const row = this.#chance.pick(source.rows);
    const again = await this.#post(source, row.body);
    assert.equal(again.status, 200, again.text);
    assert.equal(again.body.responseId, row.id);
    const other = { ...row.body, submissionTimestamp: '2026-03-01T00:00:00Z' };
    const refused = await this.#post(source, other);
    assert.equal(refused.status, 409, refused.text);
    await this.#assertPage(source, firstDay, lastDay, 50, 0);
  }

  async playRename(): Promise<void> {
    const some = this.#chance.some(this.sources, 3);
    for (const source of some) source.name = `renamed ${this.#nextNumber()} ü`;
    await this.#service.apply(catalogueOf(some));
    for (const source of some) {
      const answer = await this.#get(source, `${pathOf(source)}/definition`);
      assert.equal(answer.body.name, source.name, answer.text);
    }
  }

  async playNewVersion(): Promise<void> {
    const source = this.#likelySource();
    const number = source.versions.length + 1;
    source.versions.push(this.#newVersion(source.accountId, source.kind, source.key, number));
    await this.#service.apply(catalogueOf([source]));
    const answer = await this.#get(source, `${pathOf(source)}/definition`);
    assert.equal(answer.body.modelInstanceId, modelOf(source.versions.at(-1)!.id), answer.text);
    await this.respond(source);
  }

  async playClose(): Promise<void> {
    const source = this.#likelySource();
    const version = this.#chance.pick(source.versions);
    version.isClosed = !version.isClosed;
    await this.#service.apply(catalogueOf([source]));
    await this.respond(source);
  }

  async playSwitch(): Promise<void> {
    const source = this.#likelySource();
    source.isActive = !source.isActive;
    await this.#service.apply(catalogueOf([source]));
    await this.respond(source);
    await this.#assertPage(source, firstDay, lastDay, 20, 0);
  }

  /** What was said goes; place, day and score stay, and nobody else's row moves. */
  async playErase(): Promise<void> {
    const source = this.#answeredSource();
    const row = this.#chance.pick(source.rows);
    await this.#service.erase(source.accountId, row.id);
    Object.assign(row, { isErased: true, text: null, tier: null });
    await this.#assertPage(source, firstDay, lastDay, 100, 0);
  }

  async playExternal(): Promise<void> {
    const source = this.#answeredSource();
    const rows = this.#chance.some(
      source.rows.filter(({ isErased, tier }) => !isErased && tier === null),
      5,
    );
    if (rows.length === 0) return;
    const tier = this.#chance.pick(['gold', 'silver', 'ünïque']);
    const values = Object.fromEntries(rows.map(({ id }) => [id, { tier }]));
    await this.#service.addExternal(source.accountId, values);
    for (const row of rows) row.tier = tier;
    await this.#assertPage(source, firstDay, lastDay, 100, 0);
  }

  async playPage(): Promise<void> {
    const chance = this.#chance;
    const source = this.#answeredSource();
    const [from, to] = [chance.pick(days), chance.pick(days)].sort() as [string, string];
    const limit = chance.pick([1, 2, 7, 25, 100]);
    const pages = Math.ceil(source.rows.length / limit);
    await this.#assertPage(source, from, to, limit, chance.below(pages + 1));
  }

  /** Each account has its own list, with the names and states of now. */
  async playLists(): Promise<void> {
    const [accountId, token] = this.#chance.pick([...this.#tokens]);
    const own = this.sources.filter((source) => source.accountId === accountId);
    const measures = own.filter(({ kind }) => kind === 'measure');
    const shown: { id: number; name: string; active: boolean }[] = [];
    for (let page = 0, hasMore = true; hasMore; page += 1) {
      const answer = await this.#service.get(`/v1/measures?limit=60&offset=${page}`, token);
      assert.equal(answer.status, 200, answer.text);
      shown.push(...(answer.body.items as typeof shown));
      hasMore = answer.body.hasMore === true;
    }
    assert.deepEqual(
      shown.map(({ id, name, active }) => [id, name, active]),
      measures.map(({ key, name, isActive }) => [key, name, isActive]),
    );
    const projects = (await this.#service.get('/v1/projects', token)).body as unknown as {
      id: number;
      name: string;
      status: string;
    }[];
    assert.deepEqual(
      projects.map(({ id, name, status }) => [id, name, status]),
      own
        .filter(({ kind }) => kind === 'project')
        .map(({ key, name, isActive }) => [key, name, isActive ? 'ACTIVE' : 'INACTIVE']),
    );
  }

  /** Between any two pages responses come in; whoever walks sees what was there at the start once, in its order. */
  async playWalk(): Promise<void> {
    const chance = this.#chance;
    const source = this.#answeredSource();
    const limit = chance.pick([5, 20, 100]);
    const thereAtStart = source.rows.map(({ id }) => id);
    const walked: string[] = [];
    for (let page = 0; ; page += 1) {
      const answer = await this.#get(source, dataPath(source, firstDay, lastDay, limit, page));
      const items = answer.body.items as Item[];
      walked.push(...items.map(({ id }) => id));
      if (answer.body.hasMore !== true || walked.length > thereAtStart.length) break;
      await this.respond(source);
      if (chance.percent(20)) await this.playBurst(10);
    }
    assert.deepEqual(walked.slice(0, thereAtStart.length), thereAtStart);
    assert.equal(new Set(walked).size, walked.length);
  }

  /** Several write to several sources at once while others walk them: no row is lost, doubled or moved. */
  async playCrowd(writers: number, each: number): Promise<void> {
    const busy = this.#chance.some(
      this.sources.filter(({ isActive, versions }) => isActive && !versions.at(-1)!.isClosed),
      writers,
    );
    const before = busy.map(({ rows }) => rows.map(({ id }) => id));
    let sent = 0;
    let isOver = false;
    const write = async (source: Source): Promise<void> => {
      for (let count = 0; count < each; count += 1) {
        const row = this.#newRow(source, source.versions.at(-1)!);
        const answer = await this.#post(source, row.body);
        assert.equal(answer.status, 200, answer.text);
        sent += 1;
        source.rows.push(row);
      }
    };
    const walk = async (source: Source, index: number): Promise<void> => {
      do {
        const ids = await this.#walk(source);
        assert.deepEqual(ids.slice(0, before[index]!.length), before[index]);
        assert.equal(new Set(ids).size, ids.length);
      } while (!isOver);
    };
    const walking = Promise.all(busy.slice(0, 4).map(walk));
    await Promise.all(busy.map(write)).finally(() => {
      isOver = true;
    });
    await walking;
    for (const source of busy)
      assert.deepEqual(
        await this.#walk(source),
        source.rows.map(({ id }) => id),
      );
    assert.equal(sent, busy.length * each);
  }

  /** Every source of every account from end to end. */
  async assertWhole(): Promise<void> {
    for (const source of this.sources) {
      const pages = Math.max(1, Math.ceil(source.rows.length / 100));
      for (let page = 0; page < pages; page += 1)
        await this.#assertPage(source, firstDay, lastDay, 100, page);
    }
  }

  async #walk(source: Source): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 0, hasMore = true; hasMore; page += 1) {
      const answer = await this.#get(source, dataPath(source, firstDay, lastDay, 50, page));
      assert.equal(answer.status, 200, answer.text);
      ids.push(...(answer.body.items as Item[]).map(({ id }) => id));
      hasMore = answer.body.hasMore === true;
    }
    return ids;
  }

  async #assertPage(source: Source, from: string, to: string, limit: number, page: number): Promise<void> {
    const answer = await this.#get(source, dataPath(source, from, to, limit, page));
    assert.equal(answer.status, 200, answer.text);
    const inRange = source.rows.filter(({ day }) => day >= from && day <= to);
    const wanted = inRange.slice(page * limit, (page + 1) * limit);
    const items = answer.body.items as Item[];
    assert.deepEqual(
      items.map((item) => seenRow(source.kind, item)),
      wanted.map((row) => expectedRow(source.kind, row)),
      `${source.kind} ${source.key} of ${source.accountId}, ${from} to ${to}, page ${page} of ${limit}`,
    );
    assert.equal(answer.body.total, inRange.length);
    assert.equal(answer.body.hasMore, (page + 1) * limit < inRange.length);
    if (source.kind !== 'measure') return;
    const { latentScores } = answer.body.summary as {
      latentScores: { score: number | null; count: number }[];
    };
    const sum = inRange.reduce((total, { value }) => total + scoreOf(value), 0);
    assert.equal(latentScores[0]?.count, inRange.length);
    if (inRange.length === 0) assert.equal(latentScores[0]?.score, null);
    else assert.ok(Math.abs((latentScores[0]?.score ?? -1) - sum / inRange.length) < 1e-6);
  }

  #newVersion(accountId: number, kind: SourceKind, key: number, number: number): Version {
    return { id: `${kind}-${accountId}-${key}-v${number}`, number, isClosed: false };
  }

  #newRow(source: Source, version: Version): Row {
    const chance = this.#chance;
    // Ids are unique in an account only: two accounts use the same ones.
    const number = (this.#sentTo.get(source.accountId) ?? 0) + 1;
    this.#sentTo.set(source.accountId, number);
    const id = `response-${number}`;
    const day = chance.pick(days);
    const value = 1 + chance.below(5);
    const text = chance.percent(50) ? chance.pick(texts) : null;
    const body = {
      surveyDefinitionId: version.id,
      responseId: id,
      submissionTimestamp: `${day}T${String(chance.below(24)).padStart(2, '0')}:30:00Z`,
      responses: {
        [source.kind === 'measure' ? 'Q-SAT' : 'Q-STARS']: [String(value)],
        ...(text === null ? {} : { 'Q-WORDS': [text] }),
      },
    };
    return { id, day, versionId: version.id, value, body, text, tier: null, isErased: false };
  }

  #nextNumber(): number {
    this.#renamed += 1;
    return this.#renamed;
  }

  /** A few are asked for much more often than the rest, so that they grow long. */
  #likelySource(): Source {
    const chance = this.#chance;
    return chance.percent(60) ? this.sources[chance.below(6)]! : chance.pick(this.sources);
  }

  #answeredSource(): Source {
    const source = this.#likelySource();
    if (source.rows.length > 0) return source;
    return this.#chance.pick(this.sources.filter(({ rows }) => rows.length > 0));
  }

  async #post(source: Source, body: object): Promise<Answer> {
    const answer = await this.#service.post(body, this.#tokens.get(source.accountId)!);
    assert.ok(answer.status < 500, answer.text);
    return answer;
  }

  async #get(source: Source, path: string): Promise<Answer> {
    const answer = await this.#service.get(path, this.#tokens.get(source.accountId)!);
    assert.ok(answer.status < 500, answer.text);
    return answer;
  }
}

const modelOf = (versionId: string): string => `model of ${versionId}`;
const scoreOf = (value: number): number => ((value - 1) / 4) * 100;
const pathOf = ({ kind, key }: Source): string => `/v1/${kind}s/${key}`;

/** The two count their pages differently, as the interface has it. */
function dataPath(source: Source, from: string, to: string, limit: number, page: number): string {
  const offset = source.kind === 'measure' ? page : page * limit;
  return `${pathOf(source)}/data?from=${from}&to=${to}&limit=${limit}&offset=${offset}`;
}

function expectedRow(kind: SourceKind, row: Row): object {
  return {
    id: row.id,
    day: row.day,
    model: modelOf(row.versionId),
    isErased: row.isErased,
    text: row.text,
    tier: row.tier,
    value: kind === 'measure' ? scoreOf(row.value) : row.isErased ? null : row.value,
  };
}

function seenRow(kind: SourceKind, item: Item): object {
  const answerTo = (id: string): string | null =>
    item.responses?.find((response) => response.id === id)?.answers[0] ?? null;
  return {
    id: item.id,
    day: item.experienceDate,
    model: item.modelInstanceId,
    isErased: item.erased === true,
    text: answerTo('Q-WORDS'),
    tier: answerTo('EPP-TIER'),
    value: kind === 'measure' ? item.latentScores?.[0]?.score : (item.rating ?? null),
  };
}

function catalogueOf(sources: readonly Source[]): object {
  const accounts = [...new Set(sources.map(({ accountId }) => accountId))];
  return {
    accounts: accounts.map((id) => {
      const own = sources.filter(({ accountId }) => accountId === id);
      const of = (kind: SourceKind): Source[] => own.filter((source) => source.kind === kind);
      return {
        id,
        name: `Account ${id}`,
        measures: of('measure').map((source) => ({
          key: source.key,
          name: source.name,
          active: source.isActive,
          surveys: surveysOf(source),
        })),
        projects: of('project').map((source) => ({
          id: source.key,
          name: source.name,
          status: source.isActive ? 'ACTIVE' : 'INACTIVE',
          surveys: surveysOf(source),
        })),
      };
    }),
  };
}

function surveysOf(source: Source): object[] {
  const words = { id: 'Q-WORDS', name: 'Tell us more', responseType: 'TEXT' };
  const stars = { id: 'Q-STARS', name: 'Your rating', responseType: 'STAR_RATING', role: 'rating' };
  const asked = { id: 'Q-SAT', name: 'How satisfied are you?', scale: { min: 1, max: 5 }, required: true };
  const latents = [{ id: 'L-SAT', name: 'Satisfaction', type: 'SATISFACTION', questions: [asked] }];
  return source.versions.map(({ id, number, isClosed }, index) => ({
    id,
    modelInstanceId: modelOf(id),
    version: number,
    current: index === source.versions.length - 1,
    closed: isClosed,
    ...(source.kind === 'measure' ? { latents, questions: [words] } : { questions: [stars, words] }),
    parameters: { external: [{ id: 'EPP-TIER', name: 'tier' }] },
  }));
}
