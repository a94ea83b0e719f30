import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { writtenAccountOfAll } from '../../../test/support/account-arbitraries.ts';
import { writtenCatalogue } from '../../../test/support/feedback-arbitraries.ts';
import { readCatalogue } from './catalogue.ts';
import type { CatalogueAccount } from './definition.ts';
import { writtenAccount } from './written-account.ts';

/** As it is read from what is written of it. */
function readBack(account: CatalogueAccount, form: 'yaml' | 'json'): unknown {
  const written = writtenAccount(account);
  const text = form === 'json' ? JSON.stringify(written) : stringify(written, { lineWidth: 0 });
  const { catalogue, faults } = readCatalogue(text);
  assert.deepEqual(faults, [], text);
  return catalogue?.accounts[0];
}

function accountsOf(text: string): readonly CatalogueAccount[] {
  const { catalogue, faults } = readCatalogue(text);
  assert.ok(catalogue, JSON.stringify(faults));
  return catalogue.accounts;
}

describe('an account as it is written', () => {
  const demo = accountsOf(readFileSync('examples/demo.yaml', 'utf8'));

  it('is the same account when it is read again [D-212]', () => {
    for (const account of demo)
      for (const form of ['yaml', 'json'] as const) assert.deepEqual(readBack(account, form), account);
  });

  it('is the same account whatever it has [D-212]', () => {
    fc.assert(
      fc.property(writtenCatalogue(1), (catalogue) => {
        for (const account of accountsOf(JSON.stringify(catalogue)))
          for (const form of ['yaml', 'json'] as const) assert.deepEqual(readBack(account, form), account);
      }),
      { numRuns: 50 },
    );
  });

  it('is the same account with all that a page, its languages and its figures can have [D-212] [D-504]', () => {
    const said = new Set<string>();
    fc.assert(
      fc.property(writtenAccountOfAll(1), (written) => {
        for (const account of accountsOf(JSON.stringify(written))) {
          const { insight, measures, projects } = account;
          if (insight) said.add('insight');
          for (const { surveys } of [...measures, ...projects])
            for (const survey of surveys)
              for (const name of [...Object.keys(survey), ...Object.keys(survey.page ?? {})]) said.add(name);
          for (const form of ['yaml', 'json'] as const) assert.deepEqual(readBack(account, form), account);
        }
      }),
      { numRuns: 60 },
    );
    const members = ['insight', 'title', 'language', 'translations', 'page', 'quarantine', 'intro', 'thanks'];
    for (const name of [...members, 'sections', 'theme', 'privacy', 'prefill', 'invite', 'protect'])
      assert.ok(said.has(name), `No account said ${name}.`);
  });

  it('leaves out what is so without a word', () => {
    const [account] = accountsOf('{id: 1, name: One, measures: [{key: 1, name: M, surveys: [{id: s}]}]}');
    assert.deepEqual(writtenAccount(account!), {
      id: 1,
      name: 'One',
      measures: [{ key: 1, name: 'M', surveys: [{ id: 's', version: 1, current: true }] }],
    });
  });

  // Texts that YAML would take for something else, or for its own marks.
  const hardText = fc
    .oneof(
      fc.constantFrom(
        '1',
        'null',
        'true',
        '~',
        '---',
        '...',
        '- a',
        'a: b',
        '#',
        ' x ',
        '"',
        "'",
        '\\',
        '|',
        '%',
        '@',
      ),
      fc.constantFrom(
        'line\n---\nline',
        'line\r\nline',
        'tab\there',
        '\n',
        'a\n\n',
        'e\u0301',
        '\u2028',
        '\u{1f600}',
        '0x1f',
      ),
      fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
    )
    .filter((text) => !text.includes('\0') && text.isWellFormed());
  const hardId = hardText.filter(
    (text) => text.length <= 128 && !/\p{Cc}/u.test(text) && !['__proto__', 'constructor'].includes(text),
  );

  it('keeps every text as it is, in either form [D-212]', () => {
    const account = fc.record({
      id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      name: hardText,
      limits: fc.option(fc.record({ requestsPerSecond: fc.integer({ min: 1, max: 1_000_000 }) })),
      answer: fc.oneof(hardText, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constant(null)),
      answerId: hardId,
      phrase: hardText,
      siteKey: fc.oneof(hardText, fc.constant('')),
    });
    fc.assert(
      fc.property(account, ({ id, name, limits, answer, answerId, phrase, siteKey }) => {
        const value = typeof answer === 'number' && Object.is(answer, -0) ? 0 : answer;
        const answers = [{ id: answerId, text: name, label: phrase, value }];
        const question = { id: answerId, name, phrase, label: name, responseType: 'SELECT', answers };
        const surveys = [{ id: answerId, modelInstanceId: answerId, current: true, questions: [question] }];
        const document = { id, name, ...(limits && { limits }), projects: [{ id, name, siteKey, surveys }] };
        const [read] = accountsOf(JSON.stringify(document));
        for (const form of ['yaml', 'json'] as const) assert.deepEqual(readBack(read!, form), read);
      }),
      { numRuns: 300 },
    );
  });
});
