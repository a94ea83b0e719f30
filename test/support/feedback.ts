// A small account with something to read and something to write to, for tests that look at how the service behaves
// and not at what it says.

import { writeCatalogue } from './catalogue.ts';
import { type Answer, exchange } from './exchange.ts';
import { type ApiClientCredentials, createClient, setUp } from './service.ts';

export const projectId = 3223;
export const surveyId = 'acme-badge-1';

const catalogue = {
  accounts: [
    {
      id: 4001,
      name: 'Acme',
      measures: [{ key: 100, name: 'Web' }],
      projects: [
        {
          id: projectId,
          name: 'Badge',
          status: 'ACTIVE',
          surveys: [
            {
              id: surveyId,
              modelInstanceId: 'badge-model',
              current: true,
              questions: [
                {
                  id: 'Q-STARS',
                  name: 'How good?',
                  responseType: 'STAR_RATING',
                  required: true,
                  role: 'rating',
                },
                { id: 'Q-TEXT', name: 'Why?', responseType: 'TEXT_AREA' },
              ],
            },
          ],
        },
      ],
    },
  ],
};

/** The account in the store, and an API client that may do everything. */
export async function prepareFeedback(env: Readonly<Record<string, string>>): Promise<ApiClientCredentials> {
  await setUp(['apply', writeCatalogue(catalogue)], env);
  return createClient(env, 4001);
}

export function postResponse(baseUrl: string, token: string, responseId: string, text = ''): Promise<Answer> {
  return exchange(`${baseUrl}/v1/surveys/ingestion`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      surveyDefinitionId: surveyId,
      responseId,
      submissionTimestamp: '2026-01-15T12:00:00Z',
      responses: { 'Q-STARS': ['5'], ...(text === '' ? {} : { 'Q-TEXT': [text] }) },
    }),
  });
}

/** The ids of all responses that are kept, in the order of arrival. */
export async function keptResponses(baseUrl: string, token: string): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const answer = await exchange(
      `${baseUrl}/v1/projects/${projectId}/data?from=2026-01-15&to=2026-01-15&limit=1000&offset=${ids.length}`,
      { headers: { authorization: `Bearer ${token}` } },
    );
    const { items, hasMore } = answer.body as { items?: { id: string }[]; hasMore?: boolean };
    if (items === undefined) throw new Error(`No page: ${answer.status} ${answer.text}`);
    ids.push(...items.map(({ id }) => id));
    if (hasMore !== true) return ids;
  }
}
