// A measure of realistic size and a response to it.

export const accountId = 4001;
export const measureKey = 7001;
export const surveyId = 'bench-web-1';

const latentSizes = {
  Look: 3,
  Navigation: 3,
  Content: 3,
  Speed: 3,
  Satisfaction: 3,
  Return: 1,
  Recommend: 1,
};

/** 17 measured questions and 4 custom ones; with 4 parameters a respondent has 25 rows. */
const latents = Object.entries(latentSizes).map(([name, size]) => ({
  id: `L-${name.toUpperCase()}`,
  name,
  type: name === 'Satisfaction' ? 'SATISFACTION' : size === 1 ? 'FUTURE_BEHAVIOR' : 'ELEMENTS',
  questions: Array.from({ length: size }, (_, index) => ({
    id: `Q-${name.toUpperCase()}-${index + 1}`,
    name: `How would you rate the ${name.toLowerCase()} of this site, part ${index + 1} of it?`,
    phrase: `${name} ${index + 1}`,
    label: `${name} - part ${index + 1}`,
    weight: 0.2 + index / 10,
    scale: { min: 1, max: 10 },
    required: true,
  })),
}));

const choices = ['Home', 'Work', 'School', 'Other'].map((text, index) => ({
  id: `A-${index + 1}`,
  text,
  value: index + 1,
}));

export const feedbackCatalogue = {
  accounts: [
    {
      id: accountId,
      name: 'Acme Retail',
      measures: [
        {
          key: measureKey,
          name: 'Web',
          surveys: [
            {
              id: surveyId,
              modelInstanceId: 'bench-model-instance-0001',
              latents,
              questions: [
                {
                  id: 'Q-WHERE',
                  name: 'Where are you now?',
                  responseType: 'RADIO',
                  required: true,
                  answers: choices,
                },
                {
                  id: 'Q-WHICH',
                  name: 'Which of these do you use?',
                  responseType: 'CHECKBOX',
                  answers: choices,
                },
                { id: 'Q-NPS', name: 'How likely are you to recommend us?', responseType: 'NPS' },
                { id: 'Q-TEXT', name: 'What else would you like to tell us?', responseType: 'TEXT_AREA' },
              ],
              parameters: { custom: [{ id: 'CPP-CART', name: 'cart_value', valueType: 'NUMBER' }] },
            },
          ],
        },
        { key: 7002, name: 'Stores', surveys: [] },
      ],
    },
  ],
};

/** Some 1.5 KB as JSON. */
export function responseBody(number: number, submittedAt: string | null): Record<string, unknown> {
  const responses: Record<string, string[]> = {};
  for (const { questions } of latents)
    for (const [index, { id }] of questions.entries()) responses[id] = [String(1 + ((number + index) % 10))];
  responses['Q-WHERE'] = [`A-${1 + (number % 4)}`];
  responses['Q-WHICH'] = ['A-1', 'A-3'];
  responses['Q-NPS'] = [String(number % 11)];
  responses['Q-TEXT'] = [comment];
  return {
    surveyDefinitionId: surveyId,
    url: 'https://shop.example.com/departments/garden/furniture/chairs?sort=price&page=3',
    locale: 'en-GB',
    pageVisits: '7',
    ...(submittedAt === null ? {} : { submissionTimestamp: submittedAt }),
    responses,
    cpps: { metrics: { cart_value: 59.9 } },
  };
}

const comment =
  'The new search finds what I am looking for much faster than before, and the pictures load quickly even on my old telephone. ' +
  'What I still miss is a way to compare three or four products side by side, with their measurements and the time of delivery. ' +
  'The page about returning things is hard to find: I had to ask the assistant twice, and the first answer was about another shop. ' +
  'Apart from that I am happy with the service, and the people on the telephone have always been friendly and have known what to do. ' +
  'It would also help if the basket kept its contents when I move from the computer to the telephone, and if the letters ' +
  'of the small print were a little larger. I would gladly pay a few coins more for a delivery in the evening, when ' +
  'somebody is at home, and I would tell my neighbours about it.';
