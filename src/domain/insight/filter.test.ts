import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { validBody, writtenSurvey } from '../../../test/support/feedback-arbitraries.ts';
import { readCatalogue } from '../feedback/catalogue.ts';
import { judge } from '../feedback/response.ts';
import { readDraft } from '../feedback/response-draft.ts';
import { eraseValues } from '../feedback/row-values.ts';
import { type PreparedSurvey, prepareSurvey } from '../feedback/survey.ts';
import { fold } from '../fold.ts';
import { breakdownLimits, GroupFold } from './breakdown.ts';
import { type FilterOperator, filterOf, readFilter } from './filter.ts';
import { GivenRow } from './given-answers.ts';
import { RowText } from './row-text.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');
const day = 20_000;

describe('a filter', () => {
  for (const kind of ['measure', 'project'] as const)
    it(`of a ${kind} says of every row what its answers and parameters say, and not is the opposite of is but for erased rows [D-490]`, () => {
      const some = writtenSurvey(kind, 's').chain((written) => {
        const survey = preparedSurvey(kind, written);
        const bodies = fc.array(validBody(survey.definition, nowMs - 1_000, nowMs), { maxLength: 8 });
        return fc.tuple(fc.constant(survey), bodies, someCondition(survey));
      });
      fc.assert(
        fc.property(some, ([survey, bodies, { operator, name, value }]) => {
          const { filter, faults } = readFilter(written(operator, name, value), {
            kind,
            surveys: [survey],
            mayReadComments: true,
          });
          // What no version has is a fault, and nothing to look for.
          if (filter === null) return assert.ok(faults.length > 0);
          const holds = filterOf(filter, survey);
          const given = new GivenRow(survey);
          const row = new RowText();
          for (const body of bodies) {
            const values = valuesOf(survey, body);
            given.read(values);
            row.take(survey, day, values, null);
            assert.equal(holds(row), expected(survey, given, operator, name, value), values);
            row.take(survey, day, eraseValues(values, kind), null);
            assert.equal(holds(row), false, 'an erased row has no answers and no parameters');
          }
        }),
        { numRuns: 300 },
      );
    });

  it('names every fault at once, with the number of its condition', () => {
    const survey = preparedSurvey('measure', {
      id: 's',
      modelInstanceId: 'm',
      latents: [
        {
          id: 'L',
          name: 'L',
          type: 'SATISFACTION',
          questions: [{ id: 'Q', name: 'Q', weight: 1, scale: { min: 1, max: 5 } }],
        },
      ],
      questions: [
        { id: 'OPEN', name: 'Open', responseType: 'TEXT' },
        { id: 'ONE', name: 'One', responseType: 'RADIO', answers: [{ id: 'A', text: 'An answer' }] },
      ],
    });
    const messages = (text: string, mayReadComments = true): readonly string[] =>
      readFilter(text, { kind: 'measure', surveys: [survey], mayReadComments }).faults.map(
        ({ message }) => message,
      );
    const table: readonly (readonly [text: string, faults: number, part: string])[] = [
      ['', 1, 'Condition 1: write OPERATOR,NAME,VALUE'],
      ['is,device', 1, 'Condition 1: write OPERATOR,NAME,VALUE'],
      ['is,device,a;has,colour,%E0', 3, 'Condition 2: "colour" is no name'],
      ['is,question:NOPE,A', 1, 'Condition 1: no version has question:NOPE'],
      ['is,question:ONE,B', 1, 'Condition 1: no version of question:ONE has the answer "B"'],
      ['gt,question:ONE,1', 1, 'no answer of question:ONE has a number'],
      ['gt,question:Q,many', 1, '"many" is not a number'],
      ['is,latent:L,50', 1, 'latent:L knows lt, gt alone'],
      ['gt,rating,1', 1, 'a measure has no rating'],
      ['is,epp:tier,gold', 1, 'no version has epp:tier'],
      ['is,weekday,Someday', 1, 'a weekday is 1 for Monday'],
      ['contains,cpp:cart,', 1, 'the value is empty'],
      [`is,cpp:cart,${'x'.repeat(1_001)}`, 1, 'longer than 1000 characters'],
      ['is,device,a;is,device,a;is,device,a;is,device,a;is,device,a;is,device,a', 1, 'at most 5 conditions'],
    ];
    for (const [text, count, part] of table) {
      assert.equal(messages(text).length, count, text);
      assert.ok(
        messages(text).some((message) => message.includes(part)),
        `${text}: ${messages(text).join(' ')}`,
      );
    }
    assert.deepEqual(messages('is,question:ONE,An%20answer;contains,question:OPEN,slow'), []);
    // Whoever may not read comments could otherwise guess them part by part.
    assert.match(messages('contains,question:OPEN,slow', false).join(), /open text, which you may not read/);
  });
});

describe('groups', () => {
  it('so many are kept and all further ones are one, however many values there are [D-491]', () => {
    const survey = preparedSurvey('project', { id: 's', modelInstanceId: 'm', questions: [] });
    const over = 700;
    for (const days of [1, 6]) {
      const groups = new GroupFold({
        property: { kind: 'cpp', name: 'visit' },
        limit: 10,
        minimum: 1,
        order: 'count',
      });
      const version = groups.version(1, survey);
      const row = new RowText();
      for (let one = 0; one < days; one += 1)
        for (let index = 0; index < breakdownLimits.groups + over; index += 1) {
          const text = `${'v'.repeat(300)}`;
          const value = index % 2 === 0 ? `visit ${index}` : `${index} ${text}`;
          const values = `"url":null\n\n\n\n \n"visit"\n${JSON.stringify(value)}`;
          row.take(survey, day - one, values, null);
          groups.add(version, row);
        }
      const ranked = groups.ranked(true);
      assert.equal(ranked.groups.length, 10);
      assert.ok(ranked.groups.every(({ value }) => value!.length <= breakdownLimits.valueCharacters));
      assert.equal(ranked.other?.groups, null);
      const shown = ranked.groups.reduce((sum, { count }) => sum + count, 0);
      assert.equal(shown + (ranked.other?.count ?? 0), days * (breakdownLimits.groups + over));
    }
  });
});

interface SomeCondition {
  readonly operator: FilterOperator;
  readonly name: string;
  readonly value: string;
}

function someCondition(survey: PreparedSurvey): fc.Arbitrary<SomeCondition> {
  const questions = survey.questions.map(({ id }) => `question:${id}`);
  const parameters = ['cart', 'url', 'browser', 'näme', 'alpha', 'brand"x', 'os'].map(
    (name) => `cpp:${name}`,
  );
  const answers = survey.questions.flatMap(({ answers: all }) =>
    all.flatMap(({ id, value, text }) => [id, text, `${value}`]),
  );
  return fc.record({
    operator: fc.constantFrom('is', 'not', 'lt', 'gt', 'contains'),
    name: fc.constantFrom(...questions, ...parameters, 'device', 'locale', 'page'),
    value: fc.oneof(
      fc.constantFrom('t', 'ta', 'B', 'T', '"', ...answers),
      fc.integer({ min: -9, max: 9 }).map(String),
    ),
  });
}

function written(...[operator, name, value]: string[]): string {
  return [operator!, encodeURIComponent(name!), encodeURIComponent(value!)].join(',');
}

/** The same, told from the row as it is read whole. */
function expected(
  survey: PreparedSurvey,
  row: GivenRow,
  operator: FilterOperator,
  name: string,
  value: string,
): boolean {
  if (operator === 'not') return !expected(survey, row, 'is', name, value);
  const number = Number(value);
  const question = survey.byId.get(name.replace('question:', ''));
  if (question === undefined) {
    const parameter =
      { device: 'deviceType', locale: 'locale', page: 'url' }[name] ?? name.replace('cpp:', '');
    const texts = row.parameter(parameter);
    return texts.some((text) => textHolds(text, operator, value));
  }
  if (question.form === 'open') {
    const text = row.texts[question.index];
    return text !== undefined && textHolds(text, operator, value);
  }
  const chosen =
    question.form === 'single' ? [row.chosen[question.index]!] : (row.several[question.index] ?? []);
  const byText = question.answers.flatMap(({ text }, index) => (text === value ? [index] : []));
  const meant = question.answerByText.has(value) ? [question.answerByText.get(value)!] : byText;
  return chosen.some((index) => {
    const answer = question.answers[index];
    if (answer === undefined) return false;
    if (operator === 'is') return meant.includes(index);
    if (operator === 'lt') return typeof answer.value === 'number' && answer.value < number;
    if (operator === 'gt') return typeof answer.value === 'number' && answer.value > number;
    const isNamed = [answer.id, `${answer.value ?? ''}`].some(
      (text) => text !== '' && fold(text) === fold(value),
    );
    return isNamed || fold(answer.text).includes(fold(value));
  });
}

function textHolds(text: string, operator: FilterOperator, value: string): boolean {
  if (operator === 'is') return text === value;
  if (operator === 'contains') return fold(text).includes(fold(value));
  if (!/^-?\d+(\.\d+)?$/.test(text)) return false;
  return operator === 'lt' ? Number(text) < Number(value) : Number(text) > Number(value);
}

function preparedSurvey(kind: 'measure' | 'project', survey: object): PreparedSurvey {
  const facts = { name: 'One', surveys: [survey] };
  const account =
    kind === 'measure' ? { measures: [{ key: 1, ...facts }] } : { projects: [{ id: 1, ...facts }] };
  const { catalogue, faults } = readCatalogue(
    JSON.stringify({ accounts: [{ id: 1, name: 'One', ...account }] }),
  );
  assert.deepEqual(faults, []);
  const { measures, projects } = catalogue!.accounts[0]!;
  const definition = [...measures, ...projects][0]!.surveys[0]!;
  return prepareSurvey(definition, kind === 'measure' ? { kind, active: true } : { kind, status: 'ACTIVE' });
}

function valuesOf(survey: PreparedSurvey, body: object): string {
  const { draft } = readDraft(body);
  assert.ok(draft);
  const { response, faults } = judge(survey, draft, { nowMs, newId: () => 'id' });
  assert.deepEqual(faults, []);
  return response!.values;
}
