import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lineToLauncher, type ProcessFacts } from './launcher.ts';

/** The nearest first; each was started by the next. */
function lineOf(...commands: readonly string[]): readonly number[] | null {
  const facts = new Map(
    commands.map((command, index): [number, ProcessFacts] => [
      10 + index,
      { parentPid: 11 + index, words: command.split(' ') },
    ]),
  );
  return lineToLauncher(10, (pid) => facts.get(pid) ?? null);
}

describe('who started the service', () => {
  it('is npm, through shells that run one command and our own starter [D-196]', () => {
    for (const [commands, length] of [
      [['npm start', 'bash'], 1],
      [['sh -c node src/main.ts serve', 'npm start', 'bash'], 2],
      [["/bin/sh -c 'soundings' serve", 'npm exec soundings serve', 'zsh'], 2],
      [['/bin/bash -e -c soundings serve', 'node /usr/lib/node_modules/npm/bin/npm-cli.js start'], 2],
      [['node /app/node_modules/.bin/soundings serve', 'sh -c soundings serve', 'npx soundings serve'], 3],
      [['node /app/bin/soundings.js serve', 'sh -c x', 'dash -c y', 'yarn start'], 4],
    ] as const)
      assert.equal(lineOf(...commands)?.length, length, commands.join(' < '));
  });

  it('is our own starter, where somebody else ran it [D-196]', () => {
    assert.deepEqual(lineOf('node /usr/local/bin/soundings serve', 'bash'), [10]);
    assert.deepEqual(lineOf('node /app/bin/soundings.js serve', 'sh -c x', '/sbin/init'), [10]);
  });

  it('is nobody whose end is ours, where a person, a supervisor or another program did [D-196]', () => {
    for (const commands of [
      ['bash'],
      ['-bash', 'sshd: somebody'],
      ['/sbin/init'],
      ['node test/run.ts', 'sh -c node test/run.ts', 'npm test'],
      ['bash', 'npm start'],
      ['make run', 'npm start'],
      ['sh -c x', '/sbin/init'],
      [],
      Array.from({ length: 50 }, () => 'sh -c x'),
    ])
      assert.equal(lineOf(...commands), null, commands.join(' < '));
  });
});
