// All comments that answer a question, as CSV for spreadsheets, page by page as its reader takes them.

import type { CommentPlace } from '../../domain/insight/comment-cursor.ts';
import { momentText } from '../../domain/moment-text.ts';
import type { PreparedSource } from '../feedback/sources.ts';
import type { CommentQuestion, CommentSearch, CommentWork, FoundComment } from './comment-search.ts';

const pageComments = 200;
// A byte order mark, and no text that would be taken for a formula.
const forSpreadsheet = { escape_formulas: true };

export class CommentFile {
  readonly #search: CommentSearch;
  readonly #ready: PreparedSource;
  readonly #question: CommentQuestion;

  constructor(search: CommentSearch, ready: PreparedSource, question: CommentQuestion) {
    this.#search = search;
    this.#ready = ready;
    this.#question = question;
  }

  /** `work` is asked for anew for each page. */
  async *pieces(work: () => CommentWork): AsyncGenerator<Buffer> {
    const { stringify } = await import('csv-stringify/sync');
    const { source } = this.#ready;
    const latents =
      source.kind === 'measure'
        ? [...new Set(source.surveys.flatMap(({ definition }) => definition.latents.map(({ id }) => id)))]
        : [];
    const behind = source.kind === 'measure' ? latents.map((id) => `score ${id}`) : ['rating', 'topic'];
    const header = ['id', 'responseTime', 'version', 'question', 'text', ...behind];
    yield Buffer.from(stringify([header], { bom: true, ...forSpreadsheet }));
    for (let after: CommentPlace | null = null; ; ) {
      const page = { after, limit: pageComments };
      const { comments, next } = await this.#search.find(this.#ready, this.#question, page, work());
      const rows = comments.map((comment) => [...factsOf(comment), ...valuesOf(comment, latents)]);
      if (rows.length > 0) yield Buffer.from(stringify(rows, forSpreadsheet));
      if (next === null) return;
      after = next;
    }
  }
}

function factsOf({ responseId, submittedAtMs, survey, questionId, text }: FoundComment): readonly unknown[] {
  return [responseId, momentText(submittedAtMs), survey.definition.version, questionId, text];
}

function valuesOf({ survey, head }: FoundComment, latents: readonly string[]): readonly unknown[] {
  if (survey.source.kind === 'project') {
    const { rating, topic } = JSON.parse(`{${head}}`) as { rating: unknown; topic: unknown };
    return [rating, topic];
  }
  const scores = JSON.parse(`[${head}]`) as readonly (number | null)[];
  const byId = new Map(survey.latents.map(({ latent: { id } }, at) => [id, scores[at] ?? '']));
  return latents.map((id) => byId.get(id) ?? '');
}
