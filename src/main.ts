// The program. The environment is read here and nowhere else, and handed on.

import { enableCompileCache } from 'node:module';

// Parsed and stripped modules are kept between starts; it halves the time to the first answer.
enableCompileCache();

const { run } = await import('./cli/program.ts');
process.exitCode = await run(process.argv.slice(2), process.env);
