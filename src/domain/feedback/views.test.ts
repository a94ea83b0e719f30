import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import { showMeasure, showProject } from './views.ts';

const file = {
  accounts: [
    {
      id: 1,
      name: 'n',
      measures: [
        {
          key: 7,
          name: 'Web',
          surveys: [
            {
              id: 's',
              modelInstanceId: 'm',
              version: 2,
              latents: [
                {
                  id: 'L',
                  name: 'Look',
                  type: 'ELEMENTS',
                  questions: [{ id: 'Q', name: 'Look?', scale: { min: 1, max: 2 }, dontKnow: true }],
                },
              ],
              questions: [
                {
                  id: 'C',
                  name: 'Why?',
                  responseType: 'TEXT',
                  maxLength: 5,
                  rules: [{ question: 'Q', operator: 'lt', answer: 2 }],
                },
              ],
              parameters: {
                custom: [{ id: 'P', name: 'cart', valueType: 'NUMBER' }],
                external: [{ id: 'E', name: 'tier' }],
              },
            },
          ],
        },
      ],
      projects: [
        {
          id: 9,
          name: 'Badge',
          surveys: [
            {
              id: 'b',
              questions: [
                {
                  id: 'T',
                  name: 'Topic',
                  responseType: 'SELECT',
                  role: 'topic',
                  answers: [{ id: 'A', text: 'Bug' }],
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};
const account = readCatalogue(JSON.stringify(file)).catalogue?.accounts[0];
const measure = account?.measures[0];
const survey = measure?.surveys[0];
const project = account?.projects[0];
const badge = project?.surveys[0];
assert.ok(measure && survey && project && badge);

it('a measure shows its latents, questions, answers and parameters [D-32]', () => {
  const shown = showMeasure(measure, survey, { excludeQuestions: false, excludeAnswers: false });
  assert.deepEqual(shown.MQ.latents[0]?.questions?.[0], {
    id: 'Q',
    name: 'Look?',
    phrase: 'Look?',
    type: 'MQ',
    label: 'Look?',
    responseType: 'MEASURED_QUESTION',
    required: false,
    scale: { min: 1, max: 2 },
    weight: 1,
    answers: [
      { id: 'Q-1', text: '1', label: '1', value: 1 },
      { id: 'Q-2', text: '2', label: '2', value: 2 },
      { id: 'Q-DK', text: "Don't know", label: "Don't know", value: null },
    ],
  });
  assert.deepEqual(shown.CQ[0]?.rules, [{ question: 'Q', operator: 'lt', answer: 2 }]);
  assert.deepEqual([shown.id, shown.modelInstanceId, shown.version], [7, 'm', 2]);
  assert.deepEqual(
    [...shown.CPP, ...shown.EPP].map(({ id, type, valueType }) => [id, type, valueType]),
    [
      ['P', 'CPP', 'NUMBER'],
      ['E', 'EPP', 'STRING'],
    ],
  );
});

it('without answers the questions stay; without questions the latents and parameters stay [D-32]', () => {
  const withoutAnswers = showMeasure(measure, survey, { excludeQuestions: false, excludeAnswers: true });
  assert.equal(withoutAnswers.CQ.length, 1);
  assert.ok(!JSON.stringify(withoutAnswers).includes('"answers"'));
  const withoutQuestions = showMeasure(measure, survey, { excludeQuestions: true, excludeAnswers: false });
  assert.deepEqual(withoutQuestions.MQ.latents, [{ id: 'L', name: 'Look', type: 'ELEMENTS' }]);
  assert.deepEqual(withoutQuestions.CQ, []);
  assert.equal(withoutQuestions.CPP.length + withoutQuestions.EPP.length, 2);
});

it('a project shows its questions, and which one is the topic [D-38]', () => {
  const shown = showProject(project, badge, '2026-01-01T00:00:00.000Z');
  assert.deepEqual(Object.keys(shown), [
    'id',
    'name',
    'description',
    'createdDateTime',
    'modelInstanceId',
    'siteKey',
    'status',
    'CQ',
  ]);
  assert.equal(shown.CQ[0]?.topic, true);
  assert.equal(shown.status, 'ACTIVE');
});
