// The pages of the console: where each is, what one must be allowed to do to see it, and how the rail leads there. The browser chooses
// the page by it, and the server says by it which addresses there are and which files a page will want.

import type { Ability } from '../access/role.ts';

/** The headings of the rail, in its order. */
export const railGroups = ['insight', 'collect', 'people', 'system'] as const;

interface ConsolePage<Name extends string = string> {
  readonly path: string;
  /** One of these is enough; none: whoever is signed in. */
  readonly abilities: readonly Ability[];
  /** It is about an account: an operator who has entered none has nothing to see there. */
  readonly isOfAccount: boolean;
  /** Where the rail has it, in the order of this list, and the key that goes there after `g`. */
  readonly rail?: readonly [group: (typeof railGroups)[number], letter: string];
  /** The page of the rail that one is at while one is at this one. */
  readonly above?: Name;
}

const scores = { abilities: ['see scores'], isOfAccount: true } as const;
const responses = { abilities: ['see responses'], isOfAccount: true } as const;
const surveys = { abilities: ['edit surveys'], isOfAccount: true } as const;
const users = { abilities: ['manage users'], isOfAccount: true } as const;
const clients = { abilities: ['manage API clients'], isOfAccount: true } as const;
const operators = { abilities: ['operate'], isOfAccount: false } as const;

/** By the name of the module that draws it: `console/pages/AREA/NAME.tsx`. */
export const consolePages = {
  overview: { path: '/console', ...scores, rail: ['insight', 'o'] },
  measure: { path: '/console/measures/:key', ...scores, above: 'overview' },
  project: { path: '/console/projects/:key', ...scores, above: 'overview' },
  comments: { path: '/console/:kind(measures|projects)/:key/comments', ...responses, above: 'overview' },
  responses: { path: '/console/:kind(measures|projects)/:key/responses', ...responses, above: 'overview' },
  response: { path: '/console/:kind(measures|projects)/:key/responses/:id', ...responses, above: 'overview' },
  views: { path: '/console/views', ...responses, rail: ['insight', 'v'] },
  surveys: { path: '/console/surveys', ...surveys, rail: ['collect', 's'] },
  'new-survey': { path: '/console/surveys/new', ...surveys, above: 'surveys' },
  survey: { path: '/console/surveys/:kind(measures|projects)/:key', ...surveys, above: 'surveys' },
  'edit-survey': {
    path: '/console/surveys/:kind(measures|projects)/:key/edit',
    ...surveys,
    above: 'surveys',
  },
  share: { path: '/console/surveys/:kind(measures|projects)/:key/share', ...surveys, above: 'surveys' },
  refused: { path: '/console/refused', ...surveys, rail: ['collect', 'r'] },
  users: { path: '/console/users', ...users, rail: ['people', 'u'] },
  user: { path: '/console/users/:id', ...users, above: 'users' },
  groups: { path: '/console/groups', ...users, rail: ['people', 'g'] },
  group: { path: '/console/groups/:id', ...users, above: 'groups' },
  providers: { path: '/console/provider', ...users, rail: ['people', 'i'] },
  provider: { path: '/console/provider/:id', ...users, above: 'providers' },
  clients: { path: '/console/clients', ...clients, rail: ['system', 'c'] },
  webhooks: { path: '/console/webhooks', ...clients, rail: ['system', 'w'] },
  audit: {
    path: '/console/audit',
    abilities: ['see audit', 'see own audit'],
    isOfAccount: true,
    rail: ['system', 'a'],
  },
  operations: { path: '/console/operations', ...operators, rail: ['system', 'p'] },
  accounts: { path: '/console/accounts', ...operators, rail: ['system', 'k'] },
  me: { path: '/console/me', abilities: [], isOfAccount: false },
} as const satisfies Readonly<Record<string, ConsolePage>>;

export type PageName = keyof typeof consolePages;

/** A page that the rail leads to. */
export type RailPage = {
  [Name in PageName]: (typeof consolePages)[Name] extends { readonly rail: readonly unknown[] }
    ? Name
    : never;
}[PageName];

const pages: Readonly<Record<PageName, ConsolePage<PageName>>> = consolePages;

export const railPages = (Object.keys(pages) as PageName[]).filter(
  (name): name is RailPage => pages[name].rail !== undefined,
);

/** Where the rail says that one is. */
export function railPlaceOf(name: PageName): PageName {
  return pages[name].above ?? name;
}

export interface FoundPage {
  readonly name: PageName;
  /** Decoded. */
  readonly params: Readonly<Record<string, string>>;
}

const patterns = Object.entries(consolePages).map(([name, { path }]) => ({
  name: name as PageName,
  pieces: path.split('/').map(readPiece),
}));

interface Piece {
  readonly text: string;
  readonly parameter: string | null;
  /** What the parameter may be; null: anything. */
  readonly values: readonly string[] | null;
}

function readPiece(text: string): Piece {
  const [, parameter = null, values] = /^:(\w+)(?:\(([^)]*)\))?$/.exec(text) ?? [];
  return { text, parameter, values: values?.split('|') ?? null };
}

/** The page at a path; null where there is none. Of two that match, the one that names more of the path. */
export function findPage(pathname: string): FoundPage | null {
  const parts = pathname.replace(/(?<=.)\/$/, '').split('/');
  let best: { readonly found: FoundPage; readonly open: number } | null = null;
  for (const { name, pieces } of patterns) {
    const params = matched(pieces, parts);
    if (params === null) continue;
    const open = pieces.filter(({ parameter, values }) => parameter !== null && values === null).length;
    if (best === null || open < best.open) best = { found: { name, params }, open };
  }
  return best?.found ?? null;
}

function matched(
  pieces: readonly Piece[],
  parts: readonly string[],
): Readonly<Record<string, string>> | null {
  if (pieces.length !== parts.length) return null;
  const params: Record<string, string> = {};
  for (const [index, { text, parameter, values }] of pieces.entries()) {
    const part = parts[index]!;
    if (parameter === null) {
      if (part !== text) return null;
      continue;
    }
    const value = decoded(part);
    if (value === null || value === '' || values?.includes(value) === false) return null;
    params[parameter] = value;
  }
  return params;
}

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** The address of a page with these parameters. */
export function pathOf(name: PageName, params: Readonly<Record<string, string>> = {}): string {
  return consolePages[name].path
    .split('/')
    .map((piece) => {
      const { parameter } = readPiece(piece);
      return parameter === null ? piece : encodeURIComponent(params[parameter] ?? '');
    })
    .join('/');
}

/** Whether somebody with these abilities sees the page. */
export function maySee(
  name: PageName,
  { abilities, hasAccount }: { readonly abilities: Iterable<string>; readonly hasAccount: boolean },
): boolean {
  const page = pages[name];
  if (page.isOfAccount && !hasAccount) return false;
  const held = new Set(abilities);
  return page.abilities.length === 0 || page.abilities.some((ability) => held.has(ability));
}
