// Responses for the demo account (examples/demo.yaml) that look like life: weekdays, trends, the story of demo-story.ts,
// segments, missing answers, open text. The same seed and day give the same responses, in the order of time.

import { dayMs } from '../../domain/dates.ts';
import type { Catalogue, SurveyDefinition } from '../../domain/feedback/definition.ts';
import { momentText } from '../../domain/moment-text.ts';
import { type Chance, chanceFrom } from './demo-chance.ts';
import { type Story, storyOf } from './demo-story.ts';
import {
  appComments,
  badgeComments,
  carrierComments,
  desktops,
  otherWishes,
  phones,
  storeComments,
  type Texts,
  whyNotFound,
  whyTooSlow,
} from './demo-texts.ts';

export interface DemoWish {
  readonly seed: number;
  /** How many days back; the last one is the day before today. */
  readonly days: number;
  readonly count: number;
  /** Today as a day number (dates.ts). */
  readonly today: number;
}

export interface DemoResponse {
  /** As a client would send it. */
  readonly body: Readonly<Record<string, unknown>> & { readonly responseId: string };
  /** External parameters by name, that arrive later; null for most of them. */
  readonly external: Readonly<Record<string, string>> | null;
}

export const demoAccountId = 4001;

export function* demoResponses(catalogue: Catalogue, wish: DemoWish): Generator<DemoResponse> {
  const surveys = surveysById(catalogue);
  const chance = chanceFrom(wish.seed);
  const counts = spread(wish);
  const story = storyOf(wish.today);
  for (const [index, count] of counts.entries()) {
    const day = wish.today - wish.days + index;
    const moments = Array.from({ length: count }, () => day * dayMs + timeOfDay(chance)).sort(
      (a, b) => a - b,
    );
    for (const moment of moments) {
      const visit: Visit = {
        ...{ chance, moment, day, story },
        weekday: weekdayOf(day),
        progress: index / wish.days,
        carrierShare: Math.max(0, (day - story.carrierDay) / (wish.today - story.carrierDay)),
      };
      const make = chance.pick([
        webResponse,
        webResponse,
        webResponse,
        storeResponse,
        storeResponse,
        badgeResponse,
        appResponse,
      ]);
      const { surveyId, external, ...rest } = make(surveys, visit);
      const body = {
        surveyDefinitionId: surveyId,
        responseId: idOf(moment, chance),
        submissionTimestamp: momentText(moment),
        ...rest,
      };
      yield { body, external: chance.happens(0.6) ? external : null };
    }
  }
}

interface Visit {
  readonly chance: Chance;
  readonly moment: number;
  readonly day: number;
  readonly story: Story;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** From 0 on the first day to 1 today. */
  readonly progress: number;
  /** How far the new carrier has come: 0 before it, 1 today. */
  readonly carrierShare: number;
}

interface Made {
  readonly surveyId: string;
  readonly external: Record<string, string> | null;
  readonly [member: string]: unknown;
}

type Surveys = ReadonlyMap<string, SurveyDefinition>;
type Answers = Record<string, string[]>;

// More at the weekend, and a little more every week: business grows.
function spread({ days, count, today }: DemoWish): number[] {
  const weights = Array.from({ length: days }, (_, index) => {
    const weekday = weekdayOf(today - days + index);
    return (weekday === 0 || weekday === 6 ? 1.5 : weekday === 5 ? 1.2 : 1) * (0.8 + (0.4 * index) / days);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  let due = 0;
  let given = 0;
  return weights.map((weight) => {
    due += (weight / sum) * count;
    const now = Math.round(due) - given;
    given += now;
    return now;
  });
}

function isBadWeek({ day, story: { badWeek } }: Visit): boolean {
  return day >= badWeek.from && day <= badWeek.to;
}

const segments = [
  { name: 'loyal', mood: 0.8, share: 0.3, cart: 140 },
  { name: 'regular', mood: 0.68, share: 0.35, cart: 85 },
  { name: 'new', mood: 0.62, share: 0.2, cart: 60 },
  { name: 'bargain', mood: 0.52, share: 0.15, cart: 35 },
] as const;

function webResponse(surveys: Surveys, visit: Visit): Made {
  const { chance, progress } = visit;
  const segment = chance.weighted(segments);
  const phone = chance.happens(0.45);
  // A store that has had the demo for long does not have the version before; everything is then of the one that it has.
  const isOlder = visit.day < visit.story.versionDay && surveys.has('acme-web-browse-2');
  const surveyId = isOlder ? 'acme-web-browse-2' : 'acme-web-browse-3';
  const locale = chance.pick(webLocales);
  // The slow week shows in everything; the navigation slowly gets better.
  const isSlow = isBadWeek(visit);
  const mood = segment.mood + chance.around(0.14) - (isSlow ? 0.12 : 0);
  const shifts: Record<string, number> = {
    'L-PERF': (isSlow ? -0.14 : 0.05) - (phone ? 0.08 : 0),
    'L-NAV': -0.1 + 0.16 * progress,
    'L-LOOK': 0.06,
    'L-RECOMMEND': -0.04,
  };
  const responses = measuredAnswers(surveys.get(surveyId), mood, shifts, chance);
  const satisfaction = Number(responses['Q-SAT-1']?.[0]);
  responses['Q-VISIT'] = [
    chance.pick(segment.name === 'new' ? ['A-FIRST', 'A-FIRST', 'A-MONTH'] : ['A-MONTH', 'A-WEEK', 'A-MORE']),
  ];
  if (chance.happens(0.85))
    responses['Q-REASON'] = chance.some(['R-BROWSE', 'R-BUY', 'R-ORDER', 'R-SERVICE']);
  const found = chance.happens(mood) ? 'A-YES' : chance.pick(['A-PARTLY', 'A-NO']);
  responses['Q-FOUND'] = [found];
  if (found !== 'A-YES' && chance.happens(0.6))
    responses['Q-WHY'] = [written(isSlow && chance.happens(0.7) ? whyTooSlow : whyNotFound, locale, chance)];
  if (!isOlder && satisfaction < 5 && chance.happens(0.8)) {
    const improve = isSlow ? 'I-SPEED' : chance.pick(['I-SEARCH', 'I-SPEED', 'I-PRICES', 'I-OTHER']);
    responses['Q-IMPROVE'] = [improve];
    if (improve === 'I-OTHER' && chance.happens(0.7))
      responses['Q-IMPROVE-OTHER'] = [written(otherWishes, locale, chance)];
  }
  if (!isOlder && chance.happens(0.9)) responses['Q-NPS'] = [`${scaled(mood + chance.around(0.1), 0, 10)}`];
  const spent = Math.round(segment.cart * (4 + 8 * chance.next()));
  return {
    surveyId,
    ...webFields(chance, phone, locale, chance.pick(paths)),
    responses,
    cpps: {
      properties: { segment: [segment.name] },
      metrics: { cart_value: Math.round(segment.cart * 200 * chance.next()) / 100 },
      data: {
        signed_in: chance.happens(0.5) ? 'true' : 'false',
        ...(chance.happens(0.1) ? { experiment: 'filters-b' } : {}),
      },
    },
    external: {
      loyalty_tier: spent > 900 ? 'gold' : spent > 400 ? 'silver' : 'basic',
      spent_last_year: `${spent}`,
    },
  };
}

const stores = [
  { id: 'S-014', mood: 0.76, region: 'North' },
  { id: 'S-022', mood: 0.7, region: 'North' },
  { id: 'S-031', mood: 0.62, region: 'South' },
  { id: 'S-047', mood: 0.55, region: 'West' },
] as const;

function storeResponse(surveys: Surveys, visit: Visit): Made {
  const { chance, progress, weekday } = visit;
  const store = chance.pick(stores);
  const isSaturday = weekday === 6;
  // Queues on Saturdays; the store that is worst off is catching up.
  const mood = store.mood + chance.around(0.13) + (store.id === 'S-047' ? 0.15 * progress : 0);
  const shifts = {
    'L-CHECKOUT': isSaturday ? -0.2 : 0.04,
    'L-STAFF': isSaturday ? -0.05 : 0.05,
    'L-RANGE': -0.03,
  };
  const responses = measuredAnswers(surveys.get('acme-stores-1'), mood, shifts, chance);
  const bought = chance.happens(mood + 0.05);
  responses['Q-BOUGHT'] = [bought ? 'A-YES' : 'A-NO'];
  if (!bought && chance.happens(0.9)) {
    responses['Q-WHY-NOT'] = chance.some(
      isSaturday ? ['W-QUEUE', 'W-STOCK'] : ['W-STOCK', 'W-PRICE', 'W-LOOK'],
    );
  }
  const locale = chance.happens(0.12) ? 'es-US' : 'en-US';
  if (chance.happens(0.25))
    responses['Q-COMMENT'] = [written(storeComments[mood > 0.65 ? 'glad' : 'sad'], locale, chance)];
  return {
    surveyId: 'acme-stores-1',
    locale,
    completionTimeInMs: 30_000 + Math.floor(90_000 * chance.next()),
    responses,
    cpps: {
      metrics: bought ? { receipt_total: Math.round(12_000 * chance.next()) / 100 } : {},
      data: { store_id: store.id },
    },
    external: { sales_region: store.region },
  };
}

function badgeResponse(_: Surveys, visit: Visit): Made {
  const { chance, carrierShare } = visit;
  const isSlow = isBadWeek(visit);
  const isAboutCarrier = chance.happens(0.5 * carrierShare);
  const mood = 0.6 + chance.around(0.3) - (isSlow ? 0.2 : 0) - (isAboutCarrier ? 0.2 : 0);
  const topic = isAboutCarrier ? 'T-3' : badgeTopic(mood, isSlow, chance);
  const locale = chance.pick(webLocales);
  const responses: Answers = { 'Q-STARS': [`${scaled(mood, 1, 5)}`] };
  if (chance.happens(0.85)) {
    responses['Q-TOPIC'] = [topic];
    const texts = isAboutCarrier ? carrierComments : (badgeComments[topic] ?? badgeComments['T-5']);
    if (chance.happens(0.7)) responses['Q-COMMENT'] = [written(texts, locale, chance)];
    if (topic === 'T-1' && chance.happens(0.3))
      responses['Q-EMAIL'] = [`visitor${chance.below(9000)}@mail.example`];
  }
  const ticket = topic === 'T-1' ? { ticket: `HD-${10_000 + chance.below(90_000)}` } : null;
  const path = topic === 'T-3' && chance.happens(0.6) ? '/account/orders' : chance.pick(paths);
  return {
    surveyId: 'acme-badge-1',
    ...webFields(chance, chance.happens(0.45), locale, path),
    responses,
    external: ticket,
  };
}

function badgeTopic(mood: number, isSlow: boolean, chance: Chance): string {
  if (isSlow && chance.happens(0.5)) return 'T-1';
  return mood > 0.75 ? 'T-4' : chance.pick(['T-1', 'T-2', 'T-3', 'T-5']);
}

function appResponse(_: Surveys, { chance, progress }: Visit): Made {
  // The second version of the app came half way, and was better liked.
  const version = progress > 0.5 && chance.happens(0.3 + progress * 0.6) ? '6.1.0' : '5.4.2';
  const mood = (version === '6.1.0' ? 0.74 : 0.56) + chance.around(0.25);
  const stars = scaled(mood, 1, 5);
  const responses: Answers = { 'Q-STARS': [`${stars}`] };
  if (chance.happens(0.7)) responses['Q-TOPIC'] = [chance.pick(['T-1', 'T-2', 'T-3'])];
  const locale = chance.pick(['en-US', 'en-GB', 'de-DE', 'fr-FR']);
  if (stars < 4 && chance.happens(0.6)) responses['Q-COMMENT'] = [written(appComments, locale, chance)];
  return {
    surveyId: 'acme-app-1',
    locale,
    deviceDetails: chance.pick(phones),
    responses,
    cpps: { data: { app_version: version } },
    external: null,
  };
}

/** How far a latent strays from the mood of a person: the farther, the less it says about satisfaction. */
const strays: Readonly<Record<string, number>> = {
  'L-LOOK': 0.2,
  'L-NAV': 0.1,
  'L-PROD': 0.16,
  'L-PERF': 0.14,
  'L-STAFF': 0.12,
  'L-RANGE': 0.2,
  'L-PLACE': 0.22,
  'L-CHECKOUT': 0.15,
};

// One mood runs through all answers of a person; every latent shifts it, every answer has its noise.
function measuredAnswers(
  survey: SurveyDefinition | undefined,
  mood: number,
  shifts: Readonly<Record<string, number>>,
  chance: Chance,
): Answers {
  const answers: Answers = {};
  for (const latent of survey?.latents ?? []) {
    const ofLatent = mood + (shifts[latent.id] ?? 0) + chance.around(strays[latent.id] ?? 0.05);
    for (const { id, scale, required, dontKnow } of latent.questions) {
      const value = scaled(ofLatent + chance.around(0.1), scale.min, scale.max);
      if (!required && chance.happens(0.04)) continue;
      answers[id] = [dontKnow && chance.happens(0.04) ? `${id}-DK` : `${value}`];
    }
  }
  return answers;
}

const paths = [
  '/',
  '/shoes',
  '/shoes/running',
  '/coats',
  '/sale',
  '/account/orders',
  '/checkout',
  '/search?q=boots',
];

const webLocales = [
  ...['en-US', 'en-US', 'en-US', 'en-GB', 'en-GB', 'de-DE', 'de-DE', 'fr-FR', 'fr-FR', 'es-ES', 'ja-JP'],
  'ar-EG',
];

function webFields(chance: Chance, phone: boolean, locale: string, path: string): Record<string, unknown> {
  return {
    url: `https://shop.acme.example${path}`,
    locale,
    ...(chance.happens(0.6) ? { referrer: chance.pick(['search', 'newsletter', 'social']) } : {}),
    pageVisits: `${1 + chance.below(14)}`,
    completionTimeInMs: 20_000 + Math.floor(150_000 * chance.next()),
    deviceDetails: chance.pick(phone ? phones : desktops),
  };
}

/** What somebody writes, in the language of their browser as far as there is something in it. */
function written(texts: Texts, locale: string, chance: Chance): string {
  return chance.pick(texts[locale.slice(0, 2)] ?? texts.en);
}

function scaled(mood: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, Math.round(min + mood * (max - min))));
}

// Most people answer between nine in the morning and ten at night.
function timeOfDay(chance: Chance): number {
  const hour = chance.happens(0.9) ? 9 + 13 * ((chance.next() + chance.next()) / 2) : 24 * chance.next();
  return Math.floor(hour * 3_600_000);
}

// The first of January 1970 was a Thursday.
function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

// A UUIDv7 of the moment and the seed's chance: the ids of real responses are of this kind too.
function idOf(moment: number, chance: Chance): string {
  const time = moment.toString(16).padStart(12, '0');
  const hex = (digits: number) =>
    chance
      .below(16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(3)}-${(8 + chance.below(4)).toString(16)}${hex(3)}-${hex(6)}${hex(6)}`;
}

function surveysById(catalogue: Catalogue): Surveys {
  const sources = catalogue.accounts.flatMap(({ measures, projects }) => [...measures, ...projects]);
  return new Map(sources.flatMap(({ surveys }) => surveys).map((survey) => [survey.id, survey]));
}
