// What somebody without an account sees and sends: the page of a survey, and its form.

import { questionPrefix, tokenField } from '../../src/domain/pages/form-fields.ts';
import { feedbackCatalogue, responseBody, surveyId } from '../feedback-data.ts';
import { askAll, wire } from './wire.ts';
import type { Work } from './works.ts';

/** The catalogue of the benches with its surveys open to everybody. */
const publicCatalogue = {
  accounts: feedbackCatalogue.accounts.map((account) => ({
    ...account,
    measures: account.measures.map((measure) => ({
      ...measure,
      surveys: measure.surveys.map((survey) => ({ ...survey, public: true })),
    })),
  })),
};

// As browsers ask.
const browser = { 'accept-encoding': 'gzip, deflate, br, zstd', 'accept-language': 'en-GB,en;q=0.9' };

const surveyPage: Work = {
  name: 'survey-page',
  about: 'GET /s/{surveyId}, the page of a survey as browsers ask for it',
  count: 3_000,
  connections: 32,
  content: { catalogue: publicCatalogue },
  requests: (side) => [wire(side, 'GET', `/s/${surveyId}`, { headers: browser })],
  goal: { sqlite: 0.5, postgres: 0.5 },
};

const { responses } = responseBody(4711, null) as { responses: Readonly<Record<string, readonly string[]>> };
const answers = new URLSearchParams(
  Object.entries(responses).flatMap(([id, texts]) =>
    texts.map((text): [string, string] => [questionPrefix + id, text]),
  ),
).toString();

const surveyForm: Work = {
  name: 'survey-form',
  about: 'POST /s/{surveyId}, the form of that page: its token checked, judged, scored and durable',
  count: 1_000,
  connections: 32,
  content: { catalogue: publicCatalogue },
  // One token is one response.
  isOnce: true,
  async requests(side) {
    const tokens = await askAll(side, surveyForm.count, () =>
      wire(side, 'GET', `/s/${surveyId}/token`, { headers: { accept: 'application/json' } }),
    );
    return tokens.map(({ body }) => {
      const { token } = JSON.parse(body.toString()) as { readonly token: string };
      return wire(side, 'POST', `/s/${surveyId}`, {
        headers: { accept: 'text/html' },
        type: 'application/x-www-form-urlencoded',
        body: `${answers}&lang=en&website=&${tokenField}=${encodeURIComponent(token)}`,
      });
    });
  },
};

export const surveyWorks: readonly Work[] = [surveyPage, surveyForm];
