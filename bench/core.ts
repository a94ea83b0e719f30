// How long the pure core takes, without store and HTTP: `node bench/core.ts`. Responses are those of the demo.

import { readFileSync } from 'node:fs';
import { demoResponses } from '../src/cli/demo/demo-responses.ts';
import { ByteWriter } from '../src/domain/byte-writer.ts';
import { readCatalogue } from '../src/domain/feedback/catalogue.ts';
import { contentHash } from '../src/domain/feedback/content-hash.ts';
import { excludeNothing, prepareTexts, RowCursor } from '../src/domain/feedback/respondent.ts';
import { judge } from '../src/domain/feedback/response.ts';
import { readDraft } from '../src/domain/feedback/response-draft.ts';
import { prepareSurvey } from '../src/domain/feedback/survey.ts';

const { catalogue } = readCatalogue(readFileSync('examples/demo.yaml', 'utf8'));
const definition = catalogue?.accounts[0]?.measures[0]?.surveys[0];
if (!catalogue || !definition) throw new Error('The demo catalogue is not valid.');
const survey = prepareSurvey(definition, { kind: 'measure', active: true });
const today = 20_772;
const context = { nowMs: today * 86_400_000, newId: () => '' };

// Through JSON, because objects that were parsed are laid out otherwise in memory than those that were built.
const bodies = [...demoResponses(catalogue, { seed: 1, days: 90, count: 2000, today })]
  .map(({ body }) => body)
  .filter(({ surveyDefinitionId }) => surveyDefinitionId === definition.id)
  .slice(0, 512)
  .map((body) => JSON.parse(JSON.stringify(body)));
const texts = bodies.map((body) => JSON.stringify(body));
const rows = bodies.map((body) => ({ ...accept(body), external: '"gold"\n"812"' }));
let turn = 0;
const next = <T>(values: readonly T[]): T => values[turn++ % values.length] as T;

const mean = (values: readonly string[]) => Math.round(values.join('').length / values.length);
console.log(`body ${mean(texts)} bytes, values ${mean(rows.map(({ values }) => values))} characters`);
measure('JSON.parse', 40_000, () => JSON.parse(next(texts)));
measure('readDraft', 40_000, () => readDraft(next(bodies)));
measure('readDraft + judge', 40_000, () => accept(next(bodies)));
measure('contentHash', 40_000, () => contentHash(next(bodies)));

const writer = new ByteWriter(2 ** 20);
const cursor = new RowCursor();
const constants = prepareTexts(definition);
const page = () => {
  writer.clear();
  for (let index = 0; index < 100; index += 1)
    cursor.writeRespondent(writer, constants, next(rows), excludeNothing);
  return writer.view();
};
measure(`page of 100 (${page().length} bytes)`, 500, page);

function accept(body: unknown) {
  const { draft } = readDraft(body);
  const response = draft && judge(survey, draft, context).response;
  if (!response) throw new Error('A response of the demo is not valid.');
  return response;
}

function measure(name: string, count: number, work: () => unknown): void {
  let bestMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 6; round += 1) {
    const begin = performance.now();
    for (let index = 0; index < count; index += 1) work();
    bestMs = Math.min(bestMs, performance.now() - begin);
  }
  console.log(`${name}: ${((bestMs / count) * 1000).toFixed(2)} microseconds`);
}
