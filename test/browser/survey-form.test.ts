// The form of a survey in a real browser, without a service: what hostile texts become, and whether CSS alone shows the very
// questions that the rules of the domain ask.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type SurveyDefinition, surveyLanguages } from '../../src/domain/feedback/definition.ts';
import { type PreparedSurvey, prepareSurvey, settleVisibility } from '../../src/domain/feedback/survey.ts';
import { inOneGo } from '../../src/domain/interruptible.ts';
import { questionPrefix } from '../../src/domain/pages/form-fields.ts';
import { formInPieces } from '../../src/domain/pages/form-html.ts';
import { messagesOf } from '../../src/domain/pages/messages/messages.ts';
import { surveyTexts } from '../../src/domain/pages/survey-texts.ts';
import { visibilityRules } from '../../src/domain/pages/visibility-css.ts';
import { launchBrowser } from '../support/launch-browser.ts';
import { hostileSurvey, hostileTexts, randomSurvey } from '../support/page-surveys.ts';
import { type Seeded, seeded } from '../support/seeded.ts';

const prepared = (definition: SurveyDefinition): PreparedSurvey =>
  prepareSurvey(definition, { kind: 'measure', active: true });

interface GivenAnswers {
  /** By the index of the question: the places of the answers that are chosen. */
  readonly chosen: readonly (readonly number[])[];
}

describe('the form of a survey', () => {
  let browser: Browser;
  let page: Page;

  before(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
  });
  after(async () => {
    await browser?.close();
  });

  it('hostile texts, ids and answers are shown as they were written, in every language', async () => {
    const survey = prepared(hostileSurvey());
    const { css, shownAfterSend } = visibilityRules(survey);
    const given = new Map(
      survey.questions.map(({ id, form, answers }, index) => {
        const text = `${hostileTexts[index % hostileTexts.length]}\ud800`;
        return [questionPrefix + id, form === 'open' ? [text] : [answers[0]!.id]];
      }),
    );
    const faults = new Map(
      survey.questions.map(({ id }, index) => [id, hostileTexts[index % hostileTexts.length]!]),
    );
    const alerts: string[] = [];
    page.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    for (const language of surveyLanguages) {
      const texts = surveyTexts(survey.definition, language, 'name');
      const form = inOneGo(
        formInPieces({
          prepared: survey,
          texts,
          messages: messagesOf(language),
          language,
          action: `/s/${hostileTexts[0]}`,
          token: hostileTexts[1],
          shownAfterSend,
          given,
          faults,
          notices: [hostileTexts[0]],
        }),
      );
      await page.setContent(
        `<!doctype html><style>${css}</style><body><p id="before"></p>${form}<p id="after">`,
      );
      const seen = (await page.evaluate(lookAtForm)) as { readonly checked: readonly string[] };
      const order = texts.sections.flatMap(({ questions }) => questions);
      assert.deepEqual(
        {
          ...seen,
          checked: seen.checked.filter((value) => value !== ''),
        },
        {
          foreign: 0,
          styles: 1,
          handlers: 0,
          isBeside: 'FORM',
          phrases: order.map((id) => texts.questions.get(id)!.phrase.text),
          helps: order.map((id) => texts.questions.get(id)!.help!.text),
          ids: order,
          token: hostileTexts[1],
          texts: order.flatMap((id) => {
            const { form, question } = survey.byId.get(id)!;
            const text = given.get(questionPrefix + id)![0]!.toWellFormed();
            const isLine = 'responseType' in question && question.responseType === 'TEXT';
            return form === 'open' ? [isLine ? text.replaceAll('\n', '') : text] : [];
          }),
          checked: order.flatMap((id) => {
            const { form, answers } = survey.byId.get(id)!;
            return form === 'open' ? [] : [answers[0]!.id];
          }),
          links: survey.questions.map(({ id }) => id),
          lost: [],
        },
        language,
      );
    }
    assert.deepEqual(alerts, []);
  });

  it('CSS shows the very questions that the rules ask, for random surveys and answers [D-42, D-432]', async () => {
    let states = 0;
    let hidden = 0;
    let afterSend = 0;
    for (let seed = 1; seed <= 40; seed += 1) {
      const chance = seeded(seed);
      const survey = prepared(randomSurvey(chance, { openText: seed % 2 === 0 }));
      const { shownAfterSend } = await show(survey);
      afterSend += shownAfterSend.size;
      const rounds = Array.from({ length: 15 }, () => someAnswers(survey, chance));
      const seen = (await page.evaluate(visibleAfterEach(rounds))) as string[][];
      for (const [round, answers] of rounds.entries()) {
        const expected = askedBy(survey, answers, shownAfterSend);
        states += 1;
        hidden += survey.questions.length - expected.length;
        assert.deepEqual(seen[round], expected, `seed ${seed}, round ${round}`);
      }
    }
    // The property is about something: many questions were hidden, and some were left to the server.
    assert.equal(states, 600);
    assert.ok(hidden > 1_000 && afterSend > 20, `${hidden} hidden, ${afterSend} after the first send`);
  });

  it('a question with too many selectors, and one that hangs on open text, is left to the server [D-432]', () => {
    const survey = prepared({
      ...randomSurvey(seeded(1)),
      latents: [],
      questions: [
        choice('many', 65),
        { ...choice('few', 64), rules: [] },
        { ...choice('long', 2), rules: [{ question: 'many', operator: 'contains', answer: 'A' }] },
        { ...choice('short', 2), rules: [{ question: 'few', operator: 'contains', answer: 'A' }] },
        { ...choice('open', 0), responseType: 'TEXT' },
        { ...choice('written', 2), rules: [{ question: 'open', operator: 'contains', answer: 'no' }] },
        {
          ...choice('behind', 2),
          rules: [{ question: 'written', operator: 'equals', answer: 'A-written-1' }],
        },
      ],
    });
    assert.deepEqual([...visibilityRules(survey).shownAfterSend], ['long', 'written']);
  });

  async function show(survey: PreparedSurvey): Promise<{ readonly shownAfterSend: ReadonlySet<string> }> {
    const { css, shownAfterSend } = visibilityRules(survey);
    const form = inOneGo(
      formInPieces({
        prepared: survey,
        texts: surveyTexts(survey.definition, 'en', 'name'),
        messages: messagesOf('en'),
        language: 'en',
        action: '/s/random',
        token: '',
        shownAfterSend,
      }),
    );
    await page.setContent(`<!doctype html><style>${css}</style>${form}`);
    return { shownAfterSend };
  }
});

function choice(id: string, answers: number) {
  return {
    id,
    name: id,
    phrase: id,
    label: id,
    required: false,
    responseType: 'RADIO' as const,
    answers: Array.from({ length: answers }, (_, index) => ({
      id: `A-${id}-${index}`,
      text: 'A',
      label: 'A',
      value: null,
    })),
    scale: null,
    maxLength: null,
    role: null,
    rules: [] as SurveyDefinition['questions'][number]['rules'],
  };
}

/** Answers to any question, asked or not: whoever changes an early answer leaves later ones behind. */
function someAnswers(
  survey: PreparedSurvey,
  chance: Seeded,
): GivenAnswers & { readonly ids: readonly string[] } {
  return {
    ids: survey.questions.map(({ id }) => id),
    chosen: survey.questions.map(({ form, answers }) => {
      const places = answers.map((_, place) => place);
      if (form === 'open' || chance.percent(25)) return [];
      return form === 'multiple' ? chance.some(places, 3) : [chance.pick(places)];
    }),
  };
}

function askedBy(survey: PreparedSurvey, { chosen }: GivenAnswers, left: ReadonlySet<string>): string[] {
  const isAsked = survey.questions.map(() => true);
  // What the server has not shown is not asked, whatever its rules say, and so is nothing that hangs on it.
  const conditional = survey.conditional.map((question) =>
    left.has(question.id) ? { ...question, rules: [] } : question,
  );
  settleVisibility(
    { ...survey, conditional },
    survey.questions.map(({ form }, index) => (form === 'single' ? (chosen[index]![0] ?? -1) : -1)),
    survey.questions.map(({ form }, index) => (form === 'multiple' ? chosen[index] : undefined)),
    survey.questions.map(() => undefined),
    isAsked,
  );
  return survey.questions.flatMap(({ id }, index) => (isAsked[index] ? [id] : [])).sort();
}

// What runs in the browser is text: its types are not those of the service.

const lookAtForm = `(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const textOf = (element) => element.textContent;
  const idsIn = (element) =>
    ['aria-describedby', 'aria-labelledby'].flatMap((name) => (element.getAttribute(name) ?? '').split(' '));
  return {
    foreign: all('script, img, body > style, form form').length,
    styles: all('style').length,
    handlers: all('*').filter((element) => [...element.attributes].some(({ name }) => name.startsWith('on'))).length,
    // What stands after the form is still beside it.
    isBeside: document.querySelector('#after').previousElementSibling.tagName,
    phrases: all('.question .phrase').map(textOf),
    helps: all('.question .help').map(textOf),
    ids: all('.question').map((element) => element.getAttribute('data-question')),
    token: document.querySelector('[name=token]').value,
    texts: all('input[type=text][name^="q."], textarea').map((element) => element.value),
    checked: all(':checked').map((element) => element.value),
    links: all('.summary a').map((link) =>
      document.getElementById(link.hash.slice(1))?.closest('.question').getAttribute('data-question')),
    // A description that points nowhere is read to nobody.
    lost: all('*').flatMap(idsIn).filter((id) => id !== '' && document.getElementById(id) === null),
  };
})()`;

/** Sets the answers of each round, and tells which questions are seen then. */
const visibleAfterEach = (rounds: readonly unknown[]): string => `((rounds) => {
  const questions = [...document.querySelectorAll('.question')];
  const byId = new Map(questions.map((question) => [question.dataset.question, question]));
  return rounds.map(({ ids, chosen }) => {
    for (const [index, id] of ids.entries()) {
      const question = byId.get(id);
      const places = new Set(chosen[index]);
      const boxes = question.querySelectorAll('input[type=radio], input[type=checkbox]');
      for (const [place, box] of boxes.entries()) box.checked = places.has(place);
      const select = question.querySelector('select');
      if (select !== null) select.selectedIndex = places.size === 0 ? 0 : 1 + chosen[index][0];
    }
    return questions
      .filter((question) => question.checkVisibility())
      .map((question) => question.dataset.question)
      .sort();
  });
})(${JSON.stringify(rounds)})`;
