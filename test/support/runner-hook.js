// Loaded in front of a worker (run.ts). Node's test runner has an async hook that follows every promise and handle of the process, to
// know which suite a test is declared in and which test an error belongs to; with a service in the same process that doubles what
// everything costs. Tests are declared when a file has been read, and an error that nobody catches ends the worker in any case
// (worker.ts), so from then on the hook is off (D-884).

import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const { createHook } = asyncHooks;
let hook = null;

asyncHooks.createHook = (callbacks) => {
  if (!new Error().stack.includes('node:internal/test_runner')) return createHook(callbacks);
  // It asks for another with each file, and lets none go.
  hook ??= createHook(callbacks);
  return hook;
};
syncBuiltinESMExports();

/** Before a file is read. */
export function enableRunnerHook() {
  hook?.enable();
}

/** When its tests are declared. */
export function disableRunnerHook() {
  if (hook === null) throw new Error('This Node follows its tests in another way.');
  hook.disable();
}
