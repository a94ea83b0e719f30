// The pages of the console: where each is, and what one must be allowed to do to see it. The browser chooses the page by it, and the
// server says by it which addresses there are and which files a page will want.

import type { Ability } from '../access/role.ts';

interface ConsolePage {
  readonly path: string;
  /** One of these is enough; none: whoever is signed in. */
  readonly abilities: readonly Ability[];
  /** It is about an account: an operator who has entered none has nothing to see there. */
  readonly isOfAccount: boolean;
}

const scores = { abilities: ['see scores'], isOfAccount: true } as const;
const responses = { abilities: ['see responses'], isOfAccount: true } as const;
const surveys = { abilities: ['edit surveys'], isOfAccount: true } as const;
const users = { abilities: ['manage users'], isOfAccount: true } as const;
const operators = { abilities: ['operate'], isOfAccount: false } as const;

/** By the name of the module that draws it: `console/pages/AREA/NAME.tsx`. */
export const consolePages = {
  overview: { path: '/console', ...scores },
  measure: { path: '/console/measures/:key', ...scores },
  project: { path: '/console/projects/:key', ...scores },
  comments: { path: '/console/:kind(measures|projects)/:key/comments', ...responses },
  responses: { path: '/console/:kind(measures|projects)/:key/responses', ...responses },
  response: { path: '/console/:kind(measures|projects)/:key/responses/:id', ...responses },
  views: { path: '/console/views', ...responses },
  surveys: { path: '/console/surveys', ...surveys },
  'new-survey': { path: '/console/surveys/new', ...surveys },
  survey: { path: '/console/surveys/:kind(measures|projects)/:key', ...surveys },
  'edit-survey': { path: '/console/surveys/:kind(measures|projects)/:key/edit', ...surveys },
  share: { path: '/console/surveys/:kind(measures|projects)/:key/share', ...surveys },
  refused: { path: '/console/refused', ...surveys },
  users: { path: '/console/users', ...users },
  user: { path: '/console/users/:id', ...users },
  groups: { path: '/console/groups', ...users },
  group: { path: '/console/groups/:id', ...users },
  providers: { path: '/console/provider', ...users },
  provider: { path: '/console/provider/:id', ...users },
  clients: { path: '/console/clients', abilities: ['manage API clients'], isOfAccount: true },
  webhooks: { path: '/console/webhooks', abilities: ['manage API clients'], isOfAccount: true },
  audit: { path: '/console/audit', abilities: ['see audit', 'see own audit'], isOfAccount: true },
  operations: { path: '/console/operations', ...operators },
  accounts: { path: '/console/accounts', ...operators },
  me: { path: '/console/me', abilities: [], isOfAccount: false },
} as const satisfies Readonly<Record<string, ConsolePage>>;

export type PageName = keyof typeof consolePages;

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
  const page: ConsolePage = consolePages[name];
  if (page.isOfAccount && !hasAccount) return false;
  const held = new Set(abilities);
  return page.abilities.length === 0 || page.abilities.some((ability) => held.has(ability));
}
