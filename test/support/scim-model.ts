// The pure language of provisioning, as the model that tests of the interface hold its answers against.

export type { Values } from '../../src/domain/provisioning/value.ts';
export { providerSequences } from '../../src/scim/conformance/provider-sequences.ts';
export { captureFrom, fillRequest, judgeAnswer } from '../../src/scim/conformance/sequence.ts';
export { compareSortKeys, matches, sortKeyOf } from '../../src/scim/evaluate.ts';
export { parseFilter } from '../../src/scim/filter.ts';
export { groupSchemaView, standardFaceSchemaView } from '../../src/scim/schema-view.ts';
export { malformedFilters, wellFormedFilters } from '../scim/filter-samples.ts';
