// The state of the editor: the draft with its steps, what it was begun from, and everything that follows from the two.

import type { CatalogueFault, Phrase } from '../../../src/domain/feedback/catalogue-fault.ts';
import { openValue } from '../../../src/domain/feedback/catalogue-file.ts';
import type { Measure, Project, SurveyLanguage } from '../../../src/domain/feedback/definition.ts';
import { readSourceDocument } from '../../../src/domain/feedback/source-document.ts';
import { prepareSurvey, type SourceState } from '../../../src/domain/feedback/survey.ts';
import type { AnswerTo } from '../../call.ts';
import { computed, type Signal, signal, whenSet } from '../../frame/signal.ts';
import { type DraftDocument, isShaped, setAt, survey } from './draft.ts';
import { History } from './history.ts';
import { type DraftName, forgetDraft, keepDraft } from './kept-drafts.ts';
import type { PreviewFields } from './live-scores.ts';

/** What the service has. */
export type EditedSurvey = AnswerTo<'GET /surveys/measures/:key/document'>;

export interface PlacedFault extends Phrase {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

export type EditorView = 'form' | 'yaml' | 'changes';

/** A part of the survey, or a question by its id. */
export type Chosen = 'survey' | 'page' | 'languages' | 'theme' | 'parameters' | { readonly question: string };

type YamlModule = typeof import('./yaml-text.ts');

export class Editor {
  readonly name: DraftName;
  readonly history: History;
  /** What the draft was begun from. */
  readonly base: Signal<string | null>;
  /** What it was begun from as a document; null for what is new. */
  readonly begun: Signal<EditedSurvey | null>;
  readonly view = signal<EditorView>('form');
  readonly chosen = signal<Chosen>('survey');
  /** What is being written, until a moment of rest. */
  readonly typed = signal<string | null>(null);
  readonly yaml = signal<YamlModule | null>(null);
  readonly isKept = signal(true);
  /** Faults that only the service can know, of the draft that it was asked about. */
  readonly foreign = signal<{ readonly document: unknown; readonly faults: readonly PlacedFault[] } | null>(
    null,
  );
  readonly fields = signal<PreviewFields>([]);
  readonly language = signal<SurveyLanguage>('en');
  /** What was just done and can be taken back, in words. */
  readonly said = signal<string | null>(null);
  #lastGood: Measure | Project | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #keepTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    name: DraftName,
    begun: EditedSurvey | null,
    first: { readonly document: unknown; readonly text: string | null; readonly base: string | null },
  ) {
    this.name = name;
    this.history = new History({ document: first.document, text: first.text });
    this.begun = signal(begun);
    this.base = signal(first.base);
    if (first.text !== null) {
      this.view.value = 'yaml';
      void this.loadYaml();
    }
  }

  /** From now on what is written is kept; what is given ends that. */
  start(): () => void {
    const flush = (): void => {
      this.commitTyped();
      this.#keep();
    };
    const keepSoon = (): void => {
      clearTimeout(this.#keepTimer);
      this.#keepTimer = setTimeout(() => this.#keep(), 300);
    };
    const worthKeeping = (): readonly unknown[] => [
      this.history.now.value,
      this.base.value,
      this.begun.value,
    ];
    let before = worthKeeping();
    keepSoon();
    const stop = whenSet(() => {
      const now = worthKeeping();
      if (now.every((one, index) => one === before[index])) return;
      before = now;
      keepSoon();
    });
    addEventListener('pagehide', flush);
    return () => {
      flush();
      stop();
      clearTimeout(this.#keepTimer);
      removeEventListener('pagehide', flush);
    };
  }

  #keep(): void {
    clearTimeout(this.#keepTimer);
    if (!this.isChanged.value) return forgetDraft(this.name);
    const { document, text } = this.history.now.value;
    this.isKept.value = keepDraft(this.name, { base: this.base.value, document, text });
  }

  readonly document = computed(() => this.history.now.value.document);

  /** What the form can show; null where YAML says something of another shape, or is no YAML. */
  readonly shaped = computed((): DraftDocument | null => {
    const { document } = this.history.now.value;
    return this.isBroken.value || !isShaped(document) ? null : document;
  });

  readonly #yamlReading = computed(() => {
    const { text } = this.history.now.value;
    const yaml = this.yaml.value;
    return text === null || yaml === null ? null : yaml.readYaml(text, this.name);
  });

  /** Whether what is written is no YAML at all. */
  readonly isBroken = computed(() => this.#yamlReading.value?.value === null);

  readonly #reading = computed(() => {
    const faults: CatalogueFault[] = [];
    return readSourceDocument(openValue(this.document.value, faults), this.name, faults);
  });

  readonly faults = computed((): readonly PlacedFault[] => {
    const own = this.#yamlReading.value?.faults ?? this.#reading.value.faults;
    const foreign = this.foreign.value;
    return foreign !== null && foreign.document === this.document.value ? [...own, ...foreign.faults] : own;
  });

  /** The newest state without faults: what the preview shows. */
  readonly source = computed((): Measure | Project | null => {
    const source = this.isBroken.value ? null : this.#reading.value.source;
    if (source !== null) this.#lastGood = source;
    return this.#lastGood;
  });

  readonly isPreviewOld = computed(() => this.isBroken.value || this.#reading.value.source === null);

  readonly prepared = computed(() => {
    const source = this.source.value;
    const [definition] = source?.surveys ?? [];
    return definition === undefined ? null : prepareSurvey(definition, stateOf(source!));
  });

  readonly isChanged = computed(() => {
    const begun = this.begun.value;
    const { document, text } = this.history.now.value;
    return begun === null || text !== null || JSON.stringify(document) !== JSON.stringify(begun.document);
  });

  /** The version that the draft names, where it has responses: what it asks stays as it is. */
  readonly usedVersion = computed(() => {
    const id = this.shaped.value?.surveys[0].id;
    return this.begun.value?.versions.find((version) => version.id === id && version.hasResponses) ?? null;
  });

  // ---- changes

  /** `field` names what is typed into, so that it becomes one step. */
  edit(change: (document: DraftDocument) => DraftDocument, field: string | null = null): void {
    const document = this.shaped.value;
    if (document === null) return;
    this.said.value = null;
    this.history.add({ document: change(document), text: null }, field);
  }

  /** Another document in the place of this one, as one step. */
  replace(document: unknown): void {
    this.typed.value = null;
    this.history.add({ document, text: null }, null);
  }

  beginNextVersion(): void {
    const next = this.begun.value?.nextVersion;
    if (next == null) return;
    this.edit((document) =>
      setAt(setAt(document, [...survey, 'id'], next.id), [...survey, 'version'], next.version),
    );
  }

  type(text: string): void {
    this.typed.value = text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.commitTyped(), 250);
  }

  /** What was written becomes a step; of what is no YAML the text alone. */
  commitTyped(): void {
    clearTimeout(this.#timer);
    const text = this.typed.value;
    const yaml = this.yaml.value;
    if (text === null || yaml === null) return;
    this.typed.value = null;
    const { document, text: before } = this.history.now.value;
    if (text === (before ?? yaml.yamlText(document as object))) return;
    const { value } = yaml.readYaml(text, this.name);
    this.history.add({ document: value ?? document, text }, 'yaml');
  }

  async loadYaml(): Promise<YamlModule> {
    const yaml = this.yaml.value ?? (await import('./yaml-text.ts'));
    this.yaml.value = yaml;
    return yaml;
  }

  undo(): void {
    this.commitTyped();
    this.said.value = null;
    this.history.undo();
  }

  redo(): void {
    this.commitTyped();
    this.history.redo();
  }

  /** Leads to where a fault is. */
  choosePath(path: string): void {
    const document = this.shaped.value;
    if (document === null) return;
    const [, latent, question] = /^surveys\[0\](?:\.latents\[(\d+)\])?\.questions\[(\d+)\]/.exec(path) ?? [];
    const { latents = [], questions = [] } = document.surveys[0];
    const list = latent === undefined ? questions : (latents[Number(latent)]?.questions ?? []);
    const found = question === undefined ? undefined : list[Number(question)];
    this.view.value = 'form';
    if (found !== undefined) this.chosen.value = { question: found.id };
    else if (path.includes('page.theme')) this.chosen.value = 'theme';
    else if (path.includes('translations')) this.chosen.value = 'languages';
    else if (path.includes('.page')) this.chosen.value = 'page';
    else if (path.includes('.parameters')) this.chosen.value = 'parameters';
    else this.chosen.value = 'survey';
  }

  /** It was published, and others begin from it now. */
  published(edited: EditedSurvey): void {
    this.begun.value = edited;
    this.base.value = edited.base;
    this.foreign.value = null;
    this.typed.value = null;
    this.history.add({ document: edited.document, text: null }, null);
    forgetDraft(this.name);
  }

  /** Whoever has seen the newer one goes on with the own draft. */
  goOnFrom(edited: EditedSurvey): void {
    this.begun.value = edited;
    this.base.value = edited.base;
  }
}

export function stateOf(source: Measure | Project): SourceState {
  return 'key' in source
    ? { kind: 'measure', active: source.active }
    : { kind: 'project', status: source.status };
}
