// What the program says of itself: in groups, in the width of the terminal.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandReference } from '../../src/cli/program.ts';
import { commandAtTerminal, commandHere, soundings } from '../support/service.ts';

describe('--help', () => {
  it('lists the verbs in six groups, each verb once and none outside of them', async () => {
    const { stdout } = await soundings(['--help']);
    const groups = [...stdout.matchAll(/^([A-Z][a-z]+):\n((?: +.*\n)+)/gm)].map(
      ([, name, lines = '']) =>
        [name, [...lines.matchAll(/^ {2}([a-z-]+) /gm)].map(([, verb]) => verb)] as const,
    );
    assert.deepEqual(
      groups.map(([name]) => name),
      ['Options', 'Start', 'Data', 'Surveys', 'People', 'Keys', 'Care'],
    );
    const listed = groups.slice(1).flatMap(([, verbs]) => verbs);
    const all = new Set(commandReference().map(({ name }) => name.split(' ')[1]));
    assert.deepEqual(listed.filter((verb) => verb !== 'help').sort(), [...all].sort());
    assert.doesNotMatch(stdout, /^Commands:/m);
  });

  it('fits a terminal of 80 columns, but for examples, in every verb', async () => {
    for (const { name } of commandReference()) {
      const { stdout } = await commandAtTerminal([...name.split(' ').slice(1), '--help']);
      const examples = stdout.search(/^Examples?:$/m);
      const lines = (examples === -1 ? stdout : stdout.slice(0, examples)).split('\n');
      for (const line of lines) assert.ok(line.length <= 80 || /^ {2}\S/.test(line), `${name}: ${line}`);
    }
  });

  it('is filled anew, without a word lost', async () => {
    const words = (text: string): string => text.replace(/\s+/g, ' ');
    const args = ['user', 'import', '--help'];
    const [narrow, plain] = [await commandAtTerminal(args), await commandHere(args)];
    assert.equal(words(narrow.stdout), words(plain.stdout));
    assert.notEqual(narrow.stdout, plain.stdout);
  });
});
