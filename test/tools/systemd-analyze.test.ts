// The unit of deploy/, judged by systemd itself. Nothing is started: whether the service lives within its limits is not
// tried here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findTool } from '../support/find-tool.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const unit = join(root, 'deploy', 'soundings.service');
// systemd looks whether the program is there; ours is in the tree.
const text = readFileSync(unit, 'utf8').replace(
  'ExecStart=/opt/soundings/bin/soundings',
  `ExecStart=${join(root, 'bin', 'soundings.js')}`,
);

function analyze(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(findTool('systemd-analyze')!, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}
const verify = (unitText: string): { status: number | null; output: string } =>
  analyze('verify', temporaryFile('soundings.service', unitText));

it('systemd finds nothing wrong with the unit [D-720]', () => {
  // A warning does not change the status, so nothing at all may be said.
  assert.deepEqual(verify(text), { status: 0, output: '' });
});

it('a word that systemd does not know, and a program that is not there, would have been found', () => {
  assert.match(verify(text.replace('ProtectSystem=strict', 'ProtectSystem=strikt')).output, /strikt/);
  assert.match(verify(text.replace('soundings.js serve', 'sounding.js serve')).output, /not executable/);
});

it('the unit exposes little of the machine: at most 2.0 of 10 by the count of systemd', () => {
  const { status, output } = analyze('security', '--offline=true', '--threshold=20', unit);
  assert.equal(status, 0, output);
});
