// Hundreds of responses of two accounts over three months, several versions of their surveys, in mixed order of days, for tests of
// what is worked out of them: every kind of question, rules that hide questions, texts of many scripts, parameters of odd names,
// some of them erased, some with external parameters. The same ones every time.

import assert from 'node:assert/strict';
import { readCatalogue } from '../../src/domain/feedback/catalogue.ts';
import { answersOf, type Catalogue, type SurveyDefinition } from '../../src/domain/feedback/definition.ts';
import { isAsked, isOpen, questionsOf, type ResponseBody } from './feedback-model.ts';
import type { FeedbackService } from './feedback-service.ts';
import { type Seeded, seeded } from './seeded.ts';

export const insightAcme = 4001;
export const insightBolt = 4002;
export const firstDay = '2026-01-01';
export const lastDay = '2026-03-31';
/** The clock of the service: the days of the population are over. */
export const insightNowMs = Date.parse('2026-04-15T12:00:00Z');
/** Stands in every text of the other account, and in no text of the first. */
export const canary = 'KANARIENVOGEL';

const dayMs = 86_400_000;
const days = 90;

// ---- the catalogue

const look = (weights: readonly [number, number]) => ({
  id: 'L-LOOK',
  name: 'Look and feel',
  type: 'ELEMENTS',
  questions: [
    {
      id: 'Q-LOOK-1',
      name: 'How clear is it?',
      weight: weights[0],
      scale: { min: 1, max: 5 },
      dontKnow: true,
    },
    { id: 'Q-LOOK-2', name: 'How pleasant is it?', weight: weights[1], scale: { min: 1, max: 5 } },
  ],
});

const satisfaction = (second: string) => ({
  id: 'L-SAT',
  name: 'Satisfaction',
  type: 'SATISFACTION',
  questions: [
    {
      id: 'Q-SAT-1',
      name: 'How satisfied are you?',
      phrase: 'Overall',
      weight: 0.7,
      scale: { min: 1, max: 10 },
    },
    { id: second, name: `How close to your ideal (${second})?`, weight: 0.3, scale: { min: 1, max: 10 } },
  ],
});

const returning = {
  id: 'L-RETURN',
  name: 'Return',
  type: 'FUTURE_BEHAVIOR',
  questions: [{ id: 'Q-RETURN', name: 'Will you return?', scale: { min: 0, max: 10 } }],
};

const price = {
  id: 'L-PRICE',
  name: 'Prices',
  type: 'ELEMENTS',
  questions: [
    { id: 'Q-PRICE-1', name: 'How fair are the prices?', weight: 3, scale: { min: -2, max: 2 } },
    {
      id: 'Q-PRICE-2',
      name: 'How clear are the prices?',
      weight: 1,
      scale: { min: 1, max: 7 },
      dontKnow: true,
    },
  ],
};

const found = (more: readonly object[]) => ({
  id: 'Q-FOUND',
  name: 'Did you find it?',
  responseType: 'RADIO',
  required: true,
  answers: [{ id: 'A-YES', text: 'Yes', value: 1 }, { id: 'A-NO', text: 'No', value: 2 }, ...more],
});

const customQuestions = (foundMore: readonly object[]) => [
  found(foundMore),
  {
    id: 'Q-WHERE',
    name: 'Where did you look?',
    responseType: 'CHECKBOX',
    rules: [{ question: 'Q-FOUND', operator: 'equals', answer: 'A-NO' }],
    answers: [
      { id: 'W-MENU', text: 'In the menu' },
      { id: 'W-SEARCH', text: 'By the search', value: 's' },
      { id: 'W-HELP', text: 'In the help' },
    ],
  },
  {
    // Asked after an answer of a question that is itself not always asked.
    id: 'Q-WORDS-SOUGHT',
    name: 'Which words did you look for?',
    responseType: 'TEXT',
    rules: [{ question: 'Q-WHERE', operator: 'equals', answer: 'W-SEARCH' }],
  },
  { id: 'Q-NPS', name: 'Would you recommend us?', responseType: 'NPS' },
  {
    id: 'Q-PLAN',
    name: 'Which plan have you?',
    responseType: 'SELECT',
    answers: [
      { id: 'P-FREE', text: 'Free', value: 0.5 },
      { id: 'P-PLUS', text: 'Plus', value: 2.25 },
      { id: 'P-NONE', text: 'None' },
    ],
  },
  { id: 'Q-SAY', name: 'What else?', responseType: 'TEXT_AREA', maxLength: 400 },
];

/** A name that has every sign with a meaning in filters and addresses. */
export const oddName = 'größe;,%2C&=漢';
/** A name that every object inherits; ingestion refuses `__proto__` and `constructor`. */
export const inheritedName = 'toString';

const parameters = {
  custom: [
    { id: 'CPP-CART', name: 'cart_value', valueType: 'NUMBER' },
    { id: 'CPP-PLAN', name: 'plan' },
  ],
  external: [{ id: 'EPP-TIER', name: 'loyalty_tier' }],
};

const webVersions = (prefix: string) => [
  {
    id: `${prefix}-web-1`,
    modelInstanceId: `${prefix}-model-1`,
    version: 1,
    latents: [look([1, 1]), satisfaction('Q-SAT-2'), returning],
    questions: customQuestions([]),
    parameters,
  },
  {
    // Other weights of one latent, a further one, a further answer of a custom question; satisfaction is the same.
    id: `${prefix}-web-2`,
    modelInstanceId: `${prefix}-model-2`,
    version: 2,
    latents: [look([1, 3]), price, satisfaction('Q-SAT-2'), returning],
    questions: customQuestions([{ id: 'A-PARTLY', text: 'Partly', value: 3 }]),
    parameters,
  },
  {
    // Another question of satisfaction, and one latent less.
    id: `${prefix}-web-3`,
    modelInstanceId: `${prefix}-model-3`,
    version: 3,
    current: true,
    latents: [satisfaction('Q-SAT-3'), look([1, 3]), price],
    questions: customQuestions([{ id: 'A-PARTLY', text: 'Partly', value: 3 }]),
    parameters,
  },
];

const topicOf = (ids: readonly string[]) => ({
  id: 'Q-TOPIC',
  name: 'What is it about?',
  responseType: 'SELECT',
  role: 'topic',
  answers: ids.map((id) => ({ id, text: `Topic ${id}` })),
});

const badgeVersions = (prefix: string) => [
  {
    id: `${prefix}-badge-1`,
    modelInstanceId: `${prefix}-badge-model-1`,
    version: 1,
    questions: [
      { id: 'Q-STARS', name: 'Your rating', responseType: 'STAR_RATING', role: 'rating' },
      topicOf(['T-TECH', 'T-PRICE', 'T-OTHER']),
      { id: 'Q-SAY', name: 'Tell us more', responseType: 'TEXT' },
    ],
    parameters,
  },
  {
    id: `${prefix}-badge-2`,
    modelInstanceId: `${prefix}-badge-model-2`,
    version: 2,
    current: true,
    questions: [
      { id: 'Q-STARS', name: 'Your rating', responseType: 'STAR_RATING', role: 'rating' },
      topicOf(['T-TECH', 'T-DELIVERY', 'T-OTHER']),
      {
        id: 'Q-BAD',
        name: 'What was bad?',
        responseType: 'TEXT_AREA',
        rules: [{ question: 'Q-STARS', operator: 'lt', answer: 3 }],
      },
      { id: 'Q-SAY', name: 'Tell us more', responseType: 'TEXT' },
    ],
    parameters,
  },
];

/** Beside those of the catalogue: topics that people write themselves. */
export const cargo = 4003;

export const cargoAccount = {
  id: cargo,
  name: 'Cargo',
  projects: [
    {
      id: 310,
      name: 'Words',
      surveys: [
        {
          id: 'cargo-words',
          modelInstanceId: 'cargo-words',
          questions: [
            { id: 'Q-STARS', name: 'How good?', responseType: 'STAR_RATING', role: 'rating' },
            { id: 'Q-ABOUT', name: 'What about?', responseType: 'TEXT', role: 'topic' },
          ],
        },
      ],
    },
  ],
};

export const insightCatalogue = {
  accounts: [
    {
      id: insightAcme,
      name: 'Acme',
      measures: [
        { key: 700, name: 'Acme web', surveys: webVersions('acme') },
        { key: 701, name: 'Acme empty', surveys: [webVersions('acme-empty')[2]!] },
        { key: 702, name: 'Acme without a survey' },
      ],
      projects: [
        { id: 300, name: 'Acme badge', surveys: badgeVersions('acme') },
        { id: 301, name: 'Acme empty badge', surveys: [badgeVersions('acme-empty')[1]!] },
      ],
    },
    {
      id: insightBolt,
      name: 'Bolt',
      measures: [
        { key: 700, name: 'Bolt web', surveys: webVersions('bolt') },
        { key: 800, name: 'Bolt other', surveys: [webVersions('bolt-other')[2]!] },
      ],
      projects: [
        { id: 300, name: 'Bolt badge', surveys: badgeVersions('bolt') },
        { id: 900, name: 'Bolt other badge', surveys: [badgeVersions('bolt-other')[1]!] },
      ],
    },
  ],
};

/** The catalogue with every default filled in, as it is read when it is applied. */
export function readInsightCatalogue(): Catalogue {
  const { catalogue, faults } = readCatalogue(JSON.stringify(insightCatalogue));
  assert.deepEqual(faults, []);
  return catalogue!;
}

// ---- the responses

/** A response as it was sent, and what has become of it. */
export interface InsightResponse {
  readonly responseId: string;
  /** Where it stands in the log of its source; 1 is the first. */
  readonly position: number;
  readonly submittedAtMs: number;
  readonly survey: SurveyDefinition;
  readonly body: ResponseBody;
  readonly external: Readonly<Record<string, string>>;
  readonly isErased: boolean;
}

/** A measure or project with the versions of its survey and everything that was sent to it, in the order of arrival. */
export interface InsightSource {
  readonly accountId: number;
  readonly kind: 'measure' | 'project';
  readonly key: number;
  /** As in addresses: `measures/700`. */
  readonly path: string;
  readonly versions: readonly SurveyDefinition[];
  readonly responses: readonly InsightResponse[];
}

interface Wanted {
  readonly accountId: number;
  readonly kind: 'measure' | 'project';
  readonly key: number;
  readonly count: number;
}

const wanted: readonly Wanted[] = [
  { accountId: insightAcme, kind: 'measure', key: 700, count: 320 },
  { accountId: insightAcme, kind: 'project', key: 300, count: 180 },
  { accountId: insightAcme, kind: 'measure', key: 701, count: 0 },
  { accountId: insightAcme, kind: 'project', key: 301, count: 0 },
  { accountId: insightBolt, kind: 'measure', key: 700, count: 60 },
  { accountId: insightBolt, kind: 'project', key: 300, count: 40 },
];

export function insightPopulation(): readonly InsightSource[] {
  const catalogue = readInsightCatalogue();
  return wanted.map(({ accountId, kind, key, count }) => {
    const account = catalogue.accounts.find(({ id }) => id === accountId)!;
    const { surveys } =
      kind === 'measure'
        ? account.measures.find((one) => one.key === key)!
        : account.projects.find((one) => one.id === key)!;
    const random = seeded(accountId * 1_000 + key);
    const name = `${accountId === insightAcme ? 'a' : 'b'}${kind[0]}${key}`;
    const responses = Array.from({ length: count }, (_, index) =>
      responseOf(random, accountId, surveys, `${name}-${index + 1}`, index + 1, count),
    );
    return { accountId, kind, key, path: `${kind}s/${key}`, versions: surveys, responses };
  });
}

function responseOf(
  random: Seeded,
  accountId: number,
  versions: readonly SurveyDefinition[],
  responseId: string,
  position: number,
  count: number,
): InsightResponse {
  // Days rise with the order of arrival, but one in six comes late, by up to forty days.
  const late = random.percent(16) ? random.below(40) : 0;
  const day = Math.max(0, Math.floor(((position - 1) / count) * days) - late);
  const submittedAtMs = Date.parse(firstDay) + day * dayMs + random.below(dayMs);
  // Versions follow each other, and pages in the field ask the one before for ten days more.
  const turn = Math.floor(((day - (random.percent(50) ? 0 : 10)) / days) * versions.length);
  const survey = versions[Math.min(versions.length - 1, Math.max(0, turn))]!;
  const mood = random.number() * (day > 40 && day < 50 ? 0.4 : 1);
  const body: ResponseBody = {
    surveyDefinitionId: survey.id,
    responseId,
    submissionTimestamp: new Date(submittedAtMs).toISOString(),
    responses: answersFor(random, survey, mood, accountId === insightBolt ? ` ${canary}` : ''),
    ...aroundAnswers(random, accountId === insightBolt ? ` ${canary}` : ''),
  };
  const external: Record<string, string> = random.percent(30)
    ? { loyalty_tier: random.pick(['gold', 'silver', 'Größe; 1,5 %']) }
    : {};
  return { responseId, position, submittedAtMs, survey, body, external, isErased: random.percent(9) };
}

function answersFor(
  random: Seeded,
  survey: SurveyDefinition,
  mood: number,
  ending: string,
): Record<string, string[]> {
  const body: ResponseBody = { surveyDefinitionId: survey.id, responses: {} };
  const responses = body.responses!;
  // The rules of this catalogue look at questions that stand before their own.
  for (const question of questionsOf(survey)) {
    if (!isAsked(survey, question, body)) continue;
    if (!question.required && random.percent(18)) continue;
    if (isOpen(question)) {
      responses[question.id] = [`${random.pick(texts)}${ending}`];
      continue;
    }
    const answers = answersOf(question);
    if ('responseType' in question && question.responseType === 'CHECKBOX') {
      const some = random.some(answers, 1 + random.below(3));
      responses[question.id] = some.map(({ id }) => id);
      continue;
    }
    const isScale = question.scale !== null && random.percent(92);
    const place = isScale ? Math.floor((mood * 0.8 + random.number() * 0.2) * answers.length) : 0;
    const answer = isScale ? answers[Math.min(answers.length - 1, place)]! : random.pick(answers);
    const isById = answer.value === null || random.percent(50);
    responses[question.id] = [isById ? answer.id : String(answer.value)];
  }
  return responses;
}

const texts = [
  'The search finds nothing, the search is slow',
  'Search, search and SEARCH again; nothing of "use"',
  '検索が遅いです。とても困りました',
  '搜索太慢了',
  'Straße und Größe: schwer zu finden 😀 search',
  'ok',
  'İstanbul siparişi gelmedi',
  'Delivery was late & the parcel <b>broken</b>\nTwice!',
  'I had to call. 100% waste; a_b',
  'naïve café – déjà vu',
  'x'.repeat(120),
];

function aroundAnswers(random: Seeded, ending: string): Record<string, unknown> {
  const around: Record<string, unknown> = {};
  if (random.percent(80))
    around.url = `https://shop.example/${random.pick(['home', 'basket', 'search?q=ä', 'help'])}${ending}`;
  if (random.percent(70)) around.locale = `${random.pick(['en-GB', 'de-DE', 'ja', 'EN-gb'])}${ending}`;
  if (random.percent(75))
    around.deviceDetails = {
      ...(random.percent(90) ? { deviceType: random.pick(['phone', 'desktop', 'tablet']) } : {}),
      browser: random.pick(['firefox', 'chrome']),
      isTablet: random.percent(10),
    };
  if (random.percent(80)) around.completionTimeInMs = Math.floor(300 * 2 ** (random.number() * 14));
  const properties: [string, string[]][] = [];
  const data: [string, string][] = [];
  const metrics: [string, number][] = [];
  if (random.percent(40)) properties.push(['plan', random.some(['basic', 'plus', 'beta'], 2)]);
  if (random.percent(60)) metrics.push(['cart_value', random.below(20_000) / 100]);
  if (random.percent(30))
    data.push([oddName, `${random.pick(['klein', 'groß; sehr, 100%', '漢字'])}${ending}`]);
  if (random.percent(20)) data.push([inheritedName, `built${ending}`]);
  if (random.percent(90)) data.push(['customer', `customer ${random.below(400)}${ending}`]);
  const cpps = {
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(metrics.length > 0 ? { metrics: Object.fromEntries(metrics) } : {}),
    ...(data.length > 0 ? { data: Object.fromEntries(data) } : {}),
  };
  return Object.keys(cpps).length > 0 ? { ...around, cpps } : around;
}

/** Sends all of it, each source in its order, then gives external parameters and erases. */
export async function sendInsight(
  service: FeedbackService,
  sources: readonly InsightSource[],
): Promise<void> {
  const tokens = new Map<number, string>();
  for (const accountId of new Set(sources.map((source) => source.accountId)))
    tokens.set(accountId, await service.token(accountId));
  const send = async ({ accountId, responses }: InsightSource): Promise<void> => {
    for (const { body } of responses) {
      const { status, text } = await service.post(body, tokens.get(accountId)!);
      assert.equal(status, 200, text);
    }
  };
  await Promise.all(sources.map(send));
  for (const { accountId, responses } of sources) {
    const external = responses.filter((response) => 'loyalty_tier' in response.external);
    const values = Object.fromEntries(external.map((response) => [response.responseId, response.external]));
    if (external.length > 0) await service.addExternal(accountId, values);
    for (const { responseId, isErased } of responses)
      if (isErased) await service.erase(accountId, responseId);
  }
}
