// The catalogue that tests of feedback share: two accounts, every kind of measure and project, versions that differ.

export const acme = 4001;
export const bolt = 4002;

const found = {
  id: 'Q-FOUND',
  name: 'Did you find what you were looking for?',
  responseType: 'RADIO',
  required: true,
  answers: [
    { id: 'A-YES', text: 'Yes', value: 1 },
    { id: 'A-NO', text: 'No', value: 2 },
  ],
};

const satisfaction = {
  id: 'L-SAT',
  name: 'Satisfaction',
  type: 'SATISFACTION',
  questions: [
    {
      id: 'Q-SAT-1',
      name: 'How satisfied are you with this site?',
      phrase: 'Overall satisfaction',
      label: 'Satisfaction - overall',
      weight: 0.75,
      scale: { min: 1, max: 10 },
      required: true,
    },
    { id: 'Q-SAT-2', name: 'How close to your ideal is it?', weight: 0.25, scale: { min: 1, max: 10 } },
  ],
};

/** The current version of measure 700: everything that a survey can have. */
const webSurvey = {
  id: 'acme-web',
  modelInstanceId: 'model-web-3',
  version: 3,
  current: true,
  latents: [
    {
      id: 'L-LOOK',
      name: 'Look and feel',
      type: 'ELEMENTS',
      questions: [
        { id: 'Q-LOOK-1', name: 'How clear is it?', scale: { min: 1, max: 5 }, dontKnow: true },
        { id: 'Q-LOOK-2', name: 'How pleasant is it?', scale: { min: 1, max: 5 } },
      ],
    },
    satisfaction,
    {
      id: 'L-RETURN',
      name: 'Return',
      type: 'FUTURE_BEHAVIOR',
      questions: [{ id: 'Q-RETURN', name: 'Will you return?', scale: { min: 0, max: 10 } }],
    },
  ],
  questions: [
    found,
    {
      id: 'Q-WHY',
      name: 'What went wrong?',
      responseType: 'TEXT_AREA',
      maxLength: 20,
      required: true,
      rules: [{ question: 'Q-FOUND', operator: 'equals', answer: 'A-NO' }],
    },
    {
      id: 'Q-WHERE',
      name: 'Where did you look?',
      responseType: 'CHECKBOX',
      answers: [
        { id: 'W-MENU', text: 'In the menu' },
        { id: 'W-SEARCH', text: 'By the search', value: 's' },
        { id: 'W-HELP', text: 'In the help' },
      ],
    },
    { id: 'Q-NPS', name: 'Would you recommend us?', responseType: 'NPS' },
  ],
  parameters: {
    custom: [
      { id: 'CPP-CART', name: 'cart_value', valueType: 'NUMBER' },
      { id: 'CPP-LANG', name: 'locale', label: 'Language' },
    ],
    external: [{ id: 'EPP-TIER', name: 'loyalty_tier' }],
  },
};

/** An older version that still takes responses: one latent of its own, one shared under another name. */
const olderSurvey = {
  id: 'acme-web-older',
  modelInstanceId: 'model-web-2',
  version: 2,
  latents: [
    {
      id: 'L-PRICE',
      name: 'Prices',
      type: 'ELEMENTS',
      questions: [{ id: 'Q-PRICE', name: 'How fair are our prices?', scale: { min: 1, max: 10 } }],
    },
    { ...satisfaction, name: 'Contentment' },
  ],
  questions: [found],
};

const closedSurvey = {
  id: 'acme-web-closed',
  modelInstanceId: 'model-web-1',
  version: 1,
  closed: true,
  latents: [satisfaction],
};

const stars = { id: 'Q-STARS', name: 'Your rating', responseType: 'STAR_RATING', role: 'rating' };
const topic = {
  id: 'Q-TOPIC',
  name: 'What is it about?',
  responseType: 'SELECT',
  role: 'topic',
  answers: [
    { id: 'T-TECH', text: 'Technical issue' },
    { id: 'T-OTHER', text: 'Something else', value: 9 },
  ],
};
const words = { id: 'Q-WORDS', name: 'Tell us more', responseType: 'TEXT' };

function projectSurvey(id: string, more: object = {}): object {
  return { id, modelInstanceId: `model of ${id}`, questions: [stars, topic, words], ...more };
}

function plainSurvey(id: string, more: object = {}): object {
  return { id, modelInstanceId: `model of ${id}`, latents: [satisfaction], ...more };
}

export const feedbackCatalogue = {
  accounts: [
    {
      id: acme,
      name: 'Acme',
      measures: [
        { key: 700, name: 'Acme web', channel: 'WEB', surveys: [closedSurvey, olderSurvey, webSurvey] },
        { key: 701, name: 'Acme quiet', active: false, surveys: [plainSurvey('acme-quiet')] },
        { key: 702, name: 'Acme to come', channel: 'STORE' },
        { key: 703, name: 'Acme open', surveys: [plainSurvey('acme-public', { public: true })] },
        {
          key: 704,
          name: 'Acme shop',
          surveys: [plainSurvey('acme-shop', { public: true, origins: ['https://shop.example'] })],
        },
      ],
      projects: [
        {
          id: 300,
          name: 'Badge',
          description: 'Always on',
          siteKey: 'acme-site',
          createdDateTime: '2020-02-29T12:00:00+02:00',
          surveys: [projectSurvey('acme-badge')],
        },
        { id: 301, name: 'Draft', status: 'DRAFT', surveys: [projectSurvey('acme-draft')] },
        { id: 302, name: 'Idle', status: 'INACTIVE', surveys: [projectSurvey('acme-idle')] },
        { id: 303, name: 'To come' },
      ],
    },
    {
      id: bolt,
      name: 'Bolt',
      measures: [
        { key: 700, name: 'Bolt web', surveys: [plainSurvey('bolt-web')] },
        { key: 800, name: 'Bolt store', surveys: [plainSurvey('bolt-public', { public: true })] },
      ],
      projects: [
        { id: 300, name: 'Bolt badge', surveys: [projectSurvey('bolt-badge')] },
        { id: 900, name: 'Bolt only', surveys: [projectSurvey('bolt-only')] },
      ],
    },
  ],
};
