// The request sequences of the identity providers and programs that we promise to understand, as one list. Where they
// come from is said at the head of each provider's file and in `sources` of each sequence.

import { entraSequences } from './entra-sequences.ts';
import { oktaSequences } from './okta-sequences.ts';
import type { ProviderSequence } from './sequence.ts';
import { synchroniserSequences } from './synchroniser-sequences.ts';

export const providerSequences: readonly ProviderSequence[] = [
  ...entraSequences,
  ...oktaSequences,
  ...synchroniserSequences,
];
