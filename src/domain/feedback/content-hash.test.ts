import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contentHash } from './content-hash.ts';

// Written down once, and never again: erased responses keep nothing but this hash of what was sent.
const written: readonly [name: string, hash: string, body: Record<string, unknown>][] = [
  ['nothing', 'zxy7ZqY4tIYKUWZx-3SFDmzPeH_mxMjSnpwE7-iAvQU', {}],
  ['a survey alone', 'HtTpZ3_hFuAu0rYj4LomUiSExl6k-Uj00dpSLkcwSO8', { surveyDefinitionId: 's' }],
  [
    'everything that the interface knows, out of order',
    '-6CnTI3tbwUgy0ku6IiAjwxjdv3y1K6pSzzafo7CiXA',
    {
      responses: { Q2: ['b', 'a'], Q10: ['1'], Q1: [], ÄQ: ['Straße'], '2': ['two'], '10': ['ten'] },
      url: 'https://example.com/?b=1&a=2',
      submissionTimestamp: '2026-01-31T23:59:59.999Z',
      surveyDefinitionId: 'acme-web-3',
      locale: 'de-AT',
      integrations: { sessionReplayUrl: 'https://example.com/r', analyticsId: 'x', zeta: { b: 1, a: [2] } },
      deviceDetails: { screenWidth: 1920, deviceType: 'MOBILE', browser: 'Firefox', browserVersion: '140' },
      cpps: {
        metrics: { spend: 12.5, big: 9007199254740991, small: -0.000001, zero: 0 },
        data: { segment: 'new', Segment: 'old', 'a b': '' },
        properties: { tags: ['x', 'y'], none: [] },
        unknown: { b: 2, a: 1 },
      },
    },
  ],
  [
    'members that nobody knows, deep',
    'LF26gEMECDulI8JBxph3UMmitIxuXOWfUg3mUvwiGC0',
    { z: null, a: [1, [2, { y: 1, x: [{ b: true, a: false }] }]], surveyDefinitionId: 's', m: { '': 0 } },
  ],
  [
    'names beyond the first plane, beside those that sort after their surrogates',
    '0D0adEC09Tm0Y2kTLQd1B8rTZK9c3qWLLX1oeqsAmuY',
    {
      surveyDefinitionId: 's',
      responses: { '\u{1F600}': ['1'], '\uFFFD': ['2'], '\uE000': ['3'], a: ['4'] },
    },
  ],
  [
    'texts with quotes, controls and separators',
    'WXWr6E2wsUHgs21LqbFmm-qkTvFbX4IAJJZPaqc7jy4',
    { surveyDefinitionId: 's"\\\n\u2028', responses: { 'q"1': ['\u0001', '\\u0041', '</script>'] } },
  ],
  [
    'a test',
    'UdyZlEV7rK31zSUV6nfYfMcrcZlBcFDC6e9-_91_8Hc',
    { isTest: true, surveyDefinitionId: 's', responseId: 'r' },
  ],
  [
    'two hundred questions in the opposite order',
    'heg1NAPyyMYCDFRRwSgG16iEK6kIIsFUFRooGs5Ywvk',
    {
      surveyDefinitionId: 's',
      responses: Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`Q-${200 - at}`, [`${at}`]])),
    },
  ],
];

describe('the hash of a body is for ever', () => {
  for (const [name, hash, body] of written) {
    it(`${name} [D-41]`, () => {
      assert.equal(contentHash(body), hash);
      const turned = Object.fromEntries(Object.entries(body).reverse());
      assert.equal(contentHash({ ...turned, responseId: 'another', isTest: body.isTest ?? false }), hash);
    });
  }
});
