import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readCatalogue } from './catalogue.ts';
import type { SurveyDefinition } from './definition.ts';
import { starterFile } from './starters.ts';
import { surveyDifferences } from './survey-difference.ts';

function starter(): SurveyDefinition {
  const text = starterFile('satisfaction', { account: { id: 1, name: 'A' }, language: 'en', mark: 'x' });
  return readCatalogue(text).catalogue!.accounts[0]!.measures[0]!.surveys[0]!;
}

describe('what one version asks otherwise than another', () => {
  it('a version differs from itself in nothing, also after it was kept as JSON', () => {
    assert.deepEqual(surveyDifferences(starter(), JSON.parse(JSON.stringify(starter()))), []);
  });

  it('what was added, removed, changed and moved is named with what it is called now', () => {
    const before = starter();
    const [done, comment] = before.questions;
    const after: SurveyDefinition = {
      ...before,
      title: 'Another title',
      translations: { de: before.translations!.de! },
      latents: before.latents.map((latent) =>
        latent.id === 'L-EASE'
          ? {
              ...latent,
              name: 'Effort',
              questions: latent.questions.map((one) => ({ ...one, weight: 0.5, help: 'Think of today.' })),
            }
          : latent,
      ),
      questions: [comment!, { ...done!, id: 'Q-NEW', name: 'A new one' }],
      page: { ...before.page!, privacy: 'https://example.com/privacy' },
    };
    assert.deepEqual(
      surveyDifferences(before, after).map(({ what, of, id, members }) => [what, of, id, members.join(' ')]),
      [
        ['changed', 'survey', '', 'title'],
        ['removed', 'language', 'fr', ''],
        ['changed', 'latent', 'L-EASE', 'name'],
        ['changed', 'question', 'Q-EASE-1', 'weight help'],
        ['added', 'question', 'Q-NEW', ''],
        ['removed', 'question', 'Q-DONE', ''],
        ['changed', 'page', '', 'privacy'],
      ],
    );
    assert.deepEqual(surveyDifferences(after, { ...after, questions: after.questions.toReversed() }), [
      { what: 'moved', of: 'question', id: '', name: '', members: [] },
    ]);
  });
});
