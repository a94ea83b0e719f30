// What rows can be told apart by: the names that a filter and a breakdown know, and how each is read from a row of a version.

import { findExternal } from '../feedback/parameters.ts';
import type { PreparedQuestion, PreparedSurvey } from '../feedback/survey.ts';
import { parameterPlace, type RowText, textsOfPiece } from './row-text.ts';
import { valueMicros } from './values.ts';

const namedKinds = ['question', 'cpp', 'epp', 'latent'] as const;
const plainKinds = ['device', 'locale', 'weekday', 'page', 'version', 'rating', 'topic'] as const;

export type RowProperty =
  | { readonly kind: (typeof namedKinds)[number]; readonly name: string }
  | { readonly kind: (typeof plainKinds)[number] };

export type PropertyKind = RowProperty['kind'];

/** `question:Q-1`, `cpp:basket`, `device`; null for a text that is no name of this form. */
export function readProperty(text: string): RowProperty | null {
  const colon = text.indexOf(':');
  if (colon < 0) {
    const kind = plainKinds.find((one) => one === text);
    return kind === undefined ? null : { kind };
  }
  const kind = namedKinds.find((one) => one === text.slice(0, colon));
  const name = text.slice(colon + 1);
  return kind === undefined || name === '' ? null : { kind, name };
}

export function propertyText(property: RowProperty): string {
  return 'name' in property ? `${property.kind}:${property.name}` : property.kind;
}

/** The question that a property is about, where it is about one. */
export function questionOf(survey: PreparedSurvey, property: RowProperty): PreparedQuestion | null {
  if (property.kind === 'question') return survey.byId.get(property.name) ?? null;
  return property.kind === 'topic' ? survey.topic : null;
}

/** Whether a version knows what the property is about. Any parameter may be sent, declared or not. */
export function isKnown(survey: PreparedSurvey, property: RowProperty): boolean {
  if (property.kind === 'question' || property.kind === 'topic') return questionOf(survey, property) !== null;
  if (property.kind === 'latent') return survey.latents.some(({ latent }) => latent.id === property.name);
  if (property.kind === 'epp') return findExternal(survey.definition, property.name) >= 0;
  if (property.kind === 'rating') return survey.rating !== null;
  return true;
}

/** Whether any of the versions does; without a version there are no responses, and what may come with any of them is still known. */
export function isKnownIn(surveys: readonly PreparedSurvey[], property: RowProperty): boolean {
  return !needsVersion.includes(property.kind) || surveys.some((survey) => isKnown(survey, property));
}

const needsVersion: readonly PropertyKind[] = ['question', 'topic', 'latent', 'epp', 'rating'];

/** The page that an address names: what stands behind `?` or `#` differs from visit to visit. */
export function pageOf(url: string): string {
  const end = url.search(/[?#]/);
  return end < 0 ? url : url.slice(0, end);
}

export const weekdays = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
] as const;

/** 1 for Monday to 7 for Sunday, of a day of UTC. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

const parameterOf = { device: 'deviceType', locale: 'locale', page: 'url' } as const;
const noTexts: readonly string[] = [];
/** So many different pieces are remembered with their texts. */
const piecesMax = 4_096;

/**
 * The texts that a row has for a property that is no question, latent or rating: none where nothing was sent. An erased row is not
 * asked but for its day and version.
 */
export function textReader(
  survey: PreparedSurvey,
  property: RowProperty,
): (row: RowText) => readonly string[] {
  if (property.kind === 'weekday') return ({ day }) => weekdayTexts[weekdayOf(day) - 1]!;
  if (property.kind === 'version') {
    const texts = [`${survey.definition.version}`];
    return () => texts;
  }
  if (property.kind === 'epp') {
    const place = findExternal(survey.definition, property.name);
    return remembering((row) => (place < 0 ? null : externalPiece(row.external, place)), textsOfPiece);
  }
  if (
    property.kind === 'cpp' ||
    property.kind === 'device' ||
    property.kind === 'locale' ||
    property.kind === 'page'
  ) {
    const place = parameterPlace(
      survey,
      property.kind === 'cpp' ? property.name : parameterOf[property.kind],
    );
    const texts = property.kind === 'page' ? pagesOfPiece : textsOfPiece;
    return remembering((row) => row.parameterPiece(place), texts);
  }
  throw new Error(`A ${property.kind} is no text.`);
}

const weekdayTexts = weekdays.map((_, index) => [`${index + 1}`]);

function pagesOfPiece(piece: string): readonly string[] {
  return [...new Set(textsOfPiece(piece).map(pageOf))];
}

function externalPiece(external: string | null, place: number): string | null {
  if (external === null) return null;
  const piece = external.split('\n')[place] ?? '';
  return piece === '' ? null : piece;
}

/** Rows say the same over and over, so what a piece says is worked out once. */
export function remembering<T>(
  pieceOf: (row: RowText) => string | null,
  meaningOf: (piece: string) => readonly T[],
): (row: RowText) => readonly T[] {
  const known = new Map<string, readonly T[]>();
  const none: readonly T[] = noTexts as readonly T[];
  return (row) => {
    const piece = pieceOf(row);
    if (piece === null) return none;
    let meaning = known.get(piece);
    if (meaning === undefined) {
      meaning = meaningOf(piece);
      if (known.size < piecesMax && piece.length <= 400) known.set(piece, meaning);
    }
    return meaning;
  };
}

/** The answers of a row to a question, by their places. */
export function answerReader(question: PreparedQuestion): (row: RowText) => readonly number[] {
  if (question.form === 'single') {
    const answers = [noAnswers, ...question.answers.map((_, answer) => [answer])];
    return (row) => answers[row.chosen(question) + 1] ?? noAnswers;
  }
  const places = new Map<string, number>();
  // Of two answers that are shown alike the first counts, as when they were sent.
  question.shown.forEach((shown, answer) => {
    const text = JSON.parse(shown) as string;
    if (!places.has(text)) places.set(text, answer);
  });
  return remembering(
    (row) => row.answerPiece(question),
    (piece) => [...new Set(textsOfPiece(piece).flatMap((text) => places.get(text) ?? []))],
  );
}

const noAnswers: readonly number[] = [];

/** The rating of an entry that is not erased, in millionths; null where there is none. */
export function ratingReader({ rating }: PreparedSurvey): (row: RowText) => number | null {
  if (rating === null || rating.form !== 'single') return () => null;
  const micros = rating.answers.map(valueMicros);
  return (row) => micros[row.chosen(rating)] ?? null;
}
