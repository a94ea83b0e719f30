import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import type { SurveyDefinition } from './definition.ts';
import { RowCells } from './row-cells.ts';
import { standardSlots } from './standard-fields.ts';
import { type Cell, Table } from './table.ts';

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

const named = (...versions: SurveyDefinition[]): Table =>
  new Table({ kind: 'measure', surveys: versions.map((definition, number) => ({ number, definition })) });

/** The cells of a row of the first version that are not empty, by the names of their columns. */
function cellsOf(values: string, external: string | null, ...versions: SurveyDefinition[]): object {
  const table = named(...versions);
  const columns = table.columns.map((): Cell[] => [null]);
  const row = { seq: 9, surveyNumber: 0, responseId: 'r', submittedAtMs: 0, values, external, digest: 'd' };
  new RowCells(table).write(row, columns, 0);
  const filled = table.columns.flatMap(({ name }, index) => {
    const cell = columns[index]![0];
    return cell === null ? [] : [[name, cell]];
  });
  return Object.fromEntries(filled);
}

describe('a table', () => {
  it('has the columns of the current version in its order, then what only older ones have [D-124] [D-265]', () => {
    const header = named(older, current).columns.map(({ name }) => name);
    assert.deepEqual(header.slice(4, 15), [
      ...['L-2', 'L-1', 'L-0'],
      ...['M-2', 'M-1', 'Q-B', 'Q-A', 'Q-0'],
      ...['C-1', 'E-1', 'brandName'],
    ]);
    assert.deepEqual(header.slice(-6), [
      'otherParameters',
      'erased',
      'position',
      'surveyVersion',
      'digest',
      'quality',
    ]);
  });

  it('names each column once: where two things share an id, the later has its kind before it [D-124]', () => {
    const clashing = surveyOf({
      latents: [latent('X', 'X')],
      questions: [text('id'), text('url')],
      parameters: { custom: [{ id: 'X', name: 'x' }], external: [{ id: 'X', name: 'y' }] },
    });
    const header = named(clashing).columns.map(({ name }) => name);
    assert.equal(new Set(header).size, header.length);
    const standardUrl = String.fromCharCode(48 + standardSlots.get('url')!);
    const values = `7\n1\n01\n0\n${standardUrl}\n"of id"\n"of url"\n"of x"\n"standard"`;
    const cells = cellsOf(values, '"of y"', clashing);
    assert.deepEqual(cells, {
      id: 'r',
      responseTime: 0,
      experienceDate: 0,
      modelInstanceId: clashing.modelInstanceId,
      X: 7,
      'MQ:X': 1,
      'CQ:id': 'of id',
      url: 'of url',
      'CPP:X': 'of x',
      'EPP:X': 'of y',
      'CPP:url': 'standard',
      erased: false,
      position: 9,
      surveyVersion: 1,
      digest: 'd',
    });
  });

  it('joins several answers, leaves a null score empty, and loses no parameter that nobody declared [D-124]', () => {
    const values = 'null,0\n00\n1\n\n  \n"one","two"\n"__proto__"\n"x"\n"campaign"\n"a","b"';
    const cells = cellsOf(values, null, current) as Record<string, unknown>;
    const { 'L-1': score, 'Q-A': answers, otherParameters } = cells;
    assert.deepEqual(
      [score, answers, otherParameters, 'L-2' in cells],
      [0, 'one;two', '{"__proto__":["x"],"campaign":["a","b"]}', false],
    );
  });

  it('a question that takes several answers in one version is a list in all, and "Don\'t know" has a name of its own [D-266]', () => {
    const boxes = { id: 'Q-A', name: 'A', responseType: 'CHECKBOX', answers: [{ id: 'a', text: 'a' }] };
    const asked = { id: 'M-2', name: 'M', scale: { min: 1, max: 5 }, dontKnow: true };
    const several = surveyOf({
      id: 'several',
      version: 3,
      latents: [{ id: 'L-2', name: 'L', type: 'ELEMENTS', questions: [asked] }],
      questions: [boxes],
    });
    const types = new Map(
      named({ ...current, current: false }, several).columns.map((column) => [column.name, column]),
    );
    assert.deepEqual([types.get('Q-A')?.type, types.get('Q-B')?.type], ['texts', 'text']);
    assert.deepEqual([types.get('M-2')?.textName, types.get('M-1')?.textName], ['M-2:text', null]);
  });

  it('what a toggle leaves out has no column', () => {
    const off = { excludeMQ: false, excludeCQ: false, excludePassedParams: false };
    const columns = (asked: object): string[] =>
      new Table({
        kind: 'measure',
        surveys: [{ number: 0, definition: current }],
        toggles: { ...off, excludeResponseDetails: false, excludeLatentScores: false, ...asked },
      }).columns.map(({ name }) => name);
    const all = columns({});
    const own = ['id', 'responseTime', 'experienceDate', 'modelInstanceId', 'L-2', 'L-1'];
    assert.deepEqual(columns({ excludeResponseDetails: true }), [
      ...own,
      'erased',
      'position',
      'surveyVersion',
      'digest',
      'quality',
    ]);
    assert.deepEqual(
      columns({ excludeLatentScores: true }),
      all.filter((name) => !name.startsWith('L-')),
    );
    const isQuestion = (name: string): boolean => /^[MQ]-/.test(name);
    assert.deepEqual(
      columns({ excludeMQ: true, excludeCQ: true }),
      all.filter((name) => !isQuestion(name)),
    );
    assert.deepEqual(columns({ excludePassedParams: true }), [
      ...own,
      'M-2',
      'M-1',
      'Q-B',
      'Q-A',
      'erased',
      'position',
      'surveyVersion',
      'digest',
      'quality',
    ]);
  });
});
