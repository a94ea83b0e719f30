// Surveys that people are invited to: a private one with parameters and a public one, in an account with a second one beside it.

const questions = [
  {
    id: 'Q-STARS',
    name: 'How was it?',
    responseType: 'STAR_RATING',
    scale: { min: 1, max: 5 },
    required: true,
    role: 'rating',
  },
  { id: 'Q-TEXT', name: 'Anything else?', responseType: 'TEXT_AREA', maxLength: 500 },
];

const parameters = {
  custom: [
    { id: 'CPP-STORE', name: 'store_id' },
    { id: 'CPP-TOTAL', name: 'receipt_total', valueType: 'NUMBER' },
  ],
};

const surveysOf = (name: string) => [
  { id: `${name}-private`, version: 2, current: true, questions, parameters },
  { id: `${name}-public`, version: 3, public: true, questions, parameters },
  { id: `${name}-closed`, version: 1, closed: true, questions },
];

export const invitedCatalogue = {
  accounts: [
    {
      id: 4001,
      name: 'Acme',
      projects: [
        { id: 20, name: 'Stores', siteKey: 'acme-site', status: 'ACTIVE', surveys: surveysOf('acme') },
      ],
    },
    {
      id: 4002,
      name: 'Bolt',
      projects: [
        { id: 20, name: 'Stores', siteKey: 'bolt-site', status: 'ACTIVE', surveys: surveysOf('bolt') },
      ],
    },
  ],
};
