// Catalogues with many accounts, measures and versions, for tests and benches of their size.

import { stringify } from 'yaml';

export interface ManyAccount {
  readonly id: number;
  readonly name: string;
  readonly measures: readonly object[];
}

const latents = [
  {
    id: 'L-SAT',
    name: 'Satisfaction',
    type: 'SATISFACTION',
    questions: [
      {
        id: 'Q-SAT',
        name: 'How satisfied are you?',
        weight: 0.4,
        scale: { min: 1, max: 10 },
        dontKnow: true,
      },
    ],
  },
];
const questions = [
  {
    id: 'Q-FOUND',
    name: 'Did you find what you were looking for?',
    responseType: 'RADIO',
    answers: [
      { id: 'A-YES', text: 'Yes', value: 1 },
      { id: 'A-NO', text: 'No', value: 2 },
    ],
  },
];
const parameters = { custom: [{ id: 'CPP-CART', name: 'cart', valueType: 'NUMBER' }] };

export function surveyOf(id: string, version = 1, current = true): object {
  return { id, version, current, latents, questions, parameters };
}

/** Some 1,600 bytes as JSON, with a survey id that nobody else has. */
export function manyAccount(id: number, measures = 3): ManyAccount {
  return {
    id,
    name: `Account ${id}`,
    measures: Array.from({ length: measures }, (_, index) => ({
      key: index + 1,
      name: `Measure ${index + 1} of account ${id}`,
      surveys: [surveyOf(`survey-${id}-${index + 1}`)],
    })),
  };
}

export function manyAccounts(count: number, firstId = 1): ManyAccount[] {
  return Array.from({ length: count }, (_, index) => manyAccount(firstId + index));
}

export function ndjsonOf(documents: readonly object[]): string {
  return documents.map((document) => `${JSON.stringify(document)}\n`).join('');
}

export function yamlOf(documents: readonly object[]): string {
  return documents
    .map((document) => `---\n${stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 })}`)
    .join('');
}
