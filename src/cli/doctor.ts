// soundings doctor: looks at everything that has to be right, and says what to do where it is not.

import { findingsOf } from '../acts/operations/doctor.ts';
import type { Finding } from '../acts/operations/finding.ts';
import { type Flags, readSettings } from './open-context.ts';
import { CommandError, type Terminal, table } from './terminal.ts';

export async function doctor(terminal: Terminal, flags: Flags, isJson: boolean): Promise<void> {
  const { config } = await readSettings(terminal, flags);
  const findings = await Array.fromAsync(findingsOf(config));
  if (isJson) terminal.print(JSON.stringify(findings));
  else terminal.print(table(findings.map((finding) => [verdictOf(finding), finding.check, finding.says])));
  const wrong = findings.filter(({ isRight }) => !isRight);
  if (wrong.length > 0)
    throw new CommandError(
      `${wrong.length} of ${findings.length} checks failed: ${wrong.map(({ check }) => check).join(', ')}.`,
    );
}

function verdictOf({ isRight, isWarning }: Finding): string {
  return isWarning ? 'warning' : isRight ? 'right' : 'WRONG';
}
