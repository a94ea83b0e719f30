// The unit of examples/, judged by systemd itself. Nothing is started: whether the service lives within its limits is not
// tried here.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findTool } from '../support/find-tool.ts';
import { temporaryFile } from '../support/temporary-file.ts';

const unit = fileURLToPath(new URL('../../examples/soundings.service', import.meta.url));

function analyze(...args: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(findTool('systemd-analyze')!, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

it('systemd finds nothing wrong with the unit', () => {
  // A warning does not change the status, so nothing at all may be said.
  assert.deepEqual(analyze('verify', unit), { status: 0, output: '' });
});

it('a word that systemd does not know would have been found', () => {
  const wrong = readFileSync(unit, 'utf8').replace('ProtectSystem=strict', 'ProtectSystem=strikt');
  assert.match(analyze('verify', temporaryFile('soundings.service', wrong)).output, /strikt/);
});

it('the unit exposes little of the machine: at most 2.0 of 10 by the count of systemd', () => {
  const { status, output } = analyze('security', '--offline=true', '--threshold=20', unit);
  assert.equal(status, 0, output);
});
