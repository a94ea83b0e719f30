// What the details of an audit entry, as the store keeps them, say in the sentence of the API.

import { noteOf } from '../../src/store/people/audit-reader.ts';

export function noteOfDetails(details: unknown): string {
  return typeof details === 'string' ? (noteOf(JSON.parse(details)) ?? '') : '';
}
