export function enableRunnerHook(): void;
export function disableRunnerHook(): void;
