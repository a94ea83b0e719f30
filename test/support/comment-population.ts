// Thousands of responses with comments in many scripts, in mixed order of days, of two accounts that say the same: for tests of the
// search. The same ones every time.

import { fold } from '../../src/domain/fold.ts';
import type { ResponseBody } from './feedback-model.ts';
import { type Seeded, seeded } from './seeded.ts';

export const commentAcme = 4001;
export const commentBolt = 4002;
/** Stands in comments of the other account alone. */
export const foreignWord = 'kanarienvogel';

const dayMs = 86_400_000;
const firstMs = Date.UTC(2026, 0, 1);
export const commentNowMs = Date.UTC(2026, 5, 1);

const scale = { min: 1, max: 10 };
const open = (id: string) => ({ id, name: `Tell us (${id})`, responseType: 'TEXT_AREA', maxLength: 100_000 });
const shop = {
  id: 'C-SHOP',
  name: 'Which shop?',
  responseType: 'RADIO',
  answers: ['north', 'south', 'east'].map((id) => ({ id, text: `The shop in the ${id}` })),
};
const latents = [
  {
    id: 'L-SAT',
    name: 'Satisfaction',
    type: 'SATISFACTION',
    questions: [{ id: 'Q-1', name: 'How good?', scale }],
  },
  { id: 'L-LOOK', name: 'Look', type: 'ELEMENTS', questions: [{ id: 'Q-2', name: 'How nice?', scale }] },
];
const measureVersion = (id: string, version: number, questions: readonly object[]) => ({
  id,
  modelInstanceId: `model ${id}`,
  version,
  current: version === 2,
  latents,
  questions,
  parameters: { external: [{ id: 'E-TIER', name: 'tier' }] },
});
const measure = (account: string) => ({
  key: 10,
  name: 'Shops',
  surveys: [
    measureVersion(`${account}-shops-1`, 1, [shop, open('C-WHY')]),
    measureVersion(`${account}-shops-2`, 2, [open('C-MORE'), shop, open('C-WHY')]),
  ],
});
const project = (account: string) => ({
  id: 20,
  name: 'Badge',
  surveys: [
    {
      id: `${account}-badge`,
      modelInstanceId: `model ${account}`,
      questions: [
        { id: 'C-STARS', name: 'Stars', responseType: 'STAR_RATING', role: 'rating' },
        {
          id: 'C-TOPIC',
          name: 'Topic',
          responseType: 'SELECT',
          role: 'topic',
          answers: [
            { id: 'T-1', text: 'Delivery' },
            { id: 'T-2', text: 'Prices' },
          ],
        },
        open('C-WHY'),
      ],
    },
  ],
});
const account = (id: number, name: string) => ({
  id,
  name,
  measures: [measure(name), { ...measure(`${name}-spare`), key: 11, name: 'Spare' }],
  projects: [project(name)],
});
export const commentCatalogue = { accounts: [account(commentAcme, 'acme'), account(commentBolt, 'bolt')] };

const sentences = [
  'The delivery was slow and nobody told me why',
  'Great selection, but the checkout asks for my address twice',
  'Die Straße zum Parkplatz ist gesperrt, das war groß angekündigt',
  'Çok güzel bir site, teşekkürler',
  'Le café était délicieux, service un peu lent',
  'cafe\u0301 noir, tre\u0300s bien',
  'La tienda está cerrada los domingos ¿por qué?',
  '配送が遅いです。梱包はきれいでした',
  'ｶﾞﾗｽの容器が割れていました',
  '配送太慢了，客服态度很好',
  '한국어 지원이 필요해요',
  'очень медленная доставка, но цены хорошие',
  'التوصيل بطيء جدا والموقع جميل',
  'המשלוח הגיע באיחור',
  'ofﬁce hours are too short for eﬃcient shopping',
  'ＡＢＣ full width letters',
  '100% satisfied_with "quotes" and \'apostrophes\' and \\ too',
  'AND OR NOT NEAR(a, b) * ^ : {x} -y',
  '👍🏽 perfect 👨‍👩‍👧',
  'select * from comment where 1 = 1; --',
  'first line\nsecond line\ttabbed',
  'x',
  'ok',
];

export interface SentComment {
  readonly responseId: string;
  /** YYYY-MM-DD. */
  readonly day: string;
  readonly submittedAt: string;
  readonly version: number;
  readonly question: string;
  readonly text: string;
  readonly shop: string | null;
  readonly rating: number | null;
  readonly topic: string | null;
}

export interface SentResponse {
  readonly body: ResponseBody;
  /** In the order of the questions of its version. */
  readonly comments: readonly SentComment[];
}

const words = sentences.flatMap((text) => text.split(' '));

function textOf(random: Seeded, number: number): string {
  if (random.percent(3)) return `exactly number ${number}`;
  const some = [random.pick(sentences)];
  while (random.percent(50)) some.push(random.some(words, 4).join(' '));
  return some.join(' ');
}

/** Responses of an account, in the order in which they are sent. Both accounts say the same. */
export function commentResponses(
  accountId: number,
  source: 'measure' | 'project',
  count: number,
  first = 1,
): readonly SentResponse[] {
  const name = accountId === commentAcme ? 'acme' : 'bolt';
  const random = seeded(source === 'measure' ? first * 31 : first * 37);
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const day = Math.min(119, Math.floor(number / 50) % 120);
    const late = random.percent(10) ? random.below(30) : 0;
    const submittedAt = new Date(
      firstMs + Math.max(0, day - late) * dayMs + (number % 1_000) * 60_000,
    ).toISOString();
    const version = source === 'project' ? 1 : random.percent(60) ? 2 : 1;
    const chosen = random.pick(['north', 'south', 'east']);
    const asked = source === 'measure' && version === 2 ? ['C-MORE', 'C-WHY'] : ['C-WHY'];
    const texts = new Map<string, string>();
    for (const question of asked)
      if (random.percent(source === 'measure' ? 20 : 70)) texts.set(question, textOf(random, number));
    if (accountId === commentBolt && texts.size > 0 && number % 5 === 0)
      for (const [question, text] of texts) texts.set(question, `${text} ${foreignWord}`);
    const isEntry = source === 'project';
    const rating = isEntry ? 1 + random.below(5) : null;
    const topic = isEntry && random.percent(60) ? random.pick(['Delivery', 'Prices']) : null;
    const responseId = `${name}-${source}-${number}`;
    const common = { responseId, day: submittedAt.slice(0, 10), submittedAt, version };
    return {
      body: {
        surveyDefinitionId: isEntry ? `${name}-badge` : `${name}-shops-${version}`,
        responseId,
        submissionTimestamp: submittedAt,
        responses: {
          ...(isEntry
            ? {
                'C-STARS': [`${rating}`],
                ...(topic !== null && { 'C-TOPIC': [topic === 'Prices' ? 'T-2' : 'T-1'] }),
              }
            : { 'Q-1': [`${1 + (number % 10)}`], 'Q-2': [`${1 + (number % 7)}`], 'C-SHOP': [chosen] }),
          ...Object.fromEntries([...texts].map(([question, text]) => [question, [text]])),
        },
      },
      comments: [...texts].map(([question, text]) => ({
        ...common,
        question,
        text,
        shop: isEntry ? null : chosen,
        rating,
        topic,
      })),
    };
  });
}

/** What a search should find, newest first: the plain way. */
export function plainSearch(
  sent: readonly SentResponse[],
  isMeant: (comment: SentComment) => boolean,
): readonly SentComment[] {
  return sent.toReversed().flatMap(({ comments }) => comments.filter(isMeant));
}

const folded = new Map<string, string>();

export function containing(q: string): (comment: Pick<SentComment, 'text'>) => boolean {
  const part = fold(q);
  return ({ text }) => {
    let known = folded.get(text);
    if (known === undefined) {
      known = fold(text);
      folded.set(text, known);
    }
    return known.includes(part);
  };
}
