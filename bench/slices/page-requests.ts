// The pages, which no API document describes: surveys of 500 questions shown, sent and shown again, documents, help, the console.

import { tokenField } from '../../src/domain/pages/form-fields.ts';
import type { WatchedService } from '../../test/support/watched-loop.ts';
import { prefilledQuery } from './large-requests.ts';
import { formOf, projectSurvey } from './large-world.ts';
import { send } from './sending.ts';
import type { Subject } from './slices.ts';

const page = `/s/${projectSurvey}`;
const shown = { accept: 'text/html, */*;q=0.8', 'accept-encoding': 'gzip', 'accept-language': 'de, en' };
const bodyBytes = 250_000;

export function pageRequests({ baseUrl }: WatchedService): readonly Subject[] {
  const get = (name: string, path: string, statuses: readonly number[] = [200, 302]): Subject => ({
    name: `GET ${name}`,
    isHostile: false,
    statuses,
    request: async () => ({ method: 'GET', path, headers: shown }),
  });
  const sent = (
    label: string,
    bodyOf: (token: string) => string,
    statuses: readonly number[],
    type = 'application/x-www-form-urlencoded',
  ): Subject => ({
    name: `POST ${page}: ${label}`,
    isHostile: false,
    statuses,
    async request() {
      const { text } = await send(baseUrl, {
        method: 'GET',
        path: `${page}/token`,
        headers: { accept: 'application/json' },
      });
      const { token } = JSON.parse(text) as { readonly token: string };
      const body = bodyOf(encodeURIComponent(token));
      const accept = type.endsWith('json') ? 'application/json' : 'text/html';
      return {
        method: 'POST',
        path: page,
        headers: { accept, 'accept-encoding': 'gzip', 'content-type': type },
        body,
      };
    },
  });
  const form = (token: string, rest: string): string => `${tokenField}=${token}&lang=en&website=&${rest}`;
  const words = 'the people in the shop were kind and quick '.repeat(9);
  return [
    get('a survey of 500 questions', page),
    get('the same, prefilled', `${page}${prefilledQuery}`),
    sent(
      'nothing answered, shown again',
      (token) =>
        form(
          token,
          formOf(() => ''),
        ),
      [422, 400],
    ),
    sent(
      'everything answered but one, shown again',
      (token) =>
        form(
          token,
          formOf((index) => (index === 1 ? '' : index % 3 === 0 ? words : 'A-1')),
        ),
      [422, 400],
    ),
    sent(
      'taken',
      (token) =>
        form(
          token,
          formOf((index) => (index % 3 === 0 ? words : 'A-1')),
        ),
      [200, 303],
    ),
    sent(
      'as many fields as fit',
      (token) => form(token, 'a=1&'.repeat(bodyBytes / 4)),
      [200, 303, 400, 413, 422],
    ),
    sent(
      'one field as often as fits',
      (token) => form(token, 'q.Q-1=1&'.repeat(bodyBytes / 8)),
      [200, 303, 400, 413, 422],
    ),
    sent(
      'nested lists',
      (token) => `{"fields":{"token":["${token}"],"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      [400, 413, 415, 422],
      'application/json',
    ),
    get('openapi.json', '/openapi.json'),
    get('docs', '/docs'),
    get('metrics', '/metrics', [200, 401, 404]),
    get('readiness', '/readyz'),
    get('help', '/help/surveys.html', [200, 302, 404]),
    get('console', '/console/sign-in'),
    get('embed.js', `${page}/embed.js`),
  ];
}
