// What the service says in English is said by the console in its other languages too: every setting, task, check of doctor and rule
// of the catalogue has its words there. Findings of doctor and texts of pages are held together by their types.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { FaultTexts } from '../console/pages/editor/faults/en.ts';
import type { Told } from '../console/pages/operations/told/en.ts';
import type { PeopleTexts } from '../console/pages/people/messages/en.ts';
import type { RequestTexts } from '../console/pages/provider/requests/en.ts';
import { settings } from '../src/config.ts';
import { type Phrase, phrase } from '../src/domain/feedback/catalogue-fault.ts';
import { editorSentences } from '../src/domain/feedback/catalogue-sentences.ts';
import { inOneGo } from '../src/domain/interruptible.ts';
import { bulkInWords, changesInWords, draftInWords, patchInWords } from '../src/scim/explain.ts';
import { readPatch } from '../src/scim/operations.ts';
import { groupSchemaView, standardFaceSchemaView } from '../src/scim/schema-view.ts';
import { backgroundTasks } from '../src/store/background-tasks.ts';
import { sealedThings } from '../src/store/operations/sealed-things.ts';

/** The console is written for browsers; what it says can be read here. */
async function ofConsole<T>(file: string): Promise<T> {
  return (await import(new URL(`../console/pages/${file}`, import.meta.url).href)) as T;
}
const textsOf = async <T>(file: string): Promise<T> => (await ofConsole<{ readonly texts: T }>(file)).texts;

const { faultText } = await ofConsole<{
  readonly faultText: (fault: Phrase, texts: FaultTexts) => string;
}>('editor/fault-text.ts');
const { requestWords } = await ofConsole<{
  readonly requestWords: (text: string, texts: RequestTexts | null) => string;
}>('provider/request-words.ts');
const requests = {
  de: await textsOf<RequestTexts>('provider/requests/de.ts'),
  fr: await textsOf<RequestTexts>('provider/requests/fr.ts'),
};
const told = {
  de: await textsOf<Told>('operations/told/de.ts'),
  fr: await textsOf<Told>('operations/told/fr.ts'),
};
const faults = {
  de: await textsOf<FaultTexts>('editor/faults/de.ts'),
  fr: await textsOf<FaultTexts>('editor/faults/fr.ts'),
};

/** Tasks, events and columns that look like actions. */
const isNoAction =
  /^(?:refused\.forget|scale\.labels|response\.(?:digest|hash|seq))$|\.(?:created|updated|deleted|suspended|reactivated|changed|erased)$/;

/** What the service does by itself is beside what two faces do. */
function sourceOfCheck(file: string): string {
  return `${file === 'doctor-runs' ? 'http' : 'acts'}/operations/${file}.ts`;
}

function source(path: string): string {
  const text = readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8');
  return text.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '');
}

/** Every word that a request of a provider is told in. */
function toldRequests(): readonly string[] {
  const patch = (operations: readonly object[], schemaView = standardFaceSchemaView): string =>
    patchInWords(inOneGo(readPatch({ Operations: operations }, schemaView)));
  const members = Array.from({ length: 7 }, (_, at) => ({ value: String(1_000_000_001 + at) }));
  const unknown = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`shoe${at}`, at]));
  return [
    patch([
      { op: 'replace', path: 'active', value: false },
      { op: 'add', path: 'emails[type eq "work"].value', value: 'ada@x' },
      { op: 'remove', path: 'title' },
    ]),
    patch([{ op: 'add', path: 'members', value: members }], groupSchemaView),
    patch([{ op: 'add', path: 'members', value: [{ value: 'ada@x' }] }], groupSchemaView),
    draftInWords({ userName: 'ada', ...unknown }, standardFaceSchemaView)!,
    changesInWords({ active: true }, { active: false, title: 'x' })!,
    bulkInWords(
      { Operations: [{ method: 'POST', path: '/Users' }, { method: 'PATCH', path: '/Users/1' }, 7] },
      [{ endpoint: 'Users' }],
    )!,
  ];
}

describe('what the service says, in every language of the console', () => {
  it('requests of providers: what was asked for and changed, and no value in quotes [D-782]', () => {
    assert.deepEqual(
      toldRequests().map((text) => requestWords(text, requests.de)),
      [
        'ersetzt: active (nein); hinzugefügt: emails[type eq "work"].value; entfernt: title',
        'hinzugefügt: members (1000000001, 1000000002, 1000000003, 1000000004, 1000000005, 2 weitere)',
        'hinzugefügt: members (1 weitere)',
        `userName; nicht beachtet: ${Array.from({ length: 20 }, (_, at) => `shoe${at}`).join(', ')} und 5 weitere`,
        'active (nein), title',
        '1 × POST auf users, 1 × PATCH auf users, 1 × unlesbar',
      ],
    );
    for (const text of toldRequests()) {
      assert.equal(requestWords(text, null), text);
      const words = requestWords(text, requests.fr);
      assert.doesNotMatch(words, /\b(?:add|remove|replace|ignored|more|true|false|of|unreadable|and)\b/);
    }
    const quoted = 'externalId eq "1; add x (true), 2 more"';
    assert.equal(requestWords(quoted, requests.de), quoted);
  });

  for (const language of ['de', 'fr'] as const) {
    const own = told[language];
    it(`settings, tasks, sealed things and checks: ${language} [D-730]`, () => {
      assert.deepEqual(
        Object.values(settings)
          .map(({ name }) => name)
          .sort(),
        Object.keys(own.settings).sort(),
      );
      assert.deepEqual(
        backgroundTasks()
          .map(({ name }) => name)
          .sort(),
        Object.keys(own.tasks).sort(),
      );
      assert.deepEqual(sealedThings.map(({ name }) => name).sort(), Object.keys(own.sealed).sort());
      const files = ['doctor', 'open-store', 'backup-finding', 'background-findings'];
      const others = ['connection-findings', 'token-findings', 'webhook-findings'];
      const checks = [...files, ...others].flatMap((file) =>
        [...source(sourceOfCheck(file)).matchAll(/(?:check = |\bfinding\(|look\()'(\w+)'/g)].map(
          ([, check]) => check!,
        ),
      );
      assert.ok(checks.length > 20);
      assert.deepEqual(
        checks.filter((check) => !Object.hasOwn(own.checks, check)),
        [],
      );
    });

    it(`what the rules of the catalogue say of a draft: every code, with the same values [D-1041]`, () => {
      const { sentences } = faults[language];
      const namesIn = (text: string): readonly string[] =>
        [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted();
      assert.deepEqual(Object.keys(sentences).toSorted(), Object.keys(editorSentences).toSorted());
      for (const [code, english] of Object.entries(editorSentences) as [keyof typeof sentences, string][]) {
        assert.deepEqual(namesIn(sentences[code]), namesIn(english), code);
        if (/ (?:the|must|is|has|of|a) /.test(` ${english.replaceAll(/"[^"]*"/g, '')} `))
          assert.notEqual(sentences[code], english, code);
      }
      const what = phrase('otherKind', { member: 'weight', kind: phrase('anInteger', { min: 1, max: 20 }) });
      const said = faultText(what, faults[language]);
      assert.doesNotMatch(said, /must|whole/);
      assert.match(said, /^weight .*\b1\b.*\b20\b/);
    });
  }
});

describe('what the audit log has, in every language of the console', () => {
  /** Every action that the service writes down: named as such, or handed to the function beside it that does. */
  const actions = new Set<string>();
  for (const path of globSync('**/*.ts', { cwd: new URL('../src/', import.meta.url) })) {
    if (path.endsWith('.test.ts')) continue;
    const text = source(path);
    if (!/auditStatement|\baction: '/.test(text)) continue;
    for (const [, action] of text.matchAll(/'([a-z]+(?:-[a-z]+)*\.[a-z]+(?:\.finish)?)'/g))
      if (!isNoAction.test(action!)) actions.add(action!);
  }

  for (const language of ['en', 'de', 'fr'] as const)
    it(`each action has its words: ${language}`, async () => {
      const { actions: told, actionGroups } = await textsOf<PeopleTexts>(`people/messages/${language}.ts`);
      assert.ok(actions.size > 60, `${actions.size}`);
      assert.deepEqual(
        [...actions].filter((action) => !(action in told)),
        [],
      );
      // What belongs to the whole installation is on the page of operations.
      const ofInstallation = /^(?:backup|clock|doctor|insight|keys|maintenance|operator|store)\./;
      assert.deepEqual(
        Object.keys(told).filter(
          (action) => !ofInstallation.test(action) && !(action.split('.')[0]! in actionGroups),
        ),
        [],
      );
    });
});
