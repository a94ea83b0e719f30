// What of the suite runs when, on which engine and beside what: the one place that says so.
//
//   npm test           what a developer runs before every commit
//   npm run test:all   everything else: faults, all of the browser, what is installed, and PostgreSQL where npm test runs SQLite
//   npm run test:long  lives and populations of their full size, after everything else

import { globSync, readFileSync, statSync } from 'node:fs';
import { join, matchesGlob, resolve } from 'node:path';
import type { EngineName } from './support/engines.ts';

export type Command = 'test' | 'all' | 'long';

/**
 * Shared: in a process that runs other files too. Own: in a process of its own, as what measures or breaks the process that it runs
 * in. Timed: promises an answer within seconds while something is broken, and mostly waits: two of those at once, and nothing
 * else. Alone: measures how long answers take under load; beside another file it would measure that (D-703).
 */
export type Beside = 'shared' | 'own' | 'timed' | 'alone';

export interface PlannedFile {
  /** From the root of the project. */
  readonly file: string;
  readonly engines: readonly EngineName[];
  readonly beside: Beside;
}

const both: readonly EngineName[] = ['sqlite', 'postgres'];

/** Run by npm test; longest first, as far as the kind of file tells. */
const everyCommit = [
  'test/client/**/*.test.ts',
  'test/store/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/http/**/*.test.ts',
  'test/scim/**/*.test.ts',
  'test/*.test.ts',
  'src/**/*.test.ts',
];

/** Of the files above, those that wait for test:all: they start what is packed or installed or the runner itself, or wait for time. */
const notEveryCommit = [
  'test/cli/{install,package}.test.ts',
  'test/{deploy,run,start,third-party}.test.ts',
  'test/**/timed/*.test.ts',
];

/** Of the browser, what npm test walks: every page once. */
const walk = ['test/browser/console-looks.test.ts'];

const everythingElse = ['test/faults/**/*.test.ts', 'test/browser/**/*.test.ts', ...notEveryCommit];

/**
 * On both engines before every commit: what has statements of its own for an engine, what compares the engines, models, and some
 * files of each area.
 */
const onBothEngines = [
  'test/store/**/*.test.ts',
  'test/http/access/isolation.test.ts',
  'test/http/console/session.test.ts',
  'test/http/feedback/{aged-changes,changes,digest,feedback-model,ingestion,source-lives,walk}.test.ts',
  'test/http/insight/{agreement,comments,responses,views}.test.ts',
  'test/http/operations/operations.test.ts',
  'test/http/pages/survey-pages.test.ts',
  'test/http/provisioning/{provisioning-lives,users-changes,users-search}.test.ts',
  'test/http/server/twins.test.ts',
  'test/http/webhooks/webhooks.test.ts',
  'test/cli/{apply-feedback,verify-against}.test.ts',
];

/** On both engines at once in test:all, because they compare what the engines say; on SQLite before every commit. */
const comparedLater = ['test/cli/export.test.ts', 'test/http/provisioning/scim-filters.test.ts'];

/** In a process of their own: what starts much itself, and what looks at or fills its own memory, which others have filled before. */
const own = [
  'test/{run,start,deploy,layers}.test.ts',
  'test/cli/{install,package,start-memory}.test.ts',
  'test/store/engine/contract.test.ts',
  'src/domain/byte-writer.test.ts',
  'src/cli/start/start-memory.test.ts',
];

/** What takes much longer than its text tells: where no run before has told, these begin early, or they are waited for alone. */
const longerThanTheyLook = [
  'test/browser/console-looks.test.ts',
  'test/client/documentation.test.ts',
  'test/cli/{scim-check,start-memory,terminal-start}.test.ts',
  'test/http/console/password-throttle.test.ts',
  'test/http/feedback/{feedback-model,source-lives}.test.ts',
  'test/http/operations/table-sizes.test.ts',
  'test/http/provisioning/{large-profiles,provisioning-lives,scim-providers}.test.ts',
  'test/http/server/{document-examples,malformed-operations,twins}.test.ts',
  'test/http/webhooks/webhooks.test.ts',
  'test/store/engine/{upgrade,work/background-task}.test.ts',
  'test/store/feedback/long-log.test.ts',
];

/** How long a file may take, where no run before has told: by its text, which says least of pages of a browser. */
export function guessedSeconds(root: string, file: string): number {
  const byText = statSync(resolve(root, file)).size / (file.includes('browser') ? 100 : 1_500);
  return longerThanTheyLook.some((pattern) => matchesGlob(file, pattern)) ? byText + 20 : byText;
}

export function plannedFiles(root: string, command: Command): readonly PlannedFile[] {
  const find = (patterns: readonly string[]): readonly string[] => [
    ...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: root }))),
  ];
  const apart = new Set(find(notEveryCommit));
  const quick = [...find(walk), ...find(everyCommit).filter((file) => !apart.has(file))];
  const twice = new Set(find(onBothEngines));
  const alone = new Set(find(own));
  const planned = (file: string, engines: readonly EngineName[]): PlannedFile => ({
    file,
    engines,
    beside: besideOf(file, alone.has(file)),
  });
  const isHalved = (file: string): boolean => !twice.has(file) && loopsOverEngines(join(root, file));
  const first = quick.map((file) => planned(file, isHalved(file) ? ['sqlite'] : both));
  if (command === 'test') return first;
  const rest = [
    ...find(everythingElse)
      .filter((file) => !walk.includes(file))
      .map((file) => planned(file, both)),
    ...quick
      .filter(isHalved)
      .map((file) => planned(file, comparedLater.includes(file) ? both : ['postgres'])),
  ];
  if (command === 'all') return rest;
  return [...find(['test/long/**/*.test.ts']).map((file) => planned(file, both)), ...first, ...rest];
}

/** A file that was named runs whole. */
export function namedFile(file: string): PlannedFile {
  return { file, engines: both, beside: besideOf(file, false) };
}

function besideOf(file: string, isOwn: boolean): Beside {
  if (/[/\\]timed[/\\]/.test(file)) return 'timed';
  if (/[/\\]alone[/\\]/.test(file)) return 'alone';
  return isOwn || /[/\\](faults|long|tools)[/\\]/.test(file) ? 'own' : 'shared';
}

function loopsOverEngines(path: string): boolean {
  return /\bof engines\b|\bengines\.map\b/.test(readFileSync(path, 'utf8'));
}
