// Loaded in front of a worker (run.ts). Node's runner follows every promise and handle of the process, to know which suite a test is
// declared in and which test an error belongs to; with a service in the same process that doubles what everything costs. The first is
// over when a file has been read, and an error that nobody catches ends the worker in any case (worker.ts), so from then on it rests.

import asyncHooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

const { createHook } = asyncHooks;
let follower = null;

asyncHooks.createHook = (callbacks) => {
  if (!new Error().stack.includes('node:internal/test_runner')) return createHook(callbacks);
  // It asks for another with each file, and lets none go.
  follower ??= createHook(callbacks);
  return follower;
};
syncBuiltinESMExports();

/** Before a file is read. */
export function followTests() {
  follower?.enable();
}

/** When its tests are declared. */
export function restFollowing() {
  if (follower === null) throw new Error('This Node follows its tests in another way.');
  follower.disable();
}
