// The pure language of provisioning, as the model that tests of the interface hold its answers against.

export type { Values } from '../../src/domain/user.ts';
export { groupDirectory, standardDirectory } from '../../src/scim/directory.ts';
export { compareSortKeys, matches, sortKeyOf } from '../../src/scim/evaluate.ts';
export { parseFilter } from '../../src/scim/filter.ts';
export { malformedFilters, wellFormedFilters } from '../../src/scim/filter-samples.ts';
export { providerSequences } from '../../src/scim/provider-sequences.ts';
export { captureFrom, fillRequest, judgeAnswer } from '../../src/scim/sequence.ts';
