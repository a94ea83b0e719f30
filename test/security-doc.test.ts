// docs/security.md is what somebody who must trust the service reads: this holds it against the files, headings and numbers that it
// names. Where a row says that a test holds something, that test is there; whether it tries enough, only a reader can say.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { passwordLengthMin } from '../src/domain/access/password-rules.ts';
import { freshForMs } from '../src/domain/access/visitor.ts';
import { sessionIdleMs, sessionLongestMs, sessionsMax } from '../src/store/people/sessions.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const page = read('docs/security.md');

/** Every requirement of levels 1 and 2 of OWASP ASVS 5.0.0: its section, and its numbers within that. */
const requirements = idsOf(`
  1.1 1-2; 1.2 1-9; 1.3 1-11; 1.4 1-3; 1.5 1-2; 2.1 1-3; 2.2 1-3; 2.3 1-4; 2.4 1; 3.2 1-2; 3.3 1-4; 3.4 1-6;
  3.5 1-5; 3.7 1-2; 4.1 1-3; 4.2 1; 4.3 1-2; 4.4 1-4; 5.1 1; 5.2 1-3; 5.3 1-2; 5.4 1-3; 6.1 1-3; 6.2 1-12;
  6.3 1-4; 6.4 1-4; 6.5 1-5; 6.6 1-3; 6.8 1-4; 7.1 1-3; 7.2 1-4; 7.3 1-2; 7.4 1-5; 7.5 1-2; 7.6 1-2; 8.1 1-2;
  8.2 1-3; 8.3 1; 8.4 1; 9.1 1-3; 9.2 1-4; 10.1 1-2; 10.2 1-2; 10.3 1-4; 10.4 1-11; 10.5 1-5; 10.6 1-2;
  10.7 1-3; 11.1 1-2; 11.2 1-3; 11.3 1-3; 11.4 1-4; 11.5 1; 11.6 1; 12.1 1-3; 12.2 1-2; 12.3 1-4; 13.1 1;
  13.2 1-5; 13.3 1-2; 13.4 1-5; 14.1 1-2; 14.2 1-4; 14.3 1-3; 15.1 1-3; 15.2 1-3; 15.3 1-7; 16.1 1; 16.2 1-5;
  16.3 1-4; 16.4 1-3; 16.5 1-3; 17.1 1; 17.2 1-4; 17.3 1-2
`);

const verdicts = ['held', 'left to the operator', 'not held'] as const;

interface Row {
  readonly id: string;
  readonly says: string;
  readonly verdict: string;
  readonly by: string;
}

const rows: readonly Row[] = [...page.matchAll(/^\| (V[\d.]+) \| (.+?) \| (.+?) \| (.+) \|$/gm)].map(
  ([, id, says, verdict, by]) => ({ id: id!, says: says!, verdict: verdict!, by: by! }),
);
const rowsWith = (verdict: (typeof verdicts)[number]): readonly Row[] =>
  rows.filter((row) => row.verdict === verdict);

/** Ids of paragraphs that say what does not apply: "V4.4.1 to V4.4.4, V4.3.2: why." */
const notApplying = [...page.matchAll(/^Does not apply: ([^|]+?)(?=\n\n|\n$|$(?![\s\S]))/gm)].flatMap(
  ([, text]) =>
    [...text!.matchAll(/V(\d+\.\d+)\.(\d+)(?:\s+to\s+V\1\.(\d+))?/g)].flatMap(([, section, first, last]) =>
      numbersFrom(Number(first), Number(last ?? first)).map((number) => `V${section}.${number}`),
    ),
);

/** Files that a text names, from the root or from src/, as pages of docs/ name them. */
const filesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`((?:[\w-]+\/)*[\w.-]+\.(?:tsx?|md|yaml|json))`/g)].map((match) => match[1]!);
const isThere = (file: string): boolean =>
  existsSync(join(root, file)) || existsSync(join(root, 'src', file));
const isTest = (file: string): boolean => /^(?:test|src)\/.*\.test\.ts$/.test(file);

describe('docs/security.md', () => {
  it('has every requirement of ASVS 5.0, levels 1 and 2, once, under one of three verdicts or as one that does not apply [D-877]', () => {
    assert.equal(requirements.length, 253);
    const named = [...rows.map(({ id }) => id), ...notApplying];
    assert.deepEqual(named.toSorted(), requirements.toSorted());
    assert.deepEqual(
      rows.filter(({ verdict }) => !(verdicts as readonly string[]).includes(verdict)),
      [],
    );
  });

  it('counts them as they are', () => {
    const { length: all } = requirements;
    const [held, left, not] = verdicts.map((verdict) => rowsWith(verdict).length);
    const said = page.match(
      /(\d+) in all: (\d+) \*\*held\*\*.*?(\d+) \*\*left to the operator\*\*.*?(\d+) \*\*not held\*\*.*?(\d+)\s+do not apply/s,
    );
    assert.deepEqual(said?.slice(1).map(Number), [all, held, left, not, notApplying.length]);
  });

  it('names files that are there, whoever renames one [D-877]', () => {
    const named = filesIn(page);
    assert.ok(named.length > 300, String(named.length));
    assert.deepEqual(
      named.filter((file) => !isThere(file)),
      [],
    );
  });

  it('a row that is held names a test, and each of its tests has tests', () => {
    const held = rowsWith('held');
    assert.deepEqual(
      held.filter(({ by }) => !filesIn(by).some(isTest)).map(({ id }) => id),
      [],
    );
    const tests = new Set(filesIn(page).filter(isTest));
    assert.deepEqual(
      [...tests].filter((file) => !/^\s*(?:it|describe)\(/m.test(read(file))),
      [],
    );
  });

  it('a row that is left to the operator names a heading of docs/operations.md that is there', () => {
    const headings = [...read('docs/operations.md').matchAll(/^#+ (.*)$/gm)].map(([, text]) =>
      text!
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
    const astray = rowsWith('left to the operator').filter(({ by }) => {
      const anchors = [...by.matchAll(/\(operations\.md#([\w-]+)\)/g)].map((match) => match[1]!);
      return anchors.length === 0 || !anchors.every((anchor) => headings.includes(anchor));
    });
    assert.deepEqual(astray, []);
  });

  it('a row that is not held says why', () => {
    assert.deepEqual(
      rowsWith('not held').filter(({ by }) => by.replaceAll(/`[^`]+`/g, '').length < 40),
      [],
    );
  });

  it('has the ten risks of the API Security Top 10 with a test each, and every road of an attacker with one', () => {
    const risks = [...page.matchAll(/^\| API(\d+) [^|]+\|[^|]+\| (.+) \|$/gm)];
    assert.deepEqual(
      risks.map(([, number]) => Number(number)),
      numbersFrom(1, 10),
    );
    const roads = [...sectionOf('Who attacks, and by which road').matchAll(/^\|(?! road \||---)(.*)\|$/gm)];
    assert.ok(roads.length > 20);
    for (const [, row] of [...risks.map(([, , tests]) => ['', tests!] as const), ...roads])
      assert.ok(filesIn(row!).some(isTest), row);
  });

  it('says how long sessions and sign-ins last as the code has it', () => {
    const ways = sectionOf('Ways in').replaceAll(/\s+/g, ' ');
    const [hourMs, dayMs, minuteMs] = [3_600_000, 86_400_000, 60_000];
    for (const words of [
      `A session ends after ${sessionIdleMs / hourMs} hours without use and after ${sessionLongestMs / dayMs} days`,
      `a sign-in of the last ${freshForMs / minuteMs} minutes`,
      `up to ${sessionsMax} sessions`,
      `${passwordLengthMin} characters at least`,
    ])
      assert.ok(ways.includes(words), words);
  });
});

describe('SECURITY.md', () => {
  const policy = read('SECURITY.md');

  it('says how to report, what is supported with times, and what is promised, in half a page', () => {
    for (const heading of ['Reporting a weakness', 'What is supported', 'What is promised'])
      assert.match(policy, new RegExp(`^## ${heading}$`, 'm'));
    assert.match(policy, /\| (\d+) days \|/);
    assert.ok(policy.split(/\s+/).length < 400);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    assert.ok(policy.includes(`(now ${version.split('.').slice(0, 2).join('.')})`), version);
  });
});

// Rules that hold for all of the code are held against its text.
describe('what docs/security.md says of all code', () => {
  const sources = globSync('{src,console,pages,client,help}/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !file.endsWith('.test.ts'),
  );
  const offenders = (pattern: RegExp): readonly string[] =>
    sources.filter((file) => pattern.test(read(file)));

  it('no text becomes code, and commands of the system are run in one place, without a shell', () => {
    assert.ok(sources.length > 500);
    assert.deepEqual(offenders(/\beval\(|new Function\(/), []);
    // Our own bundle of the console, and a line that asks V8 to collect garbage.
    assert.deepEqual(offenders(/['"]node:vm['"]/).toSorted(), [
      'src/cli/start/start-memory.ts',
      'src/http/console/pages/first-screen.ts',
    ]);
    assert.deepEqual(offenders(/['"]node:child_process['"]/), ['src/cli/start/launcher.ts']);
    assert.doesNotMatch(read('src/cli/start/launcher.ts'), /\b(?:exec|execSync|spawn|spawnSync)\(|shell:/);
  });

  it('no certificate is taken unseen, and no hash is one that is broken', () => {
    assert.deepEqual(offenders(/rejectUnauthorized|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/), []);
    assert.deepEqual(offenders(/(?:[hH]ash|[hH]mac|hkdf(?:Sync)?)\(\s*['"](?!sha256)/), []);
  });

  it('what decides who comes in knows no chance but that of the system', () => {
    const offending = offenders(/Math\.random/).filter((file) =>
      /\/(?:access|console)\//.test(file.replace(/^console\//, '')),
    );
    assert.deepEqual(offending, []);
  });
});

function sectionOf(heading: string): string {
  const [, after = ''] = page.split(new RegExp(`^#+ ${heading}$`, 'm'));
  return after.split(/^#/m)[0]!;
}

function idsOf(text: string): readonly string[] {
  return text
    .split(';')
    .map((part) => part.trim().split(' ') as [section: string, numbers: string])
    .flatMap(([section, numbers]) =>
      numbers.split(',').flatMap((span) => {
        const [first, last] = span.split('-').map(Number) as [number, number?];
        return numbersFrom(first, last ?? first).map((number) => `V${section}.${number}`);
      }),
    );
}

function numbersFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
