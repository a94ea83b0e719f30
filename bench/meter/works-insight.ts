// Figures over a year, by the interface and as the console shows them.

import { accountId } from '../feedback-data.ts';
import {
  firstDay,
  insightBenchCatalogue,
  insightBody,
  insightMeasure,
  insightProject,
  lastDay,
  rareWord,
} from '../insight-data.ts';
import type { Side, StoreContent } from './sides.ts';
import { ask, askAll, wire } from './wire.ts';
import { rowsOr, type Work } from './works.ts';

const rows = rowsOr(20_000);
/** A project has one entry for so many responses of the measure. */
const projectShare = 5;

const year: StoreContent = {
  catalogue: insightBenchCatalogue,
  async fill(side) {
    const send = (kind: 'measure' | 'project', count: number) =>
      askAll(side, count, (number) =>
        wire(side, 'POST', '/v1/surveys/ingestion', {
          body: JSON.stringify(insightBody(kind, number, count)),
        }),
      );
    await send('measure', rows);
    await send('project', Math.ceil(rows / projectShare));
  },
};

const range = `from=${firstDay}&to=${lastDay}`;
const measure = `/v1/measures/${insightMeasure}`;
const project = `/v1/projects/${insightProject}`;

interface FigureWork {
  /** Requests of one turn: about a second's work. */
  readonly count: number;
  /** Another one for each number, or the same for all. */
  readonly path: string | ((number: number) => string);
}

const figures: Readonly<Record<string, FigureWork>> = {
  trend: { count: 40, path: `${measure}/trend?${range}` },
  'trend-compared': { count: 60, path: `${measure}/trend?${range}&unit=week&compare=previous` },
  distribution: { count: 80, path: `${measure}/distribution?${range}` },
  drivers: { count: 60, path: `${measure}/drivers?${range}` },
  comments: { count: 300, path: `${measure}/comments?${range}` },
  'comments-word': { count: 300, path: `${measure}/comments?${range}&q=${rareWord}` },
  // Another filter each time: groups that were asked for last are remembered (D-632).
  breakdown: { count: 20, path: (number) => `${measure}/breakdown?${range}&by=device&${filterOf(number)}` },
  response: {
    count: 3_000,
    path: (number) => `${measure}/responses/measure-${String(1_000 + number).padStart(9, '0')}`,
  },
  topics: { count: 500, path: `${project}/topics?${range}` },
};

function filterOf(number: number): string {
  return `filter=${encodeURIComponent(`gt,latent:L-SATISFACTION,${30 + number / 50}`)}&within=10000`;
}

const figureWorks = Object.entries(figures).map(
  ([name, { count, path }]): Work => ({
    name,
    about: `GET ${typeof path === 'string' ? path : path(0)}`,
    count,
    connections: 4,
    content: year,
    requests: (side) =>
      typeof path === 'string'
        ? [wire(side, 'GET', path)]
        : Array.from({ length: 1_000 }, (_, number) => wire(side, 'GET', path(number))),
  }),
);

// ---- People

let operators = 0;

/** An operator who has signed in by a link and entered the account; the cookie that says so. */
async function signIn(side: Side): Promise<string> {
  operators += 1;
  const made = await side.command('operator', 'create', `bench-${operators}`, '--json');
  const { url } = JSON.parse(made) as { readonly url: string };
  const code = url.slice(url.indexOf('#') + 1);
  const ownPage = { 'sec-fetch-site': 'same-origin', accept: 'application/json' };
  const signedIn = await ask(
    side,
    wire(side, 'POST', '/console/api/sign-in/link', { headers: ownPage, body: JSON.stringify({ code }) }),
  );
  const cookie = cookieOf(signedIn.headers['set-cookie'])!;
  const entered = await ask(
    side,
    wire(side, 'PUT', '/console/api/session/account', {
      headers: { ...ownPage, cookie },
      body: JSON.stringify({ accountId }),
    }),
  );
  return cookieOf(entered.headers['set-cookie']) ?? cookie;
}

function cookieOf(lines: readonly string[] = []): string | undefined {
  return lines.find((line) => line.startsWith('soundings='))?.split(';')[0];
}

const session: Work = {
  name: 'console-session',
  about: 'GET /console/api/session: cookie, session, person and roles, which nothing remembers',
  count: 4_000,
  connections: 32,
  content: year,
  async requests(side) {
    const headers = { cookie: await signIn(side), accept: 'application/json' };
    return [wire(side, 'GET', '/console/api/session', { headers })];
  },
  goal: { sqlite: 0.4, postgres: 0.3 },
};

const pages: Readonly<Record<string, string>> = {
  overview: `/console?${range}`,
  measure: `/console/measures/${insightMeasure}?${range}`,
  project: `/console/projects/${insightProject}?${range}`,
};

const pageWorks = Object.entries(pages).map(
  ([name, path]): Work => ({
    name: `console-${name}`,
    about: `GET ${path}, a page with its first figures`,
    count: 40,
    connections: 4,
    content: year,
    async requests(side) {
      return [wire(side, 'GET', path, { headers: { cookie: await signIn(side), accept: 'text/html' } })];
    },
  }),
);

export const insightWorks: readonly Work[] = [...figureWorks, session, ...pageWorks];
