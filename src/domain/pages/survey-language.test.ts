import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SurveyDefinition } from '../feedback/definition.ts';
import { chooseLanguage, chooseNoticeLanguage, directionOf, languagesOf } from './survey-language.ts';

type Languages = Pick<SurveyDefinition, 'language' | 'translations'>;
const german: Languages = { language: 'de', translations: { ar: {}, en: {}, fr: {} } };

describe('the language of a survey page', () => {
  it('a survey offers its own language first, then those it is translated to', () => {
    assert.deepEqual(languagesOf(german), ['de', 'en', 'fr', 'ar']);
    assert.deepEqual(languagesOf({}), ['en']);
  });

  const cases: readonly [string, Languages, string | undefined, string | undefined, string][] = [
    ['nothing is asked for', german, undefined, undefined, 'de'],
    ['the address decides before the header', german, 'fr', 'en', 'fr'],
    ['a region is its language', german, 'fr-CA', undefined, 'fr'],
    ['upper case is the same', german, 'FR', undefined, 'fr'],
    ['an address with a language that is not there falls back to the header', german, 'ja', 'en', 'en'],
    ['the heaviest range wins', german, undefined, 'en;q=0.4, fr;q=0.9, ar;q=0.5', 'fr'],
    ['of equal ranges the first wins', german, undefined, 'ar, fr, en', 'ar'],
    ['what has no weight is not wanted', german, undefined, 'en;q=0, fr;q=0.1', 'fr'],
    ['a star is the own language', german, undefined, 'ja, *;q=0.5, en;q=0.1', 'de'],
    ['weights that are no numbers are passed over', german, undefined, 'en;q=x, fr;q=2, ar;q=0.1', 'ar'],
    ['spaces and other parameters are allowed', german, undefined, ' en ; v=1 ; Q = 0.3 , fr ; q=0.2', 'en'],
    ['a header of commas is nothing', german, undefined, ',,,;;,=,', 'de'],
    ['a survey in one language stays in it', { language: 'pl' }, 'en', 'en', 'pl'],
  ];
  for (const [title, survey, lang, acceptLanguage, expected] of cases)
    it(title, () => assert.equal(chooseLanguage(survey, { lang, acceptLanguage }), expected));

  it('a header of thirty kilobytes is not read to its end', () => {
    const acceptLanguage = `${'xx;q=1,'.repeat(4_000)}fr`;
    const begin = performance.now();
    for (let round = 0; round < 1_000; round += 1) chooseLanguage(german, { acceptLanguage });
    assert.ok(performance.now() - begin < 1_000);
    assert.equal(chooseLanguage(german, { acceptLanguage }), 'de');
  });

  it('a page that belongs to no survey speaks any language, and English where nothing fits', () => {
    assert.equal(chooseNoticeLanguage({ acceptLanguage: 'ko, ja;q=0.5' }), 'ja');
    assert.equal(chooseNoticeLanguage({ acceptLanguage: 'ko' }), 'en');
    assert.equal(chooseNoticeLanguage({}), 'en');
  });

  it('Arabic is written from right to left', () => {
    assert.deepEqual([directionOf('ar'), directionOf('de')], ['rtl', 'ltr']);
  });
});
