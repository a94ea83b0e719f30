// The demo account: a retailer whose visitors answered over the last 90 days. `serve --demo` loads it only into a
// store without accounts, so that it never mixes with somebody's data; `soundings demo` adds to it.

import type { Context } from '../../context.ts';
import { grants } from '../../domain/access/account.ts';
import { dayOf } from '../../domain/dates.ts';
import type { Catalogue } from '../../domain/feedback/definition.ts';
import type { ExternalLine } from '../../domain/feedback/external-lines.ts';
import { type AppendItem, judgeDraft } from '../../domain/feedback/judged-draft.ts';
import { readDraft } from '../../domain/feedback/response-draft.ts';
import { readInstalled } from '../../installation.ts';
import type { NewApiClient } from '../../store/access/new-credentials.ts';
import { hasAccount, hasAccounts } from '../../store/feedback/catalogue.ts';
import { appendExternal } from '../../store/feedback/external-parameters.ts';
import { readKept } from '../../store/feedback/kept-catalogue.ts';
import { appendResponses, countResponses } from '../../store/feedback/log.ts';
import { newMark } from '../../store/feedback/log-history.ts';
import { Sources } from '../../store/feedback/sources.ts';
import { changeStamp } from '../frame/change-stamp.ts';
import { type Advance, numberText, withProgress } from '../frame/progress.ts';
import { once, type Step } from '../frame/start-patience.ts';
import { CommandError, type Terminal, visible } from '../frame/terminal.ts';
import { addApiClient } from '../keys/new-client.ts';
import { applyParts } from '../surveys/catalogue-apply.ts';
import { applyFile, type LoadedCatalogue, readCatalogueFile } from '../surveys/catalogue-file.ts';
import type { CataloguePart } from '../surveys/catalogue-reading.ts';
import { type DemoResponse, type DemoWish, demoAccountId, demoResponses } from './demo-responses.ts';
import { loadPeople } from './demo-users.ts';

const catalogueFile = 'examples/demo.yaml';
const usualResponses = 5_000;
const demoDays = 90;
const firstSeed = 4_001;
const batchSize = 1_000;
// Parameters that come after the fact are added for many responses at a time: each time is one entry of the audit log.
const externalBatchSize = 10_000;
// A definition may change while a batch is on its way; the batch is then judged again by the new one.
const judgingsMax = 5;

/** The demo's API client, or null when the store had accounts already. */
export async function loadDemo(
  context: Context,
  terminal: Terminal,
  step: Step = once,
): Promise<NewApiClient | null> {
  if (await step(() => hasAccounts(context.db))) return null;
  const file = await readDemoFile();
  await step(() => applyFile(context, file, false));
  await loadPeople(context, step);
  await loadResponses(context, terminal, file.catalogue, usualResponses, step);
  // Last, because its secret is shown once: whoever stops the loading half way has lost nothing that is kept.
  return step(() => addApiClient(context, demoAccountId, 'demo', grants));
}

/** The demo account with its usual responses, or with this many more. */
export async function fillDemo(context: Context, terminal: Terminal, wanted: number | undefined) {
  const file = await readDemoFile();
  const isNew = !(await hasAccount(context.db, demoAccountId));
  if (isNew) {
    await applyFile(context, file, false);
    await loadPeople(context);
  } else await bringUpToDate(context, terminal, file);
  const catalogue = isNew ? file.catalogue : await keptDemo(context, file.catalogue);
  const before = await countResponses(context.db, demoAccountId);
  const count = wanted ?? Math.max(0, usualResponses - before);
  const loaded = count === 0 ? 0 : await loadResponses(context, terminal, catalogue, count);
  const total = await countResponses(context.db, demoAccountId);
  const demoClient = isNew ? await addApiClient(context, demoAccountId, 'demo', grants) : null;
  return { accountId: demoAccountId, loaded, total, demoClient };
}

async function readDemoFile(): Promise<LoadedCatalogue> {
  return readCatalogueFile(await readInstalled(catalogueFile), catalogueFile);
}

/**
 * A store that had its demo from an older release gets the catalogue of this one (D-508). Where somebody changed the demo so that it
 * cannot be applied, what the store has is good enough. An account without any survey of the demo is somebody's own.
 */
async function bringUpToDate(context: Context, terminal: Terminal, file: LoadedCatalogue): Promise<void> {
  const known = new Set(surveysOf(await keptAccounts(context, file.catalogue), false));
  if (!surveysOf(file.catalogue.accounts, false).some((id) => known.has(id))) throw notTheDemo();
  const changed: string[] = [];
  const parts = async function* parts(): AsyncGenerator<CataloguePart> {
    yield { ...file, faults: [] };
  };
  try {
    await applyParts(
      context,
      { name: file.name, parts: parts(), isDryRun: false },
      { onChanged: (words) => changed.push(...words) },
    );
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const [cause = ''] = error.message.split('\n');
    terminal.tell(`The demo's catalogue of this release was not applied. ${visible(cause)}`);
    return;
  }
  if (changed.length > 0)
    terminal.tell(`The demo's catalogue is that of this release now: ${numberText(changed.length)} changed.`);
}

async function keptAccounts(context: Context, catalogue: Catalogue): Promise<Catalogue['accounts']> {
  const kept = await readKept(context.db, catalogue);
  return kept.catalogue.accounts.filter(({ id }) => id === demoAccountId);
}

function surveysOf(some: Catalogue['accounts'], isCurrent: boolean): string[] {
  return some.flatMap(({ measures, projects }) =>
    [...measures, ...projects].flatMap(({ surveys }) =>
      surveys.filter(({ current }) => current || !isCurrent).map(({ id }) => id),
    ),
  );
}

/** The demo as the store has it. */
async function keptDemo(context: Context, catalogue: Catalogue): Promise<Catalogue> {
  const accounts = await keptAccounts(context, catalogue);
  const known = new Set(surveysOf(accounts, false));
  // A store whose demo is older lacks the versions that came to the file since, and goes on without them.
  if (surveysOf(catalogue.accounts, true).every((id) => known.has(id))) return { accounts };
  throw notTheDemo();
}

/** Somebody's own account may have the demo's number; it is left alone. */
function notTheDemo(): CommandError {
  return new CommandError(
    `Account ${demoAccountId} is not the demo account, so nothing was loaded. Give the demo a store of its own in DATABASE_URL.`,
  );
}

async function loadResponses(
  context: Context,
  terminal: Terminal,
  catalogue: Catalogue,
  count: number,
  step: Step = once,
): Promise<number> {
  // From what is there already: the same from an empty store every time, and something new each time after that (D-125).
  const seed = firstSeed + (await step(() => countResponses(context.db, demoAccountId)));
  const wish = { seed, days: demoDays, count, today: dayOf(context.now()) };
  return withProgress(
    terminal,
    { title: `Loading ${numberText(count)} responses into the demo account`, total: count },
    (advance) => loadWish(context, catalogue, wish, advance, step),
    (loaded) => `${numberText(loaded)} responses of the last ${demoDays} days are loaded.`,
  );
}

async function loadWish(
  context: Context,
  catalogue: Catalogue,
  wish: DemoWish,
  advance: Advance,
  step: Step,
): Promise<number> {
  const sources = new Sources(context);
  const columns = externalNames(catalogue);
  let lines: ExternalLine[] = [];
  let loaded = 0;
  const made = demoResponses(catalogue, wish);
  for (const batch of batchesOf(wish.seed === firstSeed ? withKnownIds(made) : made, batchSize)) {
    loaded += await step(() => appendBatch(context, sources, batch));
    for (const { body, external } of batch) {
      if (external !== null) lines.push(lineOf(columns, body.responseId, external));
    }
    if (lines.length >= externalBatchSize) {
      const full = lines;
      await step(() => appendLines(context, columns, full));
      lines = [];
    }
    advance(batch.length);
  }
  await step(() => appendLines(context, columns, lines));
  return loaded;
}

/** The examples of the API document are about single responses, and are sent to every demo. */
const knownIds: Readonly<Record<string, string>> = {
  'acme-web-browse-3': 'demo-visit',
  'acme-badge-1': 'demo-badge',
};

/** The first response to some of the surveys has an id that does not depend on its time. */
function* withKnownIds(responses: Iterable<DemoResponse>): Generator<DemoResponse> {
  const left = new Map(Object.entries(knownIds));
  for (const response of responses) {
    const surveyId = String(response.body.surveyDefinitionId);
    const responseId = left.get(surveyId);
    left.delete(surveyId);
    yield responseId === undefined ? response : { ...response, body: { ...response.body, responseId } };
  }
}

function* batchesOf<T>(all: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const one of all) {
    batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** By the judge and the append of ingestion, many at a time; says how many were not there before. */
async function appendBatch(
  context: Context,
  sources: Sources,
  batch: readonly DemoResponse[],
): Promise<number> {
  let waiting = batch;
  let kept = 0;
  for (let judging = 1; waiting.length > 0; judging += 1) {
    if (judging > judgingsMax)
      throw new CommandError('The demo surveys keep being changed. Please try again.');
    const items: AppendItem[] = [];
    for (const { body } of waiting) items.push(await judged(context, sources, body, judging > 1));
    const outcomes = await context.db.write(appendResponses, {
      items,
      mark: newMark(),
    });
    kept += outcomes.filter((outcome) => outcome === 'kept').length;
    waiting = waiting.filter((_, index) => outcomes[index] === 'stale');
  }
  return kept;
}

async function judged(
  context: Context,
  sources: Sources,
  body: DemoResponse['body'],
  isFresh: boolean,
): Promise<AppendItem> {
  const { draft } = readDraft(body);
  if (draft === null) throw new Error('The demo made a response that is not even a draft.');
  const { surveyDefinitionId: id } = draft;
  const ready = isFresh
    ? await sources.freshOfSurvey(id)
    : ((await sources.ofSurvey(id)) ?? (await sources.freshOfSurvey(id)));
  const survey = ready?.survey(id) ?? null;
  if (ready === null || survey === null) throw new CommandError(`The demo survey ${id} is not there.`);
  const version = { source: ready.source, survey, prepared: ready.prepared(survey) };
  const { item, faults } = judgeDraft(version, draft, JSON.stringify(body), {
    nowMs: context.now(),
    newId: context.newId,
  });
  if (item !== null) return item;
  throw new CommandError(
    `The demo survey ${id} was changed and takes no demo responses any more: ${faults[0]?.message ?? ''}`,
  );
}

// ---- external parameters

function externalNames({ accounts }: Catalogue): readonly string[] {
  const surveys = accounts.flatMap(({ measures, projects }) =>
    [...measures, ...projects].flatMap((source) => source.surveys),
  );
  return [...new Set(surveys.flatMap(({ parameters }) => parameters.external.map(({ name }) => name)))];
}

function lineOf(
  columns: readonly string[],
  responseId: string,
  external: NonNullable<DemoResponse['external']>,
): ExternalLine {
  return { line: 0, responseId, values: columns.map((column) => external[column] ?? '') };
}

async function appendLines(
  context: Context,
  columns: readonly string[],
  lines: readonly ExternalLine[],
): Promise<void> {
  if (lines.length === 0) return;
  const { faults } = await context.db.write(appendExternal, {
    ...changeStamp(context),
    accountId: demoAccountId,
    sourceId: null,
    isReplacing: false,
    columns,
    lines,
  });
  if (faults[0] !== undefined)
    throw new CommandError(`The demo surveys take no demo parameters any more: ${faults[0].message}.`);
}

/** Three lines that work when they are pasted into a shell: get a token, send a response, read it back. */
export function tryLines(baseUrl: string, { clientId, clientSecret }: NewApiClient): readonly string[] {
  const tokenUrl = `${baseUrl}/v1/token?grant_type=client_credentials&scope=r_cx_basic`;
  const form = "-H 'Content-Type: application/x-www-form-urlencoded'";
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const body = JSON.stringify({
    surveyDefinitionId: 'acme-badge-1',
    responses: { 'Q-STARS': ['4'], 'Q-TOPIC': ['T-4'], 'Q-COMMENT': ['My first response'] },
  });
  const today = '$(date -u +%F)';
  return [
    `TOKEN=$(curl -s -X POST -u '${clientId}:${clientSecret}' ${form} '${tokenUrl}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -X POST ${bearer} -H 'Content-Type: application/json' -d '${body}' '${baseUrl}/v1/surveys/ingestion'`,
    `curl -s ${bearer} "${baseUrl}/v1/projects/3223/data?from=${today}&to=${today}"`,
  ];
}
