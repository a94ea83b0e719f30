import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { validBody, writtenSurvey } from '../../../test/support/feedback-arbitraries.ts';
import {
  chosenAnswers,
  isAsked,
  isOpen,
  latentScoresOf,
  type ResponseBody,
} from '../../../test/support/feedback-model.ts';
import { readCatalogue } from '../feedback/catalogue.ts';
import { judge } from '../feedback/response.ts';
import { readDraft } from '../feedback/response-draft.ts';
import { eraseValues } from '../feedback/row-values.ts';
import { type PreparedSurvey, prepareSurvey } from '../feedback/survey.ts';
import { GivenRow } from './given-answers.ts';
import { contributionsOf, type Trace, traceRow } from './trace.ts';

const nowMs = Date.parse('2026-03-01T12:00:00Z');

/** Weights as no careful person writes them, and some as everybody does. */
const someWeight = fc.oneof(
  fc.constantFrom(1, 0.1, 0.3, 2 / 3, 5e-324, 1e-310, 1e-300, 1e300, 1e308, Number.MAX_VALUE),
  fc.double({ min: Number.MIN_VALUE, noNaN: true, noDefaultInfinity: true }),
  fc.double({ min: 0.01, max: 10, noNaN: true }),
);

const someSurvey = writtenSurvey('measure', 's').chain((written) => {
  const latents = written.latents as { questions: object[] }[];
  const weighted = latents.map((latent) =>
    fc
      .tuple(...latent.questions.map((question) => someWeight.map((weight) => ({ ...question, weight }))))
      .map((questions) => ({ ...latent, questions })),
  );
  return fc.tuple(...weighted).map((latents) => preparedSurvey({ ...written, latents }));
});

const someCase = someSurvey.chain((survey) =>
  fc
    .array(validBody(survey.definition, nowMs - 1_000, nowMs), { minLength: 1, maxLength: 6 })
    .map((bodies) => ({ survey, bodies })),
);

describe('the trace of a response', () => {
  it('contributions are the score to the last bit, in any order, whatever the weights [D-505]', () => {
    let counted = 0;
    fc.assert(
      fc.property(someCase, ({ survey, bodies }) => {
        for (const body of bodies)
          for (const { score, questions } of traceOf(survey, body).latents) {
            const parts = questions.flatMap(({ contribution }) =>
              contribution === null ? [] : [contribution],
            );
            counted += parts.length;
            assert.equal(parts.length > 0, score !== null);
            for (const order of [parts, parts.toReversed(), parts.toSorted((one, other) => one - other)])
              assert.equal(
                order.reduce((sum, part) => sum + part, 0),
                score ?? 0,
              );
            for (const part of parts) assert.ok(part >= 0 && part <= (score ?? 0), `${part} of ${score}`);
          }
      }),
      { numRuns: 300 },
    );
    assert.ok(counted > 500, 'many answers counted');
  });

  it('a contribution is its share of the weights times its value, but for the last digits [D-505]', () => {
    const answers = fc.array(
      fc.record({
        normalised: fc.oneof(fc.constantFrom(0, 100), fc.double({ min: 0, max: 100, noNaN: true })),
        weight: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
      }),
      { minLength: 1, maxLength: 300 },
    );
    fc.assert(
      fc.property(answers, (given) => {
        const weights = given.reduce((sum, { weight }) => sum + weight, 0);
        const mean = given.reduce((sum, { weight, normalised }) => sum + weight * normalised, 0) / weights;
        const values = given.map(({ normalised }) => normalised);
        const score = Math.min(Math.max(...values), Math.max(Math.min(...values), mean));
        const counted = given.map(({ weight, normalised }) => ({ question: { weight }, normalised }));
        const parts = contributionsOf(score, counted);
        assert.equal(
          parts.reduce((sum, part) => sum + part, 0),
          score,
        );
        parts.forEach((part, index) => {
          const { weight, normalised } = given[index]!;
          assert.ok(Math.abs(part - (weight / weights) * normalised) <= 1e-11, `${part} of ${score}`);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('says of every question what became of it, as a plain reading of the body does [D-505]', () => {
    const states = new Set<string>();
    fc.assert(
      fc.property(someCase, ({ survey, bodies }) => {
        fc.pre(
          survey.questions.every(
            ({ form, shown }) => form !== 'multiple' || new Set(shown).size === shown.length,
          ),
        );
        const { definition } = survey;
        for (const body of bodies) {
          const { latents, questions } = traceOf(survey, body);
          const scores = latentScoresOf(cappedWeights(definition), body);
          assert.deepEqual(
            latents.map(({ id, score }) => [id, score]),
            scores.map(({ id, score }) => [id, score]),
          );
          for (const [place, latent] of definition.latents.entries())
            for (const [index, question] of latent.questions.entries()) {
              const traced = latents[place]!.questions[index]!;
              const [answer] = chosenAnswers(question, body);
              const state =
                answer === undefined ? 'unanswered' : answer.value === null ? 'dontKnow' : 'counted';
              states.add(state);
              assert.deepEqual(
                [traced.id, traced.state, traced.value],
                [question.id, state, answer?.value ?? null],
              );
              assert.equal(traced.answer, answer === undefined ? null : String(answer.value ?? answer.text));
              assert.equal(traced.share === null, state !== 'counted');
            }
          for (const [index, question] of definition.questions.entries()) {
            const traced = questions[index]!;
            const isGiven = isOpen(question)
              ? (body.responses?.[question.id]?.[0]?.trim() ?? '') !== ''
              : chosenAnswers(question, body).length > 0;
            const isShown = isAsked(definition, question, body);
            const state = !isShown ? 'notAsked' : isGiven ? 'answered' : 'unanswered';
            states.add(state);
            assert.deepEqual([traced.id, traced.state], [question.id, state]);
            assert.equal(traced.rules === undefined, question.rules.length === 0);
            if (question.rules.length === 0) continue;
            assert.equal(
              traced.rules!.some(({ holds }) => holds),
              isShown,
            );
            assert.deepEqual(
              traced.rules!.map(({ question: id, operator, answer }) => ({ question: id, operator, answer })),
              question.rules,
            );
          }
        }
      }),
      { numRuns: 200 },
    );
    assert.deepEqual([...states].sort(), ['answered', 'counted', 'dontKnow', 'notAsked', 'unanswered']);
  });

  it('of answers to a check box that are shown alike any may have been meant: who answered was asked [D-509]', () => {
    const answers = [
      { id: 'A', text: 'Yes', value: 1 },
      { id: 'B', text: 'No', value: 1 },
      { id: 'C', text: 'Perhaps', value: 2 },
    ];
    const rules = [{ question: 'Q', operator: 'equals', answer: 'B' }];
    const survey = preparedSurvey({
      id: 's',
      questions: [
        { id: 'Q', name: 'Q', responseType: 'CHECKBOX', answers },
        { id: 'Why', name: 'Why', responseType: 'TEXT', rules },
      ],
    });
    const stateOf = (responses: Record<string, string[]>) =>
      traceOf(survey, { surveyDefinitionId: 's', responses }).questions[1]!.state;
    assert.equal(stateOf({ Q: ['B'], Why: ['Because'] }), 'answered');
    assert.equal(stateOf({ Q: ['B'] }), 'unanswered');
    // It was not asked after this answer, but the row does not tell the two apart.
    assert.equal(stateOf({ Q: ['A'] }), 'unanswered');
    assert.equal(stateOf({ Q: ['C'] }), 'notAsked');
  });

  it('an erased response keeps its scores and says nothing of its answers [D-505]', () => {
    fc.assert(
      fc.property(someCase, ({ survey, bodies }) => {
        for (const body of bodies) {
          const before = traceOf(survey, body);
          const after = traceOf(survey, body, true);
          assert.deepEqual(
            after.latents.map(({ score }) => score),
            before.latents.map(({ score }) => score),
          );
          for (const { state, answer, value, normalised, share, contribution } of after.latents.flatMap(
            ({ questions }) => questions,
          ))
            assert.deepEqual(
              [state, answer, value, normalised, share, contribution],
              ['erased', null, null, null, null, null],
            );
          for (const question of after.questions)
            assert.deepEqual([question.state, question.rules], ['erased', undefined]);
        }
      }),
      { numRuns: 50 },
    );
  });

  it('the rules that did not hold are told in words', () => {
    const answers = [
      { id: 'A', text: 'Yes', value: 1 },
      { id: 'B', text: 'No' },
    ];
    const rule = (question: string, operator: string, answer: string | number) => ({
      question,
      operator,
      answer,
    });
    const survey = preparedSurvey({
      id: 's',
      questions: [
        { id: 'R', name: 'R', responseType: 'RADIO', answers },
        { id: 'S', name: 'S', responseType: 'NPS' },
        { id: 'T', name: 'T', responseType: 'TEXT' },
        { id: 'C', name: 'C', responseType: 'CHECKBOX', answers, rules: [rule('R', 'equals', 'B')] },
        {
          id: 'Last',
          name: 'Last',
          responseType: 'TEXT',
          rules: [
            rule('R', 'equals', 'B'),
            rule('S', 'lt', 3),
            rule('S', 'gt', 8),
            rule('T', 'contains', 'slow'),
            rule('C', 'equals', 'A'),
          ],
        },
      ],
    });
    const wordsOf = (responses: Record<string, string[]>) =>
      traceOf(survey, { surveyDefinitionId: 's', responses })
        .questions.at(-1)!
        .rules!.map(({ holds, words }) => `${holds ? '+' : '-'} ${words}`);
    assert.deepEqual(wordsOf({ R: ['A'], S: ['5'], T: ['fast'] }), [
      '- R is not B.',
      '- S is not less than 3.',
      '- S is not more than 8.',
      '- T does not contain slow.',
      '- C was not asked itself.',
    ]);
    assert.deepEqual(wordsOf({ R: ['B'], S: ['2'], T: ['SLOW!'] }), [
      '+ R is B.',
      '+ S is less than 3.',
      '- S is not more than 8.',
      '+ T contains slow.',
      '- C was not answered.',
    ]);
  });
});

function traceOf(survey: PreparedSurvey, body: ResponseBody, isErased = false): Trace {
  const { draft } = readDraft(body);
  assert.ok(draft);
  const { response, faults } = judge(survey, draft, { nowMs, newId: () => 'id' });
  assert.deepEqual(faults, []);
  const row = new GivenRow(survey);
  row.read(isErased ? eraseValues(response!.values, 'measure') : response!.values);
  return traceRow(row);
}

/** What counts of a weight beyond all reason. */
function cappedWeights(definition: PreparedSurvey['definition']): PreparedSurvey['definition'] {
  return {
    ...definition,
    latents: definition.latents.map((latent) => ({
      ...latent,
      questions: latent.questions.map((question) => ({
        ...question,
        weight: Math.min(1e300, question.weight),
      })),
    })),
  };
}

function preparedSurvey(written: object): PreparedSurvey {
  const account = { id: 1, name: 'One', measures: [{ key: 1, name: 'One', surveys: [written] }] };
  const { catalogue, faults } = readCatalogue(JSON.stringify(account));
  assert.deepEqual(faults, []);
  return prepareSurvey(catalogue!.accounts[0]!.measures[0]!.surveys[0]!, { kind: 'measure', active: true });
}
