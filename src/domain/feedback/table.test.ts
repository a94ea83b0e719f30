import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import type { SurveyDefinition } from './definition.ts';
import { type ShownItem, tableOf } from './table.ts';

function surveyOf(written: object): SurveyDefinition {
  const measure = { key: 1, name: 'One', surveys: [{ id: 's', current: true, ...written }] };
  const reading = readCatalogue(JSON.stringify({ accounts: [{ id: 1, name: 'Acme', measures: [measure] }] }));
  assert.ok(reading.catalogue, JSON.stringify(reading.faults));
  return reading.catalogue.accounts[0]?.measures[0]?.surveys[0] as SurveyDefinition;
}

const text = (id: string) => ({ id, name: id, responseType: 'TEXT' });
const latent = (id: string, question: string) => ({
  id,
  name: id,
  type: 'ELEMENTS',
  questions: [{ id: question, name: question, scale: { min: 1, max: 5 } }],
});

const current = surveyOf({
  version: 2,
  latents: [latent('L-2', 'M-2'), latent('L-1', 'M-1')],
  questions: [text('Q-B'), text('Q-A')],
  parameters: { custom: [{ id: 'C-1', name: 'cart' }], external: [{ id: 'E-1', name: 'tier' }] },
});
const older = {
  ...surveyOf({
    id: 'old',
    version: 1,
    latents: [latent('L-0', 'M-1')],
    questions: [text('Q-A'), text('Q-0')],
  }),
  current: false,
};
const item: ShownItem = {
  id: 'r',
  responseTime: '2026-01-31T00:00:00.000Z',
  experienceDate: '2026-01-31',
  modelInstanceId: 'm',
  responses: [],
};

function cellsOf(shown: ShownItem, ...versions: SurveyDefinition[]): Record<string, unknown> {
  const table = tableOf('measure', versions);
  const row = table.row(shown);
  assert.equal(row.length, table.header.length);
  return Object.fromEntries(
    table.header.flatMap((name, index) => (row[index] === '' ? [] : [[name, row[index]]])),
  );
}

describe('a table', () => {
  it('has the columns of the current version in its order, then what only older ones have [D-124]', () => {
    const { header } = tableOf('measure', [older, current]);
    assert.deepEqual(header.slice(4, 15), [
      ...['L-2', 'L-1', 'L-0'],
      ...['M-2', 'M-1', 'Q-B', 'Q-A', 'Q-0'],
      ...['C-1', 'E-1', 'brandName'],
    ]);
    assert.deepEqual(header.slice(-2), ['otherParameters', 'erased']);
  });

  it('names each column once: where two things share an id, the later has its kind before it [D-124]', () => {
    const clashing = surveyOf({
      latents: [latent('X', 'X')],
      questions: [text('id'), text('url')],
      parameters: { custom: [{ id: 'X', name: 'x' }], external: [{ id: 'X', name: 'y' }] },
    });
    const { header } = tableOf('measure', [clashing]);
    assert.equal(new Set(header).size, header.length);
    const responses = ['MQ X', 'CQ id', 'CQ url', 'CPP X', 'EPP X', 'CPP url'].map((key) => {
      const [type = '', id = ''] = key.split(' ');
      return { type, id, answers: [key] };
    });
    const cells = cellsOf({ ...item, latentScores: [{ id: 'X', score: 7 }], responses }, clashing);
    const {
      X,
      id,
      'MQ:X': measured,
      'CQ:id': custom,
      url,
      'CPP:X': cpp,
      'EPP:X': epp,
      'CPP:url': standard,
    } = cells;
    assert.deepEqual(
      [X, id, measured, custom, url, cpp, epp, standard],
      [7, 'r', 'MQ X', 'CQ id', 'CQ url', 'CPP X', 'EPP X', 'CPP url'],
    );
  });

  it('joins several answers, leaves a null score empty, and loses no parameter that nobody declared [D-124]', () => {
    const responses = [
      { type: 'CQ', id: 'Q-A', answers: ['one', 'two'] },
      { type: 'CPP', id: 'locale', answers: ['de'] },
      { type: 'CPP', id: '__proto__', answers: ['x'] },
      { type: 'CPP', id: 'campaign', answers: ['a', 'b'] },
    ];
    const scores = [
      { id: 'L-2', score: null },
      { id: 'L-1', score: 0 },
    ];
    const {
      id: _id,
      responseTime: _time,
      experienceDate: _day,
      modelInstanceId: _model,
      ...cells
    } = cellsOf({ ...item, latentScores: scores, responses, erased: true }, current);
    assert.deepEqual(cells, {
      'L-1': 0,
      'Q-A': 'one;two',
      locale: 'de',
      otherParameters: '{"__proto__":["x"],"campaign":["a","b"]}',
      erased: 'true',
    });
  });
});
