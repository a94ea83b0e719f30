// One measure or project as the editor of the console has it: what stands under `measures` or `projects` of a catalogue, with
// one version of its survey. It is read by the rules of the catalogue, in the browser while somebody writes and by the service
// before anything is kept, so that both name the same faults (D-570).

import type { CatalogueFault, FileNode, LineOf } from './catalogue-file.ts';
import { readMeasure, readProject } from './catalogue-source.ts';
import type { CatalogueAccount, Measure, Project, SurveyDefinition } from './definition.ts';

/** So many questions are edited in one version; the command line takes more. */
export const editedQuestionsMax = 500;
const editedParametersMax = 500;

export type SourceReading = {
  /** Null where the document has faults. */
  readonly source: Measure | Project | null;
  readonly lineOf: LineOf;
  readonly faults: readonly CatalogueFault[];
};

/** `faults` are those that opening the text has found, and is added to. */
export function readSourceDocument(
  root: FileNode,
  { kind, key }: { readonly kind: 'measure' | 'project'; readonly key: number },
  faults: CatalogueFault[],
): SourceReading {
  const lines = new WeakMap<object, number>();
  const lineOf: LineOf = (entry) => lines.get(entry) ?? root.line;
  let source: Measure | Project | null = null;
  if (root.isObject() && isOfBearableSize(root)) {
    const read = kind === 'measure' ? readMeasure : readProject;
    [source = null] = root.read((place): Measure | Project =>
      read(place, (entry, { line }) => {
        lines.set(entry, line);
        return entry;
      }),
    );
    const name = kind === 'measure' ? 'key' : 'id';
    const written = root.peek(name);
    if (typeof written === 'number' && written !== key)
      root.at(name).fault(`This is the ${kind} ${key}, and keeps its ${name}.`);
  }
  if (faults.length > 0) return { source: null, lineOf, faults: inOrder(faults) };
  return { source, lineOf, faults: [] };
}

/** Looked at first: what is read of a question costs more where there are more of them. */
function isOfBearableSize(root: FileNode): boolean {
  const surveys = root.list('surveys');
  if (surveys.length !== 1) {
    root
      .at('surveys')
      .fault(`The editor has one version at a time, and here are ${surveys.length}: leave exactly one.`);
    return false;
  }
  const [survey] = surveys;
  const latents = survey!.list('latents');
  let questions = survey!.list('questions').length + latents.length;
  for (const latent of latents.slice(0, editedQuestionsMax)) questions += latent.list('questions').length;
  if (questions > editedQuestionsMax) {
    survey!.fault(
      `These are ${questions} latents and questions, and the editor takes ${editedQuestionsMax}: use "soundings apply".`,
    );
    return false;
  }
  const parameters = survey!.at('parameters');
  const count = parameters.list('custom').length + parameters.list('external').length;
  if (count <= editedParametersMax) return true;
  parameters.fault(`These are ${count} parameters, and the editor takes ${editedParametersMax}.`);
  return false;
}

function inOrder(faults: readonly CatalogueFault[]): readonly CatalogueFault[] {
  const once = new Map(faults.map((fault) => [`${fault.line} ${fault.path} ${fault.message}`, fault]));
  return [...once.values()].sort((one, other) => one.line - other.line);
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
