// A catalogue with surveys for their pages: one with every kind of question, in three steps, with rules on choices and on
// words; and another account beside it.

export const pageAccount = 6001;
export const pageProject = 9100;
export const besideProject = 9200;
export const pageSurvey = 'page-visit';
export const besideSurvey = 'page-beside';

const survey = {
  modelInstanceId: 'model of a visit',
  public: true,
  title: 'Your visit',
  questions: [
    {
      id: 'Q-HOW',
      name: 'How was it?',
      responseType: 'RADIO',
      required: true,
      answers: [
        { id: 'HOW-GOOD', text: 'Good' },
        { id: 'HOW-BAD', text: 'Bad' },
      ],
    },
    {
      id: 'Q-BAD',
      name: 'What was bad?',
      responseType: 'CHECKBOX',
      required: true,
      answers: [
        { id: 'BAD-PRICE', text: 'The price' },
        { id: 'BAD-SPEED', text: 'The speed' },
      ],
      rules: [{ question: 'Q-HOW', operator: 'equals', answer: 'HOW-BAD' }],
    },
    { id: 'Q-WORDS', name: 'Tell us more', responseType: 'TEXT_AREA', maxLength: 60 },
    {
      id: 'Q-REFUND',
      name: 'Which refund do you mean?',
      responseType: 'TEXT',
      required: true,
      // A rule on words: no style sheet can follow it.
      rules: [{ question: 'Q-WORDS', operator: 'contains', answer: 'refund' }],
    },
    { id: 'Q-NPS', name: 'Would you recommend us?', responseType: 'NPS' },
    {
      id: 'Q-WHERE',
      name: 'Where was it?',
      responseType: 'SELECT',
      answers: [
        { id: 'WHERE-HERE', text: 'Here' },
        { id: 'WHERE-THERE', text: 'There' },
      ],
    },
  ],
  page: {
    sections: [
      { title: 'The visit', questions: ['Q-HOW', 'Q-BAD'] },
      { title: 'In your words', questions: ['Q-WORDS', 'Q-REFUND'] },
      { title: 'At last', questions: ['Q-NPS', 'Q-WHERE'] },
    ],
  },
};

export const surveyPageCatalogue = {
  accounts: [
    {
      id: pageAccount,
      name: 'Pages',
      projects: [
        {
          id: pageProject,
          name: 'Visits',
          siteKey: 'page-visits',
          surveys: [{ ...survey, id: pageSurvey }],
        },
      ],
    },
    {
      id: 6002,
      name: 'Beside',
      projects: [
        {
          id: besideProject,
          name: 'Beside',
          siteKey: 'page-besides',
          surveys: [{ ...survey, id: besideSurvey }],
        },
      ],
    },
  ],
};
