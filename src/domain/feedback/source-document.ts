// One measure or project as the editor of the console has it: what stands under `measures` or `projects` of a catalogue, with
// one version of its survey. It is read by the rules of the catalogue, in the browser while somebody writes and by the service
// before anything is kept, so that both name the same faults (D-570).

import { type Interruptible, inOneGo } from '../interruptible.ts';
import { type CatalogueFault, inFileOrder, phrase } from './catalogue-fault.ts';
import { type FileNode, type LineOf, readEachInPieces } from './catalogue-file.ts';
import { readMeasure, readProject } from './catalogue-source.ts';
import type { CatalogueAccount, Measure, Project, SurveyDefinition } from './definition.ts';

/** So many questions are edited in one version; the command line takes more. */
const editedQuestionsMax = 500;
const editedParametersMax = 500;
/** Of any other list, such as the answers to one question (D-932). */
const editedEntriesMax = 1_000;

export type SourceReading = {
  /** Null where the document has faults. */
  readonly source: Measure | Project | null;
  readonly lineOf: LineOf;
  readonly faults: readonly CatalogueFault[];
};

interface EditedName {
  readonly kind: 'measure' | 'project';
  readonly key: number;
}

/** `faults` are those that opening the text has found, and is added to. */
export function readSourceDocument(
  root: FileNode,
  name: EditedName,
  faults: CatalogueFault[],
): SourceReading {
  return inOneGo(sourceReading(root, name, faults));
}

/** The same, some questions at a time. */
export function* sourceReading(
  root: FileNode,
  { kind, key }: EditedName,
  faults: CatalogueFault[],
): Interruptible<SourceReading> {
  const lines = new WeakMap<object, number>();
  const lineOf: LineOf = (entry) => lines.get(entry) ?? root.line;
  let source: Measure | Project | null = null;
  if (root.isObject() && isOfBearableSize(root)) {
    const read = kind === 'measure' ? readMeasure : readProject;
    [source = null] = yield* readEachInPieces<Measure | Project>([root], (place) =>
      read(place, (entry, { line }) => {
        lines.set(entry, line);
        return entry;
      }),
    );
    const name = kind === 'measure' ? 'key' : 'id';
    const written = root.peek(name);
    if (typeof written === 'number' && written !== key)
      root.at(name).fault(phrase('keptName', { kind: phrase(kind), key, member: name }));
  }
  if (faults.length > 0) return { source: null, lineOf, faults: inFileOrder(faults) };
  return { source, lineOf, faults: [] };
}

/** Looked at first: what is read of a question costs more where there are more of them, and each place of a long list takes memory. */
function isOfBearableSize(root: FileNode): boolean {
  const surveys = root.count('surveys');
  if (surveys !== 1) {
    // What is no list at all is a fault of its own.
    if (surveys === 0) root.list('surveys');
    root.at('surveys').fault(phrase('oneVersion', { count: surveys }));
    return false;
  }
  const survey = root.list('surveys')[0]!;
  const latents = survey.count('latents');
  let questions = survey.count('questions') + latents;
  if (latents <= editedQuestionsMax)
    for (const latent of survey.list('latents')) questions += latent.count('questions');
  if (questions > editedQuestionsMax) {
    survey.fault(phrase('questionsTooMany', { count: questions, most: editedQuestionsMax }));
    return false;
  }
  const parameters = survey.at('parameters');
  const count = parameters.count('custom') + parameters.count('external');
  if (count > editedParametersMax) {
    parameters.fault(phrase('parametersTooMany', { count, most: editedParametersMax }));
    return false;
  }
  return hasBearableLists(survey);
}

function hasBearableLists(survey: FileNode): boolean {
  const page = survey.at('page');
  const places: [FileNode, string][] = [
    [survey, 'origins'],
    [page, 'sections'],
    [page, 'prefill'],
    [page.at('invite'), 'urls'],
  ];
  for (const question of survey.list('questions')) places.push([question, 'answers'], [question, 'rules']);
  if (page.count('sections') <= editedEntriesMax)
    for (const section of page.list('sections')) places.push([section, 'questions']);
  const long = places.find(([place, name]) => place.count(name) > editedEntriesMax);
  if (long === undefined) return true;
  const [place, name] = long;
  place
    .at(name)
    .fault(phrase('listTooLong', { count: place.count(name), list: name, most: editedEntriesMax }));
  return false;
}

/** The account as a file would have it that names this measure or project alone. */
export function accountOfSource(
  { accountId, kind }: { readonly accountId: number; readonly kind: 'measure' | 'project' },
  accountName: string,
  source: Measure | Project,
): CatalogueAccount {
  return {
    id: accountId,
    name: accountName,
    measures: kind === 'measure' ? [source as Measure] : [],
    projects: kind === 'project' ? [source as Project] : [],
  };
}

/** A name and number for the version after this one: `shop` is followed by `shop-2`, `shop-2` by `shop-3`. */
export function nextVersionOf(versions: readonly Pick<SurveyDefinition, 'id' | 'version'>[]): {
  readonly id: string;
  readonly version: number;
} | null {
  const newest = versions.toSorted((one, other) => other.version - one.version)[0];
  if (newest === undefined || newest.version >= 2 ** 31 - 1) return null;
  const version = newest.version + 1;
  const stem = newest.id.replace(new RegExp(`-${newest.version}$`), '').slice(0, 100);
  const taken = new Set(versions.map(({ id }) => id));
  for (let number = version; ; number += 1) {
    const id = `${stem}-${number}`;
    if (!taken.has(id)) return { id, version };
  }
}
