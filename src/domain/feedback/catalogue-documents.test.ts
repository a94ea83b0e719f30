import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { readCatalogue } from './catalogue.ts';
import { DocumentSplitter, documentBytesMax } from './catalogue-documents.ts';
import { phrase } from './catalogue-fault.ts';
import { CatalogueNames } from './catalogue-names.ts';
import { faultSentence } from './fault-sentence.ts';

type Shown = readonly [line: number, text: string | null];

const tooLargeSentence = faultSentence(phrase('documentTooLarge'));

function split(file: string | Buffer, chunkBytes = 1_000_000): Shown[] {
  const splitter = new DocumentSplitter();
  const bytes = Buffer.from(file);
  const documents = [];
  for (let begin = 0; begin < bytes.length; begin += chunkBytes)
    documents.push(...splitter.push(bytes.subarray(begin, begin + chunkBytes)));
  documents.push(...splitter.end());
  return documents.map(({ line, text, fault }) => [
    line,
    text ?? (fault === null ? null : faultSentence(fault)),
  ]);
}

const files: readonly [title: string, file: string, documents: Shown[]][] = [
  ['one document without a mark', 'accounts:\n  - id: 1\n', [[1, 'accounts:\n  - id: 1\n']]],
  [
    'documents between lines of three dashes',
    'id: 1\n---\nid: 2\n--- # a comment\nid: 3',
    [
      [1, 'id: 1\n'],
      [2, '---\nid: 2\n'],
      [4, '--- # a comment\nid: 3'],
    ],
  ],
  ['documents that are empty', '---\n# nothing\n---\n\n---\nid: 1\n', [[5, '---\nid: 1\n']]],
  ['a directive before the first mark', '%YAML 1.2\n---\nid: 1\n', [[1, '%YAML 1.2\n---\nid: 1\n']]],
  [
    'a document on the line of its mark',
    '--- {id: 1}\n--- {id: 2}\n',
    [
      [1, '--- {id: 1}\n'],
      [2, '--- {id: 2}\n'],
    ],
  ],
  [
    'a document that says where it ends',
    'id: 1\n...\nid: 2\n',
    [
      [1, 'id: 1\n...\n'],
      [3, 'id: 2\n'],
    ],
  ],
  [
    'dashes that are no mark',
    'name: |\n  a\n  ---\n  b\n----: 1\n',
    [[1, 'name: |\n  a\n  ---\n  b\n----: 1\n']],
  ],
  [
    'lines that end as on Windows',
    'id: 1\r\n---\r\nid: 2\r\n',
    [
      [1, 'id: 1\r\n'],
      [2, '---\r\nid: 2\r\n'],
    ],
  ],
  [
    'NDJSON',
    '{"id":1}\n\n{"id":2}\n',
    [
      [1, '{"id":1}\n\n'],
      [3, '{"id":2}\n'],
    ],
  ],
  [
    'NDJSON whose first line is broken',
    '{"id":1\n{"id":2}\n',
    [
      [1, '{"id":1\n'],
      [2, '{"id":2}\n'],
    ],
  ],
  [
    'NDJSON whose second line is broken',
    '{"id":1}\n{"id":2\n{"id":3}',
    [
      [1, '{"id":1}\n'],
      [2, '{"id":2\n'],
      [3, '{"id":3}'],
    ],
  ],
  ['JSON over several lines', '{\n  "accounts": []\n}\n', [[1, '{\n  "accounts": []\n}\n']]],
  ['one line of JSON', '{"accounts":[]}', [[1, '{"accounts":[]}']]],
  ['nothing', '', []],
];

describe('cutting a catalogue file into documents', () => {
  for (const [title, file, documents] of files)
    it(`${title}: each with the line in which it begins, however the file arrives [D-210]`, () => {
      for (const chunkBytes of [1, 2, 3, 7, 1_000]) assert.deepEqual(split(file, chunkBytes), documents);
    });

  it('a document of 8 MB is read, and one byte more is passed over, whatever stands around it [D-210]', () => {
    const account = (id: number, bytes: number): string => {
      const begin = `---\nid: ${id}\nname: "`;
      return `${begin}${'x'.repeat(bytes - begin.length - 2)}"\n`;
    };
    const file =
      account(1, 100) + account(2, documentBytesMax) + account(3, documentBytesMax + 1) + account(4, 100);
    const documents = split(file, 65_536);
    assert.deepEqual(
      documents.map(([line, text]) => [line, text?.length]),
      [
        [1, 100],
        [4, documentBytesMax],
        [7, tooLargeSentence.length],
        [10, 100],
      ],
    );
    const oneLine = `{"id":1}\n{"name":"${'x'.repeat(documentBytesMax)}"}\n{"id":3}\n`;
    assert.deepEqual(split(oneLine, 65_536), [
      [1, '{"id":1}\n'],
      [2, tooLargeSentence],
      [3, '{"id":3}\n'],
    ]);
  });

  it('a document that is not UTF-8 is a fault, and those around it are not', () => {
    const file = Buffer.concat([
      Buffer.from('id: 1\n---\nname: '),
      Buffer.from([0xff, 0x0a]),
      Buffer.from('---\nid: 3\n'),
    ]);
    assert.match(String(split(file)[1]?.[1]), /not UTF-8/);
    assert.deepEqual(
      split(file).map(([line]) => line),
      [1, 2, 4],
    );
  });

  it('a mark of the byte order before the first document is not part of it', () => {
    for (const file of ['\ufeffid: 1\nname: One\n', '\ufeff{"id":1,"name":"One"}\n{"id":2,"name":"Two"}\n'])
      for (const [line, text] of split(file))
        assert.deepEqual(readCatalogue(text ?? '', { firstLine: line }).faults, []);
  });
});

describe('documents of a catalogue', () => {
  const account = { id: 7, name: 'Seven', measures: [{ key: 1, name: 'One', surveys: [{ id: 's-1' }] }] };

  it('a document that is an account is read like one in a list, as YAML and as a line of JSON', () => {
    const inList = readCatalogue(JSON.stringify({ accounts: [account] })).catalogue;
    for (const text of [JSON.stringify(account), stringify(account), `---\n${stringify(account)}`])
      assert.deepEqual(readCatalogue(text).catalogue, inList);
  });

  it('a line of JSON is judged as YAML is, member by member', () => {
    const texts = ['', 'x', 'a: b', '"quoted" \\ and : more', 'é\u2028\u{1f600}'];
    const member = fc.constantFrom('id', 'name', 'measures', 'key', 'surveys', 'colour', ...texts.slice(1));
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(...texts, 0, 1, -1.5, true, null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(member, tie('value'), { maxKeys: 5 }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(member, value, { maxKeys: 5 }), (document) => {
        const quick = readCatalogue(JSON.stringify(document));
        // With a line behind it, it is no longer a line of JSON.
        const slow = readCatalogue(`${JSON.stringify(document)}\n#\n`);
        assert.deepEqual(
          [quick.catalogue, new Set(quick.faults.map((fault) => `${fault.path} ${faultSentence(fault)}`))],
          [slow.catalogue, new Set(slow.faults.map((fault) => `${fault.path} ${faultSentence(fault)}`))],
        );
      }),
      { numRuns: 500 },
    );
  });

  it('a member that is written twice is a fault in a line of JSON too', () => {
    const text = '{"id":1,"name":"a:b","name":"\\"c\\":d","measures":[]}';
    assert.match(readCatalogue(text, { firstLine: 9 }).faults.map(faultSentence)[0] ?? '', /unique/);
    assert.equal(readCatalogue(text, { firstLine: 9 }).faults[0]?.line, 9);
  });

  it('faults have the line of the file, not of the document', () => {
    const { faults } = readCatalogue('---\nid: 1\nname: 2\nmeasures:\n  - key: x\n', { firstLine: 1_000 });
    assert.deepEqual(
      faults.map(({ line }) => line),
      [1_002, 1_004, 1_004],
    );
  });

  it('of one account alone, what is wrong with others is not looked at', () => {
    const file = JSON.stringify({ accounts: [{ id: 1, nome: 'x' }, account] });
    assert.equal(readCatalogue(file, { accountId: 7 }).catalogue?.accounts[0]?.name, 'Seven');
    assert.deepEqual(readCatalogue(file, { accountId: 8 }).catalogue, { accounts: [] });
    assert.equal(readCatalogue(file, { accountId: 1 }).catalogue, null);
  });

  it('an account goes on in a further document; names are taken once in the whole file [D-210]', () => {
    const names = new CatalogueNames();
    const add = (line: number, document: object): string[] => {
      const reading = readCatalogue(JSON.stringify(document), { firstLine: line });
      assert.ok(reading.catalogue);
      return names
        .add(reading.catalogue, reading.lineOf)
        .map((fault) => `${fault.line}: ${faultSentence(fault)}`);
    };
    const measure = (key: number, survey: string) => ({ key, name: 'M', surveys: [{ id: survey }] });
    assert.deepEqual(add(1, account), []);
    assert.deepEqual(
      add(2, { id: 7, name: 'Seven', measures: [measure(2, 's-2')], projects: [{ id: 1, name: 'P' }] }),
      [],
    );
    assert.deepEqual(add(3, { id: 8, name: 'Eight', measures: [measure(1, 's-3')] }), []);
    assert.deepEqual(add(4, { id: 7, name: 'Seven', measures: [measure(2, 's-4')] }), [
      '4: The measure key 2 is taken already, in line 2.',
    ]);
    assert.deepEqual(add(5, { id: 9, name: 'Nine', measures: [measure(1, 's-3')] }), [
      '5: The survey id s-3 is taken already, in line 3.',
    ]);
    assert.match(add(6, { id: 7, name: 'Sieben' })[0] ?? '', /^6: This goes on with the account of line 1/);
    assert.match(add(7, { id: 7, name: 'Seven', limits: { requestsPerSecond: 5 } })[0] ?? '', /other limits/);
    assert.match(add(8, { id: 7, name: 'Seven', insight: { minimum: 5 } })[0] ?? '', /another insight/);
  });
});
