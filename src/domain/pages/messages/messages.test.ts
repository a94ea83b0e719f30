import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { surveyLanguages } from '../../feedback/definition.ts';
import { fill, type Messages, messagesOf, plural } from './messages.ts';

type Texts = Readonly<Record<string, unknown>>;

/** Every text by its path. */
function textsOf(messages: Messages): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, value);
    else for (const [name, inner] of Object.entries(value as Texts)) walk(inner, `${path}.${name}`);
  };
  walk(messages, '');
  return texts;
}

const placesIn = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

// "One letter is left" needs no number in some languages.
const countedForms = /\.(zero|one|two)$/;

describe('the messages of the survey page', () => {
  const english = textsOf(messagesOf('en'));

  for (const language of surveyLanguages) {
    it(`in ${language}, each text has the places of the English one to be filled in`, () => {
      for (const [path, text] of textsOf(messagesOf(language))) {
        const first = english.get(path) ?? english.get(path.replace(/\.\w+$/, '.other'))!;
        assert.notEqual(text.trim(), '');
        if (!countedForms.test(path)) assert.deepEqual(placesIn(text), placesIn(first), path);
      }
    });

    it(`in ${language}, each count has a form of its own where the language has one`, () => {
      const { charactersLeft, charactersOver, faultsHeading } = messagesOf(language);
      const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
      // Millions of characters are beyond every bound.
      const wanted = pluralCategories.filter((form) => form !== 'many' || ['pl', 'ar'].includes(language));
      for (const forms of [charactersLeft, charactersOver, faultsHeading])
        for (const form of wanted) assert.notEqual(forms[form], undefined, form);
      assert.doesNotMatch(plural(charactersLeft, 1234, language), /[{}]/);
    });
  }

  it('says nothing twice alike in two languages, but for names and words that they share', () => {
    const shared = new Set([
      '.languageName',
      '.feedback',
      '.privacy',
      '.errorTitle',
      '.optional',
      '.required',
    ]);
    const distinct = surveyLanguages.filter((language) => language !== 'en');
    for (const [path, text] of english) {
      if (shared.has(path)) continue;
      for (const language of distinct) assert.notEqual(textsOf(messagesOf(language)).get(path), text, path);
    }
  });

  it('numbers are written in the way of the language', () => {
    assert.equal(fill('{max}', { max: 12_345 }, 'de'), '12.345');
    assert.equal(fill('{max} {other}', { max: 12_345 }, 'en'), '12,345 {other}');
    assert.equal(plural(messagesOf('pl').charactersLeft, 3, 'pl'), 'Pozostały 3 znaki');
    assert.equal(plural(messagesOf('ar').charactersLeft, 2, 'ar'), 'بقي حرفان');
  });
});
