// The program. The environment is read here and nowhere else, and handed on.

import { enableCompileCache } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { hearStopRequest } from './cli/frame/stop-signal.ts';
import { beginWithinBounds } from './cli/start/memory-bounds.ts';

// Before anything else is loaded: memory is bounded by what only a process that begins can be told (D-910), and a service that is
// asked to stop while it starts ends in order (D-855). A command ends as any program does, or says otherwise itself.
if (process.argv[2] === 'serve') {
  beginWithinBounds(process.env);
  hearStopRequest();
}

// Parsed and stripped modules are kept between starts; it halves the time to the first answer.
enableCompileCache();
// Left to itself, V8 lets garbage grow to several times what is alive before it collects it (D-192).
setFlagsFromString('--heap-growing-percent=40');

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv.slice(2), process.env);
