// What the program says of itself: in groups, in the width of the terminal.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandReference } from '../../src/cli/program.ts';
import { commandAtTerminal, commandHere, soundings, sourceProgram } from '../support/service.ts';

/** What is declared of all verbs, and what of the domain is named in it. */
const ownModulesMax = 100;

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

describe('a start', () => {
  it('of --help loads what is declared of verbs, and nothing that acts, stores or serves [D-1020]', async () => {
    const count = `
      import { registerHooks } from 'node:module';
      const names = [];
      registerHooks({ load: (name, context, next) => (names.push(name), next(name, context)) });
      process.on('exit', () => process.stdout.write('modules: ' + JSON.stringify(names)));`;
    const hooks = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(count)}` };
    const { stdout } = await soundings(['--help'], hooks, '', sourceProgram);
    const names = JSON.parse(stdout.slice(stdout.lastIndexOf('modules: ') + 'modules: '.length)) as string[];
    const own = names.flatMap((name) => /\/src\/(.*)$/.exec(name)?.[1] ?? []);
    assert.ok(own.includes('main.ts') && own.includes('cli/program.ts'), names.join('\n'));
    const astray = own.filter((name) => /^(acts|store|http|scim)\//.test(name));
    assert.deepEqual(astray, []);
    assert.ok(own.length <= ownModulesMax, `${own.length} modules:\n${own.join('\n')}`);
  });
});
