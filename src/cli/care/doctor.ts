// soundings doctor: looks at everything that has to be right, and says what to do where it is not.

import type { Finding } from '../../acts/operations/finding.ts';
import { table } from '../frame/terminal.ts';
import { plainVerb } from '../frame/verb.ts';

export const doctor = plainVerb({
  about: 'check settings, store, schema, disk, clock and keys, and say how to fix problems',
  help: '\nExit status 1 if something is wrong.\nExample:\n  soundings doctor\n',
  load: async () => ({
    ...(await import('../../acts/operations/doctor.ts')),
    ...(await import('../frame/open-context.ts')),
  }),
  async act({ terminal, flags }, { readSettings, findingsOf }) {
    const { config } = await readSettings(terminal, flags);
    return Array.fromAsync(findingsOf(config));
  },
  says: (findings) => table(findings.map((finding) => [verdictOf(finding), finding.check, finding.says])),
  failure: (findings) => {
    const wrong = findings.filter(({ isRight }) => !isRight);
    if (wrong.length === 0) return null;
    const names = wrong.map(({ check }) => check).join(', ');
    return `${wrong.length} of ${findings.length} checks failed: ${names}.`;
  },
});

function verdictOf({ isRight, isWarning }: Finding): string {
  return isWarning ? 'warning' : isRight ? 'right' : 'WRONG';
}
