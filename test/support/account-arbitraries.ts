// Random accounts with everything that a catalogue can say of them, for the way from a catalogue to the store and back: what
// feedback-arbitraries.ts has, and beside it settings of the account, of its sources, and of the pages of its surveys.

import fc from 'fast-check';
import { surveyLanguages } from '../../src/domain/feedback/definition.ts';
import { writtenSurvey } from './feedback-arbitraries.ts';

type Written = Record<string, unknown>;

// Whatever stands in a page is one line, or several without other control characters.
const someLine = fc
  .array(fc.constantFrom('a', 'É', '"', "'", '\\', '😀', '漢', ' ', '#', ': ', '- ', '{'), { maxLength: 8 })
  .map((characters) => `l${characters.join('')}`);
const someLines = fc.tuple(someLine, someLine).map((lines) => lines.join('\n'));
const maybe = <T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<Written> =>
  fc.option(value, { nil: undefined }).map((said) => (said === undefined ? {} : { [name]: said }));
const all = (...parts: fc.Arbitrary<Written>[]): fc.Arbitrary<Written> =>
  fc.tuple(...parts).map((written) => Object.assign({}, ...written) as Written);

const someDays = fc.integer({ min: 1, max: 36_500 });
const someLanguage = fc.constantFrom(...surveyLanguages);
const someLabels = fc.record({ min: someLine, max: someLine });
const someAddress = fc.constantFrom('https://shop.example/', 'http://127.0.0.1:8080/a?b=c#d');
// Every one of them can be read on white and on the dark ground of our own.
const someColours = fc.constantFrom({}, { accent: '#0b6169' }, { background: '#ffffff', text: '#101010' });
const someDark = fc.constantFrom({}, { accent: '#8fe3e3' }, { background: '#000000', text: '#ffffff' });

/** The texts of a question in other languages: those that it has in its own. */
function translatedQuestion(question: Written): fc.Arbitrary<Written> {
  const { help, dontKnow } = question;
  const labels = (question.scale as Written | undefined)?.labels;
  const answers = (question.answers ?? []) as { readonly id: string }[];
  const texts = all(...answers.map(({ id }) => maybe(id, someLines)));
  return all(
    maybe('phrase', someLines),
    ...(help === undefined ? [] : [maybe('help', someLine)]),
    ...(dontKnow === undefined || dontKnow === false ? [] : [maybe('dontKnow', someLine)]),
    ...(labels === undefined ? [] : [maybe('labels', someLabels)]),
    ...(answers.length === 0 ? [] : [maybe('answers', texts)]),
  );
}

function byLanguage(own: unknown, translation: fc.Arbitrary<Written>): fc.Arbitrary<Written> {
  const others = surveyLanguages.filter((language) => language !== (own ?? 'en'));
  return fc
    .tuple(fc.subarray(others, { maxLength: 2 }), translation, translation)
    .map(([languages, ...texts]) =>
      Object.fromEntries(languages.map((language, index) => [language, texts[index]])),
    );
}

/** Texts that the page alone shows: help, what the ends of a scale mean, what "Don't know" is called. */
function questionWithTexts(question: Written): fc.Arbitrary<Written> {
  const { scale, responseType, dontKnow } = question as { scale?: Written; [name: string]: unknown };
  const scaled = scale ?? (responseType === 'STAR_RATING' ? { min: 1, max: 5 } : { min: 0, max: 10 });
  const hasScale = scale !== undefined || responseType === 'STAR_RATING' || responseType === 'NPS';
  return all(
    fc.constant(question),
    maybe('help', someLine),
    ...(hasScale
      ? [maybe('scale', someLabels).map(({ scale: labels }) => labelled(scaled, labels, scale))]
      : []),
    ...(dontKnow === true ? [maybe('dontKnow', someLine)] : []),
  );
}

function labelled(scale: Written, labels: unknown, written: Written | undefined): Written {
  if (labels !== undefined) return { scale: { ...scale, labels } };
  return written === undefined ? {} : { scale: written };
}

function somePage(
  questions: readonly Written[],
  parameters: readonly string[],
  language: unknown,
): fc.Arbitrary<Written> {
  const ids = questions.map(({ id }) => id as string);
  const section = (some: readonly string[]) =>
    all(maybe('title', someLine), fc.constant({ questions: some }));
  const sections = fc
    .tuple(fc.shuffledSubarray(ids), fc.nat(ids.length))
    .chain(([some, cut]) =>
      fc.tuple(...[some.slice(0, cut), some.slice(cut)].filter(({ length }) => length > 0).map(section)),
    );
  const invite = all(
    maybe('sample', fc.constantFrom(0, 0.5, 33.3, 100)),
    maybe('after', fc.nat(86_400)),
    maybe('urls', fc.array(fc.constantFrom('/', '/shop/*', '*end'), { minLength: 1, maxLength: 3 })),
    maybe('repeatDays', fc.nat(3_650)),
    maybe('quietDays', fc.nat(3_650)),
  );
  const theme = fc.tuple(someColours, someDark).map(([light, dark]) => ({ ...light, dark }));
  return all(
    maybe('intro', someLines),
    maybe('sections', sections),
    maybe('thanks', all(maybe('text', someLines), maybe('url', someAddress))),
    maybe('theme', theme),
    maybe('privacy', someAddress),
    maybe('prefill', fc.shuffledSubarray([...ids, ...parameters])),
    maybe('invite', invite),
    maybe('protect', fc.constant('page')),
  ).chain((page) => {
    const { intro, thanks } = page as { intro?: string; thanks?: { text?: string } };
    const titles = ((page.sections ?? []) as Written[]).map(({ title }) =>
      title === undefined ? fc.constant('') : someLine,
    );
    const translation = all(
      ...(intro === undefined ? [] : [maybe('intro', someLines)]),
      ...(thanks?.text === undefined ? [] : [maybe('thanks', someLines)]),
      maybe('sections', fc.tuple(...titles)),
    );
    return all(fc.constant(page), maybe('translations', byLanguage(language, translation)));
  });
}

/** A version as `writtenSurvey` makes it, with its page. */
function surveyWithPage(kind: 'measure' | 'project', id: string): fc.Arbitrary<Written> {
  return writtenSurvey(kind, id).chain((survey) => {
    const latents = (survey.latents ?? []) as { questions: Written[] }[];
    const withQuestions = fc.record({
      latents: fc.tuple(
        ...latents.map((latent) =>
          fc.tuple(...latent.questions.map(questionWithTexts)).map((questions) => ({ ...latent, questions })),
        ),
      ),
      questions: fc.tuple(...(survey.questions as Written[]).map(questionWithTexts)),
      language: fc.option(someLanguage, { nil: undefined }),
    });
    return withQuestions.chain(({ latents, questions, language }) => {
      const asked = [...latents.flatMap((latent) => latent.questions), ...questions];
      const { custom } = survey.parameters as { custom: { name: string }[] };
      const translatedQuestions = all(
        ...asked.map((one) => maybe(one.id as string, translatedQuestion(one))),
      );
      const translation = all(maybe('title', someLine), maybe('questions', translatedQuestions));
      return all(
        fc.constant({ ...survey, ...(kind === 'measure' && { latents }), questions }),
        fc.constant(language === undefined ? {} : { language }),
        maybe('title', someLine),
        maybe('public', fc.boolean()),
        maybe('closed', fc.boolean()),
        maybe('quarantine', fc.boolean()),
        maybe('origins', fc.subarray(['https://shop.example', 'http://localhost:3000'])),
        maybe('translations', byLanguage(language, translation)),
        maybe(
          'page',
          somePage(
            asked,
            custom.map(({ name }) => name),
            language,
          ),
        ),
      );
    });
  });
}

/** An account whose measure and project say whatever can be said. */
export function writtenAccountOfAll(accountId: number): fc.Arbitrary<Written> {
  const source = (kind: 'measure' | 'project') =>
    all(
      surveyWithPage(kind, `survey-${kind}`).map((survey) => ({ surveys: [survey] })),
      maybe('retainDays', fc.oneof(someDays, fc.constant('forever'))),
    );
  return all(
    fc.record({ id: fc.constant(accountId), name: someLine }) as fc.Arbitrary<Written>,
    maybe('limits', fc.record({ requestsPerSecond: fc.integer({ min: 1, max: 1_000_000 }) })),
    maybe('retainDays', someDays),
    maybe('insight', fc.record({ minimum: fc.integer({ min: 2, max: 1_000 }) })),
    source('measure').map((measure) => ({ measures: [{ key: 1, name: 'M', ...measure }] })),
    source('project').map((project) => ({ projects: [{ id: 1, name: 'P', ...project }] })),
  );
}
