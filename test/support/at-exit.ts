// What a process of tests tidies away when it ends, also when it is told to end in the middle of a test.

const tasks: (() => void)[] = [];

/** Runs at the end of this process, what came last first; it cannot wait for anything. */
export function atExit(task: () => void): void {
  tasks.push(task);
}

process.once('exit', () => {
  for (const task of tasks.reverse()) task();
});
// The runner itself has an end of its own to come to; only its workers just end.
if (process.env.TEST_WORKER !== undefined) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}
